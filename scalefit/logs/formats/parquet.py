"""Parquet, through pyarrow."""

import importlib
from typing import Any

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.column_builder import ColumnBuilder
from scalefit.logs.content import EXPANDED_LIMIT_BYTES, Content
from scalefit.logs.table import Column, Table, unique_names

_CELL_BYTES = 8


def recognises(content: Content) -> bool:
    """Return whether the bytes begin as Parquet does."""
    return content.data.startswith(b"PAR1")


def read(content: Content) -> Table:
    """Return the columns; fields of structures become columns whose names are joined by ``/``.

    Raises
    ------
    LogError
        If pyarrow is not installed, or the file is damaged or expands beyond the limit.
    """
    try:
        arrow = importlib.import_module("pyarrow")
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise LogError(
            "a Parquet file needs the package pyarrow",
            where=content.path,
            expected="expected a log that needs none, such as CSV or JSONL",
            remedy="install scalefit[parquet]",
        ) from None
    try:
        file = parquet.ParquetFile(arrow.BufferReader(content.data))
        _refuse_large(file.metadata, content.path)
        table = file.read()
        while any(arrow.types.is_struct(field.type) for field in table.schema):
            table = table.flatten()
        names = unique_names(name.replace(".", "/") for name in table.column_names)
        columns = [_column(name, cells) for name, cells in zip(names, table.columns, strict=True)]
    except LogError:
        raise
    except Exception as error:  # noqa: BLE001 -- damage shows as any of a dozen errors
        raise LogError(
            f"a Parquet file that cannot be read ({error})", where=content.path, expected="expected a whole one"
        ) from None
    return Table(
        format="parquet",
        columns={column.name: column for column in columns},
        lines=np.arange(1, table.num_rows + 1),
        place="record",
        notes=content.notes,
    )


def _refuse_large(metadata: Any, where: str) -> None:  # noqa: ANN401 -- an optional package without types
    size = metadata.num_rows * metadata.num_columns * _CELL_BYTES
    size = max(size, sum(metadata.row_group(place).total_byte_size for place in range(metadata.num_row_groups)))
    if size > EXPANDED_LIMIT_BYTES:
        raise LogError(f"expands to {size >> 20} MiB", where=where, expected="expected a log")


def _column(name: str, cells: Any) -> Column:  # noqa: ANN401 -- an optional package without types
    builder = ColumnBuilder(name)
    values = cells.to_pylist() if cells.null_count or cells.type not in _plain_types() else None
    if values is None:
        numbers = np.asarray(cells.to_numpy(), dtype=np.float64)
        if np.isfinite(numbers).all():
            builder.add_numbers(numbers)
            return builder.build(numbers.size)
        values = numbers.tolist()
    values = [value.isoformat() if hasattr(value, "isoformat") else value for value in values]
    builder.add_values(values, set(map(type, values)))
    return builder.build(len(values))


def _plain_types() -> set[Any]:
    arrow = importlib.import_module("pyarrow")
    return {arrow.float64(), arrow.float32(), arrow.int64(), arrow.int32(), arrow.int16(), arrow.int8()}
