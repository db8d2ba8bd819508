"""A comparison as strict JSON: the contract for programs."""

from collections.abc import Mapping

from scalefit.comparison import Comparison, Incomparable, PairComparison
from scalefit.comparison.crossing import Crossing
from scalefit.comparison.pair import Difference, RewardDifference, Verdict
from scalefit.comparison.study import Ablation, LeaveOneOut, Rank
from scalefit.forecast import Estimate
from scalefit.report.comparison.words import caveats_of, reason_of
from scalefit.report.json import Json, estimate_object, forecast_object, number, write_document

COMPARE_SCHEMA = "scalefit.compare/1"
"""Name of the layout of `render_comparison`."""

_UNKNOWN = Estimate(estimate=None, low=None, high=None)


def render_comparison(comparison: Comparison, *, price: float | None = None) -> str:
    """Return the document of ``compare --format json``.

    Parameters
    ----------
    comparison
        The comparison.
    price
        Of a GPU-hour; None: no money.
    """
    return write_document(
        COMPARE_SCHEMA,
        {
            "runs": [forecast_object(each) for recipe in comparison.recipes for each in recipe.forecasts],
            "groups": [
                {"group": recipe.name, "runs": [fit.run.name for fit in recipe.fits]} for recipe in comparison.recipes
            ],
            "level": number(comparison.level),
            "tie": number(comparison.tie),
            "price": number(price),
            "pairs": [pair_object(pair, price) for pair in comparison.pairs],
            "ranking_compute": number(comparison.budget),
            "ranking": [rank_object(place, rank) for place, rank in enumerate(comparison.ranking, start=1)],
            "unranked": list(comparison.unranked),
            "leave_one_out": None
            if comparison.leave_one_out is None
            else leave_one_out_object(comparison.leave_one_out),
            "caveats": [{"code": code, "message": message} for code, message in caveats_of(comparison)],
        },
    )


def pair_object(pair: PairComparison | Incomparable, price: float | None = None) -> dict[str, Json]:
    """Return the object of one pair; with the same keys, unknown, where nothing can be compared.

    Parameters
    ----------
    pair
        Two recipes.
    price
        Of a GPU-hour; None: no money.
    """
    nothing: dict[str, Json] = {"difference": estimate_object(_UNKNOWN), "probability_a_higher": None}
    if isinstance(pair, Incomparable):
        return {
            "a": pair.a,
            "b": pair.b,
            "asymptote": nothing,
            "efficiency": {**nothing, "shared_asymptote": None},
            "at_budget": {"compute": None, **nothing},
            "crossing": {"probability": None, "compute": estimate_object(_UNKNOWN)},
            "verdict": str(Verdict.NOT_COMPARABLE),
            "reason": pair.reason,
            "at": [],
            "speed": None,
        }
    speed = pair.speed
    return {
        "a": pair.a,
        "b": pair.b,
        "asymptote": difference_object(pair.asymptote),
        "efficiency": {**difference_object(pair.efficiency), "shared_asymptote": number(pair.shared_asymptote)},
        "at_budget": reward_object(pair.at_budget, price),
        "crossing": crossing_object(pair.crossing, price),
        "verdict": str(pair.verdict),
        "reason": reason_of(pair, price=price),
        "at": [reward_object(each, price) for each in pair.at],
        "speed": None
        if speed is None
        else {
            "compute_ratio": estimate_object(speed.ratio),
            "probability_a_faster": number(speed.probability_a_faster),
        },
    }


def difference_object(difference: Difference) -> dict[str, Json]:
    """Return a difference.

    Parameters
    ----------
    difference
        Of a and b.
    """
    return {
        "difference": estimate_object(difference.difference),
        "probability_a_higher": number(difference.probability_a_higher),
    }


def reward_object(place: RewardDifference, price: float | None) -> dict[str, Json]:
    """Return the difference in reward at one compute.

    Parameters
    ----------
    place
        The difference.
    price
        Of a GPU-hour; None: no money.
    """
    return {
        "compute": number(place.compute),
        "difference": estimate_object(place.difference),
        "probability_a_higher": number(place.probability_a_higher),
        "robust_difference": estimate_object(place.robust_difference),
        "a": {**estimate_object(place.a), "extrapolated": bool(place.a_is_extrapolated)},
        "b": {**estimate_object(place.b), "extrapolated": bool(place.b_is_extrapolated)},
        **_cost("cost", place.compute, price),
    }


def crossing_object(crossing: Crossing, price: float | None) -> dict[str, Json]:
    """Return where the leader changes.

    Parameters
    ----------
    crossing
        The crossing.
    price
        Of a GPU-hour; None: no money.
    """
    return {
        "probability": number(crossing.probability),
        "compute": estimate_object(crossing.compute),
        **_cost("cost", crossing.compute.estimate, price),
    }


def rank_object(place: int, rank: Rank) -> dict[str, Json]:
    """Return one row of the ranking.

    Parameters
    ----------
    place
        From 1.
    rank
        The row.
    """
    return {
        "rank": place,
        "run": rank.name,
        "seeds": rank.runs,
        "probability_best": number(rank.probability_best),
        "probability_best_at_budget": number(rank.probability_best_at_budget),
        "identified": bool(rank.is_identified),
        "asymptote": estimate_object(rank.asymptote),
        "efficiency": estimate_object(rank.efficiency),
        "at_budget": estimate_object(rank.reward),
    }


def leave_one_out_object(study: LeaveOneOut) -> dict[str, Json]:
    """Return the table of a leave-one-out study.

    Parameters
    ----------
    study
        The study.
    """
    return {
        "baseline": study.baseline,
        "shared_asymptote": number(study.shared_asymptote),
        "rows": [ablation_object(row) for row in study.rows],
    }


def ablation_object(row: Ablation) -> dict[str, Json]:
    """Return one row of a leave-one-out study.

    Parameters
    ----------
    row
        The row.
    """
    line = zip(row.linear_compute.tolist(), row.linear_reward.tolist(), strict=True)
    return {
        "run": row.name,
        "asymptote": estimate_object(row.asymptote),
        "efficiency": None if row.efficiency is None else estimate_object(row.efficiency),
        "midpoint": None if row.midpoint is None else estimate_object(row.midpoint),
        "linearised": [{"compute": number(compute), "value": number(value)} for compute, value in line],
    }


def _cost(key: str, compute: float | None, price: float | None) -> Mapping[str, Json]:
    if price is None:
        return {}
    return {key: None if compute is None else number(compute * price)}
