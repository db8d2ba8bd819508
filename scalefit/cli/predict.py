"""``scalefit predict``: forecast runs from the first part of their logs."""

from typing import TYPE_CHECKING

import typer

from scalefit.cli import options, values
from scalefit.cli.options import Format
from scalefit.cli.output import Destination, open_destination, say, warn_of_caveats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scalefit.forecast import Forecast

UNUSABLE = 2
"""Exit status when a run could not be used, although the others were."""


def predict(
    runs: options.Runs,
    x: options.ComputeColumn = None,
    y: options.RewardColumn = None,
    where: options.Where = None,
    series: options.Series = None,
    gpus: options.Gpus = None,
    gpu_hours_per_step: options.GpuHoursPerStep = None,
    max_gap: options.MaxGap = None,
    minimize: options.Minimize = False,
    skip_until: options.SkipUntil = 0.0,
    fraction: options.Fraction = 0.25,
    budget: options.Budget = None,
    reward_range: options.Range = None,
    start: options.Start = None,
    law: options.Law = "sigmoid",
    level: options.Level = 0.9,
    calibration: options.Calibration = None,
    at: options.At = None,
    reach: options.Reach = None,
    format_: options.ForecastFormat = Format.TABLE,
    output: options.Output = None,
    plot: options.Plot = None,
    no_plot: options.NoPlot = False,
    jobs: options.Jobs = None,
) -> None:
    """Fit the first quarter of each run and forecast the rest, with bands that hold."""
    settings = values.settings(
        fraction=fraction,
        budget=budget,
        skip_until=skip_until,
        reward_range=reward_range,
        minimize=minimize,
        start=start,
        law=law,
        level=level,
        at=at,
        reach=reach,
        calibration=calibration,
    )
    reading = values.read_options(
        x=x,
        y=y,
        where=where,
        series=series,
        gpus=gpus,
        gpu_hours_per_step=gpu_hours_per_step,
        max_gap=max_gap,
        minimize=minimize,
    )
    from scalefit.cli.forecasting import forecast_logs
    from scalefit.cli.pictures import open_picture

    with open_destination(output, runs) as destination, open_picture(plot, runs) as write_picture:
        forecasts, failures = forecast_logs(runs, reading, settings, jobs)
        for failure in failures:
            say("error", str(failure))
        if not forecasts:
            # Leaves through the destinations, so that none of them keeps an empty file.
            raise typer.Exit(UNUSABLE)
        destination.write(render(forecasts, destination, format_, settings.at, has_plot=not no_plot))
        write_picture(forecasts)
    if format_ is not Format.TABLE:
        warn_of_caveats(forecasts)
    if failures:
        raise typer.Exit(UNUSABLE)


def render(
    forecasts: "Sequence[Forecast]",
    destination: Destination,
    format_: Format,
    at: "Sequence[float]",
    *,
    has_plot: bool,
) -> str:
    """Return the result in the format asked for.

    Parameters
    ----------
    forecasts
        One per run, in the order given; at least one.
    destination
        Where it goes.
    format_
        How it is written.
    at
        Compute values asked for, unit of the runs.
    has_plot
        Whether a terminal gets a picture.
    """
    if format_ is Format.JSON:
        from scalefit.report import json

        return json.render_forecasts(forecasts)
    if format_ is Format.CSV:
        from scalefit.report import csv

        return csv.render_forecasts(forecasts, at=at)
    if format_ is Format.MARKDOWN:
        from scalefit.report import markdown

        return markdown.render_forecasts(forecasts)
    from scalefit.report import table, terminal_plot

    medium = destination.medium()
    draw = terminal_plot.draw_forecast if has_plot and medium.is_terminal else None
    return table.render_forecasts(forecasts, medium, at=at, draw=draw)
