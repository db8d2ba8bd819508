"""Departure rates learned from finished runs, and a conformal factor that makes the band hold on them.

The rates are those that forecast the runs best: the mean interval score of the robust band at 90 and 50 %, plus the
error of the robust estimate, with every source of runs weighed by the square root of its number of runs and the rates
held near where they start by a penalty that a handful of runs cannot outvote.
"""

import dataclasses
import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import minimize
from scipy.special import betaincinv, expit, logit, ndtri

from scalefit.backtest import range_unit
from scalefit.errors import NotEnoughDataError, ScalefitError
from scalefit.forecast import END_SHARE, Settings, fit_run
from scalefit.model.departure import SHIPPED, Calibration, DepartureRates, Footing, depart
from scalefit.model.sequences import radical_inverse
from scalefit.run import FloatArray, Run

MINIMUM_RUNS = 10
"""Finished runs below which nothing is learned: a 90 % quantile needs nine."""

LEARNING_FRACTIONS = (0.25, 0.5)
"""Shares of each run that are seen while learning."""

GENERIC_BOUNDED = DepartureRates(
    keep_probability=0.4,
    rise_mean=0.15,
    rise_flat=1.8,
    fall_probability=0.03,
    spread_floor=0.015,
    spread_gain=0.045,
    centre=0.5,
)
"""Where learning from public runs with rewards in 0-1 starts: round numbers, which the penalty keeps near."""

GENERIC_OPEN = DepartureRates(
    keep_probability=0.6,
    rise_mean=0.4,
    rise_flat=-0.5,
    fall_probability=0.14,
    spread_floor=0.06,
    spread_gain=0.05,
    centre=0.42,
)
"""The same on other scales."""

PENALTY = 0.01
"""What one unit of distance from the start costs, divided by the number of sources over `PENALTY_SOURCES`."""
PENALTY_SOURCES = 40

OPEN_MISS_COST = 2.5
"""What a miss of the 90 % band costs on an open scale beside its distance, in units: without it a few wild runs,
whose misses dwarf all others, buy the rest a band that is too narrow."""

_LARGEST_SCORE = 16.0
_EVALUATIONS = 1000


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One prefix of one finished run: what a rate is judged on."""

    run: str
    """Name of the run."""
    source: str
    """What the run shares with others: runs of one source count as less than as many of different ones."""
    lawful: FloatArray
    """(m, 1), mean reward at the end by the law, draw by draw."""
    sampling: FloatArray
    """(m,), sampling noise of the observed mean."""
    doublings: FloatArray
    """(1,), doublings of compute from the window's end to there."""
    footing: Footing
    """What the departure starts from."""
    observed: float
    """Mean reward at the end."""
    unit: float
    """What errors are divided by."""

    @property
    def is_bounded(self) -> bool:
        """Whether the reward has a known range."""
        return self.footing.limits[0] is not None and self.footing.limits[1] is not None


def make_case(run: Run, source: str, fraction: float, settings: Settings) -> Case | None:
    """Return the case of a prefix, or None if the run cannot be forecast from it or scored."""
    unit = range_unit(run, settings)
    try:
        fit = fit_run(run, dataclasses.replace(settings, fraction=fraction, budget=None))
    except ScalefitError:
        return None
    ends = run.compute[(run.compute > fit.window.end) & (run.compute >= (1 - END_SHARE) * run.compute[-1])]
    if unit == 0 or not ends.size:
        return None
    posterior = fit.posterior
    places = ends[np.linspace(0, ends.size - 1, min(ends.size, 15)).astype(np.int64)]
    thin = slice(1, None, 2)
    return Case(
        run=run.name,
        source=source,
        lawful=posterior.curve(places).mean(axis=1, keepdims=True)[thin],
        sampling=(posterior.mean_sd(ends.size) * ndtri(radical_inverse(posterior.noise_sd.size, 17)))[thin],
        doublings=fit.departure.doublings(np.array([ends.mean()])),
        footing=dataclasses.replace(fit.departure.footing, first=fit.departure.footing.first[thin]),
        observed=float(run.reward[run.compute >= ends[0]].mean()),
        unit=unit,
    )


