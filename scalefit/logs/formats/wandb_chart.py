"""A chart of several runs as W&B exports it: one column per run, named ``run - metric``, turned into rows of runs."""

import dataclasses
import re

import numpy as np

from scalefit.logs.table import Column, Table
from scalefit.run import FloatArray, IntArray

_NAME = re.compile(r"(?P<run>.+?) - (?P<metric>[^-]\S*(?: \S+)*?)(?P<twin>__MIN|__MAX)?")
_RUN = "run"


def recognises(table: Table) -> bool:
    """Return whether one metric has the columns of at least two runs."""
    return any(len(runs) > 1 for runs in _columns_by_metric(table).values())


def rewrite(table: Table) -> Table:
    """Return the chart with one row per run and step, and a column that names the run.

    Twins that hold the smallest and largest value of a bin are left out, as are cells without a value.
    """
    by_metric = _columns_by_metric(table)
    wide = {column for runs in by_metric.values() for column in runs.values()}
    twins = {name for name in table.columns if (found := _NAME.fullmatch(name)) is not None and found["twin"]}
    runs = list(dict.fromkeys(run for of_run in by_metric.values() for run in of_run))
    blocks: list[IntArray] = []
    for run in runs:
        filled = np.zeros(table.rows, dtype=np.bool_)
        for of_run in by_metric.values():
            if run in of_run:
                column = table.columns[of_run[run]]
                texts = [False] * table.rows if column.texts is None else [text is not None for text in column.texts]
                filled |= np.isfinite(column.numbers) | np.array(texts, dtype=np.bool_)
        blocks.append(np.flatnonzero(filled).astype(np.int64))
    rows = np.concatenate(blocks) if blocks else np.empty(0, dtype=np.int64)
    columns = {
        name: column.take(rows) for name, column in table.columns.items() if name not in wide and name not in twins
    }
    for metric, of_run in by_metric.items():
        columns[metric] = _joined(table, metric, [of_run.get(run) for run in runs], blocks)
    names: list[str | None] = [run for run, block in zip(runs, blocks, strict=True) for _ in range(block.size)]
    columns[_RUN] = Column(name=_RUN, numbers=np.full(rows.size, np.nan), texts=names)
    return dataclasses.replace(table, format="wandb-chart", columns=columns, lines=table.lines[rows], run_column=_RUN)


def _columns_by_metric(table: Table) -> dict[str, dict[str, str]]:
    """Return metric -> run -> column, twins left out."""
    found: dict[str, dict[str, str]] = {}
    for name in table.columns:
        match = _NAME.fullmatch(name)
        if match is not None and not match["twin"]:
            found.setdefault(match["metric"], {})[match["run"]] = name
    return found


def _joined(table: Table, metric: str, names: list[str | None], blocks: list[IntArray]) -> Column:
    """Return the columns of one metric below each other; a run without it has empty cells."""
    numbers: list[FloatArray] = []
    texts: list[str | None] = []
    for name, block in zip(names, blocks, strict=True):
        if name is None:
            numbers.append(np.full(block.size, np.nan))
            texts.extend([None] * block.size)
            continue
        column = table.columns[name].take(block)
        numbers.append(column.numbers)
        texts.extend(column.texts or [None] * block.size)
    is_plain = all(text is None for text in texts)
    return Column(name=metric, numbers=np.concatenate(numbers), texts=None if is_plain else texts)
