"""How often comparisons are right: simulated pairs of known truth, ties, crossings, and the time of a ranking.

Run it from the root of the checkout: ``python -m benchmarks.comparison [--pairs 500] [--fraction 0.25]``.
"""

import argparse
import dataclasses
import math
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Literal

import numpy as np

from scalefit.comparison import PairComparison, Recipe, RecipeDraws, compare, compare_pair
from scalefit.comparison.crossing import HORIZON, MATERIAL_SHARE, crossings
from scalefit.forecast import Settings, fit_run, forecast_fit
from scalefit.model.simulation import Truth, draw_rewards, mean_reward, spread_compute
from scalefit.run import Run, Source

BUDGET = 8000.0
POINTS = 200
CORRELATIONS = (0.0, 0.6, 0.9)
TIE = 0.02
Kind = Literal["different", "equal", "crossing"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A pair, and what came out."""

    correlation: float
    """Of the noise."""
    truths: tuple[Truth, Truth]
    """The curves."""
    crossing: float | None
    """True compute of the crossing."""
    pair: PairComparison
    """The comparison."""


def draw_truth(generator: np.random.Generator, correlation: float) -> Truth:
    """Return a curve like those of runs: efficiency 0.6-2.5, midpoint 0.02-0.6 of the run."""
    start = generator.uniform(0.05, 0.3)
    return Truth(
        asymptote=start + generator.uniform(0.2, 0.95 - start),
        efficiency=math.exp(generator.uniform(math.log(0.6), math.log(2.5))),
        midpoint=BUDGET * math.exp(generator.uniform(math.log(0.02), math.log(0.6))),
        start=start,
        noise_sd=math.exp(generator.uniform(math.log(0.005), math.log(0.03))),
        autocorrelation=correlation,
    )


def true_crossing(truths: tuple[Truth, Truth]) -> float | None:
    """Return where two curves cross within the budget; None if they do not."""
    compute = np.geomspace(BUDGET / POINTS, BUDGET * HORIZON, 4000)
    difference = mean_reward(truths[0], compute) - mean_reward(truths[1], compute)
    where, _ = crossings(np.log(compute), difference[None, :], MATERIAL_SHARE * TIE)
    return float(np.exp(where[0])) if np.isfinite(where[0]) and np.exp(where[0]) <= BUDGET else None


def draw_pair(kind: Kind, generator: np.random.Generator, correlation: float) -> tuple[Truth, Truth]:
    """Return two curves of a kind: with different ceilings, one and the same, or crossing within the budget."""
    while True:
        one, other = draw_truth(generator, correlation), draw_truth(generator, correlation)
        if kind == "equal":
            return one, one
        # Recipes of one study start from one model.
        other = dataclasses.replace(other, start=one.start)
        if kind == "different" or true_crossing((one, other)) is not None:
            return one, other


def make_run(name: str, truth: Truth, seed: int) -> Run:
    """Return a run drawn from a curve."""
    compute = spread_compute(points=POINTS, budget=BUDGET)
    source = Source(
        path=name,
        format="csv",
        x_column="gpu_hours",
        y_column="reward",
        derivation="",
        rows=POINTS,
        skipped={},
        notes=(),
    )
    return Run(
        name=name,
        unit="gpu-hours",
        compute=compute,
        reward=draw_rewards(truth, compute, seed=seed),
        replicate=np.zeros(POINTS, dtype=np.int64),
        source=source,
    )


def compare_drawn(kind: Kind, index: int, fraction: float) -> Outcome:
    """Return the comparison of the index-th pair of a kind."""
    generator = np.random.default_rng([index, ("different", "equal", "crossing").index(kind)])
    correlation = CORRELATIONS[index % len(CORRELATIONS)]
    truths = draw_pair(kind, generator, correlation)
    settings = Settings(fraction=fraction, reward_range=(0.0, 1.0))
    recipes = []
    for name, truth in zip("ab", truths, strict=True):
        run = make_run(name, truth, int(generator.integers(2**31)))
        recipes.append(Recipe(name=name, fits=(fit_run(run, settings),), forecasts=()))
    pair = compare_pair(RecipeDraws(recipes[0], 0), RecipeDraws(recipes[1], 1), level=0.9, tie=TIE)
    if not isinstance(pair, PairComparison):
        raise TypeError(pair.reason)
    return Outcome(correlation=correlation, truths=truths, crossing=true_crossing(truths), pair=pair)


def compare_many(kind: Kind, count: int, fraction: float, jobs: int = 2) -> list[Outcome]:
    """Return the comparisons of the first pairs of a kind."""
    if jobs == 1:
        return [compare_drawn(kind, index, fraction) for index in range(count)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(compare_drawn, [kind] * count, range(count), [fraction] * count, chunksize=10))


def called_right(outcomes: list[Outcome], question: str, level: float = 0.9) -> tuple[int, int]:
    """Return how many pairs a question is answered for with at least that probability, and how many rightly."""
    called = right = 0
    for outcome in outcomes:
        one, other = outcome.truths
        end = np.array([outcome.pair.at_budget.compute])
        probability, truth = {
            "asymptote": (outcome.pair.asymptote.probability_a_higher, one.asymptote - other.asymptote),
            "at_budget": (
                outcome.pair.at_budget.probability_a_higher,
                float((mean_reward(one, end) - mean_reward(other, end))[0]),
            ),
            "efficiency": (outcome.pair.efficiency.probability_a_higher, one.efficiency - other.efficiency),
        }[question]
        if max(probability, 1 - probability) >= level:
            called += 1
            right += (probability > 0.5) == (truth > 0)
    return called, right


def verdicts_right(outcomes: list[Outcome], what: str) -> tuple[int, int]:
    """Return how many verdicts of a kind there are, and how many name the true winner."""
    called = right = 0
    for outcome in outcomes:
        if outcome.pair.verdict.endswith(what):
            one, other = outcome.truths
            truth = one.asymptote - other.asymptote if what == "ceiling" else one.efficiency - other.efficiency
            called += 1
            right += outcome.pair.verdict.startswith("a-") == (truth > 0)
    return called, right


def crossing_coverage(outcomes: list[Outcome]) -> float:
    """Return how often the interval of the crossing holds the true one."""
    held = 0
    for outcome in outcomes:
        found, truth = outcome.pair.crossing.compute, outcome.crossing
        if found.low is not None and found.high is not None and truth is not None:
            held += found.low <= truth <= found.high
    return held / len(outcomes)


def ranking_time(count: int) -> tuple[float, float]:
    """Return seconds that fitting and forecasting runs take, and that comparing them takes on top."""
    generator = np.random.default_rng(7)
    runs = [make_run(f"run {index}", draw_truth(generator, 0.6), index) for index in range(count)]
    settings = Settings(reward_range=(0.0, 1.0))
    begin = time.perf_counter()
    recipes = []
    for run in runs:
        fit = fit_run(run, settings)
        recipes.append(Recipe(name=run.name, fits=(fit,), forecasts=(forecast_fit(fit, settings),)))
    fitted = time.perf_counter()
    compare(recipes)
    return fitted - begin, time.perf_counter() - fitted


def main() -> None:
    """Print every figure beside what it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--fraction", type=float, default=0.25)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    different = compare_many("different", asked.pairs, asked.fraction, asked.jobs)
    for correlation in CORRELATIONS:
        some = [outcome for outcome in different if outcome.correlation == correlation]
        parts = []
        for question in ("asymptote", "at_budget", "efficiency"):
            called, right = called_right(some, question)
            parts.append(f"{question} {right}/{called}={right / max(called, 1):.3f}")
        for what in ("ceiling", "efficient"):
            called, right = verdicts_right(some, what)
            parts.append(f"verdict {what} {right}/{called}={right / max(called, 1):.3f}")
        print(f"correlation {correlation}: right when called at >= 0.9 (must be 0.87): {', '.join(parts)}")
    equal = compare_many("equal", asked.pairs // 2, asked.fraction, asked.jobs)
    words = [str(outcome.pair.verdict) for outcome in equal]
    shares = {word: round(words.count(word) / len(words), 3) for word in sorted(set(words))}
    print(
        f"equal curves: verdicts {shares}; called different must be <= 0.10: "
        f"{1 - words.count('no-clear-difference') / len(words):.3f}"
    )
    called, _ = called_right(equal, "asymptote")
    print(f"equal curves: ceilings at >= 0.9 in {called / len(equal):.3f}")
    crossing = compare_many("crossing", asked.pairs * 3 // 5, asked.fraction, asked.jobs)
    print(f"crossing: interval holds the true one in {crossing_coverage(crossing):.3f} of {len(crossing)} (0.85-0.95)")
    for correlation in CORRELATIONS:
        some = [outcome for outcome in crossing if outcome.correlation == correlation]
        print(
            f"  correlation {correlation}: {crossing_coverage(some):.3f}, "
            f"mean probability {np.mean([outcome.pair.crossing.probability for outcome in some]):.2f}"
        )
    predict, further = ranking_time(200)
    print(f"200 runs: predict {predict:.1f} s, ranking on top {further:.1f} s (at most as much again)")


if __name__ == "__main__":
    main()
