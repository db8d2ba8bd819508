import math

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from scalefit.monitor.evidence import (
    Alternatives,
    NoiseTable,
    Sequence,
    gap_interval,
    leading_factors,
    log_evidence,
    measure_amounts,
)

N, SD, RHO = 12, 0.02, 0.6
SHAPE = np.linspace(0.2, 1.0, N)
ONE_NOISE = NoiseTable(sd=np.array([SD]), correlation=np.array([RHO]), log_weight=np.zeros((1, 1)))


def _covariance() -> np.ndarray:
    lag = np.abs(np.subtract.outer(np.arange(N), np.arange(N)))
    return SD**2 * RHO**lag + 0.01**2 * np.outer(SHAPE, SHAPE)


def _sequence(residual: np.ndarray) -> Sequence:
    return Sequence(
        residual=residual,
        root_weight=np.ones(N),
        linked=np.ones(N - 1, dtype=bool),
        unknown=0.01 * SHAPE[:, None],
    )


def _alternatives(scale: float) -> Alternatives:
    return Alternatives(shapes=np.ones((N, 1)), log_weight=np.zeros(1), scales=np.array([scale]))


def test_ratio_is_that_of_the_densities_integrated_by_brute_force() -> None:
    residual = np.random.default_rng(3).normal(-0.02, SD, N)
    covariance = _covariance()
    amounts = (np.arange(4000) + 0.5) / 4000 * 0.5
    prior = 2 / (math.sqrt(2 * math.pi) * 0.05) * np.exp(-0.5 * (amounts / 0.05) ** 2)
    below = [multivariate_normal.pdf(residual, mean=-amount * np.ones(N), cov=covariance) for amount in amounts]
    expected = math.log(float(np.sum(prior * np.array(below)) * 0.5 / 4000))
    expected -= float(multivariate_normal.logpdf(residual, mean=np.zeros(N), cov=covariance))
    assert log_evidence(_sequence(residual), ONE_NOISE, _alternatives(0.05)) == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
def test_evidence_has_mean_one_where_nothing_is_wrong() -> None:
    draws = np.random.default_rng(4).multivariate_normal(np.zeros(N), _covariance(), size=1000)
    ratios = np.exp([log_evidence(_sequence(draw), ONE_NOISE, _alternatives(0.02)) for draw in draws])
    assert ratios.mean() == pytest.approx(1.0, abs=4 * ratios.std() / math.sqrt(ratios.size))


def test_a_better_run_is_no_evidence() -> None:
    assert log_evidence(_sequence(np.full(N, 0.1)), ONE_NOISE, _alternatives(0.05)) < 0


def test_gap_is_estimated_by_generalised_least_squares() -> None:
    residual = np.random.default_rng(5).normal(0, SD, N) - 0.1
    inverse = np.linalg.inv(_covariance())
    one = np.ones(N)
    expected = (one @ inverse @ residual) / (one @ inverse @ one)
    estimate, low, high = gap_interval(_sequence(residual), ONE_NOISE, one, 0.1, 0.9)
    assert estimate == pytest.approx(expected)
    assert low < estimate < high
    amount, error = measure_amounts(_sequence(residual), one[:, None], sd=SD, correlation=RHO)
    assert amount[0] == pytest.approx(expected)
    assert error[0] == pytest.approx((one @ inverse @ one) ** -0.5)
    assert high - low > 2 * 1.645 * error[0]


def test_seeds_are_not_linked() -> None:
    linked = np.ones(N - 1, dtype=bool)
    linked[5] = False
    sequence = Sequence(residual=SHAPE, root_weight=np.ones(N), linked=linked, unknown=np.zeros((N, 1)))
    covariance = _covariance() - 0.01**2 * np.outer(SHAPE, SHAPE)
    covariance[:6, 6:] = covariance[6:, :6] = 0
    amount, error = measure_amounts(sequence, np.ones((N, 1)), sd=SD, correlation=RHO)
    inverse = np.linalg.inv(covariance)
    assert error[0] == pytest.approx(inverse.sum() ** -0.5)
    assert amount[0] == pytest.approx((inverse @ SHAPE).sum() / inverse.sum())


def test_factors_give_the_covariance_of_the_draws() -> None:
    centred = np.random.default_rng(6).normal(size=(50, 3)) @ np.random.default_rng(7).normal(size=(3, 20))
    factors = leading_factors(centred)
    np.testing.assert_allclose(factors @ factors.T, centred.T @ centred, atol=1e-9)
