"""Whether a run keeps up with a reference."""

import dataclasses
import math

import numpy as np

from scalefit.caveats import Fit
from scalefit.model.noise import CORRELATION_WEIGHTS, CORRELATIONS, Observations, observe
from scalefit.monitor.evidence import (
    Alternatives,
    NoiseTable,
    Sequence,
    gap_interval,
    leading_factors,
    log_evidence,
)
from scalefit.run import FitWindow, FloatArray, IntArray

SPREAD_SHARE = 0.0125
"""Standard deviation of the difference between the ceilings of two runs of one recipe, in shares of the reward's range
(open scale: of the reference's gain). Three repeats of arXiv 2510.13786 lie within 0.015, so one has 0.015 / 1.69."""

TOLERANCE_SHARE = 0.1
"""Gap, in shares of the reference's gain, that must be ruled out before a run is called on track."""

TOLERATED_SPREADS = 2.0
"""Spreads that this gap has at least: a repeated run differs as much, and nobody could rule out less."""

_ONSETS = 8
"""Points along the reference, equal ratios apart, from which a run may be worse."""

_SD_FACTORS: FloatArray = np.array([0.3, 0.45, 0.6, 0.75, 0.87, 1.0, 1.15, 1.35, 1.7, 2.3, 3.2, 5.0, 8.0, 13.0])
"""The run's noise in units of the reference's: no two runs have quite the same."""

_SD_SPREAD = 0.2
"""Standard deviation of ln of that factor."""

_FRESH_SD = 0.2
"""Probability that the factor is anything in the table: the run may be evaluated on fewer prompts."""

_FRESH_CORRELATION = 0.3
"""Probability that the correlation of the run's noise is not learned from the reference: it may log more often."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A run held against its reference."""

    points: int
    """Observations of the run that were judged."""
    log_evidence: float
    """ln of the test martingale; ln(1 / (1 - level)) or more is an alarm."""
    gap: float
    """Run minus reference at the run's last row, reward units; positive is better."""
    low: float
    """Lower end of the gap, at every look at once."""
    high: float
    """Upper end of the gap."""
    tolerance: float
    """Gap that must be ruled out before the run is called on track, reward units, above 0."""
    spread: float
    """Standard deviation that a repeated run's ceiling was allowed, reward units."""


def follow_reference(
    window: FitWindow, reference: Fit, *, level: float, spread: float | None = None, tolerance: float | None = None
) -> Track:
    """Hold the rows of a run against the forecast of its reference, as one sequence.

    Parameters
    ----------
    window
        The rows of the run, in the reference's unit of compute.
    reference
        The fitted reference.
    level
        One minus the probability that a healthy run is ever called worse, in (0, 1).
    spread
        Standard deviation of the difference between the ceilings of two runs of one recipe, reward units, >= 0;
        None: `SPREAD_SHARE`.
    tolerance
        Gap to be ruled out, reward units, above 0; None: `TOLERANCE_SHARE`, at least `TOLERATED_SPREADS`.
    """
    posterior = reference.posterior
    seen = _coarsened(observe(window.compute, window.reward, window.replicate), reference)
    limits = posterior.reward_range
    gain = _gain(reference)
    if spread is None:
        size = limits.high - limits.low if limits.low is not None and limits.high is not None else gain
        spread = SPREAD_SHARE * size
    compute = np.maximum(seen.compute, np.exp(posterior.log_end) * 1e-12)
    draws = reference.departure.curve(compute)
    share = posterior.share(compute).mean(axis=0)
    centred = (draws - draws.mean(axis=0)) / math.sqrt(draws.shape[0])
    sequence = Sequence(
        residual=reference.sign * (seen.reward - draws.mean(axis=0)),
        root_weight=np.sqrt(seen.count / np.median(seen.count)),
        linked=seen.series[1:] == seen.series[:-1],
        unknown=leading_factors(centred),
    )
    noise = _noise_table(reference, seen)
    repeated = dataclasses.replace(sequence, unknown=np.column_stack([sequence.unknown, spread * share]))
    evidence = log_evidence(repeated, noise, _alternatives(reference, compute, share, gain))
    estimate, low, high = gap_interval(sequence, noise, share, 0.25 * gain, level)
    now = float(share[compute.argmax()])
    return Track(
        points=window.points,
        log_evidence=evidence,
        gap=estimate * now,
        low=low * now,
        high=high * now,
        tolerance=max(TOLERANCE_SHARE * gain, TOLERATED_SPREADS * spread) if tolerance is None else tolerance,
        spread=spread,
    )


