import re
from collections.abc import Callable

import pytest

from scalefit.forecast import Estimate, Forecast
from scalefit.report.medium import Medium
from scalefit.report.table import FULL_REPORTS, render_forecasts
from scalefit.report.terminal_plot import draw_forecast
from scalefit.run import Caveat

Make = Callable[..., Forecast]


def _medium(width: int = 80, encoding: str = "utf-8", *, has_colour: bool = False) -> Medium:
    return Medium(width=width, encoding=encoding, has_colour=has_colour, is_terminal=True)


def test_the_words_come_before_the_numbers(make_forecast: Make) -> None:
    lines = render_forecasts([make_forecast()], _medium()).splitlines()
    assert lines[0] == "runs/plain.csv"
    assert lines[1].startswith("  Expect 0.621 at 16,000 gpu-hours")


@pytest.mark.parametrize("width", [40, 57, 72, 80, 200])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
def test_nothing_is_cut_and_nothing_is_too_wide(make_forecast: Make, width: int, encoding: str) -> None:
    medium = _medium(width, encoding)
    text = render_forecasts([make_forecast()], medium, at=(9000.0,), draw=draw_forecast)
    assert "…" not in text
    assert max(len(line) for line in text.splitlines()) <= width
    text.encode(encoding)
    for number in ("0.618", "0.604 - 0.634", "221 - 275", "16,000", "9,000", "0.589 - 0.669", "1,800 - 2,600"):
        assert number in text


@pytest.mark.parametrize("width", [40, 80])
def test_an_open_interval_is_never_cut(make_forecast: Make, width: int) -> None:
    open_end = Estimate(estimate=-123456.5, low=-234567.5, high=None)
    words = render_forecasts([make_forecast(asymptote=open_end, midpoint=open_end)], _medium(width)).split()
    assert words.count("limit") >= 2
    assert "…" not in " ".join(words)


def test_no_escape_sequence_without_colours(make_forecast: Make) -> None:
    assert "\x1b" not in render_forecasts([make_forecast()], _medium())
    assert "\x1b" in render_forecasts([make_forecast()], _medium(has_colour=True))


def test_a_name_cannot_drive_the_terminal(make_forecast: Make) -> None:
    text = render_forecasts([make_forecast(name="\x1b[31mred[bold].csv")], _medium())
    assert "\x1b" not in text
    assert "\\x1b[31mred[bold].csv" in text


def test_escapes_are_laid_out_too(make_forecast: Make) -> None:
    text = render_forecasts([make_forecast(name="实验-β → v2.csv" * 3)], _medium(40, "cp1252"))
    assert max(map(len, text.splitlines())) <= 40
    assert "\\u5b9e" in text


def test_compute_asked_for_is_shown(make_forecast: Make) -> None:
    assert not re.search(r"^ +9,000 ", render_forecasts([make_forecast()], _medium()), re.MULTILINE)
    assert re.search(r"^ +9,000 ", render_forecasts([make_forecast()], _medium(), at=(9000.0,)), re.MULTILINE)


def test_caveats_are_footnotes_at_what_they_concern(make_forecast: Make) -> None:
    caveats = (
        Caveat(code="rows-sorted", message="2 rows were sorted", evidence={}),
        Caveat(code="still-rising", message="the asymptote has no upper end", evidence={}),
    )
    text = render_forecasts([make_forecast(caveats=caveats)], _medium())
    assert "  [2] the asymptote has no upper end" in text
    assert re.search(r"asymptote A .*\[2\]$", text, re.MULTILINE)


def test_what_was_read_is_said(make_forecast: Make) -> None:
    text = render_forecasts([make_forecast()], _medium(120))
    assert "runs/plain.csv (csv), 400 rows; 3 skipped: reward is not a number" in text
    assert "0 - 1: every reward in the window lies in it" in text
    assert "100 rows, 40 - 4,000 gpu-hours, the first 0.25 of 16,000; law sigmoid" in text


def test_several_runs_have_an_overview(make_forecast: Make) -> None:
    text = render_forecasts([make_forecast(name="a.csv"), make_forecast(name="b.csv")], _medium())
    assert text.splitlines()[0].split() == ["run", "expect", "band", "asymptote", "interval", "observed"]
    assert text.count("read with care") == 2


def test_many_runs_have_only_the_overview_and_no_caveat_is_lost(make_forecast: Make) -> None:
    runs = [make_forecast(name=f"run-{index}.csv") for index in range(FULL_REPORTS)]
    odd = Caveat(code="collapsed", message="the reward fell from 0.6 to 0.1", evidence={})
    runs.append(make_forecast(name="odd.csv", caveats=(*make_forecast().caveats, odd)))
    text = render_forecasts(runs, _medium())
    assert "parameter" not in text
    assert "every run: rows-sorted" in text
    assert "odd.csv: the reward fell from 0.6 to 0.1" in text
    assert text.count(".csv") == FULL_REPORTS + 2
