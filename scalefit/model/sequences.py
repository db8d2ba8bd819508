"""Low-discrepancy numbers: what stands in for random draws, so that the same input always gives the same bytes."""

import functools

import numpy as np

from scalefit.run import FloatArray


@functools.lru_cache(maxsize=64)
def radical_inverse(count: int, base: int) -> FloatArray:
    """Return the first ``count`` terms of the van der Corput sequence in a prime base.

    Taken together with the index itself, sequences in different bases fill the unit cube evenly (Hammersley 1960).

    Parameters
    ----------
    count
        How many terms.
    base
        A prime; another one for each dimension.

    Returns
    -------
    FloatArray
        (count,), in (0, 1); read-only.
    """
    values = np.zeros(count)
    remaining = np.arange(1, count + 1)
    weight = 1.0
    while remaining.any():
        weight /= base
        values += weight * (remaining % base)
        remaining //= base
    values.flags.writeable = False
    return values
