import subprocess
import sys

import pytest

from scalefit.cli import main, simulate
from scalefit.errors import LogError

Captured = pytest.CaptureFixture[str]


def test_the_version_is_printed(capsys: Captured) -> None:
    assert main.status_of(["--version"]) == 0
    assert capsys.readouterr().out.startswith("scalefit ")


@pytest.mark.parametrize(
    "arguments", [["nothing"], ["simulate", "--bogus"], ["simulate", "--points", "x"], ["predict"]]
)
def test_a_mistake_on_the_command_line_is_one_line(capsys: Captured, arguments: list[str]) -> None:
    assert main.status_of(arguments) == main.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("scalefit: error: ")
    assert captured.err.count("\n") == 1


def test_the_option_stands_first_in_the_line(capsys: Captured) -> None:
    main.status_of(["simulate", "--points", "x"])
    assert capsys.readouterr().err == "scalefit: error: --points: 'x' is not a whole number\n"


def _raise_instead(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(simulate, "open_destination", fail)


def test_an_error_of_the_user_has_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    _raise_instead(monkeypatch, LogError("is broken", where="a.csv:3", remedy="mend it\nplease"))
    assert main.status_of(["simulate"]) == main.USAGE
    assert capsys.readouterr().err == "scalefit: error: a.csv:3: is broken; mend it please\n"


def test_a_defect_shows_its_traceback_and_asks_for_a_report(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    _raise_instead(monkeypatch, ZeroDivisionError("by zero"))
    assert main.status_of(["simulate"]) == main.DEFECT
    error = capsys.readouterr().err
    assert "Traceback" in error
    assert "ZeroDivisionError: by zero" in error
    assert error.splitlines()[-1].startswith("scalefit: error: this is a defect in scalefit; please report it")


def test_an_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    _raise_instead(monkeypatch, KeyboardInterrupt())
    assert main.status_of(["simulate"]) == main.INTERRUPTED
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("columns", ["40", "80"])
def test_help_is_not_cut(monkeypatch: pytest.MonkeyPatch, capsys: Captured, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main.status_of(["predict", "--help"]) == 0
    text = capsys.readouterr().out
    assert "--gpu-hours-per-step" in text
    assert "…" not in text


def test_help_does_not_wait_for_numpy() -> None:
    code = "import sys, scalefit.cli.main as main; main.status_of(['predict', '-h']); sys.exit('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", ["predict", "inspect", "simulate"])
def test_every_option_has_help(command: str) -> None:
    from typer.main import get_command  # noqa: PLC0415 only here

    group = get_command(main.app)
    parameters = group.commands[command].params  # type: ignore[attr-defined]
    assert len(parameters) > 5
    assert [each.name for each in parameters if not each.help] == []
