import numpy as np
import pytest

from scalefit.errors import UsageError
from scalefit.model.simulation import Truth, draw_rewards, mean_reward, spread_compute


def _truth(**changes: float) -> Truth:
    values = {
        "asymptote": 0.62,
        "efficiency": 1.6,
        "midpoint": 250.0,
        "start": 0.1,
        "noise_sd": 0.01,
        "autocorrelation": 0.0,
    }
    return Truth(**{**values, **changes})


def test_the_curve_has_its_known_values() -> None:
    rewards = mean_reward(_truth(), np.array([0.0, 250.0, 1e12]))
    assert rewards == pytest.approx([0.1, 0.36, 0.62])


def test_without_noise_the_curve_is_drawn() -> None:
    compute = spread_compute(points=50, budget=8000)
    np.testing.assert_array_equal(draw_rewards(_truth(noise_sd=0), compute, seed=3), mean_reward(_truth(), compute))


@pytest.mark.parametrize("autocorrelation", [0.0, 0.9, -0.5])
def test_noise_has_the_spread_and_correlation_asked_for(autocorrelation: float) -> None:
    truth = _truth(autocorrelation=autocorrelation)
    compute = spread_compute(points=100_000, budget=1e9)
    noise = draw_rewards(truth, compute, seed=0) - mean_reward(truth, compute)
    assert noise.std() == pytest.approx(0.01, rel=0.05)
    assert np.corrcoef(noise[1:], noise[:-1])[0, 1] == pytest.approx(autocorrelation, abs=0.02)


def test_a_seed_gives_the_same_run_on_every_machine() -> None:
    drawn = draw_rewards(_truth(), spread_compute(points=3, budget=16000), seed=0)
    assert drawn == pytest.approx([0.6174000690237434, 0.6174001824246711, 0.6257350262129061], abs=1e-12)


def test_compute_ends_at_the_budget() -> None:
    assert spread_compute(points=4, budget=1000).tolist() == [250.0, 500.0, 750.0, 1000.0]
    assert spread_compute(points=4, budget=1000, spacing="log") == pytest.approx([1, 10, 100, 1000])
    assert spread_compute(points=1, budget=5, spacing="log").tolist() == [5.0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("efficiency", 0.0),
        ("midpoint", -1.0),
        ("noise_sd", -0.1),
        ("autocorrelation", 1.0),
        ("asymptote", float("nan")),
    ],
)
def test_a_truth_out_of_its_domain_is_refused(name: str, value: float) -> None:
    with pytest.raises(UsageError, match="cannot be used"):
        _truth(**{name: value})
