"""One judge for each kind of gate.

A gate passes when the near end of its interval clears the threshold, fails when the far end misses it, and is
inconclusive between. A new kind is a new class of demand and a function registered here.
"""

import dataclasses
import functools
import math
from collections.abc import Mapping

import numpy as np

from scalefit.caveats import Fit
from scalefit.forecast import Estimate, Forecast
from scalefit.gate.outlook import gain_draws
from scalefit.gate.policy import Asymptote, Band, Demand, Efficiency, Final, NoCollapse, OnTrack, Reach, RemainingGain
from scalefit.gate.quantity import amount, number
from scalefit.gate.verdict import Finding, State
from scalefit.monitor import follow_reference, measure_fall

SEARCHED_BUDGETS = 4.0
"""Budgets up to which it is searched when a reward is reached; later is as good as never."""

SEARCH_POINTS = 300
"""Values of compute at which a reward is looked for: 3 % apart."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A fitted run before its judge."""

    fit: Fit
    """The fit."""
    forecast: Forecast
    """The forecast, at the policy's level and budget."""
    references: Mapping[str, Fit]
    """The fitted references by the name that the policy gives them."""


@functools.singledispatch
def judge(demand: Demand, case: Case) -> Finding:
    """Judge one demand.

    Parameters
    ----------
    demand
        What is asked.
    case
        The fitted run.

    Raises
    ------
    TypeError
        If nobody judges this kind.
    """
    raise TypeError(f"no judge for {type(demand).__name__} of {case.fit.run.name}")


def _decide(low: float | None, high: float | None, *, at_least: float | None, at_most: float | None) -> State:
    """Return the state of an interval: the near end must clear the threshold, the far end miss it."""
    if at_least is not None:
        if low is not None and low >= at_least:
            return State.PASS
        return State.FAIL if high is not None and high < at_least else State.INCONCLUSIVE
    ceiling = math.inf if at_most is None else at_most
    if high is not None and high <= ceiling:
        return State.PASS
    return State.FAIL if low is not None and low > ceiling else State.INCONCLUSIVE


def _say(what: str, found: State, *, threshold: float, is_floor: bool) -> str:
    """Return the reason of a plain gate; the numbers stand beside it."""
    beyond, short = ("at or above", "below") if is_floor else ("at or below", "above")
    place = {
        State.PASS: f"lies {beyond}",
        State.FAIL: f"lies {short}",
        State.INCONCLUSIVE: "may lie on either side of",
    }[found]
    return f"{what} {place} {number(threshold)}"


def _plain(what: str, found: Estimate, at_least: float | None, at_most: float | None) -> Finding:
    state = _decide(found.low, found.high, at_least=at_least, at_most=at_most)
    threshold = at_least if at_least is not None else (at_most or 0.0)
    return Finding(
        state=state,
        value=found.estimate,
        low=found.low,
        high=found.high,
        threshold=threshold,
        reason=_say(what, state, threshold=threshold, is_floor=at_least is not None),
    )


@judge.register
def _judge_asymptote(demand: Asymptote, case: Case) -> Finding:
    found = case.forecast.asymptote
    known = "" if case.forecast.is_identified else " (not known yet)"
    return _plain(f"the asymptote{known}", found, demand.at_least, demand.at_most)


@judge.register
def _judge_final(demand: Final, case: Case) -> Finding:
    final = case.forecast.final
    numbers = (
        Estimate(estimate=final.robust_estimate, low=final.robust_low, high=final.robust_high)
        if demand.band is Band.ROBUST
        else Estimate(estimate=final.estimate, low=final.low, high=final.high)
    )
    what = f"the reward at {amount(final.compute)} {case.forecast.run.unit}"
    return _plain(what, numbers, demand.at_least, demand.at_most)


@judge.register
def _judge_efficiency(demand: Efficiency, case: Case) -> Finding:
    found = case.forecast.efficiency
    return _plain("the efficiency", found, demand.at_least, None)


@judge.register
def _judge_reach(demand: Reach, case: Case) -> Finding:
    fit = case.fit
    end = max(demand.within, case.forecast.final.compute, float(fit.window.end)) * SEARCHED_BUDGETS
    first = min(float(fit.window.compute[fit.window.compute > 0][0]), demand.within)
    grid = np.union1d(np.geomspace(first, end, SEARCH_POINTS), [demand.within])
    curves = (fit.departure if demand.band is Band.ROBUST else fit.posterior).curve(grid)
    there = fit.sign * (curves - demand.reward) >= 0
    reached = np.where(there.any(axis=1), grid[there.argmax(axis=1)], np.inf)
    # Order statistics, not interpolation: between a number and never there is nothing.
    ends = np.quantile(
        reached, [(1 - case.fit.level) / 2, 0.5, (1 + case.fit.level) / 2], method="inverted_cdf"
    ).tolist()
    low, value, high = (end if math.isfinite(end) else None for end in ends)
    state = State.INCONCLUSIVE
    if high is not None and high <= demand.within:
        state = State.PASS
    elif low is None or low > demand.within:
        state = State.FAIL
    chance = float((reached <= demand.within).mean())
    reason = f"{number(demand.reward)} is reached within {amount(demand.within)} with probability {chance:.2f}"
    return Finding(state=state, value=value, low=low, high=high, threshold=demand.within, reason=reason)


@judge.register
def _judge_on_track(demand: OnTrack, case: Case) -> Finding:
    reference = case.references[demand.reference]
    track = follow_reference(
        case.fit.window, reference, level=case.fit.level, spread=demand.spread, tolerance=demand.tolerance
    )
    state, name = State.INCONCLUSIVE, reference.run.name
    reason = f"a gap of {number(track.tolerance)} to {name} is not ruled out yet"
    if track.log_evidence >= -math.log(1 - case.fit.level):
        state = State.FAIL
        odds = "more than a million" if track.log_evidence > math.log(1e6) else f"{math.exp(track.log_evidence):,.0f}"
        reason = f"below the reference band of {name}, with odds of {odds} to 1"
    elif track.low > -track.tolerance:
        state, reason = State.PASS, f"on track with {name}"
    return Finding(
        state=state, value=track.gap, low=track.low, high=track.high, threshold=-track.tolerance, reason=reason
    )


@judge.register
def _judge_no_collapse(demand: NoCollapse, case: Case) -> Finding:
    forecast = case.forecast
    fall = measure_fall(case.fit.window, forecast.reward_range, minimize=forecast.minimize)
    state = State.INCONCLUSIVE
    if fall.low > demand.drop:
        state = State.FAIL
    elif fall.high < demand.drop:
        state = State.PASS
    best = f"its best smoothed reward, {number(fall.best)} at {amount(fall.best_compute)} {forecast.run.unit}"
    reason = {
        State.FAIL: f"it has fallen from {best}, to {number(fall.now)}",
        State.PASS: f"it stands at {number(fall.now)}, no further than {number(demand.drop)} from {best}",
        State.INCONCLUSIVE: f"noise hides whether it has fallen by {number(demand.drop)} from {best}",
    }[state]
    return Finding(state=state, value=fall.drop, low=fall.low, high=fall.high, threshold=demand.drop, reason=reason)


@judge.register
def _judge_remaining_gain(demand: RemainingGain, case: Case) -> Finding:
    gains = gain_draws(case.fit, case.forecast.final.compute, is_robust=demand.band is Band.ROBUST)
    level = case.fit.level
    low, value, high = (float(end) for end in np.quantile(gains, [(1 - level) / 2, 0.5, (1 + level) / 2]))
    return _plain(
        "what the rest of the budget buys", Estimate(estimate=value, low=low, high=high), demand.at_least, None
    )
