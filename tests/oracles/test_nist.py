"""NIST StRD Rat42: the sigmoid with R0 = 0 and C = e^x; A = b1, B = b3, ln C_mid = b2 / b3.

Data and certified values: https://www.itl.nist.gov/div898/strd/nls/data/ratkowsky2.shtml.
"""

import math

import numpy as np
import pytest
from scipy.optimize import curve_fit

from scalefit.forecast import Forecast, Settings, predict
from scalefit.run import FloatArray
from tests.runs import make_run

X = np.array([9.0, 14.0, 21.0, 28.0, 42.0, 57.0, 63.0, 70.0, 79.0])
Y = np.array([8.93, 10.80, 18.59, 22.33, 39.35, 56.11, 61.73, 64.62, 67.08])
B1, B2, B3 = 7.2462237576e01, 2.6180768402e00, 6.7359200066e-02
RESIDUAL_SUM_OF_SQUARES = 8.0565229338


def _rat42(x: FloatArray, b1: float, b2: float, b3: float) -> FloatArray:
    return np.asarray(b1 / (1 + np.exp(b2 - b3 * x)))


def _predict(points: int) -> Forecast:
    run = make_run(np.exp(X[:points]), Y[:points])
    return predict(run, Settings(fraction=1, start=0.0, reward_range=(None, None)))


def test_the_data_are_those_of_the_certificate() -> None:
    fitted, _ = curve_fit(_rat42, X, Y, p0=(75, 2.5, 0.07))
    assert fitted == pytest.approx([B1, B2, B3], rel=1e-6)
    assert ((Y - _rat42(X, *fitted)) ** 2).sum() == pytest.approx(RESIDUAL_SUM_OF_SQUARES, rel=1e-9)


def test_all_nine_points_give_the_certified_curve() -> None:
    forecast = _predict(9)
    assert forecast.asymptote.estimate == pytest.approx(B1, abs=2)
    assert forecast.efficiency.estimate == pytest.approx(B3, rel=0.1)
    assert forecast.midpoint.estimate is not None
    assert math.log(forecast.midpoint.estimate) == pytest.approx(B2 / B3, abs=1)


def test_the_intervals_hold_the_certified_values() -> None:
    forecast = _predict(9)
    for interval, certified in (
        (forecast.asymptote, B1),
        (forecast.efficiency, B3),
        (forecast.midpoint, math.exp(B2 / B3)),
    ):
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low < certified < interval.high
    assert forecast.is_identified


def test_the_first_four_points_leave_the_asymptote_open_above() -> None:
    forecast = _predict(4)
    assert not forecast.is_identified
    assert forecast.asymptote.high is None
    assert forecast.asymptote.low is not None
    assert 0 < forecast.asymptote.low < B1


def test_a_given_start_is_held() -> None:
    start = _predict(9).start
    assert (start.estimate, start.low, start.high) == (0, 0, 0)
