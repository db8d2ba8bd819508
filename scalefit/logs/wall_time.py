"""Columns of time -> compute: a clock that starts with the run, the time of day, what each row took."""

import numpy as np

from scalefit.logs import names
from scalefit.logs.clocks import epoch_scale, read_durations, read_times
from scalefit.logs.columns import ends_with, normalise
from scalefit.logs.compute_source import ComputeSource, Kind, make_source
from scalefit.logs.named_columns import first_named
from scalefit.logs.options import ReadOptions
from scalefit.logs.table import Column, Table
from scalefit.run import FloatArray

_FALLING_SHARE = 0.1
"""Share of falling intervals from which a time is the duration of a row, not a clock: clocks fall only at a restart."""
_SECONDS_PER_HOUR = 3600.0


def elapsed_source(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    """Return a column as a clock that starts with the run; None if it holds no such thing."""
    column = table.columns[name]
    durations = read_durations(column)
    if durations is not None:
        return timed_source(table, name, "elapsed", durations, f"{name} (hours, minutes and seconds)", options)
    if not column.has_numbers or epoch_scale(column.numbers) is not None:
        return None
    if _falling_share(column) > _FALLING_SHARE:
        return None
    factor = _unit_seconds(name, names.ELAPSED_SECONDS)
    return timed_source(table, name, "elapsed", column.numbers * factor, f"{name} ({_unit_word(factor)})", options)


def clock_source(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    """Return a column as a clock that shows the time of day; None if it holds no such thing."""
    column = table.columns[name]
    scaled = epoch_scale(column.numbers)
    if scaled is not None:
        factor, words = scaled
        text = f"{name} ({words}), elapsed since the first row"
        return timed_source(table, name, "clock", column.numbers * factor, text, options)
    times = read_times(column)
    if times is None:
        return None
    text = f"{name} (ISO-8601 times{'' if times[1] else ', read as UTC'}), elapsed since the first row"
    return timed_source(table, name, "clock", times[0], text, options, is_zone_assumed=not times[1])


def is_duration(column: Column) -> bool:
    """Return whether a time falls so often that it is what each row took, not a clock."""
    return column.finite > 1 and epoch_scale(column.numbers) is None and _falling_share(column) > _FALLING_SHARE


def duration_source(table: Table, name: str, options: ReadOptions) -> ComputeSource:
    """Return a column as what each row took."""
    factor = _unit_seconds(name, names.DURATION_SECONDS)
    words = f"running sum of {name} ({_unit_word(factor)} per row)"
    return timed_source(table, name, "duration", table.columns[name].numbers * factor, words, options)


def timed_source(  # noqa: PLR0917 -- private, and every call names a column, its kind, its values and their words
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
        logged = first_named(table, names.GPU_COUNTS)
        instead = "" if logged is None else f" (given with --gpus, although {logged} is logged)"
        derivation = f"{words} x {options.gpus:g} GPUs{instead}{_per_hour(name, words)}"
    elif (logged := first_named(table, names.GPU_COUNTS)) is not None and logged != name:
        gpus = _filled(table.columns[logged].numbers)
        derivation = f"{words} x {logged} GPUs{_per_hour(name, words)}, interval by interval"
    else:
        in_hours = kind == "clock" or _unit_seconds(name, names.ELAPSED_SECONDS) == _SECONDS_PER_HOUR
        unit, scale = ("hours", 1 / _SECONDS_PER_HOUR) if in_hours else ("seconds", 1.0)
        derivation = f"{words}, wall time in {unit}"
        return make_source(name, kind, seconds, unit, derivation, scale=scale, is_zone_assumed=is_zone_assumed)
    return make_source(
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
