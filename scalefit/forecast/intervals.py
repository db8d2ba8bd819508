"""From draws to estimates and intervals."""

import numpy as np

from scalefit.caveats import Fit
from scalefit.forecast.values import Estimate
from scalefit.model.departure import Departure
from scalefit.model.posterior import Posterior
from scalefit.run import FloatArray


def interval(draws: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return low, median and high over the first axis."""
    low, middle, high = np.quantile(draws, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=0)
    return low, middle, high


def centre(draws: FloatArray, posterior: Posterior) -> FloatArray:
    """Return the estimate over the first axis: the mean, which errs least, where the range is bounded, else the median.

    The tails of a forecast on an open scale are too heavy for a mean.
    """
    centre: FloatArray = draws.mean(axis=0) if posterior.reward_range.is_bounded else np.median(draws, axis=0)
    return centre


def robust_interval(draws: FloatArray, departure: Departure, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return low, estimate and high over the first axis, as the calibration says."""
    centre = departure.rates.centre if departure.footing.sign > 0 else 1 - departure.rates.centre
    low, middle, high = np.quantile(draws, [(1 - level) / 2, centre, (1 + level) / 2], axis=0)
    factor, (lowest, highest) = departure.calibration.band_factor, departure.footing.limits
    if factor != 1:
        low, high = middle + factor * (low - middle), middle + factor * (high - middle)
        if lowest is not None or highest is not None:
            low, high = np.clip(low, lowest, highest), np.clip(high, lowest, highest)
    return low, middle, high


def estimate(draws: FloatArray, level: float) -> Estimate:
    """Return the median of (m,) draws with their interval."""
    low, middle, high = interval(draws, level)
    return Estimate(estimate=float(middle), low=float(low), high=float(high))


def as_logged(draws: FloatArray, fit: Fit) -> FloatArray:
    """Return draws of logged rewards, kept inside the reward's range if every reward of the window is."""
    limits, reward = fit.posterior.reward_range, fit.window.reward
    low = limits.low if limits.low is not None and reward.min() >= limits.low else None
    high = limits.high if limits.high is not None and reward.max() <= limits.high else None
    return draws if low is None and high is None else np.asarray(np.clip(draws, low, high))
