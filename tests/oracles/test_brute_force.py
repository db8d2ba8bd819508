"""The posterior against brute force: millions of prior draws, weighted by an independently written likelihood."""

import numpy as np
import pytest

from scalefit.model.curves import SIGMOID
from scalefit.model.posterior import fit_posterior
from scalefit.run import RewardRange, select_window
from tests.oracles.brute_force import weigh_prior_draws
from tests.runs import draw_run

LEVELS = [0.05, 0.25, 0.5, 0.75, 0.95]

WINDOWS: dict[str, tuple[int, dict[str, float]]] = {
    "four points": (4, {"noise_sd": 0.03}),
    "five points": (5, {"noise_sd": 0.03}),
    "bent": (12, {"noise_sd": 0.05}),
    "midpoint at 50 windows": (20, {"noise_sd": 0.03, "midpoint": 200_000.0}),
    "midpoint at 20 windows": (20, {"noise_sd": 0.01, "midpoint": 80_000.0, "efficiency": 1.0}),
    "midpoint at 0.005 windows": (20, {"noise_sd": 0.02, "midpoint": 20.0}),
    "steep": (10, {"noise_sd": 0.1, "midpoint": 2000.0, "efficiency": 8.0}),
    "correlated": (8, {"noise_sd": 0.15, "autocorrelation": 0.95}),
}


@pytest.mark.slow
@pytest.mark.parametrize("bounds", [(0.0, 1.0), None], ids=["bounded", "open"])
@pytest.mark.parametrize("name", WINDOWS)
def test_quantiles_are_those_of_brute_force(name: str, bounds: tuple[float, float] | None) -> None:
    points, truth = WINDOWS[name]
    run = draw_run(points=points, budget=4000, seed=2, **truth)
    low, high = bounds or (None, None)
    posterior = fit_posterior(select_window(run, fraction=1), SIGMOID, RewardRange(low=low, high=high, origin="given"))
    brute = weigh_prior_draws(run.compute, run.reward, draws=3_000_000, bounds=bounds)
    assert brute.effective_size > 300
    sampling = 3 * 0.5 / np.sqrt(brute.effective_size)
    far = 4 * float(run.compute[-1])
    for ours, theirs in (
        (posterior.asymptote, brute.asymptote),
        (posterior.start, brute.start),
        (posterior.curve(np.array([far]))[:, 0], brute.reward_at(far)),
    ):
        # Where our quantiles stand in the other distribution.
        ranks = brute.ranks(np.quantile(ours, LEVELS), theirs)
        np.testing.assert_allclose(ranks, LEVELS, atol=0.07 + sampling)
    # Shape parameters stand on the nodes of a grid, a fraction of their spread apart.
    for ours, theirs in ((posterior.efficiency, brute.efficiency), (np.exp(posterior.log_midpoint), brute.midpoint)):
        ranks = brute.ranks(np.quantile(ours, LEVELS), theirs)
        np.testing.assert_allclose(ranks, LEVELS, atol=0.27 + sampling)
