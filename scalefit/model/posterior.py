"""The exact posterior of a window: no optimiser, no starting values, no random seed.

The two shape parameters stand on a grid that is laid where the data put them: each row of the grid (an efficiency) has
its own interval of midpoints, so that the curved ridge of early data, where C_mid and A are not separable, is followed
rather than boxed in. At every node the rest is integrated as `scalefit.model.conditional` and `scalefit.model.noise`
say. The result is a table of equally weighted draws, taken from the grid at evenly spaced quantiles.
"""

import dataclasses
import functools

import numpy as np

from scalefit.model import noise, priors
from scalefit.model.conditional import Conditionals, LinearPart
from scalefit.model.curves import Law
from scalefit.model.sequences import radical_inverse
from scalefit.run import FitWindow, FloatArray, RewardRange

DRAWS = 2000
"""Rows of the table; the ends of a 90 % interval then move by less than 2 % of its width."""

_DEPTH = 7.0
"""Nats below the best node at which a node no longer counts."""
_SEARCH_ROWS, _SEARCH_COLUMNS, _SEARCH_CELLS = 13, 24, 3
_ROWS, _COLUMNS, _CELLS = 18, 14, 14
_MAXIMUM_ZOOMS = 14
_EXTENSION = 2
_NARROWEST = 1e-300
_PRIOR_REACH = 4.1
"""Standard deviations at which a prior of normal core and exponential tails is `_DEPTH` nats below its peak."""
_RESOLVED = 2.0
"""Nats between neighbouring nodes of a row below which the row is resolved."""
_TINY = 1e-300


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """Equally weighted draws of what the window allows; every array (m,), in one order, read-only."""

    law: Law
    """The law."""
    start: FloatArray
    """R0, reward units (for a law without a start: the reward at the window's end)."""
    asymptote: FloatArray
    """A, reward units (for a law without asymptote: one doubling after the window's end)."""
    efficiency: FloatArray
    """B."""
    log_midpoint: FloatArray
    """ln C_mid, unit of the run."""
    noise_sd: FloatArray
    """Standard deviation of an observation (a point, or the mean of a bin of them) around the curve, reward units."""
    correlation: FloatArray
    """Of the noise of neighbouring points."""
    efficiency_offset: FloatArray
    """ln of the factor that spreads the efficiency evenly over its row of the grid: for reading B alone."""
    midpoint_offset: FloatArray
    """The same for the midpoint."""
    log_end: float
    """ln of the window's end."""
    log_evidence: float
    """ln of the probability of the window under the law, up to a constant that all laws share."""
    scale: float
    """The window's range of rewards as the fit sees it, reward units."""
    reward_range: RewardRange
    """What the reward can be."""
    minimize: bool
    """Whether lower is better."""
    observations: noise.Observations
    """What the likelihood saw."""

    @property
    def point_sd(self) -> FloatArray:
        """Standard deviation of a single logged point around the curve, (m,), reward units."""
        spread: FloatArray = np.hypot(self.noise_sd, self.observations.within_sd)
        return spread

    def mean_sd(self, rows: int) -> FloatArray:
        """Return the standard deviation of the mean of neighbouring rows around the curve, (m,), reward units."""
        observations = max(rows / float(np.median(self.observations.count)), 1.0)
        memory = (1 + self.correlation) / (1 - self.correlation) / observations
        shared = self.noise_sd * np.sqrt(np.minimum(memory, 1.0))
        spread: FloatArray = np.hypot(shared, self.observations.within_sd / np.sqrt(rows))
        return spread

    def share(self, compute: FloatArray) -> FloatArray:
        """Return the share of the gain, (m, k), at (k,) compute > 0 in the unit of the run."""
        return self.law.share(
            np.log(compute)[None, :] - self.log_end,
            np.log(self.efficiency)[:, None],
            self.log_midpoint[:, None] - self.log_end,
        )

    def curve(self, compute: FloatArray) -> FloatArray:
        """Return the mean reward, (m, k), at (k,) compute > 0 in the unit of the run."""
        share = self.share(compute)
        curve: FloatArray = self.start[:, None] + (self.asymptote - self.start)[:, None] * share
        if not self.law.has_asymptote:
            curve = np.clip(curve, self.reward_range.low, self.reward_range.high)
        return curve


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Nodes of the shape: rows of log efficiency, each with its own interval of log midpoint."""

    rows: FloatArray
    low: FloatArray
    high: FloatArray
    columns: int

    @property
    def step(self) -> FloatArray:
        return (self.high - self.low) / self.columns

    def nodes(self) -> tuple[FloatArray, FloatArray]:
        """Return log efficiency and log midpoint of every node, (rows * columns,)."""
        centres = self.low[:, None] + self.step[:, None] * (np.arange(self.columns) + 0.5)
        return np.repeat(self.rows, self.columns), centres.ravel()

    def resized(self, fresh: FloatArray, low: FloatArray, high: FloatArray, columns: int) -> "_Grid":
        """Return a grid over other rows, with the intervals of midpoints interpolated."""
        return _Grid(
            rows=fresh,
            low=np.interp(fresh, self.rows, low),
            high=np.interp(fresh, self.rows, high),
            columns=columns,
        )


class _Problem:
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

    def first_grid(self) -> _Grid:
        """Return the grid that holds the priors."""
        centre, spread = self._efficiency_centre, self.law.efficiency_spread
        rows = centre + _PRIOR_REACH * spread * np.linspace(-1, 1, _SEARCH_ROWS if self.law.has_efficiency else 1)
        low, high = self._midpoint_ends
        edge = _PRIOR_REACH * priors.MIDPOINT_EDGE
        return _Grid(
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

    def conditionals(self, grid: _Grid, *, is_search: bool) -> Conditionals:
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
        edges = self.linear.cells(given, cells)
        width = np.maximum(np.diff(edges, axis=1), _TINY)
        density = self.linear.log_density(given, (edges[:, 1:] + edges[:, :-1]) / 2) + np.log(width)
        peak = density.max(axis=1)
        mass: FloatArray = peak + np.log(np.exp(density - peak[:, None]).sum(axis=1))
        return mass


def _zoom(problem: _Problem) -> _Grid:
    """Return the grid on which the posterior is resolved and not cut off."""
    grid = problem.first_grid()
    for _ in range(_MAXIMUM_ZOOMS):
        masses = problem.log_masses(problem.conditionals(grid, is_search=True), _SEARCH_CELLS)
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
        counts = height.max() - (height + gap / 4) < _DEPTH
        kept = height[:, None] - table < _DEPTH
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


def _zoom_rows(grid: _Grid, table: FloatArray) -> _Grid:
    """Return the grid of a law that has one shape parameter, or none."""
    if grid.rows.size == 1:
        return grid
    used = np.flatnonzero(table.max() - table < _DEPTH)
    spacing = grid.rows[1] - grid.rows[0]
    fresh = np.linspace(grid.rows[used[0]] - spacing, grid.rows[used[-1]] + spacing, 4 * _ROWS)
    return grid.resized(fresh, grid.low, grid.high, 1)


def _offsets(step: FloatArray | float, base: int) -> FloatArray:
    """Return offsets that are uniform over a step of the grid."""
    offsets: FloatArray = step * (radical_inverse(DRAWS, base) - 0.5)
    return offsets


def fit_posterior(
    window: FitWindow, law: Law, reward_range: RewardRange, *, start: float | None = None, minimize: bool = False
) -> Posterior:
    """Return the exact posterior of a window.

    Parameters
    ----------
    window
        The rows that the fit sees; rows at compute 0 are evaluations before training.
    law
        The law.
    reward_range
        What the reward can be.
    start
        Reward at zero compute, if it is known; reward units.
    minimize
        Whether lower is better.

    Returns
    -------
    Posterior
        `DRAWS` equally weighted draws; the same for the same window, whatever the order of rows with equal compute.

    Notes
    -----
    Scaling or shifting the reward scales or shifts start and asymptote, rescaling compute moves the midpoint, and
    neither changes anything else. The curve is arXiv 2510.13786, eq. 1.
    """
    seen = noise.observe(window.compute, window.reward, window.replicate)
    problem = _Problem(seen, law, reward_range, start=start, minimize=minimize)
    grid = _zoom(problem)
    everything = problem.conditionals(grid, is_search=False)
    masses = problem.log_masses(everything, _SEARCH_CELLS)
    peak = masses.max()
    kept = np.flatnonzero(masses > peak - _DEPTH).astype(np.int64)
    given = everything.select(kept)
    edges = problem.linear.cells(given, _CELLS)
    width = np.maximum(np.diff(edges, axis=1), _TINY)
    density = problem.linear.log_density(given, (edges[:, 1:] + edges[:, :-1]) / 2) + np.log(width)
    top = density.max()
    weight = np.exp(density - top).ravel()
    cumulative = np.cumsum(weight)

    position = (np.arange(DRAWS) + 0.5) / DRAWS * cumulative[-1]
    cell = np.searchsorted(cumulative, position)
    row, column = np.divmod(cell, _CELLS)
    inside = (position - (cumulative[cell] - weight[cell])) / weight[cell]
    asymptote = edges[row, column] + width[row, column] * inside
    uniform = radical_inverse(DRAWS, 2)
    drawn = Conditionals(**{f.name: getattr(given, f.name)[row, 0] for f in dataclasses.fields(given)})
    start_draws, innovation = problem.linear.draw_start(drawn, asymptote, uniform)
    node, which = np.divmod(kept[row], noise.CORRELATIONS.size)
    log_efficiency, log_midpoint = (values[node] for values in grid.nodes())
    correlation = noise.CORRELATIONS[which]

    def in_reward(standard: FloatArray) -> FloatArray:
        values: FloatArray = problem.sign * (standard * problem.scale + problem.centre)
        return values

    arrays = {
        "start": in_reward(start_draws),
        "asymptote": in_reward(asymptote),
        "efficiency": np.exp(log_efficiency),
        "log_midpoint": log_midpoint + problem.log_end,
        "efficiency_offset": _offsets(float(np.ptp(grid.rows[:2])), 19),
        "midpoint_offset": _offsets(grid.step[node // grid.columns], 23) if law.has_midpoint else np.zeros(DRAWS),
        "noise_sd": np.sqrt(innovation / (1 - correlation**2)) * problem.scale,
        "correlation": correlation,
    }
    for array in arrays.values():
        array.flags.writeable = False
    return Posterior(
        law=law,
        log_end=problem.log_end,
        log_evidence=float(top + np.log(cumulative[-1])),
        scale=problem.scale,
        reward_range=reward_range,
        minimize=minimize,
        observations=seen,
        **arrays,
    )
