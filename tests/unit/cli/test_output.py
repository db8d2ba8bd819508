import io
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import typer

from scalefit.cli.output import open_destination, open_file, warn
from scalefit.errors import UsageError


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with open_destination(str(path)) as destination:
        destination.write("läuft\n")
        assert not path.exists()
    assert path.read_bytes() == "läuft\n".encode()
    assert [each.name for each in tmp_path.iterdir()] == ["out.txt"]


def test_a_failure_keeps_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")
    with suppress(RuntimeError), open_destination(str(path)) as destination:
        destination.write("half")
        raise RuntimeError("half way")
    assert path.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


def test_permissions_are_those_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    with open_file(str(tmp_path / "new")) as stream:
        stream.write(b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    with open_file(str(link)) as stream:
        stream.write(b"after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_a_device_is_written_in_place() -> None:
    with open_destination(os.devnull) as destination:
        destination.write("nowhere")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("name", ["missing/out.txt", "."])
def test_a_place_that_cannot_be_written_is_an_error_before_the_work(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be written"), open_destination(str(tmp_path / name)):
        pytest.fail("the work began")


@pytest.mark.parametrize("prefix", ["", "label="])
def test_a_log_that_is_read_is_not_overwritten(tmp_path: Path, prefix: str) -> None:
    log = tmp_path / "log.csv"
    log.write_text("x")
    with pytest.raises(UsageError, match="would overwrite a log"), open_destination(str(log), [f"{prefix}{log}"]):
        pytest.fail("the work began")


def _replace_stdout(monkeypatch: pytest.MonkeyPatch, encoding: str) -> io.BytesIO:
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding=encoding, newline=""))
    return content


def test_what_standard_output_cannot_show_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    content = _replace_stdout(monkeypatch, "cp1252")
    with open_destination(None) as destination:
        assert not destination.medium().can_show("⣿")
        destination.write("é→\n")
    assert content.getvalue() == b"\xe9\\u2192\n"


@pytest.mark.parametrize(("asked", "width"), [("120", 120), ("10", 40), ("900", 200), ("x", 80), ("-3", 80)])
def test_the_width_is_bounded(monkeypatch: pytest.MonkeyPatch, asked: str, width: int) -> None:
    _replace_stdout(monkeypatch, "utf-8")
    monkeypatch.setenv("COLUMNS", asked)
    with open_destination(None) as destination:
        assert destination.medium().width == width


def test_a_reader_that_went_away_is_status_141(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.TextIOWrapper):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone(io.BytesIO(), encoding="utf-8"))
    with open_destination(None) as destination, pytest.raises(typer.Exit) as caught:
        destination.write("x")
    assert caught.value.exit_code == 141


def test_a_warning_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    warn("two\nlines \x1b[31m")
    assert capsys.readouterr().err == "scalefit: warning: two lines \\x1b[31m\n"
