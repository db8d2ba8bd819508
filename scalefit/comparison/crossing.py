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

_GRID = 60
_EVERY = 2
"""Every so manieth draw is looked at: enough for an interval, and half the time."""


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
    difference = first.recipe.sign * (first.curve(compute, _EVERY) - second.curve(compute, _EVERY))
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
    where, before = np.full(difference.shape[0], np.nan), np.zeros(difference.shape[0])
    is_positive = difference > 0
    changing = np.flatnonzero((is_positive[:, 1:] != is_positive[:, :-1]).any(axis=1))
    if changing.size:
        where[changing], before[changing] = _largest_change(x, difference[changing], material)
    return where, before


def _largest_change(x: FloatArray, difference: FloatArray, material: float) -> tuple[FloatArray, FloatArray]:
    """Return the same for rows that change their sign at least once."""
    is_positive = difference > 0
    changes = is_positive[:, 1:] != is_positive[:, :-1]
    positive, negative = np.maximum(difference, 0.0), np.maximum(-difference, 0.0)
    falls = is_positive[:, :-1]
    lead = np.where(
        falls,
        np.minimum(_so_far(positive)[:, :-1], _from_now(negative)[:, 1:]),
        np.minimum(_so_far(negative)[:, :-1], _from_now(positive)[:, 1:]),
    )
    lead = np.where(changes, lead, -1.0)
    rows = np.arange(difference.shape[0])
    column = lead.argmax(axis=1)
    left, right = difference[rows, column], difference[rows, column + 1]
    where = x[column] + (x[column + 1] - x[column]) * left / (left - right)
    found = lead[rows, column] > material
    return np.where(found, where, np.nan), falls[rows, column].astype(np.float64)


def _so_far(values: FloatArray) -> FloatArray:
    largest: FloatArray = np.maximum.accumulate(values, axis=1)
    return largest


def _from_now(values: FloatArray) -> FloatArray:
    return _so_far(values[:, ::-1])[:, ::-1]
