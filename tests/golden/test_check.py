"""``check`` and ``watch`` as a job meets them: the installed command, its output, its exit code."""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import termios
import time
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.shared_folder import REPOSITORY

pytestmark = pytest.mark.slow

COMMAND = str(Path(sys.executable).parent / "scalefit")
SIMULATED = REPOSITORY / "sample_logs" / "simulated"
POLICY = REPOSITORY / "sample_logs" / "scalefit.yaml"
Done = subprocess.CompletedProcess[str]


def _environment(**changes: str) -> dict[str, str]:
    dropped = {"NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR", "GITHUB_STEP_SUMMARY"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8", **changes}


def _check(*arguments: str | Path, cwd: Path, **environment: str) -> Done:
    return subprocess.run(
        [COMMAND, "check", *map(str, arguments)],
        cwd=cwd,
        env=_environment(**environment),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("log", "code", "words"),
    [
        ("64a-on-track.csv", 0, "on track"),
        ("64b-below.csv", 1, "below the reference band"),
        ("64c-too-early.csv", 3, "not enough data: 3 rows up to 120 gpu-hours"),
    ],
)
def test_shared_cases(shared: Path, log: str, code: int, words: str) -> None:
    done = _check(log, "--reference", "64-ref.csv", cwd=shared / "cases")
    assert done.returncode == code
    assert words in " ".join(done.stdout.split())
    assert done.stderr == ""


@pytest.mark.parametrize(("log", "code"), [("scalerl-8b", 0), ("recipe-dapo", 1), ("loss-gspo", 3)])
def test_sample_policy_passes_fails_and_is_not_clear(log: str, code: int, tmp_path: Path) -> None:
    done = _check(SIMULATED / f"{log}.csv", "--config", POLICY, "--format", "json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert done.returncode == code
    assert document["schema"] == "scalefit.check/1"
    assert document["verdict"] == {0: "pass", 1: "fail", 3: "inconclusive"}[code]
    wanted = {"run", "gate", "verdict", "value", "low", "high", "threshold", "reason"}
    assert all(wanted <= set(gate) for gate in document["gates"])


def test_policy_in_the_working_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "scalefit.yaml").write_text("gates: [asymptote: {at_least: 0.7}]\n")
    assert _check(SIMULATED / "scalerl-8b.csv", cwd=tmp_path).returncode == 1
    (tmp_path / "scalefit.yaml").write_text("gates: [asymptote: {at_least: 0.645}]\non_inconclusive: fail\n")
    assert _check(SIMULATED / "scalerl-8b.csv", cwd=tmp_path).returncode == 1
    (tmp_path / "scalefit.yaml").write_text("gates: [asymptote: {at_least: 0.645}]\non_inconclusive: pass\n")
    assert _check(SIMULATED / "scalerl-8b.csv", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--config", "gone.yaml"],
        ["--config", "empty.yaml"],
        ["--min-asymptote", "65"],
        ["--min-final", "x"],
        ["--reference", "gone.csv"],
        ["--reference", "steps.csv"],
        ["--min-final", "0.5", "--budget", "10"],
        ["--min-final", "0.5", "--jobs", "0"],
        ["--min-final", "0.5", "--format", "csv"],
    ],
    ids=" ".join,
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("")
    (tmp_path / "steps.csv").write_text("step,reward\n" + "".join(f"{i},0.{i}\n" for i in range(1, 9)))
    done = _check(SIMULATED / "scalerl-8b.csv", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("scalefit: error: ")


def test_one_unreadable_run_does_not_lose_the_others(tmp_path: Path) -> None:
    done = _check("gone.csv", SIMULATED / "scalerl-8b.csv", "--min-final", "0.6", "--format", "json", cwd=tmp_path)
    assert done.returncode == 2
    assert [run["verdict"] for run in json.loads(done.stdout)["runs"]] == ["pass"]
    assert "gone.csv" in done.stderr


def test_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    logs = sorted(SIMULATED.glob("*.csv"))
    one, two = (
        _check(*logs, "--config", POLICY, "--format", "json", "--jobs", jobs, cwd=tmp_path) for jobs in ("1", "2")
    )
    assert (one.stdout, one.returncode) == (two.stdout, two.returncode)
    assert len(json.loads(one.stdout)["runs"]) == len(logs)


def test_workflow_commands_and_the_summary_of_the_step(tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    log = SIMULATED / "recipe-dapo.csv"
    done = _check(log, "--config", POLICY, "--format", "github", cwd=tmp_path, GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 1
    assert f"::error file={log},line=1,title=scalefit asymptote%3A fail::" in done.stdout
    assert summary.read_text().startswith("before\n### scalefit check: fail\n")


def test_junit_file_is_written_and_the_exit_code_stays(tmp_path: Path) -> None:
    done = _check(SIMULATED / "recipe-dapo.csv", "--config", POLICY, "--format", "junit", "-o", "r.xml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    root = ET.parse(tmp_path / "r.xml").getroot()  # noqa: S314 written a moment ago
    assert (root.tag, root[0].get("tests"), root[0].get("failures")) == ("testsuites", "5", "2")


def test_explain_judges_nothing(tmp_path: Path) -> None:
    done = _check(SIMULATED / "recipe-dapo.csv", "--config", POLICY, "--explain", cwd=tmp_path)
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "asymptote Judges the 0.9 interval of the asymptote" in text
    assert "on_track Holds every row against the curve of simulated/recipe-scalerl.csv" in text
    assert "It only warns" in text


# ---- watch ---------------------------------------------------------------------------------------------------------


def _watch(arguments: Sequence[str], cwd: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [COMMAND, "watch", *arguments],
        cwd=cwd,
        env=_environment(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def test_watch_ends_with_the_code_of_check(tmp_path: Path) -> None:
    lines = (SIMULATED / "recipe-dapo.csv").read_text().splitlines(keepends=True)
    log = tmp_path / "live.csv"
    watched = _watch(["live.csv", "--min-asymptote", "0.6", "--until-verdict", "--every", "0.2"], tmp_path)
    assert watched.stdout is not None
    assert watched.stdout.readline() == "live.csv: waiting for the log to appear\n"
    log.write_text("".join(lines[:4]))
    assert watched.stdout.readline().startswith("live.csv: 2 rows, 853 gpu-hours; inconclusive: ")
    log.write_text("".join(lines))
    out, err = watched.communicate(timeout=60)
    assert (watched.returncode, err) == (1, "")
    assert "; fail (changed): Fails (asymptote): stop" in out


def test_watch_stops_at_ctrl_c_with_its_last_state_printed(tmp_path: Path) -> None:
    (tmp_path / "live.csv").write_text((SIMULATED / "scalerl-8b.csv").read_text())
    watched = _watch(["live.csv", "--every", "0.2"], tmp_path)
    assert watched.stdout is not None
    first = watched.stdout.readline()
    watched.send_signal(signal.SIGINT)
    rest, err = watched.communicate(timeout=30)
    assert first.startswith("live.csv: 75 rows, 100,000 gpu-hours")
    assert (watched.returncode, rest, err) == (130, "", "")


def test_a_log_that_disappears_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    log = tmp_path / "live.csv"
    log.write_text((SIMULATED / "scalerl-8b.csv").read_text())
    watched = _watch(["live.csv", "--every", "0.2", "--patience", "0.5"], tmp_path)
    assert watched.stdout is not None
    watched.stdout.readline()
    log.unlink()
    _, err = watched.communicate(timeout=30)
    assert watched.returncode == 2
    assert len(err.splitlines()) == 1
    assert "live.csv: the log has disappeared" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["x.csv", "--until-verdict"],
        ["x.csv", "--hook", "true"],
        ["-"],
        ["x.csv", "--every", "0"],
        ["x.csv", "--min-final", "0.5", "--hook", "no-such-program-anywhere"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_watched_is_refused_at_once(arguments: list[str], tmp_path: Path) -> None:
    watched = _watch(arguments, tmp_path)
    with contextlib.closing(watched.stdout or sys.stdin):
        out, err = watched.communicate(timeout=30)
    assert (watched.returncode, out, len(err.splitlines())) == (2, "", 1)


def _read_until(terminal: int, wanted: bytes, seconds: float = 30.0) -> bytes:
    seen, end = b"", time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536)
    return seen


def test_on_a_terminal_the_page_is_redrawn_and_a_change_rings(tmp_path: Path) -> None:
    lines = (SIMULATED / "recipe-dapo.csv").read_text().splitlines(keepends=True)
    log = tmp_path / "live.csv"
    log.write_text("".join(lines[:4]))
    terminal, side = os.openpty()
    termios.tcsetwinsize(side, (40, 80))
    watched = subprocess.Popen(
        [COMMAND, "watch", "live.csv", "--min-asymptote", "0.6", "--every", "0.2"],
        cwd=tmp_path, env=_environment(TERM="xterm"), stdin=side, stdout=side, stderr=side, start_new_session=True,
    )  # fmt: skip
    os.close(side)
    try:
        first = _read_until(terminal, b"inconclusive")
        log.write_text("".join(lines))
        second = _read_until(terminal, b"\a")
        if b"log axis" not in second:  # the page may be drawn after it has rung
            second += _read_until(terminal, b"log axis")
        watched.send_signal(signal.SIGINT)
        assert watched.wait(timeout=30) == 130
    finally:
        watched.kill()
        watched.wait()
        os.close(terminal)
    assert b"not enough data: 2 rows" in first
    assert b"\a" not in first
    assert b"log axis" in second
    assert b"Traceback" not in second
