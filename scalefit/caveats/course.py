"""Courses that one law cannot follow."""

import numpy as np

from scalefit.caveats.ceiling import FEW_POINTS
from scalefit.caveats.fit import Fit
from scalefit.model.curves import LAWS
from scalefit.model.posterior import fit_posterior
from scalefit.run import MINIMUM_POINTS, Caveat, FloatArray, select_window

CLEAR_STEPS = 6.0
"""Distance, in `Fit.step_noise`, that is taken for a difference and not for noise: twice the standard deviation of
noise with a correlation of 0.9, which is three times what its steps show and which averaging over neighbours hardly
lessens."""

CLEAR_EVIDENCE = 5.0
"""Difference in ln of the evidence from which on another law is clearly better supported (Kass and Raftery 1995)."""

SMALL_SHARE = 0.1
"""Share of the window's range of rewards below which a difference does not matter."""

FALL_SHARE = 0.3
"""Share of the gain that must be lost before a fall is called one."""


def averages(fit: Fit) -> tuple[FloatArray, FloatArray]:
    """Return compute and reward in up to twelve averages over the window, better upwards."""
    seen = fit.posterior.observations
    order = np.argsort(seen.compute, kind="stable")
    parts = min(12, max(seen.reward.size // 3, 1))
    compute = np.array([part.mean() for part in np.array_split(seen.compute[order], parts)])
    reward = np.array([part.mean() for part in np.array_split(fit.sign * seen.reward[order], parts)])
    return compute, reward


def falls_from_peak(fit: Fit) -> Caveat | None:
    """Warn if the reward falls from its peak."""
    compute, reward = averages(fit)
    if reward.size < MINIMUM_POINTS:
        return None
    best = int(reward.argmax())
    drop = float(reward[best] - reward[-1])
    gained = float(reward[best] - reward[: best + 1].min())
    if drop < max(FALL_SHARE * np.ptp(reward), CLEAR_STEPS * fit.step_noise):
        return None
    evidence = {
        "best": fit.sign * float(reward[best]),
        "best_compute": float(compute[best]),
        "last": fit.sign * float(reward[-1]),
    }
    if not fit.posterior.minimize and gained < FALL_SHARE * drop:
        return Caveat(
            code="metric-falls",
            message=f"the metric falls through the window, from {reward[best]:.4g} to {reward[-1]:.4g}: if lower "
            "is better, "
            "say --minimize",
            evidence=evidence,
        )
    return Caveat(
        code="falls-from-peak",
        message=f"the reward has fallen from {evidence['best']:.4g} at {evidence['best_compute']:.4g} "
        f"{fit.run.unit} to "
        f"{evidence['last']:.4g} at the window's end (collapse?): a saturating law does not describe that",
        evidence=evidence,
    )


def early_regime(fit: Fit) -> Caveat | None:
    """Warn if the first points differ from the rest."""
    compute, residual = fit.residuals
    early = max(3, compute.size // 8)
    if compute.size < 2 * FEW_POINTS:
        return None
    # The curve has been bent towards these rows, so half of the usual distance is already telling.
    away = float(residual[:early].mean())
    if abs(away) < max(CLEAR_STEPS / 2 * fit.step_noise, SMALL_SHARE / 2 * fit.posterior.scale):
        return None
    after = float(compute[early])
    later = select_window(fit.run, fraction=fit.window.fraction, budget=fit.window.budget, skip_until=after)
    refitted = fit_posterior(later, fit.posterior.law, fit.posterior.reward_range, minimize=fit.posterior.minimize)
    was, would = float(np.median(fit.posterior.asymptote)), float(np.median(refitted.asymptote))
    return Caveat(
        code="early-regime",
        message=f"the first {early} points lie {'above' if away * fit.sign > 0 else 'below'} the fitted curve by "
        f"{abs(away):.3g} on average (an early regime?): "
        f"--skip-until {after:.6g} would move the asymptote from {was:.4g} to {would:.4g}",
        evidence={"points": early, "residual": away, "skip_until": after, "asymptote": was, "asymptote_without": would},
    )


def second_rise(fit: Fit) -> Caveat | None:
    """Warn if the last points rise once more."""
    compute, residual = fit.residuals
    late = max(3, compute.size // 8)
    if compute.size < 2 * FEW_POINTS:
        return None
    # Against the points before them rather than against the curve, which has been bent towards both.
    away = float(residual[-late:].mean() - residual[-3 * late : -late].mean())
    if away < max(CLEAR_STEPS / 2 * fit.step_noise, SMALL_SHARE * fit.posterior.scale):
        return None
    return Caveat(
        code="two-stage-rise",
        message=f"the last {late} points have risen {away:.3g} more against the fitted curve than the points before "
        "them: the run seems to rise a second time, and one law cannot follow",
        evidence={"points": late, "residual": away},
    )


def collapsed_later(fit: Fit) -> Caveat | None:
    """Warn if the reward collapsed after the window."""
    later = fit.run.compute > fit.window.end
    size = int(later.sum())
    if size < MINIMUM_POINTS:
        return None
    parts = min(12, size)
    compute = np.array([part.mean() for part in np.array_split(fit.run.compute[later], parts)])
    reward = np.array([part.mean() for part in np.array_split(fit.sign * fit.run.reward[later], parts)])
    best = int(reward.argmax())
    gain = float(reward[best] - (fit.sign * fit.window.reward).min())
    drop = float(reward[best] - reward[-1])
    if drop < max(FALL_SHARE * gain, CLEAR_STEPS * fit.step_noise):
        return None
    low = fit.sign * float(reward[-1])
    return Caveat(
        code="collapsed-after-window",
        message=f"after the window the reward fell from {fit.sign * reward[best]:.4g} at {compute[best]:.4g} "
        f"{fit.run.unit} to {low:.4g} "
        "(collapse): the forecast could not know",
        evidence={"best": fit.sign * float(reward[best]), "best_compute": float(compute[best]), "last": low},
    )


def other_law(fit: Fit) -> Caveat | None:
    """Warn if another law is clearly better supported."""
    posterior = fit.posterior
    if fit.has_constant_reward:
        return None
    evidence = {
        name: fit_posterior(
            fit.window, law, posterior.reward_range, start=fit.start, minimize=posterior.minimize
        ).log_evidence
        - posterior.log_evidence
        for name, law in LAWS.items()
        if name != posterior.law.name
    }
    best = max(evidence, key=evidence.__getitem__)
    if evidence[best] < CLEAR_EVIDENCE:
        return None
    return Caveat(
        code="other-law",
        message=f"the {best} law, {LAWS[best].formula}, is better supported by the window than the "
        f"{posterior.law.name} "
        f"(by {evidence[best]:.1f} in ln of the evidence): see what --law {best} forecasts",
        evidence={"law": best, "log_evidence": evidence[best]},
    )
