"""``scalefit calibrate``: learn from finished runs how runs of their kind depart from their law."""

import math
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from scalefit.cli import options, values
from scalefit.cli.output import open_destination, say, warn
from scalefit.errors import ScalefitError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scalefit.forecast import Settings
    from scalefit.logs import LogSpec, ReadOptions
    from scalefit.model.departure import Calibration
    from scalefit.run import Run

UNUSABLE = 2
"""Exit status when a run could not be used, although the others were."""


class Task(NamedTuple):
    """One log of finished runs."""

    spec: "LogSpec"
    """The log."""
    reading: "ReadOptions"
    """How it is read."""
    settings: "Settings"
    """What is asked of its forecasts; its budget is where a run ends."""


class FinishedRun(NamedTuple):
    """One finished run, and what the shipped rates made of it."""

    run: "Run"
    """The run."""
    is_covered: bool | None
    """Whether the band of the shipped rates held it, a quarter seen; None if it cannot be scored."""
    refusals: dict[str, None]
    """Why it cannot be scored at some share seen, each reason once."""


def calibrate(
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
    budget: options.FinishedBudget = None,
    reward_range: options.Range = None,
    start: options.Start = None,
    law: options.Law = "sigmoid",
    level: Annotated[
        float,
        typer.Option(
            "--level",
            metavar="P",
            parser=values.parse_number,
            help="Probability at which the band is made to hold, between 0 and 1.",
            rich_help_panel=options.FITTING,
        ),
    ] = 0.9,
    output: options.Output = None,
    jobs: options.Jobs = None,
) -> None:
    """Learn from finished runs how your runs depart from their law, for --calibration of the other commands."""
    settings = values.settings(
        fraction=0.25,
        budget=budget,
        skip_until=skip_until,
        reward_range=reward_range,
        minimize=minimize,
        start=start,
        law=law,
        level=level,
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
    from scalefit import calibration
    from scalefit.cli.calibration_file import write_calibration
    from scalefit.cli.progress import busy

    with open_destination(output, runs) as destination:
        found, failures = read_all(runs, reading, settings, jobs)
        for failure in failures:
            say("error", str(failure))
        for each in found:
            for refusal in each.refusals:
                warn(f"{each.run.name}: left out, at least in part: {refusal}")
        if failures and not found:
            raise typer.Exit(UNUSABLE)
        with busy(f"learning from {len(found)} runs"):
            learned = calibration.calibrate([each.run for each in found], settings)
        remarks = remarks_on(learned, found, level=level)
        destination.write(write_calibration(learned, law=law, level=level, remarks=remarks))
    if output is not None:
        for remark in remarks:
            say("note", remark)
    if failures:
        raise typer.Exit(UNUSABLE)


def read_all(
    arguments: "Sequence[str]", reading: "ReadOptions", settings: "Settings", jobs: int | None
) -> tuple[list[FinishedRun], list[ScalefitError]]:
    """Read every log that the arguments mean; one that cannot be read does not lose the others.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    reading
        How the logs are read.
    settings
        What is asked of the forecasts; its budget is where a run ends.
    jobs
        As in `scalefit.cli.forecasting.forecast_logs`.

    Returns
    -------
    tuple
        The runs and the errors, both in the order given.

    Raises
    ------
    UsageError
        If the number of workers is not positive.
    """
    from scalefit.cli.forecasting import find_logs, work_in_order
    from scalefit.cli.progress import track

    steps = find_logs(arguments, lambda spec: Task(spec, reading, settings))
    found: list[FinishedRun] = []
    failures: list[ScalefitError] = []
    for results in track(work_in_order(read_finished, steps, jobs), len(steps), "reading"):
        for result in [results] if isinstance(results, ScalefitError) else results:
            if isinstance(result, ScalefitError):
                failures.append(result)
            else:
                found.append(result)
    return found, failures


def read_finished(task: Task) -> "list[list[FinishedRun | ScalefitError] | ScalefitError]":
    """Read one log and see which of its runs can be learned from.

    Parameters
    ----------
    task
        The log.
    """
    from scalefit.backtest import score_run
    from scalefit.calibration import LEARNING_FRACTIONS
    from scalefit.cli.finished import end_at
    from scalefit.logs import read_log

    try:
        readings = read_log(task.spec, task.reading)
    except ScalefitError as error:
        return [error]
    results: list[FinishedRun | ScalefitError] = []
    for each in readings:
        try:
            run = end_at(each.run, task.settings.budget)
        except ScalefitError as error:
            results.append(error)
            continue
        scores = [score_run(run, fraction, task.settings) for fraction in LEARNING_FRACTIONS]
        outcome = scores[0].outcome
        results.append(
            FinishedRun(
                run=run,
                is_covered=None if outcome is None else outcome.covered_robust,
                refusals=dict.fromkeys(score.refusal for score in scores if score.refusal is not None),
            )
        )
    return [results]


def remarks_on(learned: "Calibration", found: "Sequence[FinishedRun]", *, level: float) -> tuple[str, ...]:
    """Return what a person should know of a calibration.

    Parameters
    ----------
    learned
        The calibration.
    found
        The runs that it was learned from, and others.
    level
        Probability at which the band is made to hold.
    """
    from scalefit.calibration import LEARNING_FRACTIONS, expected_coverage
    from scalefit.model.departure import SHIPPED

    count = learned.runs
    coverage = expected_coverage(count, level)
    held = sum(bool(each.is_covered) for each in found)
    shares = " and ".join(f"{fraction:g}" for fraction in LEARNING_FRACTIONS)
    learned_from = (
        f"how your runs depart from their law, learned by scalefit calibrate from {count} finished runs, {shares} of "
        f"each seen"
    )
    held_before = (
        f"the band of the shipped rates held {held} of the {count} at {level:g}; the band factor of "
        f"{learned.band_factor:.3g} makes that of the learned ones reach the outcome of {coverage.rank} of {count}"
    )
    expected = (
        f"expected coverage of a new run of the same kind: {coverage.rank}/{count + 1} = {coverage.mean:.3f} on "
        f"average, {coverage.low:.2f} to {coverage.high:.2f} for nine of ten such sets of runs, and a little less as "
        f"the rates were learned from the same runs"
    )
    remarks = [learned_from, held_before, expected]
    if coverage.mean < level:
        needed = math.ceil(level / (1 - level) - 1e-9)
        remarks.append(f"{count} runs cannot promise {level:g}: that takes at least {needed}")
    for name, mine, shipped in (
        ("with a known range, such as 0 to 1", learned.bounded, SHIPPED.bounded),
        ("on an open scale", learned.open_scale, SHIPPED.open_scale),
    ):
        if mine == shipped:
            remarks.append(f"no run {name}: its rates are the shipped ones")
    return tuple(remarks)