def _gain(reference: Fit) -> float:
    """Return what the reference gained up to its end, reward units; its noise if it gained less."""
    posterior = reference.posterior
    end = posterior.curve(np.array([math.exp(posterior.log_end)]))[:, 0]
    gained = float(np.median(reference.sign * (end - posterior.start)))
    return max(gained, float(np.median(posterior.noise_sd)), 1e-12 * posterior.scale)


def _coarsened(seen: Observations, reference: Fit) -> Observations:
    """Average neighbours until observations lie as far apart as the reference's: noise then remembers as much."""
    own, other = _spacing(seen), _spacing(reference.posterior.observations)
    size = round(other / own) if own > 0 else 1
    if size <= 1 or seen.compute.size < 2 * size:
        return seen
    starts: list[IntArray] = []
    for label in np.unique(seen.series):
        mine = np.flatnonzero(seen.series == label)
        starts.append(mine[: max(mine.size // size * size, 1) : size].astype(np.int64))
    edges = np.concatenate(starts)
    total = np.add.reduceat(seen.count, edges)
    return dataclasses.replace(
        seen,
        compute=np.add.reduceat(seen.compute * seen.count, edges) / total,
        reward=np.add.reduceat(seen.reward * seen.count, edges) / total,
        count=total,
        series=seen.series[edges],
    )


def _spacing(seen: Observations) -> float:
    """Return the usual distance between neighbouring observations of one seed, unit of the run."""
    steps = np.diff(seen.compute)[seen.series[1:] == seen.series[:-1]]
    return float(np.median(steps)) if steps.size else 0.0


def _noise_table(reference: Fit, seen: Observations) -> NoiseTable:
    """Return what the run's noise may be, given the reference's."""
    posterior = reference.posterior
    rows = float(np.median(posterior.observations.count)) / float(np.median(seen.count))
    floor = 1e-9 * posterior.scale
    middle = max(float(np.median(posterior.noise_sd)) * math.sqrt(rows), floor)
    learned = np.array([float((posterior.correlation == node).mean()) for node in CORRELATIONS])
    fresh = CORRELATION_WEIGHTS / CORRELATION_WEIGHTS.sum()
    by_correlation = (1 - _FRESH_CORRELATION) * learned + _FRESH_CORRELATION * fresh
    log_sd = np.log(_SD_FACTORS)
    rows_of_weights = []
    for index, node in enumerate(CORRELATIONS):
        mine = posterior.noise_sd[posterior.correlation == node] * math.sqrt(rows)
        centre = math.log(max(float(np.median(mine)), floor) / middle) if mine.size else 0.0
        extra = float(np.std(np.log(np.maximum(mine, floor)))) if mine.size else 0.0
        weight = np.exp(-0.5 * (log_sd - np.clip(centre, log_sd[0], log_sd[-1])) ** 2 / (_SD_SPREAD**2 + extra**2))
        weight *= np.gradient(log_sd)
        anything = np.gradient(log_sd) / np.ptp(log_sd)
        mixed = (1 - _FRESH_SD) * weight / weight.sum() + _FRESH_SD * anything / anything.sum()
        rows_of_weights.append(by_correlation[index] * mixed)
    return NoiseTable(sd=middle * _SD_FACTORS, correlation=CORRELATIONS, log_weight=np.log(np.array(rows_of_weights)))


def _alternatives(reference: Fit, compute: FloatArray, share: FloatArray, gain: float) -> Alternatives:
    """Return a lower ceiling from the start (half of the probability), from a later point on, and a lower start."""
    first = float(reference.window.compute[reference.window.compute > 0][0])
    end = math.exp(reference.posterior.log_end)
    onsets = np.geomspace(max(first, end / 1000), end, _ONSETS + 2)[1:-1]
    later = share[:, None] * (compute[:, None] >= onsets)
    shapes = np.column_stack([share, np.ones_like(share), later])
    weight = np.array([0.5, 0.1, *([0.4 / _ONSETS] * _ONSETS)])
    return Alternatives(shapes=shapes, log_weight=np.log(weight), scales=gain * np.array([0.05, 0.2]))
