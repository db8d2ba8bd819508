"""What was read from a log, for `scalefit inspect`."""

import dataclasses
from collections.abc import Mapping

from scalefit.logs.arguments import LogSpec, expand_argument
from scalefit.logs.options import DEFAULT_OPTIONS, ReadOptions
from scalefit.logs.reading import Reading, read_log
from scalefit.logs.rows import Gap
from scalefit.run import Run

_EDGE_ROWS = 3


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class InspectedColumn:
    """One column of a log."""

    name: str
    """Name in the log."""
    role: str
    """``compute``, ``reward`` or ``unused``."""
    why: str
    """Why it was chosen or not."""
    numbers: int
    """Cells that hold a finite number."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class InspectedPoint:
    """One point of the run and where it stood."""

    line: int
    """Line (or record) in the log, from 1."""
    compute: float
    """Compute, unit of the run."""
    reward: float
    """Reward."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """Everything that `scalefit inspect` says about one run."""

    run: Run
    """The run as it would be fitted; its source holds the derivation and the notes."""
    series: str | None
    """Name of the run in a file that holds several; else None."""
    compression: str | None
    """Name of the compression; None if there was none."""
    encoding: str
    """Encoding of the text."""
    delimiter: str | None
    """What separates cells, in words; None where nothing does."""
    place: str
    """What line numbers count: ``line`` or ``record``."""
    columns: tuple[InspectedColumn, ...]
    """Every column, in the order of the log."""
    skipped_lines: Mapping[str, tuple[int, ...]]
    """Reason -> the lines left out for it."""
    gaps: tuple[Gap, ...]
    """Long intervals without rows."""
    restart_lines: tuple[int, ...]
    """Lines at which the log goes back or a clock begins again."""
    first_points: tuple[InspectedPoint, ...]
    """First points of the run."""
    last_points: tuple[InspectedPoint, ...]
    """Last points of the run; none that is among the first."""


def inspect_run(log: str | LogSpec, options: ReadOptions = DEFAULT_OPTIONS) -> tuple[Inspection, ...]:
    """Return what is read from each run that one RUN argument means.

    Raises
    ------
    LogError, UsageError
        As `read_run`.
    """
    specs = (log,) if isinstance(log, LogSpec) else expand_argument(log)
    return tuple(_inspect(reading) for spec in specs for reading in read_log(spec, options))


def _inspect(reading: Reading) -> Inspection:
    points = reading.points
    run = reading.run
    edge = [
        InspectedPoint(line=int(line), compute=float(compute), reward=float(reward))
        for line, compute, reward in zip(
            points.lines[_edges(points.lines.size)],
            run.compute[_edges(points.lines.size)],
            run.reward[_edges(points.lines.size)],
            strict=True,
        )
    ]
    return Inspection(
        run=run,
        series=reading.series,
        compression=reading.content.compression,
        encoding=reading.content.encoding,
        delimiter=reading.table.delimiter,
        place=reading.table.place,
        columns=tuple(_column(reading, name) for name in reading.table.columns),
        skipped_lines={**reading.table.skipped, **points.skipped},
        gaps=points.gaps,
        restart_lines=points.restart_lines,
        first_points=tuple(edge[:_EDGE_ROWS]),
        last_points=tuple(edge[_EDGE_ROWS:]),
    )


def _edges(size: int) -> list[int]:
    """Return the places of the first and the last points, each once."""
    first = list(range(min(_EDGE_ROWS, size)))
    return first + list(range(max(len(first), size - _EDGE_ROWS), size))


def _column(reading: Reading, name: str) -> InspectedColumn:
    role = "unused"
    why = reading.compute.reasons.get(name) or reading.reward.reasons.get(name) or "not needed"
    if name == reading.compute.column:
        role, why = "compute", reading.compute.reasons[name]
    elif name == reading.reward.column:
        role, why = "reward", reading.reward.reasons[name]
    return InspectedColumn(name=name, role=role, why=why, numbers=reading.table.columns[name].finite)
