import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.errors import LogError, ScalefitError, UsageError
from scalefit.logs import ReadOptions, inspect_run, read_log, read_run, read_runs
from scalefit.logs.arguments import LogSpec

ROWS = "gpu_hours,reward\n1,0.1\n2,0.2\n3,0.3\n4,0.4\n"


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def _write(text: str | bytes, name: str = "log.csv") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return _write


def _error(path: str, options: ReadOptions | None = None) -> str:
    with pytest.raises(ScalefitError) as caught:
        read_run(path, options or ReadOptions())
    message = str(caught.value)
    assert "\n" not in message
    assert not message.endswith(".")
    return message


class TestBadInput:
    def test_missing_file(self, tmp_path: Path) -> None:
        path = str(tmp_path / "none.csv")
        assert _error(path).startswith(f"{path}: no such file; expected a log, a glob or a folder of logs")

    def test_glob_without_match(self, tmp_path: Path) -> None:
        assert "matches no file" in _error(str(tmp_path / "*.csv"))

    def test_folder_without_logs(self, tmp_path: Path) -> None:
        (tmp_path / "readme.md").write_text("# nothing to see\n\nSome words, and more words.\n")
        message = _error(str(tmp_path))
        assert message.startswith(f"{tmp_path}: a folder without logs (1 files looked at)")

    def test_empty_file(self, write: Callable[..., str]) -> None:
        assert "the file is empty" in _error(write(""))

    def test_blank_file(self, write: Callable[..., str]) -> None:
        assert "not a log in a known format" in _error(write("\n \n"))

    def test_header_only(self, write: Callable[..., str]) -> None:
        assert "no data rows; expected rows below the header [gpu_hours, reward]" in _error(write("gpu_hours,reward\n"))

    def test_binary_file(self, write: Callable[..., str]) -> None:
        assert "binary data (it starts with 00 01 02 03)" in _error(write(bytes(range(256))))

    def test_known_binary_file(self, write: Callable[..., str]) -> None:
        assert "an SQLite database is not a log" in _error(write(b"SQLite format 3" + bytes(100), "a.db"))

    def test_prose(self, write: Callable[..., str]) -> None:
        assert "not a log in a known format" in _error(write("This is a letter.\nIt has two lines, but no columns.\n"))

    def test_one_column_with_an_empty_line(self, write: Callable[..., str]) -> None:
        assert "no data rows" in _error(write("reward\n\n"))
        assert "no compute column among [reward]" in _error(write("reward\n0.1\n\n0.2\n"))

    def test_a_quote_without_its_partner_swallows_nothing(self, write: Callable[..., str]) -> None:
        run = read_run(write('gpu_hours,reward,note\n1,0.1,"x\n2,0.2,y\n3,0.3,z\n'))
        assert run.reward.tolist() == [0.1, 0.2, 0.3]

    def test_no_compute_column(self, write: Callable[..., str]) -> None:
        assert "no compute column among [name, reward]" in _error(write("name,reward\na,0.1\na,0.2\n"))

    def test_no_reward_column(self, write: Callable[..., str]) -> None:
        message = _error(write("gpu_hours,speed\n1,0.1\n2,0.2\n"))
        assert "no reward column among [gpu_hours, speed]" in message
        assert "name it with --y" in message

    def test_several_candidates(self, write: Callable[..., str]) -> None:
        message = _error(write("gpu_hours,math/accuracy,code/accuracy\n1,0.1,0.2\n2,0.2,0.3\n"))
        assert "several columns could be the reward: [math/accuracy, code/accuracy]" in message
        assert "--y 'math/accuracy'" in message

    def test_several_runs(self, write: Callable[..., str]) -> None:
        path = write("run,gpu_hours,reward\na,1,0.1\na,2,0.2\nb,1,0.3\nb,2,0.4\n")
        message = _error(path)
        assert "2 runs in one file, told apart by run: a (2 rows), b (2 rows)" in message
        assert "--series 'a'" in message
        assert read_run(path, ReadOptions(series="b")).reward.tolist() == [0.3, 0.4]
        assert "did you mean 'b'" in _error(path, ReadOptions(series="bb"))
        runs, _ = read_runs([path], ReadOptions(series="all"))
        assert [run.name for run in runs] == [f"{path}:a", f"{path}:b"]

    def test_constant_reward_is_no_error(self, write: Callable[..., str]) -> None:
        assert read_run(write("gpu_hours,reward\n1,0.5\n2,0.5\n3,0.5\n")).reward.tolist() == [0.5] * 3

    def test_non_finite_cells(self, write: Callable[..., str]) -> None:
        run = read_run(write("gpu_hours,reward\n1,nan\n2,inf\n3,0.3\n4,oops\n,0.1\n6,0.6\nnan,0.7\n"))
        assert run.compute.tolist() == [3, 6]
        assert run.source.skipped == {
            "reward not finite": 2,
            "reward not a number": 1,
            "compute not a finite number": 1,
            "no compute on the row": 1,
        }

    def test_no_row_with_both(self, write: Callable[..., str]) -> None:
        message = _error(write("gpu_hours,reward\n1,\n,0.2\n2,\n,0.4\n"))
        assert "no row holds both 'gpu_hours' and 'reward'" in message

    def test_rows_out_of_order(self, write: Callable[..., str]) -> None:
        run = read_run(write("gpu_hours,reward\n3,0.3\n1,0.1\n4,0.4\n2,0.2\n"))
        assert run.reward.tolist() == [0.1, 0.2, 0.3, 0.4]
        assert [note.code for note in run.source.notes] == ["rows-sorted"]

    def test_duplicate_steps(self, write: Callable[..., str]) -> None:
        rows = "".join(f"{n},{n / 2},{n / 100}\n" for n in range(1, 21)) + "20,10,0.99\n"
        run = read_run(write("step,gpu_hours,reward\n" + rows))
        assert run.source.rows == 20
        assert run.reward[-1] == 0.99
        assert run.source.skipped == {"repeated later (the later copy is kept)": 1}

    def test_wrong_number_of_cells(self, write: Callable[..., str]) -> None:
        run = read_run(write("gpu_hours,reward\n1,0.1\n2,0.2,9\n3\n4,0.4\n"))
        assert run.compute.tolist() == [1, 4]
        assert run.source.skipped == {"wrong number of cells": 2}
        assert "line 3, 4 does not have the 2 cells" in run.source.notes[0].message

    def test_column_typo(self, write: Callable[..., str]) -> None:
        path = write(ROWS)
        assert "no column 'rewrad'; --y takes one of [gpu_hours, reward]; did you mean reward?" in _error(
            path, ReadOptions(y="rewrad")
        )
        assert "--x takes one of" in _error(path, ReadOptions(x="nothing"))

    def test_column_is_found_whatever_its_case(self, write: Callable[..., str]) -> None:
        assert read_run(write(ROWS), ReadOptions(y="Reward")).source.y_column == "reward"

    def test_text_column_is_no_reward(self, write: Callable[..., str]) -> None:
        path = write("gpu_hours,reward,note\n1,0.1,good\n2,0.2,bad\n")
        assert "column 'note' holds no number (it holds 'good')" in _error(path, ReadOptions(y="note"))

    def test_one_column_for_both(self, write: Callable[..., str]) -> None:
        message = _error(write(ROWS), ReadOptions(x="reward", y="reward"))
        assert "cannot be both compute and reward" in message

    def test_where_without_match(self, write: Callable[..., str]) -> None:
        path = write("gpu_hours,kind,reward\n1,red,0.1\n2,blue,0.2\n")
        message = _error(path, ReadOptions(where=(("kind", "bleu"),)))
        assert "no row with kind=bleu; kind has the values red, blue; did you mean kind=blue?" in message

    @pytest.mark.parametrize(
        ("options", "option"),
        [
            (ReadOptions(gpus=0), "--gpus"),
            (ReadOptions(gpus=float("nan")), "--gpus"),
            (ReadOptions(gpu_hours_per_step=-1), "--gpu-hours-per-step"),
            (ReadOptions(max_gap_hours=0), "--max-gap"),
        ],
    )
    def test_numbers_that_cannot_be(self, write: Callable[..., str], options: ReadOptions, option: str) -> None:
        with pytest.raises(UsageError, match=f"^{option}: .* is not usable; expected a number above 0"):
            read_run(write(ROWS), options)

    def test_both_rates(self, write: Callable[..., str]) -> None:
        with pytest.raises(UsageError, match="both --gpus and --gpu-hours-per-step"):
            read_run(write(ROWS), ReadOptions(gpus=8, gpu_hours_per_step=1))

    def test_gpus_without_a_time(self, write: Callable[..., str]) -> None:
        path = write("step,reward\n1,0.1\n2,0.2\n")
        assert "no time column among [step, reward]" in _error(path, ReadOptions(gpus=8))
        with pytest.raises(UsageError, match="'step' is not a time"):
            read_run(path, ReadOptions(gpus=8, x="step"))

    def test_rate_without_a_step(self, write: Callable[..., str]) -> None:
        assert "no step column" in _error(write(ROWS), ReadOptions(gpu_hours_per_step=2))

    def test_compute_of_words(self, write: Callable[..., str]) -> None:
        path = write("phase_name,reward\nwarm,0.1\nhot,0.2\n")
        assert "holds neither numbers nor times" in _error(path, ReadOptions(x="phase_name"))


