"""Each caveat fires on a run built for it, with its evidence, and is silent on a clean one."""

import numpy as np
import pytest

from scalefit.forecast import Settings, predict
from scalefit.run import Caveat, FloatArray, Run
from tests.runs import draw_run, make_run


def _found(run: Run, code: str, settings: Settings | None = None) -> Caveat:
    caveats = predict(run, settings).caveats
    assert code in [caveat.code for caveat in caveats]
    return next(caveat for caveat in caveats if caveat.code == code)


def _changed(run: Run, reward: FloatArray) -> Run:
    return make_run(run.compute, reward)


@pytest.mark.parametrize("seed", range(10))
def test_a_clean_run_has_no_caveats(seed: int) -> None:
    assert predict(draw_run(seed=seed, midpoint=600.0)).caveats == ()


def test_messages_are_sentences_for_a_person() -> None:
    for caveat in predict(draw_run(midpoint=30_000.0, points=24)).caveats:
        assert caveat.message == caveat.message.strip()
        assert not caveat.message.endswith(".")
        assert "\n" not in caveat.message
        assert caveat.message[0].islower()


def test_a_constant_reward() -> None:
    caveat = _found(make_run(np.arange(1, 101), np.full(100, 0.37)), "constant-reward")
    assert caveat.evidence == {"reward": 0.37, "points": 25}
    assert "0.37" in caveat.message


def test_few_points() -> None:
    caveat = _found(draw_run(points=20), "few-points")
    assert caveat.evidence["points"] == 5
    assert "only 5 points" in caveat.message


def test_a_window_that_ends_before_the_midpoint() -> None:
    caveat = _found(draw_run(midpoint=12_000.0, efficiency=2.0), "before-midpoint")
    assert caveat.evidence["window_end"] == 4000
    probability = caveat.evidence["probability_before_midpoint"]
    assert isinstance(probability, float)
    assert probability > 0.5


def test_a_curve_that_has_not_bent_enough() -> None:
    caveat = _found(draw_run(midpoint=2000.0, efficiency=1.0, noise_sd=0.02, seed=2), "asymptote-not-identified")
    probability = caveat.evidence["probability_before_midpoint"]
    assert isinstance(probability, float)
    assert probability <= 0.5


def test_a_log_that_starts_on_its_plateau() -> None:
    run = draw_run(points=400, budget=16000.0, midpoint=200.0, efficiency=2.0)
    late = run.compute > 900
    caveat = _found(make_run(run.compute[late], run.reward[late]), "starts-on-plateau")
    share = caveat.evidence["share_of_gain"]
    assert isinstance(share, float)
    assert share > 0.8
    assert caveat.evidence["first_compute"] == 920


def test_a_run_that_is_still_rising() -> None:
    caveat = _found(draw_run(midpoint=2500.0, efficiency=2.5, noise_sd=0.003), "still-rising")
    share = caveat.evidence["share_of_gain"]
    assert isinstance(share, float)
    assert share == pytest.approx(1 / (1 + (2500 / 4000) ** 2.5), abs=0.05)


def test_a_fall_from_the_peak() -> None:
    run = draw_run(midpoint=300.0)
    fallen = run.reward - 0.4 * np.clip((run.compute - 2500) / 1000, 0, 1)
    caveat = _found(_changed(run, fallen), "falls-from-peak")
    best, last = caveat.evidence["best"], caveat.evidence["last"]
    assert isinstance(best, float)
    assert isinstance(last, float)
    assert best == pytest.approx(0.6, abs=0.03)
    assert last == pytest.approx(0.2, abs=0.05)


def test_a_metric_that_falls_throughout_asks_for_minimize() -> None:
    run = draw_run(midpoint=600.0)
    assert "--minimize" in _found(_changed(run, 1 - run.reward), "metric-falls").message
    assert predict(_changed(run, 1 - run.reward), Settings(minimize=True)).caveats == ()


def test_noise_that_hides_the_rise() -> None:
    caveat = _found(draw_run(asymptote=0.105, noise_sd=0.05, seed=1), "noise-hides-the-rise")
    assert caveat.evidence["noise_sd"] == pytest.approx(0.05, rel=0.4)


