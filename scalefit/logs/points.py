"""Rows of one run -> points of compute and reward, every row that is left out counted with its reason."""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.compute import ComputeSource
from scalefit.logs.grouping import Group
from scalefit.logs.options import ReadOptions
from scalefit.logs.rows import Arrangement, BoolArray, Gap, arrange, stitch_clock, stitch_count
from scalefit.logs.table import Column
from scalefit.run import Caveat, Evidence, FloatArray, IntArray

_SHOWN = 10
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


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Replicate:
    """One replicate, arranged."""

    rows: IntArray
    compute: FloatArray
    arrangement: Arrangement
    gaps: tuple[Gap, ...]
    resets: tuple[int, ...]
    usual_hours: float


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
        known = steps[~unusable]
        if known.size and np.isfinite(known).all() and np.ptp(known) > 0:
            key, is_step = steps, True
    elif compute.kind == "duration":
        key = np.arange(table.rows, dtype=np.float64)
    parts = [
        _read_replicate(compute, key, ~unusable, group.replicate == number, options, is_step=is_step)
        for number in (np.unique(group.replicate) if table.rows else ())
    ]
    rows = np.concatenate([part.rows for part in parts]) if parts else np.empty(0, dtype=np.int64)
    result = np.concatenate([part.compute for part in parts]) if parts else np.empty(0)
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
    return Points(
        compute=result,
        reward=reward.numbers[rows],
        replicate=group.replicate[rows],
        lines=table.lines[rows],
        skipped={reason: tuple(sorted(lines)) for reason, lines in skipped.items()},
        gaps=tuple(gap for part in parts for gap in part.gaps),
        restart_lines=tuple(
            sorted({int(table.lines[row]) for part in parts for row in (*part.arrangement.restarts, *part.resets)})
        ),
        notes=_Notes(group, compute, key, step_column if is_step else None, options).all(parts, skipped),
    )


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
    none = np.zeros(missing.size, dtype=np.bool_)
    if column.texts is None:
        return {"no reward on the row": missing}
    texts = np.array([text is not None for text in column.texts])
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
        texts = np.array([text is not None for text in column.texts])
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
) -> _Replicate:
    arrangement = arrange(key, usable & member, is_step=is_step)
    if compute.kind == "work":
        values, resets = stitch_count(compute.values, arrangement.order) if is_step else (compute.values, ())
        result = values[arrangement.order] * compute.scale
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
    return _Replicate(rows=order, compute=result, arrangement=arrangement, gaps=gaps, resets=resets, usual_hours=usual)


def _why(skipped: Mapping[str, Sequence[int]]) -> str:
    if not skipped:
        return ""
    return " (" + ", ".join(f"{len(lines)} rows: {reason}" for reason, lines in skipped.items()) + ")"


