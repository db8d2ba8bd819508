"""The posterior by brute force: prior draws weighted by their likelihood, written without the code under test.

It shares with the package only the numbers that define the model (its priors and the nodes of the correlation).
"""

import dataclasses

import numpy as np
from scipy.special import erf

from scalefit.model import priors
from scalefit.model.noise import CORRELATION_WEIGHTS, CORRELATIONS
from scalefit.run import FloatArray


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BruteForce:
    """Weighted draws."""

    start: FloatArray
    asymptote: FloatArray
    efficiency: FloatArray
    midpoint: FloatArray
    weight: FloatArray

    @property
    def effective_size(self) -> float:
        """How many equally weighted draws the weighted ones are worth."""
        return float(self.weight.sum() ** 2 / (self.weight**2).sum())

    def reward_at(self, compute: float) -> FloatArray:
        """Return the reward of each draw."""
        share = 1 / (1 + (self.midpoint / compute) ** self.efficiency)
        return np.asarray(self.start + (self.asymptote - self.start) * share)

    def ranks(self, wanted: FloatArray, values: FloatArray) -> FloatArray:
        """Return the share of the weight at or below each wanted value."""
        order = np.argsort(values)
        cumulative = np.cumsum(self.weight[order]) / self.weight.sum()
        return np.asarray(np.interp(wanted, values[order], cumulative))


def _draw_huber(generator: np.random.Generator, draws: int) -> FloatArray:
    """Draw from a normal core with exponential tails, by inversion of its tabulated distribution."""
    table = np.linspace(-12, 12, 20001)
    bend = priors.TAIL_START
    density = np.exp(-np.where(np.abs(table) < bend, table**2 / 2, bend * np.abs(table) - bend**2 / 2))
    cumulative = np.cumsum(density)
    return np.asarray(np.interp(generator.uniform(size=draws) * cumulative[-1], cumulative, table))


def _draw_log_midpoint(generator: np.random.Generator, draws: int) -> FloatArray:
    """Draw ln(C_mid / end): flat between the ends, and falling like the half of such a density beyond each."""
    low, high = np.log(priors.MIDPOINT_EARLIEST), np.log(priors.MIDPOINT_LATEST)
    # The mass of half a core with its tail, in units of its height.
    bend = priors.TAIL_START
    half = np.sqrt(np.pi / 2) * erf(bend / np.sqrt(2)) + np.exp(-(bend**2) / 2) / bend
    edge = priors.MIDPOINT_EDGE * half
    place = generator.uniform(low - edge, high + edge, draws)
    away = np.abs(_draw_huber(generator, draws)) * priors.MIDPOINT_EDGE
    place = np.where(place < low, low - away, place)
    return np.asarray(np.where(place > high, high + away, place))


def weigh_prior_draws(
    compute: FloatArray,
    reward: FloatArray,
    *,
    draws: int,
    seed: int = 0,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> BruteForce:
    """Return draws from the priors of the sigmoid, weighted by the likelihood of the rows.

    Parameters
    ----------
    compute
        (n,), above 0, increasing, the first above 0.02 of the last.
    reward
        (n,).
    draws
        How many prior draws.
    seed
        Of the draws.
    bounds
        What the reward can be; None: open.
    """
    generator = np.random.default_rng(seed)
    scale, centre = float(np.ptp(reward)), float(reward.max() + reward.min()) / 2
    y = (reward - centre) / scale
    efficiency = np.exp(np.log(1.4) + 0.5 * _draw_huber(generator, draws))
    log_midpoint = _draw_log_midpoint(generator, draws)
    if bounds is None:
        middle = float(y[-max(3, y.size // 5) :].mean())
        asymptote = middle + priors.OPEN_SCALE * generator.standard_t(priors.OPEN_FREEDOM, draws)
        low = -priors.OPEN_START
        start = low + (asymptote - low) * generator.uniform(size=draws)
        # The pair has the density t(A) on low < R0 < A: a long way down there is more room for R0.
        room = np.maximum(asymptote - low, 0.0)
    else:
        low, high = (np.array(bounds) - centre) / scale
        pair = generator.uniform(low, high, (2, draws))
        start, asymptote = pair.min(axis=0), pair.max(axis=0)
        room = (asymptote - low) ** (priors.ASYMPTOTE_POWER - 1)
    node = generator.choice(CORRELATIONS.size, draws, p=CORRELATION_WEIGHTS / CORRELATION_WEIGHTS.sum())
    rho = CORRELATIONS[node]

    squares, before = np.zeros(draws), np.zeros(draws)
    for index, (x, value) in enumerate(zip(np.log(compute / compute[-1]), y, strict=True)):
        share = 1 / (1 + np.exp(efficiency * (log_midpoint - x)))
        residual = value - start - (asymptote - start) * share
        squares += residual**2 * (1 - rho**2) if index == 0 else (residual - rho * before) ** 2
        before = residual
    # The variance of the innovations is integrated over its scaled inverse chi-square prior.
    total = priors.NOISE_FREEDOM + y.size
    log_weight = 0.5 * np.log1p(-(rho**2)) - 0.5 * total * np.log(
        squares + priors.NOISE_FREEDOM * priors.NOISE_SCALE**2
    )
    # Noise larger than a share of the window's range is unlikely, whatever part of it is memory.
    variance = (squares + priors.NOISE_FREEDOM * priors.NOISE_SCALE**2) / total / (1 - rho**2)
    log_weight -= 0.5 * variance / priors.NOISE_LARGEST**2
    weight = room * np.exp(log_weight - log_weight.max())
    return BruteForce(
        start=start * scale + centre,
        asymptote=asymptote * scale + centre,
        efficiency=efficiency,
        midpoint=np.exp(log_midpoint) * compute[-1],
        weight=weight,
    )
