"""Whether a run has fallen from its best, for good and not for one noisy point."""

import dataclasses
import math

import numpy as np

from scalefit.model.curves import SIGMOID
from scalefit.model.noise import observe
from scalefit.model.posterior import Posterior, fit_posterior
from scalefit.run import FitWindow, FloatArray, RewardRange

SMOOTHED_POINTS = 10
"""Observations that a smoothed reward is the mean of; fewer (a fifth of all, at least 3) in a short log."""

_FEWEST = 3

MARGIN = 3.3
"""Standard errors of the difference between two smoothed rewards by which a fall must exceed the threshold.

Smoothed rewards are compared at every point and the best of them is a maximum, so this is no single test: 500
healthy runs of 20 looks are called collapsed in less than one of fifty."""

_NOISE_QUANTILE = 0.75
"""Of what the standard error may be, given that the correlation of the noise is not known."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """How far a run stands below the best smoothed reward it has had."""

    points: int
    """Observations looked at."""
    best: float
    """Best smoothed reward, reward units."""
    best_compute: float
    """Where it was, unit of the run."""
    now: float
    """Mean of the last observations, reward units."""
    drop: float
    """What was lost, reward units, >= 0."""
    low: float
    """Lower end of it."""
    high: float
    """Upper end of it."""


def measure_fall(window: FitWindow, reward_range: RewardRange, *, minimize: bool = False) -> Fall:
    """Measure how far a run stands below the best smoothed reward it has had.

    Parameters
    ----------
    window
        The rows of the run, at least four.
    reward_range
        What the reward can be.
    minimize
        Whether lower is better.
    """
    sign = -1.0 if minimize else 1.0
    seen = observe(window.compute, window.reward, window.replicate)
    order = np.lexsort((seen.series, seen.compute))
    compute, reward = seen.compute[order], sign * seen.reward[order]
    width = max(min(SMOOTHED_POINTS, reward.size // 5), min(_FEWEST, reward.size))
    smoothed = np.convolve(reward, np.full(width, 1 / width), mode="valid")
    best, now = int(smoothed.argmax()), float(smoothed[-1])
    drop = float(smoothed[best]) - now
    error = _standard_error(window, reward_range, float(compute[best + width - 1]), width, minimize=minimize)
    # Neighbouring means share points, and the noise of shared points cancels.
    apart = min(1.0, (smoothed.size - 1 - best) / width)
    margin = MARGIN * math.sqrt(2 * apart) * error
    return Fall(
        points=int(reward.size),
        best=sign * float(smoothed[best]),
        best_compute=float(compute[best : best + width].mean()),
        now=sign * now,
        drop=drop,
        low=max(drop - margin, 0.0),
        high=drop + MARGIN * math.sqrt(2) * error,
    )


def _standard_error(window: FitWindow, reward_range: RewardRange, until: float, width: int, *, minimize: bool) -> float:
    """Return the standard error of a smoothed reward, from the noise before the fall: a fall itself is no noise."""
    before = window.compute <= until
    enough = 4 * width
    if np.unique(window.compute[before]).size < enough:
        before = np.ones(window.points, dtype=np.bool_)
    early = dataclasses.replace(
        window,
        compute=window.compute[before],
        reward=window.reward[before],
        replicate=window.replicate[before],
        end=float(window.compute[before][-1]),
    )
    posterior = fit_posterior(early, SIGMOID, reward_range, minimize=minimize)
    return float(np.quantile(_errors(posterior, width), _NOISE_QUANTILE))


def _errors(posterior: Posterior, width: int) -> FloatArray:
    """Return the standard error of the mean of ``width`` neighbours for each draw: AR(1), its finite sum."""
    lag = np.arange(1, width)
    shares = 1 + 2 * ((1 - lag / width) * posterior.correlation[:, None] ** lag).sum(axis=1)
    errors: FloatArray = posterior.noise_sd * np.sqrt(np.maximum(shares, 0.0) / width)
    return errors
