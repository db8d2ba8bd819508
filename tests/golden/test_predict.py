"""The command as users and scripts meet it: its output, its standard error, its exit code."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[bytes]


def _run(arguments: Sequence[str | Path], *, cwd: Path, **environment: str) -> Done:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "FORCE_COLOR"}}
    settings: Mapping[str, str] = {"PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8", **environment}
    return subprocess.run(
        [sys.executable, "-m", "scalefit", *map(str, arguments)],
        cwd=cwd,
        env={**kept, **settings},
        capture_output=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a good log, one under a foreign name, and a bad one."""
    path = tmp_path_factory.mktemp("logs")
    for name, seed in (("good.csv", "1"), ("läuft→gut.csv", "2")):
        done = _run(["simulate", "--points", "200", "--budget", "8000", "--seed", seed, "-o", name], cwd=path)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (path / "bad.csv").write_text("gpu_hours,reward\n")
    return path


def test_the_forecast_comes_first_in_words(folder: Path) -> None:
    done = _run(["predict", "good.csv"], cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "good.csv"
    assert lines[1].startswith("  Expect 0.6")


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_nothing_is_cut_at_any_width(folder: Path, columns: str) -> None:
    done = _run(["predict", "good.csv"], cwd=folder, COLUMNS=columns, NO_COLOR="1", TERM="dumb")
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "…" not in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= int(columns)


def test_a_pipe_gets_no_picture_and_no_escapes(folder: Path) -> None:
    text = _run(["predict", "good.csv"], cwd=folder).stdout.decode()
    assert "\x1b" not in text
    assert "log axis" not in text


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "scalefit", "predict", "good.csv"],
            cwd=folder,
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    assert done.returncode in {0, 141}
    assert done.stderr == b""


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_an_output_that_cannot_show_a_name_escapes_it(folder: Path, encoding: str, form: str) -> None:
    done = _run(["predict", "läuft→gut.csv", "--format", form], cwd=folder, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert "\\u2192" in done.stdout.decode(encoding)


def test_json_is_strict_and_the_same_twice(folder: Path) -> None:
    first = _run(["predict", "good.csv", "--format", "json"], cwd=folder)
    second = _run(["predict", "good.csv", "--format", "json"], cwd=folder, PYTHONHASHSEED="7")
    assert first.stdout == second.stdout

    def refuse(constant: str) -> float:
        raise AssertionError(constant)

    document = json.loads(first.stdout, parse_constant=refuse)
    assert document["schema"] == "scalefit.predict/1"
    estimate = document["runs"][0]["parameters"]["asymptote"]["estimate"]
    assert abs(estimate - 0.62) < 0.03


def test_rows_in_another_order_give_the_same_numbers(folder: Path) -> None:
    header, *rows = (folder / "good.csv").read_text().splitlines()
    (folder / "shuffled.csv").write_text("\n".join([header, *rows[::-1]]) + "\n")
    one, other = (
        json.loads(_run(["predict", name, "--format", "json"], cwd=folder).stdout)["runs"][0]
        for name in ("good.csv", "shuffled.csv")
    )
    for key in ("parameters", "forecast", "final", "outcome"):
        assert one[key] == other[key]


def test_standard_input_is_read(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scalefit", "predict", "-", "--format", "json"],
        input=(folder / "good.csv").read_bytes(),
        cwd=folder,
        capture_output=True,
        check=False,
        timeout=60,
    )
    from_path = _run(["predict", "good.csv", "--format", "json"], cwd=folder)
    assert json.loads(done.stdout)["runs"][0]["final"] == json.loads(from_path.stdout)["runs"][0]["final"]


def test_one_bad_run_does_not_lose_the_others(folder: Path) -> None:
    done = _run(["predict", "bad.csv", "good.csv", "missing.csv", "--format", "json"], cwd=folder)
    assert done.returncode == 2
    assert [run["run"] for run in json.loads(done.stdout)["runs"]] == ["good.csv"]
    errors = [line for line in done.stderr.decode().splitlines() if line.startswith("scalefit: error: ")]
    assert len(errors) == 2
    assert "bad.csv" in errors[0]
    assert "missing.csv" in errors[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", "missing.csv"],
        ["predict", "bad.csv"],
        ["predict", "good.csv", "--level", "2"],
        ["predict", "good.csv", "--level", "x"],
        ["predict", "good.csv", "--fraction", "0"],
        ["predict", "good.csv", "--format", "xml"],
        ["predict", "good.csv", "--bogus"],
        ["predict", "good.csv", "--plot", "a.gif"],
        ["predict", "good.csv", "-o", "good.csv"],
        ["predict", "good.csv", "-o", "missing/out.txt"],
        ["predict"],
        ["nothing"],
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(folder: Path, arguments: list[str]) -> None:
    done = _run(arguments, cwd=folder)
    assert done.returncode == 2
    assert done.stdout == b""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("scalefit: error: ")
    assert not lines[0].endswith(".")


def test_a_file_holds_the_result_and_nothing_is_printed(folder: Path) -> None:
    done = _run(["predict", "good.csv", "--format", "json", "-o", "out.json"], cwd=folder)
    assert (done.returncode, done.stdout) == (0, b"")
    assert (folder / "out.json").read_bytes() == _run(["predict", "good.csv", "--format", "json"], cwd=folder).stdout


def test_a_failure_leaves_no_file_behind(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    assert _run(["predict", "bad.csv", "-o", "never.json", "--plot", "never.svg"], cwd=folder).returncode == 2
    assert sorted(path.name for path in folder.iterdir()) == before


def test_the_result_does_not_depend_on_the_number_of_workers(folder: Path) -> None:
    for index in range(9):
        _run(["simulate", "--points", "60", "--seed", str(index), "-o", f"many-{index}.csv"], cwd=folder)
    names = [f"many-{index}.csv" for index in (3, 1, 2, 0, 8, 7, 6, 5, 4)]
    one, two = (_run(["predict", *names, "--format", "json", "--jobs", jobs], cwd=folder) for jobs in ("1", "2"))
    assert one.returncode == 0
    assert one.stdout == two.stdout
    assert [run["run"] for run in json.loads(two.stdout)["runs"]] == names


@pytest.mark.parametrize("given", ["0,1", "-1,1", "0,", ",1", "none", "unbounded"])
def test_every_form_of_a_range_is_understood(folder: Path, given: str) -> None:
    done = _run(["predict", "good.csv", "--range", given, "--format", "json"], cwd=folder)
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["runs"]) == 1


def test_compute_and_rewards_asked_for_are_answered(folder: Path) -> None:
    done = _run(
        [
            "predict",
            "good.csv",
            "--at",
            "3000",
            "--at",
            "20000",
            "--reach",
            "0.5",
            "--reach",
            "0.99",
            "--format",
            "json",
        ],
        cwd=folder,
    )
    run = json.loads(done.stdout)["runs"][0]
    assert {3000.0, 20000.0} <= {row["compute"] for row in run["forecast"]}
    assert [reach["reward"] for reach in run["reach"]] == [0.5, 0.99]
    assert run["reach"][0]["probability"] > run["reach"][1]["probability"]
