from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.cli import forecasting
from scalefit.cli.forecasting import WORTH_A_PROCESS, forecast_logs
from scalefit.errors import NotEnoughDataError, ScalefitError, UsageError
from scalefit.forecast import Forecast, Settings
from scalefit.logs import ReadOptions
from scalefit.run import Run
from tests.forecasts import make_forecast

Write = Callable[[str], str]


def _predict(run: Run, _: Settings) -> Forecast:
    if "short" in run.name:
        raise NotEnoughDataError("2 usable points", where=run.name)
    return make_forecast(run=run)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return what writes a small log; forecasts are made without a fit, so that only their order is tested."""
    monkeypatch.setattr(forecasting, "predict", _predict)

    def write_log(name: str) -> str:
        path = tmp_path / name
        path.write_text("gpu_hours,reward\n" + "".join(f"{x},{x / 10}\n" for x in range(1, 9)))
        return str(path)

    return write_log


def _forecast(arguments: list[str], jobs: int | None = 1) -> tuple[list[Forecast], list[ScalefitError]]:
    return forecast_logs(arguments, ReadOptions(), Settings(), jobs)


def test_runs_come_in_the_order_given_and_each_once(write: Write) -> None:
    paths = [write("b.csv"), write("a.csv")]
    forecasts, failures = _forecast([*paths, paths[0]])
    assert [each.run.name for each in forecasts] == paths
    assert failures == []


def test_one_that_cannot_be_used_does_not_lose_the_others(write: Write, tmp_path: Path) -> None:
    good = write("good.csv")
    forecasts, failures = _forecast([str(tmp_path / "missing.csv"), write("short.csv"), good])
    assert [each.run.name for each in forecasts] == [good]
    assert ["missing.csv" in str(failures[0]), "short.csv" in str(failures[1])] == [True, True]


def test_a_folder_is_all_its_logs(write: Write, tmp_path: Path) -> None:
    paths = [write(f"{name}.csv") for name in "cab"]
    forecasts, _ = _forecast([str(tmp_path)])
    assert [each.run.name for each in forecasts] == sorted(paths)


@pytest.mark.slow
def test_more_workers_give_the_same_in_the_same_order(write: Write) -> None:
    paths = [write(f"{'short' if index == 3 else index}.csv") for index in range(2 * WORTH_A_PROCESS + 1)]
    one, two = _forecast(paths, jobs=1), _forecast(paths, jobs=2)
    assert [each.run.name for each in one[0]] == [each.run.name for each in two[0]]
    assert [str(each) for each in one[1]] == [str(each) for each in two[1]]
    assert type(two[1][0]) is NotEnoughDataError
    assert two[1][0].where == one[1][0].where
    assert two[0][0].run.reward.tolist() == one[0][0].run.reward.tolist()


def test_no_workers_cannot_be_used() -> None:
    with pytest.raises(UsageError, match=r"^--jobs: 0 cannot be used"):
        _forecast([], jobs=0)
