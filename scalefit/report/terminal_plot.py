"""The run and its forecast drawn with characters: compute on a log axis, what was seen, the curve, the band."""

import dataclasses
import math
from collections.abc import Iterator, Sequence

import numpy as np

# plotille: no dependencies, imported in 18 ms, eight dots a cell, and a bare canvas on which to draw a log axis.
# plotext and uniplot take 240-270 ms to import, asciichartpy knows neither scatter nor an x axis.
from plotille import Canvas

from scalefit.forecast import Band, Forecast
from scalefit.report.figures import decimals_for, show, show_amount
from scalefit.report.medium import Medium
from scalefit.run import FloatArray

BRAILLE = "⠁⣿"
"""Characters that tell whether an encoding can draw with dots."""
NARROWEST, WIDEST = 40, 200
"""Columns between which a picture is drawn; outside them it would say nothing, or nobody could take it in."""
LABELS = 9
"""Columns left of the picture for rewards."""
NUDGE = 0.25
"""Share of a dot added to its position: the canvas rounds, so neither the edge (0) nor the middle (0.5) is safe."""
MULTIPLES = (1.0, 2.0, 5.0)
"""Steps of a log axis."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """How one thing is drawn."""

    marker: str
    """Character that stands for it where there are no dots."""
    colour: str
    """Colour on a terminal that has them; empty: the one it writes in, which its background suits."""


SEEN = Pen(marker="o", colour="")
LATER = Pen(marker="x", colour="yellow")
CURVE = Pen(marker="*", colour="green")
EDGE = Pen(marker=".", colour="cyan")
WINDOW_END = Pen(marker="|", colour="magenta")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A canvas with its scales."""

    canvas: Canvas
    """Where it is drawn; x is log10 of compute."""
    has_dots: bool
    """Whether the encoding can show dots."""
    has_colour: bool
    """Whether the terminal can show colours."""

    def dot(self, x: float, y: float, pen: Pen) -> None:
        """Draw one point.

        Parameters
        ----------
        x
            log10 of compute.
        y
            Reward.
        pen
            How it is drawn.
        """
        self.canvas.point(
            x, y, color=(pen.colour or None) if self.has_colour else None, marker=None if self.has_dots else pen.marker
        )

    def columns(self) -> FloatArray:
        """Return log10 of compute at each column of dots, or of characters."""
        count = self.canvas.width * (2 if self.has_dots else 1)
        step = (self.canvas.xmax - self.canvas.xmin) / count
        return np.asarray(self.canvas.xmin + (np.arange(count) + NUDGE) * step, dtype=np.float64)

    def rows(self) -> FloatArray:
        """Return the reward at each row of dots, or of characters, from below."""
        count = self.canvas.height * (4 if self.has_dots else 1)
        step = (self.canvas.ymax - self.canvas.ymin) / count
        return np.asarray(self.canvas.ymin + (np.arange(count) + NUDGE) * step, dtype=np.float64)


