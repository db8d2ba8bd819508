from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.backtest import backtest_runs
from scalefit.cli.backtesting import backtest_logs
from scalefit.cli.values import fractions_by, parse_fractions
from scalefit.errors import ScalefitError, UsageError
from scalefit.forecast import Settings
from scalefit.logs import ReadOptions, read_run
from scalefit.report.backtest.study import Study
from tests.runs import draw_run

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return what writes the log of a run drawn from a plain curve, and returns its path."""

    def write_log(name: str, points: int = 60, seed: int = 0) -> str:
        run = draw_run(points=points, seed=seed)
        rows = zip(run.compute.tolist(), run.reward.tolist(), strict=True)
        path = tmp_path / name
        path.write_text("gpu_hours,reward\n" + "".join(f"{compute!r},{reward!r}\n" for compute, reward in rows))
        return str(path)

    return write_log


def _backtest(
    arguments: list[str],
    settings: Settings | None = None,
    *,
    laws: tuple[str, ...] = ("sigmoid",),
    jobs: int = 1,
) -> tuple[Study, list[ScalefitError]]:
    return backtest_logs(arguments, ReadOptions(), settings or Settings(), fractions=(0.25, 0.5), laws=laws, jobs=jobs)


@pytest.mark.parametrize(
    ("text", "fractions"), [("0.25", (0.25,)), ("0.1,0.25,0.5", (0.1, 0.25, 0.5)), (" 0.5 , 0.1", (0.5, 0.1))]
)
def test_fractions_are_taken_in_the_order_given(text: str, fractions: tuple[float, ...]) -> None:
    assert parse_fractions(text) == fractions


@pytest.mark.parametrize("text", ["", "0", "1", "0.1,,0.2", "0.1,x", "nan", "-0.1", "25%", "0.1,0.1"])
def test_fractions_that_cannot_be_meant_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--fractions: .*; expected "):
        parse_fractions(text)


@pytest.mark.parametrize(
    ("step", "fractions"),
    [
        (0.25, (0.25, 0.5, 0.75)),
        (0.1, (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)),
        (0.3, (0.3, 0.6, 0.9)),
        (0.5, (0.5,)),
        (0.9, (0.9,)),
    ],
)
def test_a_step_is_every_multiple_below_the_whole(step: float, fractions: tuple[float, ...]) -> None:
    assert fractions_by(step) == fractions


def test_the_smallest_step_is_a_hundredth() -> None:
    assert len(fractions_by(0.01)) == 99


@pytest.mark.parametrize("step", [0, -0.1, 1, 0.001, 2])
def test_a_step_that_cannot_be_meant_is_refused(step: float) -> None:
    with pytest.raises(UsageError, match=r"^--by: .* cannot be used; expected a share from 0\.01"):
        fractions_by(step)


def test_scores_are_those_of_the_runs(write: Write) -> None:
    paths = [write("b.csv", seed=1), write("a.csv", seed=2)]
    study, failures = _backtest(paths)
    assert failures == []
    assert study.first == backtest_runs([read_run(path) for path in paths], Settings(), (0.25, 0.5))
    assert [run.name for run in study.runs] == paths
    assert study.standings == ()


def test_one_that_cannot_be_read_does_not_lose_the_others(write: Write, tmp_path: Path) -> None:
    study, failures = _backtest([str(tmp_path / "missing.csv"), write("a.csv")])
    assert len(study.first.scores) == 2
    assert "missing.csv" in str(failures[0])


def test_a_run_that_has_not_reached_the_budget_is_named(write: Write) -> None:
    study, failures = _backtest([write("a.csv")], Settings(budget=1e9))
    assert study.scored == ()
    assert "the log ends at 16000 gpu-hours" in str(failures[0])


def test_a_budget_ends_the_runs(write: Write) -> None:
    path = write("a.csv")
    study, _ = _backtest([path], Settings(budget=8000.0))
    outcome, whole = study.first.scores[0].outcome, _backtest([path])[0].first.scores[0].outcome
    assert outcome is not None
    assert whole is not None
    assert outcome.points < whole.points


def test_every_law_is_scored_on_the_same_runs(write: Write) -> None:
    study, _ = _backtest([write("a.csv"), write("b.csv", seed=1)], laws=("sigmoid", "power"))
    assert [each.law for each in study.backtests] == ["sigmoid", "power"]
    one, other = ([(score.run, score.fraction) for score in each.scores] for each in study.backtests)
    assert one == other
    assert {standing.law for standing in study.standings} == {"sigmoid", "power"}
    assert [standing.mean_absolute_error for standing in study.standings] == sorted(
        standing.mean_absolute_error for standing in study.standings
    )
    # Drawn from a sigmoid.
    assert study.standings[0].law == "sigmoid"


@pytest.mark.slow
def test_more_workers_give_the_same(write: Write) -> None:
    paths = [write(f"{index}.csv", seed=index) for index in range(8)]
    assert _backtest(paths, jobs=1)[0] == _backtest(paths, jobs=2)[0]
