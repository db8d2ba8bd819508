"""What a person wants to know of a back-test: from which share on a forecast is worth anything, if its band holds."""

from collections.abc import Sequence

from scalefit.backtest import BacktestScore, BacktestSummary, LawStanding, covered_by_chance
from scalefit.report.backtest.study import Study
from scalefit.report.figures import show, show_interval

FEW_RUNS = 10
"""Runs below which another set of runs may well say something else."""
MOST_SHARES = 4
"""Shares seen up to which a sentence names each."""
WORTH_CALIBRATING = 10
"""Runs from which ``scalefit calibrate`` can learn from them."""
UNIT = "in shares of the reward's range"


def summarise_study(study: Study) -> tuple[str, ...]:
    """Return the sentences that answer a person's questions, the most wanted first.

    Parameters
    ----------
    study
        At least one run scored at one share seen.
    """
    sentences = (
        what_share_is_enough(study),
        whether_band_holds(study, is_robust=True),
        whether_band_holds(study, is_robust=False),
        which_law_is_best(study),
        what_to_do(study),
    )
    return tuple(sentence for sentence in sentences if sentence)


def what_share_is_enough(study: Study) -> str:
    """Return from which share seen on a forecast is worth anything.

    Parameters
    ----------
    study
        The back-test.
    """
    better = [summary for summary in study.scored if summary.beats_baseline]
    place = better[0] if better else study.scored[-1]
    scores = [score for score in study.first.scores if score.fraction == place.fraction]
    nearer = sum(_is_nearer(score) for score in scores)
    numbers = (
        f"{show_share(place.mean_absolute_error_robust)} against {show_share(place.mean_baseline_error)} {UNIT}, "
        f"nearer in {'only ' if 2 * nearer < place.runs else ''}{nearer} of {place.runs} runs"
    )
    if not better:
        sentence = (
            f"At no share tried is the robust forecast worth more than the last three points seen: with "
            f"{place.fraction:g} of the run it misses by {numbers}"
        )
    else:
        sentence = (
            f"{_shares(study.scored, better)}, a forecast is worth more than the last three points seen: with "
            f"{place.fraction:g} of the run it misses on average by {numbers}"
        )
    if (place.mean_absolute_error or 0.0) < (place.mean_absolute_error_robust or 0.0):
        sentence += f". The curve alone misses by {show_share(place.mean_absolute_error)}"
    few = f". {place.runs} run(s) are few: others may say otherwise" if place.runs < FEW_RUNS else ""
    return f"{sentence}{few}."


def _shares(tried: Sequence[BacktestSummary], better: Sequence[BacktestSummary]) -> str:
    """Return the shares seen at which forecasts are better, shortly: near its end a run needs no forecast."""
    first, last = better[0], better[-1]
    inside = [summary for summary in tried if first.fraction <= summary.fraction <= last.fraction]
    if len(inside) > len(better):
        return (
            f"At {listed([f'{summary.fraction:g}' for summary in better])} of the run seen, not at all shares between"
        )
    if first is tried[0] and last is tried[-1]:
        return (
            f"At every share tried, from {first.fraction:g} of the run on"
            if len(tried) > 1
            else (f"With {first.fraction:g} of the run seen")
        )
    if last is tried[-1]:
        return f"From {first.fraction:g} of a run on, not before"
    if first is last:
        return f"At {first.fraction:g} of the run seen, and at no other share tried"
    return f"From {first.fraction:g} to {last.fraction:g} of a run, not at other shares tried"


def _is_nearer(score: BacktestScore) -> bool:
    outcome = score.outcome
    return outcome is not None and abs(outcome.robust_error) < abs(outcome.baseline_error)


def whether_band_holds(study: Study, *, is_robust: bool) -> str:
    """Return how often a band held, and whether chance explains what is missing.

    Parameters
    ----------
    study
        The back-test.
    is_robust
        Whether the robust band is meant; else that of the law's own curve.
    """
    level = study.first.level
    verdicts = [verdict_on(summary, level, is_robust=is_robust) for summary in study.scored]
    shares = {summary.fraction: _coverage(summary, is_robust=is_robust) for summary in study.scored}
    if len(shares) <= MOST_SHARES:
        held = listed(
            [
                f"{round(shares[summary.fraction] * summary.runs)} of {summary.runs} at {summary.fraction:g}"
                for summary in study.scored
            ]
        )
    else:
        held = f"{show_interval(min(shares.values()), max(shares.values()), 2)} of the runs, share by share"
    name = f"The {level:g} band" if is_robust else f"The {level:g} band of the curve alone"
    return f"{name} held {held}: {_judged(study.scored, verdicts, level)}."


