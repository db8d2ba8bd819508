"""``scalefit inspect``: say what was read, and what was not."""

from typing import TYPE_CHECKING

import typer

from scalefit.cli import options, values
from scalefit.cli.options import InspectionFormat
from scalefit.cli.output import open_destination, say, warn
from scalefit.errors import ScalefitError

if TYPE_CHECKING:
    from scalefit.logs import Inspection, ReadOptions

UNUSABLE = 2
"""Exit status when a log could not be read, although the others were."""


def inspect(
    runs: options.Runs,
    x: options.ComputeColumn = None,
    y: options.RewardColumn = None,
    where: options.Where = None,
    series: options.Series = None,
    gpus: options.Gpus = None,
    gpu_hours_per_step: options.GpuHoursPerStep = None,
    max_gap: options.MaxGap = None,
    minimize: options.Minimize = False,
    format_: options.ReadingFormat = InspectionFormat.TABLE,
    output: options.Output = None,
) -> None:
    """Say what was read: format, columns, unit of compute, rows kept and skipped, and why."""
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
    from scalefit.report.inspection import render_json, render_table

    with open_destination(output, runs) as destination:
        inspections, failures = inspect_logs(runs, reading)
        for failure in failures:
            say("error", str(failure))
        if not inspections:
            raise typer.Exit(UNUSABLE)
        if format_ is InspectionFormat.JSON:
            destination.write(render_json(inspections))
        else:
            destination.write(render_table(inspections, destination.medium()))
    if format_ is InspectionFormat.JSON:
        for inspection in inspections:
            for note in inspection.run.source.notes:
                warn(f"{inspection.run.name}: {note.message}")
    if failures:
        raise typer.Exit(UNUSABLE)


def inspect_logs(arguments: list[str], reading: "ReadOptions") -> "tuple[list[Inspection], list[ScalefitError]]":
    """Read every log that the arguments mean; one that cannot be read does not lose the others.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    reading
        How the logs are read.

    Returns
    -------
    tuple
        What was read and the errors, both in the order given.
    """
    from scalefit.logs import expand_argument, inspect_run

    inspections: list[Inspection] = []
    failures: list[ScalefitError] = []
    for argument in arguments:
        try:
            specs = expand_argument(argument)
        except ScalefitError as error:
            failures.append(error)
            continue
        for spec in specs:
            try:
                inspections.extend(inspect_run(spec, reading))
            except ScalefitError as error:
                failures.append(error)
    return inspections, failures