def test_first_rows_that_differ_from_the_rest() -> None:
    run = draw_run(midpoint=1000.0, noise_sd=0.005)
    early = run.reward + np.where(np.arange(200) < 6, 0.3, 0.0)
    caveat = _found(_changed(run, early), "early-regime")
    assert caveat.evidence["points"] == 6
    assert caveat.evidence["skip_until"] == run.compute[6]
    assert caveat.evidence["asymptote_without"] == pytest.approx(0.62, abs=0.03)


def test_a_second_rise() -> None:
    run = draw_run(midpoint=300.0, noise_sd=0.005)
    risen = run.reward + 0.3 * np.clip((run.compute - 3500) / 500, 0, 1)
    caveat = _found(_changed(run, np.clip(risen, 0, 1)), "two-stage-rise")
    residual = caveat.evidence["residual"]
    assert isinstance(residual, float)
    assert residual > 0


def test_spikes() -> None:
    run = draw_run()
    spiked = run.reward.copy()
    spiked[25] = 30.0
    caveat = _found(_changed(run, spiked), "spikes", Settings(reward_range=(0.0, 1.0)))
    assert caveat.evidence == {"points": 1, "compute": [run.compute[25]]}
    assert "30 at 2080" in caveat.message


def test_a_staircase() -> None:
    run = draw_run()
    carried = np.repeat(run.reward[::4], 4)
    caveat = _found(_changed(run, carried), "staircase")
    assert caveat.evidence == {"repeated": 37, "rows": 50}


def test_a_smoothed_export() -> None:
    run = draw_run(noise_sd=0.05)
    kernel = np.ones(9) / 9
    smooth = np.convolve(np.pad(run.reward, 4, mode="edge"), kernel, mode="valid")
    smooth = np.convolve(np.pad(smooth, 4, mode="edge"), kernel, mode="valid")
    correlation = _found(_changed(run, smooth), "smoothed").evidence["second_difference_correlation"]
    assert isinstance(correlation, float)
    assert correlation > 0


@pytest.mark.parametrize("autocorrelation", [0.0, 0.6, 0.9])
@pytest.mark.parametrize("seed", range(5))
def test_correlated_noise_is_not_taken_for_smoothing(autocorrelation: float, seed: int) -> None:
    caveats = predict(draw_run(noise_sd=0.03, autocorrelation=autocorrelation, seed=seed)).caveats
    assert "smoothed" not in [caveat.code for caveat in caveats]


def test_an_asymptote_at_the_end_of_the_range() -> None:
    caveat = _found(draw_run(asymptote=0.999, midpoint=200.0, noise_sd=0.001), "at-the-bound")
    assert caveat.evidence["bound"] == 1
    assert "--range" in caveat.message


def test_rewards_outside_of_the_range() -> None:
    run = draw_run(midpoint=600.0)
    caveat = _found(run, "outside-range", Settings(reward_range=(0.0, 0.61)))
    assert caveat.evidence["points"] == int((run.reward[:50] > 0.61).sum())


def test_rows_left_out_at_the_start() -> None:
    caveat = _found(draw_run(), "start-left-out", Settings(skip_until=400.0))
    assert caveat.evidence == {"rows": 4, "start": 400.0}


def test_a_collapse_after_the_window_is_told_and_nothing_else_of_it() -> None:
    run = draw_run(midpoint=600.0)
    fallen = run.reward.copy()
    fallen[120:] = 0.05
    caveats = predict(_changed(run, fallen)).caveats
    assert [caveat.code for caveat in caveats] == ["collapsed-after-window"]
    assert caveats[0].evidence["last"] == pytest.approx(0.05)


def test_another_law_that_is_clearly_better_supported() -> None:
    compute = np.linspace(40, 8000, 200)
    noise = np.random.default_rng(0).normal(0, 0.003, 200)
    run = make_run(compute, 0.1 + 0.5 * (1 - 2.0 ** -(compute / 700)) + noise)
    caveat = _found(run, "other-law", Settings(fraction=1))
    assert caveat.evidence["law"] == "exponential"
    log_evidence = caveat.evidence["log_evidence"]
    assert isinstance(log_evidence, float)
    assert log_evidence > 5
