"""What runs do beyond their sigmoid.

Real runs surprise upwards: of 359 public runs seen to a quarter, 35 % ended above the 90 % band of an exact sigmoid
posterior and 7 % below it. The robust band adds three things to the posterior, each with a rate learned from public
runs (`DepartureRates`):

* *a rise beyond the law*: each doubling of compute after the window closes a share ``1 - exp(-e)`` of what is left to
  the best possible reward (on an open scale: adds ``e`` times the window's own range), ``e`` Gamma-distributed from
  run to run. Second rises and late onsets are its upper tail;
* *a fall*: with a small probability the run loses a uniform share of what it has gained;
* *spread*: a run repeated is not the same run.

All three start at nothing at the window's end.
"""

import dataclasses

import numpy as np
from scipy.special import gammaincinv, ndtri

from scalefit.model.posterior import Posterior
from scalefit.model.sequences import radical_inverse
from scalefit.run import FloatArray


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class DepartureRates:
    """How often and how far runs depart from their law."""

    rise_shape: float
    """Shape of the Gamma distribution of ``e``; below 1 most runs hardly rise beyond their law and some rise far."""
    rise_mean: float
    """Mean of ``e`` per doubling of compute."""
    fall_probability: float
    """That a run falls back within the doubling after the window."""
    spread_floor: float
    """Standard deviation of a repeated run, in shares of the reward's range (open scale: of the window's range)."""
    spread_gain: float
    """What it grows by, in shares of the gain inside the window."""


BOUNDED_RATES = DepartureRates(
    rise_shape=0.21, rise_mean=0.21, fall_probability=0.055, spread_floor=0.014, spread_gain=0.057
)
"""Learned from public runs with rewards in 0-1."""

OPEN_RATES = DepartureRates(
    rise_shape=0.15, rise_mean=0.09, fall_probability=0.13, spread_floor=0.015, spread_gain=0.087
)
"""Learned from public runs on other scales."""


class Departure:
    """The robust future of a posterior: one departure for each of its draws.

    Parameters
    ----------
    posterior
        The posterior.
    rates
        How runs depart.
    first
        Lowest positive compute of the window, unit of the run: where the gain so far is counted from.
    """

    def __init__(self, posterior: Posterior, rates: DepartureRates, first: float) -> None:
        self._posterior = posterior
        self._rates = rates
        count = posterior.asymptote.size
        # Bases 3, 5, 7, ...: base 2 has drawn the start, the index itself the rest of the posterior.
        self._rise = gammaincinv(rates.rise_shape, radical_inverse(count, 3)) * (rates.rise_mean / rates.rise_shape)
        self._fall_at = radical_inverse(count, 5) / max(rates.fall_probability, 1e-12)
        self._fall_to = radical_inverse(count, 7)
        self._chance = ndtri(radical_inverse(count, 11))
        ends = posterior.curve(np.array([first, np.exp(posterior.log_end)]))
        self._first = ends[:, 0]
        sign = -1.0 if posterior.minimize else 1.0
        self._gain = max(float(np.median(sign * (ends[:, 1] - ends[:, 0]))), 0.0)

    def curve(self, compute: FloatArray) -> FloatArray:
        """Return the mean reward when runs depart, (m, k), at (k,) compute > 0 in the unit of the run."""
        posterior, rates = self._posterior, self._rates
        lawful = posterior.curve(compute)
        doublings = np.maximum((np.log(compute) - posterior.log_end) / np.log(2), 0.0)
        if not doublings.any():
            return lawful
        limits = posterior.reward_range
        sign = -1.0 if posterior.minimize else 1.0
        best = limits.low if posterior.minimize else limits.high
        risen = self._rise[:, None] * doublings
        curve = lawful + sign * posterior.scale * risen if best is None else best - (best - lawful) * np.exp(-risen)
        fallen = self._fall_at[:, None] < np.minimum(doublings, 1.0)
        curve = np.where(fallen, self._first[:, None] + (curve - self._first[:, None]) * self._fall_to[:, None], curve)
        size = posterior.scale
        if limits.low is not None and limits.high is not None:
            size = limits.high - limits.low
        spread = rates.spread_floor * size + rates.spread_gain * self._gain
        curve += self._chance[:, None] * spread * np.sqrt(np.minimum(doublings, 1.0))
        clipped: FloatArray = np.clip(curve, limits.low, limits.high)
        return clipped


def rates_for(posterior: Posterior) -> DepartureRates:
    """Return the shipped rates that fit the reward's range."""
    return BOUNDED_RATES if posterior.reward_range.is_bounded else OPEN_RATES
