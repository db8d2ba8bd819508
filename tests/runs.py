"""Runs made in memory, so that the numbers are tested without files."""

import csv
import gzip
import io
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scalefit.model.simulation import Truth, draw_rewards, spread_compute
from scalefit.run import FloatArray, Run, Source


def make_run(
    compute: npt.ArrayLike, reward: npt.ArrayLike, *, column: str = "reward", replicate: npt.ArrayLike | None = None
) -> Run:
    """Return a run of the rows given, as a reader would build it."""
    x = np.asarray(compute, dtype=np.float64)
    return Run(
        name="run.csv",
        unit="gpu-hours",
        compute=x,
        reward=np.asarray(reward, dtype=np.float64),
        replicate=np.zeros(x.size, dtype=np.int64) if replicate is None else np.asarray(replicate, dtype=np.int64),
        source=Source(
            path="run.csv",
            format="csv",
            x_column="gpu_hours",
            y_column=column,
            derivation="gpu_hours",
            rows=int(x.size),
            skipped={},
            notes=(),
        ),
    )


def make_truth(**changes: float) -> Truth:
    """Return a plain curve with a little noise, with the values given replaced."""
    plain = {
        "asymptote": 0.62,
        "efficiency": 1.6,
        "midpoint": 1000.0,
        "start": 0.1,
        "noise_sd": 0.01,
        "autocorrelation": 0.0,
    }
    return Truth(**{**plain, **changes})


def draw_run(*, points: int = 200, budget: float = 16000.0, seed: int = 0, **changes: float) -> Run:
    """Return a run drawn from a plain curve, with the values of its truth replaced as given."""
    compute = spread_compute(points=points, budget=budget)
    return make_run(compute, draw_rewards(make_truth(**changes), compute, seed=seed))


def read_columns(path: Path) -> dict[str, list[str]]:
    """Return the columns of a CSV file, plain or gzip, by name: tests of the numbers do without the readers."""
    raw = path.read_bytes()
    text = gzip.decompress(raw).decode() if path.suffix == ".gz" else raw.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def log_spaced(first: float, last: float, points: int) -> FloatArray:
    """Return equal ratios from one end to the other."""
    return np.asarray(np.geomspace(first, last, points), dtype=np.float64)
