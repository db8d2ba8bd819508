"""Logs -> runs."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from scalefit.errors import LogError, ScalefitError
from scalefit.logs.arguments import LogSpec, expand_argument
from scalefit.logs.columns import RewardChoice, choose_reward, find_column, list_names
from scalefit.logs.compute import choose_compute
from scalefit.logs.compute_source import ComputeSource
from scalefit.logs.content import Content, open_content
from scalefit.logs.formats import read_table
from scalefit.logs.grouping import Group, find_groups, keep_where, split_stack
from scalefit.logs.named_columns import find_step_column
from scalefit.logs.not_curves import describe_runs, describe_table
from scalefit.logs.options import DEFAULT_OPTIONS, ReadOptions
from scalefit.logs.percents import note_mixed_scale, read_percents
from scalefit.logs.points import Points, make_points
from scalefit.logs.table import Table
from scalefit.run import Caveat, Run, Source


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReadFailure:
    """A log that could not be read, beside others that could."""

    path: str
    """Argument or path as the user gave it."""
    error: ScalefitError
    """Why."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything that was found while one run was read."""

    run: Run
    """The run."""
    content: Content
    """The opened log, without its data."""
    table: Table
    """The raw columns of its rows."""
    reward: RewardChoice
    """Choice of the reward column."""
    compute: ComputeSource
    """Choice of the compute column."""
    points: Points
    """Rows kept and left out."""
    series: str | None
    """Name of the run in a file that holds several; else None."""


def read_run(log: str | LogSpec, options: ReadOptions = DEFAULT_OPTIONS) -> Run:
    """Read one run.

    Parameters
    ----------
    log
        A path, ``-``, ``label=path``, or one of the specs that `expand_argument` returns.
    options
        Choices of the user.

    Raises
    ------
    LogError
        If the log cannot be read, or not in only one way; also if it holds several runs, or the argument means several.
    UsageError
        If the options contradict each other.
    """
    readings = read_log(_one_spec(log), options)
    if len(readings) > 1:
        raise LogError(
            f"{len(readings)} runs in one file", where=readings[0].content.path, expected="expected one run",
            remedy="choose one with --series",
        )  # fmt: skip
    return readings[0].run


def read_runs(
    arguments: Iterable[str], options: ReadOptions = DEFAULT_OPTIONS
) -> tuple[tuple[Run, ...], tuple[ReadFailure, ...]]:
    """Read all the runs that RUN arguments mean; one that cannot be read does not lose the others.

    Parameters
    ----------
    arguments
        Paths, globs, folders, ``-``, each with or without a label.
    options
        Choices of the user, the same for all.

    Returns
    -------
    tuple
        The runs in the order given, and the failures.
    """
    runs: list[Run] = []
    failures: list[ReadFailure] = []
    seen: set[tuple[str, str]] = set()
    for argument in arguments:
        try:
            specs = expand_argument(argument)
        except ScalefitError as error:
            failures.append(ReadFailure(path=argument, error=error))
            continue
        for spec in specs:
            if (spec.path, spec.label) in seen:
                continue
            seen.add((spec.path, spec.label))
            try:
                runs.extend(reading.run for reading in read_log(spec, options))
            except ScalefitError as error:
                failures.append(ReadFailure(path=spec.path, error=error))
    return tuple(runs), tuple(failures)


def read_log(spec: LogSpec, options: ReadOptions = DEFAULT_OPTIONS) -> tuple[Reading, ...]:
    """Read one log: one run, or each of its runs with ``--series all``.

    Raises
    ------
    LogError, UsageError
        As `read_run`.
    """
    return read_opened(open_content(spec.path), spec, options)


