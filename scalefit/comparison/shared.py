"""The asymptote shared: what the efficiencies of recipes are if their ceilings are one and the same.

Efficiency and asymptote trade against each other in a fit, so efficiencies can be compared only at one asymptote
(arXiv 2510.13786, section 3 and figure 7). Each recipe's draws are weighted by the other recipes' density of the
asymptote, which is what conditioning on a common one means, and paired by its value.
"""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
from scipy.ndimage import gaussian_filter1d

from scalefit.comparison.recipe import RecipeDraws
from scalefit.run import FloatArray

_GRID = 512
_KEPT = 1000
_TAIL = 0.005
_FLOOR = 1e-9
"""Share of its peak below which a density is not resolved by its draws."""
_TINY = 1e-300
_FEWEST = 20.0
"""Draws that the weights must be worth on every side; with fewer the recipes have no asymptote in common."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class SharedAsymptote:
    """Draws of recipes that end at one asymptote; row i of all arrays has the asymptote of row i."""

    asymptote: FloatArray
    """(m,), reward units."""
    log_efficiency: tuple[FloatArray, ...]
    """One a recipe, (m,): ln B."""
    log_midpoint: tuple[FloatArray, ...]
    """One a recipe, (m,): ln C_mid, unit of the runs."""


def share_asymptote(recipes: Sequence[RecipeDraws]) -> SharedAsymptote | None:
    """Return what recipes look like with one asymptote for all; None if no value of it suits them all.

    Parameters
    ----------
    recipes
        At least two.
    """
    draws = [recipe.own_asymptote for recipe in recipes]
    widths = [math.hypot(_bandwidth(recipe.own_asymptote), recipe.asymptote_spread) for recipe in recipes]
    reach = 4 * max(widths)
    low = max(float(np.quantile(each, _TAIL)) for each in draws)
    high = min(float(np.quantile(each, 1 - _TAIL)) for each in draws)
    grid = np.linspace(min(low, high) - reach, max(low, high) + reach, _GRID)
    densities = np.stack([_log_density(each, width, grid) for each, width in zip(draws, widths, strict=True)])
    together = densities.sum(axis=0)
    orders = []
    for each, density in zip(draws, densities, strict=True):
        inside = (each >= grid[0]) & (each <= grid[-1])
        log_weight = np.where(inside, np.interp(each, grid, together - density), -np.inf)
        if not np.isfinite(log_weight.max()):
            return None
        weight = np.exp(log_weight - log_weight.max())
        if weight.sum() ** 2 / (weight**2).sum() < _FEWEST:
            return None
        # Sorted by the asymptote and taken at evenly spaced quantiles: row i of every recipe has the same asymptote.
        order = np.argsort(each, kind="stable")
        cumulative = np.cumsum(weight[order])
        position = (np.arange(_KEPT) + 0.5) / _KEPT * cumulative[-1]
        orders.append(order[np.searchsorted(cumulative, position)])
    taken = [each[order] for each, order in zip(draws, orders, strict=True)]
    asymptote = np.mean(taken, axis=0)
    return SharedAsymptote(
        asymptote=asymptote,
        log_efficiency=tuple(
            _moved(recipe.log_efficiency[order], own, asymptote)
            for recipe, order, own in zip(recipes, orders, taken, strict=True)
        ),
        log_midpoint=tuple(
            _moved(recipe.log_midpoint[order], own, asymptote)
            for recipe, order, own in zip(recipes, orders, taken, strict=True)
        ),
    )


def _bandwidth(draws: FloatArray) -> float:
    """Return Silverman's bandwidth (1986, eq. 3.31)."""
    spread = min(float(np.std(draws)), float(np.subtract(*np.quantile(draws, [0.75, 0.25]))) / 1.34)
    return float(0.9 * spread * draws.size**-0.2)


def _log_density(draws: FloatArray, width: float, grid: FloatArray) -> FloatArray:
    """Return ln of a kernel density on a grid, up to a constant."""
    step = float(grid[1] - grid[0])
    edges = np.concatenate([grid - step / 2, grid[-1:] + step / 2])
    counts = np.histogram(draws, edges)[0].astype(np.float64)
    smooth = gaussian_filter1d(counts, max(width / step, 1.0), mode="constant", truncate=6.0)
    return np.asarray(np.log(smooth + _FLOOR * smooth.max() + _TINY), dtype=np.float64)


def _moved(values: FloatArray, own: FloatArray, asymptote: FloatArray) -> FloatArray:
    """Return the values moved along their regression on the asymptote, from a draw's own to the common one."""
    centred = own - own.mean()
    variance = float((centred**2).mean())
    slope = 0.0 if variance == 0 else float((centred * values).mean()) / variance
    return values + slope * (asymptote - own)
