"""What was decided while rows became points, in words."""

import dataclasses
from collections.abc import Mapping, Sequence

from scalefit.logs.compute_source import ComputeSource
from scalefit.logs.grouping import Group
from scalefit.logs.rows import Arrangement, Gap
from scalefit.run import Caveat, Evidence, FloatArray, IntArray

_SHOWN = 10


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReplicatePoints:
    """The rows of one replicate, in the order of the run."""

    rows: IntArray
    """(k,): rows of the table."""
    compute: FloatArray
    """(k,), unit of compute, not decreasing."""
    arrangement: Arrangement
    """How they came into their order."""
    gaps: tuple[Gap, ...]
    """Long intervals without rows."""
    resets: tuple[int, ...]
    """Rows at which a clock or a count begins again."""
    usual_hours: float
    """Median interval, hours; 0 if there is no clock."""


class PointNotes:
    """Writes the notes of one run.

    Parameters
    ----------
    group
        Its rows.
    compute
        Where compute came from.
    key
        (n,): what ordered the rows.
    step_column
        The column that it was taken from; None if compute itself ordered them.
    """

    def __init__(self, group: Group, compute: ComputeSource, key: FloatArray, step_column: str | None) -> None:
        self._group = group
        self._compute = compute
        self._key = key
        self._step = step_column

    def all(self, parts: Sequence[ReplicatePoints], skipped: Mapping[str, Sequence[int]]) -> tuple[Caveat, ...]:
        """Return a note for each thing that was decided: parts arranged, lines skipped by reason."""
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

    def _replicates(self, parts: Sequence[ReplicatePoints]) -> list[Caveat]:
        if len(parts) < 2:  # noqa: PLR2004
            return []
        column = self._group.replicate_column
        message = f"{len(parts)} replicates of one recipe, told apart by {column!r}; all rows are kept"
        if column is None:
            what = self._step or self._compute.column
            message = f"each {what} stands there {len(parts)} times: taken as replicates of one recipe; all are kept"
        return [Caveat(code="replicates", message=message, evidence={"replicates": len(parts), "column": column})]

    def _restarts(self, part: ReplicatePoints) -> list[Caveat]:
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

    def _resets(self, part: ReplicatePoints) -> list[Caveat]:
        if not part.resets:
            return []
        lines = [int(self._group.table.lines[row]) for row in part.resets]
        message = (
            f"{self._compute.column} begins again {len(lines)} time{'s' if len(lines) > 1 else ''} "
            f"({self._group.table.place} {', '.join(map(str, lines[:_SHOWN]))}); it is counted on from what was reached"
        )
        evidence: dict[str, Evidence] = {"resets": len(lines), "lines": [float(n) for n in lines]}
        return [Caveat(code="clock-reset", message=message, evidence=evidence)]

    def _order(self, part: ReplicatePoints) -> list[Caveat]:
        notes = []
        what = self._step or self._compute.column
        if part.arrangement.is_sorted:
            message = f"rows were not in order; sorted by {what}"
            notes.append(Caveat(code="rows-sorted", message=message, evidence={"column": what}))
        if part.arrangement.shared:
            message = f"{part.arrangement.shared} rows share their {what} with another row; all are kept"
            notes.append(Caveat(code="shared-compute", message=message, evidence={"rows": part.arrangement.shared}))
        return notes

    def _gaps(self, part: ReplicatePoints) -> list[Caveat]:
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
