"""Logs of finished runs -> forecasts of their first parts, scored, by one law or by several."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scalefit.backtest import BacktestScore, collect, rank_laws, score_run
from scalefit.cli.finished import end_at
from scalefit.cli.forecasting import find_logs, work_in_order
from scalefit.cli.progress import track
from scalefit.errors import ScalefitError
from scalefit.forecast import Settings
from scalefit.logs import LogSpec, ReadOptions, read_log
from scalefit.report.backtest.study import ReadRun, Study


class Task(NamedTuple):
    """One log of finished runs to read and score."""

    spec: LogSpec
    """The log."""
    reading: ReadOptions
    """How it is read."""
    settings: Settings
    """What is asked of its forecasts; its budget is where a run ends."""
    fractions: tuple[float, ...]
    """Shares of each run that a forecast may see."""
    laws: tuple[str, ...]
    """Laws that forecast."""


class ScoredRun(NamedTuple):
    """One run of a log."""

    run: ReadRun
    """What was read."""
    scores: tuple[tuple[BacktestScore, ...], ...]
    """Law by law, share by share."""


class Answer(NamedTuple):
    """What came of one log."""

    runs: tuple[ScoredRun, ...]
    """Its runs."""
    failures: tuple[ScalefitError, ...]
    """What could not be used."""


def backtest_logs(
    arguments: Iterable[str],
    reading: ReadOptions,
    settings: Settings,
    *,
    fractions: Sequence[float],
    laws: Sequence[str],
    jobs: int | None,
) -> tuple[Study, list[ScalefitError]]:
    """Read every log that the arguments mean and score its runs; one that cannot be read does not lose the others.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    reading
        How the logs are read.
    settings
        What is asked of the forecasts; its budget is where a run ends.
    fractions
        Shares of each run that a forecast may see.
    laws
        Laws that forecast; the first is the one that words are about.
    jobs
        As in `scalefit.cli.forecasting.forecast_logs`.

    Returns
    -------
    tuple
        What was found, and the errors, both in the order given.

    Raises
    ------
    UsageError
        If the number of workers is not positive.
    """
    steps = find_logs(arguments, lambda spec: Task(spec, reading, settings, tuple(fractions), tuple(laws)))
    found: list[ScoredRun] = []
    failures: list[ScalefitError] = []
    for result in track(work_in_order(score_log, steps, jobs), len(steps), "forecasting"):
        if isinstance(result, ScalefitError):
            failures.append(result)
        else:
            found.extend(result.runs)
            failures.extend(result.failures)
    backtests = tuple(
        collect(
            [score for scored in found for score in scored.scores[place]],
            fractions,
            dataclasses.replace(settings, law=law),
        )
        for place, law in enumerate(laws)
    )
    study = Study(
        backtests=backtests,
        standings=rank_laws(backtests) if len(laws) > 1 else (),
        runs=tuple(scored.run for scored in found),
        calibration=settings.calibration,
        budget=settings.budget,
    )
    return study, failures


def score_log(task: Task) -> list[Answer | ScalefitError]:
    """Read one log, which may hold several runs, and score each.

    Parameters
    ----------
    task
        The log.
    """
    try:
        readings = read_log(task.spec, task.reading)
    except ScalefitError as error:
        return [error]
    runs: list[ScoredRun] = []
    failures: list[ScalefitError] = []
    for each in readings:
        try:
            run = end_at(each.run, task.settings.budget)
        except ScalefitError as error:
            failures.append(error)
            continue
        scores = tuple(
            tuple(score_run(run, fraction, dataclasses.replace(task.settings, law=law)) for fraction in task.fractions)
            for law in task.laws
        )
        runs.append(ScoredRun(ReadRun(name=run.name, unit=run.unit, source=run.source), scores))
    return [Answer(tuple(runs), tuple(failures))]
