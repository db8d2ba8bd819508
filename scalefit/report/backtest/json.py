"""A back-test as strict JSON: the contract for programs."""

from scalefit.backtest import Backtest, BacktestScore, BacktestSummary, LawStanding
from scalefit.report.backtest.study import ReadRun, Study
from scalefit.report.json import Json, caveat_object, number, outcome_object, write_document

BACKTEST_SCHEMA = "scalefit.backtest/1"
"""Name of the layout of `render_study`."""


def render_study(study: Study) -> str:
    """Return the document of ``backtest --format json``.

    ``enough`` is the smallest share from which on every larger one tried beats no model on average, ``beats_baseline``
    all that do; near its end a run needs no forecast, so the first may be null although the second is not empty.
    ``runs`` holds every forecast that could be scored, ``summary`` one entry for each share seen, by the first law.
    ``laws`` has the summaries of each law under its name, and ``law_ranking`` the laws, the best first, if several
    were tried.

    Parameters
    ----------
    study
        The back-test.
    """
    calibration, level = study.calibration, study.first.level
    return write_document(
        BACKTEST_SCHEMA,
        {
            "level": number(level),
            "law": study.first.law,
            "fractions": [number(fraction) for fraction in study.fractions],
            "budget": number(study.budget),
            "calibration": None
            if not calibration.origin
            else {
                "origin": calibration.origin,
                "runs": calibration.runs,
                "band_factor": number(calibration.band_factor),
            },
            "enough": number(study.first.enough),
            "beats_baseline": [number(each.fraction) for each in study.first.summaries if each.beats_baseline],
            "sources": [source_object(run) for run in study.runs],
            "runs": [
                score_object(score, backtest.law, level)
                for backtest in study.backtests
                for score in backtest.scores
                if score.outcome is not None
            ],
            "summary": summaries_of(study.first),
            "laws": {backtest.law: summaries_of(backtest) for backtest in study.backtests},
            "law_ranking": [standing_object(standing) for standing in study.standings],
        },
    )


def source_object(run: ReadRun) -> dict[str, Json]:
    """Return what was read of one run.

    Parameters
    ----------
    run
        The run.
    """
    source = run.source
    return {
        "run": run.name,
        "path": source.path,
        "format": source.format,
        "x_column": source.x_column,
        "y_column": source.y_column,
        "unit": run.unit,
        "rows": source.rows,
        "skipped": {reason: int(count) for reason, count in source.skipped.items()},
        "caveats": [caveat_object(note) for note in source.notes],
    }


def score_object(score: BacktestScore, law: str, level: float) -> dict[str, Json]:
    """Return the outcome of one forecast, in reward units; ``range`` is what summaries divide it by.

    Parameters
    ----------
    score
        One run at one share seen.
    law
        Law of the forecast.
    level
        Probability of its bands.
    """
    return {
        "run": score.run,
        "fraction": number(score.fraction),
        "law": law,
        **({} if score.outcome is None else outcome_object(score.outcome)),
        "range": number(score.unit),
        "interval_score": number(score.interval_score(level, robust=False)),
        "interval_score_robust": number(score.interval_score(level, robust=True)),
    }


def summaries_of(backtest: Backtest) -> list[Json]:
    """Return one object for each share seen.

    Parameters
    ----------
    backtest
        The back-test of one law.
    """
    return [summary_object(summary) for summary in backtest.summaries]


SUMMARY_NUMBERS = (
    "mean_absolute_error",
    "median_absolute_error",
    "p90_absolute_error",
    "mean_absolute_error_robust",
    "median_absolute_error_robust",
    "coverage",
    "coverage_robust",
    "mean_width",
    "mean_width_robust",
    "interval_score",
    "interval_score_robust",
    "mean_baseline_error",
    "median_baseline_error",
)
"""Fields of `BacktestSummary` that are numbers, in the order written."""


def summary_object(summary: BacktestSummary) -> dict[str, Json]:
    """Return the summary of one share seen, in shares of the reward's range.

    Parameters
    ----------
    summary
        The summary.
    """
    return {
        "fraction": number(summary.fraction),
        "runs": summary.runs,
        "refused": dict(summary.refused),
        **{name: number(getattr(summary, name)) for name in SUMMARY_NUMBERS},
    }


def standing_object(standing: LawStanding) -> dict[str, Json]:
    """Return how well one law extrapolates.

    Parameters
    ----------
    standing
        The law's standing.
    """
    return {
        "law": standing.law,
        "forecasts": standing.prefixes,
        "mean_absolute_error": number(standing.mean_absolute_error),
        "nearest": standing.nearest,
        "behind": number(standing.behind),
        "behind_sd": number(standing.behind_sd),
        "clearly_behind": bool(standing.is_clearly_behind),
    }
