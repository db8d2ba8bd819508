"""Logs -> recipes: which runs are seeds of one recipe, fitted on as many processes as help."""

import dataclasses
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from scalefit.caveats import Fit
from scalefit.cli.forecasting import work_in_order
from scalefit.comparison import Recipe
from scalefit.errors import ScalefitError, UsageError
from scalefit.forecast import Forecast, Settings, fit_run, forecast_fit
from scalefit.logs import LogSpec, ReadOptions, expand_argument, read_log
from scalefit.logs.columns import find_column
from scalefit.logs.content import open_content
from scalefit.logs.formats import read_table
from scalefit.run import MINIMUM_POINTS, Run


class SeedTask(NamedTuple):
    """One log to read and fit."""

    spec: LogSpec
    """The log."""
    reading: ReadOptions
    """How it is read."""
    settings: Settings
    """What is asked of its fit."""
    recipe: str | None
    """Recipe that its runs are seeds of; None: each run is its own."""


class Seed(NamedTuple):
    """One run that was fitted."""

    recipe: str
    """The recipe."""
    fit: Fit
    """The fit."""
    forecast: Forecast
    """Its forecast."""
    is_grouped: bool
    """Whether the user said which recipe it is a seed of."""


def fit_recipes(
    arguments: Iterable[str],
    groups: Iterable[str],
    reading: ReadOptions,
    settings: Settings,
    jobs: int | None,
    warn: Callable[[str], None],
) -> tuple[list[Recipe], list[ScalefitError]]:
    """Read and fit every log; one that cannot be used does not lose the others.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    groups
        What the user gave for ``--group``: ``recipe=glob``, or a column that names the recipe of a row.
    reading
        How the logs are read.
    settings
        What is asked of the fits.
    jobs
        As in `scalefit.cli.forecasting.forecast_logs`.
    warn
        Called with what the user should know.

    Returns
    -------
    tuple
        Recipes in the order first met, and the errors.

    Raises
    ------
    UsageError
        If more than one column is to group, or the number of workers is not positive.
    """
    named = [group for group in groups if "=" in group]
    columns = [group for group in groups if "=" not in group]
    if len(columns) > 1:
        raise UsageError(
            f"{len(columns)} columns", where="--group", expected="expected one column, or recipe=glob each"
        )
    steps: list[SeedTask | ScalefitError] = []

    asked = [(argument, columns[0] if columns else None, False) for argument in arguments]
    asked += [(group, None, True) for group in named]
    for text, column, is_named in asked:
        try:
            fresh = _named_tasks(text, reading, settings) if is_named else _tasks(text, column, reading, settings)
        except ScalefitError as error:
            steps.append(error)
            continue
        for task in fresh:
            if task in steps:
                warn(f"{task.spec.path} is given twice and taken once")
            else:
                steps.append(task)
    # Two runs of one name are seeds of one recipe only if the user has said so.
    seeds: dict[tuple[str, str], list[Seed]] = {}
    failures: list[ScalefitError] = []
    for result in work_in_order(fit_seeds, steps, jobs):
        if isinstance(result, ScalefitError):
            failures.append(result)
        else:
            path = "" if result.is_grouped else result.fit.run.source.path
            seeds.setdefault((result.recipe, path), []).append(result)
    recipes = [
        Recipe(name=name, fits=tuple(each.fit for each in some), forecasts=tuple(each.forecast for each in some))
        for (name, _), some in seeds.items()
    ]
    return recipes, failures


def fit_seeds(task: SeedTask) -> list[Seed | ScalefitError]:
    """Read and fit one log, which may hold several runs.

    Parameters
    ----------
    task
        The log.
    """
    try:
        runs = [reading.run for reading in read_log(task.spec, task.reading)]
    except ScalefitError as error:
        return [error]
    results: list[Seed | ScalefitError] = []
    for run in runs:
        for seed in split_replicates(run):
            try:
                fit = fit_run(seed, task.settings)
                forecast = forecast_fit(fit, task.settings)
                results.append(Seed(task.recipe or run.name, fit, forecast, task.recipe is not None))
            except ScalefitError as error:
                results.append(error)
    return results


def split_replicates(run: Run) -> list[Run]:
    """Return each replicate of a run as a run of its own; the run itself if it has one, or one is too short.

    Parameters
    ----------
    run
        The run.
    """
    numbers = np.unique(run.replicate)
    parts = [run.replicate == number for number in numbers]
    if len(parts) == 1 or min(np.unique(run.compute[part]).size for part in parts) < MINIMUM_POINTS:
        return [run]
    return [
        dataclasses.replace(
            run,
            name=f"{run.name} (replicate {place})",
            compute=run.compute[part],
            reward=run.reward[part],
            replicate=np.zeros(int(part.sum()), dtype=np.int64),
        )
        for place, part in enumerate(parts, start=1)
    ]


def _tasks(argument: str, column: str | None, reading: ReadOptions, settings: Settings) -> list[SeedTask]:
    specs = expand_argument(argument)
    if column is None:
        return [SeedTask(spec, reading, settings, None) for spec in specs]
    tasks = []
    for spec in specs:
        for name, value in _recipes_in(spec, column):
            narrowed = _with(reading, where=(*reading.where, (name, value)), series=reading.series or "all")
            tasks.append(SeedTask(spec, narrowed, settings, value))
    return tasks


def _named_tasks(group: str, reading: ReadOptions, settings: Settings) -> list[SeedTask]:
    name, _, pattern = group.partition("=")
    if not name.strip() or not pattern.strip():
        raise UsageError(f"'{group}' lacks its recipe or its logs", where="--group", expected="expected recipe=glob")
    narrowed = _with(reading, where=reading.where, series=reading.series or "all")
    return [SeedTask(spec, narrowed, settings, name.strip()) for spec in expand_argument(pattern.strip())]


def _with(reading: ReadOptions, *, where: tuple[tuple[str, str], ...], series: str) -> ReadOptions:
    return dataclasses.replace(reading, where=where, series=series)


def _recipes_in(spec: LogSpec, name: str) -> list[tuple[str, str]]:
    """Return the column that names recipes and its values, in the order first met."""
    if spec.path == "-":
        raise UsageError(
            "standard input cannot be grouped by a column", where="--group", expected="expected a file to look through"
        )
    table = read_table(open_content(spec.path))
    column = table.columns[find_column(table, name, "--group", spec.path)]
    labels = dict.fromkeys(column.label(row) for row in range(table.rows))
    return [(column.name, label) for label in labels if label is not None]
