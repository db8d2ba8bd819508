"""Which column is compute, and what it means: one notion, with the sentence that derives it."""

import dataclasses

import numpy as np

from scalefit.errors import LogError, UsageError
from scalefit.logs import names
from scalefit.logs.clocks import read_durations
from scalefit.logs.columns import ends_with, find_column, list_names, normalise
from scalefit.logs.compute_source import ComputeSource, make_source
from scalefit.logs.named_columns import find_step_column, first_named, is_compute_name, named_columns
from scalefit.logs.options import ReadOptions
from scalefit.logs.table import Table
from scalefit.logs.wall_time import clock_source, duration_source, elapsed_source, is_duration, timed_source


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
        if name != chosen.column and is_compute_name(name):
            reasons[name] = f"could be compute, but {chosen.column!r} comes first"
    return dataclasses.replace(chosen, reasons=reasons)


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


def _find_work(table: Table, options: ReadOptions) -> ComputeSource | None:
    del options
    name = first_named(table, names.GPU_HOURS)
    return None if name is None else _work(table, name)


def _work(table: Table, name: str) -> ComputeSource:
    factor = next(scale for entry, scale in names.GPU_HOURS.items() if ends_with(normalise(name), entry))
    if factor == 1:
        return make_source(name, "work", table.columns[name].numbers, "gpu-hours", f"{name} (GPU-hours)")
    derivation = f"{name} x {factor:.6g} (GPU-hours)"
    return make_source(name, "work", table.columns[name].numbers, "gpu-hours", derivation, scale=factor)


def _find_elapsed(table: Table, options: ReadOptions) -> ComputeSource | None:
    for name in named_columns(table, names.ELAPSED_SECONDS):
        source = elapsed_source(table, name, options)
        if source is not None:
            return source
    return None


def _find_clock(table: Table, options: ReadOptions) -> ComputeSource | None:
    for name in named_columns(table, names.TIMESTAMPS):
        source = clock_source(table, name, options)
        if source is not None:
            return source
    return None


def _find_duration(table: Table, options: ReadOptions) -> ComputeSource | None:
    name = first_named(table, names.DURATION_SECONDS)
    if name is None:
        fallen = [each for each in named_columns(table, names.ELAPSED_SECONDS) if is_duration(table.columns[each])]
        name = fallen[0] if fallen else None
    return None if name is None else duration_source(table, name, options)


def _find_count(table: Table, options: ReadOptions) -> ComputeSource | None:
    del options
    name = first_named(table, names.COUNTS)
    return None if name is None else _count(table, name)


def _count(table: Table, name: str) -> ComputeSource:
    unit = next(unit for entry, unit in names.COUNTS.items() if ends_with(normalise(name), entry))
    return make_source(name, "work", table.columns[name].numbers, unit, f"{name} ({unit})")


def _find_steps(table: Table, options: ReadOptions) -> ComputeSource | None:
    name = find_step_column(table)
    return None if name is None else _steps(table, name, options)


def _steps(table: Table, name: str, options: ReadOptions) -> ComputeSource:
    rate = options.gpu_hours_per_step
    numbers = table.columns[name].numbers
    if rate is None:
        return make_source(name, "work", numbers, "steps", f"{name} (steps)")
    return make_source(name, "work", numbers, "gpu-hours", f"{name} (steps) x {rate:g} GPU-hours per step", scale=rate)


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
    is_elapsed = name in named_columns(table, names.ELAPSED_SECONDS)
    if is_elapsed or read_durations(column) is not None:
        found = elapsed_source(table, name, options)
        if found is not None:
            return found
    takes_long = name in named_columns(table, names.DURATION_SECONDS) or (is_elapsed and is_duration(column))
    return clock_source(table, name, options) or (duration_source(table, name, options) if takes_long else None)


def _own_unit(table: Table, name: str, options: ReadOptions) -> ComputeSource | None:
    column = table.columns[name]
    if not column.has_numbers:
        return None
    if options.gpus is not None:
        return timed_source(table, name, "elapsed", column.numbers, f"{name} (taken as seconds)", options)
    return make_source(name, "work", column.numbers, name.strip() or "compute", f"{name} (in its own unit)")
