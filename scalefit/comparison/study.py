"""Many recipes: pairs, a ranking, and the table of a leave-one-out study."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from scalefit.comparison.obstacles import find_obstacle
from scalefit.comparison.pair import Incomparable, PairComparison, Verdict, compare_pair, estimate_of
from scalefit.comparison.recipe import Recipe, RecipeDraws
from scalefit.comparison.shared import SharedAsymptote, share_asymptote
from scalefit.errors import UsageError
from scalefit.forecast import Estimate
from scalefit.run import FloatArray

TIE = 0.02
"""Difference in the asymptote that does not matter, in shares of the range: what arXiv 2510.13786 takes for a tie."""

_LARGEST_LOG = 700.0
"""ln of about the largest double: tokens to the power of a steep efficiency exceed it."""

FEWEST = 2
"""Recipes that a comparison needs."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """One row of the ranking."""

    name: str
    """The recipe."""
    runs: int
    """Its seeds."""
    probability_best: float
    """That it has the best asymptote of all, in [0, 1]."""
    probability_best_at_budget: float
    """That it has the best reward at the smallest budget."""
    asymptote: Estimate
    """A, the spread between repeated runs included."""
    efficiency: Estimate
    """B, its own asymptote free."""
    reward: Estimate
    """At the smallest budget."""
    is_identified: bool
    """Whether the asymptote may be read as a value."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """One row of a leave-one-out study."""

    name: str
    """The recipe."""
    asymptote: Estimate
    """A, free."""
    efficiency: Estimate | None
    """B with the asymptote shared; None if the ceiling is another one."""
    midpoint: Estimate | None
    """C_mid with the asymptote shared; None if the ceiling is another one."""
    linear_compute: FloatArray
    """(n,), unit of the runs: compute of the observations between the start and the shared asymptote; read-only."""
    linear_reward: FloatArray
    """(n,): F(R) = C_mid^B / ((A - R0) / (R - R0) - 1), a line of slope B against compute in log-log; read-only."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut:
    """The table of arXiv 2510.13786, figure 7."""

    baseline: str
    """The recipe that the others leave something out of."""
    shared_asymptote: float | None
    """A that the efficiencies rest on; None if no other recipe shares the baseline's."""
    rows: tuple[Ablation, ...]
    """Most efficient first; those with another ceiling after them, best ceiling first."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What is known of several recipes."""

    recipes: tuple[Recipe, ...]
    """In the order given."""
    level: float
    """Probability of every interval."""
    tie: float
    """In shares of the reward's range."""
    pairs: tuple[PairComparison | Incomparable, ...]
    """In the order given: each recipe against the first, or every pair."""
    budget: float
    """Compute of the ranking's rewards: the smallest budget of those ranked."""
    ranking: tuple[Rank, ...]
    """Those that can be compared with the first comparable one, most probably best first."""
    unranked: tuple[str, ...]
    """The others."""
    leave_one_out: LeaveOneOut | None
    """None if no baseline was named."""


def compare(
    recipes: Sequence[Recipe],
    *,
    tie: float = TIE,
    at: Sequence[float] = (),
    all_pairs: bool = False,
    baseline: str | None = None,
    column_given: bool = False,
) -> Comparison:
    """Compare recipes by the fits of their runs.

    Parameters
    ----------
    recipes
        At least two, of different names.
    tie
        Difference in the asymptote that does not matter, in shares of the reward's range, >= 0.
    at
        Compute at which rewards are compared besides the budget, unit of the runs.
    all_pairs
        Whether every pair is compared, not only each recipe with the first.
    baseline
        Name of the recipe that a leave-one-out study is about.
    column_given
        Whether the user named the reward column, so that its names need not agree.

    Raises
    ------
    UsageError
        If there are fewer than two recipes, two have one name, or the baseline is none of them.
    """
    names = [recipe.name for recipe in recipes]
    if len(recipes) < FEWEST:
        raise UsageError(
            f"{len(recipes)} usable run{'' if len(recipes) == 1 else 's'}" + (f" ({names[0]})" if names else ""),
            where="RUN",
            expected="expected at least two to compare",
        )
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(
            f"two runs are called {twice!r}", where="RUN", expected="expected different names", remedy="use label=path"
        )
    if baseline is not None and baseline not in names:
        raise UsageError(
            f"no run is called {baseline!r}", where="--baseline", expected=f"expected one of {', '.join(names[:12])}"
        )
    level = recipes[0].fits[0].level
    places = np.concatenate([[0], np.cumsum([len(recipe.fits) for recipe in recipes])])
    draws = [RecipeDraws(recipe, int(place)) for recipe, place in zip(recipes, places, strict=False)]
    first = names.index(baseline) if baseline is not None else 0
    if all_pairs:
        chosen = [(one, other) for one in range(len(draws)) for other in range(one + 1, len(draws))]
    else:
        chosen = [(first, other) for other in range(len(draws)) if other != first]
    pairs = tuple(
        compare_pair(draws[one], draws[other], level=level, tie=tie, at=at, column_given=column_given)
        for one, other in chosen
    )
    ranked, unranked = _comparable(draws, first, column_given=column_given)
    budget = min(each.recipe.budget for each in ranked)
    return Comparison(
        recipes=tuple(recipes),
        level=level,
        tie=tie,
        pairs=pairs,
        budget=budget,
        ranking=_rank(ranked, budget, level),
        unranked=tuple(each.recipe.name for each in unranked),
        leave_one_out=None if baseline is None else _leave_one_out(draws[first], ranked, pairs, level),
    )


