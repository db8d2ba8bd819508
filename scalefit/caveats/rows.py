"""What is odd about the rows themselves, and what was done with them."""

import numpy as np

from scalefit.caveats.ceiling import FEW_POINTS
from scalefit.caveats.fit import Fit
from scalefit.run import Caveat


def spikes(fit: Fit) -> Caveat | None:
    """Warn if points were left out as spikes."""
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


def staircase(fit: Fit) -> Caveat | None:
    """Warn if rows only repeat the row before."""
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


def smoothed_export(fit: Fit) -> Caveat | None:
    """Warn if the log was smoothed."""
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


def outside_range(fit: Fit) -> Caveat | None:
    """Warn if rewards lie outside of the reward's range."""
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


def skipped_start(fit: Fit) -> Caveat | None:
    """Warn if rows were left out at the start."""
    left_out = int((fit.run.compute < fit.window.start).sum())
    if not left_out:
        return None
    return Caveat(
        code="start-left-out",
        message=f"{left_out} row(s) before {fit.window.start:.6g} {fit.run.unit} were left out of the fit as asked",
        evidence={"rows": left_out, "start": fit.window.start},
    )


def own_calibration(fit: Fit) -> Caveat | None:
    """Warn if an own calibration was used."""
    calibration = fit.departure.calibration
    if not calibration.origin:
        return None
    return Caveat(
        code="own-calibration",
        message=f"the robust band uses {calibration.origin}, learned from {calibration.runs} finished runs",
        evidence={"runs": calibration.runs, "band_factor": calibration.band_factor},
    )
