"""Forecasts as CSV: one row a run, flat columns, full precision, an empty cell for the unknown."""

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from scalefit.forecast import Forecast
from scalefit.report.json import number

Cell: TypeAlias = str | float | int | bool | None


def render_forecasts(forecasts: Sequence[Forecast], *, at: Sequence[float] = ()) -> str:
    """Return a header and one row for each run.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    at
        Compute values whose forecast gets columns of its own, unit of the runs.
    """
    rows = [row_of(forecast, at) for forecast in forecasts]
    # Runs of one command are asked the same, so they have the same columns.
    columns = list(rows[0]) if rows else []
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: as_cell(value) for column, value in row.items()} for row in rows)
    return text.getvalue()


def as_cell(value: Cell) -> Cell:
    """Return a value as a cell: truth in JSON's words, nothing for the unknown.

    Parameters
    ----------
    value
        The value.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def row_of(forecast: Forecast, at: Sequence[float]) -> dict[str, Cell]:
    """Return the columns of one run.

    Parameters
    ----------
    forecast
        The forecast of one run.
    at
        As in `render_forecasts`.
    """
    run, window, source, final = forecast.run, forecast.window, forecast.run.source, forecast.final
    row: dict[str, Cell] = {
        "run": run.name,
        "path": source.path,
        "format": source.format,
        "x_column": source.x_column,
        "y_column": source.y_column,
        "rows": source.rows,
        "skipped": sum(source.skipped.values()),
        "unit": run.unit,
        "first": number(run.compute[0]),
        "last": number(run.compute[-1]),
        "budget": number(window.budget),
        "fraction": number(window.fraction),
        "window_start": number(window.start),
        "window_end": number(window.end),
        "window_points": window.points,
        "law": forecast.law,
        "level": number(forecast.level),
    }
    for name in ("asymptote", "efficiency", "midpoint", "start"):
        parameter = getattr(forecast, name)
        row[name] = number(parameter.estimate)
        row[f"{name}_low"] = number(parameter.low)
        row[f"{name}_high"] = number(parameter.high)
    row |= {
        "noise_sd": number(forecast.noise_sd),
        "noise_autocorrelation": number(forecast.noise_autocorrelation),
        "identified": bool(forecast.is_identified),
        "window_over_midpoint": number(forecast.window_over_midpoint),
        "final_estimate": number(final.estimate),
        "final_low": number(final.low),
        "final_high": number(final.high),
        "final_robust_estimate": number(final.robust_estimate),
        "final_robust_low": number(final.robust_low),
        "final_robust_high": number(final.robust_high),
        "baseline": number(final.baseline),
    }
    return (
        row | at_columns(forecast, at) | reach_columns(forecast) | outcome_columns(forecast) | caveat_column(forecast)
    )


def at_columns(forecast: Forecast, at: Sequence[float]) -> dict[str, Cell]:
    """Return the columns of the forecasts asked for.

    Parameters
    ----------
    forecast
        The forecast of one run.
    at
        As in `render_forecasts`.
    """
    columns: dict[str, Cell] = {}
    for compute in at:
        # The grid holds every compute asked for; the nearest entry is that very one.
        index = int(np.argmin(np.abs(forecast.band.compute - compute)))
        for name in ("estimate", "low", "high", "robust_estimate", "robust_low", "robust_high"):
            columns[f"at_{compute:.15g}_{name}"] = number(getattr(forecast.band, name)[index])
    return columns


def reach_columns(forecast: Forecast) -> dict[str, Cell]:
    """Return the columns of the rewards to reach.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    columns: dict[str, Cell] = {}
    for reach in forecast.reach:
        prefix = f"reach_{reach.reward:.15g}"
        columns[f"{prefix}_probability"] = number(reach.probability)
        columns[f"{prefix}_compute"] = number(reach.compute.estimate)
        columns[f"{prefix}_compute_low"] = number(reach.compute.low)
        columns[f"{prefix}_compute_high"] = number(reach.compute.high)
    return columns


def outcome_columns(forecast: Forecast) -> dict[str, Cell]:
    """Return the columns of what happened; they are there for every run, so that a table of several has one header.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    outcome = forecast.outcome
    numbers = ("observed", "error", "robust_error", "baseline_error", "points_covered")
    columns: dict[str, Cell] = {name: None if outcome is None else number(getattr(outcome, name)) for name in numbers}
    for name in ("covered", "covered_robust"):
        columns[name] = None if outcome is None else bool(getattr(outcome, name))
    return columns


def caveat_column(forecast: Forecast) -> dict[str, Cell]:
    """Return the column of the caveats' codes.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    return {"caveats": " ".join(caveat.code for caveat in forecast.caveats)}
