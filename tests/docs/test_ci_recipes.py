"""The recipes of the README's section on CI do what it says: their files parse, and their commands run."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from scalefit.cli.policy import read_policy
from tests.docs.console import README, run
from tests.shared_folder import REPOSITORY

SECTION = README.read_text(encoding="utf-8").partition("\n## In CI\n")[2].partition("\n## ")[0]
POLICY, *RECIPES = re.findall(r"^```yaml\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
SHELL = re.search(r"^```sh\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder laid out as the recipes expect: logs in runs/, a policy, and its reference."""
    (tmp_path / "runs").mkdir()
    logs = REPOSITORY / "sample_logs" / "simulated"
    shutil.copy(logs / "scalerl-8b.csv", tmp_path / "runs" / "main.csv")
    shutil.copy(logs / "scalerl-8b.csv", tmp_path / "baseline.csv")
    (tmp_path / "scalefit.yaml").write_text(POLICY, encoding="utf-8")
    return tmp_path


def _commands(value: Any) -> list[str]:  # noqa: ANN401 whatever a recipe holds
    if isinstance(value, dict):
        return [command for inner in value.values() for command in _commands(inner)]
    if isinstance(value, list):
        return [command for inner in value for command in _commands(inner)]
    return [value] if isinstance(value, str) and value.startswith("scalefit check") and " " in value[15:] else []


def test_policy_of_the_readme_can_be_meant(folder: Path) -> None:
    book = read_policy(str(folder / "scalefit.yaml"))
    assert len(book.policy_for("main").gates) == 7
    assert book.policy_for("runs/ablation-1.csv").budget == 20_000


def test_there_are_recipes_for_each_system() -> None:
    assert [next(iter(yaml.safe_load(recipe))) for recipe in RECIPES] == [True, "check runs", "repos"]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=["github", "gitlab", "pre-commit"])
def test_commands_of_a_recipe_run(recipe: str, folder: Path) -> None:
    commands = _commands(yaml.safe_load(recipe))
    assert len(commands) == 1
    files = " runs/main.csv" if "entry:" in recipe else ""
    code, output = run(commands[0] + files, folder)
    assert code in {0, 1}
    assert "Traceback" not in output
    if "junit" in recipe:
        assert (folder / "report.xml").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.slow
@pytest.mark.parametrize(("least", "ends"), [(0.5, "left alone"), (0.9, "cancelled 7")])
def test_epilog_stops_a_run_that_fails(folder: Path, least: float, ends: str) -> None:
    assert SHELL is not None
    (folder / "scalefit.yaml").write_text(f"gates: [asymptote: {{at_least: {least}}}]\n", encoding="utf-8")
    script = f'scancel() {{ echo "cancelled $1"; exit; }}\nSLURM_JOB_ID=7\n{SHELL.group(1)}\necho "left alone"'
    code, output = run(script, folder)
    assert (code, output) == (0, ends)
    assert (folder / "verdict.md").is_file()


@pytest.mark.slow
def test_composite_action_passes_its_inputs_as_data(folder: Path) -> None:
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    step = action["runs"]["steps"][1]
    fake = folder / "scalefit" / "bin"
    fake.mkdir(parents=True)
    (fake / "scalefit").symlink_to(Path(sys.executable).parent / "scalefit")
    environment = {
        "RUNNER_TEMP": str(folder), "PATH": "/usr/bin:/bin", "RUNS": "runs/*.csv\n", "CONFIG": "scalefit.yaml",
        "ARGUMENTS": "--min-asymptote=0.7\n",
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-c", step["run"]], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert set(step["env"]) == {"RUNS", "CONFIG", "ARGUMENTS"}
    assert done.returncode == 1
    assert done.stdout.startswith("::")
