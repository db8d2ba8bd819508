"""scipy's curve_fit: where the noise is small and the bend is seen, priors no longer matter."""

import numpy as np
import pytest
from scipy.optimize import curve_fit

from scalefit.forecast import Settings, predict
from scalefit.run import FloatArray
from tests.runs import draw_run


def _sigmoid(compute: FloatArray, start: float, asymptote: float, efficiency: float, midpoint: float) -> FloatArray:
    return np.asarray(start + (asymptote - start) / (1 + (midpoint / compute) ** efficiency))


@pytest.mark.parametrize("efficiency", [0.7, 1.6, 3.0])
@pytest.mark.parametrize("reward_range", [(0.0, 1.0), (None, None)])
def test_low_noise_gives_the_least_squares_curve(
    efficiency: float, reward_range: tuple[float | None, float | None]
) -> None:
    run = draw_run(noise_sd=0.001, efficiency=efficiency, seed=4)
    fitted, covariance = curve_fit(_sigmoid, run.compute, run.reward, p0=(0.1, 0.62, efficiency, 1000.0))
    error = np.sqrt(np.diag(covariance))
    forecast = predict(run, Settings(fraction=1, reward_range=reward_range))
    estimates = [
        forecast.start.estimate,
        forecast.asymptote.estimate,
        forecast.efficiency.estimate,
        forecast.midpoint.estimate,
    ]
    for estimate, value, one in zip(estimates, fitted, error, strict=True):
        assert estimate == pytest.approx(value, abs=0.6 * one)


def test_low_noise_gives_the_least_squares_interval() -> None:
    run = draw_run(noise_sd=0.001, seed=4)
    _, covariance = curve_fit(_sigmoid, run.compute, run.reward, p0=(0.1, 0.62, 1.6, 1000.0))
    asymptote = predict(run, Settings(fraction=1)).asymptote
    assert asymptote.low is not None
    assert asymptote.high is not None
    # Not narrower: the correlation of the noise is uncertain as well.
    assert 0.85 < (asymptote.high - asymptote.low) / (2 * 1.645 * np.sqrt(covariance[1, 1])) < 1.6
