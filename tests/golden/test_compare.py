"""``scalefit compare`` as users and scripts meet it: its output, its standard error, its exit code."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.shared_folder import needs_shared

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]


def _run(arguments: Sequence[str | Path], *, cwd: Path, **environment: str) -> Done:
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "FORCE_COLOR"}}
    return subprocess.run(
        [sys.executable, "-m", "scalefit", *map(str, arguments)],
        cwd=cwd,
        env={**kept, "PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        check=False,
        timeout=120,
        text=True,
        encoding="utf-8",
    )


def _compare(arguments: Sequence[str | Path], *, cwd: Path) -> dict[str, Any]:
    done = _run(["compare", *arguments, "--format", "json"], cwd=cwd)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    assert document["schema"] == "scalefit.compare/1"
    return document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with seeds of three recipes, and logs that cannot be compared."""
    path = tmp_path_factory.mktemp("logs")
    recipes = {"base": ("0.62", "1.6"), "fast": ("0.62", "2.6"), "low": ("0.5", "1.6")}
    for name, (asymptote, efficiency) in recipes.items():
        for seed in (1, 2, 3):
            options = ["--asymptote", asymptote, "--efficiency", efficiency, "--midpoint", "1000", "--start", "0.1"]
            noise = ["--noise-sd", "0.01", "--seed", str(len(name) * 100 + ord(name[0]) + seed)]
            done = _run(["simulate", *options, *noise, "-o", f"{name}-{seed}.csv"], cwd=path)
            assert done.returncode == 0, done.stderr
    rows = [line.split(",") for line in (path / "base-1.csv").read_text().splitlines()[1:]]
    (path / "percent.csv").write_text(
        "gpu_hours,reward\n" + "".join(f"{row[0]},{100 * float(row[1])}\n" for row in rows)
    )
    (path / "tokens.csv").write_text(
        "tokens,reward\n" + "".join(f"{1000 * step},{row[1]}\n" for step, row in enumerate(rows, start=1))
    )
    (path / "flat.csv").write_text("gpu_hours,reward\n" + "".join(f"{row[0]},0.4\n" for row in rows))
    (path / "bad.csv").write_text("gpu_hours,reward\n")
    table = ["recipe,seed,gpu_hours,reward"]
    for name in recipes:
        for seed in (1, 2, 3):
            lines = (path / f"{name}-{seed}.csv").read_text().splitlines()[1:]
            table += [f"{name},{seed},{line}" for line in lines]
    (path / "all.csv").write_text("\n".join(table) + "\n")
    return path


def test_the_answer_comes_first_in_words(folder: Path) -> None:
    done = _run(["compare", "base-1.csv", "low-1.csv"], cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "base-1.csv and low-1.csv: a-higher-ceiling"
    assert lines[1].startswith("  base-1.csv likely ends higher: 0.6")


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_nothing_is_cut_at_any_width(folder: Path, columns: int) -> None:
    arguments = ["compare", "base-1.csv", "low-1.csv", "fast-1.csv", "--baseline", "base-1.csv"]
    done = _run(arguments, cwd=folder, COLUMNS=str(columns), NO_COLOR="1")
    assert done.returncode == 0
    assert "…" not in done.stdout
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= columns


def test_the_same_bytes_for_the_same_input_and_any_number_of_workers(folder: Path) -> None:
    logs = [f"{name}-{seed}.csv" for name in ("base", "fast", "low") for seed in (1, 2, 3)]
    one, other = (_run(["compare", *logs, "--format", "json", "--jobs", jobs], cwd=folder) for jobs in ("1", "2"))
    assert one.stdout == other.stdout
    assert one.returncode == 0


def test_json_keeps_its_contract(folder: Path) -> None:
    document = _compare(["base-1.csv", "fast-1.csv", "--price", "2"], cwd=folder)
    assert [run["run"] for run in document["runs"]] == ["base-1.csv", "fast-1.csv"]
    (pair,) = document["pairs"]
    assert list(pair)[:8] == ["a", "b", "asymptote", "efficiency", "at_budget", "crossing", "verdict", "reason"]
    assert pair["verdict"] == "b-more-efficient"
    assert pair["efficiency"]["shared_asymptote"] == pytest.approx(0.62, abs=0.02)
    assert pair["at_budget"]["cost"] == 2 * pair["at_budget"]["compute"]
    assert pair["crossing"]["cost"] == pytest.approx(2 * pair["crossing"]["compute"]["estimate"])


def test_groups_are_recipes_with_seeds(folder: Path) -> None:
    document = _compare(["--group", "base=base-*.csv", "--group", "low=low-*.csv", "--fraction", "0.5"], cwd=folder)
    assert [(group["group"], len(group["runs"])) for group in document["groups"]] == [("base", 3), ("low", 3)]
    assert document["pairs"][0]["verdict"] == "a-higher-ceiling"
    assert "one-seed" not in [caveat["code"] for caveat in document["caveats"]]


def test_a_column_can_name_the_recipes(folder: Path) -> None:
    document = _compare(["all.csv", "--group", "recipe", "--fraction", "0.5"], cwd=folder)
    assert [(group["group"], len(group["runs"])) for group in document["groups"]] == [
        ("base", 3),
        ("fast", 3),
        ("low", 3),
    ]
    assert [rank["run"] for rank in document["ranking"]][-1] == "low"


def test_one_seed_each_says_what_is_not_known(folder: Path) -> None:
    done = _run(["compare", "base-1.csv", "low-1.csv"], cwd=folder)
    assert "how much another seed would differ is not known" in " ".join(done.stdout.split())


def test_csv_has_one_row_for_each_pair(folder: Path) -> None:
    arguments = ["compare", "base-1.csv", "low-1.csv", "tokens.csv", "--all-pairs", "--at", "1000", "--format", "csv"]
    done = _run(arguments, cwd=folder)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["verdict"] for row in rows] == ["a-higher-ceiling", "not-comparable", "not-comparable"]
    assert float(rows[0]["at_1000_difference_estimate"]) > 0
    assert rows[1]["asymptote_probability_a_higher"] == ""


