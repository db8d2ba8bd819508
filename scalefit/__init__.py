"""Forecast where a reinforcement-learning run ends from the first quarter of its log, with bands that hold.

>>> import scalefit
>>> run = scalefit.read_run("run.csv")  # doctest: +SKIP
>>> forecast = scalefit.predict(run, scalefit.Settings(budget=16000))  # doctest: +SKIP
>>> forecast.final.robust_estimate, forecast.final.robust_low, forecast.final.robust_high  # doctest: +SKIP
(0.62, 0.58, 0.66)

`compare` takes recipes (`Recipe`, of one `Fit` a seed), `check_run` a policy, `backtest_runs` and `calibrate` finished
runs. What a policy may demand (`Asymptote`, `Final`, `Reach`, ...) is in `scalefit.gate`.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scalefit.backtest import Backtest, BacktestScore, BacktestSummary, backtest_runs
    from scalefit.calibration import calibrate
    from scalefit.caveats import Fit
    from scalefit.comparison import Comparison, Incomparable, PairComparison, Recipe, compare
    from scalefit.errors import LogError, NotEnoughDataError, ScalefitError, UsageError
    from scalefit.forecast import (
        Band,
        Estimate,
        Final,
        Forecast,
        Outcome,
        Reach,
        Settings,
        fit_run,
        forecast_fit,
        predict,
    )
    from scalefit.gate import Gate, GateVerdict, Policy, RunVerdict, Severity, State, check_run
    from scalefit.logs import ReadOptions, read_run, read_runs
    from scalefit.model.departure import Calibration, DepartureRates
    from scalefit.run import Caveat, FitWindow, RewardRange, Run, Source

__all__ = [
    "Backtest",
    "BacktestScore",
    "BacktestSummary",
    "Band",
    "Calibration",
    "Caveat",
    "Comparison",
    "DepartureRates",
    "Estimate",
    "Final",
    "Fit",
    "FitWindow",
    "Forecast",
    "Gate",
    "GateVerdict",
    "Incomparable",
    "LogError",
    "NotEnoughDataError",
    "Outcome",
    "PairComparison",
    "Policy",
    "Reach",
    "ReadOptions",
    "Recipe",
    "RewardRange",
    "Run",
    "RunVerdict",
    "ScalefitError",
    "Settings",
    "Severity",
    "Source",
    "State",
    "UsageError",
    "backtest_runs",
    "calibrate",
    "check_run",
    "compare",
    "fit_run",
    "forecast_fit",
    "predict",
    "read_run",
    "read_runs",
]

_HOMES = {
    "scalefit.backtest": ("Backtest", "BacktestScore", "BacktestSummary", "backtest_runs"),
    "scalefit.calibration": ("calibrate",),
    "scalefit.caveats": ("Fit",),
    "scalefit.comparison": ("Comparison", "Incomparable", "PairComparison", "Recipe", "compare"),
    "scalefit.errors": ("LogError", "NotEnoughDataError", "ScalefitError", "UsageError"),
    "scalefit.forecast": (
        "Band",
        "Estimate",
        "Final",
        "Forecast",
        "Outcome",
        "Reach",
        "Settings",
        "fit_run",
        "forecast_fit",
        "predict",
    ),
    "scalefit.gate": ("Gate", "GateVerdict", "Policy", "RunVerdict", "Severity", "State", "check_run"),
    "scalefit.logs": ("ReadOptions", "read_run", "read_runs"),
    "scalefit.model.departure": ("Calibration", "DepartureRates"),
    "scalefit.run": ("Caveat", "FitWindow", "RewardRange", "Run", "Source"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a name when it is first used: the command line starts without waiting for numpy."""
    if name not in _HOME_OF:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(importlib.import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
