"""How a delimited text is laid out: what separates its cells, its header, its decimal sign, a frame around it."""

import csv
import dataclasses
import re
import statistics
from collections.abc import Iterable, Sequence

from scalefit.logs.content import Content
from scalefit.logs.formats.key_values import parse_line
from scalefit.logs.table import is_numeric

DELIMITERS: tuple[tuple[str, str], ...] = (
    ("\t", "tab"),
    (";", "semicolon"),
    ("|", "pipe"),
    (",", "comma"),
    (" ", "spaces"),
)
"""What may separate cells, and its name; the first that fits wins, so the ambiguous ones come last."""
_SAMPLE_LINES = 40
_SAMPLE_BYTES = (1 << 14, 1 << 17, 1 << 20)
"""Bytes in which the first lines are looked for, one after the other; 10**5 columns need megabytes."""
CELL_LIMIT = 1 << 24
"""Characters in one cell: a configuration of a megabyte is met in real logs, a cell of 16 is damage."""
HEADERLESS_SHARE = 1 / 3
"""Share of numeric cells in the first line from which it is data, not names."""
_NAME_WORDS = 3
"""Words that the name of a lone column may have."""
_FRAME = re.compile(rb"^[ \t]*\|([^\r\n]*)\|[ \t]*(?=\r?$)", re.MULTILINE)
_RULE = re.compile(rb"^[ \t|:+]*-[ \t|:+\-]*(?=\r?$)", re.MULTILINE)
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_DECIMAL_POINT = re.compile(r"\s*[+-]?\d+\.\d+\s*")


def recognises(content: Content) -> bool:
    """Return whether there is a first line that may be a header; the last resort for any text."""
    sample = sample_lines(content)
    if not sample or content.head.lstrip().startswith((b"{", b"[", b"<")):
        return False
    if len(sample) > 1 and all(parse_line(line) is not None for line in sample[:2]):
        return False  # each line names its own values, whatever stands between them
    delimiter, header = find_delimiter(sample)
    if delimiter is None:
        # One column of numbers under a name is read, so that the message can say what it lacks; prose is not.
        return all(is_numeric(line.strip()) for line in sample[1:]) and len(header[0].split()) <= _NAME_WORDS
    rows = split_lines(sample[1:], delimiter)
    agreeing = sum(len(row) == len(header) for row in rows)
    if delimiter == " ":
        return is_table(content)
    return agreeing >= len(rows) / 2


def is_table(content: Content) -> bool:
    """Return whether the first lines have the same number of cells, at least two, below a header of names."""
    sample = sample_lines(content)
    delimiter, header = find_delimiter(sample)
    if delimiter is None or numeric_share(header) >= HEADERLESS_SHARE:
        return False
    rows = split_lines(sample[1:], delimiter)
    return bool(rows) and sum(len(row) == len(header) for row in rows) > len(rows) / 2


def without_frame(content: Content) -> Content:
    """Return a Markdown table without its outer pipes and its line of dashes; any other text as it is."""
    sample = sample_lines(content)
    if not all(line.lstrip().startswith("|") and line.rstrip().endswith("|") for line in sample):
        return content
    data = _RULE.sub(b"", content.data)
    return dataclasses.replace(content, data=_FRAME.sub(rb"\1", data))


def sample_lines(content: Content) -> list[str]:
    """Return the first lines that are neither empty nor comments."""
    size = next((size for size in _SAMPLE_BYTES if content.data.count(b"\n", 0, size) >= 2 * _SAMPLE_LINES), 1 << 24)
    lines = content.data[:size].decode(errors="replace").splitlines()
    if len(content.data) > size and len(lines) > 1:
        lines.pop()
    kept = [line for line in lines[: _SAMPLE_LINES * 10] if line.strip() and not line.lstrip().startswith("#")]
    return kept[:_SAMPLE_LINES]


def split_lines(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """Return the cells of each line; may raise `csv.Error`."""
    if delimiter == " ":
        return [line.split() for line in lines]
    previous = csv.field_size_limit(CELL_LIMIT)
    try:
        return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    finally:
        csv.field_size_limit(previous)


def find_delimiter(sample: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the delimiter that splits the rows as it splits the header, and the header's cells."""
    best: tuple[float, str, list[str]] | None = None
    for delimiter, _ in DELIMITERS:
        try:
            rows = [row for row in split_lines(sample, delimiter) if row]
        except csv.Error:
            continue
        if not rows or len(rows[0]) < 2:  # noqa: PLR2004 -- one cell: nothing was separated
            continue
        agreement = statistics.fmean(len(row) == len(rows[0]) for row in rows)
        if best is None or agreement > best[0]:
            best = (agreement, delimiter, rows[0])
    if best is None:
        return None, [sample[0]] if sample else []
    return best[1], best[2]


def numeric_share(cells: Sequence[str]) -> float:
    """Return the share of cells that are numbers."""
    named = [cell.strip() for cell in cells]
    return sum(is_numeric(cell) for cell in named) / max(1, len(named))


def writes_decimal_comma(sample: Sequence[str], delimiter: str) -> bool:
    """Return whether more cells are written like ``0,62`` than like ``0.62``."""
    cells = [cell for row in split_lines(sample[1:], delimiter) for cell in row]
    commas = sum(_DECIMAL_COMMA.fullmatch(cell) is not None for cell in cells)
    points = sum(_DECIMAL_POINT.fullmatch(cell) is not None for cell in cells)
    return commas > points
