import numpy as np
import pytest

from scalefit.monitor import Fall, measure_fall
from scalefit.run import FloatArray, RewardRange, Run, select_window
from tests.runs import draw_run, make_run

UNIT = RewardRange(low=0.0, high=1.0, origin="given")


def _fall(run: Run, reward: FloatArray | None = None, *, minimize: bool = False) -> Fall:
    changed = run if reward is None else make_run(run.compute, reward)
    limits = RewardRange(low=-1.0, high=0.0, origin="given") if minimize else UNIT
    return measure_fall(select_window(changed, fraction=1.0), limits, minimize=minimize)


@pytest.mark.parametrize("autocorrelation", [0.0, 0.6, 0.9])
def test_a_sustained_fall_is_seen(autocorrelation: float) -> None:
    run = draw_run(seed=1, autocorrelation=autocorrelation)
    fall = _fall(run, run.reward - 0.1 * (np.arange(200) >= 180))
    assert fall.low > 0.05
    assert fall.high > 0.1
    assert fall.drop == pytest.approx(0.1, abs=0.03)
    assert fall.best_compute < run.compute[180]


def test_one_bad_point_is_no_fall() -> None:
    run = draw_run(seed=2)
    reward = run.reward.copy()
    for place in (100, 199):
        reward[place] = 0.1
    assert _fall(run, reward).low <= 0.05


def test_what_came_back_is_no_fall() -> None:
    run = draw_run(seed=3)
    dip = 0.2 * ((np.arange(200) >= 120) & (np.arange(200) < 150))
    assert _fall(run, run.reward - dip).low <= 0.05


def test_a_healthy_run_has_a_fall_ruled_out() -> None:
    fall = _fall(draw_run(seed=4))
    assert fall.low == 0
    assert fall.high < 0.05
    assert fall.points == 200


def test_lower_is_better_mirrors() -> None:
    run = draw_run(seed=5)
    reward = run.reward - 0.1 * (np.arange(200) >= 170)
    plain, mirrored = _fall(run, reward), _fall(run, -reward, minimize=True)
    assert mirrored.low == pytest.approx(plain.low, abs=1e-6)
    assert mirrored.best == pytest.approx(-plain.best)


@pytest.mark.parametrize("points", [4, 5, 9])
def test_few_points_are_no_fall_and_no_error(points: int) -> None:
    fall = _fall(draw_run(points=points, seed=6))
    assert 0 <= fall.low <= fall.drop <= fall.high