def forecast_case(case: Case, rates: DepartureRates) -> FloatArray:
    """Return the sorted robust draws of a case, (m,)."""
    draws = depart(case.lawful, case.doublings, case.footing, rates)[:, 0]
    draws = np.sort(draws + case.sampling)
    low, high = case.footing.limits
    return draws if low is None and high is None else np.asarray(np.clip(draws, low, high))


def _quantiles(draws: FloatArray, probabilities: Sequence[float]) -> list[float]:
    return [float(draws[round(probability * (draws.size - 1))]) for probability in probabilities]


def _centre(case: Case, rates: DepartureRates) -> float:
    """Return the quantile that serves as the estimate, from lowest to highest."""
    return rates.centre if case.footing.sign > 0 else 1 - rates.centre


def _loss(case: Case, rates: DepartureRates) -> float:
    outer_low, inner_low, middle, inner_high, outer_high = _quantiles(
        forecast_case(case, rates), (0.05, 0.25, _centre(case, rates), 0.75, 0.95)
    )
    observed, unit = case.observed, case.unit
    outer = outer_high - outer_low + 20 * max(outer_low - observed, observed - outer_high, 0.0)
    if not case.is_bounded and not outer_low <= observed <= outer_high:
        outer += OPEN_MISS_COST * unit
    inner = inner_high - inner_low + 4 * max(inner_low - observed, observed - inner_high, 0.0)
    return (
        min(outer / unit, _LARGEST_SCORE) / 2
        + min(inner / unit, _LARGEST_SCORE) / 2
        + min(abs(middle - observed) / unit, 1.0)
    )


def _to_free(rates: DepartureRates) -> FloatArray:
    return np.array(
        [
            logit(rates.keep_probability),
            math.log(rates.rise_mean),
            rates.rise_flat,
            logit(rates.fall_probability),
            math.log(rates.spread_floor),
            math.log(rates.spread_gain),
        ]
    )


def _from_free(free: FloatArray, centre: float) -> DepartureRates:
    return DepartureRates(
        keep_probability=float(expit(free[0])),
        rise_mean=math.exp(free[1]),
        rise_flat=float(free[2]),
        fall_probability=float(expit(free[3])),
        spread_floor=math.exp(free[4]),
        spread_gain=math.exp(free[5]),
        centre=centre,
    )


def learn_rates(cases: Sequence[Case], start: DepartureRates) -> DepartureRates:
    """Return the rates that forecast the cases best, held near a start.

    Parameters
    ----------
    cases
        Prefixes of finished runs, all with a known range or all without.
    start
        Where the rates are without any case.
    """
    if not cases:
        return start
    numbers: dict[str, int] = {}
    for case in cases:
        numbers[case.source] = numbers.get(case.source, 0) + 1
    weight = np.array([numbers[case.source] ** -0.5 for case in cases])
    weight /= weight.sum()
    origin = _to_free(start)
    penalty = PENALTY * PENALTY_SOURCES / len(numbers)

    def objective(free: FloatArray) -> float:
        rates = _from_free(free, start.centre)
        losses = np.array([_loss(case, rates) for case in cases])
        return float(weight @ losses) + penalty * float(((free - origin) ** 2).sum())

    simplex = np.vstack([origin, origin + 0.6 * np.eye(origin.size)])
    found = minimize(
        objective,
        origin,
        method="Nelder-Mead",
        options={"initial_simplex": simplex, "maxfev": _EVALUATIONS, "xatol": 0.02, "fatol": 1e-4},
    )
    return _from_free(found.x, start.centre)


