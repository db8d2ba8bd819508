"""One JSON object a line, as most trainers write their metrics."""

import json
from collections.abc import Sequence

import msgspec
import numpy as np

from scalefit.errors import LogError
from scalefit.logs.content import Content
from scalefit.logs.table import Cell, ColumnBuilder, Table
from scalefit.run import Caveat

_CHUNK_BYTES = 1 << 18
_MAXIMUM_DEPTH = 3
"""Levels of nested objects that become columns; deeper ones are configuration, not metrics."""
_MAXIMUM_COLUMNS = 100_000
_DECODER = msgspec.json.Decoder()
_UNREADABLE = "unreadable line"
_INCOMPLETE = "incomplete last line"
_NO_OBJECT = "line without an object"


def recognises(content: Content) -> bool:
    """Return whether the first line that is not empty is a JSON object on its own, or the start of a cut one."""
    text = content.head.lstrip()
    if not text.startswith(b"{"):
        return False
    for line in text.split(b"\n")[:3]:
        if isinstance(_decode_line(line), dict):
            return True
    # A first record longer than the head: an object that has not ended on its line.
    return b"\n" not in text and text[1:].lstrip().startswith(b'"') and len(content.data) > len(content.head)


def read(content: Content) -> Table:
    """Return the records of a log as columns.

    Raises
    ------
    LogError
        If no line holds a record, or there are more than 100 000 different keys.
    """
    builder = _RecordsBuilder(content)
    data = content.data
    begin = 0
    while begin < len(data):
        end = data.rfind(b"\n", begin, begin + _CHUNK_BYTES) + 1
        if end == 0:
            end = data.find(b"\n", begin) + 1 or len(data)
        builder.add_chunk(data[begin:end])
        begin = end
    return builder.build()


def _decode_line(line: bytes) -> Cell:
    """Return what a line holds, or None; bare NaN and Infinity are read as Python's own writer makes them."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


class _RecordsBuilder:
    """Turns chunks of lines into columns."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._columns: dict[str, ColumnBuilder] = {}
        self._lines: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
        self._line = 0
        self._rows = 0
        self._skipped: dict[str, list[int]] = {}

    def add_chunk(self, chunk: bytes) -> None:
        count = chunk.count(b"\n") + (not chunk.endswith(b"\n"))
        first = self._line + 1
        self._line += count
        try:
            records = _DECODER.decode_lines(chunk)
        except (msgspec.DecodeError, RecursionError):
            records = None
        if records is not None and len(records) == count and set(map(type, records)) == {dict}:
            self._add(records, np.arange(first, first + count))
            return
        kept: list[dict[str, Cell]] = []
        lines: list[int] = []
        for number, line in enumerate(chunk.split(b"\n")[:count], first):
            if not line.strip():
                continue
            value = _decode_line(line)
            if isinstance(value, dict):
                kept.append(value)
                lines.append(number)
            elif value is not None or line.strip() == b"null":
                self._skip(_NO_OBJECT, number)
            else:
                is_tail = number == self._line and not self._content.data.endswith(b"\n")
                self._skip(_INCOMPLETE if is_tail and self._is_last(number) else _UNREADABLE, number)
        if kept:
            self._add(kept, np.array(lines, dtype=np.int64))

    def build(self) -> Table:
        notes = list(self._content.notes)
        where = self._content.path
        if not self._rows:
            raise LogError("no data rows", where=where, expected="expected one JSON object a line")
        damaged = self._skipped.get(_UNREADABLE, [])
        if damaged:
            shown = ", ".join(map(str, damaged[:10])) + (", ..." if len(damaged) > 10 else "")  # noqa: PLR2004
            message = f"line {shown} cannot be read: data are lost in the middle of the log"
            notes.append(Caveat(code="damaged-lines", message=message, evidence={"lines": [float(n) for n in damaged]}))
        if _INCOMPLETE in self._skipped:
            message = "last line incomplete (file still being written?)"
            notes.append(Caveat(code="incomplete-line", message=message, evidence={"line": self._line}))
        return Table(
            format="jsonl",
            columns={name: column.build(self._rows) for name, column in self._columns.items()},
            lines=np.concatenate(self._lines),
            notes=tuple(notes),
            skipped={reason: tuple(lines) for reason, lines in self._skipped.items()},
        )

    def _is_last(self, number: int) -> bool:
        return number == self._content.data.count(b"\n") + 1

    def _skip(self, reason: str, line: int) -> None:
        self._skipped.setdefault(reason, []).append(line)

    def _add(self, records: Sequence[dict[str, Cell]], lines: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        self._add_level("", records, depth=1)
        self._rows += len(records)
        self._lines.append(lines)

    def _add_level(self, prefix: str, records: Sequence[dict[str, Cell]], *, depth: int) -> None:
        keys: dict[str, None] = dict.fromkeys(records[0]) if records else {}
        for record in records:
            if record.keys() != keys.keys():
                keys.update(dict.fromkeys(record))
        if len(self._columns) + len(keys) > _MAXIMUM_COLUMNS:
            raise LogError(
                f"more than {_MAXIMUM_COLUMNS} different keys",
                where=self._content.path,
                expected="expected metrics",
                remedy="check that the file is a log",
            )
        for key in keys:
            values = [record.get(key) for record in records]
            if dict in set(map(type, values)):
                if depth < _MAXIMUM_DEPTH:
                    inner = [value if isinstance(value, dict) else {} for value in values]
                    self._add_level(f"{prefix}{key}/", inner, depth=depth + 1)
                values = [None if isinstance(value, dict) else value for value in values]
                if all(value is None for value in values):
                    continue
            name = f"{prefix}{key}".strip()
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = ColumnBuilder(name, rows=self._rows)
            column.pad(self._rows)
            if column.rows == self._rows:
                column.add_values(values)
