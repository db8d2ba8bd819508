import json
from pathlib import Path

import pytest

from scalefit.cli.main import status_of

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a log with a row that cannot be used."""
    path = tmp_path / "log.csv"
    path.write_text("gpu_hours,reward,loss\n" + "".join(f"{x},{'nan' if x == 3 else x / 10},0\n" for x in range(1, 9)))
    return path


def test_it_says_what_was_read_and_what_was_not(log: Path, capsys: Captured) -> None:
    assert status_of(["inspect", str(log)]) == 0
    text = capsys.readouterr().out
    assert "7 kept, 1 skipped" in text
    assert "line 4" in text
    assert "gpu_hours" in text
    assert "unused" in text


def test_json_lists_every_skipped_line(log: Path, capsys: Captured) -> None:
    assert status_of(["inspect", str(log), "--format", "json"]) == 0
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert run["source"]["rows"] == 7
    assert list(run["source"]["skipped_lines"].values()) == [[4]]
    assert [column["role"] for column in run["columns"]] == ["compute", "reward", "unused"]


@pytest.mark.parametrize("columns", ["40", "80"])
def test_nothing_is_cut(log: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert status_of(["inspect", str(log)]) == 0
    text = capsys.readouterr().out
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= int(columns)


def test_one_bad_log_does_not_lose_the_others(log: Path, capsys: Captured) -> None:
    assert status_of(["inspect", str(log.parent / "missing.csv"), str(log)]) == 2
    captured = capsys.readouterr()
    assert captured.out.count("log.csv") == 2
    assert captured.err.startswith("scalefit: error: ")
    assert captured.err.count("\n") == 1


def test_without_any_log_nothing_is_printed(tmp_path: Path, capsys: Captured) -> None:
    assert status_of(["inspect", str(tmp_path / "missing.csv"), "-o", str(tmp_path / "out.txt")]) == 2
    assert capsys.readouterr().out == ""
    assert list(tmp_path.iterdir()) == []
