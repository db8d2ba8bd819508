"""The shipped logs are what sample_logs/README.md says they are."""

import subprocess
import sys
from pathlib import Path

import pytest

SIMULATED = "simulated"


@pytest.mark.slow
def test_simulated_logs_are_reproduced_byte_for_byte(sample_logs: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(sample_logs / "make.py"), str(tmp_path)], check=True)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    shipped = {path.name: path.read_bytes() for path in (sample_logs / SIMULATED).iterdir()}
    assert sorted(drawn) == sorted(shipped)
    assert drawn == shipped


def test_simulated_logs_say_that_they_are(sample_logs: Path) -> None:
    logs = sorted((sample_logs / SIMULATED).iterdir())
    assert logs
    for log in logs:
        lines = log.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("# simulated, not a real run: ")
        assert len(lines) == 2 + 75


def test_readme_names_every_shipped_log(sample_logs: Path) -> None:
    text = (sample_logs / "README.md").read_text(encoding="utf-8")
    names = [path.stem for path in (sample_logs / SIMULATED).iterdir()]
    names += [path.parent.name for path in sample_logs.glob("*/progress.csv")]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_shipped_logs_are_small(sample_logs: Path) -> None:
    for path in sample_logs.rglob("*"):
        assert path.is_dir() or path.stat().st_size < 300_000, path
