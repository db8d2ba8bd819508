"""The exact posterior of a window: no optimiser, no starting values, no random seed.

The two shape parameters stand on the grid of `scalefit.model.grid`; at every node the rest is integrated as
`scalefit.model.conditional` and `scalefit.model.noise` say. The result is a table of equally weighted draws, taken from
the grid at evenly spaced quantiles.
"""

import dataclasses

import numpy as np

from scalefit.model import noise
from scalefit.model.conditional import Conditionals
from scalefit.model.curves import Law
from scalefit.model.grid import CELLS, DEPTH, SEARCH_CELLS, Problem, zoom
from scalefit.model.sequences import radical_inverse
from scalefit.run import FitWindow, FloatArray, RewardRange

DRAWS = 2000
"""Rows of the table; the ends of a 90 % interval then move by less than 2 % of its width."""


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
    problem = Problem(seen, law, reward_range, start=start, minimize=minimize)
    grid = zoom(problem)
    everything = problem.conditionals(grid, is_search=False)
    masses = problem.log_masses(everything, SEARCH_CELLS)
    peak = masses.max()
    kept = np.flatnonzero(masses > peak - DEPTH).astype(np.int64)
    given = everything.select(kept)
    edges, cell_masses = problem.cell_masses(given, CELLS)
    top = cell_masses.max()
    weight = np.exp(cell_masses - top).ravel()
    cumulative = np.cumsum(weight)

    position = (np.arange(DRAWS) + 0.5) / DRAWS * cumulative[-1]
    cell = np.searchsorted(cumulative, position)
    row, column = np.divmod(cell, CELLS)
    inside = (position - (cumulative[cell] - weight[cell])) / weight[cell]
    asymptote = edges[row, column] + (edges[row, column + 1] - edges[row, column]) * inside
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
