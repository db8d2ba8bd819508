"""Where compute comes from, before rows are sorted and clocks stitched."""

import dataclasses
from typing import Literal

from scalefit.run import FloatArray

Kind = Literal["work", "elapsed", "clock", "duration"]
"""``work`` counts what was done (GPU-hours, tokens, steps), ``elapsed`` is seconds since the run began, ``clock`` the
time of day in seconds, ``duration`` the seconds that each row took."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ComputeSource:
    """Where compute comes from, before rows are sorted and clocks stitched."""

    column: str
    """The column that it is taken from."""
    kind: Kind
    """What the column counts."""
    values: FloatArray
    """(n,): ``unit`` for work, seconds otherwise; NaN where the cell holds none."""
    gpus: FloatArray | None
    """(n,): GPUs at work in the interval that ends at each row; None: time is not turned into GPU-hours."""
    unit: str
    """Unit of the compute that results."""
    scale: float
    """Unit of compute per unit of ``values`` (times GPUs)."""
    derivation: str
    """How compute is obtained, for a person."""
    reasons: dict[str, str]
    """Column -> why it was chosen or not."""
    is_zone_assumed: bool
    """Whether times without a zone were read as UTC."""


def make_source(
    column: str, kind: Kind, values: FloatArray, unit: str, derivation: str, *, scale: float = 1.0,
    gpus: FloatArray | None = None, is_zone_assumed: bool = False,
) -> ComputeSource:  # fmt: skip
    """Return a source of which nothing is known yet about the other columns."""
    return ComputeSource(
        column=column, kind=kind, values=values, gpus=gpus, unit=unit, scale=scale, derivation=derivation, reasons={},
        is_zone_assumed=is_zone_assumed,
    )  # fmt: skip
