from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run, read_runs

HEADER = "run,seed,split,gpu_hours,reward"


def _write(folder: Path, rows: list[str], header: str = HEADER) -> str:
    path = folder / "log.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return str(path)


def _rows(runs: str, seeds: str, split: str = "train") -> list[str]:
    return [
        f"{run},{seed},{split},{step},0.{step}{seed}"
        for run in runs.split()
        for seed in seeds.split()
        for step in range(1, 6)
    ]


def test_runs_are_listed_chosen_and_taken_all_at_once(tmp_path: Path) -> None:
    path = _write(tmp_path, _rows("base dapo", "0 1"))
    with pytest.raises(LogError, match=r"2 runs in one file, told apart by run: base \(10 rows\), dapo \(10 rows\)"):
        read_run(path)
    chosen = read_run(path, ReadOptions(series="DAPO"))
    assert (chosen.name, chosen.source.rows, set(chosen.replicate.tolist())) == (f"{path}:dapo", 10, {0, 1})
    runs, failures = read_runs([path], ReadOptions(series="all"))
    assert ([run.name.rsplit(":", 1)[1] for run in runs], failures) == (["base", "dapo"], ())


def test_a_chosen_run_takes_the_label_of_the_user(tmp_path: Path) -> None:
    path = _write(tmp_path, _rows("base dapo", "0"))
    assert read_run(f"mine={path}", ReadOptions(series="base")).name == "mine"


def test_a_misspelt_run_is_suggested(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"no run 'bse'.*did you mean 'base'"):
        read_run(_write(tmp_path, _rows("base dapo", "0")), ReadOptions(series="bse"))


def test_replicates_of_one_recipe_are_one_run(tmp_path: Path) -> None:
    run = read_run(_write(tmp_path, _rows("base", "7 8 9")))
    assert (run.source.rows, sorted(set(run.replicate.tolist()))) == (15, [0, 1, 2])
    assert "told apart by 'seed'" in next(note.message for note in run.source.notes if note.code == "replicates")


def test_a_filter_leaves_one_replicate(tmp_path: Path) -> None:
    run = read_run(_write(tmp_path, _rows("base", "7 8")), ReadOptions(where=(("seed", "8"),)))
    assert (run.source.rows, run.source.notes) == (5, ())


def test_several_filters_hold_at_once(tmp_path: Path) -> None:
    path = _write(tmp_path, _rows("base dapo", "0 1") + _rows("base", "0", "eval"))
    options = ReadOptions(where=(("split", "train"), ("run", "base"), ("seed", "1")))
    assert read_run(path, options).source.rows == 5


def test_training_and_evaluation_rows_are_not_mixed(tmp_path: Path) -> None:
    path = _write(tmp_path, _rows("base", "0") + _rows("base", "0", "eval"))
    with pytest.raises(LogError, match=r"column 'split' has the values train, eval.*--where split=train"):
        read_run(path)


def test_a_value_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"no row with split=evl; split has the values train; choose one of them"):
        read_run(_write(tmp_path, _rows("base", "0")), ReadOptions(where=(("split", "evl"),)))


def test_a_setting_called_seed_is_no_replicate(tmp_path: Path) -> None:
    rows = [f"{n},{n % 2},0.{n}" for n in range(1, 9)]
    run = read_run(_write(tmp_path, rows, "gpu_hours,config/seed,reward"))
    assert set(run.replicate.tolist()) == {0}
