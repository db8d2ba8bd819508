"""What a logged point is worth: ties, spikes, steps, bins, and noise that remembers itself.

Noise of a training curve is autocorrelated; taking its points as independent makes every interval far too narrow. It is
modelled as a stationary AR(1) along the logged order, and its correlation is integrated out rather than plugged in.
"""

import dataclasses

import numpy as np

from scalefit.run import BoolArray, FloatArray, IntArray

CORRELATIONS: FloatArray = np.array([-0.2, 0.15, 0.45, 0.68, 0.84, 0.93, 0.98])
"""Nodes of the AR(1) correlation, closer together where the likelihood changes fastest."""

CORRELATION_WEIGHTS: FloatArray = np.gradient(CORRELATIONS) / np.sqrt(1 - CORRELATIONS**2)
"""Prior mass of each node: density (1 - rho^2)^-1/2, the reference prior of a stationary AR(1) (Berger and Yang 1994).

A flat prior instead lowers the coverage of runs whose true correlation is 0.9 from 0.92 to 0.83."""

CONSTANT_SHARE = 1e-9
"""Range of the rewards, in shares of their size, below which they are one number and rounding."""

MAXIMUM_BINS = 400
"""Points above which neighbours are averaged: cost stops growing with the log."""

SPIKE_SPREADS = 6.0
"""Distance from the local median, in local robust standard deviations, beyond which a point is a spike."""

MAXIMUM_SPIKE_SHARE = 0.05
"""Above this share of spikes the noise is heavy-tailed, and no point is singled out."""

NORMAL_SPREAD = 1.4826
"""Standard deviation of a normal variable / its median absolute deviation."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """The points of a window as the likelihood sees them, seed by seed, in logged order."""

    compute: FloatArray
    """(n,), unit of the run; 0 marks an evaluation before training."""
    reward: FloatArray
    """(n,), reward units."""
    count: FloatArray
    """(n,), rows that an observation stands for, >= 1."""
    series: IntArray
    """(n,), which seed it belongs to; equal values stand together."""
    within_sd: float
    """Standard deviation of a row around the observation it is part of, reward units; 0 if every row is its own."""
    rows: int
    """Rows in the window."""
    spikes: tuple[tuple[float, float, float], ...]
    """(compute, reward, local median) of every point that was taken for a spike."""
    steps: int
    """Rows left out because they only carry the row before forward; 0 if the log is no staircase."""


def _merge_ties(compute: FloatArray, reward: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Average rows of equal compute: their order carries no information, and must not make any."""
    unique, index, count = np.unique(compute, return_inverse=True, return_counts=True)
    if unique.size == compute.size:
        return compute, reward, np.ones(compute.size)
    order = np.lexsort(
        (reward, index)
    )  # summed in order of value, so that the bytes do not depend on the order of rows
    sums = np.add.reduceat(reward[order], np.r_[0, np.cumsum(count)[:-1]])
    return unique, sums / count, count.astype(np.float64)


def _step_begins(reward: FloatArray) -> BoolArray | None:
    """Return the mask of rows that begin a step, or None if the log is no staircase."""
    begins: BoolArray = np.concatenate([[True], np.diff(reward) != 0])
    lengths = np.diff(np.append(np.flatnonzero(begins), reward.size))
    minimum_steps, repeated = 4, 2
    # A plateau is one long run of equal values; in a staircase most values are logged more than once.
    if lengths.size < minimum_steps or np.median(lengths) < repeated:
        return None
    # A reward of few possible values (0 or 1 an episode) also repeats, but it comes back to values it has left.
    distinct_share = 0.9
    if np.unique(reward).size < distinct_share * lengths.size:
        return None
    return begins