def read_opened(content: Content, spec: LogSpec, options: ReadOptions = DEFAULT_OPTIONS) -> tuple[Reading, ...]:
    """Read one log that has been opened.

    Parameters
    ----------
    content
        What stood in it.
    spec
        The log.
    options
        Choices of the user.

    Raises
    ------
    LogError, UsageError
        As `read_run`.
    """
    where = "standard input" if spec.path == "-" else spec.path
    table = read_table(content)
    content = dataclasses.replace(content, data=b"")  # the text is as large as all the columns; free it early
    if not table.rows:
        raise LogError(
            "no data rows", where=where, expected=f"expected rows below the header {list_names(table.columns)}"
        )
    _require_header(table, options, where)
    runs = describe_runs(table)
    if runs is not None:
        raise _not_a_curve(runs, where)
    table, percents = read_percents(table)
    table = keep_where(table, options, where)
    try:
        readings = [
            _read_group(part, content, options, spec, percents=percents, where=where)
            for group in find_groups(table, options, where)
            for part in split_stack(group, options, where)
        ]
    except LogError:
        kind = describe_table(table)
        if kind is None:
            raise
        raise _not_a_curve(kind, where) from None
    return tuple(readings)


def _not_a_curve(kind: str, where: str) -> LogError:
    return LogError(
        f"{kind} is not a curve",
        where=where,
        expected="expected one row per evaluation",
        remedy="export the history of a run or a chart",
    )


def _one_spec(log: str | LogSpec) -> LogSpec:
    if isinstance(log, LogSpec):
        return log
    specs = expand_argument(log)
    if len(specs) > 1:
        raise LogError(f"{len(specs)} logs", where=log, expected="expected one", remedy="name one of them")
    return specs[0]


def _require_header(table: Table, options: ReadOptions, where: str) -> None:
    if table.has_header or (options.x is not None and options.y is not None):
        return
    line = int(table.lines[0])
    raise LogError(
        f"no header row found (line {line} holds numbers)",
        where=f"{where}:{line}",
        expected=f"expected the names of the {len(table.columns)} columns",
        remedy="add a header line, or name the columns by number with --x and --y (from 1)",
    )


def _read_group(
    group: Group,
    content: Content,
    options: ReadOptions,
    spec: LogSpec,
    *,
    percents: Mapping[str, Caveat],
    where: str,
) -> Reading:
    table = group.table
    reward_problem: ScalefitError | None = None
    reward: RewardChoice | None = None
    try:
        taken = [*group.label_columns, *([find_column(table, options.x, "--x", where)] if options.x else [])]
        reward = choose_reward(table, options, where, taken=taken)
    except ScalefitError as error:
        reward_problem = error
    compute = choose_compute(table, options, where)
    if reward is None:
        raise reward_problem or LogError("no reward column", where=where)
    if compute.column == reward.column:
        raise LogError(
            f"column {reward.column!r} cannot be both compute and reward", where=where, expected="expected two columns",
            remedy="choose with --x and --y",
        )  # fmt: skip
    points = make_points(
        group, compute, reward.column, options=options, step_column=find_step_column(table), where=where
    )
    skipped = {reason: len(lines) for reason, lines in table.skipped.items()}
    skipped |= {reason: len(lines) for reason, lines in points.skipped.items()}
    name = spec.label if group.series is None else f"{spec.label}:{group.series}"
    if group.series is not None and options.series not in {None, "all"} and spec.is_labelled:
        name = spec.label
    run = Run(
        name=name,
        unit=compute.unit,
        compute=points.compute,
        reward=points.reward,
        replicate=points.replicate,
        source=Source(
            path=spec.path,
            format=table.format,
            x_column=compute.column,
            y_column=reward.column,
            derivation=compute.derivation,
            rows=int(points.compute.size),
            skipped=skipped,
            notes=_notes(
                table.notes,
                reward.notes,
                [percents[reward.column]] if reward.column in percents else [],
                points.notes,
                note_mixed_scale(points.reward, reward.column),
            ),
        ),
    )
    return Reading(
        run=run,
        content=content,
        table=table,
        reward=reward,
        compute=compute,
        points=points,
        series=group.series,
    )


def _notes(*parts: Sequence[Caveat]) -> tuple[Caveat, ...]:
    return tuple(note for part in parts for note in part)
