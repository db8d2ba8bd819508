"""What a practitioner would warn of, each with its evidence.

A detector is one function from a `Fit` to a `Caveat` or None; to add one is to write it and to name it in `DETECTORS`.
"""

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from scalefit.model.curves import LAWS
from scalefit.model.departure import Departure
from scalefit.model.noise import CONSTANT_SHARE
from scalefit.model.posterior import Posterior, fit_posterior
from scalefit.run import MINIMUM_POINTS, Caveat, FitWindow, FloatArray, Run, select_window

IDENTIFIED_WIDTH = 0.5
"""Widest interval of the asymptote, in shares of the gain A - R0, that may still be read as a value."""

FEW_POINTS = 8
"""Points below which an interval rests on the priors as much as on the log."""

MEDIAN_CHI_SQUARE = 0.4549
"""Median of a squared standard normal variable."""

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


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What the detectors look at."""

    run: Run
    """The run; its rows after the window only tell what came of the forecast."""
    window: FitWindow
    """What the fit saw."""
    posterior: Posterior
    """What it made of it."""
    departure: Departure
    """What it may do beyond its law."""
    level: float
    """Probability of the intervals."""
    start: float | None
    """Reward at zero compute, if it was given."""

    @property
    def sign(self) -> float:
        """1 where higher is better, else -1."""
        return -1.0 if self.posterior.minimize else 1.0

    @property
    def has_constant_reward(self) -> bool:
        """Whether every row of the window holds the same reward."""
        return float(np.ptp(self.window.reward)) <= CONSTANT_SHARE * float(np.abs(self.window.reward).max())

    @property
    def is_identified(self) -> bool:
        """Whether the asymptote may be read as a value.

        The window must have passed the midpoint at the level asked for, and the interval must be narrow against the
        gain. Before the midpoint the curve is about (A - R0) (C / C_mid)^B: one combination of three numbers.
        """
        posterior = self.posterior
        if not (posterior.law.has_asymptote and posterior.law.has_midpoint) or self.has_constant_reward:
            return False
        passed = float((posterior.log_midpoint < posterior.log_end).mean())
        low, high = np.quantile(posterior.asymptote, [(1 - self.level) / 2, (1 + self.level) / 2])
        gain = float(np.median(self.sign * (posterior.asymptote - posterior.start)))
        return passed >= (1 + self.level) / 2 and float(high - low) <= IDENTIFIED_WIDTH * gain

    @property
    def median_curve(self) -> FloatArray:
        """(n,), the median of the fitted curve at the observations with positive compute."""
        seen = self.posterior.observations
        curve: FloatArray = np.median(self.posterior.curve(seen.compute[seen.compute > 0]), axis=0)
        return curve

    @property
    def residuals(self) -> tuple[FloatArray, FloatArray]:
        """Compute and residual, (n,) each, of the observations with positive compute; positive is better."""
        seen = self.posterior.observations
        trained = seen.compute > 0
        return seen.compute[trained], self.sign * (seen.reward[trained] - self.median_curve)

    @property
    def step_noise(self) -> float:
        """Standard deviation of the noise as successive points show it, reward units: no misfit enters it."""
        seen = self.posterior.observations
        steps = np.diff(seen.reward)[seen.series[1:] == seen.series[:-1]]
        return float(np.sqrt(np.median(steps**2) / MEDIAN_CHI_SQUARE / 2)) if steps.size else 0.0


def _constant_reward(fit: Fit) -> Caveat | None:
    if not fit.has_constant_reward:
        return None
    reward = float(fit.window.reward[0])
    return Caveat(
        code="constant-reward",
        message=f"the reward is {reward:g} in every row of the window: efficiency and midpoint are not identified",
        evidence={"reward": reward, "points": fit.window.points},
    )


def _few_points(fit: Fit) -> Caveat | None:
    points = fit.window.points
    if points >= FEW_POINTS:
        return None
    return Caveat(
        code="few-points",
        message=f"only {points} points in the window: the intervals rest on the priors as much as on the log",
        evidence={"points": points, "enough": FEW_POINTS},
    )


def _ceiling_not_known(fit: Fit) -> Caveat | None:
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


def _starts_on_plateau(fit: Fit) -> Caveat | None:
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


def _still_rising(fit: Fit) -> Caveat | None:
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


def _smoothed(fit: Fit) -> tuple[FloatArray, FloatArray]:
    """Return compute and reward in up to twelve averages over the window, better upwards."""
    seen = fit.posterior.observations
    order = np.argsort(seen.compute, kind="stable")
    parts = min(12, max(seen.reward.size // 3, 1))
    compute = np.array([part.mean() for part in np.array_split(seen.compute[order], parts)])
    reward = np.array([part.mean() for part in np.array_split(fit.sign * seen.reward[order], parts)])
    return compute, reward


def _falls(fit: Fit) -> Caveat | None:
    compute, reward = _smoothed(fit)
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


def _noise(fit: Fit) -> Caveat | None:
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


def _early_regime(fit: Fit) -> Caveat | None:
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


def _second_rise(fit: Fit) -> Caveat | None:
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


def _spikes(fit: Fit) -> Caveat | None:
    spikes = fit.posterior.observations.spikes
    if not spikes:
        return None
    compute, reward, around = spikes[0]
    return Caveat(
        code="spikes",
        message=f"{len(spikes)} point(s) stand far out of their neighbours and were left out of the fit; the first: "
        f"{reward:.4g} at {compute:.4g} {fit.run.unit}, among rewards around {around:.4g}",
        evidence={"points": len(spikes), "compute": [spike[0] for spike in spikes[:20]]},
    )


def _staircase(fit: Fit) -> Caveat | None:
    carried = fit.posterior.observations.steps
    if not carried:
        return None
    rows = fit.posterior.observations.rows
    return Caveat(
        code="staircase",
        message=f"{carried} of {rows} rows only repeat the row before (an evaluation carried forward?): each step "
        "was fitted once",
        evidence={"repeated": carried, "rows": rows},
    )


def _smoothed_export(fit: Fit) -> Caveat | None:
    seen = fit.posterior.observations
    if seen.reward.size < 2 * FEW_POINTS or fit.has_constant_reward or np.ptp(seen.series) > 0:
        return None
    # Second differences leave nothing of a curve but its noise. Their neighbours correlate by -2/3 if points are
    # independent and by about -1/2 if they are an AR(1); only noise averaged over neighbours comes near 0 or above.
    bends = np.diff(seen.reward, 2)
    power = float((bends**2).sum())
    if power == 0:
        return None
    persistence = float((bends[1:] * bends[:-1]).sum()) / power
    smooth = -0.2
    if persistence < smooth:
        return None
    return Caveat(
        code="smoothed",
        message="neighbouring points move together more than noise does (second differences correlate by "
        f"{persistence:.2f}, "
        "noise by -0.5 or less), as in a smoothed export: fit the raw values, smoothing delays the curve and "
        "hides the noise",
        evidence={"second_difference_correlation": persistence},
    )


def _near_bound(fit: Fit) -> Caveat | None:
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


def _outside_range(fit: Fit) -> Caveat | None:
    limits = fit.posterior.reward_range
    reward = fit.window.reward
    outside = np.zeros(reward.size, dtype=bool)
    if limits.low is not None:
        outside |= reward < limits.low
    if limits.high is not None:
        outside |= reward > limits.high
    if not outside.any():
        return None
    return Caveat(
        code="outside-range",
        message=f"{int(outside.sum())} of {reward.size} rewards lie outside of the range "
        f"{limits.low}-{limits.high}, the furthest "
        f"at {float(reward[outside][np.abs(reward[outside]).argmax()]):g}: they were kept as noise",
        evidence={"points": int(outside.sum()), "low": limits.low, "high": limits.high},
    )


def _collapsed_later(fit: Fit) -> Caveat | None:
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


def _skipped_start(fit: Fit) -> Caveat | None:
    left_out = int((fit.run.compute < fit.window.start).sum())
    if not left_out:
        return None
    return Caveat(
        code="start-left-out",
        message=f"{left_out} row(s) before {fit.window.start:.6g} {fit.run.unit} were left out of the fit as asked",
        evidence={"rows": left_out, "start": fit.window.start},
    )


def _own_calibration(fit: Fit) -> Caveat | None:
    calibration = fit.departure.calibration
    if not calibration.origin:
        return None
    return Caveat(
        code="own-calibration",
        message=f"the robust band uses {calibration.origin}, learned from {calibration.runs} finished runs",
        evidence={"runs": calibration.runs, "band_factor": calibration.band_factor},
    )


def _other_law(fit: Fit) -> Caveat | None:
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


DETECTORS: Sequence[Callable[[Fit], Caveat | None]] = (
    _constant_reward,
    _few_points,
    _ceiling_not_known,
    _starts_on_plateau,
    _still_rising,
    _falls,
    _noise,
    _early_regime,
    _second_rise,
    _spikes,
    _staircase,
    _smoothed_export,
    _near_bound,
    _outside_range,
    _skipped_start,
    _collapsed_later,
    _other_law,
    _own_calibration,
)
"""In the order in which a reader needs them."""


def find_caveats(fit: Fit) -> tuple[Caveat, ...]:
    """Return what a practitioner would warn of."""
    return tuple(caveat for caveat in (detect(fit) for detect in DETECTORS) if caveat is not None)
