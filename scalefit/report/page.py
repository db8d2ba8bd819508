"""A page of text for a person, laid out by rich for a medium: paragraphs, footnotes and tables without rules."""

import io

from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scalefit.report.medium import Medium, printable

READABLE = 100
"""Columns beyond which running text is hard to read."""
KEPT_TOGETHER = "\ue000"
"""Stands for a space at which a line must not break. Not U+00A0, at which rich does; names cannot hold it, `printable`
escapes it."""
LABEL_WIDTH = 16
"""Columns below which a label is not wrapped any further: a table that needs it narrower is turned on its side."""


def print_to_text(content: RenderableType, medium: Medium) -> str:
    """Return what rich prints, for the width, encoding and colours of the medium.

    Parameters
    ----------
    content
        What to print.
    medium
        Where it is written to.
    """
    page = io.StringIO()
    console_for(medium, page).print(content)
    text = page.getvalue().replace(KEPT_TOGETHER, " ")
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def console_for(medium: Medium, page: io.StringIO) -> Console:
    """Return what prints onto a page as the medium wants it.

    Parameters
    ----------
    medium
        Where the page is written to.
    page
        The page.
    """
    return Console(
        file=page,
        width=medium.width,
        force_terminal=medium.has_colour,
        color_system="standard" if medium.has_colour else None,
        no_color=not medium.has_colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        # The medium has decided; the environment must not be asked a second time.
        _environ={},
    )


def paragraph(sentence: str, medium: Medium) -> RenderableType:
    """Return running text, wrapped where it can still be read.

    Parameters
    ----------
    sentence
        The text.
    medium
        Where it is written to.
    """
    margin = max(0, medium.width - READABLE)
    text = printable(sentence).replace(" - ", f"{KEPT_TOGETHER}-{KEPT_TOGETHER}")
    return Padding(Text(text, overflow="fold"), (0, margin, 0, 2))


def footnote(mark: str, message: str) -> Table:
    """Return a numbered remark that wraps under itself.

    Parameters
    ----------
    mark
        The number.
    message
        The remark.
    """
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(f"  [{mark}]", printable(message))
    return grid


def plain_table(*columns: str, numeric: int = 0) -> Table:
    """Return a table without rules: what no encoding and no width can break.

    Parameters
    ----------
    columns
        Headers.
    numeric
        Index from which the columns hold numbers, aligned to the right.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold", show_edge=False)
    for index, column in enumerate(columns):
        is_number = index >= numeric
        # A number broken in the middle is a wrong number: only labels wrap.
        table.add_column(column, overflow="fold", justify="right" if is_number else "left", no_wrap=is_number)
    return table


def fits(table: Table, medium: Medium) -> bool:
    """Return whether a table keeps its numbers on one line each; labels may wrap.

    Parameters
    ----------
    table
        The table; its first column holds labels.
    medium
        Where it is written to.
    """
    console = console_for(medium, io.StringIO())
    options = console.options.update(width=10_000)
    labels = Measurement.get(console, options, Group(*table.columns[0].cells)).maximum
    return Measurement.get(console, options, table).maximum - max(0, labels - LABEL_WIDTH) <= medium.width


def let_wrap(table: Table, medium: Medium) -> Table:
    """Return the table, its numbers free to wrap between words where nothing else is left to do: better than cut.

    Parameters
    ----------
    table
        The table.
    medium
        Where it is written to.
    """
    if not fits(table, medium):
        for column in table.columns:
            column.no_wrap = False
    return table
