"""Forecasts for a person: the words first, then the numbers, what to beware of, and what was read."""

import dataclasses
from collections.abc import Callable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from scalefit.forecast import Forecast
from scalefit.report.medium import Medium, printable
from scalefit.report.overview import caveats_of_many, overview
from scalefit.report.page import footnote, paragraph, print_to_text
from scalefit.report.sections import forecast_rows, parameters, reach_rows, what_was_read
from scalefit.report.words import summarise

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
    forecasts = [spell_forecast(forecast, medium) for forecast in forecasts]
    blocks: list[RenderableType] = []
    if len(forecasts) > 1:
        blocks += [overview(forecasts, medium), Text()]
    if len(forecasts) <= FULL_REPORTS:
        for forecast in forecasts:
            blocks += [*full_report(forecast, medium, at, draw), Text()]
    else:
        blocks += [*caveats_of_many(forecasts), Text("Each run in full: give it alone, or ask for --format json.")]
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


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


def spell_forecast(forecast: Forecast, medium: Medium) -> Forecast:
    """Return the forecast with the names that somebody else gave spelled in what the medium can show.

    Parameters
    ----------
    forecast
        The forecast of one run.
    medium
        Where it is written to.
    """
    run, spell = forecast.run, medium.spell
    source = dataclasses.replace(
        run.source,
        path=spell(run.source.path),
        x_column=spell(run.source.x_column),
        y_column=spell(run.source.y_column),
        derivation=spell(run.source.derivation),
        skipped={spell(reason): count for reason, count in run.source.skipped.items()},
    )
    return dataclasses.replace(
        forecast,
        run=dataclasses.replace(run, name=spell(run.name), unit=spell(run.unit), source=source),
        caveats=tuple(dataclasses.replace(caveat, message=spell(caveat.message)) for caveat in forecast.caveats),
    )
