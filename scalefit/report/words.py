"""What a person wants to know first, in plain words: where the run ends, how sure that is, and what is not known."""

from scalefit.forecast import Forecast, Outcome
from scalefit.model.curves import LAWS
from scalefit.report.figures import (
    UNKNOWN,
    decimals_for,
    show,
    show_amount,
    show_interval,
    show_rewards,
)


def summarise(forecast: Forecast) -> tuple[str, ...]:
    """Return the sentences that answer a person's questions, the most wanted first.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    sentences = [
        where_it_ends(forecast),
        whether_ceiling_is_known(forecast),
        what_no_model_says(forecast),
        what_happened(forecast) if forecast.outcome else how_far_it_is(forecast),
    ]
    return tuple(sentence for sentence in sentences if sentence)


def ceiling_of(forecast: Forecast) -> str:
    """Return what the asymptote is called: a ceiling, or a floor if lower is better.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    return "floor" if forecast.minimize else "ceiling"


def robust_decimals(forecast: Forecast) -> int:
    """Return the decimals in which the robust forecast at the budget is shown.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    final = forecast.final
    return decimals_for(final.robust_high - final.robust_low, final.robust_estimate)


def curve_decimals(forecast: Forecast) -> int:
    """Return the decimals in which the curve at the budget, and what was measured, is shown.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    final = forecast.final
    return max(robust_decimals(forecast), decimals_for(final.high - final.low, final.estimate))


def is_seen_whole(forecast: Forecast) -> bool:
    """Return whether the fit saw the run up to its budget, so that nothing is left to forecast.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    return forecast.window.end >= forecast.final.compute


def where_it_ends(forecast: Forecast) -> str:
    """Return the forecast at the budget, the robust one first.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    final, decimals, fine = forecast.final, robust_decimals(forecast), curve_decimals(forecast)
    place = f"{show_amount(final.compute)} {forecast.run.unit}"
    if is_seen_whole(forecast):
        return (
            f"At its end, {place}, the curve stands at {show(final.estimate, fine)}, "
            f"{show_interval(final.low, final.high, fine)} with probability {forecast.level:g}."
        )
    band = show_interval(final.robust_low, final.robust_high, decimals)
    return (
        f"Expect {show(final.robust_estimate, decimals)} at {place}, {band} with probability {forecast.level:g}: "
        f"real runs do leave their curve. If this one keeps to it: {show(final.estimate, fine)}, "
        f"{show_interval(final.low, final.high, fine)}."
    )


def whether_ceiling_is_known(forecast: Forecast) -> str:
    """Return whether the asymptote may be read as a value and, if not, what would make it one.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    name, unit = ceiling_of(forecast), forecast.run.unit
    if not LAWS[forecast.law].has_asymptote:
        return f"The law '{forecast.law}' has no {name}."
    estimate, interval = show_rewards(forecast.asymptote)
    if forecast.is_identified:
        return f"The {name} of its curve is known: {estimate} ({interval})."
    fits = "nothing seen so far limits it" if interval == "no limits" else f"anything in {interval} fits"
    need = forecast.compute_to_identify
    if need is None:
        more = "How much more compute would make it known cannot be said"
    else:
        times = need / forecast.window.end
        more = f"About {show_amount(need)} {unit} in all would make it known, {show(times)} times what the fit saw"
        if need > forecast.window.budget:
            more += f" and more than the budget of {show_amount(forecast.window.budget)}"
    return f"The {name} is not known yet: {fits}. {more}."


def what_no_model_says(forecast: Forecast) -> str:
    """Return the baseline.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    if is_seen_whole(forecast):
        return f"The last three points have a mean of {show(forecast.final.baseline, curve_decimals(forecast))}."
    return (
        f"No model at all (the mean of the last three points seen) says "
        f"{show(forecast.final.baseline, curve_decimals(forecast))}."
    )


def how_far_it_is(forecast: Forecast) -> str:
    """Return how much of the budget is logged; empty if the whole of it is.

    Parameters
    ----------
    forecast
        The forecast of one run without rows beyond its window.
    """
    last, budget = float(forecast.run.compute[-1]), forecast.window.budget
    if last >= budget:
        return ""
    return f"The log has reached {show_amount(last)} of {show_amount(budget)} {forecast.run.unit}."


def what_happened(forecast: Forecast) -> str:
    """Return the outcome held against the forecast; empty if there is none.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    outcome = forecast.outcome
    if outcome is None:
        return ""
    decimals, fine = robust_decimals(forecast), curve_decimals(forecast)
    return (
        f"What happened: {show(outcome.observed, fine)} over the last 0.15 of the log, "
        f"{place_of(outcome)} the band of {show_interval(outcome.robust_low, outcome.robust_high, decimals)}; "
        f"the forecast was {miss(outcome.robust_error, fine)}, no model {miss(outcome.baseline_error, fine)}."
    )


def place_of(outcome: Outcome) -> str:
    """Return where the outcome lies: inside, above or below the robust band.

    Parameters
    ----------
    outcome
        What happened after the window.
    """
    if outcome.covered_robust:
        return "inside"
    return "above" if outcome.observed > outcome.robust_high else "below"


def miss(error: float, decimals: int) -> str:
    """Return an error of a forecast in words.

    Parameters
    ----------
    error
        Forecast minus observed.
    decimals
        As in `show`.
    """
    size = show(abs(error), decimals)
    if size == UNKNOWN or float(size.replace(",", "")) == 0:
        return "right"
    return f"{size} too {'high' if error > 0 else 'low'}"
