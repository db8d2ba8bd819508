"""What is believed of a run before its log is seen; the README says the same in words."""

import math

import numpy as np

from scalefit.model.curves import Law
from scalefit.run import FloatArray

MIDPOINT_EARLIEST = 0.02
"""C_mid / window's end: log-uniform from here (from the first tenth of the points, if that is earlier) ..."""
MIDPOINT_LATEST = 20.0
"""... to here; a run whose midpoint is far beyond cannot be told from a power law anyway."""
MIDPOINT_EDGE = 0.3
"""Beyond both ends the density of ln C_mid falls with this scale: nothing is cut off."""

LOG_SPAN = 8.0
"""e-foldings of compute (more than three decades) beyond which an evenly spread log is none of a training run."""

TAIL_START = 2.5
"""Standard deviations beyond which a normal prior goes on as an exponential one."""

ASYMPTOTE_POWER = 0.4
"""On a bounded range the asymptote's density is (A - lowest reward) to this power, the start uniform below it:
between a uniform asymptote (0), which lags behind runs that rise late, and uniform pairs (1), which overshoot on runs
of a high start. Both ends do worse on runs of known truth and on the published ones."""

OPEN_SCALE = 1.4
"""On an open scale the asymptote has a Student t prior around the last rewards, this many window ranges wide ..."""
OPEN_FREEDOM = 2.0
"""... with this many degrees of freedom: tails heavy enough never to exclude a ceiling that the data do not exclude."""
OPEN_START = 3.0
"""On an open scale the start may lie this many window ranges below the middle of the window's rewards."""

NOISE_FREEDOM = 1.0
"""The noise variance is scaled inverse chi-square with one degree of freedom ..."""
NOISE_SCALE = 0.02
"""... around this share of the window's range: it keeps four exact points from claiming that there is no noise."""

NOISE_LARGEST = 0.3
"""The standard deviation of the noise falls off like a normal above this share of the window's range: without it a slow
rise is now and then taken whole for noise of a very long memory."""

CONSTANT_RANGE = 1e-3
"""Stands in for the window's range where that is smaller than this share of the reward's range."""


def log_midpoint_ends(log_compute: FloatArray) -> tuple[float, float]:
    """Return ln of the ends of the log-uniform part for a window with (n,) ln of positive compute.

    All relative to the window's end. A tenth of the points may lie before the earlier end: the prior must not hang on
    one early row (the first tick of a clock).
    """
    return min(math.log(MIDPOINT_EARLIEST), float(np.quantile(log_compute, 0.1))), math.log(MIDPOINT_LATEST)


def log_efficiency_centre(law: Law, log_compute: FloatArray) -> float:
    """Return the prior median of ln B for a window with (n,) log compute relative to its end.

    An efficiency belongs to an axis of compute. A log that is spread evenly over more than `LOG_SPAN` e-foldings
    stands on an axis of another kind (an exponential of a dose or a time), and its curve is as much slower in ln C.
    """
    span = float(-np.quantile(log_compute, 0.25)) / 0.75
    return math.log(law.efficiency_median) - math.log(max(span / LOG_SPAN, 1.0))


def log_normal_core(standardised: FloatArray) -> FloatArray:
    """Return a normal log density, up to a constant, with exponential tails (Huber 1964).

    A run far from the usual then costs the log of its data in proportion, not in the square: enough data overrule the
    prior, and the grid that holds it stays small.
    """
    size = np.abs(standardised)
    density: FloatArray = np.where(size < TAIL_START, -0.5 * size**2, TAIL_START * (0.5 * TAIL_START - size))
    return density
