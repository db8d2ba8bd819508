"""Forecasts as strict JSON: the contract for programs. Full precision, a stable order of keys, null for the unknown."""

import json
import math
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TypeAlias

from scalefit.forecast import Band, Estimate, Final, Forecast, Outcome, Reach
from scalefit.run import Caveat

Json: TypeAlias = Mapping[str, "Json"] | Sequence["Json"] | str | float | int | bool | None

PREDICT_SCHEMA = "scalefit.predict/1"
"""Name of the layout of `render_forecasts`; the number grows when a key changes its meaning or goes away."""


def render_forecasts(forecasts: Sequence[Forecast]) -> str:
    """Return the document of ``predict --format json``.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    """
    return write_document(PREDICT_SCHEMA, {"runs": [forecast_object(forecast) for forecast in forecasts]})


def write_document(schema: str, content: Mapping[str, Json]) -> str:
    """Return a document with its schema and the version that wrote it.

    Parameters
    ----------
    schema
        Name and number of the layout.
    content
        Keys that follow.
    """
    document = {"schema": schema, "version": version("scalefit"), **content}
    # ASCII only, so that the bytes do not depend on the encoding of the place that they are written to.
    return json.dumps(document, indent=2, allow_nan=False, ensure_ascii=True) + "\n"


def number(value: float | None) -> float | None:
    """Return a number that JSON can hold: null for the unknown and the infinite, and no negative zero.

    Parameters
    ----------
    value
        Any number, also one of numpy's.
    """
    if value is None or not math.isfinite(value):
        return None
    return float(value) + 0.0


def forecast_object(forecast: Forecast) -> dict[str, Json]:
    """Return the object of one run.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    run, window, source = forecast.run, forecast.window, forecast.run.source
    return {
        "run": run.name,
        "source": {
            "path": source.path,
            "format": source.format,
            "x_column": source.x_column,
            "y_column": source.y_column,
            "rows": source.rows,
            "skipped": {reason: int(count) for reason, count in source.skipped.items()},
        },
        "compute": {
            "unit": run.unit,
            "first": number(run.compute[0]),
            "last": number(run.compute[-1]),
            "budget": number(window.budget),
        },
        "window": {
            "fraction": number(window.fraction),
            "start": number(window.start),
            "end": number(window.end),
            "points": window.points,
        },
        "law": forecast.law,
        "level": number(forecast.level),
        "parameters": {
            "asymptote": estimate_object(forecast.asymptote),
            "efficiency": estimate_object(forecast.efficiency),
            "midpoint": estimate_object(forecast.midpoint),
            "start": estimate_object(forecast.start),
        },
        "noise": {"sd": number(forecast.noise_sd), "autocorrelation": number(forecast.noise_autocorrelation)},
        "identified": bool(forecast.is_identified),
        "window_over_midpoint": number(forecast.window_over_midpoint),
        "forecast": band_objects(forecast.band),
        "final": final_object(forecast.final),
        "reach": [reach_object(reach) for reach in forecast.reach],
        "outcome": None if forecast.outcome is None else outcome_object(forecast.outcome),
        "caveats": [caveat_object(caveat) for caveat in forecast.caveats],
    }


def estimate_object(estimate: Estimate) -> dict[str, Json]:
    """Return a number with its interval.

    Parameters
    ----------
    estimate
        The number.
    """
    return {"estimate": number(estimate.estimate), "low": number(estimate.low), "high": number(estimate.high)}


def band_objects(band: Band) -> list[Json]:
    """Return one object for each compute of the bands.

    Parameters
    ----------
    band
        The three bands.
    """
    names = (
        "compute",
        "estimate",
        "low",
        "high",
        "robust_estimate",
        "robust_low",
        "robust_high",
        "observation_low",
        "observation_high",
    )
    columns = [getattr(band, name).tolist() for name in names]
    return [{name: number(value) for name, value in zip(names, row, strict=True)} for row in zip(*columns, strict=True)]


def final_object(final: Final) -> dict[str, Json]:
    """Return the forecast at the budget.

    Parameters
    ----------
    final
        The forecast at the budget.
    """
    return {
        "compute": number(final.compute),
        "estimate": number(final.estimate),
        "low": number(final.low),
        "high": number(final.high),
        "robust_estimate": number(final.robust_estimate),
        "robust_low": number(final.robust_low),
        "robust_high": number(final.robust_high),
        "baseline": number(final.baseline),
    }


def reach_object(reach: Reach) -> dict[str, Json]:
    """Return when the run gets to a reward.

    Parameters
    ----------
    reach
        One reward asked for.
    """
    return {
        "reward": number(reach.reward),
        "probability": number(reach.probability),
        "compute": estimate_object(reach.compute),
    }


def outcome_object(outcome: Outcome) -> dict[str, Json]:
    """Return what happened after the window.

    Parameters
    ----------
    outcome
        The outcome of one forecast.
    """
    return {
        "points": int(outcome.points),
        "observed": number(outcome.observed),
        "error": number(outcome.error),
        "robust_error": number(outcome.robust_error),
        "covered": bool(outcome.covered),
        "covered_robust": bool(outcome.covered_robust),
        "low": number(outcome.low),
        "high": number(outcome.high),
        "robust_low": number(outcome.robust_low),
        "robust_high": number(outcome.robust_high),
        "baseline_error": number(outcome.baseline_error),
        "points_covered": number(outcome.points_covered),
    }


def caveat_object(caveat: Caveat) -> dict[str, Json]:
    """Return a caveat with its evidence beside its message.

    Parameters
    ----------
    caveat
        The caveat.
    """
    return {
        "code": caveat.code,
        "message": caveat.message,
        **{key: evidence_value(value) for key, value in caveat.evidence.items() if key not in {"code", "message"}},
    }


def evidence_value(value: object) -> Json:
    """Return a piece of evidence that JSON can hold.

    Parameters
    ----------
    value
        A number, text, truth value, None or a list of numbers or texts.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, list | tuple):
        return [evidence_value(element) for element in value]
    # Numpy's scalars are numbers too, although only float64 is a float.
    as_number = number(float(value)) if hasattr(value, "__float__") else None
    return str(value) if as_number is None and not hasattr(value, "__float__") else as_number
