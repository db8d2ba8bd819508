"""Every command in the README runs and prints what the README shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from scalefit.cli.main import app
from tests.docs.console import README, blocks, examples, lay_out, run
from tests.shared_folder import REPOSITORY

TEXT = README.read_text(encoding="utf-8")
BLOCKS = list(blocks(TEXT))


def _set_up_commands() -> list[str]:
    return re.findall(r"^python3 -m venv .*$", TEXT, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("block", BLOCKS, ids=[examples(block)[0].command[:60] for block in BLOCKS])
def test_commands_print_what_is_shown(block: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    for example in examples(block):
        exit_code, output = run(example.command, tmp_path)
        assert exit_code == example.exit_code, f"{example.command}\n{output}"
        if example.output:
            assert output == example.output, f"{example.command}\n{output}"


PYTHON = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_python_example_prints_a_forecast_inside_its_band(tmp_path: Path) -> None:
    (example,) = PYTHON
    lay_out(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", check=True
    )
    estimate, low, high = (float(number) for number in done.stdout.split())
    assert low < estimate < high


def test_every_command_has_a_line_in_the_readme() -> None:
    first_table = TEXT.partition("| command | question |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`(\w+)`", first_table))
    assert named == set(getattr(get_command(app), "commands", {}))


def test_there_are_commands_to_run() -> None:
    assert len(BLOCKS) > 1
    assert all(examples(block) for block in BLOCKS)


def test_two_commands_set_everything_up() -> None:
    predict, test = _set_up_commands()
    assert "/scalefit predict sample_logs/" in predict
    assert "/pytest" in test


def test_continuous_integration_runs_the_test_command() -> None:
    _, test = _set_up_commands()
    assert f"\n{test} || exit\n" in (REPOSITORY / ".ci" / "run").read_text(encoding="utf-8")


def test_shipped_files_named_in_the_readme_exist() -> None:
    named = set(re.findall(r"sample_logs/[\w./-]+\.\w+", TEXT))
    assert named
    assert [name for name in sorted(named) if not (REPOSITORY / name).exists()] == []
