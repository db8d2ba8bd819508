"""The import contracts of pyproject.toml hold, and they bite."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_folder import REPOSITORY


def _lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package that lies in ``folder``."""
    script = "import sys; sys.path.insert(0, ''); from importlinter.cli import lint_imports_command as run; run()"
    return subprocess.run(
        [sys.executable, "-c", script, "--config", str(folder / "pyproject.toml"), "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def test_contracts_hold() -> None:
    done = _lint_imports(REPOSITORY)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("errors.py", "import scalefit.run", "layers: top imports from below"),
        ("logs/sneaky.py", "import scalefit.report", "layers: top imports from below"),
        ("forecast.py", "import pathlib", "numbers know neither files"),
        ("model/sneaky.py", "import json", "numbers know neither files"),
        ("unplaced.py", "import scalefit.errors", "layers: top imports from below"),
    ],
)
def test_contracts_bite(tmp_path: Path, module: str, line: str, contract: str) -> None:
    shutil.copytree(REPOSITORY / "scalefit", tmp_path / "scalefit", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    target = tmp_path / "scalefit" / module
    target.write_text((target.read_text(encoding="utf-8") if target.exists() else "") + f"\n{line}\n", encoding="utf-8")
    done = _lint_imports(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    broken = [row for row in done.stdout.splitlines() if " BROKEN" in row]
    assert len(broken) == 1
    assert contract in broken[0]
