"""The linear half of the posterior: start and asymptote, given the shape of the curve.

For a fixed shape the curve is linear in (R0, A). R0 is then a truncated Student t in closed form, with the variance of
the noise integrated out, and A is left on cells that are laid where it has mass.
"""

import dataclasses

import numpy as np
from scipy.special import ndtr, ndtri

from scalefit.model import priors
from scalefit.run import FloatArray, IntArray

TAIL = 7.0
"""Depth, in nats below the mode, to which the cells of A reach; what lies beyond is less than 1e-3."""

_TINY = 1e-300
_LARGEST_EXPONENT = 600.0
_MANY = 30.0
_FURTHEST = 1e-6
_FAR_UP = 4.0
_ROOM = 4.0
"""Scales of R0 below the level of the data at which next to no room is left for R0 <= A."""


def _as_normal(standardised: FloatArray, freedom: float) -> FloatArray:
    """Map a Student t to a standard normal variable.

    Wallace (1959, eq. 2.1) is right in the tails and invertible; from `_MANY` degrees of freedom on, Abramowitz and
    Stegun (26.7.8) is as near, in half the time.
    """
    if freedom >= _MANY:
        quick: FloatArray = (
            standardised * (1 - 0.25 / freedom) / np.sqrt(1 + standardised * standardised * (0.5 / freedom))
        )
        return quick
    shrink = (8 * freedom + 1) / (8 * freedom + 3) * np.sqrt(freedom)
    mapped: FloatArray = np.copysign(shrink * np.sqrt(np.log1p(standardised**2 / freedom)), standardised)
    return mapped


