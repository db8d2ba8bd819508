"""What a practitioner would warn of, each with its evidence.

A detector is one function from a `Fit` to a `Caveat` or None; to add one is to write it and to name it in `DETECTORS`.
"""

from collections.abc import Callable, Sequence

from scalefit.caveats.ceiling import (
    FEW_POINTS,
    ceiling_not_known,
    constant_reward,
    few_points,
    near_bound,
    noise_hides_the_rise,
    starts_on_plateau,
    still_rising,
)
from scalefit.caveats.course import collapsed_later, early_regime, falls_from_peak, other_law, second_rise
from scalefit.caveats.fit import Fit
from scalefit.caveats.rows import (
    outside_range,
    own_calibration,
    skipped_start,
    smoothed_export,
    spikes,
    staircase,
)
from scalefit.run import Caveat

DETECTORS: Sequence[Callable[[Fit], Caveat | None]] = (
    constant_reward,
    few_points,
    ceiling_not_known,
    starts_on_plateau,
    still_rising,
    falls_from_peak,
    noise_hides_the_rise,
    early_regime,
    second_rise,
    spikes,
    staircase,
    smoothed_export,
    near_bound,
    outside_range,
    skipped_start,
    collapsed_later,
    other_law,
    own_calibration,
)
"""In the order in which a reader needs them."""


def find_caveats(fit: Fit) -> tuple[Caveat, ...]:
    """Return what a practitioner would warn of."""
    return tuple(caveat for caveat in (detect(fit) for detect in DETECTORS) if caveat is not None)


__all__ = ["DETECTORS", "FEW_POINTS", "Fit", "find_caveats"]
