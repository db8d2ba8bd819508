"""A forecast made by hand, so that reports are tested without a fit."""

import dataclasses
from typing import Any, cast

import numpy as np

from scalefit.forecast import Band, Estimate, Final, Forecast, Outcome, Reach
from scalefit.run import Caveat, FloatArray, RewardRange, Run, Source, select_window


def _curve(compute: FloatArray) -> FloatArray:
    return 0.1 + 0.52 / (1 + (250.0 / compute) ** 1.6)


def _band(compute: FloatArray) -> Band:
    mean = _curve(compute)
    return Band(
        compute=compute,
        estimate=mean,
        low=mean - 0.0123,
        high=mean + 0.0119,
        robust_estimate=mean + 0.004,
        robust_low=mean - 0.03,
        robust_high=mean + 0.05,
        observation_low=mean - 0.04,
        observation_high=mean + 0.06,
    )


def make_forecast(*, name: str = "runs/plain.csv", rows: int = 400, **changes: object) -> Forecast:
    """Return a forecast of a finished run, with the fields given replaced."""
    compute = np.linspace(16000 / rows, 16000, rows)
    run = Run(
        name=name,
        unit="gpu-hours",
        compute=compute,
        reward=_curve(compute) + 0.01 * np.sin(np.arange(rows) * 2.4),
        replicate=np.zeros(rows, dtype=np.int64),
        source=Source(
            path=name,
            format="csv",
            x_column="gpu_hours",
            y_column="reward",
            derivation="gpu_hours",
            rows=rows,
            skipped={"reward is not a number": 3},
            notes=(),
        ),
    )
    forecast = Forecast(
        run=run,
        window=select_window(run),
        law="sigmoid",
        level=0.9,
        reward_range=RewardRange(low=0.0, high=1.0, origin="window"),
        minimize=False,
        asymptote=Estimate(estimate=0.6181, low=0.6043, high=0.6345),
        efficiency=Estimate(estimate=1.623, low=1.481, high=1.792),
        midpoint=Estimate(estimate=247.31, low=221.4, high=274.9),
        start=Estimate(estimate=0.0987, low=0.081, high=0.115),
        noise_sd=0.0101,
        noise_autocorrelation=-0.0,
        is_identified=True,
        window_over_midpoint=16.17,
        compute_to_identify=None,
        fitted=_band(np.geomspace(40, 4000, 30)),
        band=_band(np.sort(np.append(np.geomspace(4000, 16000, 20), [9000.0]))),
        final=Final(
            compute=16000.0,
            estimate=0.6171,
            low=0.6049,
            high=0.6291,
            robust_estimate=0.6213,
            robust_low=0.5871,
            robust_high=0.6672,
            baseline=0.6049,
        ),
        reach=(
            Reach(reward=0.6, probability=0.93, compute=Estimate(estimate=2100.0, low=1800.0, high=2600.0)),
            Reach(reward=0.9, probability=0.02, compute=Estimate(estimate=None, low=None, high=None)),
        ),
        outcome=Outcome(
            points=300,
            observed=0.6188,
            error=-0.0017,
            robust_error=0.0025,
            covered=True,
            covered_robust=True,
            low=0.6045,
            high=0.6295,
            robust_low=0.587,
            robust_high=0.6675,
            baseline_error=-0.0139,
            points_covered=0.97,
        ),
        caveats=(Caveat(code="rows-sorted", message="2 rows were out of order and were sorted", evidence={"rows": 2}),),
    )
    return dataclasses.replace(forecast, **cast("dict[str, Any]", changes))
