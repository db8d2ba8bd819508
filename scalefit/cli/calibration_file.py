"""The calibration file: what `scalefit calibrate` has learned, as YAML that a person can read and a program checks."""

import dataclasses
from importlib.metadata import version
from typing import Annotated, Literal, get_args

import msgspec

from scalefit.calibration import expected_coverage
from scalefit.cli.output import warn
from scalefit.cli.policy_errors import convert, spoken
from scalefit.cli.yaml import load_yaml
from scalefit.errors import UsageError
from scalefit.model.departure import Calibration, DepartureRates

Schema = Literal["scalefit.calibration/1"]
SCHEMA = get_args(Schema)[0]
"""Name of the layout; the number grows when a key changes its meaning or goes away."""
REMEDY = "write it anew with scalefit calibrate"

_Probability = Annotated[float, msgspec.Meta(ge=0, lt=1)]
_Size = Annotated[float, msgspec.Meta(ge=0)]
_Exponent = Annotated[float, msgspec.Meta(ge=-100, le=100)]
"""Beyond e^100 no factor means anything, and e^710 is no number."""


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every mapping of the file shares: an unknown key is a mistake."""


class RateKeys(_Document, frozen=True, kw_only=True):
    """The keys of `DepartureRates`."""

    keep_probability: _Probability
    rise_mean: _Size
    rise_flat: _Exponent
    fall_probability: _Probability
    spread_floor: _Size
    spread_gain: _Size
    centre: _Probability


class CalibrationFile(_Document, frozen=True, kw_only=True):
    """Everything that was learned, and what it was learned for."""

    schema: Schema
    version: str
    law: str
    level: Annotated[float, msgspec.Meta(gt=0, lt=1)]
    runs: Annotated[int, msgspec.Meta(ge=1)]
    expected_coverage: Annotated[float, msgspec.Meta(gt=0, le=1)]
    band_factor: Annotated[float, msgspec.Meta(gt=0)]
    bounded: RateKeys
    open_scale: RateKeys


def read_calibration(path: str, *, law: str, level: float) -> Calibration:
    """Read a calibration, and warn if it was learned for another law or level than it is to be used for.

    Parameters
    ----------
    path
        The file.
    law
        Law of the forecasts.
    level
        Probability of their bands.

    Raises
    ------
    UsageError
        If it cannot be read, is no YAML, or says something that cannot be meant.
    """
    content = load_yaml(path, "a calibration")
    if not isinstance(content, dict):
        raise UsageError(
            f"{spoken(content)} is no calibration",
            where=path,
            expected=f"expected a mapping with the key schema: {SCHEMA}",
            remedy=REMEDY,
        )
    try:
        keys = convert(content, CalibrationFile, path)
    except UsageError as error:
        raise UsageError(
            error.problem,
            where=error.where,
            expected=error.expected or "expected every key that scalefit calibrate writes",
            # The nearest schema is no remedy: other versions mean other things by the same keys.
            remedy=REMEDY if error.where == f"{path}: schema" else error.remedy or REMEDY,
        ) from None
    for name, learned, used in (("law", keys.law, law), ("level", f"{keys.level:g}", f"{level:g}")):
        if learned != used:
            warn(
                f"{path}: learned for the {name} {learned}, used for {used}: the band may hold more or less often "
                f"than {level:g}"
            )
    return Calibration(
        bounded=_rates(keys.bounded),
        open_scale=_rates(keys.open_scale),
        band_factor=keys.band_factor,
        runs=keys.runs,
        origin=f"your own calibration ({path})",
    )


def write_calibration(calibration: Calibration, *, law: str, level: float, remarks: tuple[str, ...] = ()) -> str:
    """Return a calibration as YAML: the same bytes for the same calibration, and every digit of its numbers.

    Parameters
    ----------
    calibration
        What was learned.
    law
        Law that the runs were forecast by.
    level
        Probability at which the factor makes the band hold.
    remarks
        Comments at the top, one line each, for people.
    """
    coverage = expected_coverage(calibration.runs, level)
    lines = [f"# {' '.join(remark.split())}" for remark in remarks]
    lines += [
        f"schema: {SCHEMA}",
        f'version: "{version("scalefit")}"',
        f"law: {law}",
        f"level: {level!r}",
        f"runs: {calibration.runs}",
        f"expected_coverage: {coverage.mean!r}",
        f"band_factor: {calibration.band_factor!r}",
    ]
    for name, rates in (("bounded", calibration.bounded), ("open_scale", calibration.open_scale)):
        lines.append(f"{name}:")
        lines += [f"  {key}: {value!r}" for key, value in dataclasses.asdict(rates).items()]
    return "\n".join(lines) + "\n"


def _rates(keys: RateKeys) -> DepartureRates:
    return DepartureRates(**msgspec.structs.asdict(keys))
