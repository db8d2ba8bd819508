"""One JSON object a line, as most trainers write their metrics."""

import json

import msgspec

from scalefit.errors import LogError
from scalefit.logs.content import Content
from scalefit.logs.records import RecordColumns
from scalefit.logs.table import Cell, Table, join_lines
from scalefit.run import Caveat

_CHUNK_BYTES = 1 << 18
_CAPACITY = 1.5
"""Room for rows, in those that the first block lets expect."""
_DECODER = msgspec.json.Decoder()
_SNIFFED_LINES = 3
"""Lines of which one must be whole: the first may be damaged."""
_UNREADABLE = "unreadable line"
_INCOMPLETE = "incomplete last line"
_NO_OBJECT = "line without an object"


def recognises(content: Content) -> bool:
    """Return whether one of the first lines is a JSON object on its own.

    A lone line that holds arrays or objects is a document, not the first of many records.
    """
    if not content.head.lstrip().startswith(b"{"):
        return False
    data = content.data
    begin = len(data) - len(data.lstrip()) if data[:1].isspace() else 0
    for place in range(_SNIFFED_LINES):
        end = data.find(b"\n", begin)
        value = decode(data[begin:end] if end >= 0 else data[begin:])
        if isinstance(value, dict):
            is_alone = place == 0 and (end < 0 or not data[end : end + 4096].strip())
            return not (is_alone and any(isinstance(each, list | dict) for each in value.values()))
        if end < 0:
            break
        begin = end + 1
    return False


def read(content: Content) -> Table:
    """Return the records of a log as columns.

    Raises
    ------
    LogError
        If no line holds a record, or there are more than 100 000 different keys.
    """
    builder = _LinesReader(content)
    data = content.data
    begin = 0
    while begin < len(data):
        end = data.rfind(b"\n", begin, begin + _CHUNK_BYTES) + 1
        if end == 0:
            end = data.find(b"\n", begin) + 1 or len(data)
        builder.add_chunk(data[begin:end])
        begin = end
    return builder.build()


def decode(line: bytes) -> Cell:
    """Return what JSON text holds, or None if it is none; bare NaN and Infinity are read as Python writes them."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


class _LinesReader:
    """Turns chunks of lines into columns."""

    def __init__(self, content: Content) -> None:
        self._content = content
        first = content.data[:_CHUNK_BYTES]
        rows = _CAPACITY * len(content.data) / len(first) * first.count(b"\n") if first else 0
        self._records = RecordColumns(content.path, int(rows))
        self._lines: list[range | list[int]] = []
        self._line = 0
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
            self._records.add(records)
            self._lines.append(range(first, first + count))
            return
        kept: list[dict[str, Cell]] = []
        lines: list[int] = []
        for number, line in enumerate(chunk.split(b"\n")[:count], first):
            if not line.strip():
                continue
            value = decode(line)
            if isinstance(value, dict):
                kept.append(value)
                lines.append(number)
            elif value is not None or line.strip() == b"null":
                self._skip(_NO_OBJECT, number)
            else:
                is_tail = number == self._line and not self._content.data.endswith(b"\n")
                self._skip(_INCOMPLETE if is_tail and self._is_last(number) else _UNREADABLE, number)
        if kept:
            self._records.add(kept)
            self._lines.append(lines)

    def build(self) -> Table:
        notes = list(self._content.notes)
        where = self._content.path
        if not self._records.rows:
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
            columns=self._records.build(),
            lines=join_lines(self._lines),
            notes=tuple(notes),
            skipped={reason: tuple(lines) for reason, lines in self._skipped.items()},
        )

    def _is_last(self, number: int) -> bool:
        return number == self._content.data.count(b"\n") + 1

    def _skip(self, reason: str, line: int) -> None:
        self._skipped.setdefault(reason, []).append(line)
