"""One range for all: runs whose rewards are of one kind must be fitted under one range."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from scalefit.comparison.obstacles import PERCENT_RATIO
from scalefit.comparison.recipe import Recipe
from scalefit.forecast import Settings, fit_run, forecast_fit


def agree_on_range(recipes: Sequence[Recipe], settings: Settings) -> tuple[tuple[Recipe, ...], tuple[str, ...]]:
    """Return the recipes, those refitted on an open range that were taken for 0-1 by chance.

    A window whose rewards happen to lie in 0-1 says nothing of another run's that do not: where one run of the same
    scale leaves 0-1, the range of none of them is 0-1.

    Parameters
    ----------
    recipes
        As fitted.
    settings
        What they were fitted with.

    Returns
    -------
    tuple
        The recipes in the same order, and the names of those refitted.
    """
    is_open = [not recipe.fits[0].posterior.reward_range.is_bounded for recipe in recipes]
    if settings.reward_range is not None or not any(is_open) or all(is_open):
        return tuple(recipes), ()
    largest = [max(float(np.abs(fit.window.reward).max()) for fit in recipe.fits) for recipe in recipes]
    reference = min(size for size, has_no_range in zip(largest, is_open, strict=True) if has_no_range)
    wider = dataclasses.replace(settings, reward_range=(None, None))
    agreed, refitted = [], []
    for recipe, size, has_no_range in zip(recipes, largest, is_open, strict=True):
        # On another scale (a percentage beside a fraction) the two are not comparable anyway.
        if has_no_range or reference >= PERCENT_RATIO * size:
            agreed.append(recipe)
            continue
        fits = tuple(fit_run(fit.run, wider) for fit in recipe.fits)
        forecasts = tuple(forecast_fit(fit, wider) for fit in fits)
        agreed.append(dataclasses.replace(recipe, fits=fits, forecasts=forecasts))
        refitted.append(recipe.name)
    return tuple(agreed), tuple(refitted)
