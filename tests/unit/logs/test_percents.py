from pathlib import Path

import numpy as np
import pytest

from scalefit.logs import read_run
from scalefit.logs.percents import note_mixed_scale
from scalefit.run import Run


def _read(folder: Path, cells: list[str]) -> Run:
    path = folder / "log.csv"
    path.write_text("gpu_hours,accuracy\n" + "".join(f"{n},{cell}\n" for n, cell in enumerate(cells, 1)))
    return read_run(str(path))


@pytest.mark.parametrize(
    ("cells", "expected", "words"),
    [
        (["21.5%", "30 %", "34%"], [21.5, 30, 34], "62 for 62 %"),
        (["0.215", "30%", "0.34"], [0.215, 0.3, 0.34], "read as fractions"),
        (["21.5", "30%", "34"], [21.5, 30, 34], "all are read as percent"),
    ],
)
def test_percent_signs_are_read_and_said(tmp_path: Path, cells: list[str], expected: list[float], words: str) -> None:
    run = _read(tmp_path, cells)
    np.testing.assert_allclose(run.reward, expected)
    note = next(note for note in run.source.notes if note.code == "percent-cells")
    assert words in note.message


def test_a_column_that_changes_its_scale_is_noted_and_left_as_it_is(tmp_path: Path) -> None:
    run = _read(tmp_path, ["0.21", "0.25", "0.3", "31", "33", "35"])
    assert run.reward.tolist() == [0.21, 0.25, 0.3, 31, 33, 35]
    assert [note.code for note in run.source.notes] == ["percent-and-fraction"]


@pytest.mark.parametrize(
    "reward",
    [np.linspace(0.1, 60, 50), np.linspace(0.5, 1.5, 40), np.array([0.1, 0.2, 0.3]), np.array([-1.0, 0.5, 40, 60])],
)
def test_a_curve_that_passes_one_is_no_change_of_scale(reward: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    assert note_mixed_scale(reward, "reward") == []
