"""What may be asked of a forecast."""

import dataclasses
import math
from typing import Literal

from scalefit.errors import UsageError
from scalefit.model.curves import LAWS, Law
from scalefit.model.departure import SHIPPED, Calibration


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


def law_named(name: str) -> Law:
    """Return the law of a name; a UsageError if there is none."""
    if name not in LAWS:
        raise UsageError(f"no law is called {name!r}", where="--law", expected=f"expected one of {', '.join(LAWS)}")
    return LAWS[name]


def validate(settings: Settings) -> None:
    """Raise a UsageError if a setting is out of its domain."""
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
