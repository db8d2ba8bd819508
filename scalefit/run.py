"""A run as it was logged, and the part of it that a forecast may see."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from scalefit.errors import NotEnoughDataError, UsageError

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Evidence: TypeAlias = float | int | str | bool | list[float] | list[str] | None

MINIMUM_POINTS = 4
"""Points below which nothing is forecast: the curve has four parameters."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Caveat:
    """Something to know before reading a number; not an error."""

    code: str
    """Stable identifier, kebab-case."""
    message: str
    """One sentence for a person, lower case, no full stop."""
    evidence: Mapping[str, Evidence]
    """The numbers that the sentence rests on; keys are snake_case."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a run came from and what was read there."""

    path: str
    """Path as the user gave it; ``-`` for standard input."""
    format: str
    """Name of the reader, e.g. ``csv``."""
    x_column: str
    """Column that compute was taken from."""
    y_column: str
    """Column that reward was taken from."""
    derivation: str
    """How compute was obtained from the log, e.g. ``_runtime (seconds) x 64 GPUs / 3600``."""
    rows: int
    """Rows that became points of the run."""
    skipped: Mapping[str, int]
    """Rows left out: reason -> count, in the order first met."""
    notes: tuple[Caveat, ...]
    """What the reader had to decide or found odd."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Reward against compute, as logged.

    Raises
    ------
    ValueError
        If the arrays differ in length, hold non-finite numbers, or compute is negative or decreases: readers sort and
        skip (and say so) before they build a run.
    """

    name: str
    """Label or path."""
    unit: str
    """Unit of compute: ``gpu-hours``, ``hours``, ``steps``, ..., or the column's own name."""
    compute: FloatArray
    """(n,), ``unit``, >= 0, not decreasing; read-only."""
    reward: FloatArray
    """(n,), reward units; read-only."""
    replicate: IntArray
    """(n,), 0..k-1: which seed of the recipe a row belongs to (all 0 for a single run); read-only."""
    source: Source
    """Where it was read."""

    def __post_init__(self) -> None:
        """Validate the arrays and lock them."""
        for name, kind in (("compute", np.float64), ("reward", np.float64), ("replicate", np.int64)):
            array = np.array(getattr(self, name), dtype=kind)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        if not self.compute.shape == self.reward.shape == self.replicate.shape or self.compute.ndim != 1:
            msg = (
                f"arrays of one length expected, got {self.compute.shape}, {self.reward.shape}, {self.replicate.shape}"
            )
            raise ValueError(msg)
        if not (np.isfinite(self.compute).all() and np.isfinite(self.reward).all()):
            msg = "compute and reward must be finite"
            raise ValueError(msg)
        if self.compute.size and (self.compute[0] < 0 or (np.diff(self.compute) < 0).any()):
            msg = "compute must not be negative nor decrease"
            raise ValueError(msg)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RewardRange:
    """What the reward can be."""

    low: float | None
    """Lowest possible reward; None if unbounded."""
    high: float | None
    """Highest possible reward; None if unbounded."""
    origin: Literal["given", "window", "name", "unbounded"]
    """Why: given by the user, every reward in the window is in 0-1, the column's name says it is a rate, or neither."""

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are known."""
        return self.low is not None and self.high is not None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class FitWindow:
    """The rows a forecast may see.

    Raises
    ------
    ValueError
        If the arrays differ in length or compute decreases.
    """

    fraction: float
    """Share of the budget that the fit may see, in (0, 1]."""
    budget: float
    """Planned total compute, unit of the run."""
    start: float
    """Lowest compute fitted (``skip_until`` or the first row's)."""
    end: float
    """Highest compute that has a row in the window."""
    compute: FloatArray
    """(n,), unit of the run, >= 0, not decreasing; 0 marks an evaluation before training; read-only."""
    reward: FloatArray
    """(n,), reward units; read-only."""
    replicate: IntArray
    """(n,), as in `Run`; read-only."""

    @property
    def points(self) -> int:
        """Rows that the fit sees."""
        return int(self.compute.size)


def select_window(
    run: Run, *, fraction: float = 0.25, budget: float | None = None, skip_until: float = 0.0
) -> FitWindow:
    """Return the rows of ``run`` that a forecast may see: ``skip_until <= compute <= fraction * budget``.

    Parameters
    ----------
    run
        The run.
    fraction
        Share of the budget, in (0, 1].
    budget
        Planned total compute, unit of the run; None: the last compute in the log.
    skip_until
        Compute below which rows are left out, unit of the run. Rows at compute 0 are kept only if it is 0.

    Raises
    ------
    UsageError
        If the fraction, the budget or ``skip_until`` is out of its domain.
    NotEnoughDataError
        If fewer than four values of positive compute are in the window.
    """
    if not 0 < fraction <= 1:
        raise UsageError(
            f"a share of {fraction:g} cannot be fitted",
            where="--fraction",
            expected="expected a number above 0 and up to 1",
        )
    if not (math.isfinite(skip_until) and skip_until >= 0):
        raise UsageError(f"compute {skip_until:g} is not a start", where="--skip-until", expected="expected 0 or more")
    last = float(run.compute[-1]) if run.compute.size else 0.0
    if budget is None:
        budget = last
    elif not (math.isfinite(budget) and budget > 0):
        raise UsageError(
            f"a budget of {budget:g} {run.unit} is not usable", where="--budget", expected="expected a number above 0"
        )
    # A relative hair of slack: a share of the budget such as 0.1 * 30 must not lose the row at exactly 3.
    limit = fraction * budget * (1 + 1e-12)
    kept = (run.compute >= skip_until) & (run.compute <= limit)
    positive = int(np.unique(run.compute[kept & (run.compute > 0)]).size)
    if positive < MINIMUM_POINTS:
        total = int(np.unique(run.compute[run.compute > 0]).size)
        raise NotEnoughDataError(
            f"{positive} usable points (values of compute) up to {limit:.6g} {run.unit} ({fraction:g} of {budget:g}; "
            f"{total} in the whole log)",
            where=run.name,
            expected=f"at least {MINIMUM_POINTS} are needed",
            remedy="wait for more rows or see more of the run with --fraction"
            if total >= MINIMUM_POINTS
            else "wait for more rows",
            points=positive,
        )
    compute, reward, replicate = run.compute[kept], run.reward[kept], run.replicate[kept]
    for array in (compute, reward, replicate):
        array.flags.writeable = False
    return FitWindow(
        fraction=fraction,
        budget=budget,
        start=float(compute[0]),
        end=float(compute[-1]),
        compute=compute,
        reward=reward,
        replicate=replicate,
    )
