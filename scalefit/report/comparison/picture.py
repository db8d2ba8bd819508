"""A comparison as a picture in a file: all curves in one panel, the linearised ones of a leave-one-out study beside."""

import html
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from scalefit.comparison import Comparison
from scalefit.report.comparison.words import caveats_of, reason_of, verdict_of
from scalefit.report.medium import printable
from scalefit.report.picture import PANEL, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CURVES = 20
"""Recipes beyond which curves cannot be told apart: the best of the ranking are drawn."""
MOST_POINTS = 400
"""Points of a run that are drawn."""


def render_picture(comparison: Comparison, ending: str) -> bytes:
    """Return the picture's file.

    Parameters
    ----------
    comparison
        The comparison.
    ending
        ``.png``, ``.svg``, ``.pdf`` or ``.html``.
    """
    with mpl.rc_context({"svg.hashsalt": "scalefit", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = draw(comparison)
        if ending == ".html":
            return page(comparison, save(figure, "svg").decode()).encode()
        return save(figure, ending.removeprefix("."))


def draw(comparison: Comparison) -> Figure:
    """Return the figure.

    Parameters
    ----------
    comparison
        The comparison.
    """
    study = comparison.leave_one_out
    panels = 1 if study is None or study.shared_asymptote is None else 2
    figure = Figure(figsize=(PANEL[0] * panels, PANEL[1]), layout="constrained")
    axes = figure.subplots(1, panels, squeeze=False)[0]
    names = [rank.name for rank in comparison.ranking][:MOST_CURVES]
    colours = {name: f"C{index % 10}" for index, name in enumerate(names)}
    _draw_curves(axes[0], comparison, colours)
    if panels > 1:
        _draw_lines(axes[1], comparison, colours)
    return figure


def _draw_curves(panel: "Axes", comparison: Comparison, colours: dict[str, str]) -> None:
    panel.set_xscale("log")
    for recipe in comparison.recipes:
        colour = colours.get(recipe.name)
        if colour is None:
            continue
        for place, forecast in enumerate(recipe.forecasts):
            run, fitted, band = forecast.run, forecast.fitted, forecast.band
            positive = run.compute > 0
            step = max(1, int(positive.sum()) // MOST_POINTS)
            panel.plot(run.compute[positive][::step], run.reward[positive][::step], ".", ms=2, color=colour, alpha=0.4)
            panel.fill_between(band.compute, band.robust_low, band.robust_high, color=colour, alpha=0.12, lw=0)
            panel.plot(
                np.concatenate([fitted.compute, band.compute]),
                np.concatenate([fitted.estimate, band.robust_estimate]),
                color=colour,
                lw=1.6,
                label=_safe(recipe.name) if place == 0 else None,
            )
            panel.axvline(forecast.window.end, color=colour, lw=0.6, ls=":")
    first = comparison.recipes[0].fits[0].run
    panel.set_xlabel(_safe(first.unit))
    panel.set_ylabel(_safe(first.source.y_column))
    panel.set_title(
        f"curves and {comparison.level:g} bands; dotted lines: ends of what was seen", fontsize=9, loc="left"
    )
    panel.grid(visible=True, alpha=0.25, lw=0.5)
    panel.legend(fontsize=8, frameon=False, loc="best")


def _draw_lines(panel: "Axes", comparison: Comparison, colours: dict[str, str]) -> None:
    study = comparison.leave_one_out
    if study is None:
        return
    for row in study.rows:
        if row.efficiency is None or row.midpoint is None or row.name not in colours or not row.linear_compute.size:
            continue
        colour = colours[row.name]
        panel.plot(row.linear_compute, row.linear_reward, ".", ms=3, color=colour, alpha=0.5)
        ends = np.array([row.linear_compute.min(), row.linear_compute.max()])
        with np.errstate(over="ignore"):
            line = ends ** (row.efficiency.estimate or 0.0)
        panel.plot(ends, line, color=colour, lw=1.2, label=f"{_safe(row.name)}: B {row.efficiency.estimate:.2f}")
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel(_safe(comparison.recipes[0].unit))
    panel.set_ylabel("F(R): steeper is more efficient")
    panel.set_title(f"at one asymptote of {study.shared_asymptote:.3g}", fontsize=9, loc="left")
    panel.grid(visible=True, alpha=0.25, lw=0.5)
    panel.legend(fontsize=8, frameon=False, loc="best")


def page(comparison: Comparison, svg: str) -> str:
    """Return a page that needs nothing else: the picture, and the words.

    Parameters
    ----------
    comparison
        The comparison.
    svg
        The picture.
    """
    sections = "".join(
        f"<h2>{_text(pair.a)} and {_text(pair.b)}: {verdict_of(pair)}</h2><p>{_text(reason_of(pair))}.</p>"
        for pair in comparison.pairs
    )
    sections += "".join(f"<p class='caveat'>{_text(message)}</p>" for _, message in caveats_of(comparison))
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>scalefit</title><style>"
        "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
        "svg{max-width:100%;height:auto}h2{font-size:1.1rem}.caveat{color:#8a4b00}p{margin:.3rem 0}"
        f"</style></head><body>{svg[svg.index('<svg') :]}{sections}</body></html>\n"
    )


def _safe(name: str) -> str:
    # A dollar sign in a name would start a formula, an underscore in front hides it from the legend.
    text = printable(name).replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def _text(text: str) -> str:
    return html.escape(printable(text))
