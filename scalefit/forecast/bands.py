"""The three bands over a grid of compute, and the forecast of no model."""

import numpy as np
from scipy.special import ndtri

from scalefit.caveats import Fit
from scalefit.forecast.intervals import as_logged, centre, interval, robust_interval
from scalefit.forecast.values import Band
from scalefit.model.sequences import radical_inverse
from scalefit.run import FitWindow, FloatArray

GRID_POINTS = 25
"""Compute values of a band between two ends."""

BASELINE_POINTS = 3
"""Points at the window's end whose mean is the forecast of no model."""


def draw_band(fit: Fit, compute: FloatArray) -> Band:
    """Return the three bands at (m,) compute > 0, increasing, in the unit of the run."""
    departure, level = fit.departure, fit.level
    lawful = fit.posterior.curve(compute)
    low, _, high = interval(lawful, level)
    robust = departure.curve(compute)
    robust_low, robust_middle, robust_high = robust_interval(robust, departure, level)
    noise = fit.posterior.point_sd * ndtri(radical_inverse(fit.posterior.noise_sd.size, 13))
    noisy = as_logged(robust + noise[:, None], fit)
    seen_low, _, seen_high = robust_interval(noisy, departure, level)
    arrays = {
        "compute": compute,
        # The mean of a distribution with a far tail may leave its own interval; the estimate does not.
        "estimate": np.clip(centre(lawful, fit.posterior), low, high),
        "low": low,
        "high": high,
        "robust_estimate": robust_middle,
        "robust_low": robust_low,
        "robust_high": robust_high,
        "observation_low": seen_low,
        "observation_high": seen_high,
    }
    for array in arrays.values():
        array.flags.writeable = False
    return Band(**arrays)


def baseline_of(window: FitWindow) -> float:
    """Return the forecast of no model: the mean of the last points in the window, reward units."""
    return float(window.reward[-BASELINE_POINTS:].mean())
