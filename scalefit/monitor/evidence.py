"""Evidence that gathers: a test martingale for a run that is worse than expected.

Let the residuals of a run (run minus expected curve) be normal with a covariance of three parts: what is not known of
the expected curve (low rank), what a repeated run may differ by, and AR(1) noise whose standard deviation and
correlation are known up to a table of weighted nodes. Against this null stands a mixture of alternatives, in each of
which the run lies below the curve by an unknown amount times a shape. The ratio of the two marginal likelihoods is a
martingale of mean 1 under the null, however often and whenever it is looked at, so that it ever exceeds ``1 / alpha``
with probability at most ``alpha`` (Ville 1939; Robbins 1970 for the normal mixture; Grunwald, de Heide and Koolen
2024 for nuisance parameters that are integrated out).
"""

import dataclasses
import math

import numpy as np
from scipy.special import log_ndtr, logsumexp

from scalefit.run import BoolArray, FloatArray

RANK = 12
"""Directions in which a curve is taken as unknown; it has four parameters, and its departures three more."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NoiseTable:
    """What the noise of a run may be, before the run was seen."""

    sd: FloatArray
    """(j,), standard deviations of one observation, reward units, above 0."""
    correlation: FloatArray
    """(i,), correlations of neighbouring observations, in (-1, 1)."""
    log_weight: FloatArray
    """(i, j), ln of the probability of each pair."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """Observations of a run against an expected curve, in logged order."""

    residual: FloatArray
    """(n,), run minus expected curve, reward units; positive is better."""
    root_weight: FloatArray
    """(n,), square root of each observation's precision relative to the noise table's."""
    linked: BoolArray
    """(n - 1,), whether an observation and the next belong to the same seed."""
    unknown: FloatArray
    """(n, k), factors of the covariance of what is not known of the curve, reward units."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Alternatives:
    """How a run may be worse than expected."""

    shapes: FloatArray
    """(n, m), each >= 0: a run is worse by an unknown amount times its shape."""
    log_weight: FloatArray
    """(m,), ln of the probability of each shape."""
    scales: FloatArray
    """(s,), amounts to be expected, reward units; equally likely."""


def leading_factors(centred: FloatArray) -> FloatArray:
    """Return (n, k) factors whose products are the covariance of draws, the smallest left out.

    Parameters
    ----------
    centred
        (m, n), draws of a curve less their mean, over the square root of their number.
    """
    values, vectors = np.linalg.eigh(centred.T @ centred)
    factors: FloatArray = vectors[:, -RANK:] * np.sqrt(np.maximum(values[-RANK:], 0.0))
    return factors


class _Whitened:
    """A sequence and its shapes made white for one correlation, all standard deviations 1."""

    def __init__(self, sequence: Sequence, shapes: FloatArray, correlation: float) -> None:
        columns = np.column_stack([sequence.residual, sequence.unknown, shapes]) * sequence.root_weight[:, None]
        white = columns.copy()
        scale = 1 / math.sqrt(1 - correlation**2)
        inner = sequence.linked[:, None]
        white[1:] = np.where(inner, (columns[1:] - correlation * columns[:-1]) * scale, columns[1:])
        self.gram = white.T @ white
        self.rank = sequence.unknown.shape[1]
        self.count = sequence.residual.size
        self.log_scale = int(sequence.linked.sum()) * math.log(scale)

    def forms(self, sd: float) -> tuple[float, FloatArray, FloatArray]:
        """Return ln of the null likelihood, and per shape the precision and the score, for one standard deviation."""
        gram = self.gram / sd**2
        known, free = 1 + self.rank, slice(1, 1 + self.rank)
        inner = np.eye(self.rank) + gram[free, free]
        reduced = gram - gram[:, free] @ np.linalg.solve(inner, gram[free, :])
        log_null = self.log_scale - self.count * math.log(sd)
        log_null -= 0.5 * (float(np.linalg.slogdet(inner)[1]) + float(reduced[0, 0]))
        return log_null, np.maximum(np.diagonal(reduced)[known:], 0.0), reduced[0, known:]


