"""Cells of one column, batch by batch -> a column."""

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from types import NoneType

import numpy as np

from scalefit.logs.table import Cell, Column, parse_number
from scalefit.run import FloatArray

_GROWTH = 1.5
"""Factor by which a full array grows."""
_PLAIN_TYPES = frozenset({float, int, NoneType})


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
    """Collects the cells of one column without keeping their Python objects.

    Parameters
    ----------
    name
        Name of the column.
    capacity
        Rows that are expected. Memory is taken when it is written to, so that too many cost nothing, while an array
        that has to grow is held twice for a moment.
    """

    __slots__ = ("_capacity", "_numbers", "_texts", "name", "rows")

    def __init__(self, name: str, capacity: int = 0) -> None:
        self.name = name
        self.rows = 0
        self._capacity = capacity
        self._numbers: FloatArray = np.empty(0)
        self._texts: list[tuple[int, list[str | None]]] = []

    def pad(self, rows: int) -> None:
        """Append empty cells until the column has ``rows``."""
        missing = rows - self.rows
        if missing > 0:
            self._append(np.full(missing, np.nan), None)

    def add_numbers(self, numbers: FloatArray) -> None:
        """Append finite numbers; NaN is an empty cell."""
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

    def add_values(self, values: Sequence[Cell], kinds: AbstractSet[type]) -> None:
        """Append decoded values: numbers, texts (numeric ones are read), truth values, None, anything else.

        Parameters
        ----------
        values
            The cells.
        kinds
            Their types.
        """
        if kinds <= _PLAIN_TYPES:
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
        """Return the column, padded to ``rows``; nothing can be added after."""
        self.pad(rows)
        numbers = self._numbers[: self.rows]
        if not self._texts:
            return Column(name=self.name, numbers=numbers, texts=None)
        shared: dict[str, str] = {}
        texts: list[str | None] = [None] * numbers.size
        for first, part in self._texts:
            # One object per distinct text: a label repeated on a million rows is stored once.
            texts[first : first + len(part)] = [
                None if text is None else shared.setdefault(text, text) for text in part
            ]
        return Column(name=self.name, numbers=numbers, texts=texts)

    def _append(self, numbers: FloatArray, texts: list[str | None] | None) -> None:
        end = self.rows + numbers.size
        if end > self._numbers.size:
            grown = np.empty(max(end, self._capacity, int(self._numbers.size * _GROWTH)))
            grown[: self.rows] = self._numbers[: self.rows]
            self._numbers = grown
        self._numbers[self.rows : end] = numbers
        if texts is not None:
            self._texts.append((self.rows, texts))
        self.rows = end
