"""The grid that the posterior stands on, laid where the data put it.

Each row (an efficiency) has its own interval of midpoints, so that the curved ridge of early data, where C_mid and A
are not separable, is followed rather than boxed in.
"""

import dataclasses
import functools

import numpy as np

from scalefit.model import noise, priors
from scalefit.model.conditional import Conditionals, LinearPart
from scalefit.model.curves import Law
from scalefit.run import FloatArray, RewardRange

DEPTH = 7.0
"""Nats below the best node at which a node no longer counts."""

CELLS, SEARCH_CELLS = 14, 3
"""Cells of A at a node: where they are drawn from, and where only their mass is wanted."""

# Fewer rows and columns cost digits (the oracles of the tests fail), more cost time.
_ROWS, _COLUMNS = 18, 14
_SEARCH_ROWS, _SEARCH_COLUMNS = 13, 24
_MAXIMUM_ZOOMS = 14
_EXTENSION = 2
_NARROWEST = 1e-300
_PRIOR_REACH = 4.1
"""Standard deviations at which a prior of normal core and exponential tails is `DEPTH` nats below its peak."""
_RESOLVED = 2.0
"""Nats between neighbouring nodes of a row below which the row is resolved."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Nodes of the shape: rows of log efficiency, each with its own interval of log midpoint."""

    rows: FloatArray
    low: FloatArray
    high: FloatArray
    columns: int

    @property
    def step(self) -> FloatArray:
        """Distance between neighbouring midpoints of each row, (rows,), ln of compute."""
        return (self.high - self.low) / self.columns

    def nodes(self) -> tuple[FloatArray, FloatArray]:
        """Return log efficiency and log midpoint of every node, (rows * columns,)."""
        centres = self.low[:, None] + self.step[:, None] * (np.arange(self.columns) + 0.5)
        return np.repeat(self.rows, self.columns), centres.ravel()

    def resized(self, fresh: FloatArray, low: FloatArray, high: FloatArray, columns: int) -> "Grid":
        """Return a grid over other rows, with the intervals of midpoints interpolated."""
        return Grid(
            rows=fresh,
            low=np.interp(fresh, self.rows, low),
            high=np.interp(fresh, self.rows, high),
            columns=columns,
        )


