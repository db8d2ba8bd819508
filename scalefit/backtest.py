"""Forecasts of finished runs, held against what happened: what a band is worth, and how much of a run must be seen."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.special import bdtrik

from scalefit.errors import ScalefitError
from scalefit.forecast import Outcome, Settings, fit_run, outcome_of
from scalefit.run import FloatArray, Run

DEFAULT_FRACTIONS = (0.1, 0.25, 0.5)
"""Shares of a run that are seen unless others are asked for."""

LARGEST_ERROR = 1.0
"""Errors above the reward's range count as that in a mean: one run on a wild scale must not decide it."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BacktestScore:
    """One forecast of one finished run."""

    run: str
    """Label or path of the run."""
    fraction: float
    """Share of its compute that the forecast saw."""
    unit: float
    """What errors, widths and scores are divided by: 1 for rewards in 0-1, else the run's own range; reward units."""
    outcome: Outcome | None
    """What happened; None if the run cannot be scored at this share."""
    refusal: str | None
    """Why it cannot be scored; None if it is."""

    def interval_score(self, level: float, *, robust: bool) -> float | None:
        """Return width plus 2 / (1 - level) times the distance of a miss, in units (Gneiting and Raftery 2007)."""
        outcome = self.outcome
        if outcome is None:
            return None
        low, high = (outcome.robust_low, outcome.robust_high) if robust else (outcome.low, outcome.high)
        missed = max(low - outcome.observed, outcome.observed - high, 0.0)
        return (high - low + 2 / (1 - level) * missed) / self.unit


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BacktestSummary:
    """All scores of one share seen; errors, widths and scores in shares of the reward's range."""

    fraction: float
    """Share of the compute that the forecasts saw."""
    runs: int
    """Runs scored."""
    refused: Mapping[str, str]
    """Run -> why it was not."""
    mean_absolute_error: float | None
    """Of the law's own estimate, each error capped at 1; None without runs, as all that follow."""
    median_absolute_error: float | None
    """Of the law's own estimate."""
    p90_absolute_error: float | None
    """90 % quantile of it."""
    mean_absolute_error_robust: float | None
    """Of the robust estimate, each error capped at 1."""
    median_absolute_error_robust: float | None
    """Of the robust estimate."""
    coverage: float | None
    """Share of runs inside the law's own band."""
    coverage_robust: float | None
    """Share of runs inside the robust band."""
    mean_width: float | None
    """Of the law's own band."""
    mean_width_robust: float | None
    """Of the robust band."""
    interval_score: float | None
    """Mean of the law's own band; lower is better."""
    interval_score_robust: float | None
    """Mean of the robust band."""
    mean_baseline_error: float | None
    """Of the mean of the last three points, each error capped at 1."""
    median_baseline_error: float | None
    """Of the mean of the last three points."""

    @property
    def beats_baseline(self) -> bool:
        """Whether the robust forecast is nearer on average than the last three points."""
        if self.mean_absolute_error_robust is None or self.mean_baseline_error is None:
            return False
        return self.mean_absolute_error_robust < self.mean_baseline_error


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Backtest:
    """Forecasts of many finished runs at many shares seen."""

    level: float
    """Probability of the bands."""
    law: str
    """The law."""
    scores: tuple[BacktestScore, ...]
    """Run by run in the order given, fractions within."""
    summaries: tuple[BacktestSummary, ...]
    """One for each fraction."""

    @property
    def enough(self) -> float | None:
        """Smallest share seen from which on forecasts beat the last three points on average; None if none does."""
        found = None
        for summary in sorted(self.summaries, key=lambda summary: -summary.fraction):
            if not summary.beats_baseline:
                break
            found = summary.fraction
        return found


def range_unit(run: Run, settings: Settings) -> float:
    """Return what errors are divided by: the size of the reward's range if it holds all rewards, else the run's own."""
    low, high = settings.reward_range or (0.0, 1.0)
    lowest, highest = float(run.reward.min()), float(run.reward.max())
    if low is not None and high is not None and low <= lowest and highest <= high:
        return high - low
    return highest - lowest


def score_run(run: Run, fraction: float, settings: Settings) -> BacktestScore:
    """Forecast one finished run from its first part, by the path that `predict` takes, and score it.

    Parameters
    ----------
    run
        The run; its last row counts as its end.
    fraction
        Share of its compute that the forecast may see, in (0, 1).
    settings
        Of the forecast; its own fraction and budget are not used.
    """
    unit = range_unit(run, settings)
    outcome, refusal = None, None
    if unit == 0:
        refusal = "the reward never changes"
    else:
        try:
            outcome = outcome_of(fit_run(run, dataclasses.replace(settings, fraction=fraction, budget=None)))
        except ScalefitError as error:
            refusal = error.problem
        else:
            refusal = None if outcome is not None else "no rows after the window"
    return BacktestScore(run=run.name, fraction=fraction, unit=unit, outcome=outcome, refusal=refusal)


def _mean(values: FloatArray) -> float | None:
    return float(values.mean()) if values.size else None


def _quantile(values: FloatArray, probability: float) -> float | None:
    return float(np.quantile(values, probability)) if values.size else None