def test_an_unreadable_log_does_not_lose_the_others(write: Callable[..., str], tmp_path: Path) -> None:
    good = write(ROWS)
    missing = str(tmp_path / "missing.csv")
    runs, failures = read_runs([missing, f"best={good}", write("", "empty.csv")])
    assert [run.name for run in runs] == ["best"]
    assert [failure.path for failure in failures] == [missing, str(tmp_path / "empty.csv")]
    assert all(isinstance(failure.error, LogError) for failure in failures)


def test_path_and_label_are_kept(write: Callable[..., str]) -> None:
    path = write(ROWS)
    run = read_run(f"mine={path}")
    assert (run.name, run.source.path) == ("mine", path)
    assert read_run(LogSpec(path=path, label="x")).name == "x"


def test_unknown_unit_keeps_its_name(write: Callable[..., str]) -> None:
    run = read_run(write("widgets,reward\n1,0.1\n2,0.2\n"), ReadOptions(x="widgets"))
    assert (run.unit, run.source.derivation) == ("widgets", "widgets (in its own unit)")


def test_gzip_of_several_members_is_one_log(write: Callable[..., str]) -> None:
    lines = ROWS.encode()
    data = gzip.compress(lines[:20]) + gzip.compress(lines[20:])
    assert read_run(write(data, "log.csv.gz")).reward.tolist() == [0.1, 0.2, 0.3, 0.4]


