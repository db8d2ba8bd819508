"""A comparison as CSV: one row a pair, flat columns, full precision, an empty cell for the unknown."""

import csv
import io

from scalefit.comparison import Comparison
from scalefit.report.comparison.json import pair_object
from scalefit.report.csv import Cell, as_cell
from scalefit.report.json import Json

LISTS = {"at"}
"""What holds one entry for each compute asked for, and gets columns of its own by its compute."""


def render_comparison(comparison: Comparison, *, price: float | None = None) -> str:
    """Return a header and one row for each pair.

    Parameters
    ----------
    comparison
        The comparison.
    price
        Of a GPU-hour; None: no money.
    """
    rows = [flatten(pair_object(pair, price)) for pair in comparison.pairs]
    # Pairs that cannot be compared lack what was asked for at further compute.
    columns = list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: as_cell(row.get(column)) for column in columns} for row in rows)
    return text.getvalue()


def flatten(value: Json, prefix: str = "") -> dict[str, Cell]:
    """Return nested objects as columns joined by underscores.

    Parameters
    ----------
    value
        An object of `scalefit.report.comparison.json`.
    prefix
        What its columns begin with.
    """
    if not isinstance(value, dict):
        return {prefix: value if isinstance(value, str | bool | int | float) else None}
    columns: dict[str, Cell] = {}
    for key, child in value.items():
        name = f"{prefix}_{key}" if prefix else key
        if key in LISTS and isinstance(child, list):
            for entry in child:
                if isinstance(entry, dict):
                    rest = {part: content for part, content in entry.items() if part != "compute"}
                    columns |= flatten(rest, f"at_{entry['compute']:.15g}")
        elif key == "speed" and child is None:
            columns |= flatten(
                {"compute_ratio": {"estimate": None, "low": None, "high": None}, "probability_a_faster": None}, name
            )
        else:
            columns |= flatten(child, name)
    return columns
