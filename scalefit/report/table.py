"""Forecasts for a person: the words first, then the numbers, what to beware of, and what was read."""

import io
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scalefit.forecast import Forecast
from scalefit.report.figures import (
    decimals_for,
    show,
    show_amount,
    show_amounts,
    show_interval,
    show_rewards,
)
from scalefit.report.medium import Medium, printable
from scalefit.report.words import ceiling_of, final_decimals, summarise

NARROW = 72
"""Columns below which a table of many columns is turned on its side: its numbers would break in the middle."""
READABLE = 100
"""Columns beyond which running text is hard to read."""
FORECAST_ROWS = 5
"""Rows of the forecast shown between the window's end and the budget; the other formats hold them all."""
FULL_REPORTS = 6
"""Runs up to which each gets a full report; beyond, one table for all is what a person can still read."""


def render_forecasts(
    forecasts: Sequence[Forecast],
    medium: Medium,
    *,
    at: Sequence[float] = (),
    draw: Callable[[Forecast, Medium], str] | None = None,
) -> str:
    """Return the report of ``predict``.

    Parameters
    ----------
    forecasts
        One per run, in the order given; at least one.
    medium
        Where it is written to.
    at
        Compute values that the user asked for and that the table must show, unit of the runs.
    draw
        Returns the picture of one run as lines of text; None: no pictures.
    """
    blocks: list[RenderableType] = []
    if len(forecasts) > 1:
        blocks += [*overview(forecasts, medium), Text()]
    if len(forecasts) <= FULL_REPORTS:
        for forecast in forecasts:
            blocks += [*full_report(forecast, medium, at, draw), Text()]
    else:
        blocks += [*caveats_of_many(forecasts), Text("Each run in full: give it alone, or ask for --format json.")]
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


def print_to_text(content: RenderableType, medium: Medium) -> str:
    """Return what rich prints, for the width, encoding and colours of the medium.

    Parameters
    ----------
    content
        What to print.
    medium
        Where it is written to.
    """
    page = io.StringIO()
    console = Console(
        file=page,
        width=medium.width,
        force_terminal=medium.has_colour,
        color_system="standard" if medium.has_colour else None,
        no_color=not medium.has_colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        # The medium has decided; the environment must not be asked a second time.
        _environ={},
    )
    console.print(content)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def full_report(
    forecast: Forecast, medium: Medium, at: Sequence[float], draw: Callable[[Forecast, Medium], str] | None
) -> list[RenderableType]:
    """Return everything about one run.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    at
        As in `render_forecasts`.
    draw
        As in `render_forecasts`.
    """
    blocks: list[RenderableType] = [Text(printable(forecast.run.name), style="bold", overflow="fold")]
    blocks += [paragraph(sentence, medium) for sentence in summarise(forecast)]
    if draw is not None:
        blocks += [Text(), Text.from_ansi(draw(forecast, medium))]
    blocks += [Text(), parameters(forecast, medium), Text(), forecast_rows(forecast, medium, at)]
    if forecast.reach:
        blocks += [Text(), reach_rows(forecast, medium)]
    if forecast.caveats:
        blocks += [Text(), Text("read with care", style="bold")]
        blocks += [footnote(str(place), caveat.message) for place, caveat in enumerate(forecast.caveats, start=1)]
    return [*blocks, Text(), what_was_read(forecast)]


def paragraph(sentence: str, medium: Medium) -> RenderableType:
    """Return running text, wrapped where it can still be read.

    Parameters
    ----------
    sentence
        The text.
    medium
        Where it is written to.
    """
    margin = max(0, medium.width - READABLE)
    return Padding(Text(printable(sentence), overflow="fold"), (0, margin, 0, 2))


def footnote(mark: str, message: str) -> Table:
    """Return a numbered remark that wraps under itself.

    Parameters
    ----------
    mark
        The number.
    message
        The remark.
    """
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(f"  [{mark}]", printable(message))
    return grid