def log_evidence(sequence: Sequence, noise: NoiseTable, alternatives: Alternatives) -> float:
    """Return ln of the test martingale at the last observation: 0 is no evidence, ``ln(1 / alpha)`` an alarm.

    Parameters
    ----------
    sequence
        What was seen.
    noise
        What the noise may be.
    alternatives
        How the run may be worse.
    """
    log_null = np.empty(noise.log_weight.shape)
    log_ratio = np.empty(noise.log_weight.shape)
    for row, correlation in enumerate(noise.correlation.tolist()):
        white = _Whitened(sequence, alternatives.shapes, correlation)
        for column, sd in enumerate(noise.sd.tolist()):
            log_null[row, column], precision, score = white.forms(sd)
            each = _log_half_normal_ratio(precision, score, alternatives.scales)
            log_ratio[row, column] = logsumexp(each + alternatives.log_weight[:, None] - math.log(each.shape[1]))
    null = noise.log_weight + log_null
    return float(logsumexp(null + log_ratio) - logsumexp(null))


def _log_half_normal_ratio(precision: FloatArray, score: FloatArray, scales: FloatArray) -> FloatArray:
    """Return ln of the mean of ``exp(-d score - d^2 precision / 2)`` over half-normal amounts d > 0, (m, s)."""
    total = precision[:, None] + 1 / scales**2
    ratio: FloatArray = (
        math.log(2)
        - 0.5 * np.log1p(precision[:, None] * scales**2)
        + 0.5 * score[:, None] ** 2 / total
        + log_ndtr(-score[:, None] / np.sqrt(total))
    )
    return ratio


def gap_interval(
    sequence: Sequence, noise: NoiseTable, shape: FloatArray, scale: float, level: float
) -> tuple[float, float, float]:
    """Return the estimate and the ends of the amount by which a run differs from the curve, in units of a shape.

    Parameters
    ----------
    sequence
        What was seen.
    noise
        What the noise may be.
    shape
        (n,), the shape.
    scale
        Amount to be expected, reward units.
    level
        Probability that the intervals of all looks hold it together, in (0, 1).

    Returns
    -------
    tuple
        Estimate, low, high: positive is better. A confidence sequence (Robbins 1970), so it holds at any time.
    """
    weights, centres, radii = [], [], []
    for row, correlation in enumerate(noise.correlation.tolist()):
        white = _Whitened(sequence, shape[:, None], correlation)
        for column, sd in enumerate(noise.sd.tolist()):
            log_null, precisions, scores = white.forms(sd)
            precision, score = max(float(precisions[0]), 1e-300), float(scores[0])
            total = precision + 1 / scale**2
            weights.append(
                noise.log_weight[row, column] + log_null - 0.5 * math.log(total * scale**2) + 0.5 * score**2 / total
            )
            centres.append(score / precision)
            radii.append(math.sqrt(2 * total * (-math.log(1 - level) + 0.5 * math.log(total * scale**2))) / precision)
    weight = np.exp(np.array(weights) - logsumexp(weights))
    centre, radius = np.array(centres), np.array(radii)
    return float(weight @ centre), float(weight @ (centre - radius)), float(weight @ (centre + radius))


def measure_amounts(
    sequence: Sequence, shapes: FloatArray, *, sd: float, correlation: float
) -> tuple[FloatArray, FloatArray]:
    """Return the estimate and the standard error of the amount of each shape, each fitted alone, (m,).

    Parameters
    ----------
    sequence
        What was seen.
    shapes
        (n, m).
    sd
        Standard deviation of one observation, reward units, above 0.
    correlation
        Of neighbouring observations, in (-1, 1).
    """
    _, precision, score = _Whitened(sequence, shapes, correlation).forms(sd)
    known = np.maximum(precision, 1e-300)
    return score / known, 1 / np.sqrt(known)
