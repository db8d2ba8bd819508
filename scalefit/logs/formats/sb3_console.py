"""Boxes of ``| key | value |`` that Stable-Baselines and Spinning Up print after each rollout."""

import re
from typing import Any

from scalefit.logs.content import Content
from scalefit.logs.formats.console import SNIFFED_BYTES, first_lines, lines_of, make_table
from scalefit.logs.table import Table, is_numeric

_EDGE = re.compile(r".*?(?<![\w|-])-{10,}\s*$")
_ROW = re.compile(r".*?\|(?P<key>[^|]+)\|(?P<value>[^|]*)\|\s*$")
_MINIMUM_ROWS = 2


def recognises(content: Content) -> bool:
    """Return whether a box with at least two numbers stands among the first lines."""
    if content.data.find(b"----------", 0, SNIFFED_BYTES) < 0:
        return False
    rows = 0
    is_open = False
    for text in first_lines(content):
        if _EDGE.match(text):
            if is_open and rows >= _MINIMUM_ROWS:
                return True
            rows, is_open = 0, True
        elif is_open and (row := _ROW.match(text)) is not None:
            rows += is_numeric(row["value"].strip())
        else:
            is_open = False
    return False


def read(content: Content) -> Table:
    """Return one row per box; a heading such as ``rollout/`` stands before the names below it.

    A box whose lower edge is missing is left out: more rows of it may follow.

    Raises
    ------
    LogError
        If there is no box.
    """
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    record: dict[str, Any] = {}
    heading = ""
    for number, text in lines_of(content):
        row = _ROW.match(text) if "|" in text else None
        if row is not None:
            key, value = row["key"].strip(), row["value"].strip()
            if not value and key.endswith("/"):
                heading = key
            elif value:
                is_below = bool(heading) and row["key"].startswith("   ")
                record.setdefault(heading + key if is_below else key, value)
        elif _EDGE.match(text):
            if record:
                records.append(record)
                lines.append(number)
            record, heading = {}, ""
        elif text.strip():
            record, heading = {}, ""  # another table, or a box torn by other output
    return make_table(content, "sb3-console", records, lines)
