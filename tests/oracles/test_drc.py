"""R drc, ``drm(rootl ~ conc, data = ryegrass, fct = LL.4())``: b 2.98, c 0.48, d 7.79, e 3.06.

Root length of ryegrass against ferulic acid, Inderjit, Streibig and Olofsdotter (2002): a falling curve whose rows at
concentration 0 are evaluations before training.
"""

import numpy as np
import pytest

from scalefit.forecast import Settings, predict
from tests.runs import make_run

CONCENTRATION = np.repeat([0.0, 0.94, 1.88, 3.75, 7.5, 15.0, 30.0], [6, 3, 3, 3, 3, 3, 3])
ROOT_LENGTH = np.array(
    [
        *(7.58, 8.0, 8.3285714, 7.25, 7.375, 7.9625, 8.3555556, 6.9142857, 7.75, 6.8714286, 6.45, 5.9222222),
        *(1.925, 2.8857143, 4.2333333, 1.1875, 0.8571429, 1.0571429, 0.6875, 0.525, 0.825, 0.25, 0.22, 0.44),
    ]
)
SLOPE, LOWER, UPPER, MIDDLE = 2.98222, 0.48141, 7.79296, 3.05795


def test_ryegrass_is_fitted_as_drc_fits_it() -> None:
    forecast = predict(make_run(CONCENTRATION, ROOT_LENGTH), Settings(fraction=1, minimize=True))
    # drc weighs every row, scalefit also counts the correlation of neighbours: close, not equal.
    assert forecast.efficiency.estimate == pytest.approx(SLOPE, rel=0.15)
    assert forecast.asymptote.estimate == pytest.approx(LOWER, abs=0.25)
    assert forecast.start.estimate == pytest.approx(UPPER, abs=0.15)
    assert forecast.midpoint.estimate == pytest.approx(MIDDLE, abs=0.1)
    for interval, value in (
        (forecast.efficiency, SLOPE),
        (forecast.asymptote, LOWER),
        (forecast.start, UPPER),
        (forecast.midpoint, MIDDLE),
    ):
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low < value < interval.high
    assert forecast.is_identified
