import numpy as np
import pytest

from scalefit.forecast import Settings, predict
from scalefit.model.curves import LAWS, SIGMOID
from scalefit.model.posterior import DRAWS, Posterior, fit_posterior
from scalefit.run import RewardRange, Run, select_window
from tests.runs import draw_run, make_run

RATE = RewardRange(low=0.0, high=1.0, origin="given")
BOUNDED = Settings(reward_range=(0.0, 1.0))


def _fit(run: Run, fraction: float = 0.25) -> Posterior:
    return fit_posterior(select_window(run, fraction=fraction), SIGMOID, RATE)


def test_draws_stay_where_parameters_can_be() -> None:
    posterior = _fit(draw_run())
    assert posterior.asymptote.shape == (DRAWS,)
    assert (posterior.start >= 0).all()
    assert (posterior.start <= posterior.asymptote).all()
    assert (posterior.asymptote <= 1).all()
    assert (posterior.efficiency > 0).all()
    assert (posterior.noise_sd > 0).all()


def test_draws_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        _fit(draw_run()).asymptote[0] = 0


def test_the_curve_has_its_limits() -> None:
    posterior = _fit(draw_run())
    assert posterior.curve(np.array([1e-30]))[:, 0] == pytest.approx(posterior.start, abs=1e-9)
    assert posterior.curve(np.array([1e300]))[:, 0] == pytest.approx(posterior.asymptote, abs=1e-9)
    middle = posterior.curve(np.exp(posterior.log_midpoint[:1]))[0, 0]
    assert middle == pytest.approx((posterior.start[0] + posterior.asymptote[0]) / 2)


def test_noise_and_its_correlation_are_found() -> None:
    posterior = _fit(draw_run(points=800, noise_sd=0.02, autocorrelation=0.7, midpoint=600.0), fraction=0.5)
    assert np.median(posterior.noise_sd) == pytest.approx(0.02, rel=0.2)
    assert np.median(posterior.correlation) == pytest.approx(0.7, abs=0.12)


def test_the_law_that_drew_the_run_is_better_supported() -> None:
    window = select_window(draw_run(noise_sd=0.002, efficiency=2.0), fraction=1)
    evidence = {name: fit_posterior(window, law, RATE).log_evidence for name, law in LAWS.items()}
    assert max(evidence, key=evidence.__getitem__) == "sigmoid"


@pytest.mark.parametrize("position", [5, 10, 25, 40, 46])
@pytest.mark.parametrize("size", [0.4, -0.4, 1.0, 620.0])
def test_one_spike_does_not_move_the_asymptote(position: int, size: float) -> None:
    run = draw_run(seed=5, midpoint=600.0)
    spiked = run.reward.copy()
    spiked[position] += size
    clean, moved = predict(run, BOUNDED), predict(make_run(run.compute, spiked), BOUNDED)
    assert clean.asymptote.estimate is not None
    assert moved.asymptote.estimate == pytest.approx(clean.asymptote.estimate, abs=0.005)


def test_a_staircase_is_fitted_as_its_steps() -> None:
    run = draw_run(points=400, noise_sd=0.005)
    carried = make_run(run.compute, np.repeat(run.reward[::8], 8))
    steps = make_run(run.compute[::8], run.reward[::8])
    settings = Settings(reward_range=(0.0, 1.0), fraction=1)
    assert predict(carried, settings).asymptote.estimate == pytest.approx(
        predict(steps, settings).asymptote.estimate or 0, abs=1e-6
    )


def test_several_seeds_know_more_than_one() -> None:
    runs = [draw_run(seed=seed, noise_sd=0.03) for seed in range(4)]
    compute = np.repeat(runs[0].compute, 4)
    reward = np.stack([run.reward for run in runs], axis=1).ravel()
    group = make_run(compute, reward, replicate=np.tile(np.arange(4), 200))
    one, four = predict(runs[0]).final, predict(group).final
    assert four.high - four.low < 0.75 * (one.high - one.low)
    assert four.low < 0.6145 < four.high


@pytest.mark.parametrize("midpoint", [20.0, 4000.0, 200_000.0])
def test_a_posterior_at_the_edge_of_its_grid_goes_on(midpoint: float) -> None:
    posterior = _fit(draw_run(midpoint=midpoint, noise_sd=0.003))
    ends = np.quantile(posterior.log_midpoint, [0.001, 0.999])
    # No pile at either end: the outermost value holds next to nothing.
    for end in (posterior.log_midpoint.min(), posterior.log_midpoint.max()):
        assert (posterior.log_midpoint == end).mean() < 0.02
    assert ends[0] < ends[1]


def test_a_steep_run_is_found_beyond_the_usual_efficiencies() -> None:
    posterior = _fit(draw_run(efficiency=8.0, midpoint=1500.0, noise_sd=0.005))
    assert np.median(posterior.efficiency) == pytest.approx(8, rel=0.15)


def test_a_slow_rise_is_not_taken_for_noise_of_a_long_memory() -> None:
    compute = np.arange(1.0, 65.0)
    noise = np.random.default_rng(1).normal(0, 0.025, 64) + 0.04 * np.sin(compute / 6)
    reward = np.clip(0.02 + 0.17 * (compute / 64) ** 1.3 + noise, 0, 1)
    posterior = fit_posterior(select_window(make_run(compute, reward), fraction=1), SIGMOID, RATE)
    # Without the prior on the size of the noise it is 0.06.
    assert (posterior.noise_sd > 0.5 * posterior.scale).mean() < 0.02
