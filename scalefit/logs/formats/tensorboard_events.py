"""TensorBoard event files, through TensorBoard's own reader."""

import importlib
import os
import tempfile
from typing import Any

from scalefit.errors import LogError
from scalefit.logs.content import Content
from scalefit.logs.records import RecordColumns
from scalefit.logs.table import Cell, Table, join_lines

_MARK = b"brain.Event:"
_MARKED_BYTES = 64
_PLACES = ("wall_time", "step")


def recognises(content: Content) -> bool:
    """Return whether the first record tells the version of an event file."""
    return _MARK in content.data[:_MARKED_BYTES]


def read(content: Content) -> Table:
    """Return one row per step and writing, one column per tag that holds single numbers.

    Raises
    ------
    LogError
        If the tensorboard package is not installed, or the file holds no scalars.
    """
    records: list[dict[str, Cell]] = []
    lines: list[int] = []
    for number, event in enumerate(_events(content), 1):
        for value in event.summary.value:
            found = _number(value)
            if found is None:
                continue
            # Writers log one tag per event; those of one step belong on one row.
            if not records or records[-1]["step"] != event.step or value.tag in records[-1]:
                records.append({"wall_time": event.wall_time, "step": event.step})
                lines.append(number)
            if value.tag not in _PLACES:
                records[-1][value.tag] = found
    if not records:
        raise LogError(
            "an event file without scalars", where=content.path, expected="expected numbers logged with add_scalar"
        )
    columns = RecordColumns(content.path)
    columns.add(records)
    return Table(
        format="tensorboard",
        columns=columns.build(),
        lines=join_lines([lines]),
        place="event",
        notes=content.notes,
    )


def _events(content: Content) -> list[Any]:
    try:
        loader = importlib.import_module("tensorboard.backend.event_processing.event_file_loader")
    except ImportError:
        raise LogError(
            "an event file of TensorBoard needs its package",
            where=content.path,
            expected="expected a log that needs none, such as CSV or JSONL",
            remedy="install scalefit[tensorboard], or download the CSV in TensorBoard",
        ) from None
    # The reader takes a path; the log may have come from an archive, a store or standard input.
    handle, path = tempfile.mkstemp()
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.data)
        return list(loader.LegacyEventFileLoader(path).Load())
    except Exception as error:  # noqa: BLE001 -- damage shows as whatever protobuf or the reader raises
        raise LogError(
            f"a damaged event file ({error})", where=content.path, expected="expected whole records"
        ) from None
    finally:
        os.unlink(path)  # noqa: PTH108 -- made by mkstemp, which knows no Path


def _number(value: Any) -> float | None:  # noqa: ANN401 -- a message of protobuf
    """Return the number that a summary holds; None for pictures, texts and histograms."""
    if value.HasField("simple_value"):
        return float(value.simple_value)
    if not value.HasField("tensor"):
        return None
    tensor_util = importlib.import_module("tensorboard.util.tensor_util")
    try:
        array = tensor_util.make_ndarray(value.tensor)
    except (TypeError, ValueError):
        return None
    return float(array.reshape(-1)[0]) if array.size == 1 and array.dtype.kind in "fiu" else None
