"""How often the bands hold: nominal against observed coverage of both, and the worst misses of the robust one.

usage: python benchmarks/coverage.py FOLDER... [--fraction F] [--plot FILE]

FOLDER holds ``INDEX.csv`` (column slug) and ``<slug>.csv`` (columns x, y), or ``runs.csv.gz`` (columns run, gpu_hours,
reward); any other folder is read log by log as ``scalefit backtest`` would. One table for each folder, at 50, 80, 90
and 95 %, rewards of a known range apart from others; the ten worst misses at 90 %, one line each. Each run has the same
weight, so runs of one source, which are alike, make the coverage scatter further than their number says.
"""

import argparse
import csv
import dataclasses
import gzip
import pathlib
from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from scalefit.backtest import BacktestScore, collect, covered_by_chance, score_run
from scalefit.errors import ScalefitError
from scalefit.forecast import Settings
from scalefit.logs import ReadOptions, read_run, read_runs
from scalefit.run import Run, Source

LEVELS = (0.5, 0.8, 0.9, 0.95)
WORST = 10
Reliability = dict[float, tuple[float | None, float | None, int]]


def read_folder(folder: pathlib.Path) -> Iterator[Run]:
    """Yield the runs of a folder of curves, of simulated runs, or of logs."""
    index, drawn = folder / "INDEX.csv", folder / "runs.csv.gz"
    if drawn.exists():
        yield from read_drawn(drawn)
    elif index.exists():
        with index.open(encoding="utf-8") as stream:
            slugs = [row["slug"] for row in csv.DictReader(stream)]
        for slug in slugs:
            try:
                run = read_run(str(folder / f"{slug}.csv"), ReadOptions(x="x", y="y"))
            except ScalefitError as error:
                print(f"  not read: {error}")
                continue
            yield dataclasses.replace(run, name=slug)
    else:
        runs, failures = read_runs([str(folder)])
        for failure in failures:
            print(f"  not read: {failure.error}")
        yield from runs


def read_drawn(path: pathlib.Path) -> Iterator[Run]:
    """Yield the runs of one long table."""
    rows: dict[str, list[tuple[float, float]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            rows.setdefault(row["run"], []).append((float(row["gpu_hours"]), float(row["reward"])))
    for name, points in rows.items():
        compute, reward = np.array(points).T
        source = Source(
            path=str(path), format="csv", x_column="gpu_hours", y_column="reward", derivation="gpu_hours",
            rows=compute.size, skipped={}, notes=(),
        )  # fmt: skip
        replicate = np.zeros(compute.size, dtype=np.int64)
        yield Run(name=name, unit="gpu-hours", compute=compute, reward=reward, replicate=replicate, source=source)


def reliability_of(scores: dict[float, list[BacktestScore]], fraction: float, *, is_bounded: bool) -> Reliability:
    """Return level -> coverage of the curve's own band and of the robust one, and the number of runs."""
    found: Reliability = {}
    for level, some in scores.items():
        mine = [score for score in some if (score.unit == 1) is is_bounded]
        summary = collect(mine, (fraction,), Settings(level=level)).summaries[0]
        found[level] = summary.coverage, summary.coverage_robust, summary.runs
    return found


def report(title: str, reliability: Reliability) -> None:
    """Print nominal against observed coverage."""
    runs = reliability[LEVELS[0]][2]
    if not runs:
        return
    print(f"{title}: {runs} runs\n  {'nominal':>8} {'curve alone':>12} {'robust':>8}  by chance")
    for level, (curve, robust, _) in reliability.items():
        low, high = covered_by_chance(runs, level)
        print(f"  {level:8.2f} {curve:12.3f} {robust:8.3f}  {low:.3f} - {high:.3f}")


def report_worst(scores: list[BacktestScore]) -> None:
    """Print the runs that ended furthest outside the robust band, in shares of the reward's range."""
    missed = []
    for score in scores:
        outcome = score.outcome
        if outcome is not None and not outcome.covered_robust:
            above, below = outcome.observed - outcome.robust_high, outcome.robust_low - outcome.observed
            missed.append((max(above, below) / score.unit, "above" if above > 0 else "below", score.run, outcome))
    print(f"  the worst of {len(missed)} misses at 0.9")
    for distance, side, name, outcome in sorted(missed, key=lambda miss: -miss[0])[:WORST]:
        at_window = outcome.observed + outcome.baseline_error
        print(
            f"    {distance:7.3f} {side}  {name}: ended at {outcome.observed:.4g}, band {outcome.robust_low:.4g} - "
            f"{outcome.robust_high:.4g}, last seen {at_window:.4g}"
        )


def draw(found: dict[str, Reliability], path: str) -> None:
    """Write the reliability diagram of every folder."""
    figure = Figure(figsize=(4.2 * len(found), 4.4), layout="constrained")
    for panel, (title, reliability) in zip(
        figure.subplots(1, len(found), squeeze=False)[0], found.items(), strict=True
    ):
        levels = np.array(list(reliability))
        runs = reliability[LEVELS[0]][2]
        chance = np.array([covered_by_chance(runs, level) for level in levels])
        panel.fill_between(levels, chance[:, 0], chance[:, 1], color="0.5", alpha=0.2, lw=0, label="by chance")
        panel.plot([0, 1], [0, 1], color="0.5", lw=0.8, ls=":")
        for place, (name, style) in enumerate((("curve alone", "s--"), ("robust", "o-"))):
            observed = [reliability[level][place] for level in levels]
            panel.plot(levels, observed, style, color="tab:blue", alpha=0.5 + 0.5 * place, label=name)
        panel.set(xlim=(0.4, 1), ylim=(0, 1.02), xlabel="nominal", ylabel="observed", title=f"{title}, {runs} runs")
        panel.legend(fontsize=8, frameon=False, loc="upper left")
    figure.savefig(path, dpi=150)


def main() -> None:
    """Score, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--fraction", type=float, default=0.25)
    parser.add_argument("--plot")
    given = parser.parse_args()
    drawn: dict[str, Reliability] = {}
    for folder in given.folders:
        runs = list(read_folder(folder))
        scores = {level: [score_run(run, given.fraction, Settings(level=level)) for run in runs] for level in LEVELS}
        refused = [score for score in scores[LEVELS[0]] if score.outcome is None]
        print(f"{folder}: {len(runs)} runs, {given.fraction:g} of each seen, {len(refused)} refused")
        for is_bounded, kind in ((True, "rewards in 0-1"), (False, "other scales")):
            reliability = reliability_of(scores, given.fraction, is_bounded=is_bounded)
            report(f"{folder.name}, {kind}", reliability)
            if reliability[LEVELS[0]][2]:
                drawn[f"{folder.name}, {kind}"] = reliability
        report_worst(scores[0.9])
    if given.plot:
        draw(drawn, given.plot)


if __name__ == "__main__":
    main()
