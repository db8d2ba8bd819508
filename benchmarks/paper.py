"""Forecast the runs of the ScaleRL figures from a quarter and a half, and print each beside what happened.

usage: python benchmarks/paper.py PAPER

PAPER holds the points read off the figures: ``*digitized*.csv`` with the columns run, gpu_hours, pass_rate_mean16 and,
where there are several figures, figure.
"""

import csv
import pathlib
import sys

import numpy as np

from scalefit.backtest import score_run
from scalefit.forecast import Outcome, Settings
from scalefit.run import Run, Source

FRACTIONS = (0.25, 0.5)


def read_figures(folder: pathlib.Path) -> list[Run]:
    """Return one run for each curve of each figure."""
    points: dict[str, list[tuple[float, float]]] = {}
    for path in sorted(folder.glob("*digitized*.csv")):
        with path.open(encoding="utf-8") as source:
            for row in csv.DictReader(source):
                name = f"{row.get('figure', 'Fig1')}: {row['run']}"
                points.setdefault(name, []).append((float(row["gpu_hours"]), float(row["pass_rate_mean16"])))
    return [
        Run(
            name=name,
            unit="gpu-hours",
            compute=np.array([compute for compute, _ in sorted(rows)]),
            reward=np.array([reward for _, reward in sorted(rows)]),
            replicate=np.zeros(len(rows), dtype=np.int64),
            source=Source(
                path=str(folder),
                format="csv",
                x_column="gpu_hours",
                y_column="pass_rate_mean16",
                derivation="gpu_hours (GPU-hours)",
                rows=len(rows),
                skipped={},
                notes=(),
            ),
        )
        for name, rows in points.items()
    ]


def main(folder: pathlib.Path) -> None:
    """Print a line for each run and share seen, and the medians."""
    runs = read_figures(folder)
    for fraction in FRACTIONS:
        print(f"{fraction:g} seen{'':32} observed  error  robust          band    robust band    last three")
        scored: list[Outcome] = []
        for run in runs:
            score = score_run(run, fraction, Settings())
            if score.outcome is None:
                print(f"{run.name[:40]:40} not scored: {score.refusal}")
                continue
            outcome = score.outcome
            scored.append(outcome)
            print(
                f"{run.name[:40]:40} {outcome.observed:8.3f} {outcome.error:6.3f} {outcome.robust_error:7.3f} "
                f"{outcome.low:.3f}-{outcome.high:.3f}{' ' if outcome.covered else '!'} "
                f"{outcome.robust_low:.3f}-{outcome.robust_high:.3f}{' ' if outcome.covered_robust else '!'} "
                f"{outcome.baseline_error:9.3f}"
            )
        for title, errors in (
            ("law", [outcome.error for outcome in scored]),
            ("robust", [outcome.robust_error for outcome in scored]),
            ("last three points", [outcome.baseline_error for outcome in scored]),
        ):
            size = np.abs(errors)
            print(f"  {title:18} median error {np.median(size):.3f}, worst {size.max():.3f}")
        print(
            f"  {len(scored)} runs: band holds {sum(outcome.covered for outcome in scored)}, "
            f"robust band {sum(outcome.covered_robust for outcome in scored)}\n"
        )


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
