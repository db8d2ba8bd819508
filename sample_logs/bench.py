"""Time ``scalefit predict`` on each sample log, start-up and printing included: best and median of five runs."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

REPEATS = 5
"""Runs per log; the best of them is the least disturbed by other work on the machine."""


def seconds(log: Path) -> list[float]:
    """Return the wall-clock seconds of each repetition."""
    durations = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        subprocess.run(  # noqa: S603 - the command is this environment's own
            [sys.executable, "-m", "scalefit", "predict", "--format", "json", str(log)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        durations.append(time.perf_counter() - started)
    return durations


def main() -> None:
    """Print one row per log."""
    folder = Path(__file__).parent
    table = Table("log", "rows", "best (s)", "median (s)")
    for log in sorted([*folder.glob("*/progress.csv"), *folder.glob("simulated/*.csv")]):
        rows = len(log.read_text(encoding="utf-8").splitlines())
        durations = seconds(log)
        table.add_row(
            str(log.relative_to(folder)), str(rows), f"{min(durations):.2f}", f"{statistics.median(durations):.2f}"
        )
    Console().print(table)


if __name__ == "__main__":
    main()