def draw_forecast(forecast: Forecast, medium: Medium) -> str:
    """Return the picture of one run as lines of text.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    """
    width = min(max(medium.width, NARROWEST), WIDEST) - LABELS - 2
    height = min(max(width // 5, 10), 20)
    left, right, bottom, top = limits(forecast)
    sheet = Sheet(
        canvas=Canvas(width, height, xmin=left, xmax=right, ymin=bottom, ymax=top),
        has_dots=medium.can_show(BRAILLE),
        has_colour=medium.has_colour,
    )
    end = math.log10(forecast.window.end)
    for reward in sheet.rows()[:: 2 if sheet.has_dots else 1]:
        sheet.dot(end, float(reward), WINDOW_END)
    for band, low, high in (
        (forecast.fitted, forecast.fitted.low, forecast.fitted.high),
        (forecast.band, forecast.band.robust_low, forecast.band.robust_high),
    ):
        draw_line(sheet, band, low, EDGE, every=3)
        draw_line(sheet, band, high, EDGE, every=3)
    draw_points(sheet, forecast)
    draw_line(sheet, forecast.fitted, forecast.fitted.estimate, CURVE)
    draw_line(sheet, forecast.band, forecast.band.robust_estimate, CURVE)
    return "\n".join([*frame(sheet), *axis(sheet, forecast.run.unit), *legend(sheet, forecast)])


def limits(forecast: Forecast) -> tuple[float, float, float, float]:
    """Return the ends of both axes: log10 of compute, reward.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    compute, reward = forecast.run.compute, forecast.run.reward
    positive = compute[compute > 0]
    left, right = math.log10(positive[0]), math.log10(max(float(compute[-1]), float(forecast.band.compute[-1])))
    drawn = np.concatenate(
        [
            reward[compute > 0],
            forecast.fitted.estimate,
            forecast.fitted.low,
            forecast.fitted.high,
            forecast.band.robust_low,
            forecast.band.robust_high,
        ]
    )
    drawn = drawn[np.isfinite(drawn)]
    bottom, top = float(drawn.min()), float(drawn.max())
    # A constant reward, or a log of one compute value, still needs an axis of some length.
    margin = 0.04 * (top - bottom) or 0.04 * abs(top) or 1.0
    return left, right + 1e-3 * (right - left) + 1e-6, bottom - margin, top + margin


def draw_line(sheet: Sheet, band: Band, reward: FloatArray, pen: Pen, every: int = 1) -> None:
    """Draw a curve, column by column.

    Parameters
    ----------
    sheet
        Where.
    band
        Holds the compute values.
    reward
        (m,), the curve at them.
    pen
        How.
    every
        Draw each so manieth column only: a dotted line.
    """
    known = np.isfinite(reward) & (band.compute > 0)
    if not known.any():
        return
    x = np.log10(band.compute[known])
    inside = sheet.columns()
    inside = inside[(inside >= x[0]) & (inside <= x[-1])][::every]
    for column, value in zip(inside, np.interp(inside, x, reward[known]), strict=True):
        sheet.dot(float(column), float(value), pen)


def draw_points(sheet: Sheet, forecast: Forecast) -> None:
    """Draw the rows of the log, those that the fit saw and those beyond it.

    Parameters
    ----------
    sheet
        Where.
    forecast
        The forecast of one run.
    """
    run, end = forecast.run, forecast.window.end
    x, y = np.log10(run.compute, where=run.compute > 0, out=np.full_like(run.compute, np.nan)), run.reward
    columns, rows = sheet.columns(), sheet.rows()
    for pen, chosen in ((SEEN, run.compute <= end), (LATER, run.compute > end)):
        shown = chosen & np.isfinite(x)
        # A log of a million rows has no more different dots than the canvas: find those first.
        places = np.stack(
            [
                np.clip(np.searchsorted(columns, x[shown]), 0, columns.size - 1),
                np.clip(np.searchsorted(rows, y[shown]), 0, rows.size - 1),
            ]
        )
        for column, row in np.unique(places, axis=1).T:
            sheet.dot(float(columns[column]), float(rows[row]), pen)


def frame(sheet: Sheet) -> Iterator[str]:
    """Return the canvas with rewards at its left, line by line.

    Parameters
    ----------
    sheet
        What was drawn.
    """
    canvas = sheet.canvas
    lines = canvas.plot(linesep="\n").split("\n")
    decimals = max(0, decimals_for(canvas.ymax - canvas.ymin, None))
    labelled = {round(share * (canvas.height - 1)) for share in (0, 1 / 3, 2 / 3, 1)}
    step = (canvas.ymax - canvas.ymin) / canvas.height
    for index, line in enumerate(lines):
        label = show(canvas.ymax - (index + 0.5) * step, decimals) if index in labelled else ""
        yield f"{label:>{LABELS}} {line.replace(chr(0x2800), ' ')}"


def axis(sheet: Sheet, unit: str) -> Iterator[str]:
    """Return the log axis of compute.

    Parameters
    ----------
    sheet
        What was drawn.
    unit
        Unit of compute.
    """
    canvas = sheet.canvas
    room = [" "] * canvas.width
    for value in ticks(10**canvas.xmin, 10**canvas.xmax):
        label = show_amount(value)
        place = int((math.log10(value) - canvas.xmin) / (canvas.xmax - canvas.xmin) * canvas.width)
        start = min(max(0, place - len(label) // 2), canvas.width - len(label))
        # A label needs a blank on both sides, or two numbers would read as one.
        if start >= 0 and not "".join(room[max(0, start - 2) : start + len(label) + 2]).strip():
            room[start : start + len(label)] = label
    yield f"{'':{LABELS}} {''.join(room).rstrip()}"
    yield f"{'':{LABELS}} {unit + ' (log axis)':^{canvas.width}}".rstrip()


def ticks(low: float, high: float) -> Sequence[float]:
    """Return 1, 2 and 5 times each power of ten between two amounts, powers of ten first if there are many.

    Parameters
    ----------
    low
        Left end, positive.
    high
        Right end.
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [multiple * 10.0**power for multiple in MULTIPLES for power in powers]
    return [value for value in found if low <= value <= high]


def legend(sheet: Sheet, forecast: Forecast) -> Iterator[str]:
    """Return what is what.

    Parameters
    ----------
    sheet
        What was drawn.
    forecast
        The forecast of one run.
    """
    seen, band = show_amount(forecast.window.end), f"{forecast.level:g} band"
    entries = (
        [f"upright: seen up to {seen}", "line: curve", f"dotted: {band}"]
        if sheet.has_dots
        else [f"|: seen up to {seen}", "o: seen", "x: later", "*: curve", f".: {band}"]
    )
    line = ""
    for entry in entries:
        if line and len(line) + 2 + len(entry) > sheet.canvas.width:
            yield f"{'':{LABELS}} {line}"
            line = ""
        line = f"{line}, {entry}" if line else entry
    yield f"{'':{LABELS}} {line}"
