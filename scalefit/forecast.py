"""The use case: a run in, its forecast out."""

import dataclasses
import math
import re
from typing import Literal

import numpy as np
from scipy.special import ndtri

from scalefit.caveats import Fit, find_caveats
from scalefit.errors import UsageError
from scalefit.model.curves import LAWS, Law
from scalefit.model.departure import SHIPPED, Calibration, Departure
from scalefit.model.posterior import Posterior, fit_posterior
from scalefit.model.sequences import radical_inverse
from scalefit.run import Caveat, FitWindow, FloatArray, RewardRange, Run, select_window

GRID_POINTS = 25
"""Compute values of a band between two ends."""

END_SHARE = 0.15
"""The outcome is the mean reward over the rows in this last share of the compute in the log."""

BASELINE_POINTS = 3
"""Points at the window's end whose mean is the forecast of no model."""

RATE_NAME = re.compile(
    r"(?:^|[^a-z])(?:acc|accuracy|success|solve|solved|win|pass)(?:[^a-z]|$)|pass@|(?:_|/|-|\b)rate$"
)
"""Names of columns that hold a share of successes."""

RATE_SLACK = 0.05
"""How far outside of 0-1 a column called a rate may lie: that is noise, further out it is a percentage or a sum."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user asked of a forecast; the defaults are the command line's."""

    fraction: float = 0.25
    """Share of the budget that the fit may see, in (0, 1]."""
    budget: float | None = None
    """Planned total compute, unit of the run; None: the last compute in the log."""
    skip_until: float = 0.0
    """Compute below which rows are left out of the fit, unit of the run."""
    reward_range: tuple[float | None, float | None] | None = None
    """What the reward can be; (None, None) is unbounded; None: decided from the window."""
    minimize: bool = False
    """Whether lower is better."""
    start: float | Literal["free"] | None = None
    """Reward at zero compute; ``free`` ignores rows at compute 0; None: those rows if logged, else fitted."""
    law: str = "sigmoid"
    """Name of the law, a key of `scalefit.model.curves.LAWS`."""
    level: float = 0.9
    """Probability of every band, in (0, 1)."""
    at: tuple[float, ...] = ()
    """Further compute values to forecast at, unit of the run."""
    reach: tuple[float, ...] = ()
    """Rewards for which to forecast the compute that reaches them."""
    calibration: Calibration = SHIPPED
    """How runs depart from their law, learned from finished runs."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval at the forecast's level; an end is None where the interval has none on that side."""

    estimate: float | None
    """Point estimate; None if unknown."""
    low: float | None
    """Lower end; None if there is none."""
    high: float | None
    """Upper end; None if there is none."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The three bands over a grid of compute, each at the forecast's level; every array (m,), read-only."""

    compute: FloatArray
    """Unit of the run, increasing."""
    estimate: FloatArray
    """Mean curve if the run goes on following the law."""
    low: FloatArray
    """Lower end for that mean curve."""
    high: FloatArray
    """Upper end for that mean curve."""
    robust_estimate: FloatArray
    """Mean curve when runs depart from the law as often as real ones do."""
    robust_low: FloatArray
    """Lower end for it."""
    robust_high: FloatArray
    """Upper end for it."""
    observation_low: FloatArray
    """Lower end for a new logged point (robust band and noise)."""
    observation_high: FloatArray
    """Upper end for a new logged point."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The forecast at the budget."""

    compute: float
    """The budget, unit of the run."""
    estimate: float
    """If the run goes on following the law."""
    low: float
    """Lower end."""
    high: float
    """Upper end."""
    robust_estimate: float
    """When runs depart from the law as real ones do; lead with this."""
    robust_low: float
    """Lower end."""
    robust_high: float
    """Upper end."""
    baseline: float
    """The forecast of no model: the mean of the last three points in the window."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """When the run gets to a reward."""

    reward: float
    """The reward asked for."""
    probability: float
    """That the run ever reaches it, in [0, 1]."""
    compute: Estimate
    """Compute by which half of all draws (and the interval's share of them) have; None where they never do."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What happened after the window against the forecast: the mean over rows in the log's last 15 % of compute."""

    points: int
    """Rows beyond the window."""
    observed: float
    """Mean reward over the rows in the last 15 % of the compute in the log."""
    error: float
    """Forecast mean over the same rows minus observed."""
    robust_error: float
    """The same of the robust estimate."""
    covered: bool
    """Whether ``low``-``high`` holds it."""
    covered_robust: bool
    """Whether ``robust_low``-``robust_high`` holds it."""
    low: float
    """Lower end for that mean, its sampling noise included."""
    high: float
    """Upper end."""
    robust_low: float
    """Lower end of the robust band."""
    robust_high: float
    """Upper end of the robust band."""
    baseline_error: float
    """The baseline minus observed."""
    points_covered: float
    """Share of later points inside the observation band, in [0, 1]."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """All that is known of a run's future from its window."""

    run: Run
    """The run."""
    window: FitWindow
    """What the fit saw."""
    law: str
    """Name of the law."""
    level: float
    """Probability of every band and interval."""
    reward_range: RewardRange
    """What the reward can be, and why."""
    minimize: bool
    """Whether lower is better."""
    asymptote: Estimate
    """A, reward units; an end is None if the data do not give one."""
    efficiency: Estimate
    """B, no unit."""
    midpoint: Estimate
    """C_mid, unit of the run."""
    start: Estimate
    """R0, reward units."""
    noise_sd: float
    """Standard deviation of a logged point around the curve, reward units."""
    noise_autocorrelation: float
    """Correlation of the noise of neighbouring points, in (-1, 1)."""
    is_identified: bool
    """Whether the asymptote may be read as a value."""
    window_over_midpoint: float
    """Window's end / C_mid."""
    compute_to_identify: float | None
    """About how much compute in all would make the asymptote known; None if it is known or nobody can say."""
    fitted: Band
    """Over the window, from its first positive compute to its end (for pictures)."""
    band: Band
    """From the window's end to the budget, log-spaced, with every compute asked for."""
    final: Final
    """At the budget."""
    reach: tuple[Reach, ...]
    """One for each reward asked for, in that order."""
    outcome: Outcome | None
    """What happened after the window; None if the log holds nothing beyond it."""
    caveats: tuple[Caveat, ...]
    """What a practitioner would warn of; the reader's notes first."""


def _interval(draws: FloatArray, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return low, median and high over the first axis."""
    low, middle, high = np.quantile(draws, [(1 - level) / 2, 0.5, (1 + level) / 2], axis=0)
    return low, middle, high


def _centre(draws: FloatArray, posterior: Posterior) -> FloatArray:
    """Return the estimate over the first axis: the mean, which errs least, where the range is bounded, else the median.

    The tails of a forecast on an open scale are too heavy for a mean.
    """
    centre: FloatArray = draws.mean(axis=0) if posterior.reward_range.is_bounded else np.median(draws, axis=0)
    return centre


def _law(name: str) -> Law:
    if name not in LAWS:
        raise UsageError(f"no law is called {name!r}", where="--law", expected=f"expected one of {', '.join(LAWS)}")
    return LAWS[name]


def _check(settings: Settings) -> None:
    if not 0 < settings.level < 1:
        raise UsageError(
            f"a probability of {settings.level:g} is no level",
            where="--level",
            expected="expected a number between 0 and 1",
        )
    for compute in settings.at:
        if not (math.isfinite(compute) and compute > 0):
            raise UsageError(f"no forecast at compute {compute:g}", where="--at", expected="expected a number above 0")
    for reward in settings.reach:
        if not math.isfinite(reward):
            raise UsageError(f"a reward of {reward:g} cannot be reached", where="--reach", expected="expected a number")
    low, high = settings.reward_range or (None, None)
    if low is not None and high is not None and not low < high:
        raise UsageError(f"{low:g} is not below {high:g}", where="--range", expected="expected LO,HI with LO below HI")


def choose_range(run: Run, window: FitWindow, given: tuple[float | None, float | None] | None) -> RewardRange:
    """Return what the reward can be, decided from the window alone.

    Parameters
    ----------
    run
        The run; only the name of its reward column is looked at.
    window
        The rows that the fit sees.
    given
        What the user said, if anything.
    """
    if given is not None:
        return RewardRange(low=given[0], high=given[1], origin="given")
    lowest, highest = float(window.reward.min()), float(window.reward.max())
    if lowest >= 0 and highest <= 1:
        return RewardRange(low=0.0, high=1.0, origin="window")
    if RATE_NAME.search(run.source.y_column.lower()) and lowest >= -RATE_SLACK and highest <= 1 + RATE_SLACK:
        return RewardRange(low=0.0, high=1.0, origin="name")
    return RewardRange(low=None, high=None, origin="unbounded")


def _start_and_window(run: Run, settings: Settings) -> tuple[float | None, FitWindow]:
    """Return the start that is known, and the window without the rows at compute 0 that are not to be used."""
    window = select_window(run, fraction=settings.fraction, budget=settings.budget, skip_until=settings.skip_until)
    if settings.start is None:
        return None, window
    trained = window.compute > 0
    kept = {name: getattr(window, name)[trained] for name in ("compute", "reward", "replicate")}
    window = dataclasses.replace(window, start=float(kept["compute"][0]), **kept)
    return (None if settings.start == "free" else settings.start), window


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
    low, _, high = (float(end) for end in _interval(draws, level))
    return Estimate(
        estimate=float(np.clip(_centre(draws, posterior), low, high)),
        low=None if posterior.minimize and not is_identified else low,
        high=high if posterior.minimize or is_identified else None,
    )


def _estimate(draws: FloatArray, level: float) -> Estimate:
    low, middle, high = _interval(draws, level)
    return Estimate(estimate=float(middle), low=float(low), high=float(high))


def _robust_interval(
    draws: FloatArray, departure: Departure, level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return low, estimate and high over the first axis, as the calibration says."""
    centre = departure.rates.centre if departure.footing.sign > 0 else 1 - departure.rates.centre
    low, middle, high = np.quantile(draws, [(1 - level) / 2, centre, (1 + level) / 2], axis=0)
    factor, (lowest, highest) = departure.calibration.band_factor, departure.footing.limits
    if factor != 1:
        low, high = middle + factor * (low - middle), middle + factor * (high - middle)
        if lowest is not None or highest is not None:
            low, high = np.clip(low, lowest, highest), np.clip(high, lowest, highest)
    return low, middle, high


def _band(fit: Fit, compute: FloatArray) -> Band:
    departure, level = fit.departure, fit.level
    lawful = fit.posterior.curve(compute)
    low, _, high = _interval(lawful, level)
    robust = departure.curve(compute)
    robust_low, robust_middle, robust_high = _robust_interval(robust, departure, level)
    noise = fit.posterior.point_sd * ndtri(radical_inverse(fit.posterior.noise_sd.size, 13))
    noisy = _logged(robust + noise[:, None], fit)
    seen_low, _, seen_high = _robust_interval(noisy, departure, level)
    arrays = {
        "compute": compute,
        # The mean of a distribution with a far tail may leave its own interval; the estimate does not.
        "estimate": np.clip(_centre(lawful, fit.posterior), low, high),
        "low": low,
        "high": high,
        "robust_estimate": robust_middle,
        "robust_low": robust_low,
        "robust_high": robust_high,
        "observation_low": seen_low,
        "observation_high": seen_high,
    }
    for array in arrays.values():
        array.flags.writeable = False
    return Band(**arrays)


def _reach(posterior: Posterior, reward: float, level: float) -> Reach:
    """Return when the law's curve gets to a reward."""
    sign = -1.0 if posterior.minimize else 1.0
    gain = sign * (posterior.asymptote - posterior.start)
    wanted = sign * (reward - posterior.start)
    share = np.divide(wanted, gain, out=np.full(gain.size, np.inf), where=gain > 0)
    can = share < 1 if posterior.law.has_asymptote else np.isfinite(share)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_compute = posterior.log_end + posterior.law.log_compute_for_share(
            np.where(can, share, 0.5), np.log(posterior.efficiency), posterior.log_midpoint - posterior.log_end
        )
    # A share of 0 or less is there from the first step.
    log_compute = np.where(can, np.where(np.isnan(log_compute), -np.inf, log_compute), np.inf)
    levels = [(1 - level) / 2, 0.5, (1 + level) / 2]
    ordered = np.sort(log_compute)[(np.array(levels) * (log_compute.size - 1)).round().astype(np.int64)]
    # A law without a ceiling reaches anything some day: a compute that no float64 holds is none that anybody has.
    with np.errstate(over="ignore"):
        low, middle, high = np.exp(ordered)

    def known(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    return Reach(
        reward=reward,
        probability=float(can.mean()),
        compute=Estimate(estimate=known(middle), low=known(low), high=known(high)),
    )


def _logged(draws: FloatArray, fit: Fit) -> FloatArray:
    """Return draws of logged rewards, kept inside the reward's range if every reward of the window is."""
    limits, reward = fit.posterior.reward_range, fit.window.reward
    low = limits.low if limits.low is not None and reward.min() >= limits.low else None
    high = limits.high if limits.high is not None and reward.max() <= limits.high else None
    return draws if low is None and high is None else np.asarray(np.clip(draws, low, high))


def _mean_over(curve: FloatArray, weight: FloatArray) -> FloatArray:
    mean: FloatArray = curve @ (weight / weight.sum())
    return mean


def _outcome(fit: Fit, baseline: float) -> Outcome | None:
    """Hold the rows after the window against the forecast."""
    run, window, posterior, departure, level = fit.run, fit.window, fit.posterior, fit.departure, fit.level
    later = run.compute > window.end
    if not later.any():
        return None
    compute, reward = run.compute[later], run.reward[later]
    at_end = compute >= (1 - END_SHARE) * run.compute[-1]
    # A million rows share a few dozen values of the curve: neighbours are put together, with their number as weight.
    ends = compute[at_end]
    parts = np.array_split(ends, min(ends.size, 2 * GRID_POINTS))
    middles, weights = np.array([part.mean() for part in parts]), np.array([float(part.size) for part in parts])
    sampling = posterior.mean_sd(ends.size) * ndtri(radical_inverse(posterior.noise_sd.size, 17))
    lawful = _mean_over(posterior.curve(middles), weights)
    robust = _mean_over(departure.curve(middles), weights)
    observed = float(reward[at_end].mean())
    low, _, high = _interval(_logged(lawful + sampling, fit), level)
    robust_low, _, robust_high = _robust_interval(_logged(robust + sampling, fit), departure, level)
    grid = np.geomspace(window.end, float(compute[-1]), 2 * GRID_POINTS)
    band = _band(fit, grid)
    below = np.interp(np.log(compute), np.log(grid), band.observation_low)
    above = np.interp(np.log(compute), np.log(grid), band.observation_high)
    return Outcome(
        points=int(compute.size),
        observed=observed,
        error=float(_centre(lawful, posterior)) - observed,
        robust_error=float(_robust_interval(robust, departure, level)[1]) - observed,
        covered=bool(low <= observed <= high),
        covered_robust=bool(robust_low <= observed <= robust_high),
        low=float(low),
        high=float(high),
        robust_low=float(robust_low),
        robust_high=float(robust_high),
        baseline_error=baseline - observed,
        points_covered=float(((reward >= below) & (reward <= above)).mean()),
    )


def outcome_of(fit: Fit) -> Outcome | None:
    """Return what happened after the window of a fit, as its forecast has it, without the rest of the forecast."""
    return _outcome(fit, float(fit.window.reward[-BASELINE_POINTS:].mean()))


def fit_run(run: Run, settings: Settings | None = None) -> Fit:
    """Fit the first part of a run's log: what a forecast, a comparison and a check all rest on.

    Parameters
    ----------
    run
        The run.
    settings
        What is asked; None: the defaults of the command line.

    Raises
    ------
    UsageError
        If a setting is out of its domain.
    NotEnoughDataError
        If the window holds fewer than four points.
    """
    settings = settings or Settings()
    _check(settings)
    start, window = _start_and_window(run, settings)
    reward_range = choose_range(run, window, settings.reward_range)
    posterior = fit_posterior(window, _law(settings.law), reward_range, start=start, minimize=settings.minimize)
    first = float(window.compute[window.compute > 0][0])
    departure = Departure(posterior, settings.calibration, first)
    return Fit(run=run, window=window, posterior=posterior, departure=departure, level=settings.level, start=start)


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
    band = _band(fit, forecast_at)
    final = int(np.searchsorted(forecast_at, budget))
    baseline = float(window.reward[-BASELINE_POINTS:].mean())
    efficiency = posterior.efficiency * np.exp(posterior.efficiency_offset)
    midpoint = np.exp(posterior.log_midpoint + posterior.midpoint_offset)
    unknown = Estimate(estimate=None, low=None, high=None)
    outcome = _outcome(fit, baseline)
    return Forecast(
        run=fit.run,
        window=window,
        law=law.name,
        level=level,
        reward_range=posterior.reward_range,
        minimize=settings.minimize,
        asymptote=_asymptote(posterior, level, is_identified=fit.is_identified),
        efficiency=_estimate(efficiency, level) if law.has_efficiency else unknown,
        midpoint=_estimate(midpoint, level) if law.has_midpoint else unknown,
        start=_estimate(posterior.start, level) if law.has_start else unknown,
        noise_sd=float(np.median(posterior.point_sd)),
        noise_autocorrelation=float(posterior.correlation.mean()),
        is_identified=fit.is_identified,
        window_over_midpoint=float(np.median(end / midpoint)),
        compute_to_identify=None
        if fit.is_identified or fit.has_constant_reward or not law.has_midpoint
        else _compute_to_identify(posterior, end),
        fitted=_band(fit, fitted),
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
        reach=tuple(_reach(posterior, reward, level) for reward in settings.reach),
        outcome=outcome,
        caveats=(*fit.run.source.notes, *find_caveats(fit)),
    )
