"""Two recipes -> how their ceilings, efficiencies and rewards differ, where they cross, and the verdict."""

import dataclasses
import enum
import math
from collections.abc import Sequence

import numpy as np

from scalefit.comparison.crossing import Crossing, find_crossing
from scalefit.comparison.obstacles import find_obstacle
from scalefit.comparison.recipe import RecipeDraws
from scalefit.comparison.shared import SharedAsymptote, share_asymptote
from scalefit.forecast import Estimate
from scalefit.run import FloatArray

EFFICIENCY_TIE = 0.1
"""Difference in ln B that does not matter: efficiencies within a tenth of each other are one."""

REACHED_SHARE = 0.8
"""Share of the gain whose compute tells speed: where the curve bends, so that it depends on B and C_mid alike."""

LEANING = 0.8
"""Probability of a higher ceiling from which efficiencies no longer decide: they are comparable only if the ceilings
may be one. Of 300 simulated pairs 0.96 of the verdicts below it are right, and 0.90 without it."""

SPEED_AGREES = 0.8
"""Probability that B must have on the side of the one that is faster."""


class Verdict(enum.StrEnum):
    """Which of two recipes wins, and by what; with ``--minimize`` the higher ceiling is the lower floor."""

    A_HIGHER_CEILING = "a-higher-ceiling"
    B_HIGHER_CEILING = "b-higher-ceiling"
    A_MORE_EFFICIENT = "a-more-efficient"
    B_MORE_EFFICIENT = "b-more-efficient"
    NO_CLEAR_DIFFERENCE = "no-clear-difference"
    NOT_COMPARABLE = "not-comparable"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something of a minus the same of b."""

    difference: Estimate
    """a - b, at the level asked for."""
    probability_a_higher: float
    """That it is above 0, in [0, 1]."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Compute to gain `REACHED_SHARE` of what leads to the shared asymptote."""

    ratio: Estimate
    """Compute of a over compute of b."""
    probability_a_faster: float
    """That a needs less, in [0, 1]."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RewardDifference:
    """The rewards of two recipes at one compute, by their curves and the spread between repeated runs."""

    compute: float
    """Unit of the runs."""
    difference: Estimate
    """a - b, reward units."""
    probability_a_higher: float
    """That a is above b, in [0, 1]."""
    robust_difference: Estimate
    """a - b if each run departs from its curve by itself, as often as public runs do."""
    a: Estimate
    """Reward of a."""
    b: Estimate
    """Reward of b."""
    a_is_extrapolated: bool
    """Whether the log of a ends before."""
    b_is_extrapolated: bool
    """Whether the log of b ends before."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison:
    """What is known of two recipes that can be compared."""

    a: str
    """Name of the one."""
    b: str
    """Name of the other."""
    unit: str
    """Unit of compute."""
    minimize: bool
    """Whether lower is better."""
    tie: float
    """Difference in the asymptote that does not matter, reward units."""
    asymptotes: tuple[Estimate, Estimate]
    """A of a and of b as their runs show it."""
    are_identified: tuple[bool, bool]
    """Whether they may be read as values."""
    asymptote: Difference
    """Of A, the spread between repeated runs included."""
    efficiencies: tuple[Estimate, Estimate]
    """B of a and of b; with the asymptote shared if there is one."""
    efficiency: Difference
    """Of B; with the asymptote shared if there is one."""
    shared_asymptote: float | None
    """A that the efficiencies rest on; None: each has its own."""
    speed: Speed | None
    """Compute to come near the shared asymptote; None if there is none."""
    at_budget: RewardDifference
    """At the smaller of the budgets: equal compute."""
    at: tuple[RewardDifference, ...]
    """At each compute asked for, and at the larger budget if there is one."""
    crossing: Crossing
    """Where the leader changes."""
    is_forecast: bool
    """Whether a fit has not seen its run up to the budget, so that the run may yet leave its curve."""
    verdict: Verdict
    """Who wins."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Incomparable:
    """Two recipes of which nothing can be said."""

    a: str
    """Name of the one."""
    b: str
    """Name of the other."""
    reason: str
    """Why, in one sentence."""


def compare_pair(
    a: RecipeDraws, b: RecipeDraws, *, level: float, tie: float, at: Sequence[float] = (), column_given: bool = False
) -> PairComparison | Incomparable:
    """Return what is known of two recipes.

    Parameters
    ----------
    a
        Draws of the one.
    b
        Draws of the other, at another place.
    level
        Probability of every interval; a verdict needs ``(1 + level) / 2`` on its side.
    tie
        Difference in the asymptote that does not matter, in shares of the reward's range.
    at
        Compute at which the rewards are compared too, unit of the runs.
    column_given
        Whether the user named the reward column.
    """
    one, other = a.recipe, b.recipe
    obstacle = find_obstacle(one, other, column_given=column_given)
    if obstacle is not None:
        return Incomparable(a=one.name, b=other.name, reason=obstacle)
    minimize, matters = one.minimize, tie * max(one.size, other.size)
    gap = a.asymptote - b.asymptote
    asymptote = difference_of(gap, level)
    needed = (1 + level) / 2
    better = one.sign
    certain = max(asymptote.probability_a_higher, 1 - asymptote.probability_a_higher) >= needed
    verdict = Verdict.NO_CLEAR_DIFFERENCE
    centre = asymptote.difference.estimate or 0.0
    efficiencies = np.exp(a.log_efficiency), np.exp(b.log_efficiency)
    shared, speed = None, None
    if certain and abs(centre) >= matters:
        verdict = Verdict.A_HIGHER_CEILING if better * centre > 0 else Verdict.B_HIGHER_CEILING
    else:
        shared = share_asymptote((a, b))
        if shared is not None:
            efficiencies = np.exp(shared.log_efficiency[0]), np.exp(shared.log_efficiency[1])
            speed = _speed(shared, level)
            lean = max(asymptote.probability_a_higher, 1 - asymptote.probability_a_higher)
            if lean <= LEANING:
                verdict = _more_efficient(shared, speed, needed)
    budget, larger = sorted([one.budget, other.budget])
    wanted = sorted({*at, *([larger] if larger > budget else [])})
    return PairComparison(
        a=one.name,
        b=other.name,
        unit=one.unit,
        minimize=minimize,
        tie=matters,
        asymptotes=(estimate_of(a.own_asymptote, level), estimate_of(b.own_asymptote, level)),
        are_identified=(one.is_identified, other.is_identified),
        asymptote=asymptote,
        efficiencies=(estimate_of(efficiencies[0], level), estimate_of(efficiencies[1], level)),
        efficiency=difference_of(efficiencies[0] - efficiencies[1], level),
        shared_asymptote=None if shared is None else float(np.median(shared.asymptote)),
        speed=speed,
        at_budget=reward_difference(a, b, budget, level),
        at=tuple(reward_difference(a, b, compute, level) for compute in wanted),
        crossing=find_crossing(a, b, tie=matters, level=level),
        is_forecast=any(recipe.window_end < recipe.budget for recipe in (one, other)),
        verdict=verdict,
    )


def _speed(shared: SharedAsymptote, level: float) -> Speed:
    """Return how the compute to come near the shared asymptote compares."""
    logit = math.log(REACHED_SHARE / (1 - REACHED_SHARE))
    needed = [
        midpoint + logit * np.exp(-efficiency)
        for midpoint, efficiency in zip(shared.log_midpoint, shared.log_efficiency, strict=True)
    ]
    log_ratio = needed[0] - needed[1]
    return Speed(ratio=estimate_of(np.exp(log_ratio), level), probability_a_faster=float((log_ratio < 0).mean()))


def _more_efficient(shared: SharedAsymptote, speed: Speed, needed: float) -> Verdict:
    """Return which is more efficient at one asymptote: by B, or by the compute it takes if B does not contradict."""
    log_ratio = shared.log_efficiency[0] - shared.log_efficiency[1]
    a_is_steeper = float((log_ratio > 0).mean())
    matters = abs(float(np.median(log_ratio))) >= EFFICIENCY_TIE
    if matters and max(a_is_steeper, 1 - a_is_steeper) >= needed:
        return Verdict.A_MORE_EFFICIENT if a_is_steeper >= needed else Verdict.B_MORE_EFFICIENT
    for verdict, steeper, faster in (
        (Verdict.A_MORE_EFFICIENT, a_is_steeper, speed.probability_a_faster),
        (Verdict.B_MORE_EFFICIENT, 1 - a_is_steeper, 1 - speed.probability_a_faster),
    ):
        if matters and faster >= needed and steeper >= SPEED_AGREES:
            return verdict
    return Verdict.NO_CLEAR_DIFFERENCE


def reward_difference(a: RecipeDraws, b: RecipeDraws, compute: float, level: float) -> RewardDifference:
    """Return how two recipes differ at equal compute.

    Parameters
    ----------
    a
        Draws of the one.
    b
        Draws of the other.
    compute
        Unit of the runs, above 0.
    level
        Probability of the intervals.
    """
    rewards = a.reward(compute), b.reward(compute)
    difference = difference_of(rewards[0] - rewards[1], level)
    slack = 1 + 1e-9
    return RewardDifference(
        compute=compute,
        difference=difference.difference,
        probability_a_higher=difference.probability_a_higher,
        robust_difference=estimate_of(a.robust_reward(compute) - b.robust_reward(compute), level),
        a=estimate_of(rewards[0], level),
        b=estimate_of(rewards[1], level),
        a_is_extrapolated=compute > a.recipe.last * slack,
        b_is_extrapolated=compute > b.recipe.last * slack,
    )


def difference_of(draws: FloatArray, level: float) -> Difference:
    """Return a difference from its draws.

    Parameters
    ----------
    draws
        (m,), a - b.
    level
        Probability of the interval.
    """
    above, same = float((draws > 0).mean()), float((draws == 0).mean())
    return Difference(difference=estimate_of(draws, level), probability_a_higher=above + same / 2)


def estimate_of(draws: FloatArray, level: float) -> Estimate:
    """Return the median and the central interval of draws.

    Parameters
    ----------
    draws
        (m,).
    level
        Probability of the interval.
    """
    low, middle, high = (
        value if math.isfinite(value) else None
        for value in np.quantile(draws, [(1 - level) / 2, 0.5, (1 + level) / 2]).tolist()
    )
    return Estimate(estimate=middle, low=low, high=high)
