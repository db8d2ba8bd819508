from collections.abc import Callable

import pytest

pytest.importorskip("matplotlib", reason="pictures in files need the extra scalefit[plot]")

from scalefit.forecast import Forecast
from scalefit.report.picture import render_picture

Make = Callable[..., Forecast]

FIRST_BYTES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}


@pytest.mark.slow
@pytest.mark.parametrize("ending", list(FIRST_BYTES))
def test_each_kind_is_what_it_says_and_the_same_twice(make_forecast: Make, ending: str) -> None:
    picture = render_picture([make_forecast()], ending)
    assert picture.startswith(FIRST_BYTES[ending])
    assert picture == render_picture([make_forecast()], ending)


@pytest.mark.slow
def test_a_page_needs_nothing_else_and_trusts_no_name(make_forecast: Make) -> None:
    page = render_picture([make_forecast(name="<b>$x$</b>.csv"), make_forecast(), make_forecast()], ".html").decode()
    assert "<svg" in page
    assert "&lt;b&gt;$x$&lt;/b&gt;.csv" in page
    assert "<b>" not in page
    assert "src=" not in page
    assert "Expect 0.621" in page
