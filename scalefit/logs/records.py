"""Decoded records, one mapping per row -> columns."""

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from scalefit.errors import LogError
from scalefit.logs.column_builder import ColumnBuilder
from scalefit.logs.table import Column

_MAXIMUM_DEPTH = 3
"""Levels of nested objects that become columns; deeper ones are configuration, not metrics."""
_MAXIMUM_COLUMNS = 100_000
"""Different keys in one log; more are damage or data, and each is an array as long as the log."""


class RecordColumns:
    """Collects records batch by batch; nested objects become columns whose names are joined by ``/``.

    Parameters
    ----------
    where
        The log, for messages.
    capacity
        Rows that are expected.
    """

    def __init__(self, where: str, capacity: int = 0) -> None:
        self.rows = 0
        self._where = where
        self._capacity = capacity
        self._columns: dict[str, ColumnBuilder] = {}

    def add(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Append one row per record.

        Raises
        ------
        LogError
            If there are more than 100 000 different keys.
        """
        self._add_level("", records, depth=1)
        self.rows += len(records)

    def build(self) -> dict[str, Column]:
        """Return the columns by name, in the order first met."""
        return {name: column.build(self.rows) for name, column in self._columns.items()}

    def _add_level(self, prefix: str, records: Sequence[Mapping[str, Any]], *, depth: int) -> None:
        columns = _columns(records)
        if len(self._columns) + len(columns) > _MAXIMUM_COLUMNS:
            raise LogError(
                f"more than {_MAXIMUM_COLUMNS} different keys",
                where=self._where,
                expected="expected metrics",
                remedy="check that the file is a log",
            )
        for key, taken in columns.items():
            values = [record.get(key) for record in records] if taken is None else taken
            kinds = set(map(type, values))
            if dict in kinds:
                if depth < _MAXIMUM_DEPTH:
                    inner = [value if isinstance(value, dict) else {} for value in values]
                    self._add_level(f"{prefix}{key}/", inner, depth=depth + 1)
                values = [None if isinstance(value, dict) else value for value in values]
                if all(value is None for value in values):
                    continue
                kinds = set(map(type, values))
            name = f"{prefix}{key}".strip()
            column = self._columns.get(name)
            if column is None:
                column = self._columns[name] = ColumnBuilder(name, self._capacity)
            column.pad(self.rows)
            if column.rows == self.rows:  # else two keys differ only in blanks, and the first one counts
                column.add_values(values, kinds)


def _columns(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any] | None]:
    """Return the values of each key, in the order in which the keys were first met; None if some records lack keys."""
    keys = list(records[0]) if records else []
    if set(map(len, records)) == {len(keys)}:
        try:
            # Records of one log are mostly alike, and those of a million lines are taken apart here.
            return {key: list(map(operator.itemgetter(key), records)) for key in keys}
        except KeyError:
            pass
    return dict.fromkeys(key for record in records for key in record)