def verdict_on(summary: BacktestSummary, level: float, *, is_robust: bool) -> int:
    """Return -1 if a band holds less often than chance explains, 1 if more often, else 0.

    Parameters
    ----------
    summary
        Of one share seen, at least one run.
    level
        Probability of the band.
    is_robust
        As in `whether_band_holds`.
    """
    low, high = covered_by_chance(summary.runs, level)
    coverage = _coverage(summary, is_robust=is_robust)
    return -1 if coverage < low - 1e-9 else 1 if coverage > high + 1e-9 else 0


def _judged(summaries: Sequence[BacktestSummary], verdicts: Sequence[int], level: float) -> str:
    if not any(verdicts):
        return "as often as it says, as far as so many runs can tell"
    found = []
    for verdict, words in ((-1, "less often than it says"), (1, "more often than it says, so it is too wide")):
        places = [
            f"{summary.fraction:g} (expected {show_interval(*covered_by_chance(summary.runs, level), 2)})"
            for summary, each in zip(summaries, verdicts, strict=True)
            if each == verdict
        ]
        if places:
            found.append(f"{words} at {listed(places)}")
    return "; ".join(found)


def _coverage(summary: BacktestSummary, *, is_robust: bool) -> float:
    coverage = summary.coverage_robust if is_robust else summary.coverage
    return 0.0 if coverage is None else coverage


def which_law_is_best(study: Study) -> str:
    """Return which law extrapolates best; empty if only one was tried.

    Parameters
    ----------
    study
        The back-test.
    """
    if not study.standings:
        return ""
    best, *others = study.standings
    close = [standing for standing in others if not standing.is_clearly_behind]
    far = [standing for standing in others if standing.is_clearly_behind]
    start = (
        f"Of the laws, {best.law} extrapolates best: a mean error of {show_share(best.mean_absolute_error)} {UNIT} "
        f"on {best.prefixes} forecasts that all could make"
    )
    if far:
        start += f", clearly before {listed([_behind(standing) for standing in far])}"
    if close:
        start += f"; {listed([_behind(standing) for standing in close])} cannot be told from it on these runs"
    return f"{start}."


def _behind(standing: LawStanding) -> str:
    return f"{standing.law} ({show_share(standing.mean_absolute_error)})"


def what_to_do(study: Study) -> str:
    """Return an advice, if what was seen calls for one.

    Parameters
    ----------
    study
        The back-test.
    """
    verdicts = [verdict_on(summary, study.first.level, is_robust=True) for summary in study.scored]
    runs = max(summary.runs for summary in study.scored)
    if any(verdicts) and not study.calibration.origin and runs >= WORTH_CALIBRATING:
        return "These runs depart from their curve in their own way: scalefit calibrate learns from them how they do."
    return ""


def refusals_of(study: Study) -> dict[tuple[str, str], list[float]]:
    """Return run and reason -> the shares seen at which it could not be scored for that.

    Parameters
    ----------
    study
        The back-test.
    """
    found: dict[tuple[str, str], list[float]] = {}
    for score in study.first.scores:
        if score.refusal is not None:
            found.setdefault((score.run, score.refusal), []).append(score.fraction)
    return found


def miss_of(score: BacktestScore) -> str:
    """Return how far the robust forecast was off; ``*`` if the outcome lies outside its band; empty if not scored.

    Parameters
    ----------
    score
        One run at one share seen.
    """
    if score.outcome is None:
        return ""
    error = score.outcome.robust_error / score.unit
    size = f"{abs(error):.2f}"
    side = "" if float(size) == 0 else " high" if error > 0 else " low"
    return f"{size}{side}{'' if score.outcome.covered_robust else ' *'}"


def remarks_on(study: Study) -> list[str]:
    """Return what to beware of: the calibration used, and what the reader found odd, each kind once.

    Parameters
    ----------
    study
        The back-test.
    """
    remarks = []
    if study.calibration.origin:
        remarks.append(
            f"the robust band uses {study.calibration.origin}, learned from {study.calibration.runs} finished runs"
        )
    concerned: dict[str, list[tuple[str, str]]] = {}
    for run in study.runs:
        for code, message in {note.code: note.message for note in run.source.notes}.items():
            concerned.setdefault(code, []).append((run.name, message))
    for code, found in concerned.items():
        if len(found) == 1:
            remarks.append(": ".join(found[0]))
        elif len(found) == len(study.runs):
            remarks.append(f"every run: {code}: {found[0][1]}")
        else:
            remarks.append(f"{code}: {', '.join(name for name, _ in found)}")
    return remarks


def listed(parts: Sequence[str]) -> str:
    """Return parts of a sentence in a row.

    Parameters
    ----------
    parts
        At least one.
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def show_share(value: float | None) -> str:
    """Return an error, a width or a coverage: three decimals, the third of which hardly matters.

    Parameters
    ----------
    value
        The number; None is unknown.
    """
    return show(value, 3)
