"""Rows of one run -> points of compute and reward, every row that is left out counted with its reason."""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.compute_source import ComputeSource
from scalefit.logs.grouping import Group
from scalefit.logs.options import ReadOptions
from scalefit.logs.point_notes import PointNotes, ReplicatePoints
from scalefit.logs.rows import Gap, arrange, stitch_clock, stitch_count
from scalefit.logs.table import Column
from scalefit.run import BoolArray, Caveat, FloatArray, IntArray

_NON_FINITE = frozenset({"nan", "inf", "infinity", "none", "null", "na", "n/a", "no log", ""})
"""What stands in a cell where a number was not finite or not measured."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """What became of the rows of one run."""

    compute: FloatArray
    """(n,), unit of compute, >= 0, not decreasing."""
    reward: FloatArray
    """(n,)."""
    replicate: IntArray
    """(n,): 0..k-1."""
    lines: IntArray
    """(n,): where each point stood in the log."""
    skipped: Mapping[str, tuple[int, ...]]
    """Reason -> lines left out for it."""
    gaps: tuple[Gap, ...]
    """Long intervals without rows."""
    restart_lines: tuple[int, ...]
    """Lines at which the log goes back to an earlier step, or a clock begins again."""
    notes: tuple[Caveat, ...]
    """What had to be decided."""


def make_points(
    group: Group,
    compute: ComputeSource,
    y_column: str,
    *,
    options: ReadOptions,
    step_column: str | None,
    where: str,
) -> Points:
    """Return the points of one run.

    Parameters
    ----------
    group
        Its rows.
    compute
        Where compute comes from.
    y_column
        The reward column.
    options
        ``max_gap_hours`` leaves idle time out.
    step_column
        Column that orders the rows; None: compute does.
    where
        The log, for messages.

    Raises
    ------
    LogError
        If no row holds both a reward and a compute.
    """
    table = group.table
    reward = table.columns[y_column]
    skipped: dict[str, list[int]] = {}
    unusable = np.zeros(table.rows, dtype=np.bool_)
    _leave_out(_reward_reasons(reward), table.lines, skipped, unusable)
    values = compute.values
    _leave_out(_compute_reasons(table.columns[compute.column], compute, ~unusable), table.lines, skipped, unusable)
    key = values
    is_step = False
    if step_column is not None and step_column != y_column:
        steps = table.columns[step_column].numbers
        known = steps[~unusable] if unusable.any() else steps
        if known.size and np.isfinite(known).all() and np.ptp(known) > 0:
            key, is_step = steps, True
    elif compute.kind == "duration":
        key = np.arange(table.rows, dtype=np.float64)
    parts = [
        _read_replicate(compute, key, ~unusable, group.replicate == number, options, is_step=is_step)
        for number in (range(group.replicates) if table.rows else ())
    ]
    rows, result = _joined(parts)
    for part in parts:
        for row in part.arrangement.superseded:
            skipped.setdefault("repeated later (the later copy is kept)", []).append(int(table.lines[row]))
    if compute.kind == "clock":
        # The clock's first row shows no elapsed time: what was spent before it is not known.
        first = result <= 0
        for row in rows[first]:
            skipped.setdefault("first row of the clock (elapsed time not known)", []).append(int(table.lines[row]))
        rows, result = rows[~first], result[~first]
    if not rows.size:
        raise LogError(
            f"no row holds both {compute.column!r} and {y_column!r}" + _why(skipped),
            where=where,
            expected="expected numbers in both",
            remedy="choose other columns with --x and --y",
        )
    if parts and len(parts) > 1:
        order = np.argsort(result, kind="stable")
        rows, result = rows[order], result[order]
    is_whole = rows.size == table.rows and not (np.diff(rows) < 0).any()
    return Points(
        compute=result,
        # A log of which every row counts, in its own order, is the rule, and large ones need not be copied.
        reward=reward.numbers if is_whole else reward.numbers[rows],
        replicate=group.replicate if is_whole else group.replicate[rows],
        lines=table.lines if is_whole else table.lines[rows],
        skipped={reason: tuple(sorted(lines)) for reason, lines in skipped.items()},
        gaps=tuple(gap for part in parts for gap in part.gaps),
        restart_lines=tuple(
            sorted({int(table.lines[row]) for part in parts for row in (*part.arrangement.restarts, *part.resets)})
        ),
        notes=PointNotes(group, compute, key, step_column if is_step else None).all(parts, skipped),
    )


def _joined(parts: Sequence[ReplicatePoints]) -> tuple[IntArray, FloatArray]:
    """Return the rows and the compute of all replicates, one after the other."""
    if len(parts) == 1:
        return parts[0].rows, parts[0].compute
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0)
    return np.concatenate([part.rows for part in parts]), np.concatenate([part.compute for part in parts])


def _leave_out(
    reasons: Mapping[str, BoolArray], lines: IntArray, skipped: dict[str, list[int]], unusable: BoolArray
) -> None:
    for reason, rows in reasons.items():
        new = rows & ~unusable
        if new.any():
            skipped.setdefault(reason, []).extend(lines[new].tolist())
            unusable |= new


def _reward_reasons(column: Column) -> dict[str, BoolArray]:
    missing = ~np.isfinite(column.numbers)
    if not missing.any():
        return {}
    none = np.zeros(missing.size, dtype=np.bool_)
    if column.texts is None:
        return {"no reward on the row": missing}
    texts = np.array([text is not None for text in column.texts], dtype=np.bool_)
    strange = none.copy()
    for row in np.flatnonzero(texts).tolist():
        strange[row] = not _is_non_finite(column.texts[row])
    return {
        "no reward on the row": missing & ~texts,
        "reward not finite": texts & ~strange,
        "reward not a number": texts & strange,
    }


def _compute_reasons(column: Column, compute: ComputeSource, usable: BoolArray) -> dict[str, BoolArray]:
    missing = ~np.isfinite(compute.values) & usable
    reasons: dict[str, BoolArray] = {}
    if column.texts is not None and missing.any():
        texts = np.array([text is not None for text in column.texts], dtype=np.bool_)
        reasons["compute not a finite number"] = missing & texts
        missing &= ~texts
    reasons["no compute on the row"] = missing
    if compute.kind != "clock":
        reasons["negative compute"] = usable & (compute.values < 0)
    return reasons


def _is_non_finite(text: str | None) -> bool:
    return text is not None and text.strip().lstrip("+-").lower() in _NON_FINITE


def _read_replicate(
    compute: ComputeSource,
    key: FloatArray,
    usable: BoolArray,
    member: BoolArray,
    options: ReadOptions,
    *,
    is_step: bool,
) -> ReplicatePoints:
    arrangement = arrange(key, usable & member, is_step=is_step)
    if compute.kind == "work":
        values, resets = stitch_count(compute.values, arrangement.order) if is_step else (compute.values, ())
        result = (
            values
            if arrangement.order.size == values.size and not arrangement.is_sorted
            else (values[arrangement.order])
        )
        result = result if compute.scale == 1 else result * compute.scale
        gaps: tuple[Gap, ...] = ()
        usual = 0.0
    else:
        seconds = np.where(member, compute.values, np.nan)
        rate = np.full(seconds.size, compute.scale) if compute.gpus is None else compute.gpus * compute.scale
        clock = stitch_clock(
            seconds,
            starts_at_zero=compute.kind == "elapsed",
            rate=rate,
            arrangement=arrangement,
            max_gap_hours=options.max_gap_hours,
            is_duration=compute.kind == "duration",
        )
        result, resets, gaps, usual = clock.compute[arrangement.order], clock.resets, clock.gaps, clock.usual_hours
    order = arrangement.order
    if (np.diff(result) < 0).any():
        # Steps go up while compute goes down: the order of compute is what the curve needs.
        by_compute = np.argsort(result, kind="stable")
        order, result = order[by_compute], result[by_compute]
        arrangement = dataclasses.replace(arrangement, order=order, is_sorted=True)
    return ReplicatePoints(
        rows=order, compute=result, arrangement=arrangement, gaps=gaps, resets=resets, usual_hours=usual
    )


def _why(skipped: Mapping[str, Sequence[int]]) -> str:
    if not skipped:
        return ""
    return " (" + ", ".join(f"{len(lines)} rows: {reason}" for reason, lines in skipped.items()) + ")"
