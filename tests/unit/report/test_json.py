import dataclasses
import json
from collections.abc import Callable

import numpy as np
import pytest

from scalefit.forecast import Estimate, Forecast
from scalefit.report.json import render_forecasts
from scalefit.run import Caveat

Make = Callable[..., Forecast]

RUN_KEYS = [
    "run",
    "source",
    "compute",
    "window",
    "law",
    "level",
    "parameters",
    "noise",
    "identified",
    "window_over_midpoint",
    "forecast",
    "final",
    "reach",
    "outcome",
    "caveats",
]


def _refuse(constant: str) -> float:
    raise AssertionError(constant)


def _document(*forecasts: Forecast) -> dict[str, object]:
    document = json.loads(render_forecasts(forecasts), parse_constant=_refuse)
    assert isinstance(document, dict)
    return document


def _run(forecast: Forecast) -> dict[str, object]:
    runs = _document(forecast)["runs"]
    assert isinstance(runs, list)
    run = runs[0]
    assert isinstance(run, dict)
    return run


def test_keys_stand_in_the_order_of_the_contract(make_forecast: Make) -> None:
    assert list(_document(make_forecast())) == ["schema", "version", "runs"]
    run = _run(make_forecast())
    assert list(run) == RUN_KEYS
    assert list(run["source"]) == ["path", "format", "x_column", "y_column", "rows", "skipped"]  # type: ignore[call-overload]
    assert list(run["final"]) == [  # type: ignore[call-overload]
        "compute",
        "estimate",
        "low",
        "high",
        "robust_estimate",
        "robust_low",
        "robust_high",
        "baseline",
    ]


def test_numbers_keep_their_full_precision(make_forecast: Make) -> None:
    value = 0.1 + 0.2
    run = _run(make_forecast(asymptote=Estimate(estimate=value, low=value / 3, high=None)))
    assert run["parameters"]["asymptote"] == {"estimate": value, "low": value / 3, "high": None}  # type: ignore[index]


def test_the_unknown_is_null_and_zero_has_no_sign(make_forecast: Make) -> None:
    text = render_forecasts([make_forecast(outcome=None, noise_autocorrelation=-0.0)])
    assert "-0.0" not in text
    assert json.loads(text)["runs"][0]["outcome"] is None


def test_an_infinite_end_of_a_band_is_null(make_forecast: Make) -> None:
    forecast = make_forecast()
    band = dataclasses.replace(forecast.band, high=np.full(forecast.band.compute.size, np.inf))
    rows = _run(make_forecast(band=band))["forecast"]
    assert isinstance(rows, list)
    assert {row["high"] for row in rows} == {None}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (-0.0, 0.0),
        (np.float64(1.5), 1.5),
        (np.int64(3), 3),
        (np.float64(2.0) > 1, True),
        ([1.0, float("inf")], [1.0, None]),
        ("text", "text"),
        (True, True),
    ],
)
def test_evidence_becomes_json(make_forecast: Make, value: object, expected: object) -> None:
    caveat = Caveat(code="some-code", message="something", evidence={"value": value})  # type: ignore[dict-item]
    assert _run(make_forecast(caveats=(caveat,)))["caveats"] == [
        {"code": "some-code", "message": "something", "value": expected}
    ]


def test_the_same_bytes_twice_and_only_ascii(make_forecast: Make) -> None:
    text = render_forecasts([make_forecast(name="läuft→gut.csv")])
    assert text == render_forecasts([make_forecast(name="läuft→gut.csv")])
    assert text.isascii()
    assert json.loads(text)["runs"][0]["run"] == "läuft→gut.csv"
