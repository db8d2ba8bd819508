"""All curves of a comparison drawn with characters on one sheet."""

import math

import numpy as np
from plotille import Canvas

from scalefit.comparison import Comparison, Recipe
from scalefit.report.medium import Medium, printable
from scalefit.report.terminal_plot import BRAILLE, LABELS, NARROWEST, WIDEST, Pen, Sheet, axis, draw_line, frame

COLOURS = ("green", "yellow", "cyan", "magenta", "blue", "red")
MARKERS = "*o+x#@"
"""One a recipe; more cannot be told apart on a terminal."""


def draw_comparison(comparison: Comparison, medium: Medium) -> str:
    """Return the curves of the first few recipes of the ranking with their robust bands, as lines of text.

    Parameters
    ----------
    comparison
        The comparison.
    medium
        Where it is written to.
    """
    by_name = {recipe.name: recipe for recipe in comparison.recipes}
    shown = [by_name[rank.name] for rank in comparison.ranking[: len(COLOURS)]]
    width = min(max(medium.width, NARROWEST), WIDEST) - LABELS - 2
    left, right, bottom, top = _limits(shown)
    sheet = Sheet(
        canvas=Canvas(width, min(max(width // 5, 10), 20), xmin=left, xmax=right, ymin=bottom, ymax=top),
        # Dots of two colours in one cell become one colour, so without colours letters tell curves apart.
        has_dots=medium.can_show(BRAILLE) and medium.has_colour,
        has_colour=medium.has_colour,
    )
    pens = [Pen(marker=marker, colour=colour) for marker, colour in zip(MARKERS, COLOURS, strict=True)]
    for recipe, pen in zip(shown, pens, strict=False):
        edge = Pen(marker=".", colour=pen.colour)
        for forecast in recipe.forecasts[:1]:
            draw_line(sheet, forecast.band, forecast.band.robust_low, edge, every=3)
            draw_line(sheet, forecast.band, forecast.band.robust_high, edge, every=3)
    for recipe, pen in zip(shown, pens, strict=False):
        for forecast in recipe.forecasts:
            draw_line(sheet, forecast.fitted, forecast.fitted.estimate, pen)
            draw_line(sheet, forecast.band, forecast.band.robust_estimate, pen)
    names = [
        f"{f'{pen.colour}' if sheet.has_dots else pen.marker}: {printable(medium.spell(recipe.name))}"
        for recipe, pen in zip(shown, pens, strict=False)
    ]
    level = f"dotted: {comparison.level:g} band"
    lines = [*frame(sheet), *axis(sheet, medium.spell(shown[0].unit))]
    line = ""
    for entry in [*names, level]:
        if line and len(line) + 2 + len(entry) > width:
            lines.append(f"{'':{LABELS}} {line}")
            line = ""
        line = f"{line}, {entry}" if line else entry
    return "\n".join([*lines, f"{'':{LABELS}} {line}"])


def _limits(recipes: list[Recipe]) -> tuple[float, float, float, float]:
    """Return the ends of both axes: log10 of compute, reward."""
    forecasts = [forecast for recipe in recipes for forecast in recipe.forecasts]
    left = math.log10(min(float(forecast.fitted.compute[0]) for forecast in forecasts))
    right = math.log10(max(float(forecast.band.compute[-1]) for forecast in forecasts))
    drawn = np.concatenate(
        [
            values
            for forecast in forecasts
            for values in (forecast.fitted.estimate, forecast.band.robust_low, forecast.band.robust_high)
        ]
    )
    bottom, top = float(drawn.min()), float(drawn.max())
    margin = 0.04 * (top - bottom) or 0.04 * abs(top) or 1.0
    return left, right + 1e-3 * (right - left) + 1e-6, bottom - margin, top + margin
