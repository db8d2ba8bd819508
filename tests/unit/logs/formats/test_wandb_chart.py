from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run, read_runs

CHART = (
    '"Step","a - reward","a - reward__MIN","a - reward__MAX","b - reward","b - reward__MIN","b - reward__MAX"\n'
    '"1","0.1","0.1","0.1","","",""\n'
    '"2","0.2","0.2","0.2","0.5","0.5","0.5"\n'
    '"3","NaN","","","0.6","0.6","0.6"\n'
)


@pytest.fixture
def chart(tmp_path: Path) -> str:
    path = tmp_path / "chart.csv"
    path.write_text(CHART)
    return str(path)


def test_several_runs_are_listed(chart: str) -> None:
    with pytest.raises(LogError, match=r"2 runs in one file, told apart by run: a \(3 rows\), b \(2 rows\)"):
        read_run(chart, ReadOptions(x="Step"))


def test_one_run_is_chosen(chart: str) -> None:
    run = read_run(chart, ReadOptions(gpu_hours_per_step=10, series="b"))
    assert (run.compute.tolist(), run.reward.tolist()) == ([20, 30], [0.5, 0.6])
    assert (run.source.format, run.source.y_column) == ("wandb-chart", "reward")


def test_all_runs(chart: str) -> None:
    runs, failures = read_runs([chart], ReadOptions(x="Step", series="all"))
    assert failures == ()
    assert [(run.name, run.source.rows) for run in runs] == [(f"{chart}:a", 2), (f"{chart}:b", 2)]
    assert runs[0].source.skipped == {"reward not finite": 1}
