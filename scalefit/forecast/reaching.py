"""When a run gets to a reward."""

import numpy as np

from scalefit.forecast.values import Estimate, Reach
from scalefit.model.posterior import Posterior


def reach(posterior: Posterior, reward: float, level: float) -> Reach:
    """Return when the law's curve gets to a reward."""
    sign = -1.0 if posterior.minimize else 1.0
    gain = sign * (posterior.asymptote - posterior.start)
    wanted = sign * (reward - posterior.start)
    share = np.divide(wanted, gain, out=np.full(gain.size, np.inf), where=gain > 0)
    can = share < 1 if posterior.law.has_asymptote else np.isfinite(share)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_compute = posterior.log_end + posterior.law.log_compute_for_share(
            np.where(can, share, 0.5), np.log(posterior.efficiency), posterior.log_midpoint - posterior.log_end
        )
    # A share of 0 or less is there from the first step.
    log_compute = np.where(can, np.where(np.isnan(log_compute), -np.inf, log_compute), np.inf)
    levels = [(1 - level) / 2, 0.5, (1 + level) / 2]
    ordered = np.sort(log_compute)[(np.array(levels) * (log_compute.size - 1)).round().astype(np.int64)]
    # A law without a ceiling reaches anything some day: a compute that no float64 holds is none that anybody has.
    with np.errstate(over="ignore"):
        low, middle, high = np.exp(ordered)

    def known(value: float) -> float | None:
        return float(value) if np.isfinite(value) else None

    return Reach(
        reward=reward,
        probability=float(can.mean()),
        compute=Estimate(estimate=known(middle), low=known(low), high=known(high)),
    )
