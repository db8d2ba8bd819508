"""What must hold of the numbers whatever the log."""

import dataclasses
import json
import math
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scalefit.forecast import Band, Estimate, Forecast, Settings, predict
from scalefit.model.curves import LAWS
from scalefit.run import FloatArray, Run
from tests.runs import draw_run, make_run

FEW = settings(max_examples=5)
OPEN = Settings(reward_range=(None, None))


def _close(left: Estimate, right: Estimate, *, scale: float = 1.0, shift: float = 0.0, tolerance: float) -> None:
    for one, other in ((left.estimate, right.estimate), (left.low, right.low), (left.high, right.high)):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one * scale + shift == pytest.approx(other, abs=tolerance * abs(scale), rel=1e-9)


@st.composite
def _runs(draw: st.DrawFn) -> Run:
    return draw_run(
        points=draw(st.integers(20, 120)),
        seed=draw(st.integers(0, 1000)),
        efficiency=draw(st.floats(0.5, 4)),
        midpoint=draw(st.floats(100, 20_000)),
        noise_sd=draw(st.sampled_from([0.003, 0.01, 0.04])),
        autocorrelation=draw(st.sampled_from([0.0, 0.6, 0.9])),
    )


@FEW
@given(run=_runs(), scale=st.floats(1e-6, 1e6), shift=st.floats(-100, 100))
def test_an_open_scale_has_no_unit_and_no_zero(run: Run, scale: float, shift: float) -> None:
    base = predict(run, OPEN)
    moved = predict(make_run(run.compute, run.reward * scale + shift * scale), OPEN)
    for name in ("asymptote", "start"):
        _close(getattr(base, name), getattr(moved, name), scale=scale, shift=shift * scale, tolerance=1e-6)
    _close(base.efficiency, moved.efficiency, tolerance=1e-6)
    assert moved.noise_sd == pytest.approx(base.noise_sd * scale, rel=1e-6)
    assert moved.is_identified == base.is_identified
    assert moved.final.robust_high == pytest.approx((base.final.robust_high + shift) * scale, abs=1e-6 * scale)


@FEW
@given(run=_runs(), scale=st.floats(1e-6, 1e6), shift=st.floats(-100, 100))
def test_a_given_range_moves_with_the_reward(run: Run, scale: float, shift: float) -> None:
    base = predict(run, Settings(reward_range=(0.0, 1.0)))
    ends = (shift * scale, (1 + shift) * scale)
    moved = predict(make_run(run.compute, (run.reward + shift) * scale), Settings(reward_range=ends))
    for name in ("asymptote", "start"):
        _close(getattr(base, name), getattr(moved, name), scale=scale, shift=shift * scale, tolerance=1e-6)
    assert moved.final.robust_low == pytest.approx((base.final.robust_low + shift) * scale, abs=1e-6 * scale)


@FEW
@given(run=_runs(), scale=st.floats(1e-13, 1e11))
@example(run=draw_run(), scale=1e-13)
@example(run=draw_run(), scale=1e11)
def test_compute_has_no_unit(run: Run, scale: float) -> None:
    base, moved = predict(run), predict(make_run(run.compute * scale, run.reward))
    for name in ("asymptote", "start", "efficiency"):
        _close(getattr(base, name), getattr(moved, name), tolerance=1e-6)
    assert moved.midpoint.estimate == pytest.approx((base.midpoint.estimate or 0) * scale, rel=1e-6)
    np.testing.assert_allclose(moved.band.robust_high, base.band.robust_high, atol=1e-6)


@FEW
@given(run=_runs())
def test_minimizing_is_maximizing_the_negative(run: Run) -> None:
    base = predict(run, Settings(reward_range=(0.0, 1.0)))
    mirrored = predict(make_run(run.compute, -run.reward), Settings(reward_range=(-1.0, 0.0), minimize=True))
    for name in ("asymptote", "start"):
        ours, theirs = getattr(base, name), getattr(mirrored, name)
        assert theirs.estimate == pytest.approx(-ours.estimate, abs=1e-9)
        assert (theirs.low is None) == (ours.high is None)
        if ours.high is not None:
            assert theirs.low == pytest.approx(-ours.high, abs=1e-9)
    # The spread from run to run is drawn in the same order both ways, so these ends are mirrored up to that.
    np.testing.assert_allclose(mirrored.band.robust_low, -base.band.robust_high, atol=0.02)
    np.testing.assert_allclose(mirrored.band.estimate, -base.band.estimate, atol=1e-9)
    assert [caveat.code for caveat in mirrored.caveats] == [caveat.code for caveat in base.caveats]


