import json
from pathlib import Path

import pytest

from scalefit.cli.main import status_of
from scalefit.logs import read_run

Captured = pytest.CaptureFixture[str]


def test_the_same_seed_writes_the_same_log(capsys: Captured) -> None:
    written = []
    for seed in ("1", "1", "2"):
        assert status_of(["simulate", "--points", "20", "--seed", seed]) == 0
        written.append(capsys.readouterr().out)
    assert written[0] == written[1] != written[2]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_the_log_is_read_back_as_it_was_drawn(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"log.{form}"
    arguments = ["--noise-sd", "0", "--points", "4", "--budget", "1000", "--format", form, "-o", str(path)]
    assert status_of(["simulate", *arguments]) == 0
    run = read_run(str(path))
    assert run.unit == "gpu-hours"
    assert run.compute.tolist() == [250.0, 500.0, 750.0, 1000.0]
    assert run.reward[0] == pytest.approx((0.1 + 0.62) / 2)


def test_json_lines_are_objects(capsys: Captured) -> None:
    status_of(["simulate", "--points", "2", "--format", "jsonl", "--spacing", "log"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["gpu_hours"] for row in rows] == pytest.approx([16.0, 16000.0])


@pytest.mark.parametrize(
    ("option", "value"),
    [("--points", "0"), ("--efficiency", "0"), ("--midpoint", "-1"), ("--noise-sd", "-1"), ("--autocorrelation", "1"),
     ("--budget", "0"), ("--seed", "-1")],
)  # fmt: skip
def test_a_value_out_of_its_domain_names_its_option(capsys: Captured, option: str, value: str) -> None:
    assert status_of(["simulate", option, value]) == 2
    assert capsys.readouterr().err.startswith(f"scalefit: error: {option}: ")