class _Notes:
    """Words for what was decided."""

    def __init__(
        self, group: Group, compute: ComputeSource, key: FloatArray, step_column: str | None, options: ReadOptions
    ) -> None:
        self._group = group
        self._compute = compute
        self._key = key
        self._step = step_column
        self._options = options

    def all(self, parts: Sequence[_Replicate], skipped: Mapping[str, Sequence[int]]) -> tuple[Caveat, ...]:
        notes = [*self._skips(skipped), *self._replicates(parts)]
        for part in parts:
            notes += [*self._restarts(part), *self._resets(part), *self._order(part), *self._gaps(part)]
        if self._compute.is_zone_assumed:
            message = f"the times in {self._compute.column!r} name no zone and are read as UTC"
            notes.append(Caveat(code="times-read-as-utc", message=message, evidence={"column": self._compute.column}))
        return tuple(notes)

    def _skips(self, skipped: Mapping[str, Sequence[int]]) -> list[Caveat]:
        notes = []
        for reason, lines in skipped.items():
            if reason == "no reward on the row" or reason.startswith("repeated"):
                continue  # sparse columns are the rule, repeated rows have their own note
            shown = ", ".join(map(str, lines[:_SHOWN])) + (", ..." if len(lines) > _SHOWN else "")
            plural = "s" if len(lines) > 1 else ""
            message = f"{len(lines)} row{plural} skipped: {reason} ({self._group.table.place} {shown})"
            evidence: dict[str, Evidence] = {"rows": len(lines), "lines": [float(n) for n in lines[:100]]}
            notes.append(Caveat(code="rows-skipped", message=message, evidence=evidence))
        return notes

    def _replicates(self, parts: Sequence[_Replicate]) -> list[Caveat]:
        if len(parts) < 2:  # noqa: PLR2004
            return []
        column = str(self._group.replicate_column)
        message = f"{len(parts)} replicates of one recipe, told apart by {column!r}; all rows are kept"
        return [Caveat(code="replicates", message=message, evidence={"replicates": len(parts), "column": column})]

    def _restarts(self, part: _Replicate) -> list[Caveat]:
        arrangement = part.arrangement
        count = int(arrangement.superseded.size)
        if not count:
            return []
        what = self._step or self._compute.column
        values = self._key[arrangement.superseded]
        low, high = float(values.min()), float(values.max())
        times = f"at {len(arrangement.restarts)} restarts" if len(arrangement.restarts) > 1 else "after a restart"
        if not arrangement.restarts:
            times = "one after the other"
        message = f"{what} {low:g} to {high:g} occur twice ({count} rows, {times}); the later copy is kept"
        if low == high:
            message = f"{what} {low:g} occurs twice ({times}); the later copy is kept"
        evidence = {"rows": count, "from": low, "to": high, "restarts": len(arrangement.restarts)}
        return [Caveat(code="repeated-rows", message=message, evidence=evidence)]

    def _resets(self, part: _Replicate) -> list[Caveat]:
        if not part.resets:
            return []
        lines = [int(self._group.table.lines[row]) for row in part.resets]
        message = (
            f"{self._compute.column} begins again {len(lines)} time{'s' if len(lines) > 1 else ''} "
            f"({self._group.table.place} {', '.join(map(str, lines[:_SHOWN]))}); it is counted on from what was reached"
        )
        evidence: dict[str, Evidence] = {"resets": len(lines), "lines": [float(n) for n in lines]}
        return [Caveat(code="clock-reset", message=message, evidence=evidence)]

    def _order(self, part: _Replicate) -> list[Caveat]:
        notes = []
        what = self._step or self._compute.column
        if part.arrangement.is_sorted:
            message = f"rows were not in order; sorted by {what}"
            notes.append(Caveat(code="rows-sorted", message=message, evidence={"column": what}))
        if part.arrangement.shared:
            message = f"{part.arrangement.shared} rows share their {what} with another row; all are kept"
            notes.append(Caveat(code="shared-compute", message=message, evidence={"rows": part.arrangement.shared}))
        return notes

    def _gaps(self, part: _Replicate) -> list[Caveat]:
        if not part.gaps:
            return []
        longest = max(part.gaps, key=lambda gap: gap.hours)
        count = len(part.gaps)
        after = f"{self._step or 'line'} {self._key[longest.after_row]:g}"
        if self._step is None:
            after = f"{self._group.table.place} {int(self._group.table.lines[longest.after_row])}"
        more = f" (the longest of {count} gaps)" if count > 1 else ""
        hours = f"{longest.hours:.3g} h"
        total = sum(gap.compute for gap in part.gaps)
        unit = self._compute.unit
        if longest.is_idle:
            message = f"a gap of {hours} after {after}{more} is left out as idle: {total:.6g} {unit} in all"
            code = "idle-gap-left-out"
        else:
            suggestion = max(2 * part.usual_hours, min(1.0, longest.hours / 2))
            message = (
                f"a gap of {hours} after {after}{more}, {longest.times_usual:.3g} times the usual spacing, counts as "
                f"{longest.compute:.6g} {unit}; if it was idle, --max-gap {suggestion:.2g} leaves it out"
            )
            code = "idle-gap"
        evidence = {"hours": longest.hours, "times_usual": longest.times_usual, "compute": total, "gaps": count}
        return [Caveat(code=code, message=message, evidence=evidence)]
