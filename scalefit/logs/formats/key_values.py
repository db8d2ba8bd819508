"""Lines such as ``[Step 3/500] loss=0.1 reward_avg=0.25`` or ``iter 3 | reward: 0.25``, as scripts print them."""

import re
from typing import Any

from scalefit.logs.clocks import parse_duration
from scalefit.logs.content import Content
from scalefit.logs.formats.console import first_lines, lines_of, make_table
from scalefit.logs.table import Table

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[+-]?(?:nan|inf)"
_DURATION = r"(?:\d+(?:\.\d+)?\s?(?:ms|[dhms])\s?)+"
_PAIR = re.compile(
    rf"(?P<key>[A-Za-z_][\w/@.\-]*)\s*[=:]\s*(?:(?P<time>{_DURATION})|(?P<value>{_NUMBER}))(?=$|[\s,;|)\]%])",
    re.IGNORECASE,
)
_MILLISECONDS = re.compile(r"(\d+(?:\.\d+)?)\s?ms")
_STEP = re.compile(
    r"(?:^|[\s\[(|])(?P<key>step|iter|iteration|update|episode|global_step)s?\s*[:=#]?\s*(?P<step>\d+)(?:\s*/\s*\d+)?(?=[\s\])|,:;]|$)",
    re.IGNORECASE,
)
_MINIMUM_LINES = 2
"""Lines of one kind that make a log; a single one is a summary."""


def recognises(content: Content) -> bool:
    """Return whether several lines name a step and at least one metric."""
    found = 0
    for text in first_lines(content):
        found += parse_line(text) is not None
        if found >= _MINIMUM_LINES:
            return True
    return False


def read(content: Content) -> Table:
    """Return the lines that name a step and a metric as columns.

    Raises
    ------
    LogError
        If there is none.
    """
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, text in lines_of(content):
        record = parse_line(text)
        if record is not None:
            records.append(record)
            lines.append(number)
    return make_table(content, "key-values", records, lines, is_closed=False)


def parse_line(text: str) -> dict[str, Any] | None:
    """Return the step and the metrics of a line; None if it lacks either."""
    step = _STEP.search(text)
    if step is None:
        return None
    record: dict[str, Any] = {}
    for pair in _PAIR.finditer(text):
        record.setdefault(pair["key"], _seconds(pair["time"]) if pair["time"] else pair["value"])
    record.pop(step["key"], None)
    return {step["key"].lower(): step["step"], **record} if record else None


def _seconds(text: str) -> float | None:
    """Return the seconds that ``5.2s``, ``2m 5s`` or ``40ms`` spells."""
    brief = _MILLISECONDS.fullmatch(text.strip())
    return float(brief[1]) / 1000 if brief is not None else parse_duration(text)
