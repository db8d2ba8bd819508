"""Lines of ``step:1 - critic/score/mean:0.12 - ...`` that verl prints, behind Ray's prefix and colours."""

import re
from typing import Any

from scalefit.logs.content import Content
from scalefit.logs.formats.console import SNIFFED_BYTES, first_lines, lines_of, make_table
from scalefit.logs.table import Table

_START = re.compile(r"(?:^|[\s|\]])step:\s*(?:np\.\w+\()?(?P<step>\d+)\)?\s+-\s+(?=[\w/@.\-]+:)")
_PAIR = re.compile(r"(?P<key>[^\s:]+(?: [^\s:\-]+)*):\s*(?:(?:np|numpy)\.\w+\((?P<wrapped>[^()]*)\)|(?P<bare>[^\s]+))$")


def recognises(content: Content) -> bool:
    """Return whether a line of steps and metrics stands among the first lines."""
    return content.data.find(b"step:", 0, SNIFFED_BYTES) >= 0 and any(
        "step:" in text and _START.search(text) for text in first_lines(content)
    )


def read(content: Content) -> Table:
    """Return the printed steps as columns.

    Raises
    ------
    LogError
        If there is no step.
    """
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, text in lines_of(content):
        start = _START.search(text) if "step:" in text else None
        if start is None:
            continue
        record: dict[str, Any] = {"step": start["step"]}
        for part in text[start.end() :].split(" - "):
            pair = _PAIR.match(part.strip())
            if pair is not None:
                record.setdefault(pair["key"], pair["wrapped"] if pair["wrapped"] is not None else pair["bare"])
        records.append(record)
        lines.append(number)
    return make_table(content, "verl-console", records, lines, is_closed=False)
