"""Runs drawn from a given curve and noise: for planning, and for tests that know the truth."""

import dataclasses
import math
from typing import Literal

import numpy as np

from scalefit.errors import UsageError
from scalefit.model.curves import sigmoid_share
from scalefit.run import FloatArray

MOST_POINTS = 10_000_000
"""Rows of a drawn log beyond which the number is a slip of the finger; arrays of this length take 80 MB each."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The curve and the noise that a run is drawn from.

    Raises
    ------
    UsageError
        If a value is out of its domain.
    """

    asymptote: float
    """A, reward units."""
    efficiency: float
    """B, above 0."""
    midpoint: float
    """C_mid, GPU-hours, above 0."""
    start: float
    """R0, reward units."""
    noise_sd: float
    """Standard deviation of a row around the curve, reward units, >= 0."""
    autocorrelation: float
    """Correlation of the noise of neighbouring rows, in (-1, 1)."""

    def __post_init__(self) -> None:
        """Check the domains."""
        for option, value in (("--asymptote", self.asymptote), ("--start", self.start)):
            _require(math.isfinite(value), option, value, "a finite reward")
        for option, value in (("--efficiency", self.efficiency), ("--midpoint", self.midpoint)):
            _require(math.isfinite(value) and value > 0, option, value, "a number above 0")
        _require(math.isfinite(self.noise_sd) and self.noise_sd >= 0, "--noise-sd", self.noise_sd, "0 or more")
        _require(abs(self.autocorrelation) < 1, "--autocorrelation", self.autocorrelation, "a number between -1 and 1")


def spread_compute(*, points: int, budget: float, spacing: Literal["linear", "log"] = "linear") -> FloatArray:
    """Return where rows are logged, up to the budget.

    Parameters
    ----------
    points
        Number of rows, at least 1.
    budget
        Compute of the last row, GPU-hours, above 0.
    spacing
        Equal steps, or equal ratios over three decades.

    Returns
    -------
    FloatArray
        (points,), GPU-hours, increasing.

    Raises
    ------
    UsageError
        If the number or the budget is out of its domain.
    """
    _require(1 <= points <= MOST_POINTS, "--points", points, f"a number of rows from 1 to {MOST_POINTS}")
    _require(math.isfinite(budget) and budget > 0, "--budget", budget, "a number above 0")
    if spacing == "log":
        return np.geomspace(budget / 1000, budget, points) if points > 1 else np.array([budget])
    return np.asarray(np.arange(1, points + 1) * (budget / points), dtype=np.float64)


def mean_reward(truth: Truth, compute: FloatArray) -> FloatArray:
    """Return ``R0 + (A - R0) / (1 + (C_mid / C)^B)`` (arXiv 2510.13786, eq. 1).

    Parameters
    ----------
    truth
        The curve.
    compute
        (n,), GPU-hours, >= 0.
    """
    with np.errstate(divide="ignore"):
        log_compute = np.log(compute / truth.midpoint)
    share = sigmoid_share(log_compute, np.asarray(math.log(truth.efficiency)), np.asarray(0.0))
    return np.asarray(truth.start + (truth.asymptote - truth.start) * share, dtype=np.float64)


def draw_rewards(truth: Truth, compute: FloatArray, *, seed: int) -> FloatArray:
    """Return the rewards of one run: the curve and stationary AR(1) noise.

    Parameters
    ----------
    truth
        The curve and the noise.
    compute
        (n,), GPU-hours, >= 0.
    seed
        Of PCG64, >= 0: the same seed gives the same run on every machine.

    Raises
    ------
    UsageError
        If the seed is negative.
    """
    _require(seed >= 0, "--seed", seed, "0 or more")
    generator = np.random.Generator(np.random.PCG64(seed))
    shocks = generator.standard_normal(compute.size)
    noise = np.empty(compute.size)
    # e_1 ~ N(0, sd^2), e_t = rho e_{t-1} + sqrt(1 - rho^2) sd z_t: every row has the same standard deviation.
    scale, previous = math.sqrt(1 - truth.autocorrelation**2), 0.0
    for index, shock in enumerate(shocks.tolist()):
        previous = shock if index == 0 else truth.autocorrelation * previous + scale * shock
        noise[index] = previous
    return np.asarray(mean_reward(truth, compute) + truth.noise_sd * noise, dtype=np.float64)


def _require(holds: bool, option: str, value: float, expected: str) -> None:  # noqa: FBT001 a check, not a flag
    if not holds:
        raise UsageError(f"{value:g} cannot be used", where=option, expected=f"expected {expected}")
