"""Are comparisons right as often as they say? Simulated pairs of known truth, with fixed seeds."""

import pytest

from benchmarks.comparison import (
    CORRELATIONS,
    Outcome,
    called_right,
    compare_many,
    crossing_coverage,
    ranking_time,
    verdicts_right,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def different() -> list[Outcome]:
    return compare_many("different", 300, 0.25, jobs=1)


@pytest.mark.parametrize("question", ["asymptote", "at_budget", "efficiency"])
def test_what_is_called_at_nine_tenths_is_right(different: list[Outcome], question: str) -> None:
    called, right = called_right(different, question)
    assert called >= 30
    assert right / called >= 0.87


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_ceilings_are_called_rightly_whatever_the_noise(different: list[Outcome], correlation: float) -> None:
    called, right = called_right([each for each in different if each.correlation == correlation], "asymptote")
    assert called >= 8
    assert right / called >= 0.87


@pytest.mark.parametrize("what", ["ceiling", "efficient"])
def test_verdicts_name_the_winner(different: list[Outcome], what: str) -> None:
    called, right = verdicts_right(different, what)
    assert called >= 15
    assert right / called >= 0.87


def test_equal_curves_are_seldom_called_different() -> None:
    outcomes = compare_many("equal", 60, 0.25, jobs=1)
    different = sum(outcome.pair.verdict != "no-clear-difference" for outcome in outcomes)
    assert different / len(outcomes) <= 0.10


def test_the_interval_of_the_crossing_holds_it() -> None:
    # 0.85-0.95 of many; of 60 a few more or less.
    assert 0.8 <= crossing_coverage(compare_many("crossing", 60, 0.25, jobs=1)) <= 1.0


def test_a_ranking_costs_no_more_than_the_forecasts() -> None:
    predict, further = ranking_time(40)
    assert further <= predict
