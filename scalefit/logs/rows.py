"""Rows in the order of the run: restarts resolved, clocks stitched, gaps found."""

import dataclasses

import numpy as np

from scalefit.run import BoolArray, FloatArray, IntArray

_RESTART_SHARE = 0.1
"""Share of rows up to which steps that go back are restarts; beyond, the rows are simply not in order."""
_RESTART_LIMIT = 200
"""Restarts in one log; a log that goes back more often is not in order."""
_RELOGGED_SHARE = 0.1
"""Share of rows up to which a step logged twice in a row is one row written again; beyond, rows share their steps."""
_RESET_SHARE = 0.5
"""A count that falls below this share of what it was has begun again; a smaller fall is a row out of order."""
_GAP_FACTOR = 10.0
"""Intervals longer than this many usual ones are reported as gaps: evaluations and checkpoints take a few."""
_GAP_SHARE = 0.01
"""Share of the whole time from which a gap matters; below, it cannot move the curve."""
_GAP_ROWS = 8
"""Intervals needed before one can be called unusual."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """Which rows count, in which order."""

    order: IntArray
    """(k,): rows in the order of the run, those that were repeated later left out."""
    superseded: IntArray
    """(m,): rows left out because a later copy replaced them."""
    restarts: tuple[int, ...]
    """Rows at which the log goes back to an earlier step."""
    is_sorted: bool
    """Whether rows had to be put in order."""
    shared: int
    """Rows that share their step (or compute) with another and are all kept."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """An interval without rows, much longer than usual."""

    after_row: int
    """Row before it."""
    hours: float
    """Length beyond the usual interval, hours."""
    times_usual: float
    """Whole interval in usual ones."""
    compute: float
    """What the idle part adds, in the unit of compute."""
    is_idle: bool
    """Whether it was left out."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class StitchedClock:
    """Compute at each row, from a clock."""

    compute: FloatArray
    """(n,): compute at each row, NaN where the clock has no cell."""
    resets: tuple[int, ...]
    """Rows at which the clock began again."""
    gaps: tuple[Gap, ...]
    """Long intervals."""
    usual_hours: float
    """Median interval, hours."""


def arrange(key: FloatArray, usable: BoolArray, *, is_step: bool) -> Arrangement:
    """Put usable rows in the order of ``key``.

    Parameters
    ----------
    key
        (n,): step of each row, or its compute where no step is logged.
    usable
        (n,): rows that hold a reward and a key.
    is_step
        Whether ``key`` is a step: then a step written twice in a row is one row written again.
    """
    rows = np.flatnonzero(usable & np.isfinite(key)).astype(np.int64)
    values = key if rows.size == key.size else key[rows]
    rising = np.diff(values)
    if (rising > 0).all():
        return Arrangement(order=rows, superseded=rows[:0], restarts=(), is_sorted=False, shared=0)
    drops = np.flatnonzero(rising < 0) + 1
    kept = np.ones(rows.size, dtype=np.bool_)
    restarts: list[int] = []
    if 0 < drops.size <= min(_RESTART_LIMIT, max(1, _RESTART_SHARE * rows.size)):
        for drop in drops.tolist():
            end = int(drops[drops > drop].min(initial=rows.size))
            earlier = np.flatnonzero(kept[:drop] & (values[:drop] >= values[drop]))
            # Only a step that is logged again shows a restart; else the row merely stands in the wrong place.
            if np.isin(values[drop:end], values[earlier]).any():
                kept[earlier] = False
                restarts.append(int(rows[drop]))
    live = np.flatnonzero(kept)
    is_sorted = bool((np.diff(values[live]) < 0).any())
    if is_sorted:
        live = live[np.argsort(values[live], kind="stable")]
    again = np.flatnonzero(np.diff(values[live]) == 0)
    shared = 0
    if again.size:
        if is_step and again.size <= max(1.0, _RELOGGED_SHARE * live.size):
            kept[live[again]] = False
            live = np.delete(live, again)
        else:
            shared = int(np.union1d(again, again + 1).size)
    return Arrangement(
        order=rows[live],
        superseded=rows[~kept],
        restarts=tuple(restarts),
        is_sorted=is_sorted,
        shared=shared,
    )


def stitch_count(values: FloatArray, rows: IntArray) -> tuple[FloatArray, tuple[int, ...]]:
    """Return a count of work that never falls: where it begins again, it goes on from what was reached.

    Parameters
    ----------
    values
        (n,): the count.
    rows
        (k,): rows in the order of the run.

    Returns
    -------
    tuple
        (n,) the count with every reset bridged, and the rows at which it was reset.
    """
    result = values.copy()
    column = values[rows]
    drops = np.flatnonzero(np.diff(column) < 0) + 1
    resets = [int(drop) for drop in drops if column[drop] < _RESET_SHARE * column[drop - 1]]
    if not resets or len(resets) > min(_RESTART_LIMIT, max(1, _RESTART_SHARE * rows.size)):
        return result, ()
    offset = np.zeros(rows.size)
    for reset in resets:
        offset[reset:] += column[reset - 1]
    result[rows] = column + offset
    return result, tuple(int(rows[reset]) for reset in resets)


