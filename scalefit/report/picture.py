"""Forecasts as a picture in a file: one panel a run. Needs matplotlib, so it is imported only when asked for."""

import html
import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

from scalefit.forecast import Forecast
from scalefit.report.figures import show_amount
from scalefit.report.medium import printable
from scalefit.report.words import summarise

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = (".png", ".svg", ".pdf", ".html")
"""What can be written."""
MOST_PANELS = 48
"""Runs beyond which a page of panels says nothing."""
PANEL = (7.2, 4.4)
"""Width and height of one panel, inches."""
DOTS_PER_INCH = 150
"""Of a PNG."""
MOST_POINTS = 5000
"""Points beyond which a picture holds every so manieth row: an SVG of a million points opens nowhere."""

# A file is data: the same bytes for the same input, and text that can be searched for.
NO_DATE = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}


def render_picture(forecasts: Sequence[Forecast], ending: str) -> bytes:
    """Return the picture's file.

    Parameters
    ----------
    forecasts
        One per run, in the order given; 1 to `MOST_PANELS`.
    ending
        One of `ENDINGS`.
    """
    with mpl.rc_context({"svg.hashsalt": "scalefit", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = draw(forecasts)
        if ending == ".html":
            return page(forecasts, save(figure, "svg").decode()).encode()
        return save(figure, ending.removeprefix("."))


def save(figure: Figure, kind: str) -> bytes:
    """Return a figure as a file.

    Parameters
    ----------
    figure
        The figure.
    kind
        ``png``, ``svg`` or ``pdf``.
    """
    content = io.BytesIO()
    figure.savefig(content, format=kind, dpi=DOTS_PER_INCH, metadata=NO_DATE[kind])
    return content.getvalue()


def draw(forecasts: Sequence[Forecast]) -> Figure:
    """Return a figure with one panel a run.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    """
    columns = min(len(forecasts), 1 if len(forecasts) <= 2 else 3)  # noqa: PLR2004 two panels stack, more form a grid
    rows = math.ceil(len(forecasts) / columns)
    figure = Figure(figsize=(PANEL[0] * columns, PANEL[1] * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for index, panel in enumerate(panels.flat):
        if index < len(forecasts):
            draw_panel(panel, forecasts[index])
        else:
            panel.set_visible(False)
    return figure


def draw_panel(panel: "Axes", forecast: Forecast) -> None:
    """Draw one run.

    Parameters
    ----------
    panel
        Where.
    forecast
        The forecast of the run.
    """
    run, fitted, band, end = forecast.run, forecast.fitted, forecast.band, forecast.window.end
    positive = run.compute > 0
    step = max(1, math.ceil(int(positive.sum()) / MOST_POINTS))
    compute, reward = run.compute[positive][::step], run.reward[positive][::step]
    seen = compute <= end
    panel.set_xscale("log")
    level = f"{forecast.level:g}"
    panel.fill_between(
        band.compute,
        band.robust_low,
        band.robust_high,
        color="tab:blue",
        alpha=0.15,
        lw=0,
        label=f"{level} band, runs leave their curve",
    )
    panel.fill_between(
        band.compute,
        band.low,
        band.high,
        color="tab:blue",
        alpha=0.3,
        lw=0,
        label=f"{level} band, it keeps to its curve",
    )
    panel.fill_between(fitted.compute, fitted.low, fitted.high, color="tab:blue", alpha=0.3, lw=0)
    panel.plot(compute[seen], reward[seen], ".", ms=4, color="0.25", label="seen")
    if not seen.all():
        panel.plot(compute[~seen], reward[~seen], ".", ms=4, color="tab:orange", label="later")
    panel.plot(fitted.compute, fitted.estimate, color="tab:blue", lw=1.6, zorder=5)
    panel.plot(band.compute, band.robust_estimate, color="tab:blue", lw=1.6, zorder=5, label="curve and forecast")
    panel.axvline(end, color="0.5", lw=0.8, ls=":")
    panel.annotate(
        f" seen up to {show_amount(end)}",
        (end, 0.01),
        xycoords=("data", "axes fraction"),
        fontsize=8,
        color="0.4",
        ha="right",
        rotation=90,
        va="bottom",
    )
    # A dollar sign in a name would start a formula.
    panel.set_title(printable(run.name).replace("$", r"\$"), fontsize=10, loc="left")
    panel.set_xlabel(printable(run.unit).replace("$", r"\$"))
    panel.set_ylabel(printable(run.source.y_column).replace("$", r"\$"))
    panel.grid(visible=True, alpha=0.25, lw=0.5)
    panel.legend(fontsize=8, frameon=False, loc="best")


def page(forecasts: Sequence[Forecast], svg: str) -> str:
    """Return a page that needs nothing else: the picture, and the words for each run.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    svg
        The picture.
    """
    sections = "".join(
        f"<h2>{html.escape(printable(forecast.run.name))}</h2>"
        + "".join(f"<p>{html.escape(sentence)}</p>" for sentence in summarise(forecast))
        + "".join(f"<p class='caveat'>{html.escape(printable(caveat.message))}</p>" for caveat in forecast.caveats)
        for forecast in forecasts
    )
    return (
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>scalefit</title><style>"
        "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
        "svg{max-width:100%;height:auto}h2{font-size:1.1rem}.caveat{color:#8a4b00}p{margin:.3rem 0}"
        f"</style></head><body>{svg[svg.index('<svg') :]}{sections}</body></html>\n"
    )