@FEW
@given(run=_runs(), order=st.randoms(use_true_random=False))
def test_the_order_of_rows_with_equal_compute_does_not_matter(run: Run, order: random.Random) -> None:
    compute = np.repeat(run.compute[::2], 2)[: run.compute.size]
    groups = [run.reward[compute == value].tolist() for value in np.unique(compute)]
    shuffled = [order.sample(group, len(group)) for group in groups]
    one = predict(make_run(compute, [value for group in groups for value in group]), Settings(fraction=1))
    other = predict(make_run(compute, [value for group in shuffled for value in group]), Settings(fraction=1))
    assert one.asymptote == other.asymptote
    assert one.band.robust_high.tobytes() == other.band.robust_high.tobytes()


def _is_ordered(band: Band) -> bool:
    slack = 1e-9 * (1 + np.abs(band.high).max())
    pairs: list[tuple[FloatArray, FloatArray]] = [
        (band.low, band.estimate),
        (band.estimate, band.high),
        (band.robust_low, band.robust_estimate),
        (band.robust_estimate, band.robust_high),
        (band.observation_low, band.robust_estimate),
        (band.robust_estimate, band.observation_high),
    ]
    return all(bool((low <= high + slack).all()) for low, high in pairs)


@FEW
@given(run=_runs())
def test_bands_are_ordered_and_curves_rise(run: Run) -> None:
    forecast = predict(run)
    assert _is_ordered(forecast.band)
    assert _is_ordered(forecast.fitted)
    assert (np.diff(forecast.band.estimate) >= -1e-9).all()
    assert (np.diff(forecast.band.low) >= -1e-9).all()
    wide, narrow = predict(run, Settings(level=0.95)).final, predict(run, Settings(level=0.5)).final
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide.robust_low <= narrow.robust_low <= narrow.robust_high <= wide.robust_high


def _numbers(value: object) -> list[float]:
    if isinstance(value, np.ndarray):
        return [float(number) for number in value.ravel()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [number for field in dataclasses.fields(value) for number in _numbers(getattr(value, field.name))]
    if isinstance(value, tuple | list):
        return [number for item in value for number in _numbers(item)]
    return [value] if isinstance(value, float) else []


def _is_finite(forecast: Forecast) -> bool:
    caveats = json.dumps([dict(caveat.evidence) for caveat in forecast.caveats], allow_nan=False)
    return bool(caveats) and all(math.isfinite(number) for number in _numbers(forecast))


REWARDS: dict[str, FloatArray] = {
    "constant": np.full(40, 0.4),
    "constant at zero": np.zeros(40),
    "constant far away": np.full(40, -3e5),
    "nearly constant": np.linspace(0.4, 0.4 + 4e-11, 40),
    "two values": np.where(np.arange(40) % 2 == 0, 0.0, 1.0),
    "one step": np.where(np.arange(40) > 20, 1.0, 0.0),
    "falling": np.linspace(1, 0, 40),
    "one outlier": np.where(np.arange(40) == 20, 1e12, np.linspace(0, 1, 40)),
    "one outlier below": np.where(np.arange(40) == 39, -1e12, np.linspace(0, 1, 40)),
    "tiny": 1e-6 * np.linspace(0, 1, 40),
    "huge": 1e6 * np.linspace(-1, 1, 40),
    "alternating": np.linspace(0, 1, 40) + np.where(np.arange(40) % 2 == 0, 0.3, -0.3),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", REWARDS)
def test_any_rewards_give_finite_numbers(name: str, law: str) -> None:
    run = make_run(np.arange(1, 41), REWARDS[name])
    for fraction in (0.1, 0.5, 1.0):
        forecast = predict(run, Settings(fraction=fraction, law=law, at=(1e-3, 1e4), reach=(0.5,)))
        assert _is_finite(forecast)
        assert _is_ordered(forecast.band)


@settings(max_examples=15)
@given(
    rows=st.lists(
        st.tuples(st.floats(1e-9, 1e15), st.floats(-1e6, 1e6)), min_size=4, max_size=60, unique_by=lambda r: r[0]
    ),
    minimize=st.booleans(),
)
def test_any_log_gives_finite_numbers(rows: list[tuple[float, float]], *, minimize: bool) -> None:
    rows = sorted(rows)
    run = make_run([row[0] for row in rows], [row[1] for row in rows])
    forecast = predict(run, Settings(fraction=1, minimize=minimize))
    assert _is_finite(forecast)
    assert _is_ordered(forecast.band)


@pytest.mark.parametrize("points", [4, 5, 8, 100_000])
def test_any_length_gives_the_curve(points: int) -> None:
    forecast = predict(draw_run(points=points, noise_sd=0.01), Settings(fraction=1))
    assert _is_finite(forecast)
    if points == 100_000:
        assert forecast.asymptote.estimate == pytest.approx(0.62, abs=0.002)


@pytest.mark.slow
def test_a_million_rows_give_the_curve() -> None:
    forecast = predict(draw_run(points=1_000_000), Settings(fraction=0.25))
    assert _is_finite(forecast)
    assert forecast.asymptote.estimate == pytest.approx(0.62, abs=0.002)