class Problem:
    """One window in standard form: reward shifted and scaled, compute relative to the end, higher is better."""

    def __init__(
        self, seen: noise.Observations, law: Law, reward_range: RewardRange, *, start: float | None, minimize: bool
    ) -> None:
        self.law = law
        self.sign = -1.0 if minimize else 1.0
        reward = self.sign * seen.reward
        low, high = reward_range.low, reward_range.high
        if minimize:
            low, high = (None if high is None else -high), (None if low is None else -low)
        self.scale = float(np.ptp(reward))
        if low is not None and high is not None:
            self.scale = max(self.scale, priors.CONSTANT_RANGE * (high - low))
        self.scale = max(self.scale, noise.CONSTANT_SHARE * float(np.abs(reward).max())) or 1.0
        self.centre = float(reward.max() + reward.min()) / 2
        self.log_end = float(np.log(seen.compute.max()))
        with np.errstate(divide="ignore"):
            self.log_compute = np.log(seen.compute) - self.log_end
        trained = self.log_compute[np.isfinite(self.log_compute)]
        self._midpoint_ends = priors.log_midpoint_ends(trained)
        self._efficiency_centre = priors.log_efficiency_centre(self.law, trained)
        standard = (reward - self.centre) / self.scale
        root_weight = np.sqrt(seen.count / np.median(seen.count))
        sums = functools.partial(noise.CorrelatedSums, standard, root_weight, seen.series)
        # The search needs to know where the mass is, not how much of it there is: every second correlation will do.
        self._sums = {True: sums(noise.CORRELATIONS[1::2]), False: sums(noise.CORRELATIONS)}
        self._correlation_prior = {
            True: np.log(noise.CORRELATION_WEIGHTS[1::2]),
            False: np.log(noise.CORRELATION_WEIGHTS),
        }
        self.pin = None if start is None else (self.sign * start - self.centre) / self.scale
        recent = max(3, standard.size // 5)
        lowest = -priors.OPEN_START if low is None else (low - self.centre) / self.scale
        # What is logged a little outside of the range is noise: the curve stays inside, the point is kept.
        self.linear = LinearPart(
            low=lowest if self.pin is None else self.pin,
            high=np.inf if high is None else (high - self.centre) / self.scale,
            freedom=standard.size - 1 + priors.NOISE_FREEDOM + (self.pin is not None),
            penalty=priors.NOISE_FREEDOM * priors.NOISE_SCALE**2,
            open_centre=float(standard[-recent:].mean()),
            pinned_start=self.pin,
        )

    def first_grid(self) -> Grid:
        """Return the grid that holds the priors."""
        centre, spread = self._efficiency_centre, self.law.efficiency_spread
        rows = centre + _PRIOR_REACH * spread * np.linspace(-1, 1, _SEARCH_ROWS if self.law.has_efficiency else 1)
        low, high = self._midpoint_ends
        edge = _PRIOR_REACH * priors.MIDPOINT_EDGE
        return Grid(
            rows=rows,
            low=np.full(rows.size, low - edge),
            high=np.full(rows.size, high + edge),
            columns=_SEARCH_COLUMNS if self.law.has_midpoint else 1,
        )

    def _log_prior(self, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
        log_prior = np.zeros(log_efficiency.size)
        if self.law.has_efficiency:
            spread = self.law.efficiency_spread
            log_prior += priors.log_normal_core((log_efficiency - self._efficiency_centre) / spread)
            log_prior -= np.log(spread * np.sqrt(2 * np.pi))
        if self.law.has_midpoint:
            low, high = self._midpoint_ends
            beyond = np.maximum(np.maximum(log_midpoint - high, low - log_midpoint), 0.0)
            log_prior += priors.log_normal_core(beyond / priors.MIDPOINT_EDGE) - np.log(high - low)
        return log_prior

    def conditionals(self, grid: Grid, *, is_search: bool) -> Conditionals:
        """Return the quadratic forms of every node and correlation, flattened to (rows * columns * correlations, 1)."""
        log_efficiency, log_midpoint = grid.nodes()
        shares = self.law.share(self.log_compute[None, :], log_efficiency[:, None], log_midpoint[:, None])
        sums = self._sums[is_search]
        one_share, share_reward, share_share = sums.of_shares(shares)
        start_start = np.maximum(sums.one_one - 2 * one_share + share_share, 1e-12)
        start_reward = sums.one_reward - share_reward
        reward_reward = np.broadcast_to(sums.reward_reward, start_start.shape)
        start_asymptote, asymptote_reward = one_share - share_share, share_reward
        if self.pin is not None:
            reward_reward = reward_reward - self.pin * (2 * start_reward - self.pin * start_start)
            asymptote_reward = asymptote_reward - self.pin * start_asymptote
            start_start, start_asymptote, start_reward = (
                np.ones_like(start_start),
                np.zeros_like(start_asymptote),
                np.zeros_like(start_reward),
            )
        log_weight = self._log_prior(log_efficiency, log_midpoint)
        if self.law.has_efficiency:
            log_weight = log_weight + np.log(grid.rows[1] - grid.rows[0])
        if self.law.has_midpoint:
            log_weight = log_weight + np.log(np.repeat(grid.step, grid.columns))
        per_correlation = self._correlation_prior[is_search] + 0.5 * sums.log_determinant
        return Conditionals(
            start_start=start_start.reshape(-1, 1),
            start_asymptote=start_asymptote.reshape(-1, 1),
            asymptote_asymptote=share_share.reshape(-1, 1),
            start_reward=start_reward.reshape(-1, 1),
            asymptote_reward=asymptote_reward.reshape(-1, 1),
            reward_reward=reward_reward.reshape(-1, 1),
            own_share=np.broadcast_to(1 - sums.correlations**2, start_start.shape).reshape(-1, 1),
            log_weight=(log_weight[:, None] + per_correlation - 0.5 * np.log(start_start)).reshape(-1, 1),
        )

    def log_masses(self, given: Conditionals, cells: int) -> FloatArray:
        """Return ln of the mass of every node and correlation, (j,)."""
        _, masses = self.cell_masses(given, cells)
        peak = masses.max(axis=1)
        total: FloatArray = peak + np.log(np.exp(masses - peak[:, None]).sum(axis=1))
        return total

    def cell_masses(self, given: Conditionals, cells: int) -> tuple[FloatArray, FloatArray]:
        """Return the (j, cells + 1) edges of the cells of A and ln of the mass in each, (j, cells)."""
        edges = self.linear.cells(given, cells)
        width = np.maximum(np.diff(edges, axis=1), _NARROWEST)
        return edges, self.linear.log_density(given, (edges[:, 1:] + edges[:, :-1]) / 2) + np.log(width)


def zoom(problem: Problem) -> Grid:
    """Return the grid on which the posterior is resolved and not cut off."""
    grid = problem.first_grid()
    for _ in range(_MAXIMUM_ZOOMS):
        masses = problem.log_masses(problem.conditionals(grid, is_search=True), SEARCH_CELLS)
        masses = masses.reshape(grid.rows.size, grid.columns, -1)
        peaks = masses.max(axis=2)
        table = peaks + np.log(np.exp(masses - peaks[:, :, None]).sum(axis=2))
        if grid.columns == 1:
            return _zoom_rows(grid, table[:, 0])
        best = table.argmax(axis=1)
        height = table.max(axis=1)
        each = np.arange(grid.rows.size)
        beside = np.minimum(table[each, np.minimum(best + 1, grid.columns - 1)], table[each, np.maximum(best - 1, 0)])
        gap = height - beside
        # A parabola through the best node and its neighbours peaks at most a quarter of the gap higher.
        counts = height.max() - (height + gap / 4) < DEPTH
        kept = height[:, None] - table < DEPTH
        # Mass in an outermost node means that it goes on beyond: the grid is extended, never cut.
        left = np.minimum(kept.argmax(axis=1), best - 1) - _EXTENSION * kept[:, 0]
        right = np.maximum(grid.columns - 1 - kept[:, ::-1].argmax(axis=1), best + 1) + _EXTENSION * kept[:, -1]
        low, high = grid.low + left * grid.step, grid.low + (right + 1) * grid.step
        is_resolved = not (counts[0] or counts[-1]) and bool(gap[counts].max() < 2 * _RESOLVED)
        used = np.flatnonzero(counts)
        spacing = grid.rows[1] - grid.rows[0]
        first = grid.rows[used[0]] - spacing * (1 + _EXTENSION * counts[0])
        last = grid.rows[used[-1]] + spacing * (1 + _EXTENSION * counts[-1])
        if is_resolved:
            # Two separate modes keep a wide interval of rows; a narrow one among them then needs rows closer together.
            top = int(height.argmax())
            steep = height[top] - min(height[top - 1], height[min(top + 1, height.size - 1)])
            rows = _ROWS if steep < 2 * _RESOLVED else 3 * _ROWS
            return grid.resized(np.linspace(first, last, rows), low, high, _COLUMNS)
        grid = grid.resized(np.linspace(first, last, _SEARCH_ROWS), low, high, _SEARCH_COLUMNS)
    return grid


def _zoom_rows(grid: Grid, table: FloatArray) -> Grid:
    """Return the grid of a law that has one shape parameter, or none."""
    if grid.rows.size == 1:
        return grid
    used = np.flatnonzero(table.max() - table < DEPTH)
    spacing = grid.rows[1] - grid.rows[0]
    fresh = np.linspace(grid.rows[used[0]] - spacing, grid.rows[used[-1]] + spacing, 4 * _ROWS)
    return grid.resized(fresh, grid.low, grid.high, 1)