def plain_table(*columns: str, numeric: int = 0) -> Table:
    """Return a table without rules: what no encoding and no width can break.

    Parameters
    ----------
    columns
        Headers.
    numeric
        Index from which the columns hold numbers, aligned to the right.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold", show_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, overflow="fold", justify="right" if index >= numeric else "left")
    return table


def marks(forecast: Forecast, row: str) -> str:
    """Return the footnotes that concern a row, e.g. `` [1][3]``.

    Parameters
    ----------
    forecast
        The forecast of one run.
    row
        Name of the parameter; a caveat concerns it if its code says the name.
    """
    numbers = [str(place) for place, caveat in enumerate(forecast.caveats, start=1) if row in caveat.code.split("-")]
    return " " + "".join(f"[{number}]" for number in numbers) if numbers else ""


def parameters(forecast: Forecast, medium: Medium) -> Table:
    """Return the parameters of the curve with their intervals.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    """
    narrow = medium.width < NARROW
    level = f"{forecast.level:g} interval"
    table = (
        plain_table("", "", level, numeric=1)
        if narrow
        else plain_table("  parameter", "estimate", level, "", numeric=1)
    )
    if not narrow:
        table.columns[3].justify = "left"
    known = "" if forecast.is_identified else f"{ceiling_of(forecast)} not known yet"
    rows = (
        ("asymptote", "A", show_rewards(forecast.asymptote), known),
        ("efficiency", "B", show_amounts(forecast.efficiency), ""),
        ("midpoint", "C_mid", show_amounts(forecast.midpoint), printable(forecast.run.unit)),
        ("start", "R0", show_rewards(forecast.start), ""),
    )
    for name, symbol, (estimate, interval), remark in rows:
        add_parameter(
            table, f"  {name}" if narrow else f"  {name} {symbol}", estimate, interval, remark + marks(forecast, name)
        )
    noise = show(forecast.noise_sd, decimals_for(forecast.noise_sd, None))
    autocorrelation = show(forecast.noise_autocorrelation, 2)
    add_parameter(table, "  noise", noise, "", "" if narrow else f"autocorrelation {autocorrelation}")
    if narrow:
        add_parameter(table, "  autocorrelation", autocorrelation, "", "")
    return table


def add_parameter(table: Table, name: str, estimate: str, interval: str, remark: str) -> None:
    """Add a row; its remark goes under it where there is no column for remarks.

    Parameters
    ----------
    table
        The table of parameters.
    name
        What it is called.
    estimate
        The number.
    interval
        Its interval.
    remark
        What else there is to say; may be empty.
    """
    has_room = len(table.columns) > len(("parameter", "estimate", "interval"))
    table.add_row(name, estimate, interval, *([remark] if has_room else []))
    if remark and not has_room:
        table.add_row("", "", remark.strip())


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
    band, decimals = forecast.band, final_decimals(forecast)
    entries = [
        (
            show_amount(float(band.compute[index])),
            show(float(band.robust_estimate[index]), decimals),
            show_interval(float(band.robust_low[index]), float(band.robust_high[index]), decimals),
            show(float(band.estimate[index]), decimals),
            show_interval(float(band.low[index]), float(band.high[index]), decimals),
            show_interval(float(band.observation_low[index]), float(band.observation_high[index]), decimals),
        )
        for index in shown_rows(forecast, at)
    ]
    unit = printable(forecast.run.unit)
    if medium.width >= NARROW:
        table = plain_table(f"  {unit}", "expect", "band", "on its curve", "band", "new points")
        for entry in entries:
            table.add_row(*entry)
        return table
    table = plain_table(f"  at {unit}", "", f"{forecast.level:g} band", numeric=1)
    for compute, expect, robust, estimate, sigmoid, points in entries:
        table.add_row(f"  {compute}", "", "")
        table.add_row("    expect", expect, robust)
        table.add_row("    on its curve", estimate, sigmoid)
        table.add_row("    new points", "", points)
    return table


def reach_rows(forecast: Forecast, medium: Medium) -> Table:
    """Return when the rewards asked for are reached.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    """
    place = f"at {printable(forecast.run.unit)}" if medium.width >= NARROW else "at"
    table = plain_table("  reach", "chance", place, f"{forecast.level:g} interval")
    for reach in forecast.reach:
        if reach.compute.estimate is None:
            table.add_row(f"  {reach.reward:g}", show(reach.probability, 2), "", "not within reach")
        else:
            table.add_row(f"  {reach.reward:g}", show(reach.probability, 2), *show_amounts(reach.compute))
    return table


RANGE_REASONS = {
    "given": "as given",
    "window": "every reward in the window lies in it",
    "name": "the column's name says it is a rate",
    "unbounded": "rewards lie outside 0 - 1",
}
"""What each origin of a range means to a reader."""


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
    ends = ["no limit" if end is None else f"{end:g}" for end in (bounds.low, bounds.high)]
    limits = " - ".join(ends) if ends != ["no limit", "no limit"] else "unbounded"
    reading = [
        ("read", f"{printable(source.path)} ({source.format}), {source.rows:,} rows{skipped}"),
        ("compute", f"{printable(source.x_column)} in {printable(run.unit)}{derivation_of(forecast)}"),
        ("reward", f"{printable(source.y_column)}, {'lower' if forecast.minimize else 'higher'} is better"),
        ("range", f"{limits}: {RANGE_REASONS[bounds.origin]}"),
        (
            "window",
            (
                f"{window.points:,} rows, {show_amount(window.start)} - {show_amount(window.end)} {printable(run.unit)}, "
                f"the first {window.fraction:g} of {show_amount(window.budget)}; law {forecast.law}"
            ),
        ),
    ]
    for label, text in reading:
        grid.add_row(f"  {label}", text)
    return grid


def derivation_of(forecast: Forecast) -> str:
    """Return how compute was derived, if it was not simply read.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    source = forecast.run.source
    return f" = {printable(source.derivation)}" if source.derivation not in {"", source.x_column} else ""


