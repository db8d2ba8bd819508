"""Back-tests made by hand, so that summaries and reports are tested without a fit."""

import dataclasses
from typing import Any, cast

from scalefit.backtest import BacktestScore, collect, rank_laws
from scalefit.forecast import Outcome, Settings
from scalefit.model.departure import SHIPPED
from scalefit.report.backtest.study import ReadRun, Study
from scalefit.run import Caveat, Source


def make_outcome(**changes: float) -> Outcome:
    """Return an outcome inside both bands, with the fields given replaced."""
    plain = {
        "points": 30,
        "observed": 0.5,
        "error": -0.02,
        "robust_error": 0.01,
        "covered": True,
        "covered_robust": True,
        "low": 0.45,
        "high": 0.55,
        "robust_low": 0.4,
        "robust_high": 0.7,
        "baseline_error": -0.1,
        "points_covered": 0.9,
    }
    return Outcome(**cast("dict[str, Any]", {**plain, **changes}))


def make_score(run: str = "a.csv", fraction: float = 0.25, unit: float = 1.0, **changes: float) -> BacktestScore:
    """Return the score of one forecast, with the fields of its outcome replaced as given."""
    return BacktestScore(run=run, fraction=fraction, unit=unit, outcome=make_outcome(**changes), refusal=None)


def make_refusal(run: str = "a.csv", fraction: float = 0.25, reason: str = "2 usable points") -> BacktestScore:
    """Return the score of a run that could not be scored."""
    return BacktestScore(run=run, fraction=fraction, unit=1.0, outcome=None, refusal=reason)


def make_study(*laws: list[BacktestScore], notes: tuple[Caveat, ...] = ()) -> Study:
    """Return a study of scores, run by run and share by share, one list for each of the first few laws."""
    fractions = tuple(dict.fromkeys(score.fraction for score in laws[0]))
    names = ("sigmoid", "exponential", "power", "log-linear")
    backtests = tuple(collect(scores, fractions, Settings(law=name)) for name, scores in zip(names, laws, strict=False))
    runs = dict.fromkeys(score.run for score in laws[0])
    source = Source(
        path="a.csv",
        format="csv",
        x_column="gpu_hours",
        y_column="reward",
        derivation="gpu_hours",
        rows=40,
        skipped={},
        notes=notes,
    )
    return Study(
        backtests=backtests,
        standings=rank_laws(backtests) if len(laws) > 1 else (),
        runs=tuple(
            ReadRun(name=name, unit="gpu-hours", source=dataclasses.replace(source, path=name)) for name in runs
        ),
        calibration=SHIPPED,
        budget=None,
    )
