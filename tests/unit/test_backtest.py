import dataclasses
import math

import numpy as np
import pytest

from scalefit.backtest import (
    DEFAULT_FRACTIONS,
    BacktestSummary,
    backtest_runs,
    collect,
    covered_by_chance,
    range_unit,
    rank_laws,
    score_run,
    summarise,
)
from scalefit.forecast import Settings, predict
from tests.backtests import make_refusal, make_score
from tests.runs import draw_run, make_run


def _summary(**changes: float) -> BacktestSummary:
    return summarise([make_score(run=name, **changes) for name in "ab"], 0.25, 0.9)


def test_a_run_is_scored_by_the_path_that_predict_takes() -> None:
    run = draw_run(points=60)
    settings = Settings(level=0.8, skip_until=500.0)
    score = score_run(run, 0.4, settings)
    assert score.outcome == predict(run, dataclasses.replace(settings, fraction=0.4)).outcome
    assert score.refusal is None
    assert score.run == run.name


def test_what_comes_after_the_prefix_changes_only_the_outcome() -> None:
    run = draw_run(points=60)
    changed = make_run(run.compute, np.where(run.compute > 4100, 0.01, run.reward))
    one, other = score_run(run, 0.25, Settings()).outcome, score_run(changed, 0.25, Settings()).outcome
    assert one is not None
    assert other is not None
    assert one.robust_error + one.observed == pytest.approx(other.robust_error + other.observed, abs=1e-12)
    assert one.observed > 0.5 > other.observed


def test_the_budget_of_a_forecast_does_not_shorten_the_prefix() -> None:
    run = draw_run(points=60)
    assert score_run(run, 0.25, Settings(budget=1e6)) == score_run(run, 0.25, Settings())


def test_a_run_too_short_to_forecast_is_refused_with_the_reason() -> None:
    score = score_run(make_run([1, 2, 3, 4, 5, 6], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), 0.25, Settings())
    assert score.outcome is None
    assert score.refusal is not None
    assert "usable points" in score.refusal


def test_a_constant_reward_is_refused() -> None:
    run = make_run(range(1, 41), [3.0] * 40)
    assert score_run(run, 0.25, Settings()).refusal == "the reward never changes"


@pytest.mark.parametrize(
    ("rewards", "given", "unit"),
    [
        ([0.2, 0.4, 0.7], None, 1.0),
        ([2.0, 5.0, 12.0], None, 10.0),
        ([-0.1, 0.4, 0.9], None, 1.0),
        ([-0.5, 0.4, 0.9], (-1.0, 1.0), 2.0),
        ([0.2, 0.4, 0.7], (None, None), 0.5),
        ([0.2, 0.4, 0.7], (0.0, None), 0.5),
    ],
)
def test_errors_are_in_shares_of_the_range(
    rewards: list[float], given: tuple[float | None, float | None] | None, unit: float
) -> None:
    assert range_unit(make_run([1, 2, 3], rewards), Settings(reward_range=given)) == pytest.approx(unit)


@pytest.mark.parametrize(("observed", "score"), [(0.5, 0.3), (0.4, 0.3), (0.8, 0.3 + 20 * 0.1), (0.1, 0.3 + 20 * 0.3)])
def test_an_interval_score_is_the_width_and_twenty_times_the_miss_at_90_percent(observed: float, score: float) -> None:
    assert make_score(observed=observed).interval_score(0.9, robust=True) == pytest.approx(score)
    assert make_score(observed=observed, unit=2.0).interval_score(0.9, robust=True) == pytest.approx(score / 2)


def test_an_interval_score_of_the_law_uses_its_own_band() -> None:
    assert make_score(observed=0.6).interval_score(0.5, robust=False) == pytest.approx(0.1 + 4 * 0.05)
    assert make_refusal().interval_score(0.9, robust=True) is None


def test_a_summary_is_what_can_be_worked_out_by_hand() -> None:
    scores = [
        make_score("a", error=-0.1, robust_error=0.2, baseline_error=0.4),
        make_score("b", error=0.3, robust_error=-0.1, baseline_error=-0.2, covered=False),
        make_score("c", unit=2.0, error=5.0, robust_error=1.0, baseline_error=1.0, covered_robust=False, covered=False),
        make_refusal("d", reason="too short"),
        make_score("e", fraction=0.5, error=9.0),
    ]
    summary = summarise(scores, 0.25, 0.9)
    assert (summary.runs, summary.refused) == (3, {"d": "too short"})
    assert summary.mean_absolute_error == pytest.approx((0.1 + 0.3 + 1.0) / 3)  # 2.5 is capped at 1
    assert summary.median_absolute_error == pytest.approx(0.3)
    assert summary.p90_absolute_error == pytest.approx(0.3 + 0.8 * (2.5 - 0.3))
    assert summary.mean_absolute_error_robust == pytest.approx((0.2 + 0.1 + 0.5) / 3)
    assert summary.median_absolute_error_robust == pytest.approx(0.2)
    assert summary.mean_baseline_error == pytest.approx((0.4 + 0.2 + 0.5) / 3)
    assert summary.median_baseline_error == pytest.approx(0.4)
    assert summary.coverage == pytest.approx(1 / 3)
    assert summary.coverage_robust == pytest.approx(2 / 3)
    assert summary.mean_width == pytest.approx((0.1 + 0.1 + 0.05) / 3)
    assert summary.mean_width_robust == pytest.approx((0.3 + 0.3 + 0.15) / 3)


