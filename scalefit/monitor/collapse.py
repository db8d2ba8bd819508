"""Whether a run has fallen from its best, for good and not for one noisy point."""

import dataclasses
import math

import numpy as np

from scalefit.model.curves import SIGMOID
from scalefit.model.noise import Observations, observe
from scalefit.model.posterior import Posterior, fit_posterior
from scalefit.monitor.evidence import Sequence, leading_factors, measure_amounts
from scalefit.run import FitWindow, FloatArray, RewardRange

SMOOTHED_POINTS = 10
"""Observations that a smoothed reward is the mean of; fewer (a fifth of all, at least 3) in a short log."""

_FEWEST = 3

MARGIN = 3.3
"""Standard errors by which a fall must exceed the threshold. Every point is a possible onset, so this is no single
test; as the fall must also be larger than the threshold, far fewer than one of fifty healthy runs of 20 looks (AR(1)
noise, correlation 0.6 or 0.9) are called collapsed."""

RULED_OUT = 1.645
"""Standard errors by which the threshold must exceed a fall that is ruled out: 0.95 one-sided."""

SUSTAINED_POINTS = 5
"""Observations that a fall must have lasted."""

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
    until = float(compute[best + width - 1])
    before = _posterior_until(window, reward_range, until, width, minimize=minimize)
    error = float(np.quantile(_errors(before, width), _NOISE_QUANTILE))
    # Neighbouring means share points, and the noise of shared points cancels.
    apart = min(1.0, (smoothed.size - 1 - best) / width)
    low = drop - MARGIN * math.sqrt(2 * apart) * error
    if drop > 0:
        # The mean of the last points must be down as well: what came back is no collapse.
        low = max(low, min(_step_down(seen, before, until, sign), drop))
    return Fall(
        points=int(reward.size),
        best=sign * float(smoothed[best]),
        best_compute=float(compute[best : best + width].mean()),
        now=sign * now,
        drop=drop,
        low=max(low, 0.0),
        high=drop + RULED_OUT * math.sqrt(2) * error,
    )


def _posterior_until(
    window: FitWindow, reward_range: RewardRange, until: float, width: int, *, minimize: bool
) -> Posterior:
    """Return the posterior of the rows before the fall, as far as they are enough: a fall itself is no noise."""
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
    return fit_posterior(early, SIGMOID, reward_range, minimize=minimize)


def _step_down(seen: Observations, before: Posterior, until: float, sign: float) -> float:
    """Return the lower end of the largest step down after the best, as the correlated noise allows.

    Noise with a long memory hardly moves from one point to the next, so a step stands out of it that means do not
    show. After the best the curve is held at the level it had there: a fall is one from the best, not from a forecast.
    """
    last = np.array([seen.compute[seen.series == label].max() for label in np.unique(seen.series)]).min()
    onsets = np.unique(seen.compute[(seen.compute > until) & (seen.compute <= last)])[: -SUSTAINED_POINTS + 1]
    if not onsets.size:
        return 0.0
    draws = before.curve(np.clip(seen.compute, math.exp(before.log_end) * 1e-12, until))
    centred = (draws - draws.mean(axis=0)) / math.sqrt(draws.shape[0])
    sequence = Sequence(
        residual=sign * (seen.reward - draws.mean(axis=0)),
        root_weight=np.sqrt(seen.count / np.median(seen.count)),
        linked=seen.series[1:] == seen.series[:-1],
        unknown=leading_factors(centred),
    )
    shapes = -(seen.compute[:, None] >= onsets[None, :]).astype(np.float64)
    lows, weights = [], []
    for node in np.unique(before.correlation).tolist():
        mine = before.noise_sd[before.correlation == node]
        sd = max(float(np.quantile(mine, _NOISE_QUANTILE)), 1e-12 * before.scale)
        amount, error = measure_amounts(sequence, shapes, sd=sd, correlation=node)
        lows.append(float((amount - MARGIN * error).max()))
        weights.append(mine.size)
    order = np.argsort(lows)
    reached = np.cumsum(np.array(weights)[order]) / sum(weights)
    return lows[int(order[np.searchsorted(reached, 1 - _NOISE_QUANTILE)])]


def _errors(posterior: Posterior, width: int) -> FloatArray:
    """Return the standard error of the mean of ``width`` neighbours for each draw: AR(1), its finite sum."""
    lag = np.arange(1, width)
    shares = 1 + 2 * ((1 - lag / width) * posterior.correlation[:, None] ** lag).sum(axis=1)
    errors: FloatArray = posterior.noise_sd * np.sqrt(np.maximum(shares, 0.0) / width)
    return errors
