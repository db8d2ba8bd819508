import dataclasses
import math

import numpy as np
import pytest

from scalefit.errors import NotEnoughDataError, UsageError
from scalefit.forecast import Forecast, Settings, predict
from scalefit.run import Run
from tests.runs import draw_run, make_run


@pytest.fixture(scope="module")
def run() -> Run:
    return draw_run(seed=1)


@pytest.fixture(scope="module")
def forecast(run: Run) -> Forecast:
    return predict(run, Settings(at=(5000.0, 40000.0), reach=(0.05, 0.5, 0.9)))


def _with_other_end(run: Run, reward: float) -> Run:
    changed = run.reward.copy()
    changed[run.compute > 4000] = reward
    return dataclasses.replace(run, reward=changed)


def _seen_part(forecast: Forecast) -> dict[str, object]:
    """Return all that must not depend on rows after the window, arrays as bytes."""
    seen = {}
    for field in dataclasses.fields(forecast):
        value = getattr(forecast, field.name)
        if field.name in {"run", "outcome", "caveats"}:
            continue
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            value = {
                part.name: item.tobytes() if isinstance(item := getattr(value, part.name), np.ndarray) else item
                for part in dataclasses.fields(value)
            }
        seen[field.name] = value
    return seen


@pytest.mark.parametrize("reward", [0.0, 0.62, 1.0, 55.0, -1e6])
def test_nothing_beyond_the_window_reaches_the_fit(run: Run, forecast: Forecast, reward: float) -> None:
    settings = Settings(at=(5000.0, 40000.0), reach=(0.05, 0.5, 0.9))
    other = predict(_with_other_end(run, reward), settings)
    assert _seen_part(other) == _seen_part(forecast)
    late = {"collapsed-after-window"}
    assert {c.code for c in other.caveats} - late == {c.code for c in forecast.caveats} - late


def test_cutting_the_log_at_the_window_changes_only_the_outcome(run: Run, forecast: Forecast) -> None:
    kept = run.compute <= 4000
    cut = make_run(run.compute[kept], run.reward[kept])
    other = predict(cut, Settings(budget=16000.0, at=(5000.0, 40000.0), reach=(0.05, 0.5, 0.9)))
    assert other.outcome is None
    assert _seen_part(other) == _seen_part(forecast)


def test_the_same_run_gives_the_same_numbers_twice(run: Run, forecast: Forecast) -> None:
    again = predict(run, Settings(at=(5000.0, 40000.0), reach=(0.05, 0.5, 0.9)))
    assert _seen_part(again) == _seen_part(forecast)
    assert again.outcome == forecast.outcome


def test_the_forecast_ends_at_the_budget(forecast: Forecast) -> None:
    assert forecast.final.compute == 16000
    assert forecast.band.compute[0] == forecast.window.end == 4000
    assert 16000 in forecast.band.compute
    assert {5000.0, 40000.0} <= set(forecast.band.compute.tolist())
    place = forecast.band.compute.tolist().index(16000)
    assert forecast.final.robust_estimate == forecast.band.robust_estimate[place]
    assert forecast.final.low == forecast.band.low[place]


def test_a_planned_budget_moves_window_and_end(run: Run) -> None:
    forecast = predict(run, Settings(budget=8000.0))
    assert (forecast.window.end, forecast.final.compute) == (2000, 8000)
    assert forecast.outcome is not None


def test_the_baseline_is_the_mean_of_the_last_three_points(run: Run, forecast: Forecast) -> None:
    assert forecast.final.baseline == pytest.approx(run.reward[47:50].mean(), abs=1e-12)


def test_the_outcome_is_the_mean_of_the_last_share_of_compute(run: Run, forecast: Forecast) -> None:
    outcome = forecast.outcome
    assert outcome is not None
    observed = run.reward[run.compute >= 0.85 * 16000].mean()
    assert outcome.observed == pytest.approx(observed, abs=1e-12)
    assert outcome.points == 150
    assert outcome.covered == (outcome.low <= observed <= outcome.high)
    assert outcome.covered_robust == (outcome.robust_low <= observed <= outcome.robust_high)
    assert outcome.baseline_error == pytest.approx(forecast.final.baseline - observed, abs=1e-12)
    assert abs(outcome.error) < 0.02
    assert outcome.points_covered > 0.8


def test_a_collapse_is_scored_as_a_miss(run: Run) -> None:
    forecast = predict(_with_other_end(run, 0.05))
    assert forecast.outcome is not None
    assert not forecast.outcome.covered
    assert forecast.outcome.error > 0.4


def test_the_window_is_all_there_is(run: Run) -> None:
    forecast = predict(run, Settings(fraction=1))
    assert forecast.outcome is None
    assert forecast.final.compute == forecast.window.end == 16000
    assert forecast.band.compute.tolist() == [16000]


