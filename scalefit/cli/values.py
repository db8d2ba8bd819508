"""What the values of options mean, and which cannot be meant."""

import math
from typing import TYPE_CHECKING, Literal

import typer

from scalefit.errors import UsageError

if TYPE_CHECKING:
    from scalefit.forecast import Settings
    from scalefit.logs import ReadOptions
    from scalefit.model.departure import Calibration


def parse_number(text: str) -> float:
    """Return a finite number.

    Parameters
    ----------
    text
        What the user gave for an option.

    Raises
    ------
    typer.BadParameter
        If it is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise typer.BadParameter(f"'{text}' is not a finite number")
    return value


def parse_count(text: str) -> int:
    """Return a whole number.

    Parameters
    ----------
    text
        What the user gave for an option.

    Raises
    ------
    typer.BadParameter
        If it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a whole number") from None


SMALLEST_STEP = 0.01
"""Smallest ``--by``: a hundred forecasts of each run are as many as a plot can tell apart."""


def parse_fractions(text: str) -> tuple[float, ...]:
    """Return the shares that ``--fractions`` names, in the order given.

    Parameters
    ----------
    text
        Numbers between 0 and 1, separated by commas.

    Raises
    ------
    UsageError
        If one is none, or stands there twice.
    """
    fractions: list[float] = []
    for part in text.split(","):
        fraction = _finite(part.strip(), "--fractions", "shares between 0 and 1, e.g. 0.1,0.25,0.5")
        require(0 < fraction < 1, "--fractions", fraction, "shares above 0 and below 1: the rest of the run is scored")
        if fraction in fractions:
            raise UsageError(f"{fraction:g} twice", where="--fractions", expected="expected each share once")
        fractions.append(fraction)
    return tuple(fractions)


def fractions_by(step: float) -> tuple[float, ...]:
    """Return every multiple of a step below 1.

    Parameters
    ----------
    step
        Of ``--by``.

    Raises
    ------
    UsageError
        If it is not between `SMALLEST_STEP` and 1.
    """
    require(SMALLEST_STEP <= step < 1, "--by", step, f"a share from {SMALLEST_STEP:g} to below 1, e.g. 0.1")
    # 3 * 0.1 is 0.30000000000000004, which nobody has asked for.
    multiples = (round(place * step, 12) for place in range(1, math.ceil(1 / step) + 1))
    return tuple(multiple for multiple in multiples if multiple < 1)


def parse_range(text: str | None) -> tuple[float | None, float | None] | None:
    """Return the ends that ``--range`` names; an end is None if it is open.

    Parameters
    ----------
    text
        ``LO,HI``, either of which may be empty; ``none`` or ``unbounded``; None if the option was not given.

    Raises
    ------
    UsageError
        If it is none of these, or the ends are not in order.
    """
    if text is None:
        return None
    if text.strip().lower() in {"none", "unbounded"}:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != len(("low", "high")):
        raise UsageError(f"'{text}' is not a range", where="--range", expected="expected LO,HI such as 0,1, or none")
    low, high = (None if part == "" else _finite(part, "--range") for part in parts)
    if low is not None and high is not None and low >= high:
        raise UsageError(f"'{text}' is empty", where="--range", expected="expected the lower end first, e.g. 0,1")
    return low, high


def parse_start(text: str | None) -> float | Literal["free"] | None:
    """Return the reward that ``--start`` names.

    Parameters
    ----------
    text
        A number, ``free``, or None if the option was not given.

    Raises
    ------
    UsageError
        If it is neither.
    """
    if text is None:
        return None
    return "free" if text.strip().lower() == "free" else _finite(text, "--start", "a number or free")


def parse_where(conditions: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Return the columns and values that ``--where`` names.

    Parameters
    ----------
    conditions
        ``COLUMN=VALUE`` each; None if the option was not given.

    Raises
    ------
    UsageError
        If one has no column or no equals sign.
    """
    pairs = []
    for condition in conditions or ():
        column, equals, value = condition.partition("=")
        if not equals or not column.strip():
            raise UsageError(
                f"'{condition}' is not a condition", where="--where", expected="expected COLUMN=VALUE, e.g. split=train"
            )
        pairs.append((column.strip(), value.strip()))
    return tuple(pairs)


def read_options(
    *,
    x: str | None,
    y: str | None,
    where: list[str] | None,
    series: str | None,
    gpus: float | None,
    gpu_hours_per_step: float | None,
    max_gap: float | None,
    minimize: bool,
) -> "ReadOptions":
    """Return how the logs are to be read.

    Raises
    ------
    UsageError
        If a value is out of its domain.
    """
    from scalefit.logs import ReadOptions

    for name, value in (("--gpus", gpus), ("--gpu-hours-per-step", gpu_hours_per_step), ("--max-gap", max_gap)):
        if value is not None:
            require(math.isfinite(value) and value > 0, name, value, "a number above 0")
    return ReadOptions(
        x=x,
        y=y,
        where=parse_where(where),
        series=series,
        gpus=gpus,
        gpu_hours_per_step=gpu_hours_per_step,
        max_gap_hours=max_gap,
        minimize=minimize,
    )


def settings(
    *,
    fraction: float,
    budget: float | None,
    skip_until: float,
    reward_range: str | None,
    minimize: bool,
    start: str | None,
    law: str,
    level: float,
    at: list[float] | None = None,
    reach: list[float] | None = None,
    calibration: str | None = None,
) -> "Settings":
    """Return what is asked of the forecasts.

    Raises
    ------
    UsageError
        If a value is out of its domain: before any log is read.
    """
    from scalefit.forecast import Settings
    from scalefit.model.curves import LAWS
    from scalefit.model.departure import SHIPPED

    require(0 < fraction <= 1, "--fraction", fraction, "a number above 0 and up to 1")
    require(0 < level < 1, "--level", level, "a probability between 0 and 1, e.g. 0.9")
    require(math.isfinite(skip_until) and skip_until >= 0, "--skip-until", skip_until, "0 or more")
    if budget is not None:
        require(math.isfinite(budget) and budget > 0, "--budget", budget, "a number above 0")
    for compute in at or ():
        require(math.isfinite(compute) and compute > 0, "--at", compute, "a compute above 0")
    for reward in reach or ():
        require(math.isfinite(reward), "--reach", reward, "a finite reward")
    if law not in LAWS:
        raise UsageError(f"there is no law '{law}'", where="--law", expected=f"expected one of {', '.join(LAWS)}")
    return Settings(
        fraction=fraction,
        budget=budget,
        skip_until=skip_until,
        reward_range=parse_range(reward_range),
        minimize=minimize,
        start=parse_start(start),
        law=law,
        level=level,
        at=tuple(at or ()),
        reach=tuple(reach or ()),
        calibration=SHIPPED if calibration is None else _own_calibration(calibration, law=law, level=level),
    )


def require(holds: bool, option: str, value: float, expected: str) -> None:
    """Refuse the value of an option that is out of its domain.

    Parameters
    ----------
    holds
        Whether it is in its domain.
    option
        The option.
    value
        Its value.
    expected
        What its domain is.

    Raises
    ------
    UsageError
        If it does not hold.
    """
    if not holds:
        raise UsageError(f"{value:g} cannot be used", where=option, expected=f"expected {expected}")


def _own_calibration(path: str, *, law: str, level: float) -> "Calibration":
    from scalefit.cli.calibration_file import read_calibration

    return read_calibration(path, law=law, level=level)


def _finite(text: str, option: str, expected: str = "a number") -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"'{text}' is not a finite number", where=option, expected=f"expected {expected}")
    return value
