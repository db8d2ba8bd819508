"""What was read from logs, for a person and for a program."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scalefit.report.figures import show, show_amount
from scalefit.report.json import Json, caveat_object, number, write_document
from scalefit.report.medium import Medium, printable
from scalefit.report.page import footnote, let_wrap, plain_table, print_to_text
from scalefit.run import Run

INSPECT_SCHEMA = "scalefit.inspect/1"
"""Name of the layout of `render_json`."""
LISTED_LINES = 8
"""Line numbers of skipped rows that a table lists; the JSON has them all."""


class Column(Protocol):
    """A column of a log."""

    @property
    def name(self) -> str:
        """Name in the log."""

    @property
    def role(self) -> str:
        """``compute``, ``reward`` or ``unused``."""

    @property
    def why(self) -> str:
        """Why it was chosen or not."""

    @property
    def numbers(self) -> int:
        """Cells that hold a finite number."""


class Point(Protocol):
    """A point of the run and where it stood."""

    @property
    def line(self) -> int:
        """Line or record in the log, from 1."""

    @property
    def compute(self) -> float:
        """Compute, unit of the run."""

    @property
    def reward(self) -> float:
        """Reward."""


class Inspected(Protocol):
    """What a reader found; reports know no reader, only this."""

    @property
    def run(self) -> Run:
        """The run as it would be fitted."""

    @property
    def compression(self) -> str | None:
        """Name of the compression; None if there was none."""

    @property
    def encoding(self) -> str:
        """Encoding of the text."""

    @property
    def delimiter(self) -> str | None:
        """What separates cells, in words; None where nothing does."""

    @property
    def place(self) -> str:
        """What line numbers count: ``line`` or ``record``."""

    @property
    def columns(self) -> Sequence[Column]:
        """Every column, in the order of the log."""

    @property
    def skipped_lines(self) -> Mapping[str, Sequence[int]]:
        """Reason -> the lines left out for it."""

    @property
    def restart_lines(self) -> Sequence[int]:
        """Lines at which the log goes back or a clock begins again."""

    @property
    def first_points(self) -> Sequence[Point]:
        """First points of the run."""

    @property
    def last_points(self) -> Sequence[Point]:
        """Last points of the run; none that is among the first."""


def render_json(inspections: Sequence[Inspected]) -> str:
    """Return the document of ``inspect --format json``.

    Parameters
    ----------
    inspections
        One per run, in the order given.
    """
    return write_document(INSPECT_SCHEMA, {"runs": [inspection_object(inspection) for inspection in inspections]})


def inspection_object(inspection: Inspected) -> dict[str, Json]:
    """Return the object of one run.

    Parameters
    ----------
    inspection
        What was read.
    """
    run, source = inspection.run, inspection.run.source
    return {
        "run": run.name,
        "source": {
            "path": source.path,
            "format": source.format,
            "compression": inspection.compression,
            "encoding": inspection.encoding,
            "delimiter": inspection.delimiter,
            "x_column": source.x_column,
            "y_column": source.y_column,
            "derivation": source.derivation,
            "rows": source.rows,
            "skipped": {reason: int(count) for reason, count in source.skipped.items()},
            f"skipped_{inspection.place}s": {
                reason: [int(line) for line in lines] for reason, lines in inspection.skipped_lines.items()
            },
            "restarts": [int(line) for line in inspection.restart_lines],
        },
        "compute": {
            "unit": run.unit,
            "first": number(run.compute[0]) if run.compute.size else None,
            "last": number(run.compute[-1]) if run.compute.size else None,
        },
        "replicates": len(set(run.replicate.tolist())),
        "columns": [
            {"name": column.name, "role": column.role, "why": column.why, "numbers": int(column.numbers)}
            for column in inspection.columns
        ],
        "first_points": [point_object(point, inspection.place) for point in inspection.first_points],
        "last_points": [point_object(point, inspection.place) for point in inspection.last_points],
        "caveats": [caveat_object(note) for note in source.notes],
    }


def point_object(point: Point, place: str) -> dict[str, Json]:
    """Return a point and where it stood.

    Parameters
    ----------
    point
        The point.
    place
        What line numbers count.
    """
    return {place: int(point.line), "compute": number(point.compute), "reward": number(point.reward)}


def render_table(inspections: Sequence[Inspected], medium: Medium) -> str:
    """Return the report of ``inspect``.

    Parameters
    ----------
    inspections
        One per run, in the order given.
    medium
        Where it is written to.
    """
    blocks: list[RenderableType] = []
    for inspection in inspections:
        blocks += [*sections_of(inspection, medium), Text()]
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


def sections_of(inspection: Inspected, medium: Medium) -> list[RenderableType]:
    """Return everything about one run.

    Parameters
    ----------
    inspection
        What was read.
    medium
        Where it is written to.
    """
    notes = inspection.run.source.notes
    blocks: list[RenderableType] = [
        Text(printable(inspection.run.name), style="bold", overflow="fold"),
        summary_of(inspection),
        Text(),
        columns_of(inspection),
        Text(),
        points_of(inspection, medium),
    ]
    if notes:
        blocks += [Text(), Text("read with care", style="bold")]
        blocks += [footnote(str(place), note.message) for place, note in enumerate(notes, start=1)]
    return blocks


def summary_of(inspection: Inspected) -> Table:
    """Return what was read, in a few lines.

    Parameters
    ----------
    inspection
        What was read.
    """
    run, source = inspection.run, inspection.run.source
    grid = Table.grid(padding=(0, 1))
    grid.add_column()
    grid.add_column(overflow="fold")
    details = [inspection.encoding, inspection.compression, inspection.delimiter and f"cells by {inspection.delimiter}"]
    rows = [
        ("file", f"{printable(source.path)}, {source.format} ({', '.join(detail for detail in details if detail)})"),
        ("compute", f"{printable(source.x_column)} -> {printable(run.unit)}: {printable(source.derivation)}"),
        ("reward", printable(source.y_column)),
        ("rows", f"{source.rows:,} kept, {sum(source.skipped.values()):,} skipped"),
    ]
    rows += [
        ("skipped", f"{len(lines):,} {printable(reason)}: {lines_of(lines, inspection.place)}")
        for reason, lines in inspection.skipped_lines.items()
    ]
    if inspection.restart_lines:
        rows.append(("restarts", lines_of(inspection.restart_lines, inspection.place)))
    replicates = len(set(run.replicate.tolist()))
    if replicates > 1:
        rows.append(("seeds", f"{replicates:,} replicates of one recipe"))
    for label, text in rows:
        grid.add_row(f"  {label}", text)
    return grid


def lines_of(lines: Sequence[int], place: str) -> str:
    """Return line numbers as text, the first few of them.

    Parameters
    ----------
    lines
        The numbers.
    place
        What they count.
    """
    listed = ", ".join(str(line) for line in lines[:LISTED_LINES])
    more = len(lines) - LISTED_LINES
    return f"{place}{'s' if len(lines) > 1 else ''} {listed}" + (f" and {more:,} more" if more > 0 else "")


def columns_of(inspection: Inspected) -> Table:
    """Return every column and why it was chosen or not.

    Parameters
    ----------
    inspection
        What was read.
    """
    grid = Table.grid(padding=(0, 1))
    for _ in range(3):
        grid.add_column(overflow="fold")
    for column in inspection.columns:
        style = "" if column.role != "unused" else "dim"
        grid.add_row(
            Text(f"  {printable(column.name)}", style=style),
            Text(column.role, style=style),
            Text(printable(column.why.removeprefix(f"{column.role}: ")), style=style),
        )
    return grid


def points_of(inspection: Inspected, medium: Medium) -> Table:
    """Return the first and the last points.

    Parameters
    ----------
    inspection
        What was read.
    medium
        Where it is written to.
    """
    table = plain_table(f"  {inspection.place}", printable(inspection.run.unit), "reward")
    for point in inspection.first_points:
        table.add_row(f"  {point.line:,}", show_amount(point.compute), show(point.reward))
    if inspection.last_points:
        table.add_row("  ...", "", "")
    for point in inspection.last_points:
        table.add_row(f"  {point.line:,}", show_amount(point.compute), show(point.reward))
    return let_wrap(table, medium)
