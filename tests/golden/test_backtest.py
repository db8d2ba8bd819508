"""`backtest`, `calibrate` and `--calibration` as users and scripts meet them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[bytes]
RUNS = 12
LOGS = [f"run-{index:02}.csv" for index in range(RUNS)]


def _run(arguments: Sequence[str | Path], *, cwd: Path, **environment: str) -> Done:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "FORCE_COLOR"}}
    settings: Mapping[str, str] = {"PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8", **environment}
    return subprocess.run(
        [sys.executable, "-m", "scalefit", *map(str, arguments)],
        cwd=cwd,
        env={**kept, **settings},
        capture_output=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the logs of finished runs, one too short to score, a bad one, and a calibration."""
    path = tmp_path_factory.mktemp("logs")
    for index, name in enumerate(LOGS):
        curve = ["--midpoint", str(300 + 60 * index), "--asymptote", str(0.5 + 0.02 * index)]
        done = _run(["simulate", "--points", "60", "--seed", str(index), *curve, "-o", name], cwd=path)
        assert (done.returncode, done.stderr) == (0, b"")
    (path / "short.csv").write_text("gpu_hours,reward\n" + "".join(f"{row},{row / 20}\n" for row in range(1, 11)))
    (path / "bad.csv").write_text("gpu_hours,reward\n")
    done = _run(["calibrate", *LOGS, "-o", "own.yaml"], cwd=path)
    assert (done.returncode, done.stdout) == (0, b"")
    return path


def _refuse(constant: str) -> float:
    raise AssertionError(constant)


