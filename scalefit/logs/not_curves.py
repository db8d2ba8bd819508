"""Texts and tables that people have beside their logs and that hold no curve, told by name."""

import re

from scalefit.logs import names
from scalefit.logs.columns import normalise
from scalefit.logs.content import Content
from scalefit.logs.table import Column, Table

_SAMPLE_LINES = 200
_SETTING = re.compile(r"\s*(?:-\s+)?[\w.\-/\"']+\s*(?:[:=](?:\s+\S.*|\s*)|=\S.*)|\s*-\s+\S+|\s*\[[\w.\-\"' ]+\]\s*")
_KEY = re.compile(r"\s*(?:-\s+)?([\w.\-/\"']+)\s*[:=]")
_SETTING_SHARE = 0.8
_DISTINCT_SHARE = 0.8
"""Keys of a configuration hardly repeat, those of a log do on every line."""
_AXIS = re.compile(r"\s*[+-]?\d[\d.,]*%?\s*[|┤┼├┃│+][^A-Za-z0-9]*")
_MINIMUM_LINES = 3
_SPREAD = re.compile(r"\s*\$?[+-]?\d[\d.,]*\s*%?\s*(?:±|\+/-|\+-|\\pm)\s*\d[\d.,]*\s*%?\$?\s*")
_RUNS_TABLES = (
    frozenset({"name", "state", "created", "runtime"}),  # W&B
    frozenset({"start time", "duration", "run id"}),  # MLflow
)
"""Columns that only a list of runs has."""


def describe_text(content: Content) -> str | None:
    """Return what a text without records is, if that is known: a plot drawn in characters, a configuration."""
    lines = [line for line in content.head.decode(errors="replace").splitlines() if line.strip()][:_SAMPLE_LINES]
    drawn = sum(_AXIS.fullmatch(line) is not None for line in lines)
    if drawn >= _MINIMUM_LINES and drawn >= len(lines) / 3:
        return "a plot drawn in characters"
    lines = [line for line in lines if not line.lstrip().startswith(("#", "---"))]
    settings = [line for line in lines if _SETTING.fullmatch(line)]
    if len(settings) < max(_MINIMUM_LINES, _SETTING_SHARE * len(lines)):
        return None
    keys = [found[1] for line in settings if (found := _KEY.match(line)) is not None]
    if len(keys) >= _MINIMUM_LINES and len(set(keys)) >= _DISTINCT_SHARE * len(keys):
        return "a configuration (names and their values)"
    return None


def describe_runs(table: Table) -> str | None:
    """Return words for a table whose columns say that each row is a run, as W&B and MLflow export their lists."""
    lowered = {name.lower() for name in table.columns}
    is_list = any(columns <= lowered for columns in _RUNS_TABLES)
    return f"a table of {table.rows} runs, one row each," if is_list else None


def describe_table(table: Table) -> str | None:
    """Return what a table that could not be read as a curve is, if that is known."""
    if any(_holds_spreads(column) for column in table.columns.values()):
        return "a table of results, a mean and its spread in one cell,"
    for name, column in table.columns.items():
        is_name = normalise(name).rsplit("/", 1)[-1] in names.SERIES_NAMES and column.texts is not None
        if is_name and table.rows >= _MINIMUM_LINES and len(_texts(column)) == table.rows:
            return f"a table of {table.rows} runs, one row each (told apart by {name!r}),"
    return None


def _texts(column: Column) -> set[str]:
    return set() if column.texts is None else {text for text in column.texts if text is not None}


def _holds_spreads(column: Column) -> bool:
    if column.texts is None:
        return False
    cells = [text for text in column.texts[:_SAMPLE_LINES] if text is not None]
    return bool(cells) and sum(_SPREAD.fullmatch(cell) is not None for cell in cells) > len(cells) / 2