def test_reach_tells_the_sure_from_the_impossible(forecast: Forecast) -> None:
    before, between, beyond = forecast.reach
    assert (before.reward, between.reward, beyond.reward) == (0.05, 0.5, 0.9)
    assert before.probability == 1
    assert between.probability > 0.99
    assert between.compute.estimate is not None
    # R(C) = 0.5 where share = 0.4 / 0.52
    truth = 1000 * (0.4 / 0.12) ** (1 / 1.6)
    assert between.compute.estimate == pytest.approx(truth, rel=0.05)
    assert between.compute.low is not None
    assert between.compute.high is not None
    assert between.compute.low < truth < between.compute.high
    assert beyond.probability < 0.01
    assert beyond.compute.estimate is None
    assert beyond.compute.high is None


def test_a_wider_level_gives_a_wider_band(run: Run) -> None:
    bands = [predict(run, Settings(level=level)).final for level in (0.5, 0.9, 0.99)]
    widths = [band.high - band.low for band in bands]
    robust = [band.robust_high - band.robust_low for band in bands]
    assert widths == sorted(widths)
    assert robust == sorted(robust)
    assert all(band.low <= band.estimate <= band.high for band in bands)


def test_a_known_start_is_used(run: Run) -> None:
    free, given = predict(run), predict(run, Settings(start=0.1))
    assert given.start.low == given.start.high == pytest.approx(0.1, abs=1e-9)
    assert free.start.low is not None
    assert free.start.low < 0.1


def test_a_row_at_compute_0_is_information_unless_told_otherwise(run: Run) -> None:
    with_zero = make_run([0, *run.compute], [0.3, *run.reward])
    used = predict(with_zero)
    free = predict(with_zero, Settings(start="free"))
    assert used.window.start == 0
    assert free.window.start == run.compute[0]
    assert free.asymptote == predict(run).asymptote
    assert used.start != free.start


@pytest.mark.parametrize(
    ("rewards", "column", "origin", "low"),
    [
        ([0.0, 1.0], "reward", "window", 0.0),
        ([-0.02, 0.5], "reward", "unbounded", None),
        ([-0.02, 0.5], "eval/pass_rate", "name", 0.0),
        ([0.1, 1.03], "accuracy", "name", 0.0),
        ([10.0, 60.0], "accuracy", "unbounded", None),
    ],
)
def test_the_range_is_decided_from_window_and_name(
    rewards: list[float], column: str, origin: str, low: float | None
) -> None:
    rewards = np.linspace(rewards[0], rewards[1], 40).tolist() + [1000.0] * 120
    forecast = predict(make_run(np.arange(1, 161), rewards, column=column))
    assert forecast.reward_range.origin == origin
    assert forecast.reward_range.low == low


def test_a_range_given_is_held(run: Run) -> None:
    forecast = predict(run, Settings(reward_range=(0.0, 0.63)))
    assert (forecast.reward_range.low, forecast.reward_range.high) == (0.0, 0.63)
    assert forecast.band.robust_high.max() <= 0.63
    assert forecast.band.high.max() <= 0.63


def test_rows_before_skip_until_are_not_seen(run: Run) -> None:
    spoiled = run.reward.copy()
    spoiled[:5] = 0.9
    other = dataclasses.replace(run, reward=spoiled)
    settings = Settings(skip_until=450.0)
    assert predict(other, settings).asymptote == predict(run, settings).asymptote
    assert predict(other, settings).window.start == 480


def test_what_is_not_identified_says_how_much_compute_would_tell() -> None:
    forecast = predict(draw_run(midpoint=8000.0, seed=2))
    assert not forecast.is_identified
    assert forecast.asymptote.high is None
    assert forecast.compute_to_identify is not None
    assert forecast.compute_to_identify > forecast.window.end
    assert predict(draw_run(seed=2)).compute_to_identify is None


@pytest.mark.parametrize("law", ["exponential", "power", "log-linear"])
def test_every_law_forecasts_its_own_kind(run: Run, law: str) -> None:
    forecast = predict(run, Settings(law=law, reach=(0.5,)))
    assert forecast.law == law
    assert forecast.final.low <= forecast.final.estimate <= forecast.final.high
    assert forecast.final.estimate == pytest.approx(0.61, abs=0.15)
    assert (forecast.asymptote.estimate is None) == (law == "log-linear")
    assert (forecast.midpoint.estimate is None) == (law != "exponential")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(level=0.0), r"^--level: a probability of 0 is no level; expected a number between 0 and 1$"),
        (Settings(level=1.0), r"^--level: a probability of 1 is no level"),
        (Settings(at=(0.0,)), r"^--at: no forecast at compute 0; expected a number above 0$"),
        (Settings(at=(math.inf,)), r"^--at: no forecast at compute inf"),
        (Settings(reach=(math.nan,)), r"^--reach: a reward of nan cannot be reached; expected a number$"),
        (Settings(reward_range=(1.0, 0.0)), r"^--range: 1 is not below 0; expected LO,HI with LO below HI$"),
        (Settings(law="cubic"), r"^--law: no law is called 'cubic'; expected one of sigmoid, "),
    ],
)
def test_settings_out_of_their_domain_are_refused(run: Run, settings: Settings, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        predict(run, settings)


def test_too_short_a_log_is_refused() -> None:
    with pytest.raises(NotEnoughDataError, match="at least 4 are needed"):
        predict(make_run([1, 2, 3, 4, 5, 6], np.zeros(6)))