def overview(forecasts: Sequence[Forecast], medium: Medium) -> list[RenderableType]:
    """Return one row for each run.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    medium
        Where it is written to.
    """
    has_outcome = any(forecast.outcome for forecast in forecasts)
    if medium.width < NARROW:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(overflow="fold")
        for forecast in forecasts:
            name, *cells = overview_cells(forecast)
            grid.add_row(Text(name, style="bold"))
            for label, cell in zip(("expect", "band", "asymptote", "interval", "observed"), cells, strict=True):
                if cell:
                    grid.add_row(f"  {label}: {cell}")
        return [grid]
    table = plain_table(
        "run", "expect", "band", "asymptote", "interval", *(["observed"] if has_outcome else []), numeric=1
    )
    for forecast in forecasts:
        cells = overview_cells(forecast)
        table.add_row(*(cells if has_outcome else cells[:-1]))
    return [table]


def overview_cells(forecast: Forecast) -> list[str]:
    """Return a run's name, forecast, band, asymptote, interval and outcome.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    decimals = final_decimals(forecast)
    asymptote, interval = show_rewards(forecast.asymptote)
    return [
        printable(forecast.run.name),
        show(forecast.final.robust_estimate, decimals),
        show_interval(forecast.final.robust_low, forecast.final.robust_high, decimals),
        asymptote if forecast.is_identified else "not known",
        interval,
        "" if forecast.outcome is None else show(forecast.outcome.observed, decimals),
    ]


def caveats_of_many(forecasts: Sequence[Forecast]) -> list[RenderableType]:
    """Return each kind of caveat once, with the runs that it concerns.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    """
    concerned: dict[str, list[str]] = {}
    for forecast in forecasts:
        for code in dict.fromkeys(caveat.code for caveat in forecast.caveats):
            concerned.setdefault(code, []).append(forecast.run.name)
    if not concerned:
        return []
    blocks: list[RenderableType] = [Text("read with care", style="bold")]
    for place, (code, names) in enumerate(concerned.items(), start=1):
        listed = "every run" if len(names) == len(forecasts) else ", ".join(names)
        blocks.append(footnote(str(place), f"{code}: {listed}"))
    return [*blocks, Text()]
