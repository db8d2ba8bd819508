"""One JSON document: an array of records, an object of arrays, a trainer's ``log_history``, curves of several runs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.content import Content
from scalefit.logs.formats.json_lines import decode
from scalefit.logs.records import RecordColumns
from scalefit.logs.table import Table

_HISTORY_KEYS = (
    "log_history",
    "history",
    "metrics",
    "results",
    "records",
    "rows",
    "data",
    "logs",
    "entries",
    "scalars",
)
"""Keys under which documents keep their rows, the most telling first."""
_INDEX = re.compile(r"\d+")
_RUN = "run"
_KEY_COLUMN = "step"


def recognises(content: Content) -> bool:
    """Return whether the text begins like a JSON object or array (JSONL is tried before)."""
    text = content.head.lstrip()
    return text.startswith((b"{", b"[")) and re.match(rb'[{\[]\s*(?:["{\[\]}\d-]|NaN|null)', text) is not None


def holds_rows(content: Content) -> bool:
    """Return whether the document has rows; also if only its beginning is there, which cannot tell."""
    if content.is_cut:
        return True
    try:
        _find_rows(decode(content.data), content.path)
    except LogError:
        return False
    return True


def read(content: Content) -> Table:
    """Return the rows of the document as columns.

    Raises
    ------
    LogError
        If the text is no JSON, or holds no rows: a configuration, a summary, a notebook.
    """
    document = decode(content.data)
    if document is None:
        raise LogError(
            "not JSON" + (" (the archive is cut)" if content.is_cut else " (cut or damaged)"),
            where=content.path,
            expected="expected one JSON document or one JSON object a line",
            remedy="copy the file again, or export the run as JSONL or CSV",
        )
    records, run_column = _find_rows(document, content.path)
    columns = RecordColumns(content.path)
    columns.add(records)
    return Table(
        format="json",
        columns=columns.build(),
        lines=np.arange(1, len(records) + 1),
        place="record",
        run_column=run_column,
        notes=content.notes,
    )


def _find_rows(document: object, where: str) -> tuple[Sequence[Mapping[str, Any]], str | None]:
    """Return the rows of a document and the column that names their run, if the document itself tells runs apart."""
    if isinstance(document, list):
        records = [record for record in document if isinstance(record, dict)]
        if records:
            return list(_explode(records)), None
        if document and all(isinstance(row, list) for row in document):
            return _from_matrix(document, where), None
    if isinstance(document, dict):
        for key in (*_HISTORY_KEYS, *document):
            value = document.get(key)
            if _is_rows(value) and key != "cells":
                return _find_rows(value, where)
        found = _from_object(document)
        if found is not None:
            return found
    raise LogError(
        f"JSON without rows is not a curve ({_describe(document)})",
        where=where,
        expected="expected an array of records, an object of arrays or a log_history",
        remedy="name the file that holds the history of the run",
    )


def _from_object(document: Mapping[str, Any]) -> tuple[Sequence[Mapping[str, Any]], str | None] | None:
    if _series_lengths(document):
        return list(_explode([document])), None
    inner = {key: value for key, value in document.items() if isinstance(value, dict)}
    if inner and all(_series_lengths(value) for value in inner.values()):
        return list(_explode([{_RUN: key, **value} for key, value in inner.items()])), _RUN
    keyed = _from_index(document, inner)
    if keyed is not None:
        return keyed, None
    return next((found for value in inner.values() if (found := _from_object(value)) is not None), None)


def _from_index(
    document: Mapping[str, Any], inner: Mapping[str, Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]] | None:
    """Return the rows of ``{step: {column: value}}`` or of a data frame written as ``{column: {row: value}}``."""
    if not inner:
        return None
    if len(inner) == len(document) and all(_INDEX.fullmatch(key) for key in inner):
        return [{_KEY_COLUMN: int(key), **value} for key, value in inner.items()]
    if all(value and all(_INDEX.fullmatch(str(row)) for row in value) for value in inner.values()):
        index = sorted({int(row) for value in inner.values() for row in value})
        return [{key: value.get(str(row)) for key, value in inner.items()} for row in index]
    return None


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _series_lengths(record: Mapping[str, Any]) -> int:
    """Return the length of the longest kind of array of scalars in a record, 0 unless at least two share it."""
    lengths = [
        len(value)
        for value in record.values()
        if isinstance(value, list) and len(value) > 1 and not isinstance(value[0], list | dict)
    ]
    return max((length for length in lengths if lengths.count(length) > 1), default=0)


def _explode(records: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield records; one that holds curves (``xs`` and ``ys`` of one length) becomes a row per point."""
    if not any(_series_lengths(record) for record in records[:10]):
        yield from records
        return
    for record in records:
        length = _series_lengths(record)
        if not length:
            yield record
            continue
        curves = {key: value for key, value in record.items() if isinstance(value, list) and len(value) == length}
        constant = {key: value for key, value in record.items() if not isinstance(value, list | dict)}
        for place in range(length):
            yield constant | {key: value[place] for key, value in curves.items()}


def _from_matrix(rows: Sequence[Any], where: str) -> list[Mapping[str, Any]]:
    header = rows[0]
    if not all(isinstance(name, str) for name in header):
        raise LogError(
            "an array of arrays without names", where=where, expected="expected names in the first one",
            remedy="write records, or a CSV with a header",
        )  # fmt: skip
    return [dict(zip(header, row, strict=False)) for row in rows[1:]]


def _describe(document: object) -> str:
    if isinstance(document, dict):
        if "cells" in document and "nbformat" in document:
            return "a notebook"
        keys = ", ".join(list(document)[:6])
        return f"an object with the keys {keys}" if keys else "an empty object"
    return "an array without records" if isinstance(document, list) else f"a single {type(document).__name__}"
