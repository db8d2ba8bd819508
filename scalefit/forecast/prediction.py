"""The use case: a run in, its forecast out."""

import math

import numpy as np

from scalefit.caveats import Fit, find_caveats
from scalefit.forecast.bands import GRID_POINTS, baseline_of, draw_band
from scalefit.forecast.fitting import fit_run
from scalefit.forecast.intervals import centre, estimate, interval
from scalefit.forecast.outcomes import outcome_of
from scalefit.forecast.reaching import reach
from scalefit.forecast.settings import Settings
from scalefit.forecast.values import Estimate, Final, Forecast
from scalefit.model.posterior import Posterior
from scalefit.run import Run


def _compute_to_identify(posterior: Posterior, end: float) -> float | None:
    """Return about how much compute would make the asymptote known.

    A ceiling is known once the curve has bent: four fifths of the gain is where the bend stands out of the noise
    in runs of known truth. Further than a hundred windows nobody can say.
    """
    share, furthest = 0.8, 100.0
    log_compute = posterior.log_midpoint + math.log(share / (1 - share)) / posterior.efficiency
    needed = math.exp(float(np.median(log_compute)))
    if needed > furthest * end:
        return None
    return max(needed, 1.5 * end)


def _asymptote(posterior: Posterior, level: float, *, is_identified: bool) -> Estimate:
    """Return the asymptote with an interval that has an end only where the data give one."""
    if not posterior.law.has_asymptote:
        return Estimate(estimate=None, low=None, high=None)
    draws = posterior.asymptote
    low, _, high = (float(end) for end in interval(draws, level))
    return Estimate(
        estimate=float(np.clip(centre(draws, posterior), low, high)),
        low=None if posterior.minimize and not is_identified else low,
        high=high if posterior.minimize or is_identified else None,
    )


def predict(run: Run, settings: Settings | None = None) -> Forecast:
    """Forecast a run from the first part of its log.

    Parameters
    ----------
    run
        The run.
    settings
        What is asked; None: the defaults of the command line.

    Returns
    -------
    Forecast
        The same for the same run and settings, to the byte.

    Raises
    ------
    UsageError
        If a setting is out of its domain.
    NotEnoughDataError
        If the window holds fewer than four points.
    """
    settings = settings or Settings()
    return forecast_fit(fit_run(run, settings), settings)


def forecast_fit(fit: Fit, settings: Settings) -> Forecast:
    """Forecast a run that has been fitted with the same settings."""
    window, posterior, level = fit.window, fit.posterior, fit.level
    law, end, budget = posterior.law, window.end, max(window.budget, window.end)
    first = float(window.compute[window.compute > 0][0])
    grid = np.geomspace(end, budget, GRID_POINTS) if budget > end else np.array([end])
    grid[-1] = budget  # not a rounding error beside it
    forecast_at = np.unique(np.concatenate([grid, np.array(settings.at, dtype=np.float64)]))
    fitted = np.geomspace(first, end, GRID_POINTS) if end > first else np.array([end])
    band = draw_band(fit, forecast_at)
    final = int(np.searchsorted(forecast_at, budget))
    baseline = baseline_of(window)
    efficiency = posterior.efficiency * np.exp(posterior.efficiency_offset)
    midpoint = np.exp(posterior.log_midpoint + posterior.midpoint_offset)
    unknown = Estimate(estimate=None, low=None, high=None)
    outcome = outcome_of(fit)
    return Forecast(
        run=fit.run,
        window=window,
        law=law.name,
        level=level,
        reward_range=posterior.reward_range,
        minimize=settings.minimize,
        asymptote=_asymptote(posterior, level, is_identified=fit.is_identified),
        efficiency=estimate(efficiency, level) if law.has_efficiency else unknown,
        midpoint=estimate(midpoint, level) if law.has_midpoint else unknown,
        start=estimate(posterior.start, level) if law.has_start else unknown,
        noise_sd=float(np.median(posterior.point_sd)),
        noise_autocorrelation=float(posterior.correlation.mean()),
        is_identified=fit.is_identified,
        window_over_midpoint=float(np.median(end / midpoint)),
        compute_to_identify=None
        if fit.is_identified or fit.has_constant_reward or not law.has_midpoint
        else _compute_to_identify(posterior, end),
        fitted=draw_band(fit, fitted),
        band=band,
        final=Final(
            compute=budget,
            estimate=float(band.estimate[final]),
            low=float(band.low[final]),
            high=float(band.high[final]),
            robust_estimate=float(band.robust_estimate[final]),
            robust_low=float(band.robust_low[final]),
            robust_high=float(band.robust_high[final]),
            baseline=baseline,
        ),
        reach=tuple(reach(posterior, reward, level) for reward in settings.reach),
        outcome=outcome,
        caveats=(*fit.run.source.notes, *find_caveats(fit)),
    )