def test_json_is_strict_and_what_programs_rely_on(folder: Path) -> None:
    done = _run(["backtest", *LOGS, "short.csv", "--format", "json"], cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    document = json.loads(done.stdout, parse_constant=_refuse)
    assert document["schema"] == "scalefit.backtest/1"
    assert [summary["fraction"] for summary in document["summary"]] == [0.1, 0.25, 0.5]
    assert [summary["runs"] for summary in document["summary"]] == [RUNS, RUNS, RUNS + 1]
    assert list(document["summary"][1]["refused"]) == ["short.csv"]
    assert "usable points" in document["summary"][1]["refused"]["short.csv"]
    assert len(document["runs"]) == 3 * RUNS + 1


def test_an_outcome_is_that_of_predict(folder: Path) -> None:
    options = ["--format", "json", "--level", "0.8", "--range", "0,1", "--skip-until", "500"]
    scored = json.loads(_run(["backtest", LOGS[3], "--fractions", "0.4", *options], cwd=folder).stdout)["runs"][0]
    forecast = json.loads(_run(["predict", LOGS[3], "--fraction", "0.4", *options], cwd=folder).stdout)["runs"][0]
    assert {key: scored[key] for key in forecast["outcome"]} == forecast["outcome"]


def test_the_result_does_not_depend_on_the_number_of_workers(folder: Path) -> None:
    arguments = ["backtest", *LOGS, "short.csv", "--format", "json", "--jobs"]
    one, two = (_run([*arguments, jobs], cwd=folder, PYTHONHASHSEED=jobs) for jobs in ("1", "2"))
    assert one.returncode == 0
    assert one.stdout == two.stdout


@pytest.mark.parametrize(
    ("options", "fractions"),
    [
        (["--by", "0.3"], [0.3, 0.6, 0.9]),
        (["--by", "0.4", "--fractions", "0.1"], [0.4, 0.8]),
        (["--fractions", "0.5,0.2"], [0.5, 0.2]),
        (["--fraction", "0.3"], [0.3]),
    ],
)
def test_the_shares_asked_for_are_scored(folder: Path, options: list[str], fractions: list[float]) -> None:
    document = json.loads(_run(["backtest", LOGS[0], *options, "--format", "json"], cwd=folder).stdout)
    assert document["fractions"] == fractions
    assert [run["fraction"] for run in document["runs"]] == fractions


def test_words_come_first(folder: Path) -> None:
    done = _run(["backtest", *LOGS, "short.csv"], cwd=folder)
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "worth more than the last three points" in " ".join(text.split())[:200]
    assert "not scored\n  short.csv at 0.1: 1 usable point" in text


@pytest.mark.parametrize("columns", ["40", "80", "120"])
def test_nothing_is_cut_at_any_width(folder: Path, columns: str) -> None:
    done = _run(["backtest", *LOGS[:2], "--by", "0.3", "--law", "all"], cwd=folder, COLUMNS=columns, NO_COLOR="1")
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "…" not in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= int(columns)


def test_every_law_is_compared(folder: Path) -> None:
    document = json.loads(_run(["backtest", *LOGS[:4], "--law", "all", "--format", "json"], cwd=folder).stdout)
    assert list(document["laws"]) == ["sigmoid", "exponential", "power", "log-linear"]
    assert document["law_ranking"][0]["law"] == "sigmoid"  # drawn from one
    assert document["summary"] == document["laws"]["sigmoid"]
    assert "Of the laws, sigmoid extrapolates best" in " ".join(
        _run(["backtest", *LOGS[:4], "--law", "all"], cwd=folder, COLUMNS="200").stdout.decode().split()
    )


def test_one_bad_log_does_not_lose_the_others(folder: Path) -> None:
    done = _run(["backtest", "bad.csv", LOGS[0], "missing.csv", "--format", "json"], cwd=folder)
    assert done.returncode == 2
    assert {run["run"] for run in json.loads(done.stdout)["runs"]} == {LOGS[0]}
    assert [line.split(": ")[:3] for line in done.stderr.decode().splitlines()] == [
        ["scalefit", "error", "bad.csv"],
        ["scalefit", "error", "missing.csv"],
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["backtest"],
        ["backtest", "missing.csv"],
        ["backtest", "short.csv", "--fractions", "0.1"],
        ["backtest", LOGS[0], "--fractions", "1"],
        ["backtest", LOGS[0], "--by", "0"],
        ["backtest", LOGS[0], "--law", "linear"],
        ["backtest", LOGS[0], "--jobs", "0"],
        ["backtest", LOGS[0], "--budget", "1e9"],
        ["backtest", LOGS[0], "-o", LOGS[0]],
        ["backtest", LOGS[0], "--calibration", "own.yaml", "-o", "own.yaml"],
        ["calibrate"],
        ["calibrate", "missing.csv"],
        ["calibrate", *LOGS[:9]],
        ["calibrate", *LOGS, "--level", "1"],
        ["predict", LOGS[0], "--calibration", "missing.yaml"],
        ["predict", LOGS[0], "--calibration", "bad.csv"],
        ["compare", *LOGS[:2], "--calibration", "missing.yaml"],
        ["check", LOGS[0], "--min-final", "0.1", "--calibration", "missing.yaml"],
        ["watch", LOGS[0], "--calibration", "missing.yaml"],
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(folder: Path, arguments: list[str]) -> None:
    done = _run(arguments, cwd=folder)
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout, len(lines)) == (2, b"", 1)
    assert lines[0].startswith("scalefit: error: ")
    assert not lines[0].endswith(".")


def test_a_picture_is_written(folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="pictures in files need the extra scalefit[plot]")
    done = _run(["backtest", *LOGS[:3], "--plot", "errors.svg", "-o", "errors.txt"], cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert b"share of the run seen" in (folder / "errors.svg").read_bytes()
    assert (folder / "errors.txt").read_text().startswith("  ")


def test_a_calibration_is_the_same_bytes_twice_and_in_a_pipe(folder: Path) -> None:
    piped = _run(["calibrate", *LOGS, "--jobs", "1"], cwd=folder)
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout == (folder / "own.yaml").read_bytes()


def test_a_calibration_says_what_it_rests_on(folder: Path) -> None:
    text = (folder / "own.yaml").read_text()
    assert f"\nruns: {RUNS}\n" in text
    assert f"learned by scalefit calibrate from {RUNS} finished runs" in text.splitlines()[0]
    assert "12/13 = 0.923 on average" in text


def test_a_written_calibration_tells_its_user_the_same(folder: Path) -> None:
    done = _run(["calibrate", *LOGS, "short.csv", "-o", "again.yaml"], cwd=folder)
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (0, b"")
    assert lines[0].startswith("scalefit: warning: short.csv: left out, at least in part: ")
    comments = [line for line in (folder / "again.yaml").read_text().splitlines() if line.startswith("# ")]
    assert lines[1:] == [line.replace("# ", "scalefit: note: ", 1) for line in comments]


@pytest.mark.parametrize(
    "arguments",
    [
        ["predict", LOGS[0]],
        ["compare", *LOGS[:2]],
        ["check", LOGS[0], "--min-final", "0.1"],
        ["backtest", *LOGS[:2]],
    ],
)
def test_every_command_says_that_it_used_a_calibration(folder: Path, arguments: list[str]) -> None:
    plain, own = (_run([*arguments, *more], cwd=folder, COLUMNS="200") for more in ([], ["--calibration", "own.yaml"]))
    assert (plain.returncode, own.returncode) == (0, 0)
    words = f"the robust band uses your own calibration (own.yaml), learned from {RUNS} finished runs"
    assert words in " ".join(own.stdout.decode().split())
    assert b"own calibration" not in plain.stdout


def test_a_calibration_moves_the_robust_band_and_nothing_else(folder: Path) -> None:
    plain, own = (
        json.loads(_run(["predict", LOGS[0], "--format", "json", *more], cwd=folder).stdout)["runs"][0]
        for more in ([], ["--calibration", "own.yaml"])
    )
    assert own["parameters"] == plain["parameters"]
    assert (own["final"]["low"], own["final"]["high"]) == (plain["final"]["low"], plain["final"]["high"])
    assert own["final"]["robust_high"] != plain["final"]["robust_high"]
    assert "own-calibration" in {caveat["code"] for caveat in own["caveats"]}


def test_a_broken_calibration_names_file_key_value_and_remedy(folder: Path) -> None:
    text = (folder / "own.yaml").read_text().replace(f"runs: {RUNS}", "runs: many")
    (folder / "broken.yaml").write_text(text)
    done = _run(["predict", LOGS[0], "--calibration", "broken.yaml"], cwd=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "scalefit: error: broken.yaml: runs: 'many' cannot be used; expected a whole number; write it anew with "
        "scalefit calibrate\n"
    )
