"""The laws: how a share of the gain grows with compute.

Every law is ``R(C) = P + (A - P) * share(C)`` with two linear parameters and at most two shape parameters. That is
what lets `scalefit.model.posterior` treat each of them exactly: for a fixed shape the curve is linear in the rest.
"""

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from scipy.special import expit, logit

from scalefit.run import FloatArray


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A family of curves."""

    name: str
    """As the user writes it."""
    formula: str
    """For people."""
    has_midpoint: bool
    """Whether a second shape parameter, a scale of compute, exists."""
    has_efficiency: bool
    """Whether the first shape parameter exists."""
    has_asymptote: bool
    """Whether the curve saturates."""
    has_start: bool
    """Whether the curve has a finite value at zero compute."""
    efficiency_median: float
    """Of the prior of the efficiency, log-normal."""
    efficiency_spread: float
    """Standard deviation of its logarithm."""
    share: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    """(log compute, log efficiency, log midpoint) -> share of the gain; logs relative to the window's end."""
    log_compute_for_share: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    """The inverse: (share, log efficiency, log midpoint) -> log compute relative to the window's end."""


def sigmoid_share(log_compute: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    """Return ``1 / (1 + (C_mid / C)^B)``, a logistic in ln C (arXiv 2510.13786, eq. 1); exactly 0 at C = 0."""
    share: FloatArray = expit(np.exp(log_efficiency) * (log_compute - log_midpoint))
    return share


def _sigmoid_inverse(share: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    log_compute: FloatArray = log_midpoint + logit(share) * np.exp(-log_efficiency)
    return log_compute


def _exponential_share(log_compute: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    # The stretched exponential with C_mid at half of the gain, so that the midpoint means the same as in the sigmoid.
    share: FloatArray = -np.expm1(
        -np.log(2) * np.exp(np.minimum(np.exp(log_efficiency) * (log_compute - log_midpoint), 50.0))
    )
    return share


def _exponential_inverse(share: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    log_compute: FloatArray = log_midpoint + np.log(-np.log1p(-share) / np.log(2)) * np.exp(-log_efficiency)
    return log_compute


# The clip keeps the power of an early row finite: below 1e-6 of the window's end the law's value is no information.
_EARLIEST_LOG = np.log(1e-6)
# A row a thousand gains below the asymptote is as wrong as one a million below, and a sum of squares keeps its digits.
_STEEPEST = np.log(1e3)


def _power_share(log_compute: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    exponent = np.minimum(-np.exp(log_efficiency) * np.maximum(log_compute, _EARLIEST_LOG), _STEEPEST)
    share: FloatArray = -np.expm1(exponent) + 0 * log_midpoint
    return share


def _power_inverse(share: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    log_compute: FloatArray = -np.log1p(-share) * np.exp(-log_efficiency) + 0 * log_midpoint
    return log_compute


def _log_share(log_compute: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    share: FloatArray = np.maximum(log_compute, _EARLIEST_LOG) / np.log(2) + 0 * (log_efficiency + log_midpoint)
    return share


def _log_inverse(share: FloatArray, log_efficiency: FloatArray, log_midpoint: FloatArray) -> FloatArray:
    log_compute: FloatArray = share * np.log(2) + 0 * (log_efficiency + log_midpoint)
    return log_compute


SIGMOID = Law(
    name="sigmoid",
    formula="R0 + (A - R0) / (1 + (C_mid / C)^B)",
    has_midpoint=True,
    has_efficiency=True,
    has_asymptote=True,
    has_start=True,
    efficiency_median=1.4,
    efficiency_spread=0.5,
    share=sigmoid_share,
    log_compute_for_share=_sigmoid_inverse,
)
EXPONENTIAL = Law(
    name="exponential",
    formula="A - (A - R0) 2^-(C / C_mid)^B",
    has_midpoint=True,
    has_efficiency=True,
    has_asymptote=True,
    has_start=True,
    efficiency_median=0.8,
    efficiency_spread=0.4,
    share=_exponential_share,
    log_compute_for_share=_exponential_inverse,
)
POWER = Law(
    name="power",
    formula="A - D C^-B",
    has_midpoint=False,
    has_efficiency=True,
    has_asymptote=True,
    has_start=False,
    efficiency_median=0.4,
    efficiency_spread=0.8,
    share=_power_share,
    log_compute_for_share=_power_inverse,
)
LOG_LINEAR = Law(
    name="log-linear",
    formula="a + b ln C",
    has_midpoint=False,
    has_efficiency=False,
    has_asymptote=False,
    has_start=False,
    efficiency_median=1.0,
    efficiency_spread=0.5,
    share=_log_share,
    log_compute_for_share=_log_inverse,
)

LAWS: Mapping[str, Law] = MappingProxyType({law.name: law for law in (SIGMOID, EXPONENTIAL, POWER, LOG_LINEAR)})
"""Every law by name."""
