"""A recipe: one run, or several seeds of it, and what is known of its curve and of a run of it repeated."""

import dataclasses
import functools
import math

import numpy as np

from scalefit.caveats import Fit
from scalefit.comparison.shuffles import chi_square_draws, normal_draws, shuffle
from scalefit.forecast import Forecast
from scalefit.run import FloatArray

RUN_SPREAD = 0.015
"""Standard deviation of the asymptote of a repeated run, in shares of the reward's range: three repeats of one run of
arXiv 2510.13786. With less, two seeds of one recipe are called two recipes."""

RUN_SPREAD_FREEDOM = 2
"""Degrees of freedom that the published spread counts for beside a recipe's own seeds: those of three repeats."""

EFFICIENCY_SPREAD = 0.06
"""Standard deviation of ln B of a repeated run. None is published; the leave-one-out recipes of arXiv 2510.13786,
figure 7, which hardly differ, have efficiencies at one asymptote with a standard deviation of 0.06 in ln B."""

_STRIDE = 7
"""Shuffles that one recipe may use: its offsets must not share one with those of another."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is compared: the runs of one recipe, and their forecasts."""

    name: str
    """What the user calls it."""
    fits: tuple[Fit, ...]
    """One for each seed; at least one."""
    forecasts: tuple[Forecast, ...]
    """Of the same runs, in the same order."""

    @property
    def unit(self) -> str:
        """Unit of compute."""
        return self.fits[0].run.unit

    @property
    def budget(self) -> float:
        """Planned total compute: the smallest of the seeds', unit of the runs."""
        return min(max(fit.window.budget, fit.window.end) for fit in self.fits)

    @property
    def first(self) -> float:
        """Lowest positive compute seen of every seed, unit of the runs."""
        return max(float(fit.window.compute[fit.window.compute > 0][0]) for fit in self.fits)

    @property
    def last(self) -> float:
        """Highest compute logged, unit of the runs."""
        return max(float(fit.run.compute[-1]) for fit in self.fits)

    @property
    def window_end(self) -> float:
        """Highest compute seen by every fit, unit of the runs."""
        return min(fit.window.end for fit in self.fits)

    @property
    def size(self) -> float:
        """What a difference in reward is measured by: the range, or what the windows span on an open scale."""
        bounds = self.fits[0].posterior.reward_range
        if bounds.low is not None and bounds.high is not None:
            return bounds.high - bounds.low
        return max(float(np.ptp(fit.window.reward)) for fit in self.fits)

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1."""
        return -1.0 if self.minimize else 1.0

    @property
    def minimize(self) -> bool:
        """Whether lower is better."""
        return self.fits[0].posterior.minimize

    @property
    def is_identified(self) -> bool:
        """Whether the asymptote of every seed may be read as a value."""
        return all(fit.is_identified for fit in self.fits)


class RecipeDraws:
    """Equally weighted draws of a recipe's curve: the mean over its seeds, and how far a repeated run may be from it.

    Parameters
    ----------
    recipe
        The recipe.
    place
        Number of runs before it in the comparison: recipes at different places are drawn independently of each other.
    """

    def __init__(self, recipe: Recipe, place: int) -> None:
        self.recipe = recipe
        count = recipe.fits[0].posterior.asymptote.size
        # A seed's draws keep their row: A, B and C_mid of one draw belong together.
        self._orders = [shuffle(count, (place + seed) * _STRIDE) for seed in range(len(recipe.fits))]
        self._place = place * _STRIDE
        self._rewards: dict[float, FloatArray] = {}
        self._robust_rewards: dict[float, FloatArray] = {}
        asymptotes = self._of_seeds("asymptote")
        self._offset = self._run_to_run(asymptotes, RUN_SPREAD * recipe.size, 1)
        self.own_asymptote: FloatArray = asymptotes.mean(axis=0)
        """(m,), mean of the seeds that were run, reward units."""
        self.asymptote: FloatArray = self.own_asymptote + self._offset
        """(m,), of the recipe: what further seeds would average to, reward units."""
        efficiencies = np.log(self._of_seeds("efficiency")) + self._of_seeds("efficiency_offset")
        self.log_efficiency: FloatArray = efficiencies.mean(axis=0) + self._run_to_run(
            efficiencies, EFFICIENCY_SPREAD, 3
        )
        """(m,), ln B of the recipe."""
        midpoints = self._of_seeds("log_midpoint") + self._of_seeds("midpoint_offset")
        self.log_midpoint: FloatArray = midpoints.mean(axis=0)
        """(m,), mean of ln C_mid of the seeds, unit of the runs."""

    @functools.cached_property
    def asymptote_spread(self) -> float:
        """Standard deviation between runs that the draws rest on, reward units."""
        return float(np.std(self._offset)) * math.sqrt(len(self.recipe.fits))

    def curve(self, compute: FloatArray, every: int = 1) -> FloatArray:
        """Return the mean curve of the seeds that were run, (m / every, k), at (k,) compute > 0."""
        curves = []
        for fit, order in zip(self.recipe.fits, self._orders, strict=True):
            posterior, rows = fit.posterior, order[::every]
            share = posterior.law.share(
                np.log(compute)[None, :] - posterior.log_end,
                np.log(posterior.efficiency[rows])[:, None],
                posterior.log_midpoint[rows][:, None] - posterior.log_end,
            )
            start = posterior.start[rows][:, None]
            curves.append(start + (posterior.asymptote[rows][:, None] - start) * share)
        mean: FloatArray = curves[0] if len(curves) == 1 else np.mean(curves, axis=0)
        return mean

    def reward(self, compute: float) -> FloatArray:
        """Return the recipe's reward at one compute, the spread between repeated runs included, (m,).

        Departures from the curves are left out: runs of one study depart alike. Of 214 pairs of public runs of one
        source, compared at equal compute from a quarter of each, 150 are called at 0.9 or more and 0.97 of the calls
        are right; with departures drawn for each run by itself 101 are called, and no more of them are right.
        """
        known = self._rewards.get(compute)
        if known is not None:
            return known
        place = np.array([compute])
        parts = zip(self.recipe.fits, self._orders, strict=True)
        # A repeated run differs in proportion to what it has gained by then.
        share = np.mean([fit.posterior.share(place)[order, 0] for fit, order in parts], axis=0)
        reward: FloatArray = self.curve(place)[:, 0] + self._offset * share
        # Pairs of one study ask again and again for the same budget.
        self._rewards[compute] = reward
        return reward

    def robust_reward(self, compute: float) -> FloatArray:
        """Return the reward at one compute when each run departs from its curve by itself, (m,)."""
        parts = zip(self.recipe.fits, self._orders, strict=True)
        known = self._robust_rewards.get(compute)
        if known is not None:
            return known
        reward: FloatArray = np.mean(
            [fit.departure.curve(np.array([compute]))[order, 0] for fit, order in parts], axis=0
        )
        self._robust_rewards[compute] = reward
        return reward

    def _of_seeds(self, name: str) -> FloatArray:
        parts = zip(self.recipe.fits, self._orders, strict=True)
        return np.stack([getattr(fit.posterior, name)[order] for fit, order in parts])

    def _run_to_run(self, values: FloatArray, published: float, place: int) -> FloatArray:
        """Return how far the mean of the seeds may be from the recipe's, (m,)."""
        seeds, count = values.shape
        normal = normal_draws(count, self._place + place)
        if seeds == 1:
            return published * normal
        # Scaled inverse chi-square: the seeds' squares and those that the published spread stands for.
        squares = ((values - values.mean(axis=0)) ** 2).sum(axis=0) + RUN_SPREAD_FREEDOM * published**2
        variance = squares / chi_square_draws(count, self._place + place + 1, RUN_SPREAD_FREEDOM + seeds - 1)
        offset: FloatArray = normal * np.sqrt(variance / seeds)
        return offset
