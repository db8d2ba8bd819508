"""A back-test as a picture in a file: error, width and coverage against the share seen. Needs matplotlib."""

import html
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from scalefit.backtest import Backtest, covered_by_chance
from scalefit.report.backtest.study import Study
from scalefit.report.backtest.words import summarise_study
from scalefit.report.medium import printable
from scalefit.report.picture import PANEL, save
from scalefit.run import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def render_picture(study: Study, ending: str) -> bytes:
    """Return the picture's file.

    Parameters
    ----------
    study
        At least one run scored at one share seen.
    ending
        ``.png``, ``.svg``, ``.pdf`` or ``.html``.
    """
    with mpl.rc_context({"svg.hashsalt": "scalefit", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = draw(study)
        if ending == ".html":
            return page(study, save(figure, "svg").decode()).encode()
        return save(figure, ending.removeprefix("."))


def draw(study: Study) -> Figure:
    """Return the figure: three panels over the share seen.

    Parameters
    ----------
    study
        The back-test.
    """
    figure = Figure(figsize=(PANEL[0] * 2.2, PANEL[1]), layout="constrained")
    error, width, coverage = figure.subplots(1, 3)
    seen, robust, curve, none = columns_of(
        study.first, "mean_absolute_error_robust", "mean_absolute_error", "mean_baseline_error"
    )
    error.plot(seen, robust, "o-", color="tab:blue", label="robust forecast")
    error.plot(seen, curve, "s--", color="tab:blue", alpha=0.5, label=f"{study.first.law} alone")
    error.plot(seen, none, "x:", color="0.4", label="last three points seen")
    for place, backtest in enumerate(study.backtests[1:], start=1):
        places, errors = columns_of(backtest, "mean_absolute_error")
        error.plot(places, errors, ".--", color=f"C{place}", alpha=0.7, label=f"{backtest.law} alone")
    error.set_title("mean error, shares of the reward's range", fontsize=10, loc="left")
    seen, robust, curve = columns_of(study.first, "mean_width_robust", "mean_width")
    width.plot(seen, robust, "o-", color="tab:blue", label="robust band")
    width.plot(seen, curve, "s--", color="tab:blue", alpha=0.5, label=f"{study.first.law} alone")
    width.set_title("mean width of the band, the same shares", fontsize=10, loc="left")
    _draw_coverage(coverage, study)
    for panel in (error, width, coverage):
        panel.set_xlabel("share of the run seen")
        panel.set_ylim(bottom=0)
        panel.grid(visible=True, alpha=0.25, lw=0.5)
        panel.legend(fontsize=8, frameon=False, loc="best")
    return figure


def columns_of(backtest: Backtest, *fields: str) -> tuple[FloatArray, ...]:
    """Return the shares seen that have a run, in order, and fields of their summaries.

    Parameters
    ----------
    backtest
        Of one law.
    fields
        Names of numbers of `BacktestSummary`.
    """
    summaries = sorted((each for each in backtest.summaries if each.runs), key=lambda each: each.fraction)
    return tuple(
        np.array([getattr(summary, name) for summary in summaries], dtype=np.float64) for name in ("fraction", *fields)
    )


def _draw_coverage(panel: "Axes", study: Study) -> None:
    level = study.first.level
    seen, robust, curve = columns_of(study.first, "coverage_robust", "coverage")
    chance = np.array([covered_by_chance(summary.runs, level) for summary in study.scored])
    panel.fill_between(
        seen, chance[:, 0], chance[:, 1], color="0.5", alpha=0.2, lw=0, label=f"as many runs of a band of {level:g}"
    )
    panel.axhline(level, color="0.4", lw=0.8, ls=":")
    panel.plot(seen, robust, "o-", color="tab:blue", label="robust band")
    panel.plot(seen, curve, "s--", color="tab:blue", alpha=0.5, label=f"{study.first.law} alone")
    panel.set_ylim(0, 1.03)
    panel.set_title("share of runs that end inside", fontsize=10, loc="left")


def page(study: Study, svg: str) -> str:
    """Return a page that needs nothing else: the picture and the words.

    Parameters
    ----------
    study
        The back-test.
    svg
        The picture.
    """
    words = "".join(f"<p>{html.escape(printable(sentence))}</p>" for sentence in summarise_study(study))
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>scalefit backtest</title><style>"
        "body{font:15px/1.5 system-ui,sans-serif;max-width:80rem;margin:2rem auto;padding:0 1rem}"
        "svg{max-width:100%;height:auto}p{margin:.3rem 0}"
        f"</style></head><body>{words}{svg[svg.index('<svg') :]}</body></html>\n"
    )
