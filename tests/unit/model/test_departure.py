"""What runs do beyond their law, rate by rate."""

import dataclasses

import numpy as np
import pytest

from scalefit.model.curves import SIGMOID
from scalefit.model.departure import SHIPPED, DepartureRates, Footing, depart, stand_on
from scalefit.model.posterior import fit_posterior
from scalefit.run import FloatArray, RewardRange, select_window
from tests.runs import draw_run

COUNT = 2000
STILL = DepartureRates(
    keep_probability=1 - 1e-12,
    rise_mean=0.5,
    rise_flat=0.0,
    fall_probability=0.0,
    spread_floor=0.0,
    spread_gain=0.0,
    centre=0.5,
)
BOUNDED = Footing(first=np.full(COUNT, 0.1), gain=0.3, flatness=0.0, best=1.0, limits=(0.0, 1.0), size=1.0, sign=1.0)
OPEN = dataclasses.replace(BOUNDED, best=None, limits=(None, None), size=2.0)
LAWFUL = np.full((COUNT, 3), 0.5)
DOUBLINGS = np.array([0.0, 1.0, 2.0])


def _depart(footing: Footing, **rates: float) -> FloatArray:
    return depart(LAWFUL, DOUBLINGS, footing, dataclasses.replace(STILL, **rates))


@pytest.mark.parametrize("footing", [BOUNDED, OPEN])
def test_without_departures_a_run_keeps_to_its_law(footing: Footing) -> None:
    np.testing.assert_array_equal(_depart(footing), LAWFUL)


@pytest.mark.parametrize("footing", [BOUNDED, OPEN])
def test_nothing_departs_at_the_end_of_the_window(footing: Footing) -> None:
    rates = SHIPPED.bounded if footing is BOUNDED else SHIPPED.open_scale
    np.testing.assert_array_equal(depart(LAWFUL, DOUBLINGS, footing, rates)[:, 0], LAWFUL[:, 0])


def test_a_doubling_closes_an_exponential_share_of_what_is_left() -> None:
    curve = _depart(BOUNDED, keep_probability=0.4)
    rising = curve[:, 1] > 0.5
    assert rising.mean() == pytest.approx(0.6, abs=0.01)
    exponent = -np.log((1 - curve[rising, 1]) / 0.5)
    assert exponent.mean() == pytest.approx(0.5, rel=0.02)
    np.testing.assert_allclose(1 - curve[:, 2], (1 - curve[:, 1]) ** 2 / 0.5)


def test_a_rise_on_an_open_scale_is_counted_in_ranges_of_the_window() -> None:
    added = _depart(OPEN, keep_probability=0.0)[:, 1] - 0.5
    assert added.mean() == pytest.approx(0.5 * 2.0, rel=0.02)


def test_a_flat_window_changes_the_rise() -> None:
    flat = depart(
        LAWFUL,
        DOUBLINGS,
        dataclasses.replace(OPEN, flatness=1.0),
        dataclasses.replace(STILL, keep_probability=0.0, rise_flat=np.log(3)),
    )
    np.testing.assert_allclose(flat[:, 1] - 0.5, 3 * (_depart(OPEN, keep_probability=0.0)[:, 1] - 0.5))


def test_a_fall_loses_a_uniform_share_of_the_gain() -> None:
    curve = _depart(BOUNDED, fall_probability=0.2)
    fallen = curve < 0.5
    np.testing.assert_allclose(fallen.mean(axis=0), [0.0, 0.2, 0.36], atol=0.01)
    left = (curve[fallen[:, 1], 1] - 0.1) / 0.4
    np.testing.assert_allclose(np.quantile(left, [0.25, 0.5, 0.75]), [0.25, 0.5, 0.75], atol=0.05)


def test_repeated_runs_spread_by_the_root_of_the_doublings() -> None:
    curve = _depart(OPEN, spread_floor=0.02, spread_gain=0.1)
    spread = 0.02 * 2.0 + 0.1 * 0.3
    np.testing.assert_allclose(curve.std(axis=0), [0.0, spread, spread * np.sqrt(2)], rtol=0.02)


def test_a_bounded_run_stays_in_its_range() -> None:
    curve = _depart(BOUNDED, spread_floor=2.0)
    assert curve.min() == 0.0
    assert curve.max() == 1.0


def test_lower_is_better_is_the_mirror() -> None:
    mirrored = dataclasses.replace(OPEN, first=-OPEN.first, sign=-1.0)
    rates = SHIPPED.open_scale
    np.testing.assert_allclose(
        depart(-LAWFUL, DOUBLINGS, mirrored, rates), -depart(LAWFUL, DOUBLINGS, OPEN, rates), atol=1e-12
    )


def test_a_window_is_flat_as_far_as_its_gain_hides_in_its_noise() -> None:
    unit = RewardRange(low=0.0, high=1.0, origin="window")
    clear, hidden = (
        stand_on(fit_posterior(select_window(draw_run(noise_sd=noise_sd), fraction=0.25), SIGMOID, unit), 40.0)
        for noise_sd in (0.005, 0.3)
    )
    assert clear.flatness < 0.1
    assert hidden.flatness > 0.4
    assert clear.gain == pytest.approx(0.5, abs=0.1)
