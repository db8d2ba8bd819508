"""Numbers as a person reads them: no more digits than the uncertainty leaves, and never a plus-minus."""

import math
import re

from scalefit.forecast import Estimate

PLAIN_BELOW = 1e7
"""Size from which a number is written with an exponent: seven digits can still be read, tokens (1e12) cannot."""
PLAIN_DECIMALS = 6
"""Decimals beyond which a number is written with an exponent."""
UNKNOWN = "unknown"


def decimals_for(spread: float | None, value: float | None) -> int:
    """Return how many decimals to show: the first two digits of the spread, or three digits of the value itself.

    Parameters
    ----------
    spread
        Width of the interval; None or 0 if there is none.
    value
        The number, used without a spread.
    """
    if spread is not None and math.isfinite(spread) and spread > 0:
        return 1 - math.floor(math.log10(spread))
    return digits_of(value)


def digits_of(value: float | None) -> int:
    """Return the decimals that show three significant digits of ``value``.

    Parameters
    ----------
    value
        The number; None or 0 need no decimals.
    """
    if value is None or value == 0 or not math.isfinite(value):
        return 0
    return 2 - math.floor(math.log10(abs(value)))


def show(value: float | None, decimals: int | None = None) -> str:
    """Return a number as text.

    Parameters
    ----------
    value
        The number; None is unknown.
    decimals
        Decimals to round to; negative ones round to tens, hundreds, ...; None: three significant digits.
    """
    if value is None or not math.isfinite(value):
        return UNKNOWN
    if decimals is None:
        decimals = digits_of(value)
    rounded = round(value, decimals) + 0.0
    if rounded != 0 and (abs(rounded) >= PLAIN_BELOW or decimals > PLAIN_DECIMALS):
        places = max(0, math.floor(math.log10(abs(rounded))) + decimals)
        mantissa, exponent = f"{rounded:.{places}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{rounded:,.{min(max(decimals, 0), PLAIN_DECIMALS)}f}"


def show_amount(value: float | None, spread: float | None = None) -> str:
    """Return a positive amount, such as compute, whose interval may span orders of magnitude: three digits at least.

    Parameters
    ----------
    value
        The amount; None is unknown.
    spread
        Width of its interval; None if there is none.
    """
    if value is None:
        return UNKNOWN
    if not spread:
        # A budget of 16000 is a whole number that somebody chose: "16,000.0" would look like a measurement.
        text = show(value, min(digits_of(value), 0) if value == round(value) else None)
        return re.sub(r"\.?0+e", "e", text)
    return show(value, max(decimals_for(spread, value), digits_of(value)))


def width_of(interval: Estimate) -> float | None:
    """Return the spread that decides the digits: the width, or the distance to the only end there is.

    Parameters
    ----------
    interval
        A number with its interval.
    """
    if interval.low is not None and interval.high is not None:
        return interval.high - interval.low
    end = interval.low if interval.low is not None else interval.high
    return None if end is None or interval.estimate is None else abs(interval.estimate - end)


def show_interval(low: float | None, high: float | None, decimals: int | None = None) -> str:
    """Return ``low - high``, saying so where an end is missing.

    Parameters
    ----------
    low
        Lower end; None if there is none.
    high
        Upper end; None if there is none.
    decimals
        As in `show`.
    """
    if low is None and high is None:
        return "no limits"
    left = "no lower limit" if low is None else show(low, decimals)
    right = "no upper limit" if high is None else show(high, decimals)
    return f"{left} - {right}"


def show_amounts(interval: Estimate) -> tuple[str, str]:
    """Return the estimate and the interval of a positive amount.

    Parameters
    ----------
    interval
        The amount with its interval.
    """
    spread = width_of(interval)
    if interval.low is None and interval.high is None:
        return show_amount(interval.estimate), "no limits"
    left = "no lower limit" if interval.low is None else show_amount(interval.low, spread)
    right = "no upper limit" if interval.high is None else show_amount(interval.high, spread)
    return show_amount(interval.estimate, spread), f"{left} - {right}"


def show_rewards(interval: Estimate) -> tuple[str, str]:
    """Return the estimate and the interval of a reward.

    Parameters
    ----------
    interval
        The reward with its interval.
    """
    decimals = decimals_for(width_of(interval), interval.estimate)
    return show(interval.estimate, decimals), show_interval(interval.low, interval.high, decimals)