def conformal_factor(cases: Sequence[Case], rates: Mapping[bool, DepartureRates], level: float) -> float:
    """Return what the band must be multiplied by to hold its level on the cases (split conformal, Vovk 2005).

    Parameters
    ----------
    cases
        One for each run.
    rates
        By whether the reward has a known range.
    level
        Probability of the band.
    """
    distances = []
    for case in cases:
        low, middle, high = _quantiles(
            forecast_case(case, rates[case.is_bounded]),
            ((1 - level) / 2, _centre(case, rates[case.is_bounded]), (1 + level) / 2),
        )
        room = max(high - middle if case.observed > middle else middle - low, 1e-9 * case.unit)
        distances.append(abs(case.observed - middle) / room)
    return float(np.sort(distances)[conformal_rank(len(distances), level) - 1])


def conformal_rank(runs: int, level: float) -> int:
    """Return which of the distances, in order of size and counted from 1, the band is made to reach.

    Parameters
    ----------
    runs
        Finished runs, at least 1.
    level
        Probability of the band, in (0, 1).
    """
    # 0.07 * 100 is 7.000000000000001: a rounding error must not ask for one run more.
    return min(math.ceil((runs + 1) * level - 1e-9), runs)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedCoverage:
    """How often a new run of the same kind will lie inside a band that was made to hold on finished ones."""

    rank: int
    """Which of the distances the band reaches."""
    mean: float
    """On average over all sets of as many runs: rank / (runs + 1), in (0, 1)."""
    low: float
    """What nine sets in ten lie above and below: 5 % quantile for one set, in (0, 1)."""
    high: float
    """95 % quantile for one set, in (0, 1)."""


def expected_coverage(runs: int, level: float) -> ExpectedCoverage:
    """Return what is known of a conformal band's coverage: Beta(rank, runs + 1 - rank) (Vovk 2012, proposition 2a).

    It holds for a factor on a fixed band; rates learned from the same runs take a little of it away.

    Parameters
    ----------
    runs
        Finished runs, at least 1.
    level
        Probability of the band, in (0, 1).
    """
    rank = conformal_rank(runs, level)
    others = runs + 1 - rank
    return ExpectedCoverage(
        rank=rank,
        mean=rank / (runs + 1),
        low=float(betaincinv(rank, others, 0.05)),
        high=float(betaincinv(rank, others, 0.95)),
    )


def calibrate(
    runs: Sequence[Run],
    settings: Settings | None = None,
    *,
    sources: Sequence[str] | None = None,
    start: Calibration = SHIPPED,
    origin: str = "your own calibration",
) -> Calibration:
    """Learn departure rates and a conformal factor from finished runs.

    Parameters
    ----------
    runs
        Finished runs.
    settings
        Of the forecasts; None: the defaults of the command line.
    sources
        One name for each run: what it shares with others; None: every run is its own source.
    start
        Where the rates are without any run: the shipped ones, unless these are to be learned.
    origin
        Where the runs came from, for people.

    Raises
    ------
    NotEnoughDataError
        If fewer than `MINIMUM_RUNS` runs can be scored.
    """
    settings = settings or Settings()
    named = list(zip(runs, sources or [run.name for run in runs], strict=True))
    made = [
        (fraction, case)
        for fraction in LEARNING_FRACTIONS
        for run, source in named
        if (case := make_case(run, source, fraction, settings)) is not None
    ]
    asked = [case for fraction, case in made if fraction == LEARNING_FRACTIONS[0]]
    if len(asked) < MINIMUM_RUNS:
        raise NotEnoughDataError(
            f"{len(asked)} of {len(runs)} finished runs can be scored at a quarter",
            expected=f"at least {MINIMUM_RUNS} are needed to learn how runs depart",
            remedy="give more finished runs, or go on with the shipped rates",
            runs=len(asked),
        )
    learned = {
        is_bounded: learn_rates([case for _, case in made if case.is_bounded == is_bounded], rates)
        for is_bounded, rates in ((True, start.bounded), (False, start.open_scale))
    }
    return Calibration(
        bounded=learned[True],
        open_scale=learned[False],
        band_factor=conformal_factor(asked, learned, settings.level),
        runs=len(asked),
        origin=origin,
    )
