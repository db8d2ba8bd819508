from pathlib import Path

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run, read_runs
from scalefit.logs.stacks import find_copies, find_runs


def _write(folder: Path, blocks: list[int], *, header: str = "step,reward", clock: bool = False) -> str:
    rows: list[str] = []
    for run, length in enumerate(blocks):
        rows += [
            f"{step},0.{run + 1}{step:02d}" + (f",{1.7e9 + 3600 * len(rows) + step}" if clock else "")
            for step in range(length)
        ]
    path = folder / "log.csv"
    path.write_text(header + (",timestamp" if clock else "") + "\n" + "\n".join(rows) + "\n")
    return str(path)


class TestFindRuns:
    def test_a_counter_that_begins_again_separates_runs(self) -> None:
        assert find_runs(np.array([0.0, 1, 2, 3, 0, 1, 2, 3, 4])) == ((0, 4), (4, 9))

    @pytest.mark.parametrize(
        "key",
        [
            np.arange(10.0),
            np.array([1.0, 2, 3, 4, 5, 6, 3, 4, 5, 6]),  # a resume
            np.array([1.0, 2, 1, 2, 3, 4, 5, 6, 7, 8]),  # a crash soon after the start
            np.array([5.0, 4, 3, 2, 1, 5, 4, 3, 2, 1]),  # not in order
        ],
    )
    def test_one_run(self, key: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
        assert find_runs(key) is None


class TestFindCopies:
    def test_every_value_as_often(self) -> None:
        copies = find_copies(np.repeat(np.arange(5.0), 3))
        assert copies is not None
        assert copies.tolist() == [0, 1, 2] * 5

    @pytest.mark.parametrize(
        "key", [np.arange(10.0), np.array([0.0, 0, 1, 1, 2, 2, 3, 3, 4]), np.tile(np.arange(5.0), 2), np.ones(10)]
    )
    def test_others_are_no_copies(self, key: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
        assert find_copies(key) is None


def test_a_stack_is_listed_and_each_run_can_be_chosen(tmp_path: Path) -> None:
    path = _write(tmp_path, [10, 12])
    with pytest.raises(
        LogError, match=r"2 runs below each other \(step begins again\).*1 \(lines 2-11\), 2 \(lines 12"
    ):
        read_run(path, ReadOptions(x="step"))
    second = read_run(path, ReadOptions(x="step", series="2"))
    assert (second.source.rows, second.reward[0]) == (12, 0.2)
    runs, failures = read_runs([path], ReadOptions(x="step", series="all"))
    assert ([run.source.rows for run in runs], failures) == ([10, 12], ())
    with pytest.raises(LogError, match=r"no run '3'.*--series takes one of 1, 2 or all"):
        read_run(path, ReadOptions(x="step", series="3"))


def test_a_clock_that_goes_on_makes_it_one_run(tmp_path: Path) -> None:
    run = read_run(_write(tmp_path, [10, 12], clock=True), ReadOptions(gpus=8))
    assert run.source.notes


def test_rows_that_share_every_step_are_replicates(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("step,reward\n" + "".join(f"{n // 3},{n / 60}\n" for n in range(30)))
    run = read_run(str(path), ReadOptions(x="step"))
    assert sorted(set(run.replicate.tolist())) == [0, 1, 2]
    assert run.source.rows == 30
    message = next(note.message for note in run.source.notes if note.code == "replicates")
    assert message == "each step stands there 3 times: taken as replicates of one recipe; all are kept"


def test_a_series_that_is_not_there_is_said_of_a_single_run(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="no run 'b'; the file holds one run"):
        read_run(_write(tmp_path, [10]), ReadOptions(x="step", series="b"))
