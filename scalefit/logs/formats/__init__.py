"""The formats that can be read: one module each, and this table.

A format is recognised by content, in the order of the table: the narrow ones first, delimited text last. A new format
is a module with ``recognises`` and ``read`` and an entry here.
"""

import dataclasses
from collections.abc import Callable

from scalefit.errors import LogError
from scalefit.logs.content import Content, describe_binary
from scalefit.logs.formats import (
    delimited,
    dialect,
    json_document,
    json_lines,
    key_values,
    notebook,
    numpy_arrays,
    parquet,
    printed_dicts,
    sb3_console,
    tensorboard_events,
    verl_console,
    wandb_chart,
)
from scalefit.logs.not_curves import describe_text
from scalefit.logs.table import Table


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way in which logs are written."""

    name: str
    """Stable name, as in ``source.format``."""
    recognises: Callable[[Content], bool]
    """Whether a log is written so; looks at the first bytes where that is enough."""
    read: Callable[[Content], Table]
    """The log as columns; raises `LogError` with the line if it cannot be."""
    is_text: bool = True
    """Whether only text can be written so."""


FORMATS: tuple[Format, ...] = (
    Format(name="numpy", recognises=numpy_arrays.recognises, read=numpy_arrays.read, is_text=False),
    Format(name="parquet", recognises=parquet.recognises, read=parquet.read, is_text=False),
    Format(name="tensorboard", recognises=tensorboard_events.recognises, read=tensorboard_events.read, is_text=False),
    Format(name="jsonl", recognises=json_lines.recognises, read=json_lines.read),
    Format(name="notebook", recognises=notebook.recognises, read=notebook.read),
    Format(name="json", recognises=json_document.recognises, read=json_document.read),
    Format(name="verl-console", recognises=verl_console.recognises, read=verl_console.read),
    Format(name="printed-dicts", recognises=printed_dicts.recognises, read=printed_dicts.read),
    Format(name="sb3-console", recognises=sb3_console.recognises, read=sb3_console.read),
    Format(name="csv", recognises=dialect.recognises, read=delimited.read),
    Format(name="key-values", recognises=key_values.recognises, read=key_values.read),
)
"""In the order in which they are tried."""


_STRICTER: dict[str, Callable[[Content], bool]] = {
    "csv": lambda content: dialect.is_table(content) and describe_text(content) is None,
    "json": json_document.holds_rows,
}
"""What else must hold for the files of a folder, where notes and settings stand beside the logs."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One way in which columns are laid out, whatever format they were written in."""

    recognises: Callable[[Table], bool]
    """Whether a table is laid out so."""
    rewrite: Callable[[Table], Table]
    """The table with one row per point, and a column that names its run."""


LAYOUTS: tuple[Layout, ...] = (Layout(recognises=wandb_chart.recognises, rewrite=wandb_chart.rewrite),)
"""Layouts that are not yet one row per point."""


def recognise(content: Content, *, strict: bool = False) -> Format | None:
    """Return the format of a log, or None.

    Parameters
    ----------
    content
        The log.
    strict
        Whether prose and settings must not pass for logs; for the files of a folder, which the user did not name.
    """
    for entry in FORMATS:
        if entry.is_text != content.is_text:
            continue
        if entry.recognises(content):
            if strict and entry.name in _STRICTER and not _STRICTER[entry.name](content):
                continue
            return entry
    return None


def read_table(content: Content) -> Table:
    """Return a log as columns.

    Raises
    ------
    LogError
        If the log is in no known format, or damaged beyond use.
    """
    entry = recognise(content)
    kind = describe_text(content) if content.is_text and (entry is None or entry.name == "csv") else None
    if kind is not None:
        raise LogError(
            f"{kind} is not a curve",
            where=content.path,
            expected="expected one row per evaluation",
            remedy="name the log that the numbers came from",
        )
    if entry is None:
        if not content.is_text:
            raise LogError(
                f"{describe_binary(content)} is not a log that can be read",
                where=content.path,
                expected=f"expected one of {', '.join(each.name for each in FORMATS)}",
                remedy="export the run as CSV or JSONL",
            )
        raise LogError(
            f"not a log in a known format (it starts with {_first_line(content)!r})",
            where=content.path,
            expected="expected a header line with column names, or one JSON object a line",
            remedy="export the run as CSV or JSONL",
        )
    table = entry.read(content)
    layout = next((each for each in LAYOUTS if each.recognises(table)), None)
    return table if layout is None else layout.rewrite(table)


def _first_line(content: Content) -> str:
    line = content.head.decode(errors="replace").lstrip().split("\n", 1)[0].strip()
    return line if len(line) <= 40 else f"{line[:40]}..."  # noqa: PLR2004