def stitch_clock(
    seconds: FloatArray,
    *,
    starts_at_zero: bool,
    rate: FloatArray,
    arrangement: Arrangement,
    max_gap_hours: float | None,
    is_duration: bool = False,
) -> StitchedClock:
    """Integrate a clock interval by interval.

    Each interval counts with the GPUs of the row that ends it. An interval that a later copy replaced does not count;
    after a restart the clock goes on from the last row that was kept.

    Parameters
    ----------
    seconds
        (n,): what the clock shows, or the duration of each row; NaN where it has no cell.
    starts_at_zero
        Whether the clock began with the run (else the time before its first row is unknown).
    rate
        (n,): compute per second in the interval that ends at each row.
    arrangement
        Order of the rows.
    max_gap_hours
        Longer intervals count as the usual one; None: all count.
    is_duration
        Whether ``seconds`` are durations.
    """
    result = np.full(seconds.size, np.nan)
    ticking = np.isfinite(seconds)
    if arrangement.is_sorted and not arrangement.restarts:
        rows = arrangement.order[ticking[arrangement.order]]
    else:
        rows = np.flatnonzero(ticking).astype(np.int64)
    if not rows.size:
        return StitchedClock(compute=result, resets=(), gaps=(), usual_hours=0.0)
    clock = seconds[rows]
    resets: tuple[int, ...] = ()
    if is_duration:
        interval = np.maximum(clock, 0.0)
    else:
        interval, resets = _intervals(clock, rows, arrangement, starts_at_zero=starts_at_zero)
    interval[_abandoned(rows, arrangement)] = 0.0
    running = interval[1:][interval[1:] > 0] if not is_duration else interval[interval > 0]
    usual = float(np.median(running)) if running.size else 0.0
    gaps: list[Gap] = []
    first = 0 if is_duration else 1
    limit_seconds = None if max_gap_hours is None else max_gap_hours * 3600
    long = np.zeros(interval.size, dtype=np.bool_)
    if limit_seconds is not None:
        long = interval > max(limit_seconds, usual)
    elif running.size >= _GAP_ROWS:
        long = (interval > _GAP_FACTOR * usual) & (interval - usual > _GAP_SHARE * interval.sum())
    long[:first] = False
    for place in np.flatnonzero(long).tolist():
        idle = float(interval[place]) - usual
        gaps.append(
            Gap(
                after_row=int(rows[max(0, place - 1)]),
                hours=idle / 3600,
                times_usual=float(interval[place]) / usual if usual else 0.0,
                compute=idle * float(rate[rows[place]]),
                is_idle=limit_seconds is not None,
            )
        )
    if limit_seconds is not None:
        interval[long] = usual
    result[rows] = np.cumsum(interval * rate[rows])
    return StitchedClock(compute=result, resets=resets, gaps=tuple(gaps), usual_hours=usual / 3600)


def _intervals(
    clock: FloatArray, rows: IntArray, arrangement: Arrangement, *, starts_at_zero: bool
) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the seconds from each row to the next, and the rows at which the clock began again."""
    falls = np.flatnonzero(np.diff(clock) < 0) + 1
    if not falls.size:
        return np.diff(clock, prepend=0.0 if starts_at_zero else clock[0]), ()
    restarts = set(arrangement.restarts)
    superseded = set(arrangement.superseded.tolist())
    interval = np.zeros(clock.size)
    resets: list[int] = []
    reached = float(clock[0])
    interval[0] = reached if starts_at_zero else 0.0
    for place in range(1, clock.size):
        now = float(clock[place])
        if int(rows[place]) in restarts:
            kept = [p for p in range(place - 1, -1, -1) if int(rows[p]) not in superseded]
            before = float(clock[kept[0]]) if kept else 0.0
            if now >= reached:
                interval[place] = now - reached
            elif now >= before:
                interval[place] = now - before  # the clock was restored with the checkpoint
            else:
                interval[place] = max(0.0, now) if starts_at_zero else 0.0
                resets.append(int(rows[place]))
            reached = now
        elif now < _RESET_SHARE * reached and starts_at_zero:
            interval[place] = max(0.0, now)
            resets.append(int(rows[place]))
            reached = now
        else:
            # A clock that slips back a little (rows of several writers) stands still until it has caught up.
            interval[place] = max(0.0, now - reached)
            reached = max(reached, now)
    return interval, tuple(resets)


def _abandoned(rows: IntArray, arrangement: Arrangement) -> BoolArray:
    """Return which of ``rows`` belong to a branch that a restart replaced."""
    inside = np.zeros(rows.size, dtype=np.bool_)
    for restart in arrangement.restarts:
        earlier = arrangement.superseded[arrangement.superseded < restart]
        if not earlier.size:
            continue
        # The branch is the unbroken stretch of replaced rows that ends at the restart.
        stretch = arrangement.order[arrangement.order < restart]
        begin = int(stretch[-1]) + 1 if stretch.size else int(earlier[0])
        inside |= (rows >= begin) & (rows < restart)
    return inside
