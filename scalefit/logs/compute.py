"""Which column is compute, and what it means: one notion, with the sentence that derives it."""

import dataclasses
from collections.abc import Iterable
from typing import Literal

import numpy as np

from scalefit.errors import LogError, UsageError
from scalefit.logs import names
from scalefit.logs.clocks import epoch_scale, read_durations, read_times
from scalefit.logs.columns import endings, ends_with, find_column, list_names, normalise
from scalefit.logs.options import ReadOptions
from scalefit.logs.table import Column, Table
from scalefit.run import FloatArray

Kind = Literal["work", "elapsed", "clock", "duration"]
"""``work`` counts what was done (GPU-hours, tokens, steps), ``elapsed`` is seconds since the run began, ``clock`` the
time of day in seconds, ``duration`` the seconds that each row took."""

_FALLING_SHARE = 0.1
"""Share of falling intervals from which a time is the duration of a row, not a clock: clocks fall only at a restart."""
_SECONDS_PER_HOUR = 3600.0
_COMPUTE_NAMES = frozenset(
    (*names.GPU_HOURS, *names.ELAPSED_SECONDS, *names.TIMESTAMPS, *names.DURATION_SECONDS, *names.COUNTS, *names.STEPS)
)
_COMPUTE_LEAVES = frozenset(name.rsplit("/", 1)[-1] for name in _COMPUTE_NAMES)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ComputeSource:
    """Where compute comes from, before rows are sorted and clocks stitched."""

    column: str
    """The column that it is taken from."""
    kind: Kind
    """What the column counts."""
    values: FloatArray
    """(n,): ``unit`` for work, seconds otherwise; NaN where the cell holds none."""
    gpus: FloatArray | None
    """(n,): GPUs at work in the interval that ends at each row; None: time is not turned into GPU-hours."""
    unit: str
    """Unit of the compute that results."""
    scale: float
    """Unit of compute per unit of ``values`` (times GPUs)."""
    derivation: str
    """How compute is obtained, for a person."""
    reasons: dict[str, str]
    """Column -> why it was chosen or not."""
    is_zone_assumed: bool
    """Whether times without a zone were read as UTC."""


def choose_compute(table: Table, options: ReadOptions, where: str) -> ComputeSource:
    """Return where compute is to be taken from.

    Raises
    ------
    LogError
        If no column holds compute; the ways out are named.
    UsageError
        If options contradict each other or what is logged.
    """
    _check_options(options)
    reasons: dict[str, str] = {}
    if options.x is not None:
        name = find_column(table, options.x, "--x", where)
        return _named(table, name, options, where)
    finders = [_find_work, _find_elapsed, _find_clock, _find_duration, _find_count]
    if options.gpu_hours_per_step is not None:
        finders = [_find_steps]
    elif options.gpus is not None:
        finders = [_find_work, _find_elapsed, _find_clock, _find_duration]
    chosen: ComputeSource | None = None
    for finder in finders:
        chosen = finder(table, options)
        if chosen is not None:
            break
    if chosen is None:
        raise _no_compute(table, options, where)
    reasons |= {chosen.column: f"compute: {chosen.derivation}"}
    for name in table.columns:
        if name != chosen.column and _is_compute_name(name):
            reasons[name] = f"could be compute, but {chosen.column!r} comes first"
    return dataclasses.replace(chosen, reasons=reasons)


def find_step_column(table: Table) -> str | None:
    """Return the column that counts optimiser steps (rows are ordered by it), or None."""
    return _first_named(table, names.STEPS)


def _check_options(options: ReadOptions) -> None:
    if options.gpus is not None and options.gpu_hours_per_step is not None:
        raise UsageError(
            "both --gpus and --gpu-hours-per-step", where="--gpus", expected="expected one of them",
            remedy="--gpus turns a time column into GPU-hours, --gpu-hours-per-step a step column",
        )  # fmt: skip
    for option, value in (
        ("--gpus", options.gpus),
        ("--gpu-hours-per-step", options.gpu_hours_per_step),
        ("--max-gap", options.max_gap_hours),
    ):
        if value is not None and not (np.isfinite(value) and value > 0):
            raise UsageError(f"{value:g} is not usable", where=option, expected="expected a number above 0")


