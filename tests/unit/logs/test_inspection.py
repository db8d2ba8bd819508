from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs import Inspection, ReadOptions, inspect_run


def _inspect(folder: Path, text: str, **options: float) -> Inspection:
    path = folder / "log.csv"
    path.write_text(text)
    (found,) = inspect_run(str(path), ReadOptions(**options))  # type: ignore[arg-type]
    return found


def test_every_column_has_a_role_and_a_reason(tmp_path: Path) -> None:
    header = "step,_runtime,reward,reward_std,rewards/format/mean,loss,lr,note\n"
    found = _inspect(tmp_path, header + "".join(f"{n},{60 * n},0.{n},0.1,0.9,1.5,1e-6,x\n" for n in range(1, 7)))
    roles = {column.name: (column.role, column.why) for column in found.columns}
    assert roles["_runtime"] == ("compute", "compute: _runtime (seconds), wall time in seconds")
    assert roles["reward"][0] == "reward"
    assert roles["step"] == ("unused", "could be compute, but '_runtime' comes first")
    assert roles["reward_std"] == ("unused", "not the reward: a spread, not a level")
    assert "format" in roles["rewards/format/mean"][1]
    assert "loss" in roles["loss"][1]
    assert [column.numbers for column in found.columns] == [6] * 7 + [0]


def test_rows_left_out_keep_their_lines(tmp_path: Path) -> None:
    found = _inspect(tmp_path, "gpu_hours,reward\n1,0.1\n2,nan\n-3,0.2\n4\n5,x\n6,0.3\n7,\n")
    assert {reason: tuple(lines) for reason, lines in found.skipped_lines.items()} == {
        "wrong number of cells": (5,),
        "no reward on the row": (8,),
        "reward not finite": (3,),
        "reward not a number": (6,),
        "negative compute": (4,),
    }
    assert [point.line for point in (*found.first_points, *found.last_points)] == [2, 7]


def test_gaps_and_restarts_are_shown(tmp_path: Path) -> None:
    rows = [(n, 60 * n) for n in range(1, 21)] + [(n, 60 * n + 36_000) for n in range(15, 40)]
    found = _inspect(tmp_path, "step,elapsed,reward\n" + "".join(f"{s},{t},0.{s:02}\n" for s, t in rows), gpus=8.0)
    assert found.restart_lines == (22,)
    assert len(found.gaps) == 1
    assert found.gaps[0].hours == pytest.approx(10, rel=0.05)


def test_each_run_of_a_file_is_inspected(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("run,gpu_hours,reward\n" + "".join(f"{run},{n},0.{n}\n" for run in "ab" for n in range(1, 6)))
    found = inspect_run(str(path), ReadOptions(series="all"))
    assert [(each.series, each.run.source.rows) for each in found] == [("a", 5), ("b", 5)]
    with pytest.raises(LogError, match="2 runs in one file"):
        inspect_run(str(path))
