"""Times the readers against pandas, in pairs, and measures the memory they add; needs ``pip install pandas``.

    python benchmarks/reading.py [--rows 1000000] [--pairs 7]

A ratio below 1 means that scalefit is the faster one. Both read the same file from the disk cache; scalefit also
finds its columns, sorts, checks and builds the run.
"""

import argparse
import functools
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from scalefit.logs import read_run

MEMORY = """
import sys
from scalefit.logs import read_run
import simdjson, scipy
def peak():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) / 1024
read_run(sys.argv[2])
before = peak()
read_run(sys.argv[1])
print(peak() - before)
"""
"""A small log is read first, so that what is imported on the way does not count."""


def write_logs(folder: Path, rows: int) -> dict[str, Path]:
    """Write one curve as CSV and as JSONL."""
    draw = random.Random(1)  # noqa: S311 -- noise, not secrets
    paths = {"csv": folder / "log.csv", "jsonl": folder / "log.jsonl"}
    with paths["csv"].open("w") as table, paths["jsonl"].open("w") as records:
        table.write("step,gpu_hours,reward,entropy\n")
        for step in range(1, rows + 1):
            compute = step * 8000 / rows
            reward = 0.1 + 0.52 / (1 + math.pow(250 / compute, 1.6)) + draw.gauss(0, 0.05)
            entropy = draw.random()
            table.write(f"{step},{compute:.6f},{reward:.8f},{entropy:.8f}\n")
            record = {"step": step, "gpu_hours": round(compute, 6), "reward": reward, "entropy": entropy}
            records.write(json.dumps(record) + "\n")
    return paths


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes."""
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def main() -> None:
    """Print a line per format."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        paths = write_logs(Path(name), arguments.rows)
        small = Path(name) / "small.csv"
        small.write_text("gpu_hours,reward\n1,0.1\n2,0.2\n")
        others: dict[str, Callable[[], object]] = {
            "csv": lambda: pd.read_csv(paths["csv"]),
            "jsonl": lambda: pd.read_json(paths["jsonl"], lines=True),
        }
        for kind, path in paths.items():
            own = [0.0] * arguments.pairs
            other = [0.0] * arguments.pairs
            read = functools.partial(read_run, str(path))
            read()
            others[kind]()
            for pair in range(arguments.pairs):
                own[pair] = seconds(read)
                other[pair] = seconds(others[kind])
            ratio = statistics.median(a / b for a, b in zip(own, other, strict=True))
            added = subprocess.run(
                [sys.executable, "-c", MEMORY, str(path), str(small)], capture_output=True, text=True, check=True
            ).stdout
            sys.stdout.write(
                f"{kind:6} {path.stat().st_size / 1e6:6.1f} MB  scalefit {min(own):.2f} s  pandas {pd.__version__} "
                f"{min(other):.2f} s  ratio {ratio:.2f} (median of {arguments.pairs} pairs)  "
                f"memory added {float(added):.0f} MiB\n"
            )


if __name__ == "__main__":
    main()
