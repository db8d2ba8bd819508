from collections.abc import Callable

from scalefit.forecast import Forecast
from scalefit.report.markdown import HEADER, render_forecasts

Make = Callable[..., Forecast]


def test_a_row_for_each_run_and_its_words(make_forecast: Make) -> None:
    lines = render_forecasts([make_forecast(name="a.csv"), make_forecast(name="b.csv")]).splitlines()
    assert lines[0] == "| " + " | ".join(HEADER) + " |"
    assert lines[2].startswith("| a.csv | 16,000 gpu-hours | 0.621 | 0.587 - 0.667 | 0.605 |")
    assert lines[3].startswith("| b.csv |")
    assert "### b.csv" in lines


def test_a_name_cannot_break_the_table(make_forecast: Make) -> None:
    row = render_forecasts([make_forecast(name="a|b<script>.csv")]).splitlines()[2]
    assert "a\\|b\\<script\\>" in row
    assert row.replace("\\|", "").count("|") == len(HEADER) + 1
