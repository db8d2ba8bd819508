"""A back-test as CSV: one row for each run, share seen and law, full precision, an empty cell for the unknown."""

import csv
import io

from scalefit.backtest import BacktestScore
from scalefit.report.backtest.json import score_object
from scalefit.report.backtest.study import Study
from scalefit.report.csv import Cell, as_cell

COLUMNS = (
    "run", "fraction", "law", "points", "observed", "error", "robust_error", "covered", "covered_robust", "low", "high",
    "robust_low", "robust_high", "baseline_error", "points_covered", "range", "interval_score", "interval_score_robust",
    "refusal",
)  # fmt: skip


def render_study(study: Study) -> str:
    """Return a header and one row for each forecast; those that cannot be scored have a reason and no numbers.

    Parameters
    ----------
    study
        The back-test.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for backtest in study.backtests:
        for score in backtest.scores:
            writer.writerow(_row(score, backtest.law, study.first.level))
    return text.getvalue()


def _row(score: BacktestScore, law: str, level: float) -> dict[str, Cell]:
    values = score_object(score, law, level)
    row = {name: value for name, value in values.items() if isinstance(value, str | bool | int | float)}
    return {name: as_cell(row.get(name)) for name in COLUMNS[:-1]} | {"refusal": as_cell(score.refusal)}
