"""Time one fit of 50 points against scipy's bounded curve_fit with covariance, in one process.

usage: python benchmarks/engine.py [REPEATS]
"""

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeWarning, curve_fit

from scalefit.model.curves import SIGMOID
from scalefit.model.posterior import fit_posterior
from scalefit.model.simulation import Truth, draw_rewards, spread_compute
from scalefit.run import FitWindow, RewardRange

Floats = npt.NDArray[np.float64]


def _sigmoid(compute: Floats, start: float, asymptote: float, efficiency: float, midpoint: float) -> Floats:
    return np.asarray(start + (asymptote - start) / (1 + (midpoint / compute) ** efficiency))


def _windows(count: int) -> list[FitWindow]:
    generator = np.random.default_rng(0)
    windows = []
    for seed in range(count):
        truth = Truth(
            asymptote=float(generator.uniform(0.4, 0.9)),
            efficiency=float(generator.uniform(0.6, 2.5)),
            midpoint=float(generator.uniform(200, 8000)),
            start=float(generator.uniform(0.02, 0.2)),
            noise_sd=float(generator.uniform(0.01, 0.03)),
            autocorrelation=float(generator.choice([0.0, 0.6, 0.9])),
        )
        compute = spread_compute(points=200, budget=16_000)[:50]
        reward = draw_rewards(truth, compute, seed=seed)
        series = np.zeros(50, dtype=np.int64)
        first, last = float(compute[0]), float(compute[-1])
        windows.append(
            FitWindow(
                fraction=0.25,
                budget=16_000.0,
                start=first,
                end=last,
                compute=compute,
                reward=reward,
                replicate=series,
            )
        )
    return windows


def _least_squares(window: FitWindow) -> None:
    end = window.end
    bounds = ([0.0, 0.0, 0.05, 1e-3 * end], [1.0, 1.0, 10.0, 1e3 * end])
    guess = (float(np.clip(window.reward[:3].mean(), 0, 1)), float(np.clip(window.reward.max(), 0, 1)), 1.4, end / 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimizeWarning)
        curve_fit(_sigmoid, window.compute, window.reward, p0=guess, bounds=bounds, max_nfev=10_000)


def _posterior(window: FitWindow) -> None:
    fit_posterior(window, SIGMOID, RewardRange(low=0.0, high=1.0, origin="given"))


def _seconds(fit: Callable[[FitWindow], None], windows: list[FitWindow]) -> Floats:
    elapsed = []
    for window in windows:
        began = time.perf_counter()
        fit(window)
        elapsed.append(time.perf_counter() - began)
    return np.array(elapsed)


def main() -> None:
    """Print the medians of both and their ratio."""
    windows = _windows(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
    for fit in (_posterior, _least_squares):
        fit(windows[0])  # imports and caches are no part of a fit
    ours, theirs = _seconds(_posterior, windows), _seconds(_least_squares, windows)
    for name, values in (("fit_posterior", ours), ("curve_fit, bounded, with covariance", theirs)):
        print(f"{name}: median {np.median(values) * 1e3:.1f} ms, mean {values.mean() * 1e3:.1f} ms")
    print(f"ratio of medians {np.median(ours) / np.median(theirs):.2f}, of means {ours.mean() / theirs.mean():.2f}")


if __name__ == "__main__":
    main()
