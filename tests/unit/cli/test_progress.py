import io
import sys

import pytest

from scalefit.cli.progress import busy, track


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_pipe_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with busy("learning"):
        assert list(track("abc", 3, "reading")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_a_bar_is_shown_on_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert list(track("abc", 3, "reading")) == ["a", "b", "c"]
    assert "reading" in terminal.getvalue()
    assert "3/3" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_a_dumb_terminal_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "dumb")
    assert list(track("abc", 3, "reading")) == ["a", "b", "c"]
    assert terminal.getvalue() == ""
