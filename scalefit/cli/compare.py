"""``scalefit compare``: which recipe wins, at what budget, and how sure that is."""

from typing import TYPE_CHECKING, Annotated

import typer

from scalefit.cli import options, values
from scalefit.cli.options import FITTING, Format
from scalefit.cli.output import Destination, open_destination, say, warn, warn_of_caveats
from scalefit.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scalefit.comparison import Comparison
    from scalefit.forecast import Forecast

UNUSABLE = 2
"""Exit status when a run could not be used, although the others were."""
COMPARING = "Comparing"


def compare(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN...",
            help="Two or more logs, globs, folders, or any of these with a label: label=path.",
            show_default=False,
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="RECIPE=GLOB",
            help="Logs that are seeds of one recipe; repeatable. Or a column that names the recipe of each row.",
            rich_help_panel=COMPARING,
        ),
    ] = None,
    all_pairs: Annotated[
        bool,
        typer.Option(
            "--all-pairs",
            metavar="",
            help="Compare every pair; without it each run with the first.",
            rich_help_panel=COMPARING,
        ),
    ] = False,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="LABEL",
            help="The full recipe of a leave-one-out study: adds its table, efficiencies at one shared asymptote.",
            rich_help_panel=COMPARING,
        ),
    ] = None,
    tie: Annotated[
        float,
        typer.Option(
            "--tie",
            metavar="SHARE",
            parser=values.parse_number,
            help="Difference in the ceiling that does not matter, in shares of the reward's range.",
            rich_help_panel=COMPARING,
        ),
    ] = 0.02,
    price: Annotated[
        float | None,
        typer.Option(
            "--price",
            metavar="PER_GPU_HOUR",
            parser=values.parse_number,
            help="Price of a GPU-hour: adds money to budgets and crossings.",
            rich_help_panel=COMPARING,
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
    fraction: options.Fraction = 0.25,
    budget: options.Budget = None,
    reward_range: options.Range = None,
    start: options.Start = None,
    law: options.Law = "sigmoid",
    level: options.Level = 0.9,
    calibration: options.Calibration = None,
    at: Annotated[
        list[float] | None,
        typer.Option(
            "--at",
            metavar="C",
            parser=values.parse_number,
            help="Compare the rewards at this compute too; repeatable.",
            rich_help_panel=FITTING,
        ),
    ] = None,
    format_: options.ForecastFormat = Format.TABLE,
    output: options.Output = None,
    plot: options.Plot = None,
    no_plot: options.NoPlot = False,
    jobs: options.Jobs = None,
) -> None:
    """Say which run or recipe has the higher ceiling, which is more efficient, and where they cross."""
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
    _check(runs, group, tie=tie, price=price, law=law)
    from scalefit.cli.comparing import fit_recipes
    from scalefit.cli.pictures import open_picture
    from scalefit.comparison import agree_on_range
    from scalefit.comparison import compare as compare_recipes

    inputs = [*(runs or ()), *(group or ())]
    comparison: Comparison | None = None

    def draw(_: "Sequence[Forecast]", ending: str) -> bytes:
        from scalefit.report.comparison import picture

        if comparison is None:
            raise RuntimeError("a picture is drawn after the comparison")
        return picture.render_picture(comparison, ending)

    with open_destination(output, inputs) as destination, open_picture(plot, inputs, draw) as write_picture:
        recipes, failures = fit_recipes(runs or (), group or (), reading, settings, jobs, warn)
        for failure in failures:
            say("error", str(failure))
        if failures and len(recipes) < 2:  # noqa: PLR2004 a pair
            # What is wrong has been said; leaves through the destinations, so that none of them keeps an empty file.
            raise typer.Exit(UNUSABLE)
        agreed, refitted = agree_on_range(recipes, settings)
        if refitted:
            warn(f"{', '.join(refitted)}: fitted without a range, as rewards of other runs leave 0-1 (see --range)")
        comparison = compare_recipes(
            agreed, tie=tie, at=settings.at, all_pairs=all_pairs, baseline=baseline, column_given=y is not None
        )
        _check_price(comparison, price)
        destination.write(render(comparison, destination, format_, price=price, has_plot=not no_plot))
        write_picture([])
    if format_ is not Format.TABLE:
        warn_of_caveats([forecast for recipe in comparison.recipes for forecast in recipe.forecasts])
    if failures:
        raise typer.Exit(UNUSABLE)


def render(
    comparison: "Comparison", destination: Destination, format_: Format, *, price: float | None, has_plot: bool
) -> str:
    """Return the result in the format asked for.

    Parameters
    ----------
    comparison
        The comparison.
    destination
        Where it goes.
    format_
        How it is written.
    price
        Of a GPU-hour; None: no money.
    has_plot
        Whether a terminal gets a picture.
    """
    if format_ is Format.JSON:
        from scalefit.report.comparison import json

        return json.render_comparison(comparison, price=price)
    if format_ is Format.CSV:
        from scalefit.report.comparison import csv

        return csv.render_comparison(comparison, price=price)
    if format_ is Format.MARKDOWN:
        from scalefit.report.comparison import markdown

        return markdown.render_comparison(comparison, price=price)
    from scalefit.report.comparison import table, terminal_plot

    medium = destination.medium()
    draw = terminal_plot.draw_comparison if has_plot and medium.is_terminal else None
    return table.render_comparison(comparison, medium, price=price, draw=draw)


def _check(runs: list[str] | None, group: list[str] | None, *, tie: float, price: float | None, law: str) -> None:
    from scalefit.model.curves import LAWS

    if not runs and not any("=" in each for each in group or ()):
        raise UsageError("no run is given", where="RUN", expected="expected two or more runs, or --group recipe=glob")
    if tie < 0:
        raise UsageError(f"{tie:g} cannot be used", where="--tie", expected="expected a share of the range, 0 or more")
    if price is not None and price <= 0:
        raise UsageError(f"{price:g} cannot be used", where="--price", expected="expected a number above 0")
    chosen = LAWS[law]
    if not (chosen.has_asymptote and chosen.has_efficiency and chosen.has_midpoint and chosen.has_start):
        raise UsageError(
            f"the law '{law}' lacks an asymptote, an efficiency or a midpoint",
            where="--law",
            expected="expected a law whose ceilings and efficiencies can be compared, such as sigmoid",
        )


def _check_price(comparison: "Comparison", price: float | None) -> None:
    if price is None:
        return
    other = next((recipe for recipe in comparison.recipes if recipe.unit != "gpu-hours"), None)
    if other is not None:
        raise UsageError(
            f"compute of {other.name} is in {other.unit}",
            where="--price",
            expected="expected GPU-hours",
            remedy="turn it into GPU-hours with --gpus or --gpu-hours-per-step",
        )
