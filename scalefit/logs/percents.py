"""Percent signs in cells, and percent beside fractions."""

import dataclasses
import re

import numpy as np

from scalefit.logs.table import Column, Table
from scalefit.run import Caveat, FloatArray

_PERCENT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))\s*%", re.ASCII)
_MIXED_SHARE = 0.1
"""Share of points on either side of 1 from which both scales count as used."""
_JUMP = 15.0
"""A curve that passes 1 grows by less from one point to the next; one that changes its scale grows hundredfold."""


def read_percents(table: Table) -> tuple[Table, dict[str, Caveat]]:
    """Return the table with cells such as ``62 %`` as numbers, and a note for each column that has them.

    A column of percent only keeps its unit. Beside plain numbers up to 1 a percent is a fraction as well.
    """
    columns = dict(table.columns)
    notes: dict[str, Caveat] = {}
    for name, column in table.columns.items():
        found = None if column.texts is None else _read(column)
        if found is not None:
            columns[name], notes[name] = found
    return (dataclasses.replace(table, columns=columns), notes) if notes else (table, notes)


def note_mixed_scale(reward: FloatArray, column: str) -> list[Caveat]:
    """Return a note if rewards seem to be fractions on some rows and percent on others."""
    small = (reward >= 0) & (reward <= 1)
    large = (reward > 1) & (reward <= 100)  # noqa: PLR2004 -- per cent
    if reward.size < 4 or not (small | large).all() or min(small.mean(), large.mean()) < _MIXED_SHARE:  # noqa: PLR2004
        return []
    crossings = np.flatnonzero(np.diff(large.astype(np.int8))) + 1
    higher = np.maximum(reward[crossings], reward[crossings - 1])
    lower = np.minimum(reward[crossings], reward[crossings - 1])
    if not (higher > _JUMP * np.maximum(lower, 1e-9)).mean() > 0.5:  # noqa: PLR2004 -- most of them
        return []
    message = (
        f"{int(small.sum())} rewards in {column!r} lie in 0-1 and {int(large.sum())} above, up to {reward.max():g}: "
        "percent and fractions seem to be mixed; nothing is rescaled"
    )
    return [Caveat(code="percent-and-fraction", message=message, evidence={"fractions": int(small.sum())})]


def _read(column: Column) -> tuple[Column, Caveat] | None:
    texts = list(column.texts or ())
    numbers = column.numbers.copy()
    rows = [row for row, text in enumerate(texts) if text is not None and text.endswith("%")]
    found = {row: _PERCENT.fullmatch(str(texts[row])) for row in rows}
    percents = {row: float(match[1]) for row, match in found.items() if match is not None}
    if not percents:
        return None
    plain = numbers[np.isfinite(numbers)]
    as_fractions = bool(plain.size) and float(np.abs(plain).max()) <= 1
    for row, value in percents.items():
        numbers[row] = value / 100 if as_fractions else value
        texts[row] = None
    if as_fractions:
        message = f"{len(percents)} cells of {column.name!r} are percent beside fractions; read as fractions"
    elif plain.size:
        message = f"{len(percents)} cells of {column.name!r} are percent beside plain numbers; all are read as percent"
    else:
        message = f"the cells of {column.name!r} are percent; they are read in percent, 62 for 62 %"
    note = Caveat(code="percent-cells", message=message, evidence={"cells": len(percents)})
    is_plain = all(text is None for text in texts)
    return Column(name=column.name, numbers=numbers, texts=None if is_plain else texts), note
