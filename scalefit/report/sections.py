"""The parts of a full report: parameters, forecast, what is reached when, and what was read."""

from collections.abc import Sequence

import numpy as np
from rich.table import Table

from scalefit.forecast import Forecast
from scalefit.model.curves import LAWS
from scalefit.report.figures import decimals_for, show, show_amount, show_amounts, show_interval, show_rewards
from scalefit.report.medium import Medium, printable
from scalefit.report.page import fits, let_wrap, plain_table
from scalefit.report.words import ceiling_of
from scalefit.run import FloatArray

FORECAST_ROWS = 5
"""Rows of the forecast shown between the window's end and the budget; the other formats hold them all."""
CONCERNED = {
    "asymptote-not-identified": ("asymptote",),
    "at-the-bound": ("asymptote",),
    "before-midpoint": ("asymptote", "midpoint"),
    "constant-reward": ("efficiency", "midpoint"),
    "early-regime": ("start",),
    "falls-from-peak": ("asymptote",),
    "noise-hides-the-rise": ("asymptote", "efficiency", "midpoint"),
    "smoothed": ("noise",),
    "spikes": ("noise",),
    "start-left-out": ("start",),
    "starts-on-plateau": ("efficiency", "midpoint", "start"),
    "still-rising": ("asymptote",),
    "two-stage-rise": ("asymptote",),
}
"""Code of a caveat -> the parameters that are to be read with care for it; other caveats are about the whole run."""
RANGE_REASONS = {
    "given": "as given",
    "window": "every reward in the window lies in it",
    "name": "the column's name says it is a rate",
    "unbounded": "rewards lie outside 0 - 1",
}
"""What each origin of a range means to a reader."""


def marks(forecast: Forecast, row: str) -> str:
    """Return the footnotes that concern a row, e.g. `` [1][3]``.

    Parameters
    ----------
    forecast
        The forecast of one run.
    row
        Name of the parameter.
    """
    numbers = (place for place, caveat in enumerate(forecast.caveats, start=1) if row in CONCERNED.get(caveat.code, ()))
    text = "".join(f"[{number}]" for number in numbers)
    return f" {text}" if text else ""


def parameters(forecast: Forecast, medium: Medium) -> Table:
    """Return the parameters of the curve with their intervals.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    """
    level = f"{forecast.level:g} interval"
    wide = plain_table("  parameter", "estimate", level, "", numeric=1)
    wide.columns[3].justify = "left"
    narrow = plain_table("", "", level, numeric=1)
    known = "" if forecast.is_identified else f"{ceiling_of(forecast)} not known yet"
    rows = (
        ("asymptote", " A", show_rewards(forecast.asymptote), known),
        ("efficiency", " B", show_amounts(forecast.efficiency), ""),
        ("midpoint", " C_mid", show_amounts(forecast.midpoint), printable(forecast.run.unit)),
        ("start", " R0", show_rewards(forecast.start), ""),
    )
    for name, symbol, (estimate, interval), remark in rows:
        if not getattr(LAWS[forecast.law], f"has_{name}", True):
            continue
        remarks = remark + marks(forecast, name)
        wide.add_row(f"  {name}{symbol}", estimate, interval, remarks)
        narrow.add_row(f"  {name}", estimate, interval)
        if remarks:
            narrow.add_row("", "", remarks.strip())
    noise = show(forecast.noise_sd, decimals_for(forecast.noise_sd, None))
    autocorrelation = show(forecast.noise_autocorrelation, 2)
    wide.add_row("  noise", noise, "", f"autocorrelation {autocorrelation}{marks(forecast, 'noise')}")
    narrow.add_row("  noise", noise, "")
    narrow.add_row("  autocorrelation", autocorrelation, "")
    return wide if fits(wide, medium) else let_wrap(narrow, medium)


def shown_rows(forecast: Forecast, at: Sequence[float]) -> list[int]:
    """Return the indices of the band that a table shows: a few, log-spaced, and every compute asked for.

    Parameters
    ----------
    forecast
        The forecast of one run.
    at
        As in `render_forecasts`.
    """
    compute = forecast.band.compute
    budget = float(np.clip(forecast.final.compute, compute[0], compute[-1]))
    wanted = [*np.geomspace(compute[0], budget, FORECAST_ROWS), *at]
    return sorted({int(np.argmin(np.abs(compute - value))) for value in wanted})


