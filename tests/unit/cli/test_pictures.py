import importlib.util
from pathlib import Path

import pytest

from scalefit.cli.pictures import open_picture
from scalefit.errors import UsageError
from tests.forecasts import make_forecast


@pytest.mark.parametrize("name", ["a.gif", "a", "a.png.txt"])
def test_an_unknown_ending_names_those_that_are_known(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"\.png, \.svg, \.pdf, \.html"), open_picture(str(tmp_path / name), []):
        pytest.fail("the work began")


def test_without_the_library_it_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with (
        pytest.raises(UsageError, match=r"matplotlib is not installed.*pip install 'scalefit\[plot\]'"),
        open_picture(str(tmp_path / "a.svg"), []),
    ):
        pytest.fail("the work began")


def test_no_picture_is_asked_for(tmp_path: Path) -> None:
    with open_picture(None, []) as write:
        write([make_forecast()])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_picture_appears_when_it_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures in files need the extra scalefit[plot]")
    path = tmp_path / "a.SVG"
    with open_picture(str(path), []) as write:
        write([make_forecast()])
    assert b"<svg" in path.read_bytes()


@pytest.mark.slow
def test_too_many_runs_for_a_page_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures in files need the extra scalefit[plot]")
    with pytest.raises(UsageError, match="49 runs do not fit"), open_picture(str(tmp_path / "a.svg"), []) as write:
        write([make_forecast()] * 49)
    assert list(tmp_path.iterdir()) == []
