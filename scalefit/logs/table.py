"""What a reader of one format hands on: raw columns, nothing chosen yet."""

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import TypeAlias

import numpy as np

from scalefit.run import Caveat, FloatArray, IntArray

Cell: TypeAlias = object
"""A value as a decoder gave it: a number, a text, a truth value or None."""

_NOT_NUMBERS = frozenset({"nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
_PLAIN_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*),\d+(?:[eE][+-]?\d+)?", re.ASCII)


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


def _interpret(value: Cell) -> tuple[float | None, str | None]:
    """Return the finite number that a decoded value is, and what else it is."""
    if value is None:
        return None, None
    if isinstance(value, bool):
        return None, "true" if value else "false"
    if isinstance(value, int | float):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        return (number, None) if math.isfinite(number) else (None, str(number))
    if isinstance(value, str):
        cell = value.strip()
        spelled = parse_number(cell)
        return (None, cell or None) if spelled is None else (spelled, None)
    return None, "[...]" if isinstance(value, list | tuple) else "{...}"


class ColumnBuilder:
    """Collects the cells of one column, batch by batch, without keeping their Python objects."""

    __slots__ = ("_numbers", "_texts", "name", "rows")

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows = 0
        self._numbers: list[FloatArray] = []
        self._texts: list[list[str | None] | None] = []

    def pad(self, rows: int) -> None:
        """Append empty cells until the column has ``rows``."""
        missing = rows - self.rows
        if missing > 0:
            self._append(np.full(missing, np.nan), None)

    def add_numbers(self, numbers: FloatArray) -> None:
        """Append finite numbers."""
        self._append(numbers, None)

    def add_texts(self, cells: Sequence[str], *, decimal_comma: bool = False) -> None:
        """Append cells as they were written."""
        if not decimal_comma:
            try:
                numbers = np.array(cells, dtype=np.float64)
            except ValueError:
                pass
            else:
                # float() reads "1_0", which no log means as ten.
                if np.isfinite(numbers).all() and not any("_" in cell for cell in cells):
                    self._append(numbers, None)
                    return
        numbers = np.full(len(cells), np.nan)
        texts: list[str | None] = [None] * len(cells)
        odd = False
        for row, raw in enumerate(cells):
            cell = raw.strip()
            if not cell:
                continue
            number = parse_number(cell, decimal_comma=decimal_comma)
            if number is None:
                texts[row] = cell
                odd = True
            else:
                numbers[row] = number
        self._append(numbers, texts if odd else None)

    def add_values(self, values: Sequence[Cell]) -> None:
        """Append decoded values: numbers, texts (numeric ones are read), truth values, None, anything else."""
        if {type(value) for value in values} <= {float, int, NoneType}:
            try:
                numbers = np.array(values, dtype=np.float64)
            except OverflowError:
                pass
            else:
                strange = np.isinf(numbers)
                if np.isnan(numbers).any():
                    strange |= np.isnan(numbers) & np.array([value is not None for value in values])
                if not strange.any():
                    self._append(numbers, None)
                    return
        numbers = np.full(len(values), np.nan)
        texts: list[str | None] = [None] * len(values)
        for row, value in enumerate(values):
            number, texts[row] = _interpret(value)
            if number is not None:
                numbers[row] = number
        self._append(numbers, texts if any(text is not None for text in texts) else None)

    def build(self, rows: int) -> Column:
        """Return the column, padded to ``rows``."""
        self.pad(rows)
        numbers = np.concatenate(self._numbers) if self._numbers else np.empty(0)
        if all(part is None for part in self._texts):
            self._numbers = [numbers]  # frees the parts: two copies of every column would not fit in twice the file
            return Column(name=self.name, numbers=numbers, texts=None)
        shared: dict[str, str] = {}
        texts: list[str | None] = []
        for part, block in zip(self._texts, self._numbers, strict=True):
            if part is None:
                texts.extend([None] * block.size)
            else:
                # One object per distinct text: a label repeated on a million rows is stored once.
                texts.extend(None if text is None else shared.setdefault(text, text) for text in part)
        return Column(name=self.name, numbers=numbers, texts=texts)

    def _append(self, numbers: FloatArray, texts: list[str | None] | None) -> None:
        self._numbers.append(numbers)
        self._texts.append(texts)
        self.rows += numbers.size


def unique_names(names: Iterable[str]) -> list[str]:
    """Return ``names`` trimmed, later copies of a name marked ``#2``, ``#3``, ..."""
    seen: dict[str, int] = {}
    result = []
    for raw in names:
        name = raw.strip()
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return result