def test_markdown_is_a_table_and_sentences(folder: Path) -> None:
    done = _run(["compare", "base-1.csv", "low-1.csv", "--format", "markdown"], cwd=folder)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("| a | b | verdict |")
    assert "`a-higher-ceiling`" in lines[2]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "html"])
def test_a_picture_of_all_curves(folder: Path, tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib", reason="pictures in files need the extra scalefit[plot]")
    target = tmp_path / f"a.{ending}"
    arguments = ["compare", "base-1.csv", "fast-1.csv", "--baseline", "base-1.csv", "--plot", str(target)]
    done = _run(arguments, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    magic = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "html": b"<!DOCTYPE"}[ending]
    assert target.read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("percent.csv", "one may be a percentage"),
        ("tokens.csv", "counts compute in gpu-hours, tokens.csv in tokens"),
        ("flat.csv", "that is no curve"),
        ("copy=base-1.csv", "hold the same rows"),
    ],
)
def test_what_cannot_be_compared_says_why(folder: Path, other: str, reason: str) -> None:
    (pair,) = _compare(["base-1.csv", other], cwd=folder)["pairs"]
    assert pair["verdict"] == "not-comparable"
    assert reason in pair["reason"]
    assert pair["asymptote"]["probability_a_higher"] is None


def test_a_bad_run_does_not_lose_the_others(folder: Path) -> None:
    done = _run(["compare", "base-1.csv", "bad.csv", "low-1.csv"], cwd=folder)
    assert done.returncode == 2
    assert done.stdout.startswith("base-1.csv and low-1.csv: a-higher-ceiling")
    assert done.stderr.startswith("scalefit: error: bad.csv: no data rows")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "RUN: no run is given; expected two or more runs"),
        (["base-1.csv"], "RUN: 1 usable run (base-1.csv); expected at least two to compare"),
        (["base-1.csv", "base-1.csv"], "base-1.csv is given twice and taken once"),
        (["base-1.csv", "nope.csv"], "nope.csv: no such file"),
        (["base-1.csv", "low-1.csv", "--law", "power"], "--law: the law 'power' lacks"),
        (["base-1.csv", "low-1.csv", "--tie", "-1"], "--tie: -1 cannot be used"),
        (["base-1.csv", "low-1.csv", "--price", "0"], "--price: 0 cannot be used"),
        (["base-1.csv", "tokens.csv", "--price", "1"], "--price: compute of tokens.csv is in tokens"),
        (["base-1.csv", "low-1.csv", "--baseline", "x"], "--baseline: no run is called 'x'"),
        (["a=base-1.csv", "a=low-1.csv"], "two runs are called 'a'"),
        (["base-1.csv", "low-1.csv", "--group", "nope"], "--group"),
        (["base-1.csv", "--group", "x="], "--group: 'x=' lacks its recipe or its logs"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(folder: Path, arguments: list[str], message: str) -> None:
    done = _run(["compare", *arguments], cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@needs_shared
def test_who_leads_early_loses_late(shared: Path) -> None:
    logs = ["61a-recipe.csv", "61b-recipe.csv"]
    (pair,) = _compare([*logs, "--fraction", "1"], cwd=shared / "cases")["pairs"]
    assert pair["verdict"] == "a-higher-ceiling"
    assert pair["asymptote"]["difference"]["estimate"] == pytest.approx(0.12, abs=0.02)
    assert pair["crossing"]["compute"]["estimate"] == pytest.approx(3479, rel=0.15)
    assert "the better choice for a smaller budget" in pair["reason"]


@needs_shared
def test_a_quarter_makes_a_higher_ceiling_likely_at_most(shared: Path) -> None:
    (pair,) = _compare(["61a-recipe.csv", "61b-recipe.csv", "--at", "1000"], cwd=shared / "cases")["pairs"]
    assert "likely ends higher" in pair["reason"]
    assert pair["at"][0]["difference"]["estimate"] == pytest.approx(-0.13, abs=0.02)
    assert pair["at"][0]["probability_a_higher"] < 0.01


@needs_shared
def test_unequal_lengths_are_compared_at_equal_compute(shared: Path) -> None:
    logs = ["63a-long.csv", "63b-short-better.csv", "--fraction", "1"]
    (pair,) = _compare(logs, cwd=shared / "cases")["pairs"]
    assert pair["at_budget"]["compute"] == 800
    assert pair["at_budget"]["difference"]["estimate"] == pytest.approx(-0.05, abs=0.02)
    assert not pair["at_budget"]["b"]["extrapolated"]
    assert pair["at"][0]["compute"] == 8000
    assert pair["at"][0]["b"]["extrapolated"]
