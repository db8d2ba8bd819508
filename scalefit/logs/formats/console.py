"""The text of a terminal or a batch job, without what a terminal adds to it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.content import Content
from scalefit.logs.records import RecordColumns
from scalefit.logs.table import Table
from scalefit.run import Caveat

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]")
_SNIFFED_LINES = 20_000
"""Lines looked at for a first record: banners and downloads may fill the screen before training begins."""
_LONGEST_LINE = 1 << 20
SNIFFED_BYTES = 1 << 22
"""Bytes looked at for the mark of a format, so that a large log of another format is not searched whole."""


def lines_of(content: Content, *, limit: int | None = None) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line, colours removed; what a bar overwrote stays on its line.

    Parameters
    ----------
    content
        The log.
    limit
        Lines to look at; None: all.
    """
    begin = 0
    number = 0
    data = content.data
    while begin < len(data) and (limit is None or number < limit):
        end = data.find(b"\n", begin)
        end = len(data) if end < 0 else end
        number += 1
        text = data[begin : min(end, begin + _LONGEST_LINE)].decode(errors="replace")
        yield number, _ANSI.sub("", text).replace("\r", " ") if "\x1b" in text or "\r" in text else text
        begin = end + 1


def first_lines(content: Content) -> Iterator[str]:
    """Yield the lines in which a format must show itself."""
    return (text for _, text in lines_of(content, limit=_SNIFFED_LINES))


def make_table(
    content: Content, name: str, records: Sequence[dict[str, Any]], lines: Sequence[int], *, is_closed: bool = True
) -> Table:
    """Return records found among other text as columns.

    Parameters
    ----------
    content
        The log.
    name
        Name of the format.
    records
        What was found.
    lines
        Where.
    is_closed
        Whether a record shows its own end; else one on a line without end may have lost its last digits.

    Raises
    ------
    LogError
        If there are none.
    """
    if not records:
        raise LogError("no data rows", where=content.path, expected="expected printed metrics")
    columns = RecordColumns(content.path)
    columns.add(records)
    return Table(
        format=name,
        columns=columns.build(),
        lines=np.array(lines, dtype=np.int64),
        notes=(*content.notes, *(() if is_closed else _unfinished(content, lines[-1]))),
    )


def _unfinished(content: Content, line: int) -> list[Caveat]:
    if content.data.endswith((b"\n", b"\r")) or line <= content.data.count(b"\n"):
        return []
    message = "the last line has no line end (file still being written?); it is kept"
    return [Caveat(code="unfinished-line", message=message, evidence={"line": line})]
