import dataclasses

import pytest

from scalefit.report.backtest.words import (
    miss_of,
    refusals_of,
    remarks_on,
    summarise_study,
    whether_band_holds,
    which_law_is_best,
)
from scalefit.run import Caveat
from tests.backtests import make_refusal, make_score, make_study

NAMES = [f"{place}.csv" for place in range(12)]


def _words(*errors: float) -> str:
    shares = (0.1, 0.25, 0.5, 0.9)[: len(errors)]
    scores = [
        make_score(name, share, robust_error=error)
        for name in NAMES
        for share, error in zip(shares, errors, strict=True)
    ]
    return summarise_study(make_study(scores))[0]


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        ((0.2, 0.05), "From 0.25 of a run on, not before, a forecast is worth more than the last three points seen"),
        ((0.05, 0.01), "At every share tried, from 0.1 of the run on, a forecast is worth more"),
        ((0.05,), "With 0.1 of the run seen, a forecast is worth more"),
        ((0.05, 0.04, 0.2, 0.2), "From 0.1 to 0.25 of a run, not at other shares tried, a forecast is worth more"),
        ((0.2, 0.04, 0.2), "At 0.25 of the run seen, and at no other share tried, a forecast is worth more"),
        ((0.05, 0.2, 0.04), "At 0.1 and 0.5 of the run seen, not at all shares between, a forecast is worth more"),
    ],
)
def test_the_first_sentence_says_at_which_shares_a_forecast_is_worth_something(
    errors: tuple[float, ...], words: str
) -> None:
    assert _words(*errors).startswith(words)


def test_the_first_sentence_gives_the_numbers_of_the_smallest_of_them() -> None:
    assert (
        "with 0.25 of the run it misses on average by 0.050 against 0.100 in shares of the reward's range, nearer in "
        "12 of 12 runs"
    ) in _words(0.2, 0.05, 0.01)


def test_no_share_may_be_enough() -> None:
    words = _words(0.2, 0.3)
    assert words.startswith("At no share tried is the robust forecast worth more")
    assert "with 0.25 of the run it misses by 0.300 against 0.100" in words
    assert "nearer in only 0 of 12 runs. The curve alone misses by 0.020." in words


def test_few_runs_are_said_to_be_few() -> None:
    few, many = (make_study([make_score(name, 0.25) for name in NAMES[:count]]) for count in (3, 12))
    assert "3 run(s) are few" in summarise_study(few)[0]
    assert "are few" not in summarise_study(many)[0]


@pytest.mark.parametrize(
    ("held", "verdict"),
    [(12, "as often as it says"), (10, "as often as it says"), (4, "less often than it says at 0.25 (expected 0.67")],
)
def test_the_band_is_held_against_what_chance_explains(held: int, verdict: str) -> None:
    scores = [make_score(name, 0.25, covered_robust=place < held) for place, name in enumerate(NAMES)]
    sentence = whether_band_holds(make_study(scores), is_robust=True)
    assert sentence.startswith(f"The 0.9 band held {held} of 12 at 0.25: {verdict}")


def test_a_band_that_holds_more_often_than_chance_explains_is_too_wide() -> None:
    study = make_study([make_score(f"{place}.csv", 0.25) for place in range(200)])
    assert "more often than it says, so it is too wide at 0.25" in whether_band_holds(study, is_robust=True)


def test_many_shares_are_summed_up() -> None:
    fractions = (0.1, 0.2, 0.3, 0.4, 0.5)
    scores = [make_score(name, share, covered=name != "0.csv" or share > 0.3) for name in NAMES for share in fractions]
    sentence = whether_band_holds(make_study(scores), is_robust=False)
    assert sentence.startswith("The 0.9 band of the curve alone held 0.92 - 1.00 of the runs, share by share: as often")


def test_a_calibration_is_advised_where_the_band_does_not_hold() -> None:
    good, bad = (
        make_study([make_score(name, 0.25, covered_robust=covered) for name in NAMES]) for covered in (True, False)
    )
    assert "scalefit calibrate learns" not in " ".join(summarise_study(good))
    assert "scalefit calibrate learns" in " ".join(summarise_study(bad))
    own = dataclasses.replace(bad, calibration=dataclasses.replace(bad.calibration, origin="your own calibration"))
    assert "scalefit calibrate learns" not in " ".join(summarise_study(own))


def test_the_best_law_is_named_with_those_that_cannot_be_told_from_it() -> None:
    study = make_study(
        [make_score(name, 0.25, error=0.2) for name in NAMES],
        [make_score(name, 0.25, error=0.02) for name in NAMES],
        [make_score(name, 0.25, error=0.9 if name == "0.csv" else 0.02) for name in NAMES],
    )
    assert which_law_is_best(study) == (
        "Of the laws, exponential extrapolates best: a mean error of 0.020 in shares of the reward's range on 12 "
        "forecasts that all could make, clearly before sigmoid (0.200); power (0.093) cannot be told from it on these "
        "runs."
    )


def test_one_law_is_not_ranked() -> None:
    assert which_law_is_best(make_study([make_score(fraction=0.25)])) == ""


def test_a_refusal_at_several_shares_is_one() -> None:
    study = make_study([make_refusal("a", 0.1), make_refusal("a", 0.25), make_score("b", 0.1), make_score("b", 0.25)])
    assert refusals_of(study) == {("a", "2 usable points"): [0.1, 0.25]}


@pytest.mark.parametrize(
    ("error", "covered", "unit", "text"),
    [(0.123, True, 1.0, "0.12 high"), (-0.5, False, 2.0, "0.25 low *"), (0.001, True, 1.0, "0.00")],
)
def test_a_miss_is_a_size_a_side_and_a_mark(error: float, *, covered: bool, unit: float, text: str) -> None:
    assert miss_of(make_score(robust_error=error, covered_robust=covered, unit=unit)) == text


def test_what_was_not_scored_has_no_miss() -> None:
    assert miss_of(make_refusal()) == ""


def test_what_the_reader_found_odd_is_said_once() -> None:
    note = Caveat(code="rows-sorted", message="2 rows were sorted", evidence={})
    scores = [make_score("a", 0.25), make_score("b", 0.25)]
    assert remarks_on(make_study(scores, notes=(note,))) == ["every run: rows-sorted: 2 rows were sorted"]
    assert remarks_on(make_study(scores[:1], notes=(note,))) == ["a: 2 rows were sorted"]
    assert remarks_on(make_study(scores)) == []


def test_a_calibration_that_was_used_is_said() -> None:
    study = make_study([make_score(fraction=0.25)])
    own = dataclasses.replace(study.calibration, origin="your own calibration (own.yaml)", runs=24)
    assert remarks_on(dataclasses.replace(study, calibration=own)) == [
        "the robust band uses your own calibration (own.yaml), learned from 24 finished runs"
    ]