def test_inspection_says_everything(write: Callable[..., str]) -> None:
    text = "step;gpu_hours;reward;reward_std;note\n1;1,0;0,1;0,5;a\n2;2,0;nan;0,5;b\n3;3,0;0,3;0,5;c\n"
    (facts,) = inspect_run(write(text))
    assert (facts.delimiter, facts.encoding, facts.compression) == ("semicolon (decimal comma)", "ascii", None)
    roles = {column.name: column.role for column in facts.columns}
    assert roles == {
        "step": "unused", "gpu_hours": "compute", "reward": "reward", "reward_std": "unused", "note": "unused"
    }  # fmt: skip
    why = {column.name: column.why for column in facts.columns}
    assert why["reward_std"] == "not the reward: a spread, not a level"
    assert why["step"] == "could be compute, but 'gpu_hours' comes first"
    assert facts.skipped_lines == {"reward not finite": (3,)}
    assert [(point.line, point.compute, point.reward) for point in facts.first_points] == [(2, 1.0, 0.1), (4, 3.0, 0.3)]
    assert facts.last_points == ()


def test_first_and_last_points_do_not_overlap(write: Callable[..., str]) -> None:
    (facts,) = inspect_run(write(ROWS))
    assert [point.line for point in facts.first_points] == [2, 3, 4]
    assert [point.line for point in facts.last_points] == [5]


def test_a_reading_keeps_no_text(write: Callable[..., str]) -> None:
    (reading,) = read_log(LogSpec(path=write(ROWS), label="x"))
    assert reading.content.data == b""
