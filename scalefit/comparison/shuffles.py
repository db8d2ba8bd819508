"""Deterministic shuffles: the draws of a posterior are ordered, so two runs are never paired index by index."""

import functools
import math

import numpy as np
from scipy.special import gammaincinv, ndtri

from scalefit.run import FloatArray, IntArray


@functools.lru_cache(maxsize=512)
def shuffle(count: int, place: int) -> IntArray:
    """Return a permutation of ``0..count-1``, another for each place, any two of them independent of each other.

    The order of the fractional parts of ``i sqrt(p)``, p the place-th prime: square roots of different primes are
    rationally independent, so any two of these sequences, taken together, fill the square evenly (Weyl 1916).

    Parameters
    ----------
    count
        Length.
    place
        Which one, 0, 1, 2, ...
    """
    order = np.argsort(np.arange(1, count + 1) * math.sqrt(_prime(place)) % 1.0, kind="stable").astype(np.int64)
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


def _prime(place: int) -> int:
    """Return the place-th prime, from 2."""
    limit = 32
    while True:
        primes = _primes_below(limit)
        if place < primes.size:
            return int(primes[place])
        limit *= 4


@functools.cache
def _primes_below(limit: int) -> IntArray:
    sieve = np.ones(limit, dtype=np.bool_)
    sieve[:2] = False
    for number in range(2, math.isqrt(limit) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    return np.flatnonzero(sieve).astype(np.int64)