def summarise(scores: Iterable[BacktestScore], fraction: float, level: float) -> BacktestSummary:
    """Summarise the scores of one share seen."""
    mine = [score for score in scores if score.fraction == fraction]
    scored = [(score.outcome, score.unit, score) for score in mine if score.outcome is not None]

    def column(values: Iterable[float | None]) -> FloatArray:
        return np.array(list(values), dtype=np.float64)

    error = column(abs(outcome.error) / unit for outcome, unit, _ in scored)
    robust = column(abs(outcome.robust_error) / unit for outcome, unit, _ in scored)
    baseline = column(abs(outcome.baseline_error) / unit for outcome, unit, _ in scored)
    return BacktestSummary(
        fraction=fraction,
        runs=len(scored),
        refused={score.run: score.refusal for score in mine if score.refusal is not None},
        mean_absolute_error=_mean(np.minimum(error, LARGEST_ERROR)),
        median_absolute_error=_quantile(error, 0.5),
        p90_absolute_error=_quantile(error, 0.9),
        mean_absolute_error_robust=_mean(np.minimum(robust, LARGEST_ERROR)),
        median_absolute_error_robust=_quantile(robust, 0.5),
        coverage=_mean(column(outcome.covered for outcome, _, _ in scored)),
        coverage_robust=_mean(column(outcome.covered_robust for outcome, _, _ in scored)),
        mean_width=_mean(column((outcome.high - outcome.low) / unit for outcome, unit, _ in scored)),
        mean_width_robust=_mean(
            column((outcome.robust_high - outcome.robust_low) / unit for outcome, unit, _ in scored)
        ),
        interval_score=_mean(column(score.interval_score(level, robust=False) for _, _, score in scored)),
        interval_score_robust=_mean(column(score.interval_score(level, robust=True) for _, _, score in scored)),
        mean_baseline_error=_mean(np.minimum(baseline, LARGEST_ERROR)),
        median_baseline_error=_quantile(baseline, 0.5),
    )


def collect(scores: Sequence[BacktestScore], fractions: Sequence[float], settings: Settings) -> Backtest:
    """Put the scores of many runs together, however they were computed."""
    return Backtest(
        level=settings.level,
        law=settings.law,
        scores=tuple(scores),
        summaries=tuple(summarise(scores, fraction, settings.level) for fraction in fractions),
    )


def backtest_runs(
    runs: Sequence[Run], settings: Settings | None = None, fractions: Sequence[float] = DEFAULT_FRACTIONS
) -> Backtest:
    """Forecast finished runs from their first parts and score them against what then happened.

    Parameters
    ----------
    runs
        Finished runs.
    settings
        Of the forecasts; None: the defaults of the command line.
    fractions
        Shares of each run that a forecast may see, each in (0, 1).
    """
    settings = settings or Settings()
    scores = [score_run(run, fraction, settings) for run in runs for fraction in fractions]
    return collect(scores, fractions, settings)


def covered_by_chance(runs: int, level: float) -> tuple[float, float]:
    """Return the shares of runs between which the coverage of a band lies that does hold its level, 19 times in 20.

    The band of as many independent runs covers a binomial number of them. Seeds of one recipe are not independent, and
    their coverage scatters further.

    Parameters
    ----------
    runs
        Runs scored, at least 1.
    level
        Probability of the band, in (0, 1).
    """
    low, high = (math.ceil(float(bdtrik(tail, runs, level)) - 1e-9) for tail in (0.025, 0.975))
    return max(low, 0) / runs, min(max(high, 0), runs) / runs


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LawStanding:
    """How well one law extrapolates, on the prefixes that every law could be scored on."""

    law: str
    """The law."""
    prefixes: int
    """Runs times shares seen that all laws were scored on."""
    mean_absolute_error: float
    """Of the law's own estimate, each error capped at 1, shares of the reward's range."""
    nearest: int
    """Prefixes on which it was nearer than every other law."""
    behind: float
    """How much larger the mean error is than that of the best law, >= 0."""
    behind_sd: float
    """Standard error of that, from run to run; 0 for the best law."""

    @property
    def is_clearly_behind(self) -> bool:
        """Whether the difference to the best law is more than chance explains (two standard errors)."""
        return self.behind > 2 * self.behind_sd


def rank_laws(backtests: Sequence[Backtest]) -> tuple[LawStanding, ...]:
    """Return the laws in the order of their mean error, the best first; none if no prefix was scored by all.

    Parameters
    ----------
    backtests
        The same runs and shares seen, one law each.
    """
    # Runs of one name are told apart by their place: every law is scored on the same list.
    pairs = [
        (place, rows)
        for place, rows in enumerate(zip(*(backtest.scores for backtest in backtests), strict=True))
        if all(row.outcome is not None for row in rows)
    ]
    if not pairs:
        return ()
    errors = np.array(
        [
            [min(abs(row.outcome.error) / row.unit, LARGEST_ERROR) for row in rows if row.outcome is not None]
            for _, rows in pairs
        ]
    )
    # Prefixes of one run err together, so the scatter is that of the means of runs.
    count = len(backtests[0].summaries)
    runs = np.array([place // count for place, _ in pairs])
    means = errors.mean(axis=0)
    best = int(means.argmin())
    closest = errors.argmin(axis=1)
    standings = []
    for column, backtest in enumerate(backtests):
        gap = errors[:, column] - errors[:, best]
        sums = np.array([(gap[runs == run] - gap.mean()).sum() for run in np.unique(runs)])
        standings.append(
            LawStanding(
                law=backtest.law,
                prefixes=len(pairs),
                mean_absolute_error=float(means[column]),
                nearest=int((closest == column).sum()),
                behind=float(means[column] - means[best]),
                behind_sd=float(np.sqrt((sums**2).sum()) / gap.size),
            )
        )
    return tuple(sorted(standings, key=lambda standing: standing.mean_absolute_error))
