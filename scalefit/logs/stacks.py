"""Several runs below each other in one file, with no column that tells them apart."""

import itertools

import numpy as np

from scalefit.run import FloatArray, IntArray

_MINIMUM_ROWS = 4
"""Rows of a run; shorter pieces are the beginnings of a run that crashed."""
_MOST_RUNS = 1000
_MOST_COPIES = 100
_NEAR_START = 0.05
"""Share of the whole range within which a counter that falls has gone back to its beginning."""
_WHOLE_SHARE = 0.5
"""Share of the longest piece that every piece of a stack has: a run that begins again after a crash was shorter."""


def find_runs(key: FloatArray) -> tuple[tuple[int, int], ...] | None:
    """Return begin and end of each run of a stack, as places in ``key``; None if it is one run.

    Parameters
    ----------
    key
        (n,): step, or compute, of each row in the order of the log; finite.
    """
    falls = np.flatnonzero(np.diff(key) < 0) + 1
    if not 0 < falls.size < _MOST_RUNS or key.size < 2 * _MINIMUM_ROWS:
        return None
    if (key[falls] > key[0] + _NEAR_START * np.ptp(key)).any():
        return None
    edges = [0, *falls.tolist(), key.size]
    lengths = np.diff(edges)
    if lengths.min() < max(_MINIMUM_ROWS, _WHOLE_SHARE * lengths.max()):
        return None
    return tuple(itertools.pairwise(edges))


def find_copies(key: FloatArray) -> IntArray | None:
    """Return (n,) which copy of its value each key is, if every value stands there equally often in a row; else None.

    Parameters
    ----------
    key
        (n,): as in `find_runs`.
    """
    if key.size < 2 * _MINIMUM_ROWS or (np.diff(key) < 0).any():
        return None
    begins = np.flatnonzero(np.diff(key, prepend=-np.inf) > 0)
    counts = np.diff(begins, append=key.size)
    if counts.min() != counts.max() or not 1 < counts[0] <= _MOST_COPIES or counts.size < _MINIMUM_ROWS:
        return None
    copies: IntArray = np.arange(key.size) % int(counts[0])
    return copies
