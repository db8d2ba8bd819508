"""What runs do beyond their law.

Real runs surprise upwards: of 359 public runs seen to a quarter, 35 % ended above the 90 % band of an exact sigmoid
posterior and 7 % below it. The robust band adds three things to the posterior, each with a rate learned from public
runs (`DepartureRates`):

* *a rise beyond the law*: with some probability a run keeps to its law; otherwise each doubling of compute after the
  window closes a share ``1 - exp(-e)`` of what is left to the best possible reward (on an open scale: adds ``e``
  times the window's own range), ``e`` exponentially distributed from run to run. Its mean depends on how flat the
  window is: a run that has not risen out of its noise tells least about what comes. Second rises and late onsets are
  its upper tail;
* *a fall*: with a small probability the run loses a uniform share of what it has gained;
* *spread*: a run repeated is not the same run.

All three start at nothing at the window's end and grow with the doublings of compute since.
"""

import dataclasses

import numpy as np
from scipy.special import ndtri

from scalefit.model.posterior import Posterior
from scalefit.model.sequences import radical_inverse
from scalefit.run import FloatArray

FLAT_RATIO = 3.0
"""Gain over noise (standard deviation of a point) at which a window counts as half flat."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class DepartureRates:
    """How often and how far runs depart from their law."""

    keep_probability: float
    """That a run does not rise beyond its law."""
    rise_mean: float
    """Mean of ``e`` per doubling of compute of the runs that do, if the window stands clear of its noise."""
    rise_flat: float
    """ln of the factor on it if the window is flat."""
    fall_probability: float
    """That a run falls back within a doubling of compute."""
    spread_floor: float
    """Standard deviation between repeated runs after one doubling, growing with the root of the doublings; in shares of
    the reward's range (open scale: of the window's range)."""
    spread_gain: float
    """What it grows by, in shares of the gain inside the window."""
    centre: float
    """Quantile of the robust draws, from worst to best, that errs least as an estimate: below 1/2 on an open scale,
    where forecasts of runs that still rise steeply overshoot further than those of others fall short."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Everything about departures that is learned from finished runs."""

    bounded: DepartureRates
    """For rewards with a known range."""
    open_scale: DepartureRates
    """For rewards without."""
    band_factor: float
    """What the distance from the robust estimate to each end of its band is multiplied by."""
    runs: int
    """Finished runs that it rests on."""
    origin: str
    """Where those came from, for people; empty for the shipped one."""


SHIPPED = Calibration(
    bounded=DepartureRates(
        keep_probability=0.415,
        rise_mean=0.129,
        rise_flat=1.93,
        fall_probability=0.031,
        spread_floor=0.015,
        spread_gain=0.042,
        centre=0.5,
    ),
    open_scale=DepartureRates(
        keep_probability=0.633,
        rise_mean=0.466,
        rise_flat=-0.312,
        fall_probability=0.091,
        spread_floor=0.071,
        spread_gain=0.057,
        centre=0.42,
    ),
    band_factor=1.0,
    runs=158,
    origin="",
)
"""Learned by ``benchmarks/departure.py`` from 158 public runs of 45 sources, a quarter and a half of each seen."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """What a departure starts from: the window as its posterior sees it."""

    first: FloatArray
    """(m,), mean reward at the window's first positive compute, draw by draw."""
    gain: float
    """Gain inside the window, reward units, >= 0."""
    flatness: float
    """From 0, the gain stands clear of the noise, to 1, there is none."""
    best: float | None
    """Best possible reward; None on an open scale."""
    limits: tuple[float | None, float | None]
    """What the reward can be."""
    size: float
    """Range of the reward (open scale: of the window's rewards)."""
    sign: float
    """1 where higher is better, else -1."""


def stand_on(posterior: Posterior, first: float) -> Footing:
    """Return the footing of a posterior whose window starts at the positive compute ``first``."""
    limits = posterior.reward_range
    sign = -1.0 if posterior.minimize else 1.0
    ends = posterior.curve(np.array([first, np.exp(posterior.log_end)]))
    gain = max(float(np.median(sign * (ends[:, 1] - ends[:, 0]))), 0.0)
    is_bounded = limits.low is not None and limits.high is not None
    return Footing(
        first=ends[:, 0],
        gain=gain,
        flatness=1 / (1 + gain / (FLAT_RATIO * float(np.median(posterior.noise_sd)))),
        best=limits.low if posterior.minimize else limits.high,
        limits=(limits.low, limits.high),
        size=limits.high - limits.low if is_bounded else posterior.scale,  # type: ignore[operator]
        sign=sign,
    )


def depart(lawful: FloatArray, doublings: FloatArray, footing: Footing, rates: DepartureRates) -> FloatArray:
    """Return the mean reward when runs depart from their law.

    Parameters
    ----------
    lawful
        (m, k), mean reward by the law.
    doublings
        (k,), doublings of compute since the window's end, >= 0.
    footing
        What they start from.
    rates
        How runs depart.

    Returns
    -------
    FloatArray
        (m, k); draw by draw one departure, the same for every column.
    """
    count = lawful.shape[0]
    # Bases 3, 5, 7, 11: base 2 has drawn the start, the index itself the rest of the posterior.
    keep = rates.keep_probability
    rising = np.clip((radical_inverse(count, 3) - keep) / (1 - keep), 0.0, None)
    rise = -np.log1p(-rising) * rates.rise_mean * np.exp(rates.rise_flat * footing.flatness)
    risen = rise[:, None] * doublings
    if footing.best is None:
        curve = lawful + footing.sign * footing.size * risen
    else:
        curve = footing.best - (footing.best - lawful) * np.exp(-risen)
    fallen = radical_inverse(count, 5)[:, None] < 1 - (1 - rates.fall_probability) ** doublings
    first = footing.first[:, None]
    curve = np.where(fallen, first + (curve - first) * radical_inverse(count, 7)[:, None], curve)
    spread = rates.spread_floor * footing.size + rates.spread_gain * footing.gain
    curve += footing.sign * ndtri(radical_inverse(count, 11))[:, None] * spread * np.sqrt(doublings)
    low, high = footing.limits
    if low is not None or high is not None:
        curve = np.clip(curve, low, high)
    departed: FloatArray = curve
    return departed


class Departure:
    """The robust future of a posterior: one departure for each of its draws.

    Parameters
    ----------
    posterior
        The posterior.
    calibration
        How runs depart.
    first
        Lowest positive compute of the window, unit of the run: where the gain so far is counted from.
    """

    def __init__(self, posterior: Posterior, calibration: Calibration, first: float) -> None:
        self._posterior = posterior
        self.rates = calibration.bounded if posterior.reward_range.is_bounded else calibration.open_scale
        """The rates that fit the reward's range."""
        self.calibration = calibration
        """What was learned from finished runs."""
        self.footing = stand_on(posterior, first)
        """What it starts from."""

    def doublings(self, compute: FloatArray) -> FloatArray:
        """Return the doublings of compute since the window's end, (k,), 0 inside the window."""
        since: FloatArray = np.maximum((np.log(compute) - self._posterior.log_end) / np.log(2), 0.0)
        return since

    def curve(self, compute: FloatArray) -> FloatArray:
        """Return the mean reward when runs depart, (m, k), at (k,) compute > 0 in the unit of the run."""
        return depart(self._posterior.curve(compute), self.doublings(compute), self.footing, self.rates)
