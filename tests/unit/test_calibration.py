import dataclasses

import numpy as np
import pytest

from scalefit.calibration import (
    GENERIC_BOUNDED,
    MINIMUM_RUNS,
    Case,
    calibrate,
    conformal_factor,
    conformal_rank,
    expected_coverage,
    forecast_case,
    learn_rates,
    make_case,
)
from scalefit.errors import NotEnoughDataError
from scalefit.forecast import Settings, predict
from scalefit.model.departure import SHIPPED, DepartureRates
from scalefit.run import Run
from tests.runs import draw_run, make_run


def _runs(count: int, *, second_rise: float = 0.0) -> list[Run]:
    """Return runs of one kind, each rising a second time after its first quarter by a share of what is left."""
    runs = []
    for seed in range(count):
        run = draw_run(points=60, seed=seed, midpoint=600.0 + 40.0 * seed)
        risen = 1 - (1 - run.reward) * np.exp(-second_rise * np.log2(np.maximum(run.compute / 4000, 1)))
        runs.append(dataclasses.replace(run, name=f"run-{seed}", reward=risen))
    return runs


def _cases(runs: list[Run], fraction: float = 0.25) -> list[Case]:
    found = [make_case(run, run.name, fraction, Settings()) for run in runs]
    assert None not in found
    return [case for case in found if case is not None]


def test_a_case_forecasts_what_predict_does() -> None:
    run = draw_run(points=60)
    (case,) = _cases([run])
    outcome = predict(run).outcome
    assert outcome is not None
    assert case.observed == pytest.approx(outcome.observed)
    low, middle, high = np.quantile(forecast_case(case, SHIPPED.bounded), (0.05, 0.5, 0.95))
    assert (low, high) == pytest.approx((outcome.robust_low, outcome.robust_high), abs=0.02)
    assert middle == pytest.approx(outcome.robust_error + outcome.observed, abs=0.02)


@pytest.mark.parametrize(
    "run", [make_run([1, 2, 3, 4, 5], [0.1, 0.2, 0.3, 0.4, 0.5]), make_run(range(1, 41), [3.0] * 40)]
)
def test_a_run_that_cannot_be_forecast_or_scored_is_no_case(run: Run) -> None:
    assert make_case(run, "a", 0.25, Settings()) is None


def test_without_a_case_the_rates_stay_where_they_start() -> None:
    assert learn_rates([], GENERIC_BOUNDED) == GENERIC_BOUNDED


@pytest.mark.slow
def test_runs_that_rise_a_second_time_teach_that_runs_rise() -> None:
    rising, plain = (learn_rates(_cases(_runs(16, second_rise=rise)), GENERIC_BOUNDED) for rise in (0.5, 0.0))

    def mean_rise(rates: DepartureRates) -> float:
        return (1 - rates.keep_probability) * rates.rise_mean

    assert mean_rise(rising) > 2 * mean_rise(plain)
    assert 0.25 < mean_rise(rising) < 1.0


def test_the_factor_makes_the_band_reach_the_outcome_of_the_conformal_rank() -> None:
    cases = _cases(_runs(12, second_rise=0.3))
    rates = {True: SHIPPED.bounded, False: SHIPPED.open_scale}
    factor = conformal_factor(cases, rates, 0.9)
    inside = []
    for case in cases:
        low, middle, high = np.quantile(forecast_case(case, SHIPPED.bounded), (0.05, 0.5, 0.95))
        slack = 1.0 + 1e-2  # quantiles of draws are read off with and without interpolation
        inside.append(
            middle + slack * factor * (low - middle) <= case.observed <= middle + slack * factor * (high - middle)
        )
    assert sum(inside) >= conformal_rank(12, 0.9) == 12


@pytest.mark.parametrize(
    ("runs", "level", "rank"), [(9, 0.9, 9), (10, 0.9, 10), (19, 0.95, 19), (99, 0.07, 7), (100, 0.9, 91), (5, 0.99, 5)]
)
def test_the_rank_is_the_least_that_promises_the_level(runs: int, level: float, rank: int) -> None:
    assert conformal_rank(runs, level) == rank


def test_expected_coverage_is_a_beta_distribution() -> None:
    coverage = expected_coverage(10, 0.9)
    assert coverage.rank == 10
    assert coverage.mean == pytest.approx(10 / 11)
    # Beta(10, 1) has the distribution function x^10.
    assert (coverage.low, coverage.high) == pytest.approx((0.05**0.1, 0.95**0.1))


def test_expected_coverage_is_what_a_factor_reaches_on_new_runs() -> None:
    draw = np.random.default_rng(5)
    distances = np.sort(draw.exponential(size=(4000, 25)), axis=1)
    factor = distances[:, conformal_rank(25, 0.9) - 1]
    reached = 1 - np.exp(-factor)
    coverage = expected_coverage(25, 0.9)
    assert reached.mean() == pytest.approx(coverage.mean, abs=0.004)
    assert np.quantile(reached, (0.05, 0.95)) == pytest.approx((coverage.low, coverage.high), abs=0.01)


def test_too_few_runs_are_refused() -> None:
    runs = [*_runs(MINIMUM_RUNS - 1), make_run([1, 2], [0.1, 0.2])]
    with pytest.raises(NotEnoughDataError, match=rf"^9 of 10 finished .*at least {MINIMUM_RUNS} are needed.*; give"):
        calibrate(runs)


@pytest.mark.slow
def test_a_calibration_says_what_it_rests_on_and_is_the_same_twice() -> None:
    runs = _runs(MINIMUM_RUNS, second_rise=0.4)
    one, two = calibrate(runs), calibrate(runs)
    assert one == two
    assert one.runs == MINIMUM_RUNS
    assert one.open_scale == SHIPPED.open_scale
    assert one.bounded != SHIPPED.bounded


@pytest.mark.slow
def test_a_calibrated_band_holds_on_new_runs_that_the_shipped_one_misses() -> None:
    runs = _runs(36, second_rise=0.9)
    learned = calibrate(runs[::2])
    covered = {}
    for name, calibration in (("shipped", SHIPPED), ("own", learned)):
        outcomes = [predict(run, Settings(calibration=calibration)).outcome for run in runs[1::2]]
        covered[name] = sum(outcome.covered_robust for outcome in outcomes if outcome is not None)
    assert covered["own"] >= 14  # of 18: a band that holds 0.9 does so in 98 sets of 100
    assert covered["own"] >= covered["shipped"]
