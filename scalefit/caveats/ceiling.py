"""What keeps the ceiling from being read."""

import numpy as np

from scalefit.caveats.fit import Fit
from scalefit.run import Caveat

FEW_POINTS = 8
"""Points below which an interval rests on the priors as much as on the log."""


def constant_reward(fit: Fit) -> Caveat | None:
    """Warn if the reward never changes."""
    if not fit.has_constant_reward:
        return None
    reward = float(fit.window.reward[0])
    return Caveat(
        code="constant-reward",
        message=f"the reward is {reward:g} in every row of the window: efficiency and midpoint are not identified",
        evidence={"reward": reward, "points": fit.window.points},
    )


def few_points(fit: Fit) -> Caveat | None:
    """Warn if there are few points."""
    points = fit.window.points
    if points >= FEW_POINTS:
        return None
    return Caveat(
        code="few-points",
        message=f"only {points} points in the window: the intervals rest on the priors as much as on the log",
        evidence={"points": points, "enough": FEW_POINTS},
    )


def ceiling_not_known(fit: Fit) -> Caveat | None:
    """Warn if the asymptote is not identified."""
    posterior = fit.posterior
    if fit.is_identified or fit.has_constant_reward or not posterior.law.has_midpoint:
        return None
    before = float((posterior.log_midpoint > posterior.log_end).mean())
    midpoint = float(np.exp(np.median(posterior.log_midpoint)))
    evidence = {"window_end": fit.window.end, "midpoint": midpoint, "probability_before_midpoint": before}
    even = 0.5
    if before > even:
        return Caveat(
            code="before-midpoint",
            message=f"the window ends at {fit.window.end:.4g} {fit.run.unit}, probably before the midpoint "
            "(probability "
            f"{before:.2f}): the asymptote is not identified and has no upper end",
            evidence=evidence,
        )
    return Caveat(
        code="asymptote-not-identified",
        message="the curve has not bent enough to bound the asymptote: it is not identified",
        evidence=evidence,
    )


def starts_on_plateau(fit: Fit) -> Caveat | None:
    """Warn if the log starts when most of the gain is over."""
    posterior = fit.posterior
    trained = fit.window.compute > 0
    first = float(fit.window.compute[trained][0])
    if trained.sum() < fit.window.points or fit.has_constant_reward or not posterior.law.has_midpoint:
        return None
    seen = float(np.median(posterior.share(np.array([first]))))
    mostly = 0.8
    if seen < mostly:
        return None
    return Caveat(
        code="starts-on-plateau",
        message=f"the log starts at {first:.4g} {fit.run.unit}, when about {seen:.2f} of the gain is behind it: "
        "efficiency, "
        "midpoint and start are not identified, only the level is",
        evidence={"first_compute": first, "share_of_gain": seen},
    )


def still_rising(fit: Fit) -> Caveat | None:
    """Warn if much of the gain is still to come."""
    posterior = fit.posterior
    if not fit.is_identified:
        return None
    share = float(np.median(posterior.share(np.array([fit.window.end]))))
    mostly = 0.8
    if share >= mostly:
        return None
    return Caveat(
        code="still-rising",
        message=f"the run is still rising: about {share:.2f} of its gain is inside the window",
        evidence={"share_of_gain": share},
    )


def noise_hides_the_rise(fit: Fit) -> Caveat | None:
    """Warn if the gain does not stand out of the noise."""
    posterior = fit.posterior
    if fit.has_constant_reward:
        return None
    ends = np.array([fit.window.compute[fit.window.compute > 0][0], fit.window.end])
    first, last = np.median(posterior.curve(ends), axis=0)
    gain, spread = abs(float(last - first)), float(np.median(posterior.noise_sd))
    memory = np.median((1 + posterior.correlation) / (1 - posterior.correlation))
    points = max(posterior.observations.reward.size / 2, 1.0)
    clear = 4.0
    if gain > clear * spread * np.sqrt(min(float(memory) / points, 1.0)):
        return None
    return Caveat(
        code="noise-hides-the-rise",
        message=f"the gain inside the window, {gain:.3g}, does not stand out of the noise (standard deviation "
        f"{spread:.3g} a point)",
        evidence={"gain": gain, "noise_sd": spread},
    )


def near_bound(fit: Fit) -> Caveat | None:
    """Warn if the asymptote lies at the end of the reward's range."""
    posterior = fit.posterior
    limits = posterior.reward_range
    best = limits.low if posterior.minimize else limits.high
    if best is None or limits.low is None or limits.high is None or limits.origin == "unbounded":
        return None
    size = limits.high - limits.low
    near, even = 0.01, 0.5
    share = float((np.abs(posterior.asymptote - best) < near * size).mean())
    if share < even:
        return None
    return Caveat(
        code="at-the-bound",
        message=f"the asymptote lies at the end of the reward's range, {best:g} (probability {share:.2f}): if "
        "rewards can go "
        "beyond it, say so with --range",
        evidence={"bound": best, "probability": share},
    )