def _from_normal(normal: FloatArray, freedom: float) -> FloatArray:
    """Return the inverse of `_as_normal`."""
    if freedom >= _MANY:
        squares = (1 - 0.25 / freedom) ** 2 - normal * normal * (0.5 / freedom)
        quick: FloatArray = normal / np.sqrt(np.maximum(squares, _FURTHEST))
        return quick
    stretch = (8 * freedom + 3) / (8 * freedom + 1)
    exponent = np.minimum((stretch * normal) ** 2 / freedom, _LARGEST_EXPONENT)
    mapped: FloatArray = np.copysign(np.sqrt(freedom * np.expm1(exponent)), normal)
    return mapped


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Conditionals:
    """The quadratic form of (R0, A) for many shapes and correlations; every array (j, 1)."""

    start_start: FloatArray
    """(1 - s)' P (1 - s)."""
    start_asymptote: FloatArray
    """(1 - s)' P s."""
    asymptote_asymptote: FloatArray
    """s' P s."""
    start_reward: FloatArray
    """(1 - s)' P y."""
    asymptote_reward: FloatArray
    """s' P y."""
    reward_reward: FloatArray
    """y' P y."""
    own_share: FloatArray
    """1 - rho^2: variance of the innovations over that of the noise."""
    log_weight: FloatArray
    """ln of the prior mass of the node, and of what the integrals leave over."""

    def select(self, rows: IntArray) -> "Conditionals":
        """Return the rows asked for."""
        return Conditionals(**{f.name: getattr(self, f.name)[rows] for f in dataclasses.fields(self)})


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LinearPart:
    """What (R0, A) may be, in standardised reward (higher is better), and how much the data weigh."""

    low: float
    """Lowest start."""
    high: float
    """Highest asymptote; infinity on an open scale."""
    freedom: float
    """Degrees of freedom once R0 is integrated out (or known)."""
    penalty: float
    """Prior sum of squares of the noise."""
    open_centre: float
    """Centre of the asymptote's prior on an open scale."""
    pinned_start: float | None
    """The start, if it is known: the forms are then those of the reward less the start's part, and nothing is left to
    integrate."""

    def cells(self, given: Conditionals, count: int) -> FloatArray:
        """Return the (j, count + 1) edges of cells over the mass of A, each with about as much of it to resolve.

        With few points the mass of A has the tails of a Student t, and equal cells that reach its end would be wider
        than its core. Cells are equal in the normal variable that the t is mapped to instead.
        """
        precision = np.maximum(given.asymptote_asymptote - given.start_asymptote**2 / given.start_start, 1e-12)
        mode = (given.asymptote_reward - given.start_asymptote * given.start_reward / given.start_start) / precision
        least = given.reward_reward - given.start_reward**2 / given.start_start - mode**2 * precision
        freedom = self.freedom - 1
        spread = np.sqrt((np.maximum(least, 0.0) + self.penalty) / (freedom * precision))
        # Where the mode lies outside what A may be, the mass sits at that end; from there the same depth is needed.
        lowest, highest = (self.low - mode) / spread, (self.high - mode) / spread
        nearest = np.clip(0.0, lowest, highest)
        reach = np.sqrt(freedom * ((1 + nearest**2 / freedom) * np.exp(2 * TAIL / (freedom + 1)) - 1))
        first, last = np.clip(-reach, lowest, highest), np.clip(reach, lowest, highest)
        if self.pinned_start is None:
            # Below the level of the data there is no room left for R0 <= A: the mass stops sooner than the cells would.
            level = given.start_reward / (given.start_start + given.start_asymptote)
            scale = self.start_given(given, level)[1] / (1 + given.start_asymptote / given.start_start)
            first = np.clip((level - _ROOM * scale - mode) / spread, first, last)
        first, last = _as_normal(first, freedom), _as_normal(last, freedom)
        edges: FloatArray = mode + spread * _from_normal(
            first + (last - first) * (np.arange(count + 1) / count), freedom
        )
        return edges

    def start_given(self, given: Conditionals, asymptote: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return location and scale of R0 and the sum of squares, given A; shapes broadcast."""
        moment = given.start_reward - given.start_asymptote * asymptote
        squares = (
            given.reward_reward
            + asymptote * (asymptote * given.asymptote_asymptote - 2 * given.asymptote_reward)
            - moment * moment / given.start_start
        )
        squares = np.maximum(squares, 0.0) + self.penalty
        return moment / given.start_start, np.sqrt(squares / (self.freedom * given.start_start)), squares

    def log_density(self, given: Conditionals, asymptote: FloatArray) -> FloatArray:
        """Return ln of the joint weight of a node and A, with R0 and the noise variance integrated out.

        Parameters
        ----------
        given
            (j, 1) each.
        asymptote
            (j, k), standardised reward.

        Returns
        -------
        FloatArray
            (j, k), up to one constant.
        """
        location, scale, squares = self.start_given(given, asymptote)
        density: FloatArray = given.log_weight - 0.5 * self.freedom * np.log(squares)
        density -= squares * (0.5 / (self.freedom * priors.NOISE_LARGEST**2) / given.own_share)
        if self.pinned_start is None:
            upper = _as_normal((asymptote - location) / scale, self.freedom)
            lower = _as_normal((self.low - location) / scale, self.freedom)
            if lower.max() > _FAR_UP:
                # The difference of two upper tails is taken in the lower tail, where it keeps its digits.
                flipped = lower > 0
                lower, upper = np.where(flipped, -upper, lower), np.where(flipped, -lower, upper)
            mass = ndtr(upper) - ndtr(lower)
            density += np.log(np.maximum(mass, _TINY))
        if np.isfinite(self.high):
            if self.pinned_start is None:
                density -= (1 - priors.ASYMPTOTE_POWER) * np.log(np.maximum(asymptote - self.low, _TINY))
        else:
            freedom = priors.OPEN_FREEDOM
            away = (asymptote - self.open_centre) / priors.OPEN_SCALE
            density -= 0.5 * (freedom + 1) * np.log1p(away**2 / freedom)
        return density

    def draw_start(
        self, given: Conditionals, asymptote: FloatArray, uniform: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return R0 at quantiles of its truncated distribution, and the variance of the innovations."""
        location, scale, squares = self.start_given(given, asymptote)
        variance = squares / max(self.freedom - 1, 1.0)
        if self.pinned_start is not None:
            return np.full(asymptote.shape, self.pinned_start), variance
        lower, upper = (_as_normal((end - location) / scale, self.freedom) for end in (self.low, asymptote))
        below = ndtr(lower)
        normal = np.clip(ndtri(np.clip(below + uniform * (ndtr(upper) - below), _TINY, 1 - 1e-16)), lower, upper)
        return np.clip(location + scale * _from_normal(normal, self.freedom), self.low, asymptote), variance
