"""Columns that the tables of names list: compute, time, steps and counts."""

from collections.abc import Iterable

import numpy as np

from scalefit.logs import names
from scalefit.logs.clocks import epoch_scale, read_times
from scalefit.logs.columns import endings, normalise
from scalefit.logs.table import Table

_COMPUTE_NAMES = frozenset(
    (*names.GPU_HOURS, *names.ELAPSED_SECONDS, *names.TIMESTAMPS, *names.DURATION_SECONDS, *names.COUNTS, *names.STEPS)
)
_COMPUTE_LEAVES = frozenset(name.rsplit("/", 1)[-1] for name in _COMPUTE_NAMES)


def first_named(table: Table, entries: Iterable[str]) -> str | None:
    """Return the column with numbers whose name stands first in a table of names, whole names before endings."""
    named = named_columns(table, entries)
    return next((name for name in named if table.columns[name].has_numbers), None)


def named_columns(table: Table, entries: Iterable[str]) -> list[str]:
    """Return the columns, with texts or numbers, that a table of names lists, in its order."""
    order = {entry: place for place, entry in enumerate(entries)}
    found: list[tuple[bool, int, str]] = []
    leaves = {entry.rsplit("/", 1)[-1] for entry in order}
    for name in table.columns:
        each = normalise(name)
        *levels, leaf = each.split("/")
        if leaf not in leaves or not names.SETTINGS_LEVELS.isdisjoint(levels):
            continue
        # "t" and "r" mean something only as a whole name; "a/b/c" may end with "c" and with "b/c".
        ends = [end for end in endings(each)[1:] if len(end) > 1 and end in order]
        if each in order:
            found.append((False, order[each], name))
        elif ends:
            found.append((True, min(order[end] for end in ends), name))
    return [name for _, _, name in sorted(found, key=lambda item: item[:2])]


def is_compute_name(name: str) -> bool:
    """Return whether a column's name is one of those that compute, time or steps have."""
    normal = normalise(name)
    if normal.rsplit("/", 1)[-1] not in _COMPUTE_LEAVES:
        return False
    return any(len(end) > 1 and end in _COMPUTE_NAMES for end in endings(normal))


def find_step_column(table: Table) -> str | None:
    """Return the column that counts optimiser steps (rows are ordered by it), or None."""
    named = (name for name in named_columns(table, names.STEPS) if table.columns[name].has_numbers)
    # "timing/step" is how long a step took.
    return next((name for name in named if names.TIMING_LEVELS.isdisjoint(normalise(name).split("/")[:-1])), None)


def find_work_column(table: Table) -> str | None:
    """Return the column that counts what was done so far: GPU-hours, tokens, frames, episodes; or None."""
    return first_named(table, (*names.GPU_HOURS, *names.COUNTS))


def has_running_clock(table: Table) -> bool:
    """Return whether a clock of the time of day goes on through the whole log, whatever its steps do."""
    for name in named_columns(table, names.TIMESTAMPS):
        column = table.columns[name]
        times = read_times(column)
        if times is None and epoch_scale(column.numbers) is None:
            continue
        seconds = column.numbers if times is None else times[0]
        known = seconds[np.isfinite(seconds)]
        if known.size > 1 and (np.diff(known) >= 0).all() and known[-1] > known[0]:
            return True
    return False
