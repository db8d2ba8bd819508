import csv
import io
from collections.abc import Callable

from scalefit.forecast import Forecast
from scalefit.report.csv import render_forecasts

Make = Callable[..., Forecast]


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_one_row_a_run_in_the_order_given(make_forecast: Make) -> None:
    rows = _rows(render_forecasts([make_forecast(name="b.csv"), make_forecast(name="a.csv", outcome=None)]))
    assert [row["run"] for row in rows] == ["b.csv", "a.csv"]
    assert [row["observed"] for row in rows] == ["0.6188", ""]
    assert [row["covered_robust"] for row in rows] == ["true", ""]


def test_full_precision_and_an_empty_cell_for_the_unknown(make_forecast: Make) -> None:
    row = _rows(render_forecasts([make_forecast(noise_sd=0.1 + 0.2)]))[0]
    assert float(row["noise_sd"]) == 0.1 + 0.2
    assert row["reach_0.9_compute"] == ""
    assert row["reach_0.6_compute"] == "2100.0"


def test_compute_asked_for_has_columns(make_forecast: Make) -> None:
    forecast = make_forecast()
    row = _rows(render_forecasts([forecast], at=(9000.0,)))[0]
    index = forecast.band.compute.tolist().index(9000.0)
    assert float(row["at_9000_robust_estimate"]) == forecast.band.robust_estimate[index]


def test_a_name_with_commas_and_quotes_survives(make_forecast: Make) -> None:
    name = 'a,"b"\n.csv'
    assert _rows(render_forecasts([make_forecast(name=name)]))[0]["run"] == name
