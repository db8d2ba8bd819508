import dataclasses
import math

import numpy as np
import pytest

from scalefit.caveats import Fit
from scalefit.forecast import Settings, fit_run
from scalefit.monitor import follow_reference
from scalefit.run import select_window
from tests.runs import draw_run, make_run

ALARM = math.log(10)


@pytest.fixture(scope="module")
def reference() -> Fit:
    return fit_run(draw_run(seed=1), Settings(fraction=1.0))


def test_a_run_of_the_same_recipe_is_on_track(reference: Fit) -> None:
    track = follow_reference(select_window(draw_run(seed=2), fraction=1.0), reference, level=0.9)
    assert track.log_evidence < ALARM
    assert -track.tolerance < track.low < 0 < track.high


def test_a_lower_ceiling_is_an_alarm(reference: Fit) -> None:
    run = draw_run(seed=3, asymptote=0.57)
    track = follow_reference(select_window(run, fraction=0.5), reference, level=0.9)
    assert track.log_evidence >= ALARM
    assert track.gap == pytest.approx(-0.05, abs=0.01)


def test_a_higher_ceiling_is_none(reference: Fit) -> None:
    run = draw_run(seed=3, asymptote=0.7)
    assert follow_reference(select_window(run, fraction=1.0), reference, level=0.9).log_evidence < 0


def test_a_fall_that_begins_late_is_an_alarm(reference: Fit) -> None:
    run = draw_run(seed=4)
    late = make_run(run.compute, run.reward - 0.05 * (run.compute > 8000))
    assert follow_reference(select_window(late, fraction=1.0), reference, level=0.9).log_evidence >= ALARM


def test_spread_forgives_what_a_repeated_run_does(reference: Fit) -> None:
    window = select_window(draw_run(seed=5, asymptote=0.59), fraction=1.0)
    strict, lenient = (follow_reference(window, reference, level=0.9, spread=spread) for spread in (0.0, 0.03))
    assert strict.log_evidence >= ALARM > lenient.log_evidence
    assert (strict.gap, strict.low) == (lenient.gap, lenient.low)


def test_rows_logged_more_often_than_the_references_are_averaged(reference: Fit) -> None:
    often = draw_run(points=4000, seed=6, noise_sd=0.03)
    assert follow_reference(select_window(often, fraction=1.0), reference, level=0.9).log_evidence < ALARM
    dense = fit_run(draw_run(points=4000, seed=7), Settings(fraction=1.0))
    seldom = select_window(draw_run(points=100, seed=8), fraction=1.0)
    assert follow_reference(seldom, dense, level=0.9).log_evidence < ALARM


def test_a_noisier_run_is_no_worse(reference: Fit) -> None:
    for seed in range(20):
        noisy = draw_run(points=12, seed=seed, noise_sd=0.1)
        assert follow_reference(select_window(noisy, fraction=1.0), reference, level=0.9).log_evidence < ALARM


def test_lower_is_better_mirrors_the_verdict() -> None:
    def mirrored(seed: int, asymptote: float) -> Fit:
        run = draw_run(seed=seed, asymptote=asymptote)
        settings = Settings(fraction=1.0, minimize=True, reward_range=(-1.0, 0.0))
        return fit_run(make_run(run.compute, -run.reward, column="loss"), settings)

    reference = mirrored(1, 0.62)
    worse, better = (follow_reference(mirrored(2, asymptote).window, reference, level=0.9) for asymptote in (0.5, 0.75))
    assert worse.log_evidence > ALARM > better.log_evidence
    assert worse.gap < 0 < better.gap


def test_scaling_the_reward_scales_the_gap() -> None:
    open_scale = Settings(fraction=1.0, reward_range=(None, None))
    first, second = draw_run(seed=1), draw_run(seed=2, asymptote=0.6)
    plain = follow_reference(select_window(second, fraction=1.0), fit_run(first, open_scale), level=0.9)
    tenfold = follow_reference(
        select_window(make_run(second.compute, 10 * second.reward), fraction=1.0),
        fit_run(make_run(first.compute, 10 * first.reward), open_scale),
        level=0.9,
    )
    assert tenfold.log_evidence == pytest.approx(plain.log_evidence, rel=1e-6)
    assert tenfold.gap == pytest.approx(10 * plain.gap, rel=1e-6)
    assert dataclasses.asdict(tenfold)["tolerance"] == pytest.approx(10 * plain.tolerance, rel=1e-6)
    assert np.isfinite(tenfold.low)
