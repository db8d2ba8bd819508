"""Logs -> forecasts, on as many processes as help; the result does not depend on how many."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from scalefit.errors import ScalefitError, UsageError
from scalefit.forecast import Forecast, Settings, predict
from scalefit.logs import LogSpec, ReadOptions, expand_argument, read_log

WORTH_A_PROCESS = 4
"""Logs for each worker from which starting it pays: one starts in about 0.3 s, a log takes about 0.1 s."""

Result: TypeAlias = Forecast | ScalefitError
Answer = TypeVar("Answer")


class HasSpec(Protocol):
    """A task about one log."""

    @property
    def spec(self) -> LogSpec:
        """The log."""


Job = TypeVar("Job", bound=HasSpec)


class Task(NamedTuple):
    """One log to read and forecast."""

    spec: LogSpec
    """The log."""
    reading: ReadOptions
    """How it is read."""
    settings: Settings
    """What is asked of its forecasts."""


def forecast_logs(
    arguments: Iterable[str], reading: ReadOptions, settings: Settings, jobs: int | None
) -> tuple[list[Forecast], list[ScalefitError]]:
    """Read and forecast every log that the arguments mean; one that cannot be used does not lose the others.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    reading
        How the logs are read.
    settings
        What is asked of the forecasts.
    jobs
        Worker processes, at least 1; None: the processors available.

    Returns
    -------
    tuple
        The forecasts and the errors, both in the order given.

    Raises
    ------
    UsageError
        If the number of workers is not positive.
    """
    steps = find_logs(arguments, lambda spec: Task(spec, reading, settings))
    forecasts: list[Forecast] = []
    failures: list[ScalefitError] = []
    for result in work_in_order(forecast_log, steps, jobs):
        if isinstance(result, ScalefitError):
            failures.append(result)
        else:
            forecasts.append(result)
    return forecasts, failures


def find_logs(arguments: Iterable[str], make_task: Callable[[LogSpec], Job]) -> list[Job | ScalefitError]:
    """Return a task for each log that the arguments mean, each once, and an error in the place of what means none.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    make_task
        Returns the task of one log.
    """
    steps: list[Job | ScalefitError] = []
    for argument in arguments:
        try:
            specs = expand_argument(argument)
        except ScalefitError as error:
            steps.append(error)
            continue
        tasks = map(make_task, specs)
        steps.extend(task for task in tasks if task not in steps)
    return steps


def forecast_log(task: Task) -> list[Result]:
    """Read and forecast one log, which may hold several runs.

    Parameters
    ----------
    task
        The log.
    """
    try:
        readings = read_log(task.spec, task.reading)
    except ScalefitError as error:
        return [error]
    results: list[Result] = []
    for each in readings:
        try:
            results.append(predict(each.run, task.settings))
        except ScalefitError as error:
            results.append(error)
    return results


def work_in_order(
    work: Callable[[Job], list[Answer | ScalefitError]], steps: Sequence[Job | ScalefitError], jobs: int | None
) -> Iterator[Answer | ScalefitError]:
    """Do the work of every task, on as many processes as help, and yield what came of it in the order of the steps.

    Parameters
    ----------
    work
        Returns what came of one task; a function of a module, so that another process can find it.
    steps
        Tasks, and errors that stand in the place of others.
    jobs
        As in `forecast_logs`.

    Raises
    ------
    UsageError
        If the number of workers is not positive.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} cannot be used", where="--jobs", expected="expected 1 or more")
    tasks = [step for step in steps if not isinstance(step, ScalefitError)]
    # Standard input can be read by this process only.
    has_input = any(task.spec.path == "-" for task in tasks)
    workers = 1 if has_input else min(jobs or processors(), len(tasks) // WORTH_A_PROCESS)
    if workers <= 1:
        yield from _in_order(steps, map(work, tasks))
        return
    with ProcessPoolExecutor(workers, initializer=leave_interrupts_to_parent) as pool:
        try:
            yield from _in_order(steps, pool.map(work, tasks, chunksize=WORTH_A_PROCESS))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_order(
    steps: Sequence[Job | ScalefitError], results: Iterator[list[Answer | ScalefitError]]
) -> Iterator[Answer | ScalefitError]:
    for step in steps:
        if isinstance(step, ScalefitError):
            yield step
        else:
            yield from next(results)


def leave_interrupts_to_parent() -> None:
    """Let a worker ignore Ctrl-C: its parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def processors() -> int:
    """Return how many processors this process may use."""
    affinity: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
