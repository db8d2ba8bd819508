import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.cli.calibrate import FinishedRun, Task, read_all, read_finished, remarks_on
from scalefit.errors import ScalefitError
from scalefit.forecast import Settings
from scalefit.logs import LogSpec, ReadOptions
from scalefit.model.departure import SHIPPED
from tests.runs import draw_run

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return what writes the log of a run drawn from a plain curve, and returns its path."""

    def write_log(name: str, points: int = 60) -> str:
        run = draw_run(points=points)
        rows = zip(run.compute.tolist(), run.reward.tolist(), strict=True)
        path = tmp_path / name
        path.write_text("gpu_hours,reward\n" + "".join(f"{compute!r},{reward!r}\n" for compute, reward in rows))
        return str(path)

    return write_log


def _task(path: str, settings: Settings | None = None) -> Task:
    spec = LogSpec(path=path, label=path, is_labelled=False)
    return Task(spec, ReadOptions(), settings or Settings())


def _found(results: list[FinishedRun | ScalefitError] | ScalefitError) -> FinishedRun:
    assert isinstance(results, list)
    (found,) = results
    assert isinstance(found, FinishedRun)
    return found


def test_a_run_that_can_be_learned_from_has_no_refusal(write: Write) -> None:
    (results,) = read_finished(_task(write("a.csv")))
    found = _found(results)
    assert (found.is_covered, found.refusals) == (True, {})


def test_a_run_too_short_for_a_quarter_says_so(write: Write) -> None:
    (results,) = read_finished(_task(write("a.csv", points=10)))
    found = _found(results)
    assert found.is_covered is None
    assert len(found.refusals) == 1
    assert "usable points" in next(iter(found.refusals))


def test_a_budget_is_where_a_run_ends(write: Write) -> None:
    (results,) = read_finished(_task(write("a.csv"), Settings(budget=8000.0)))
    assert _found(results).run.compute[-1] == pytest.approx(8000)
    (results,) = read_finished(_task(write("a.csv"), Settings(budget=1e9)))
    assert isinstance(results, list)
    assert "the log ends at 16000" in str(results[0])


def test_one_that_cannot_be_read_does_not_lose_the_others(write: Write, tmp_path: Path) -> None:
    found, failures = read_all(
        [str(tmp_path / "missing.csv"), write("a.csv"), write("b.csv")], ReadOptions(), Settings(), 1
    )
    assert [Path(each.run.name).name for each in found] == ["a.csv", "b.csv"]
    assert len(failures) == 1
    assert "missing.csv" in str(failures[0])


def _remarks(runs: int, level: float = 0.9) -> str:
    learned = dataclasses.replace(
        SHIPPED, bounded=dataclasses.replace(SHIPPED.bounded, rise_mean=0.5), band_factor=1.234, runs=runs
    )
    found = [FinishedRun(run=draw_run(points=10), is_covered=place % 2 == 0, refusals={}) for place in range(runs)]
    return "\n".join(remarks_on(learned, found, level=level))


def test_remarks_say_on_how_many_runs_it_rests_and_what_to_expect() -> None:
    text = _remarks(24)
    assert "learned by scalefit calibrate from 24 finished runs, 0.25 and 0.5 of each seen" in text
    assert "the shipped rates held 12 of the 24 at 0.9" in text
    assert "the band factor of 1.23 makes that of the learned ones reach the outcome of 23 of 24" in text
    assert "23/25 = 0.920 on average, 0.82 to 0.98 for nine of ten such sets" in text
    assert "cannot promise" not in text


def test_remarks_say_which_rates_are_still_the_shipped_ones() -> None:
    assert "no run on an open scale: its rates are the shipped ones" in _remarks(24)
    assert "known range" not in _remarks(24)


def test_a_level_that_so_few_runs_cannot_promise_is_named() -> None:
    assert "12 runs cannot promise 0.95: that takes at least 19" in _remarks(12, level=0.95)
    assert "cannot promise" not in _remarks(19, level=0.95)
