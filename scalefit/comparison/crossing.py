"""Where the curves of two recipes cross."""

import dataclasses

import numpy as np

from scalefit.comparison.recipe import RecipeDraws
from scalefit.forecast import Estimate
from scalefit.run import FloatArray

HORIZON = 2.0
"""Crossings are looked for up to this many times the larger budget: beyond a doubling the curves are
not known well enough to say more than that they have not crossed."""

MATERIAL_SHARE = 0.75
"""Share of the tie by which the lead must change on both sides: two equal curves cross many times by nothing."""

_GRID = 80


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Where the leader changes."""

    probability: float
    """That it does, up to `HORIZON` times the larger budget."""
    compute: Estimate
    """Where, if it does; unit of the runs. Unknown if it does not in any draw."""
    early_leader_is_a: bool | None
    """Whether a leads before it; None if there is none."""


def find_crossing(first: RecipeDraws, second: RecipeDraws, *, tie: float, level: float) -> Crossing:
    """Return where the curves of the seeds that were run cross.

    Parameters
    ----------
    first
        Recipe a.
    second
        Recipe b.
    tie
        Difference in reward that does not matter, reward units.
    level
        Probability of the interval.
    """
    left = max(first.recipe.first, second.recipe.first)
    right = HORIZON * max(first.recipe.budget, second.recipe.budget)
    compute = np.geomspace(left, max(right, 2 * left), _GRID)
    difference = first.recipe.sign * (first.curve(compute) - second.curve(compute))
    where, a_leads = crossings(np.log(compute), difference, MATERIAL_SHARE * tie)
    crosses = np.isfinite(where)
    if not crosses.any():
        unknown = Estimate(estimate=None, low=None, high=None)
        return Crossing(probability=0.0, compute=unknown, early_leader_is_a=None)
    low, middle, high = np.exp(np.quantile(where[crosses], [(1 - level) / 2, 0.5, (1 + level) / 2]))
    return Crossing(
        probability=float(crosses.mean()),
        compute=Estimate(estimate=float(middle), low=float(low), high=float(high)),
        early_leader_is_a=bool(a_leads[crosses].mean() > 0.5),  # noqa: PLR2004 the more probable of two
    )


def crossings(x: FloatArray, difference: FloatArray, material: float) -> tuple[FloatArray, FloatArray]:
    """Return where each row changes its sign by most, and whether it is positive before.

    Parameters
    ----------
    x
        (k,), increasing.
    difference
        (m, k).
    material
        Least size that a lead must reach on both sides.

    Returns
    -------
    tuple
        (m,) x of the crossing, NaN if there is none; (m,) 1 where the difference is positive before it, else 0.
    """
    is_positive = difference > 0
    changes = is_positive[:, 1:] != is_positive[:, :-1]
    before = np.maximum.accumulate(np.where(is_positive, difference, 0.0), axis=1)[:, :-1]
    before_negative = np.maximum.accumulate(np.where(is_positive, 0.0, -difference), axis=1)[:, :-1]
    after = np.maximum.accumulate(np.where(is_positive, difference, 0.0)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    after_negative = np.maximum.accumulate(np.where(is_positive, 0.0, -difference)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    falls = is_positive[:, :-1]
    lead = np.where(falls, np.minimum(before, after_negative), np.minimum(before_negative, after))
    lead = np.where(changes, lead, -1.0)
    rows = np.arange(difference.shape[0])
    column = lead.argmax(axis=1)
    left, right = difference[rows, column], difference[rows, column + 1]
    gap = np.where(left == right, 1.0, left - right)
    where = x[column] + (x[column + 1] - x[column]) * left / gap
    found = lead[rows, column] > material
    return np.where(found, where, np.nan), falls[rows, column].astype(np.float64)