def column_decimals(low: FloatArray, high: FloatArray) -> int:
    """Return the decimals of a column of intervals: those of its widest, and one more if a narrow one needs it.

    Parameters
    ----------
    low
        (n,), lower ends.
    high
        (n,), upper ends.
    """
    widths = (high - low)[np.isfinite(high - low)]
    if not widths.size:
        return decimals_for(None, None)
    decimals = decimals_for(float(widths.max()), None)
    return decimals + 1 if widths.min() < 10.0**-decimals else decimals


def forecast_rows(forecast: Forecast, medium: Medium, at: Sequence[float]) -> Table:
    """Return the three bands at a few compute values.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    at
        As in `render_forecasts`.
    """
    band, chosen = forecast.band, shown_rows(forecast, at)
    robust = column_decimals(band.robust_low[chosen], band.robust_high[chosen])
    curve = column_decimals(band.low[chosen], band.high[chosen])
    points = column_decimals(band.observation_low[chosen], band.observation_high[chosen])
    entries = [
        (
            f"  {show_amount(float(band.compute[index]))}",
            show(float(band.robust_estimate[index]), robust),
            show_interval(float(band.robust_low[index]), float(band.robust_high[index]), robust),
            show(float(band.estimate[index]), curve),
            show_interval(float(band.low[index]), float(band.high[index]), curve),
            show_interval(float(band.observation_low[index]), float(band.observation_high[index]), points),
        )
        for index in chosen
    ]
    unit = printable(forecast.run.unit)
    table = plain_table(f"  {unit}", "expect", "band", "on its curve", "band", "new points", numeric=1)
    table.columns[0].justify = "right"
    for entry in entries:
        table.add_row(*entry)
    if fits(table, medium):
        return table
    table = plain_table(f"  at {unit}", "", f"{forecast.level:g} band", numeric=1)
    for compute, expect, expected, estimate, sigmoid, new in entries:
        table.add_row(compute, "", "")
        table.add_row("    expect", expect, expected)
        table.add_row("    on its curve", estimate, sigmoid)
        table.add_row("    new points", "", new)
    return let_wrap(table, medium)


def reach_rows(forecast: Forecast, medium: Medium) -> Table:
    """Return when the rewards asked for are reached.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    """
    table = plain_table("  reach", "chance", f"at {printable(forecast.run.unit)}", f"{forecast.level:g} interval")
    for reach in forecast.reach:
        if reach.compute.estimate is None:
            table.add_row(f"  {reach.reward:g}", show(reach.probability, 2), "", "not within reach")
        else:
            table.add_row(f"  {reach.reward:g}", show(reach.probability, 2), *show_amounts(reach.compute))
    if not fits(table, medium):
        table.columns[2].header = "at"
    return let_wrap(table, medium)


def what_was_read(forecast: Forecast) -> Table:
    """Return which columns and rows the numbers come from.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    run, window, source = forecast.run, forecast.window, forecast.run.source
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim")
    grid.add_column(style="dim", overflow="fold")
    skipped = "".join(f"; {count:,} skipped: {printable(reason)}" for reason, count in source.skipped.items())
    bounds = forecast.reward_range
    unit = printable(run.unit)
    ends = ["no limit" if end is None else f"{end:g}" for end in (bounds.low, bounds.high)]
    limits = " - ".join(ends) if ends != ["no limit", "no limit"] else "unbounded"
    share = "all of" if window.fraction == 1 else f"the first {window.fraction:g} of"
    reading = [
        ("read", f"{printable(source.path)} ({source.format}), {source.rows:,} rows{skipped}"),
        ("compute", derivation_of(forecast)),
        ("reward", f"{printable(source.y_column)}, {'lower' if forecast.minimize else 'higher'} is better"),
        ("range", f"{limits}: {RANGE_REASONS[bounds.origin]}"),
        (
            "window",
            (
                f"{window.points:,} rows, {show_amount(window.start)} - {show_amount(window.end)} {unit}, "
                f"{share} {show_amount(window.budget)}; law {forecast.law}"
            ),
        ),
    ]
    for label, text in reading:
        grid.add_row(f"  {label}", text)
    return grid


def derivation_of(forecast: Forecast) -> str:
    """Return where compute comes from and in which unit it is.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    column, unit = printable(forecast.run.source.x_column), printable(forecast.run.unit)
    derivation = printable(forecast.run.source.derivation)
    derived = derivation if column in derivation else f"{column}: {derivation}" if derivation else column
    # "gpu_hours (GPU-hours)" has said its unit.
    return derived if derived.lower().endswith(f"({unit})") else f"{derived}, in {unit}"
