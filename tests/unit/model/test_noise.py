import numpy as np
import pytest

from scalefit.model.noise import CORRELATIONS, MAXIMUM_BINS, CorrelatedSums, Observations, observe
from scalefit.run import FloatArray
from tests.runs import draw_run


def _observe(reward: FloatArray) -> Observations:
    return observe(np.arange(1.0, reward.size + 1), reward, np.zeros(reward.size, dtype=np.int64))


def test_rows_of_one_compute_become_their_mean() -> None:
    compute, reward = np.array([1.0, 2, 2, 2, 5]), np.array([1.0, 2, 3, 7, 5])
    seen = observe(compute, reward, np.zeros(5, dtype=np.int64))
    assert seen.compute.tolist() == [1, 2, 5]
    assert seen.reward.tolist() == [1, 4, 5]
    assert seen.count.tolist() == [1, 3, 1]
    assert seen.rows == 5


def test_seeds_are_not_mixed() -> None:
    compute, reward = np.array([1.0, 1, 2, 2, 3, 3]), np.array([1.0, 10, 2, 20, 3, 30])
    seen = observe(compute, reward, np.array([0, 1, 0, 1, 0, 1]))
    assert seen.reward.tolist() == [1, 2, 3, 10, 20, 30]
    assert seen.series.tolist() == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("position", [5, 20, 40])
@pytest.mark.parametrize("size", [0.2, 1.0, -600.0])
def test_a_spike_is_told_from_noise(position: int, size: float) -> None:
    reward = draw_run(noise_sd=0.01).reward[:50].copy()
    assert _observe(reward).spikes == ()
    reward[position] += size
    seen = _observe(reward)
    assert [spike[0] for spike in seen.spikes] == [position + 1]
    assert seen.spikes[0][1] == reward[position]


def test_many_outliers_are_noise_and_no_spikes() -> None:
    reward = draw_run().reward[:50].copy()
    reward[::5] += 1.0
    assert _observe(reward).spikes == ()


def test_a_staircase_is_seen_once_per_step() -> None:
    seen = _observe(np.repeat(np.linspace(0, 0.5, 10), 5))
    assert seen.steps == 40
    assert seen.reward == pytest.approx(np.linspace(0, 0.5, 10))


@pytest.mark.parametrize(
    "reward",
    [
        np.concatenate([np.linspace(0, 1, 20), np.full(20, 1.0)]),
        np.arange(40) % 2 * 1.0,
        np.full(40, 0.4),
        np.linspace(0, 1, 40),
    ],
    ids=["plateau", "two values", "constant", "line"],
)
def test_what_is_no_staircase(reward: FloatArray) -> None:
    assert _observe(reward).steps == 0


def test_long_logs_are_averaged_and_keep_their_mean() -> None:
    run = draw_run(points=100_000)
    seen = _observe(run.reward)
    assert seen.reward.size <= MAXIMUM_BINS
    assert seen.count.sum() == seen.rows == 100_000
    assert (seen.reward * seen.count).sum() / 100_000 == pytest.approx(run.reward.mean(), abs=1e-4)


def test_sums_are_those_of_the_precision_matrix() -> None:
    generator = np.random.default_rng(0)
    reward, shares, size = generator.standard_normal(7), generator.uniform(size=(3, 7)), 7
    root = np.sqrt(np.array([1.0, 2, 1, 3, 1, 1, 2]))
    series = np.array([0, 0, 0, 0, 1, 1, 1])
    sums = CorrelatedSums(reward, root, series, CORRELATIONS)
    for node, rho in enumerate(CORRELATIONS):
        # The stationary AR(1) covariance in units of the innovations, seed by seed.
        lags = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
        covariance = np.where(np.equal.outer(series, series), rho**lags, 0.0) / (1 - rho**2)
        precision = root[:, None] * np.linalg.inv(covariance) * root
        one_share, share_reward, share_share = (form[:, node] for form in sums.of_shares(shares))
        assert sums.one_one[node] == pytest.approx(precision.sum())
        assert sums.one_reward[node] == pytest.approx(precision.sum(axis=0) @ reward)
        assert sums.reward_reward[node] == pytest.approx(reward @ precision @ reward)
        assert one_share == pytest.approx(shares @ precision.sum(axis=0))
        assert share_reward == pytest.approx(shares @ precision @ reward)
        assert share_share == pytest.approx(np.einsum("ij,jk,ik->i", shares, precision, shares))
        assert sums.log_determinant[node] == pytest.approx(np.linalg.slogdet(precision)[1])


def test_what_averaging_hides_of_the_noise_is_kept() -> None:
    noise = np.random.default_rng(4).normal(0.0, 0.05, 40_000)
    seen = observe(np.arange(1.0, 40_001.0), 0.6 + noise, np.zeros(40_000, dtype=np.int64))
    assert seen.reward.size <= MAXIMUM_BINS
    assert seen.within_sd == pytest.approx(0.05, rel=0.02)
    few = observe(np.arange(1.0, 41.0), 0.6 + noise[:40], np.zeros(40, dtype=np.int64))
    assert few.within_sd == 0
