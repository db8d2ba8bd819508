"""Do the intervals hold what they say? Known truth, fixed seeds, exact counts and a binomial check."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from scalefit.forecast import Forecast, Settings, predict
from scalefit.model.simulation import Truth, draw_rewards, mean_reward, spread_compute
from scalefit.run import FloatArray, Run
from tests.runs import make_run, read_columns

LEVEL = 0.9
IMPROBABLE = 0.001
"""Probability below which a count is no accident of 90 % intervals."""

pytestmark = pytest.mark.slow


def _holds(low: float | None, high: float | None, value: float) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _is_plausible(held: int, runs: int) -> bool:
    return bool(binomtest(held, runs, LEVEL).pvalue > IMPROBABLE)


def _read_simulated(shared: Path) -> tuple[dict[str, Run], dict[str, dict[str, float]]]:
    truth_columns = read_columns(shared / "simulated" / "truth.csv")
    truths = {
        name: {key: float(column[index]) for key, column in truth_columns.items() if key != "run"}
        for index, name in enumerate(truth_columns["run"])
    }
    columns = read_columns(shared / "simulated" / "runs.csv.gz")
    names = np.array(columns["run"])
    compute, reward = np.array(columns["gpu_hours"], float), np.array(columns["reward"], float)
    return {name: make_run(compute[names == name], reward[names == name]) for name in truths}, truths


@pytest.fixture(scope="module")
def simulated(shared: Path) -> list[tuple[Forecast, dict[str, float]]]:
    runs, truths = _read_simulated(shared)
    settings = Settings(reward_range=(0.0, 1.0))
    return [(predict(runs[name], settings), truths[name]) for name in runs]


def test_intervals_hold_the_truth_of_simulated_runs(simulated: list[tuple[Forecast, dict[str, float]]]) -> None:
    ceiling = sum(_holds(f.asymptote.low, f.asymptote.high, truth["A"]) for f, truth in simulated)
    end = sum(_holds(f.final.low, f.final.high, truth["reward_at_end"]) for f, truth in simulated)
    assert len(simulated) == 200
    assert 174 <= ceiling <= 188
    assert 174 <= end <= 188


@pytest.mark.parametrize("correlation", [0.0, 0.6, 0.9])
def test_intervals_hold_whatever_the_correlation(
    simulated: list[tuple[Forecast, dict[str, float]]], correlation: float
) -> None:
    some = [(f, truth) for f, truth in simulated if truth["noise_rho"] == correlation]
    end = sum(_holds(f.final.low, f.final.high, truth["reward_at_end"]) for f, truth in some)
    ceiling = sum(_holds(f.asymptote.low, f.asymptote.high, truth["A"]) for f, truth in some)
    assert len(some) > 60
    assert end >= 0.85 * len(some)
    assert ceiling >= 0.85 * len(some)
    assert _is_plausible(end, len(some))
    assert _is_plausible(ceiling, len(some))


def test_errors_are_those_of_the_best_known_method(simulated: list[tuple[Forecast, dict[str, float]]]) -> None:
    error = np.array([abs(f.final.estimate - truth["reward_at_end"]) for f, truth in simulated])
    assert np.median(error) <= 0.024
    assert np.quantile(error, 0.9) <= 0.101


def test_the_robust_band_is_no_narrower_in_what_it_holds(
    simulated: list[tuple[Forecast, dict[str, float]]],
) -> None:
    held = sum(_holds(f.final.robust_low, f.final.robust_high, truth["reward_at_end"]) for f, truth in simulated)
    assert held >= 0.9 * len(simulated)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_other_levels_hold_as_often_as_they_say(shared: Path, level: float) -> None:
    runs, truths = _read_simulated(shared)
    settings = Settings(reward_range=(0.0, 1.0), level=level)
    held = 0
    for name, run in runs.items():
        final = predict(run, settings).final
        held += _holds(final.low, final.high, truths[name]["reward_at_end"])
    assert bool(binomtest(held, len(runs), level).pvalue > IMPROBABLE), held


def _draw_truth(generator: np.random.Generator) -> Truth:
    asymptote = float(generator.uniform(0.3, 0.95))
    return Truth(
        asymptote=asymptote,
        efficiency=float(np.exp(generator.normal(np.log(1.4), 0.4))),
        midpoint=float(np.exp(generator.uniform(np.log(300.0), np.log(8000.0)))),
        start=float(generator.uniform(0.0, 0.6) * asymptote),
        noise_sd=float(generator.uniform(0.005, 0.03)),
        autocorrelation=float(generator.choice([0.0, 0.5, 0.9])),
    )


def test_intervals_hold_the_truth_of_fresh_runs() -> None:
    generator = np.random.default_rng(20_260_101)
    runs, ceiling, end = 200, 0, 0
    for seed in range(runs):
        truth = _draw_truth(generator)
        compute = spread_compute(points=200, budget=16_000)
        run = make_run(compute, draw_rewards(truth, compute, seed=seed))
        forecast = predict(run, Settings(reward_range=(0.0, 1.0)))
        ceiling += _holds(forecast.asymptote.low, forecast.asymptote.high, truth.asymptote)
        final = float(mean_reward(truth, np.array([16_000.0]))[0])
        end += _holds(forecast.final.low, forecast.final.high, final)
    assert _is_plausible(ceiling, runs), ceiling
    assert _is_plausible(end, runs), end


def _student(generator: np.random.Generator, curve: FloatArray) -> FloatArray:
    return np.asarray(curve + 0.02 / np.sqrt(3) * generator.standard_t(3, curve.size))


def _binomial(generator: np.random.Generator, curve: FloatArray) -> FloatArray:
    return np.asarray(generator.binomial(256, curve) / 256)


def _near_unit_root(generator: np.random.Generator, curve: FloatArray) -> FloatArray:
    noise = np.empty(curve.size)
    noise[0] = generator.standard_normal()
    for index in range(1, curve.size):
        noise[index] = 0.95 * noise[index - 1] + np.sqrt(1 - 0.95**2) * generator.standard_normal()
    return np.asarray(curve + 0.02 * noise)


@pytest.mark.parametrize("noise", [_student, _binomial, _near_unit_root], ids=lambda noise: noise.__name__.strip("_"))
def test_intervals_hold_under_noise_of_other_kinds(noise: object) -> None:
    assert callable(noise)
    generator = np.random.default_rng(7)
    runs, end = 100, 0
    for _ in range(runs):
        truth = _draw_truth(generator)
        compute = spread_compute(points=200, budget=16_000)
        forecast = predict(
            make_run(compute, noise(generator, mean_reward(truth, compute))), Settings(reward_range=(0.0, 1.0))
        )
        end += _holds(forecast.final.low, forecast.final.high, float(mean_reward(truth, np.array([16_000.0]))[0]))
    # Fewer than the binomial allows would be a defect; more is only a wide interval.
    assert binomtest(end, runs, LEVEL, alternative="less").pvalue > IMPROBABLE, end


@pytest.fixture(scope="module")
def real_runs(shared: Path) -> dict[bool, list[bool]]:
    """Return whether the robust band held each public run with enough points, by whether rewards are in 0-1."""
    held: dict[bool, list[bool]] = {True: [], False: []}
    for slug in read_columns(shared / "curves" / "INDEX.csv")["slug"]:
        columns = list(read_columns(shared / "curves" / f"{slug}.csv").values())
        compute, reward = np.array(columns[0], float), np.array(columns[1], float)
        kept = (compute >= 0) & np.isfinite(compute) & np.isfinite(reward)
        order = np.argsort(compute[kept], kind="stable")
        compute, reward = compute[kept][order], reward[kept][order]
        window, end = (compute > 0) & (compute <= compute[-1] / 4), compute >= 0.85 * compute[-1]
        if compute.size < 16 or np.unique(compute[window]).size < 6 or end.sum() < 2:
            continue
        outcome = predict(make_run(compute, reward)).outcome
        assert outcome is not None
        held[bool(reward.min() >= 0 and reward.max() <= 1)].append(outcome.covered_robust)
    return held


def test_the_robust_band_holds_real_runs_with_rewards_in_0_1(real_runs: dict[bool, list[bool]]) -> None:
    assert len(real_runs[True]) >= 80
    assert 0.86 <= np.mean(real_runs[True]) <= 0.97


def test_the_robust_band_holds_real_runs_on_other_scales(real_runs: dict[bool, list[bool]]) -> None:
    assert len(real_runs[False]) >= 65
    assert 0.80 <= np.mean(real_runs[False]) <= 0.97