def _no_compute(table: Table, options: ReadOptions, where: str) -> LogError:
    listed = list_names(table.columns)
    if options.gpu_hours_per_step is not None:
        return LogError(
            f"no step column among {listed}",
            where=where,
            expected="--gpu-hours-per-step needs one",
            remedy="name it with --x",
        )
    if options.gpus is not None:
        return LogError(
            f"no time column among {listed}",
            where=where,
            expected="--gpus turns seconds, hours or timestamps into GPU-hours",
            remedy="name the time column with --x, or use --gpu-hours-per-step with a step column",
        )
    step = find_step_column(table)
    remedy = "name it with --x, or give --gpus with a time column"
    if step is not None:
        remedy = (
            f"give --gpu-hours-per-step to turn {step!r} into GPU-hours, --x {step!r} to fit against steps, or --gpus "
            "with a time column"
        )
    return LogError(
        f"no compute column among {listed}",
        where=where,
        expected="expected GPU-hours, a time, tokens, episodes or samples",
        remedy=remedy,
        columns=list(table.columns),
    )


def _first_named(table: Table, entries: Iterable[str]) -> str | None:
    """Return the column with numbers whose name stands first in a table of names, whole names before endings."""
    named = _named_any(table, entries)
    return next((name for name in named if table.columns[name].has_numbers), None)


def _is_compute_name(name: str) -> bool:
    normal = normalise(name)
    if normal.rsplit("/", 1)[-1] not in _COMPUTE_LEAVES:
        return False
    return any(len(end) > 1 and end in _COMPUTE_NAMES for end in endings(normal))


def _source(
    column: str, kind: Kind, values: FloatArray, unit: str, derivation: str, *, scale: float = 1.0,
    gpus: FloatArray | None = None, is_zone_assumed: bool = False,
) -> ComputeSource:  # fmt: skip
    return ComputeSource(
        column=column, kind=kind, values=values, gpus=gpus, unit=unit, scale=scale, derivation=derivation, reasons={},
        is_zone_assumed=is_zone_assumed,
    )  # fmt: skip


def _find_work(table: Table, options: ReadOptions) -> ComputeSource | None:
    del options
    name = _first_named(table, names.GPU_HOURS)
    return None if name is None else _work(table, name)


def _work(table: Table, name: str) -> ComputeSource:
    factor = next(scale for entry, scale in names.GPU_HOURS.items() if ends_with(normalise(name), entry))
    if factor == 1:
        return _source(name, "work", table.columns[name].numbers, "gpu-hours", f"{name} (GPU-hours)")
    derivation = f"{name} x {factor:.6g} (GPU-hours)"
    return _source(name, "work", table.columns[name].numbers, "gpu-hours", derivation, scale=factor)


def _find_elapsed(table: Table, options: ReadOptions) -> ComputeSource | None:
    for name in _named_any(table, names.ELAPSED_SECONDS):
        source = _elapsed(table, name, options)
        if source is not None:
            return source
    return None


def _named_any(table: Table, entries: Iterable[str]) -> list[str]:
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


