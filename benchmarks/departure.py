"""Learn the departure rates from a folder of curves, and score them on sources that they were not learned from.

usage: python benchmarks/departure.py CURVES [--leave-out]

CURVES holds ``INDEX.csv`` (columns slug, source_slug) and ``<slug>.csv`` (columns x, y). Prints the rates learned from
all of them, which are the ones that are shipped (rounded); with ``--leave-out`` each source is scored with the rates
learned from the others, which is what the shipped rates are worth on runs of a new source.
"""

import csv
import dataclasses
import pathlib
import sys
from collections.abc import Iterable

import numpy as np

from scalefit.calibration import (
    GENERIC_BOUNDED,
    GENERIC_OPEN,
    LEARNING_FRACTIONS,
    Case,
    forecast_case,
    learn_rates,
    make_case,
)
from scalefit.forecast import Settings
from scalefit.logs import ReadOptions, read_run
from scalefit.model.departure import SHIPPED, DepartureRates

MINIMUM_ROWS, MINIMUM_WINDOW = 16, 6


def read_cases(folder: pathlib.Path) -> dict[float, list[Case]]:
    """Return the cases of every curve with enough rows, by the share seen."""
    cases: dict[float, list[Case]] = {fraction: [] for fraction in LEARNING_FRACTIONS}
    with (folder / "INDEX.csv").open(encoding="utf-8") as index:
        rows = list(csv.DictReader(index))
    for row in rows:
        run = read_run(str(folder / f"{row['slug']}.csv"), ReadOptions(x="x", y="y"))
        for fraction, found in cases.items():
            window = (run.compute > 0) & (run.compute <= fraction * run.compute[-1])
            if run.compute.size < MINIMUM_ROWS or window.sum() < MINIMUM_WINDOW:
                continue
            case = make_case(run, row["source_slug"], fraction, Settings())
            if case is not None:
                found.append(case)
    return cases


def report(title: str, pairs: Iterable[tuple[Case, DepartureRates]]) -> None:
    """Print error, coverage and interval score at 90 % of cases, each with its rates; rewards in 0-1 apart."""
    scored: dict[bool, list[tuple[float, float, float]]] = {True: [], False: []}
    for case, rates in pairs:
        draws = forecast_case(case, rates)
        low, middle, high = (float(np.quantile(draws, p)) for p in (0.05, rates.centre, 0.95))
        missed = max(low - case.observed, case.observed - high, 0.0)
        error = min(abs(middle - case.observed) / case.unit, 1.0)
        scored[case.unit == 1].append((error, missed == 0, (high - low + 20 * missed) / case.unit))
    for is_bounded, values in scored.items():
        if values:
            error, coverage, score = np.mean(values, axis=0)
            kind = "rewards in 0-1" if is_bounded else "other scales"
            print(
                f"{title:28} {kind:14} {len(values):4} runs  "
                f"error {error:.3f}  coverage {coverage:.3f}  score {score:.2f}"
            )


def main(folder: pathlib.Path, *, leave_out: bool) -> None:
    """Learn, print, and with ``leave_out`` score source by source."""
    cases = read_cases(folder)
    everything = [case for found in cases.values() for case in found]
    shipped = {True: SHIPPED.bounded, False: SHIPPED.open_scale}
    generic = {True: GENERIC_BOUNDED, False: GENERIC_OPEN}
    learned = {}
    for is_bounded in (True, False):
        mine = [case for case in everything if case.is_bounded == is_bounded]
        learned[is_bounded] = learn_rates(mine, generic[is_bounded])
        rates = {name: round(value, 3) for name, value in dataclasses.asdict(learned[is_bounded]).items()}
        print("bounded" if is_bounded else "open scale", len({case.source for case in mine}), "sources", rates)
    for fraction, found in cases.items():
        report(f"generic, {fraction} seen", [(case, generic[case.is_bounded]) for case in found])
        report(f"shipped, {fraction} seen", [(case, shipped[case.is_bounded]) for case in found])
        report(f"learned, {fraction} seen", [(case, learned[case.is_bounded]) for case in found])
    if not leave_out:
        return
    without: dict[tuple[str, bool], DepartureRates] = {}
    for source, is_bounded in sorted({(case.source, case.is_bounded) for case in everything}):
        others = [case for case in everything if case.is_bounded == is_bounded and case.source != source]
        without[source, is_bounded] = learn_rates(others, generic[is_bounded])
    for fraction, found in cases.items():
        report(f"source left out, {fraction} seen", [(case, without[case.source, case.is_bounded]) for case in found])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), leave_out="--leave-out" in sys.argv)
