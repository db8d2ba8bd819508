"""What the rest of the budget buys, and when the next look is worth it."""

import math
from collections.abc import Sequence

import numpy as np

from scalefit.caveats import FEW_POINTS, Fit
from scalefit.forecast import Estimate
from scalefit.gate.quantity import amount
from scalefit.gate.verdict import Finding, Outlook, State
from scalefit.run import FloatArray, Run

SOONEST = 1.1
"""A look is worth nothing before the log has grown by a tenth: the standard errors have shrunk by a twentieth."""

LATEST = 4.0
"""Growth of the log beyond which nobody waits: all is different by then."""

THOUSAND = 1000.0


def gain_draws(fit: Fit, budget: float, *, is_robust: bool = True) -> FloatArray:
    """Return draws of the gain from the window's end to the budget, (m,), reward units; positive is better.

    Parameters
    ----------
    fit
        The fitted run.
    budget
        Unit of the run.
    is_robust
        Whether runs depart from their law.
    """
    now = fit.posterior.curve(np.array([fit.window.end]))[:, 0]
    future = (fit.departure if is_robust else fit.posterior).curve(np.array([max(budget, fit.window.end)]))[:, 0]
    gains: FloatArray = fit.sign * (future - now)
    return gains


def foresee(fit: Fit, budget: float, level: float, looks: Sequence[float | None]) -> Outlook:
    """Return what the rest of the budget is likely to buy.

    Parameters
    ----------
    fit
        The fitted run.
    budget
        Unit of the run, above what is logged.
    level
        Probability of the intervals, in (0, 1).
    looks
        When a further look can tell more, for each gate.
    """
    end = float(fit.run.compute[-1])
    low, middle, high = (
        float(value) for value in np.quantile(gain_draws(fit, budget), [(1 - level) / 2, 0.5, (1 + level) / 2])
    )
    share = THOUSAND / (budget - end)
    wanted = [look for look in looks if look is not None]
    return Outlook(
        compute=end,
        budget=budget,
        until_end=Estimate(estimate=middle, low=low, high=high),
        per_thousand=Estimate(estimate=middle * share, low=low * share, high=high * share),
        next_look=min(wanted) if wanted else None,
    )


def next_look(run: Run, found: Finding, budget: float | None) -> float | None:
    """Return the compute at which a further look can tell more; None if the budget comes first.

    An interval shrinks about as the square root of the log's length. One that straddles its threshold has to shrink
    until its near end is there, so that is the growth to wait for.

    Parameters
    ----------
    run
        The run.
    found
        What its judge found.
    budget
        Planned total, unit of the run; None if there is none, or nothing left of it.
    """
    last = float(run.compute[-1]) if run.compute.size else 0.0
    growth = SOONEST
    value, threshold = found.value, found.threshold
    if value is None and run.compute.size:
        growth = max(SOONEST, FEW_POINTS / run.compute.size)
    elif found.state is State.INCONCLUSIVE and value is not None and threshold is not None:
        near = found.low if value > threshold else found.high
        if near is None or math.isclose(value, threshold):
            growth = LATEST
        else:
            growth = min(max(((value - near) / (value - threshold)) ** 2, SOONEST), LATEST)
    compute = last * growth
    return None if compute <= 0 or (budget is not None and compute >= budget) else compute


def advise(kind: str, state: State, look: float | None, unit: str, *, has_value: bool, has_budget: bool) -> str:
    """Return what to do next, one sentence for a person.

    Parameters
    ----------
    kind
        What kind of gate it is.
    state
        What the evidence says.
    look
        When a further look can tell more, unit of the run.
    unit
        Unit of compute.
    has_value
        Whether there was anything to judge.
    has_budget
        Whether something is left of a known budget.
    """
    later = "it will hardly be clear before the budget is spent" if has_budget else "look again when more is logged"
    again = later if look is None else f"look again at {amount(look)} {unit}"
    if state is State.INCONCLUSIVE:
        return again if has_value else f"continue, and {again}"
    if state is State.PASS:
        return "continue"
    return _ON_FAILURE[kind]


_ON_FAILURE = {
    "asymptote": "stop, or lower the demand: more compute does not lift a ceiling",
    "final": "stop, or plan a larger budget",
    "reach": "stop, or plan more compute for it",
    "efficiency": "compare the recipe with one that was steeper",
    "on_track": "compare with the reference: data, precision, learning rate, and what changed since",
    "no_collapse": "stop and go back to the checkpoint of the best reward",
    "remaining_gain": "stop here: the rest of the budget buys little",
}
