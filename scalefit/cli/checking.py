"""Logs and a policy -> verdicts."""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from scalefit.caveats import Fit
from scalefit.cli.forecasting import WORTH_A_PROCESS, leave_interrupts_to_parent, processors
from scalefit.cli.policy import DEFAULT_FILE, PolicyBook, join_policies, policy_of_options, read_policy
from scalefit.errors import ScalefitError, UsageError
from scalefit.forecast import Settings, fit_run
from scalefit.gate import Policy, RunVerdict, check_run
from scalefit.logs import ReadOptions, read_run, read_runs
from scalefit.run import Run


class Task(NamedTuple):
    """One run to judge."""

    run: Run
    """The run."""
    policy: Policy
    """What is asked of it."""
    settings: Settings
    """How it is fitted."""
    references: Mapping[str, Fit]
    """The fitted references."""


def find_policy(
    *,
    config: str | None,
    min_asymptote: float | None,
    min_final: float | None,
    reference: str | None,
    minimize: bool,
) -> PolicyBook | None:
    """Return what the file and the options ask for together; None if they ask for nothing.

    Parameters
    ----------
    config
        Of ``--config``; None: `DEFAULT_FILE`, if there is one.
    min_asymptote, min_final, reference, minimize
        As in `policy_of_options`.

    Raises
    ------
    UsageError
        If the file cannot be read or meant.
    """
    asked = policy_of_options(min_asymptote=min_asymptote, min_final=min_final, reference=reference, minimize=minimize)
    if config is None and not Path(DEFAULT_FILE).is_file():
        return asked
    book = read_policy(config or DEFAULT_FILE)
    return book if asked is None else join_policies(book, asked)


def require_policy(book: PolicyBook | None, option: str) -> PolicyBook:
    """Return the policy.

    Parameters
    ----------
    book
        The policy, or None if nobody asked for anything.
    option
        What needs it, for the message.

    Raises
    ------
    UsageError
        If there is none.
    """
    if book is None:
        raise UsageError(
            f"no policy: there is no {DEFAULT_FILE} here and no gate was asked for",
            where=option,
            expected="expected at least one gate",
            remedy="give --config FILE, --min-asymptote R, --min-final R or --reference RUN",
        )
    return book


def fit_references(book: PolicyBook, reading: ReadOptions, settings: Settings) -> dict[str, Fit]:
    """Read and fit every reference of a policy, each in whole.

    Parameters
    ----------
    book
        The policy.
    reading
        How the logs are read.
    settings
        How runs are fitted.

    Raises
    ------
    ScalefitError
        If one cannot be read or fitted.
    """
    whole = dataclasses.replace(settings, fraction=1.0, budget=None)
    return {
        reference: fit_run(read_run(book.reference_path(reference), reading), whole) for reference in book.references
    }


def check_logs(
    arguments: Iterable[str],
    book: PolicyBook,
    reading: ReadOptions,
    settings: Settings,
    *,
    level: float | None,
    jobs: int | None,
) -> tuple[list[RunVerdict], list[ScalefitError]]:
    """Judge every run that the arguments mean; one that cannot be used does not lose the others.

    Parameters
    ----------
    arguments
        What the user gave for RUN.
    book
        The policy.
    reading
        How the logs are read.
    settings
        How runs are fitted; its budget overrides the policy's.
    level
        Overrides the policy's; None: the policy's.
    jobs
        Worker processes, at least 1; None: the processors available.

    Returns
    -------
    tuple
        Verdicts in the order of the runs, and what went wrong.

    Raises
    ------
    ScalefitError
        If a reference cannot be used: no run could be judged.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} processes cannot work", where="--jobs", expected="expected 1 or more")
    references = fit_references(book, reading, settings)
    runs, failures = read_runs(arguments, reading)
    tasks = [
        Task(run, book.policy_for(run.name, run.source.path, budget=settings.budget, level=level), settings, references)
        for run in runs
    ]
    results = list(_judge_all(tasks, jobs or processors()))
    return (
        [result for result in results if isinstance(result, RunVerdict)],
        [*(failure.error for failure in failures), *(found for found in results if isinstance(found, ScalefitError))],
    )


def _judge_all(tasks: Sequence[Task], jobs: int) -> Iterator[RunVerdict | ScalefitError]:
    workers = min(jobs, len(tasks) // WORTH_A_PROCESS)
    if workers <= 1:
        yield from map(judge, tasks)
        return
    with ProcessPoolExecutor(workers, initializer=leave_interrupts_to_parent) as pool:
        try:
            yield from pool.map(judge, tasks, chunksize=WORTH_A_PROCESS)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def judge(task: Task) -> RunVerdict | ScalefitError:
    """Judge one run, or say why not.

    Parameters
    ----------
    task
        One run to judge.
    """
    try:
        return check_run(task.run, task.policy, task.settings, task.references)
    except ScalefitError as error:
        return error