def test_without_a_run_everything_is_unknown() -> None:
    summary = summarise([make_refusal()], 0.25, 0.9)
    numbers = [
        getattr(summary, field.name)
        for field in dataclasses.fields(summary)
        if field.name not in {"fraction", "runs", "refused"}
    ]
    assert (summary.runs, set(numbers)) == (0, {None})
    assert not summary.beats_baseline


@pytest.mark.parametrize(("robust", "beats"), [(0.05, True), (0.1, False), (0.2, False)])
def test_a_forecast_is_worth_something_if_it_is_nearer_than_no_model(robust: float, *, beats: bool) -> None:
    assert _summary(robust_error=robust).beats_baseline is beats


@pytest.mark.parametrize(
    ("errors", "enough"),
    [
        ({0.1: 0.3, 0.25: 0.05, 0.5: 0.01}, 0.25),
        ({0.1: 0.05, 0.25: 0.3, 0.5: 0.01}, 0.5),
        ({0.5: 0.01, 0.1: 0.05, 0.25: 0.05}, 0.1),
        ({0.1: 0.05, 0.25: 0.05, 0.5: 0.3}, None),
    ],
)
def test_enough_is_the_share_from_which_every_larger_one_is_worth_something(
    errors: dict[float, float], enough: float | None
) -> None:
    scores = [make_score(fraction=fraction, robust_error=error) for fraction, error in errors.items()]
    assert collect(scores, tuple(errors), Settings()).enough == enough


def test_every_run_is_scored_at_every_share_in_the_order_given() -> None:
    runs = [dataclasses.replace(draw_run(points=60, seed=seed), name=name) for seed, name in enumerate("ba")]
    found = backtest_runs(runs)
    assert [(score.run, score.fraction) for score in found.scores] == [
        (name, fraction) for name in "ba" for fraction in DEFAULT_FRACTIONS
    ]
    assert [summary.fraction for summary in found.summaries] == list(DEFAULT_FRACTIONS)
    assert (found.level, found.law) == (0.9, "sigmoid")


@pytest.mark.parametrize(
    ("runs", "level", "limits"),
    # 2.5 and 97.5 % quantiles of the binomial distribution: R, qbinom(c(.025, .975), n, p) / n
    [(1, 0.9, (0, 1)), (10, 0.9, (0.7, 1)), (50, 0.9, (0.82, 0.98)), (200, 0.9, (0.855, 0.94)), (10, 0.5, (0.2, 0.8))],
)
def test_coverage_by_chance_is_binomial(runs: int, level: float, limits: tuple[float, float]) -> None:
    assert covered_by_chance(runs, level) == pytest.approx(limits)


def test_coverage_by_chance_holds_19_draws_in_20() -> None:
    low, high = covered_by_chance(40, 0.8)
    chance = [math.comb(40, held) * 0.8**held * 0.2 ** (40 - held) for held in range(41)]
    assert sum(chance[round(low * 40) : round(high * 40) + 1]) >= 0.95
    assert sum(chance[round(low * 40) + 1 : round(high * 40)]) < 0.95


def test_laws_are_ranked_on_the_forecasts_that_all_could_make() -> None:
    good = [make_score(name, fraction, error=0.01) for name in "abc" for fraction in (0.1, 0.25)]
    bad = [make_score(name, fraction, error=0.2) for name in "abc" for fraction in (0.1, 0.25)]
    # The best forecast of all does not count where the other law could not be scored.
    good[0], bad[0] = make_refusal("a", 0.1), make_score("a", 0.1, error=0.0)
    backtests = [
        collect(bad, (0.1, 0.25), Settings(law="sigmoid")),
        collect(good, (0.1, 0.25), Settings(law="power")),
    ]
    best, other = rank_laws(backtests)
    assert (best.law, best.prefixes, best.nearest, best.behind, best.behind_sd) == ("power", 5, 5, 0, 0)
    assert (other.law, other.nearest) == ("sigmoid", 0)
    assert other.mean_absolute_error == pytest.approx(0.2)
    assert other.behind == pytest.approx(0.19)
    assert other.is_clearly_behind
    assert not best.is_clearly_behind


def test_a_law_that_one_run_puts_behind_is_not_clearly_behind() -> None:
    one = [make_score(name, error=0.02) for name in "abcd"]
    other = [make_score(name, error=error) for name, error in zip("abcd", (0.02, 0.02, 0.02, 0.5), strict=True)]
    best, second = rank_laws(
        [collect(one, (0.25,), Settings(law="sigmoid")), collect(other, (0.25,), Settings(law="power"))]
    )
    assert (best.law, second.law) == ("sigmoid", "power")
    assert not second.is_clearly_behind


def test_prefixes_of_one_run_count_as_one_run() -> None:
    fractions = (0.1, 0.25, 0.5)
    one = [make_score(name, fraction, error=0.02) for name in "ab" for fraction in fractions]
    other = [make_score(name, fraction, error=0.3 if name == "a" else 0.02) for name in "ab" for fraction in fractions]
    apart = [make_score(name, 0.25, error=0.3 if name in "abc" else 0.02) for name in "abcdef"]
    _, together = rank_laws([collect(scores, fractions, Settings()) for scores in (one, other)])
    _, separate = rank_laws(
        [
            collect(scores, (0.25,), Settings())
            for scores in ([make_score(name, error=0.02) for name in "abcdef"], apart)
        ]
    )
    assert together.behind == pytest.approx(separate.behind)
    assert together.behind_sd > 1.5 * separate.behind_sd


def test_without_a_common_forecast_no_law_is_best() -> None:
    assert rank_laws([collect([make_refusal()], (0.25,), Settings())] * 2) == ()
