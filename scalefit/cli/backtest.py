"""``scalefit backtest``: what forecasts of finished runs were worth."""

from typing import TYPE_CHECKING, Annotated

import typer

from scalefit.cli import options, values
from scalefit.cli.options import Format
from scalefit.cli.output import Destination, open_destination, say, warn
from scalefit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scalefit.forecast import Forecast
    from scalefit.report.backtest.study import Study

UNUSABLE = 2
"""Exit status when a run could not be used, although the others were."""
EVERY_LAW = "all"
"""Value of ``--law`` that tries each."""
BACKTESTING = "Back-testing"


def backtest(
    runs: options.Runs,
    fractions: Annotated[
        str,
        typer.Option(
            "--fractions",
            metavar="F,F,...",
            help="Shares of each run that a forecast may see, each scored on the rest.",
            rich_help_panel=BACKTESTING,
        ),
    ] = "0.1,0.25,0.5",
    by: Annotated[
        float | None,
        typer.Option(
            "--by",
            metavar="STEP",
            parser=values.parse_number,
            help="Every multiple of STEP below 1 instead of --fractions: what share of a run must be seen.",
            rich_help_panel=BACKTESTING,
        ),
    ] = None,
    fraction: Annotated[
        float | None,
        typer.Option(
            "--fraction",
            metavar="F",
            parser=values.parse_number,
            help="One share only: the same as --fractions F.",
            rich_help_panel=BACKTESTING,
        ),
    ] = None,
    x: options.ComputeColumn = None,
    y: options.RewardColumn = None,
    where: options.Where = None,
    series: options.Series = None,
    gpus: options.Gpus = None,
    gpu_hours_per_step: options.GpuHoursPerStep = None,
    max_gap: options.MaxGap = None,
    minimize: options.Minimize = False,
    skip_until: options.SkipUntil = 0.0,
    budget: options.FinishedBudget = None,
    reward_range: options.Range = None,
    start: options.Start = None,
    law: Annotated[
        str,
        typer.Option(
            "--law",
            metavar="NAME",
            help=f"Law of the curve; '{EVERY_LAW}' says which one extrapolates best.",
            rich_help_panel=options.FITTING,
        ),
    ] = "sigmoid",
    level: options.Level = 0.9,
    calibration: options.Calibration = None,
    format_: options.ForecastFormat = Format.TABLE,
    output: options.Output = None,
    plot: options.Plot = None,
    no_plot: options.NoPlot = False,
    jobs: options.Jobs = None,
) -> None:
    """Forecast finished runs from their first parts and score that against what then happened."""
    settings = values.settings(
        fraction=0.25,
        budget=budget,
        skip_until=skip_until,
        reward_range=reward_range,
        minimize=minimize,
        start=start,
        law="sigmoid" if law == EVERY_LAW else law,
        level=level,
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
    if by is not None:
        shares = values.fractions_by(by)
    elif fraction is not None:
        shares = values.parse_fractions(repr(fraction))
    else:
        shares = values.parse_fractions(fractions)
    from scalefit.cli.backtesting import backtest_logs
    from scalefit.cli.pictures import open_picture
    from scalefit.model.curves import LAWS

    laws = tuple(LAWS) if law == EVERY_LAW else (law,)
    inputs = runs if calibration is None else [*runs, calibration]
    study: Study | None = None

    def draw(_: "Sequence[Forecast]", ending: str) -> bytes:
        from scalefit.report.backtest import picture

        if study is None:
            raise RuntimeError("a picture is drawn after the back-test")
        return picture.render_picture(study, ending)

    with open_destination(output, inputs) as destination, open_picture(plot, inputs, draw) as write_picture:
        study, failures = backtest_logs(runs, reading, settings, fractions=shares, laws=laws, jobs=jobs)
        for failure in failures:
            say("error", str(failure))
        if not study.scored:
            # Leaves through the destinations, so that none of them keeps an empty file.
            say_why_not(study)
            raise typer.Exit(UNUSABLE)
        destination.write(render(study, destination, format_, has_plot=not no_plot))
        write_picture([])
    if format_ is not Format.TABLE:
        from scalefit.report.backtest.words import remarks_on

        for remark in remarks_on(study):
            warn(remark)
    if failures:
        raise typer.Exit(UNUSABLE)


def say_why_not(study: "Study") -> None:
    """Say of each run why it cannot be scored at any share seen.

    Parameters
    ----------
    study
        A back-test without a score.
    """
    from scalefit.report.backtest.words import refusals_of

    for (name, reason), shares in refusals_of(study).items():
        seen = ", ".join(f"{share:g}" for share in shares)
        error = UsageError(
            f"{reason}, with {seen} of the run seen",
            where=name,
            expected="expected a finished run that can be forecast from its first part",
        )
        say("error", str(error))


def render(study: "Study", destination: Destination, format_: Format, *, has_plot: bool) -> str:
    """Return the result in the format asked for.

    Parameters
    ----------
    study
        At least one run scored at one share seen.
    destination
        Where it goes.
    format_
        How it is written.
    has_plot
        Whether a terminal gets a picture.
    """
    if format_ is Format.JSON:
        from scalefit.report.backtest import json

        return json.render_study(study)
    if format_ is Format.CSV:
        from scalefit.report.backtest import csv

        return csv.render_study(study)
    if format_ is Format.MARKDOWN:
        from scalefit.report.backtest import markdown

        return markdown.render_study(study)
    from scalefit.report.backtest import table, terminal_plot

    medium = destination.medium()
    draw = terminal_plot.draw_study if has_plot and medium.is_terminal else None
    return table.render_study(study, medium, draw=draw)
