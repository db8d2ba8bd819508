import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from scalefit.forecast import Forecast
from scalefit.report.medium import Medium
from scalefit.report.terminal_plot import draw_forecast, ticks

Make = Callable[..., Forecast]


def _medium(width: int, encoding: str) -> Medium:
    return Medium(width=width, encoding=encoding, has_colour=False, is_terminal=True)


def test_it_is_drawn_with_dots_where_they_exist(make_forecast: Make) -> None:
    picture = draw_forecast(make_forecast(), _medium(80, "utf-8"))
    assert any("\u2801" <= character <= "\u28ff" for character in picture)
    assert "\u2800" not in picture
    assert "seen up to 4,000" in picture
    assert "gpu-hours (log axis)" in picture


def test_it_is_drawn_with_ascii_elsewhere(make_forecast: Make) -> None:
    picture = draw_forecast(make_forecast(), _medium(80, "cp1252"))
    assert picture.isascii()
    canvas = "\n".join(picture.splitlines()[:-3])
    assert all(marker in canvas for marker in "ox*.|")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_it_fits_the_width(make_forecast: Make, width: int) -> None:
    lines = draw_forecast(make_forecast(), _medium(width, "utf-8")).splitlines()
    assert max(map(len, lines)) <= width
    assert max(map(len, lines)) > width - 6


def test_the_curve_rises_from_left_to_right(make_forecast: Make) -> None:
    lines = draw_forecast(make_forecast(), _medium(80, "ascii")).splitlines()
    heights = {column: row for row, line in enumerate(lines[:13]) for column, mark in enumerate(line) if mark == "*"}
    columns = sorted(heights)
    assert heights[columns[0]] > heights[columns[len(columns) // 2]] > heights[columns[-1]]


def test_a_constant_reward_can_be_drawn(make_forecast: Make) -> None:
    forecast = make_forecast()
    run = dataclasses.replace(forecast.run, reward=np.full(forecast.run.reward.size, 0.37))
    flat = {field.name: np.full(forecast.band.compute.size, 0.37) for field in dataclasses.fields(forecast.band)}
    band = dataclasses.replace(forecast.band, **{**flat, "compute": forecast.band.compute})
    flat = {name: np.full(forecast.fitted.compute.size, 0.37) for name in flat}
    fitted = dataclasses.replace(forecast.fitted, **{**flat, "compute": forecast.fitted.compute})
    assert "*" in draw_forecast(make_forecast(run=run, band=band, fitted=fitted), _medium(60, "ascii"))


def test_an_infinite_band_is_left_out(make_forecast: Make) -> None:
    forecast = make_forecast()
    band = dataclasses.replace(forecast.band, robust_high=np.full(forecast.band.compute.size, np.inf))
    assert "*" in draw_forecast(make_forecast(band=band), _medium(60, "ascii"))


def test_a_row_at_compute_zero_has_no_place_on_a_log_axis(make_forecast: Make) -> None:
    forecast = make_forecast()
    compute = forecast.run.compute.copy()
    compute[0] = 0.0
    run = dataclasses.replace(forecast.run, compute=compute)
    assert "*" in draw_forecast(make_forecast(run=run), _medium(60, "ascii"))


def test_ticks_are_round_numbers_inside_the_axis() -> None:
    assert sorted(ticks(40, 4000)) == [50, 100, 200, 500, 1000, 2000]
