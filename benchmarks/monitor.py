"""How often `scalefit check` is wrong on runs of known truth, and how soon it is right.

``python benchmarks/monitor.py`` draws runs with fixed seeds, looks at each 20 times, and prints one line per figure.
``--runs`` makes it shorter, ``--jobs`` spreads it over processes; neither changes a run that both draw.
"""

import argparse
import dataclasses
import json
import math
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from scalefit.caveats import Fit
from scalefit.forecast import Settings, fit_run, forecast_fit
from scalefit.model.simulation import Truth, draw_rewards, spread_compute
from scalefit.monitor import follow_reference, measure_fall
from scalefit.run import FitWindow, FloatArray, RewardRange, Run, Source, select_window

POINTS, BUDGET, LOOKS = 200, 16000.0, 20
UNIT = RewardRange(low=0.0, high=1.0, origin="given")
LEVEL = 0.9
DROP = 0.05


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One simulated run beside a reference of the same recipe."""

    truth: Truth
    compute: FloatArray
    reference: FloatArray
    reward: FloatArray


def draw(index: int, autocorrelation: float, *, noise_sd: float | None = None, lowered: float = 0.0,
         spread: float = 0.0) -> Drawn:  # fmt: skip
    """Return a run, its ceiling lowered and varied as asked, beside a reference that is neither."""
    generator = np.random.Generator(np.random.PCG64([index, 20_251]))
    truth = Truth(
        asymptote=float(generator.uniform(0.45, 0.85)),
        efficiency=float(np.exp(generator.normal(math.log(1.5), 0.25))),
        midpoint=BUDGET * float(np.exp(generator.uniform(math.log(0.02), math.log(0.2)))),
        start=float(generator.uniform(0.05, 0.3)),
        noise_sd=float(np.exp(generator.uniform(math.log(0.005), math.log(0.03)))) if noise_sd is None else noise_sd,
        autocorrelation=autocorrelation,
    )
    other = truth.asymptote - lowered + spread * float(generator.normal())
    compute = spread_compute(points=POINTS, budget=BUDGET)
    return Drawn(
        truth=truth,
        compute=compute,
        reference=draw_rewards(truth, compute, seed=2 * index),
        reward=draw_rewards(dataclasses.replace(truth, asymptote=other), compute, seed=2 * index + 1),
    )


def as_run(compute: FloatArray, reward: FloatArray) -> Run:
    """Return a run as a reader would build it."""
    source = Source(path="drawn", format="drawn", x_column="gpu_hours", y_column="reward", derivation="gpu_hours",
                    rows=compute.size, skipped={}, notes=())  # fmt: skip
    return Run(name="drawn", unit="gpu-hours", compute=compute, reward=reward,
               replicate=np.zeros(compute.size, dtype=np.int64), source=source)  # fmt: skip


def fitted(compute: FloatArray, reward: FloatArray) -> Fit:
    """Return the fit of a whole run."""
    return fit_run(as_run(compute, reward), Settings(fraction=1.0, reward_range=(0.0, 1.0)))


def looks(drawn: Drawn, *, last: int = POINTS) -> Iterator[FitWindow]:
    """Yield what is logged at each of 20 looks at equal steps."""
    for end in np.linspace(POINTS // LOOKS, POINTS, LOOKS).astype(int):
        if end <= last:
            yield select_window(as_run(drawn.compute[:end], drawn.reward[:end]), fraction=1.0)


def is_flagged(drawn: Drawn, *, last: int = POINTS, spread: float | None = None) -> bool:
    """Return whether on_track fails at any look."""
    reference = fitted(drawn.compute, drawn.reference)
    limit = -math.log(1 - LEVEL)
    return any(
        follow_reference(window, reference, level=LEVEL, spread=spread).log_evidence >= limit
        for window in looks(drawn, last=last)
    )


def false_alarm(task: tuple[int, float]) -> bool:
    """Return whether a healthy run is called worse than its reference at any look."""
    return is_flagged(draw(*task))


def false_alarm_without_spread(task: tuple[int, float]) -> bool:
    """Return the same, with no run-to-run spread allowed."""
    return is_flagged(draw(*task), spread=0.0)


def false_alarm_with_spread(task: tuple[int, float]) -> bool:
    """Return the same at the default spread, for runs whose ceilings do vary by it."""
    return is_flagged(draw(*task, spread=0.0125))


def false_collapse(task: tuple[int, float]) -> bool:
    """Return whether a healthy run is called collapsed at any look."""
    return any(measure_fall(window, UNIT).low > DROP for window in looks(draw(*task)))


def lowered_is_flagged(task: tuple[int, float]) -> bool:
    """Return whether a ceiling lowered by 0.05 is seen before half of the run, no spread assumed."""
    return is_flagged(draw(*task, noise_sd=0.01, lowered=0.05), last=POINTS // 2, spread=0.0)


def lowered_is_flagged_at_spread(task: tuple[int, float]) -> bool:
    """Return the same at the default spread."""
    return is_flagged(draw(*task, noise_sd=0.01, lowered=0.05), last=POINTS // 2)


def collapse_is_seen(task: tuple[int, float]) -> bool:
    """Return whether a collapse of 0.1 after two thirds of the run is seen within 20 points."""
    drawn = draw(*task, noise_sd=0.01)
    onset = 2 * POINTS // 3
    reward = drawn.reward - 0.1 * (np.arange(POINTS) >= onset)
    seen = slice(0, onset + 20)
    window = select_window(as_run(drawn.compute[seen], reward[seen]), fraction=1.0)
    return measure_fall(window, UNIT).low > DROP


def asymptote_is_misjudged(task: tuple[int, float]) -> bool:
    """Return whether a gate on the asymptote at the truth +- 0.05 is wrong at half of the run."""
    drawn = draw(*task)
    half = slice(0, POINTS // 2)
    settings = Settings(fraction=1.0, budget=BUDGET, reward_range=(0.0, 1.0))
    run = as_run(drawn.compute[half], drawn.reward[half])
    interval = forecast_fit(fit_run(run, settings), settings).asymptote
    wrong_pass = interval.low is not None and interval.low >= drawn.truth.asymptote + 0.05
    wrong_fail = interval.high is not None and interval.high < drawn.truth.asymptote - 0.05
    return wrong_pass or wrong_fail


FIGURES: dict[str, tuple[Callable[[tuple[int, float]], bool], str, float]] = {
    "false alarms of on_track": (false_alarm, "<=", 0.10),
    "false alarms of on_track, no spread allowed": (false_alarm_without_spread, "<=", 0.10),
    "false alarms of on_track, runs that vary by the default spread": (false_alarm_with_spread, "<=", 0.10),
    "false alarms of no_collapse": (false_collapse, "<=", 0.02),
    "ceiling lowered by 0.05 flagged by half, no spread": (lowered_is_flagged, ">=", 0.70),
    "ceiling lowered by 0.05 flagged by half, default spread": (lowered_is_flagged_at_spread, ">=", 0.0),
    "collapse of 0.1 seen within 20 points": (collapse_is_seen, ">=", 0.95),
    "asymptote gate wrong at the truth +- 0.05": (asymptote_is_misjudged, "<=", 0.05),
}
"""What is measured, and what it must be."""


def measure(name: str, indices: Iterable[int], autocorrelation: float, jobs: int) -> float:
    """Return the share of runs for which a figure holds."""
    tasks = [(index, autocorrelation) for index in indices]
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        held = list(pool.map(FIGURES[name][0], tasks, chunksize=4))
    return sum(held) / len(held)


def main() -> None:
    """Print every figure beside what it must be."""
    # One thread a worker: the arrays are small. Workers are started anew, so they read it before numpy is loaded.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500, help="runs for each figure")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes")
    parser.add_argument("--only", default="", help="measure the figures whose names match this pattern")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    chosen = parser.parse_args()
    missed = False
    for name, (_, relation, limit) in FIGURES.items():
        if not re.search(chosen.only, name):
            continue
        for autocorrelation in (0.6, 0.9):
            share = measure(name, range(chosen.runs), autocorrelation, chosen.jobs)
            holds = share <= limit if relation == "<=" else share >= limit
            missed |= not holds
            row = {"figure": name, "autocorrelation": autocorrelation, "share": share, "runs": chosen.runs,
                   "must": f"{relation} {limit:g}", "holds": holds}  # fmt: skip
            line = json.dumps(row) if chosen.json else (
                f"{name:<64} rho {autocorrelation:g}: {share:.3f} (must {relation} {limit:g}, {chosen.runs} runs)"
                + ("" if holds else "  MISSED")
            )  # fmt: skip
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    sys.exit(missed)


if __name__ == "__main__":
    main()