def _elapsed(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    """Return a column as a clock that starts with the run; None if it holds no such thing."""
    column = table.columns[name]
    durations = read_durations(column)
    if durations is not None:
        return _timed(table, name, "elapsed", durations, f"{name} (hours, minutes and seconds)", options)
    if not column.has_numbers or epoch_scale(column.numbers) is not None:
        return None
    if _falling_share(column) > _FALLING_SHARE:
        return None
    factor = _unit_seconds(name, names.ELAPSED_SECONDS)
    return _timed(table, name, "elapsed", column.numbers * factor, f"{name} ({_unit_word(factor)})", options)


def _find_clock(table: Table, options: ReadOptions) -> ComputeSource | None:
    for name in _named_any(table, names.TIMESTAMPS):
        source = _clock(table, name, options)
        if source is not None:
            return source
    return None


def _clock(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    """Return a column as a clock that shows the time of day; None if it holds no such thing."""
    column = table.columns[name]
    scaled = epoch_scale(column.numbers)
    if scaled is not None:
        factor, words = scaled
        text = f"{name} ({words}), elapsed since the first row"
        return _timed(table, name, "clock", column.numbers * factor, text, options)
    times = read_times(column)
    if times is None:
        return None
    text = f"{name} (ISO-8601 times{'' if times[1] else ', read as UTC'}), elapsed since the first row"
    return _timed(table, name, "clock", times[0], text, options, is_zone_assumed=not times[1])


def _find_duration(table: Table, options: ReadOptions) -> ComputeSource | None:
    name = _first_named(table, names.DURATION_SECONDS)
    if name is None:
        fallen = [each for each in _named_any(table, names.ELAPSED_SECONDS) if _is_duration(table.columns[each])]
        name = fallen[0] if fallen else None
    return None if name is None else _duration(table, name, options)


def _is_duration(column: Column) -> bool:
    return column.finite > 1 and epoch_scale(column.numbers) is None and _falling_share(column) > _FALLING_SHARE


def _duration(table: Table, name: str, options: ReadOptions) -> ComputeSource:
    factor = _unit_seconds(name, names.DURATION_SECONDS)
    words = f"running sum of {name} ({_unit_word(factor)} per row)"
    return _timed(table, name, "duration", table.columns[name].numbers * factor, words, options)


def _find_count(table: Table, options: ReadOptions) -> ComputeSource | None:
    del options
    name = _first_named(table, names.COUNTS)
    return None if name is None else _count(table, name)


def _count(table: Table, name: str) -> ComputeSource:
    unit = next(unit for entry, unit in names.COUNTS.items() if ends_with(normalise(name), entry))
    return _source(name, "work", table.columns[name].numbers, unit, f"{name} ({unit})")


def _find_steps(table: Table, options: ReadOptions) -> ComputeSource | None:
    name = find_step_column(table)
    return None if name is None else _steps(table, name, options)


def _steps(table: Table, name: str, options: ReadOptions) -> ComputeSource:
    rate = options.gpu_hours_per_step
    numbers = table.columns[name].numbers
    if rate is None:
        return _source(name, "work", numbers, "steps", f"{name} (steps)")
    return _source(name, "work", numbers, "gpu-hours", f"{name} (steps) x {rate:g} GPU-hours per step", scale=rate)


def _named(table: Table, name: str, options: ReadOptions, where: str) -> ComputeSource:
    """Return the column that the user named, with the meaning that its name and content give it."""
    chosen = _meaning(table, name, options)
    if chosen is None:
        raise LogError(
            f"column {name!r} holds neither numbers nor times", where=where, expected="expected compute",
            remedy="choose another column with --x",
        )  # fmt: skip
    if options.gpus is not None and chosen.kind == "work" and chosen.unit != "gpu-hours":
        raise UsageError(
            f"column {name!r} is not a time", where="--gpus", expected="expected seconds, hours or timestamps in --x",
            remedy="use --gpu-hours-per-step for a column that counts steps",
        )  # fmt: skip
    return dataclasses.replace(chosen, reasons={name: f"compute: named with --x; {chosen.derivation}"})


def _meaning(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    """Return what the name and the content of a column say that it is."""
    column = table.columns[name]
    normal = normalise(name)
    if options.gpu_hours_per_step is not None:
        return _steps(table, name, options) if column.has_numbers else None
    if column.has_numbers:
        if any(ends_with(normal, entry) for entry in names.GPU_HOURS):
            return _work(table, name)
        if any(ends_with(normal, entry) for entry in names.COUNTS):
            return _count(table, name)
        if any(ends_with(normal, entry) for entry in names.STEPS):
            return _steps(table, name, options)
    return _time_meaning(table, name, options) or _own_unit(table, name, options)


def _time_meaning(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    column = table.columns[name]
    is_elapsed = name in _named_any(table, names.ELAPSED_SECONDS)
    if is_elapsed or read_durations(column) is not None:
        found = _elapsed(table, name, options)
        if found is not None:
            return found
    is_duration = name in _named_any(table, names.DURATION_SECONDS) or (is_elapsed and _is_duration(column))
    return _clock(table, name, options) or (_duration(table, name, options) if is_duration else None)


def _own_unit(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    column = table.columns[name]
    if not column.has_numbers:
        return None
    if options.gpus is not None:
        return _timed(table, name, "elapsed", column.numbers, f"{name} (taken as seconds)", options)
    return _source(name, "work", column.numbers, name.strip() or "compute", f"{name} (in its own unit)")


def _timed(  # noqa: PLR0917 -- private, and every call names a column, its kind, its values and their words
    table: Table,
    name: str,
    kind: Kind,
    seconds: FloatArray,
    words: str,
    options: ReadOptions,
    *,
    is_zone_assumed: bool = False,
) -> ComputeSource:
    """Return seconds as compute: GPU-hours if it is known how many GPUs worked, else wall time."""
    gpus: FloatArray | None = None
    if options.gpus is not None:
        gpus = np.full(table.rows, options.gpus)
        derivation = f"{words} x {options.gpus:g} GPUs{_per_hour(name, words)}"
    elif (logged := _first_named(table, names.GPU_COUNTS)) is not None and logged != name:
        gpus = _filled(table.columns[logged].numbers)
        derivation = f"{words} x {logged} GPUs{_per_hour(name, words)}, interval by interval"
    else:
        in_hours = kind == "clock" or _unit_seconds(name, names.ELAPSED_SECONDS) == _SECONDS_PER_HOUR
        unit, scale = ("hours", 1 / _SECONDS_PER_HOUR) if in_hours else ("seconds", 1.0)
        derivation = f"{words}, wall time in {unit}"
        return _source(name, kind, seconds, unit, derivation, scale=scale, is_zone_assumed=is_zone_assumed)
    return _source(
        name,
        kind,
        seconds,
        "gpu-hours",
        derivation,
        scale=1 / _SECONDS_PER_HOUR,
        gpus=gpus,
        is_zone_assumed=is_zone_assumed,
    )


def _per_hour(name: str, words: str) -> str:
    return "" if f"{name} (hours)" in words else " / 3600"


def _filled(numbers: FloatArray) -> FloatArray:
    """Return a GPU count with the last known one where a row has none, and the first known one before it."""
    known = np.isfinite(numbers) & (numbers > 0)
    if known.all():
        return numbers
    last = np.maximum.accumulate(np.where(known, np.arange(numbers.size), -1))
    first = int(np.argmax(known))
    return numbers[np.where(last < 0, first, last)]


def _falling_share(column: Column) -> float:
    finite = column.numbers[np.isfinite(column.numbers)]
    return float((np.diff(finite) < 0).mean()) if finite.size > 1 else 0.0


def _unit_seconds(name: str, entries: dict[str, float]) -> float:
    normal = normalise(name)
    for entry, factor in entries.items():
        if normal == entry:
            return factor
    return next((factor for entry, factor in entries.items() if len(entry) > 1 and ends_with(normal, entry)), 1.0)


def _unit_word(factor: float) -> str:
    return {1e-3: "milliseconds", 1.0: "seconds", 60.0: "minutes", 3600.0: "hours", 86400.0: "days"}[factor]