def _running_median(values: FloatArray, width: int) -> FloatArray:
    """Return the centred running median; ends repeat the outermost full window."""
    middle = np.median(np.lib.stride_tricks.sliding_window_view(values, width), axis=1)
    return np.pad(middle, width // 2, mode="edge")


def _find_spikes(reward: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the positions of the spikes and the local median there.

    A spike is one point, or two beside each other, far from the running median of five in units of the spread around
    it: noise often grows with the reward, so the spread is a local one. The first and last two points stand as they
    are: a fast rise begins far from what follows, and of the end nobody knows yet whether it is a spike or a rise.
    """
    local = 21
    nothing = np.empty(0, dtype=np.int64), np.empty(0)
    if reward.size < local:
        return nothing
    median = _running_median(reward, 5)
    residual = np.abs(reward - median)
    residual[[0, 1, -2, -1]] = 0.0
    # The running median follows a monotone stretch exactly, so successive differences have a say in the spread as well.
    steps = np.abs(np.diff(reward, prepend=reward[0]))
    spread = NORMAL_SPREAD * np.maximum(_running_median(residual, local), _running_median(steps, local) / np.sqrt(2))
    found = np.flatnonzero((residual > SPIKE_SPREADS * spread) & (spread > 0)).astype(np.int64)
    if found.size > MAXIMUM_SPIKE_SHARE * reward.size:
        return nothing
    return found, median[found]


def _average_bins(
    compute: FloatArray, reward: FloatArray, count: FloatArray, bins: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Average neighbours into bins of nearly equal size: neighbours in time stay neighbours, so the AR(1) stays one."""
    if compute.size <= bins:
        return compute, reward, count
    edges = np.linspace(0, compute.size, bins + 1).astype(np.int64)[:-1]
    total = np.add.reduceat(count, edges)
    return np.add.reduceat(compute * count, edges) / total, np.add.reduceat(reward * count, edges) / total, total


def observe(compute: FloatArray, reward: FloatArray, series: IntArray) -> Observations:
    """Reduce the rows of a window to observations.

    Parameters
    ----------
    compute
        (n,), unit of the run, not decreasing.
    reward
        (n,), reward units.
    series
        (n,), which seed a row belongs to.

    Returns
    -------
    Observations
        At most `MAXIMUM_BINS` of them, more only if there are more seeds than that.
    """
    parts: list[tuple[FloatArray, FloatArray, FloatArray, IntArray]] = []
    squares = 0.0
    spikes: list[tuple[float, float, float]] = []
    carried = 0
    labels = np.unique(series)
    for label in labels:
        mine = series == label
        x, y, count = _merge_ties(compute[mine], reward[mine])
        begins = _step_begins(y)
        if begins is not None:
            carried += int((~begins).sum())
            x, y, count = x[begins], y[begins], np.ones(int(begins.sum()))
        # Averages first: in a long log a spike matters only if it stands out of the average of its bin.
        x, y, count = _average_bins(x, y, count, max(MAXIMUM_BINS // labels.size, 4))
        if begins is None:
            # Around the mean of all, as a variance is additive: between observations and within them.
            middle = float(reward[mine].mean())
            between = float((count * (y - middle) ** 2).sum())
            squares += max(float(((reward[mine] - middle) ** 2).sum()) - between, 0.0)
        found, expected = _find_spikes(y)
        spikes += zip(x[found].tolist(), y[found].tolist(), expected.tolist(), strict=True)
        # Left out rather than replaced: whatever stood there instead would pull the curve, if only a little.
        x, y, count = (np.delete(column, found) for column in (x, y, count))
        parts.append((x, y, count, np.full(x.size, label)))
    joined = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Observations(
        compute=joined[0],
        reward=joined[1],
        count=joined[2],
        series=joined[3].astype(np.int64),
        within_sd=float(np.sqrt(squares / max(compute.size - joined[0].size, 1))),
        rows=int(compute.size),
        spikes=tuple(spikes),
        steps=carried,
    )


class CorrelatedSums:
    """Sums that the AR(1) likelihood needs, for every node of the correlation at once.

    With precision ``P(rho) = I - rho L + rho^2 J`` (L links neighbours, J marks points with a neighbour on both
    sides) each quadratic form is a quadratic in rho, so one pass over the points serves every rho.

    Parameters
    ----------
    reward
        (n,), standardised.
    root_weight
        (n,), square root of each point's precision relative to the others.
    series
        (n,), equal values stand together.
    correlations
        (k,), nodes of rho.
    """

    def __init__(self, reward: FloatArray, root_weight: FloatArray, series: IntArray, correlations: FloatArray) -> None:
        self._rho = correlations
        self.correlations = correlations
        """(k,), nodes of rho."""
        linked = series[1:] == series[:-1]
        self._linked = linked.astype(np.float64)
        self._is_single_series = bool(linked.all())
        inner = np.zeros(reward.size)
        inner[1:-1] = self._linked[1:] * self._linked[:-1]
        self._inner = inner
        self._root_weight = root_weight
        one, y = root_weight, root_weight * reward
        products = [one, y, self._neighbours(one), self._neighbours(y), inner * one, inner * y]
        self._linear = root_weight[:, None] * np.stack(products, axis=1)
        self.one_one = self._form(one, one)
        """(k,), 1' P 1."""
        self.one_reward = self._form(one, y)
        """(k,), 1' P y."""
        self.reward_reward = self._form(y, y)
        """(k,), y' P y."""
        self.log_determinant = (int((~linked).sum()) + 1) * np.log1p(-(correlations**2)) + 2 * np.log(root_weight).sum()
        """(k,), ln det P."""

    def _neighbours(self, values: FloatArray) -> FloatArray:
        linked = np.zeros(values.size)
        linked[:-1] += self._linked * values[1:]
        linked[1:] += self._linked * values[:-1]
        return linked

    def _form(self, left: FloatArray, right: FloatArray) -> FloatArray:
        rho = self._rho
        form: FloatArray = (
            left @ right - rho * (left @ self._neighbours(right)) + rho**2 * (left @ (self._inner * right))
        )
        return form

    def of_shares(self, shares: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the forms ``1' P s``, ``s' P y`` and ``s' P s``.

        Parameters
        ----------
        shares
            (m, n), the share of the gain at each point, for m shapes of the curve.

        Returns
        -------
        tuple
            Three arrays (m, k).
        """
        rho = self._rho
        linear = shares @ self._linear
        weighted = shares * self._root_weight
        squares = np.einsum("ij,ij->i", weighted, weighted)
        inner = squares - weighted[:, 0] ** 2 - weighted[:, -1] ** 2
        if self._is_single_series:
            lagged = np.einsum("ij,ij->i", weighted[:, 1:], weighted[:, :-1])
        else:
            inner = np.einsum("ij,ij,j->i", weighted, weighted, self._inner)
            lagged = np.einsum("ij,ij,j->i", weighted[:, 1:], weighted[:, :-1], self._linked)
        return (
            linear[:, [0]] - rho * linear[:, [2]] + rho**2 * linear[:, [4]],
            linear[:, [1]] - rho * linear[:, [3]] + rho**2 * linear[:, [5]],
            squares[:, None] - 2 * rho * lagged[:, None] + rho**2 * inner[:, None],
        )
