"""Which rows belong to which run: filters, splits, several runs in a file, replicates of one recipe."""

import dataclasses
import difflib
from collections.abc import Sequence

import numpy as np

from scalefit.errors import LogError
from scalefit.logs import names
from scalefit.logs.columns import find_column, normalise
from scalefit.logs.named_columns import find_step_column, find_work_column, has_running_clock
from scalefit.logs.options import ReadOptions
from scalefit.logs.stacks import find_copies, find_runs
from scalefit.logs.table import Column, Table
from scalefit.run import IntArray

ALL_SERIES = "all"
_MAXIMUM_LABELS = 1000
"""Distinct values up to which a column can name runs or replicates."""
_SHOWN = 12


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The rows of one run."""

    series: str | None
    """Name of the run in the file; None if the file holds one run."""
    table: Table
    """Its rows."""
    replicate: IntArray
    """(n,): 0..k-1, which replicate a row belongs to."""
    replicates: int
    """How many there are."""
    replicate_column: str | None
    """Column that tells replicates apart; None if there is one."""
    label_columns: tuple[str, ...]
    """Columns that served to tell rows apart; none of them is a reward."""


def keep_where(table: Table, options: ReadOptions, where: str) -> Table:
    """Return the rows that have the values of every ``--where``.

    Raises
    ------
    LogError
        If there is no such column, or no row with that value; the values are listed.
    """
    for name, value in options.where:
        column_name = find_column(table, name, "--where", where)
        column = table.columns[column_name]
        rows = np.array([row for row in range(table.rows) if _is_value(column, row, value)], dtype=np.int64)
        if not rows.size:
            values = _labels(column) or []
            close = difflib.get_close_matches(value, values, n=1)
            raise LogError(
                f"no row with {column_name}={value}",
                where=where,
                expected=f"{column_name} has the values {_listed(values)}",
                remedy=f"did you mean {column_name}={close[0]}?" if close else "choose one of them",
            )
        table = table.take(rows)
    return table


def find_groups(table: Table, options: ReadOptions, where: str) -> tuple[Group, ...]:
    """Return the run or runs of a file, replicates marked.

    Raises
    ------
    LogError
        If training and evaluation rows are mixed, or the file holds several runs and none was chosen.
    """
    chosen = {name.casefold() for name, _ in options.where}
    for name, column in table.columns.items():
        if _leaf(name) in names.SPLIT_NAMES and name.casefold() not in chosen:
            _refuse_split(name, column, where)
    labels = [
        name
        for name, column in table.columns.items()
        if name not in {options.x, options.y} and (_names_replicates(name) or _names_series(table, column))
    ]
    telling = [name for name in labels if _is_repeated(table.columns[name])]
    replicate_column = next((name for name in telling if _names_replicates(name)), None)
    series_columns = [name for name in telling if _names_series(table, table.columns[name])]
    if series_columns:
        return _by_series(table, series_columns, replicate_column, labels=labels, options=options, where=where)
    return (_as_group(table, None, replicate_column, labels),)


def split_stack(group: Group, options: ReadOptions, where: str) -> tuple[Group, ...]:
    """Return the runs that stand below each other in a group, or the group itself.

    Rows that share each value of the step are replicates of one recipe.

    Raises
    ------
    LogError
        If several runs stand below each other and none was chosen, or one was chosen of a file that holds one.
    """
    stack = None
    name = None
    if group.replicate_column is None:
        name = options.x or find_step_column(group.table) or find_work_column(group.table)
        key = group.table.columns.get(name or "")
        if key is not None and np.isfinite(key.numbers).all():
            stack = find_runs(key.numbers) if group.series is None and not has_running_clock(group.table) else None
            copies = find_copies(key.numbers) if stack is None else None
            if copies is not None:
                return (dataclasses.replace(group, replicate=copies, replicates=int(copies.max()) + 1),)
    if stack is None:
        if group.series is None and options.series not in {None, ALL_SERIES}:
            raise LogError(
                f"no run {options.series!r}", where=where, expected="the file holds one run",
                remedy="leave --series out",
            )  # fmt: skip
        return (group,)
    rows = {str(number): np.arange(begin, end) for number, (begin, end) in enumerate(stack, 1)}
    if options.series is None:
        lines = group.table.lines
        listed = [
            f"{number} ({group.table.place}s {lines[part[0]]}-{lines[part[-1]]})" for number, part in rows.items()
        ]
        raise LogError(
            f"{len(rows)} runs below each other ({name} begins again), told apart by no column: {_listed(listed)}",
            where=where,
            expected="expected one run",
            remedy="choose one with --series 1, or take each with --series all; a run that was begun anew is the last",
            series=list(rows),
        )
    wanted = list(rows) if options.series == ALL_SERIES else [_match(options.series, list(rows), where)]
    return tuple(
        dataclasses.replace(
            group, series=number, table=group.table.take(rows[number]), replicate=group.replicate[rows[number]]
        )
        for number in wanted
    )


def _leaf(name: str) -> str:
    return normalise(name).rsplit("/", 1)[-1]


def _is_setting(name: str) -> bool:
    return bool(names.SETTINGS_LEVELS & set(normalise(name).split("/")[:-1]))


def _names_replicates(name: str) -> bool:
    return _leaf(name) in names.REPLICATE_NAMES and not _is_setting(name)


def _names_series(table: Table, column: Column) -> bool:
    """Return whether a column names runs: as its format says, or by its name and its texts."""
    if column.name == table.run_column:
        return True
    leaf = _leaf(column.name)
    is_label = column.texts is not None or leaf in {"run", "run_id"}
    return leaf in names.SERIES_NAMES and is_label and not _is_setting(column.name)


def _by_series(
    table: Table,
    series_columns: Sequence[str],
    replicate_column: str | None,
    *,
    labels: Sequence[str],
    options: ReadOptions,
    where: str,
) -> tuple[Group, ...]:
    columns = [table.columns[name] for name in series_columns]
    rows_of: dict[str, list[int]] = {}
    for row in range(table.rows):
        parts = [column.label(row) for column in columns]
        rows_of.setdefault("/".join("" if part is None else part for part in parts), []).append(row)
    if len(rows_of) == 1:
        return (_as_group(table, None, replicate_column, labels),)
    listed = list(rows_of)
    if options.series is None:
        counts = [f"{name} ({len(rows)} rows)" for name, rows in rows_of.items()]
        raise LogError(
            f"{len(listed)} runs in one file, told apart by {' and '.join(series_columns)}: {_listed(counts)}",
            where=where,
            expected="expected one run",
            remedy=f"choose one with --series {listed[0]!r}, or take each with --series all",
            series=listed,
        )
    if options.series == ALL_SERIES and ALL_SERIES not in rows_of:
        wanted = listed
    else:
        wanted = [_match(options.series, listed, where)]
    return tuple(
        _as_group(table.take(np.array(rows_of[name], dtype=np.int64)), name, replicate_column, labels)
        for name in wanted
    )


def _match(series: str, listed: Sequence[str], where: str) -> str:
    if series in listed:
        return series
    same = [name for name in listed if name.casefold() == series.strip().casefold()]
    if len(same) == 1:
        return same[0]
    close = difflib.get_close_matches(series, listed, n=1, cutoff=0.5)
    raise LogError(
        f"no run {series!r}",
        where=where,
        expected=f"--series takes one of {_listed(listed)} or all",
        remedy=f"did you mean {close[0]!r}?" if close else "",
        series=list(listed),
    )


def _as_group(table: Table, series: str | None, replicate_column: str | None, labels: Sequence[str]) -> Group:
    replicate = np.zeros(table.rows, dtype=np.int64)
    replicates = 1
    if replicate_column is not None:
        column = table.columns[replicate_column]
        numbers: dict[str | None, int] = {}
        replicate = np.array(
            [numbers.setdefault(column.label(row), len(numbers)) for row in range(table.rows)], dtype=np.int64
        )
        replicates = len(numbers)
        if replicates < 2:  # noqa: PLR2004
            replicate_column = None
    return Group(
        series=series,
        table=table,
        replicate=replicate,
        replicates=replicates,
        replicate_column=replicate_column,
        label_columns=tuple(labels),
    )


def _is_value(column: Column, row: int, value: str) -> bool:
    label = column.label(row)
    if label is None:
        return not value
    if label.casefold() == value.strip().casefold():
        return True
    try:
        return column.text(row) is None and float(value) == column.numbers[row]
    except ValueError:
        return False


def _labels(column: Column) -> list[str] | None:
    """Return the distinct values of a column in the order first met; None if there are too many to be names."""
    seen: dict[str, None] = {}
    for row in range(column.numbers.size):
        label = column.label(row)
        if label is not None:
            seen[label] = None
            if len(seen) > _MAXIMUM_LABELS:
                return None
    return list(seen)


def _is_repeated(column: Column) -> bool:
    """Return whether a column has at least two values, each on two rows on average: names, not measurements."""
    labels = _labels(column)
    return labels is not None and 2 <= len(labels) <= column.numbers.size / 2  # noqa: PLR2004


def _refuse_split(name: str, column: Column, where: str) -> None:
    """Raise if a column tells training rows from evaluation rows."""
    if column.texts is None:
        return
    values = _labels(column) or []
    known = [value for value in values if value.strip().lower().split("/")[0] in names.SPLIT_VALUES]
    if len(values) < 2 or not known:  # noqa: PLR2004
        return
    raise LogError(
        f"rows of several kinds are mixed: column {name!r} has the values {', '.join(values[:_SHOWN])}",
        where=where,
        expected="expected rows of one kind",
        remedy=f"choose with --where {name}={known[0]}",
        values=values,
    )


def _listed(values: Sequence[str]) -> str:
    shown = ", ".join(values[:_SHOWN])
    return shown + (f", ... {len(values) - _SHOWN} more" if len(values) > _SHOWN else "")
