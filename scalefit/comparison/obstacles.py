"""What keeps two recipes from being compared, in one sentence each."""

from collections.abc import Callable

import numpy as np

from scalefit.comparison.recipe import Recipe

PERCENT_RATIO = 10.0
"""Ratio of the largest rewards from which two runs on different ranges are on different scales, not just noisy."""


def find_obstacle(a: Recipe, b: Recipe, *, column_given: bool = False) -> str | None:
    """Return why two recipes cannot be compared; None if they can.

    Parameters
    ----------
    a
        One recipe.
    b
        The other.
    column_given
        Whether the user named the reward column, so that its names need not agree.
    """
    for find in _OBSTACLES:
        found = find(a, b)
        if found is not None:
            return found
    return None if column_given else _different_columns(a, b)


def _same_rows(a: Recipe, b: Recipe) -> str | None:
    for one in a.fits:
        for other in b.fits:
            if np.array_equal(one.run.compute, other.run.compute) and np.array_equal(one.run.reward, other.run.reward):
                return f"{one.run.name} and {other.run.name} hold the same rows: it is one run given twice"
    return None


def _different_units(a: Recipe, b: Recipe) -> str | None:
    if a.unit == b.unit:
        return None
    return (
        f"{a.name} counts compute in {a.unit}, {b.name} in {b.unit}: "
        "bring both to GPU-hours (--gpus, --gpu-hours-per-step) or choose one column for both with --x"
    )


def _constant(a: Recipe, b: Recipe) -> str | None:
    for recipe in (a, b):
        for fit in recipe.fits:
            if fit.has_constant_reward:
                return f"every reward of {fit.run.name} in its window is {fit.window.reward[0]:g}: that is no curve"
    return None


def _different_ranges(a: Recipe, b: Recipe) -> str | None:
    largest = [max(float(np.abs(fit.window.reward).max()) for fit in recipe.fits) for recipe in (a, b)]
    ranges = [recipe.fits[0].posterior.reward_range for recipe in (a, b)]
    if (ranges[0].low, ranges[0].high) == (ranges[1].low, ranges[1].high):
        return None
    if max(largest) < PERCENT_RATIO * min(largest):
        return None
    small, large = (a, b) if largest[0] < largest[1] else (b, a)
    return (
        f"rewards of {small.name} reach {min(largest):.3g}, those of {large.name} {max(largest):.3g}: "
        "one may be a percentage and the other a fraction; bring both to one scale"
    )


def _no_overlap(a: Recipe, b: Recipe) -> str | None:
    for early, late in ((a, b), (b, a)):
        if early.last < late.first:
            return (
                f"{early.name} ends at {early.last:g} {early.unit} and {late.name} starts at {late.first:g}: "
                "they have no compute in common"
            )
    return None


def _different_columns(a: Recipe, b: Recipe) -> str | None:
    one, other = (recipe.fits[0].run.source.y_column for recipe in (a, b))
    if one.casefold() == other.casefold():
        return None
    return (
        f"the reward of {a.name} is {one!r}, that of {b.name} is {other!r}: "
        "choose one column for both with --y, or give both the same name if they mean the same"
    )


_OBSTACLES: tuple[Callable[[Recipe, Recipe], str | None], ...] = (
    _same_rows,
    _different_units,
    _constant,
    _different_ranges,
    _no_overlap,
)
