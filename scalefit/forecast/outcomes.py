"""A forecast held against the rows after its window."""

import numpy as np
from scipy.special import ndtri

from scalefit.caveats import Fit
from scalefit.forecast.bands import GRID_POINTS, baseline_of, draw_band
from scalefit.forecast.intervals import as_logged, centre, interval, robust_interval
from scalefit.forecast.values import Outcome
from scalefit.model.sequences import radical_inverse
from scalefit.run import FloatArray

END_SHARE = 0.15
"""The outcome is the mean reward over the rows in this last share of the compute in the log."""


def _mean_over(curve: FloatArray, weight: FloatArray) -> FloatArray:
    mean: FloatArray = curve @ (weight / weight.sum())
    return mean


def outcome_of(fit: Fit) -> Outcome | None:
    """Hold the rows after the window of a fit against its forecast; None if there are none."""
    run, window, posterior, departure, level = fit.run, fit.window, fit.posterior, fit.departure, fit.level
    later = run.compute > window.end
    if not later.any():
        return None
    compute, reward = run.compute[later], run.reward[later]
    at_end = compute >= (1 - END_SHARE) * run.compute[-1]
    # A million rows share a few dozen values of the curve: neighbours are put together, with their number as weight.
    ends = compute[at_end]
    parts = np.array_split(ends, min(ends.size, 2 * GRID_POINTS))
    middles, weights = np.array([part.mean() for part in parts]), np.array([float(part.size) for part in parts])
    sampling = posterior.mean_sd(ends.size) * ndtri(radical_inverse(posterior.noise_sd.size, 17))
    lawful = _mean_over(posterior.curve(middles), weights)
    robust = _mean_over(departure.curve(middles), weights)
    observed = float(reward[at_end].mean())
    low, _, high = interval(as_logged(lawful + sampling, fit), level)
    robust_low, _, robust_high = robust_interval(as_logged(robust + sampling, fit), departure, level)
    grid = np.geomspace(window.end, float(compute[-1]), 2 * GRID_POINTS)
    band = draw_band(fit, grid)
    below = np.interp(np.log(compute), np.log(grid), band.observation_low)
    above = np.interp(np.log(compute), np.log(grid), band.observation_high)
    return Outcome(
        points=int(compute.size),
        observed=observed,
        error=float(centre(lawful, posterior)) - observed,
        robust_error=float(robust_interval(robust, departure, level)[1]) - observed,
        covered=bool(low <= observed <= high),
        covered_robust=bool(robust_low <= observed <= robust_high),
        low=float(low),
        high=float(high),
        robust_low=float(robust_low),
        robust_high=float(robust_high),
        baseline_error=baseline_of(window) - observed,
        points_covered=float(((reward >= below) & (reward <= above)).mean()),
    )
