"""Forecasts: a run in, its forecast out.

`fit_run` fits the window once; `forecast_fit`, comparisons, gates and backtests all ask that fit.
"""

from scalefit.forecast.bands import BASELINE_POINTS, GRID_POINTS
from scalefit.forecast.fitting import choose_range, fit_run
from scalefit.forecast.outcomes import END_SHARE, outcome_of
from scalefit.forecast.prediction import forecast_fit, predict
from scalefit.forecast.settings import Settings
from scalefit.forecast.values import Band, Estimate, Final, Forecast, Outcome, Reach

__all__ = [
    "BASELINE_POINTS",
    "END_SHARE",
    "GRID_POINTS",
    "Band",
    "Estimate",
    "Final",
    "Forecast",
    "Outcome",
    "Reach",
    "Settings",
    "choose_range",
    "fit_run",
    "forecast_fit",
    "outcome_of",
    "predict",
]
