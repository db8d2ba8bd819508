"""A window, what the fit made of it, and what may be read from that."""

import dataclasses

import numpy as np

from scalefit.model.departure import Departure
from scalefit.model.noise import CONSTANT_SHARE
from scalefit.model.posterior import Posterior
from scalefit.run import FitWindow, FloatArray, Run

IDENTIFIED_WIDTH = 0.5
"""Widest interval of the asymptote, in shares of the gain A - R0, that may still be read as a value."""

MEDIAN_CHI_SQUARE = 0.4549
"""Median of a squared standard normal variable."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What the detectors look at."""

    run: Run
    """The run; its rows after the window only tell what came of the forecast."""
    window: FitWindow
    """What the fit saw."""
    posterior: Posterior
    """What it made of it."""
    departure: Departure
    """What it may do beyond its law."""
    level: float
    """Probability of the intervals."""
    start: float | None
    """Reward at zero compute, if it was given."""

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1."""
        return -1.0 if self.posterior.minimize else 1.0

    @property
    def has_constant_reward(self) -> bool:
        """Whether every row of the window holds the same reward."""
        return float(np.ptp(self.window.reward)) <= CONSTANT_SHARE * float(np.abs(self.window.reward).max())

    @property
    def is_identified(self) -> bool:
        """Whether the asymptote may be read as a value.

        The window must have passed the midpoint at the level asked for, and the interval must be narrow against the
        gain. Before the midpoint the curve is about (A - R0) (C / C_mid)^B: one combination of three numbers.
        """
        posterior = self.posterior
        if not (posterior.law.has_asymptote and posterior.law.has_midpoint) or self.has_constant_reward:
            return False
        passed = float((posterior.log_midpoint < posterior.log_end).mean())
        low, high = np.quantile(posterior.asymptote, [(1 - self.level) / 2, (1 + self.level) / 2])
        gain = float(np.median(self.sign * (posterior.asymptote - posterior.start)))
        return passed >= (1 + self.level) / 2 and float(high - low) <= IDENTIFIED_WIDTH * gain

    @property
    def median_curve(self) -> FloatArray:
        """(n,), the median of the fitted curve at the observations with positive compute."""
        seen = self.posterior.observations
        curve: FloatArray = np.median(self.posterior.curve(seen.compute[seen.compute > 0]), axis=0)
        return curve

    @property
    def residuals(self) -> tuple[FloatArray, FloatArray]:
        """Compute and residual, (n,) each, of the observations with positive compute; positive is better."""
        seen = self.posterior.observations
        trained = seen.compute > 0
        return seen.compute[trained], self.sign * (seen.reward[trained] - self.median_curve)

    @property
    def step_noise(self) -> float:
        """Standard deviation of the noise as successive points show it, reward units: no misfit enters it."""
        seen = self.posterior.observations
        steps = np.diff(seen.reward)[seen.series[1:] == seen.series[:-1]]
        return float(np.sqrt(np.median(steps**2) / MEDIAN_CHI_SQUARE / 2)) if steps.size else 0.0
