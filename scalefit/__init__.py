"""Forecast where a reinforcement-learning run ends from the first quarter of its log, with bands that hold.

>>> import scalefit
>>> run = scalefit.read_run("run.csv")  # doctest: +SKIP
>>> forecast = scalefit.predict(run, scalefit.Settings(budget=16000))  # doctest: +SKIP
>>> forecast.final.robust_estimate, forecast.final.robust_low, forecast.final.robust_high  # doctest: +SKIP
(0.62, 0.58, 0.66)
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scalefit.errors import LogError, NotEnoughDataError, ScalefitError, UsageError
    from scalefit.forecast import Band, Estimate, Final, Forecast, Outcome, Reach, Settings, predict
    from scalefit.logs import ReadOptions, read_run, read_runs
    from scalefit.run import Caveat, FitWindow, RewardRange, Run, Source

__all__ = [
    "Band",
    "Caveat",
    "Estimate",
    "Final",
    "FitWindow",
    "Forecast",
    "LogError",
    "NotEnoughDataError",
    "Outcome",
    "Reach",
    "ReadOptions",
    "RewardRange",
    "Run",
    "ScalefitError",
    "Settings",
    "Source",
    "UsageError",
    "predict",
    "read_run",
    "read_runs",
]

_HOMES = {
    "scalefit.errors": ("LogError", "NotEnoughDataError", "ScalefitError", "UsageError"),
    "scalefit.forecast": ("Band", "Estimate", "Final", "Forecast", "Outcome", "Reach", "Settings", "predict"),
    "scalefit.logs": ("ReadOptions", "read_run", "read_runs"),
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