def _comparable(
    draws: Sequence[RecipeDraws], first: int, *, column_given: bool
) -> tuple[list[RecipeDraws], list[RecipeDraws]]:
    """Return the recipes that can be ranked with the first one, or with the second if that leaves the first alone."""
    best: tuple[list[RecipeDraws], list[RecipeDraws]] = ([draws[first]], [])
    for centre in dict.fromkeys([first, *range(min(len(draws), 3))]):
        fitting = [
            each
            for place, each in enumerate(draws)
            if place == centre or find_obstacle(draws[centre].recipe, each.recipe, column_given=column_given) is None
        ]
        if len(fitting) > len(best[0]):
            best = fitting, [each for each in draws if each not in fitting]
        if len(best[0]) > 1:
            break
    if len(best[0]) == 1:
        best = best[0], [each for each in draws if each is not best[0][0]]
    return best


def _rank(draws: Sequence[RecipeDraws], budget: float, level: float) -> tuple[Rank, ...]:
    sign = draws[0].recipe.sign
    rewards = [each.reward(budget) for each in draws]
    best = np.bincount((sign * np.stack([each.asymptote for each in draws])).argmax(axis=0), minlength=len(draws))
    leads = np.bincount((sign * np.stack(rewards)).argmax(axis=0), minlength=len(draws))
    rows = [
        Rank(
            name=each.recipe.name,
            runs=len(each.recipe.fits),
            probability_best=float(best[place] / best.sum()),
            probability_best_at_budget=float(leads[place] / leads.sum()),
            asymptote=estimate_of(each.asymptote, level),
            efficiency=estimate_of(np.exp(each.log_efficiency), level),
            reward=estimate_of(rewards[place], level),
            is_identified=each.recipe.is_identified,
        )
        for place, each in enumerate(draws)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.probability_best, -sign * (row.asymptote.estimate or 0.0))))


def _linearise(draws: RecipeDraws, shared: SharedAsymptote | None, place: int | None) -> tuple[FloatArray, FloatArray]:
    """Return compute and F(R) of the observations (arXiv 2510.13786, figure 7)."""
    if shared is None or place is None:
        return np.empty(0), np.empty(0)
    asymptote = float(np.median(shared.asymptote))
    log_scale = float(np.median(shared.log_midpoint[place] * np.exp(shared.log_efficiency[place])))
    computes, values = [], []
    for fit in draws.recipe.fits:
        seen, start = fit.posterior.observations, float(np.median(fit.posterior.start))
        share = (seen.reward - start) / (asymptote - start)
        # Where noise lifts a point above the ceiling, or below the start, F has no value.
        inside = (share > 0) & (share < 1) & (seen.compute > 0)
        computes.append(seen.compute[inside])
        values.append(np.exp(np.minimum(log_scale + np.log(share[inside] / (1 - share[inside])), _LARGEST_LOG)))
    compute, value = np.concatenate(computes), np.concatenate(values)
    for array in (compute, value):
        array.flags.writeable = False
    return compute, value


def _leave_one_out(
    baseline: RecipeDraws,
    draws: Sequence[RecipeDraws],
    pairs: Sequence[PairComparison | Incomparable],
    level: float,
) -> LeaveOneOut:
    """Return the table: ceilings as they are, efficiencies of those that share the baseline's."""
    other_ceiling = {
        pair.b if pair.a == baseline.recipe.name else pair.a
        for pair in pairs
        if isinstance(pair, PairComparison)
        and baseline.recipe.name in {pair.a, pair.b}
        and pair.verdict in {Verdict.A_HIGHER_CEILING, Verdict.B_HIGHER_CEILING}
    }
    sharing = [each for each in draws if each.recipe.name not in other_ceiling]
    shared = share_asymptote(sharing) if len(sharing) >= FEWEST else None
    rows = []
    for each in draws:
        place = next((index for index, member in enumerate(sharing) if member is each), None)
        line = _linearise(each, shared, place)
        rows.append(
            Ablation(
                linear_compute=line[0],
                linear_reward=line[1],
                name=each.recipe.name,
                asymptote=estimate_of(each.own_asymptote, level),
                efficiency=estimate_of(np.exp(shared.log_efficiency[place]), level)
                if shared is not None and place is not None
                else None,
                midpoint=estimate_of(np.exp(shared.log_midpoint[place]), level)
                if shared is not None and place is not None
                else None,
            )
        )
    sign = baseline.recipe.sign

    def order(row: Ablation) -> tuple[bool, float]:
        if row.efficiency is not None:
            return False, -(row.efficiency.estimate or 0.0)
        return True, -sign * (row.asymptote.estimate or 0.0)

    return LeaveOneOut(
        baseline=baseline.recipe.name,
        shared_asymptote=None if shared is None else float(np.median(shared.asymptote)),
        rows=tuple(sorted(rows, key=order)),
    )
