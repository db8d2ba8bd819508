"""What a reader of one format hands on: raw columns, nothing chosen yet."""

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from scalefit.run import Caveat, FloatArray, IntArray

Cell: TypeAlias = object
"""A value as a decoder gave it: a number, a text, a truth value or None."""

_NOT_NUMBERS = frozenset({"nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
_PLAIN_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),\d+(?:[eE][+-]?\d+)?", re.ASCII)


_FIRST_ROWS = 256


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a log."""

    name: str
    """Name in the log, trimmed; levels of nesting joined by ``/``."""
    numbers: FloatArray
    """(n,): the finite numbers; NaN where there is none."""
    texts: Sequence[str | None] | None
    """(n,): what stood there instead of a finite number; None for a number or an empty cell. None if nothing did."""

    @property
    def has_numbers(self) -> bool:
        """Whether any cell holds a finite number."""
        # Most columns show one at once; counting those of a million rows takes as long as reading them.
        return bool(np.isfinite(self.numbers[:_FIRST_ROWS]).any() or np.isfinite(self.numbers).any())

    @property
    def finite(self) -> int:
        """Cells that hold a finite number."""
        return int(np.isfinite(self.numbers).sum())

    def text(self, row: int) -> str | None:
        """Return what stands in ``row`` if it is not a finite number; None also for an empty cell."""
        return None if self.texts is None else self.texts[row]

    def label(self, row: int) -> str | None:
        """Return the cell of ``row`` as a name: a text as it is, a number in its shortest form; None if empty."""
        text = self.text(row)
        if text is not None:
            return text
        number = float(self.numbers[row])
        return None if math.isnan(number) else f"{number:.15g}"

    def take(self, rows: IntArray) -> "Column":
        """Return the column at ``rows``."""
        texts = None if self.texts is None else [self.texts[row] for row in rows]
        return Column(name=self.name, numbers=self.numbers[rows], texts=texts)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A log as columns."""

    format: str
    """Name of the format."""
    columns: Mapping[str, Column]
    """By name, in the order of the log."""
    lines: IntArray
    """(n,): where each row stood in the log, from 1."""
    place: str = "line"
    """What ``lines`` counts: ``line``, ``record`` or ``cell``."""
    delimiter: str | None = None
    """How cells are separated, in words; None where nothing separates them."""
    has_header: bool = True
    """Whether the columns have names; without, they are called 1, 2, ..."""
    run_column: str | None = None
    """Column that names the run of each row, if the format itself says so."""
    notes: tuple[Caveat, ...] = ()
    """What the reader found odd."""
    skipped: Mapping[str, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    """Lines that did not become rows: reason -> their numbers."""

    @property
    def rows(self) -> int:
        """Rows in the table."""
        return int(self.lines.size)

    def take(self, rows: IntArray) -> "Table":
        """Return the table at ``rows``."""
        columns = {name: column.take(rows) for name, column in self.columns.items()}
        return dataclasses.replace(self, columns=columns, lines=self.lines[rows])


def parse_number(text: str, *, decimal_comma: bool = False) -> float | None:
    """Return the finite number that ``text`` spells, or None.

    Parameters
    ----------
    text
        A trimmed cell. Thousands separators are read where they cannot mean anything else.
    decimal_comma
        Whether the log writes ``0,62`` for 0.62.
    """
    if decimal_comma and _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(".", "").replace(",", ".")
    elif not decimal_comma and _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    if not _PLAIN_NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def is_numeric(text: str) -> bool:
    """Return whether a trimmed cell is a number or one of the spellings of not-a-number and infinity."""
    return text.lower() in _NOT_NUMBERS or _PLAIN_NUMBER.fullmatch(text) is not None


def unique_names(names: Iterable[str]) -> list[str]:
    """Return ``names`` trimmed, later copies of a name marked ``#2``, ``#3``, ..."""
    seen: dict[str, int] = {}
    result = []
    for raw in names:
        name = raw.strip()
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return result


def join_lines(parts: Sequence[Sequence[int]]) -> IntArray:
    """Return ranges and lists of line numbers as one array."""
    lines = np.empty(sum(map(len, parts)), dtype=np.int64)
    begin = 0
    for part in parts:
        end = begin + len(part)
        lines[begin:end] = np.arange(part.start, part.stop) if isinstance(part, range) else part
        begin = end
    return lines
