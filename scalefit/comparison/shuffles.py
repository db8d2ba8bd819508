"""Deterministic shuffles: the draws of a posterior are ordered, so two runs are never paired index by index."""

import functools

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincinv, ndtri

from scalefit.run import FloatArray, IntArray


@functools.lru_cache(maxsize=512)
def shuffle(count: int, place: int) -> IntArray:
    """Return a permutation of ``0..count-1``, another for each place, unrelated to each other.

    The order of a hash of place and index (splitmix64, Steele, Lea and Flood 2014): integer arithmetic, so the same on
    every machine. Evenly filling sequences (Weyl, radical inverses) were tried: for some pairs out of hundreds of
    recipes they leave large parts of the square empty at this length.

    Parameters
    ----------
    count
        Length.
    place
        Which one, 0, 1, 2, ...
    """
    index = np.arange(count, dtype=np.uint64) + np.uint64(place << 32)
    order = np.argsort(_splitmix(_splitmix(index)), kind="stable").astype(np.int64)
    order.flags.writeable = False
    return order


def normal_draws(count: int, place: int) -> FloatArray:
    """Return the evenly spaced quantiles of a standard normal distribution, shuffled.

    Parameters
    ----------
    count
        How many.
    place
        As in `shuffle`.
    """
    draws: FloatArray = ndtri((shuffle(count, place) + 0.5) / count)
    return draws


def chi_square_draws(count: int, place: int, freedom: int) -> FloatArray:
    """Return the evenly spaced quantiles of a chi-square distribution, shuffled.

    Parameters
    ----------
    count
        How many.
    place
        As in `shuffle`.
    freedom
        Degrees of freedom.
    """
    return np.asarray(2 * gammaincinv(freedom / 2, (shuffle(count, place) + 0.5) / count), dtype=np.float64)


def _splitmix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the values mixed; products wrap around at 2^64, as they should."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
