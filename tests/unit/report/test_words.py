import dataclasses
from collections.abc import Callable

import pytest

from scalefit.forecast import Estimate, Forecast, Outcome
from scalefit.report.words import miss, summarise

Make = Callable[..., Forecast]


def _outcome(forecast: Forecast) -> Outcome:
    assert forecast.outcome is not None
    return forecast.outcome


def test_the_robust_forecast_leads(make_forecast: Make) -> None:
    first = summarise(make_forecast())[0]
    assert first.startswith("Expect 0.621 at 16,000 gpu-hours, 0.587 - 0.667 with probability 0.9")
    assert first.index("0.621") < first.index("0.617")


def test_a_known_ceiling_is_a_number(make_forecast: Make) -> None:
    assert "ceiling of its curve is known: 0.618 (0.604 - 0.634)" in summarise(make_forecast())[1]


def test_an_unknown_ceiling_says_how_much_more_compute_it_takes(make_forecast: Make) -> None:
    forecast = make_forecast(
        is_identified=False,
        asymptote=Estimate(estimate=0.7, low=0.45, high=None),
        compute_to_identify=8200.0,
    )
    sentence = summarise(forecast)[1]
    assert "not known yet: anything in 0.45 - no upper limit fits" in sentence
    assert "About 8,200 gpu-hours in all would make it known, 2.05 times what the fit saw" in sentence
    assert "budget" not in sentence


def test_more_compute_than_the_budget_is_said(make_forecast: Make) -> None:
    forecast = make_forecast(is_identified=False, compute_to_identify=32000.0)
    assert "more than the budget of 16,000" in summarise(forecast)[1]


def test_nobody_may_be_able_to_say(make_forecast: Make) -> None:
    forecast = make_forecast(is_identified=False, asymptote=Estimate(estimate=None, low=None, high=None))
    assert "nothing seen so far limits it" in summarise(forecast)[1]
    assert "cannot be said" in summarise(forecast)[1]


def test_lower_is_better_has_a_floor(make_forecast: Make) -> None:
    assert "The floor of its curve" in summarise(make_forecast(minimize=True))[1]


def test_a_law_without_a_ceiling_says_so(make_forecast: Make) -> None:
    none = Estimate(estimate=None, low=None, high=None)
    sentences = summarise(make_forecast(law="log-linear", asymptote=none, is_identified=False))
    assert sentences[1] == "The law 'log-linear' has no ceiling."


def test_the_baseline_stands_beside_the_forecast(make_forecast: Make) -> None:
    assert summarise(make_forecast())[2].endswith("says 0.605.")


@pytest.mark.parametrize(("observed", "place"), [(0.7, "above"), (0.5, "below")])
def test_an_outcome_outside_the_band_is_said(make_forecast: Make, observed: float, place: str) -> None:
    outcome = dataclasses.replace(_outcome(make_forecast()), observed=observed, covered_robust=False)
    assert f"{place} the band of 0.587 - 0.667" in summarise(make_forecast(outcome=outcome))[3]


def test_an_ongoing_run_says_how_far_it_is(make_forecast: Make) -> None:
    forecast = make_forecast(outcome=None)
    ongoing = dataclasses.replace(forecast, window=dataclasses.replace(forecast.window, budget=64000.0))
    assert summarise(ongoing)[3] == "The log has reached 16,000 of 64,000 gpu-hours."
    assert len(summarise(forecast)) == 3


def test_a_run_seen_whole_is_no_forecast(make_forecast: Make) -> None:
    forecast = make_forecast(outcome=None)
    whole = dataclasses.replace(forecast, window=dataclasses.replace(forecast.window, end=16000.0, fraction=1.0))
    sentences = summarise(whole)
    assert (
        sentences[0] == "At its end, 16,000 gpu-hours, the curve stands at 0.617, 0.605 - 0.629 with probability 0.9."
    )
    assert sentences[2] == "The last three points have a mean of 0.605."


@pytest.mark.parametrize(
    ("error", "words"), [(0.0123, "0.012 too high"), (-0.0123, "0.012 too low"), (0.0001, "right")]
)
def test_an_error_has_a_direction(error: float, words: str) -> None:
    assert miss(error, 3) == words


def test_no_plus_minus_anywhere(make_forecast: Make) -> None:
    text = " ".join(summarise(make_forecast()))
    assert "±" not in text
    assert "+/-" not in text
    assert text.isascii()
