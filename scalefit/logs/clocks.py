"""Times as logs write them -> seconds."""

import datetime as dt
import re

import numpy as np

from scalefit.logs.table import Column
from scalefit.run import FloatArray

EPOCH_SECONDS = (9e8, 4e9)
"""Between these a clock counts seconds since 1970 (1998 to 2096); a training run of three years has less than 1e8."""
_LONGEST_RUN = 0.2
"""Share of the time since 1970 that no run lasts (ten years)."""
_EPOCH_SCALES = ((1.0, "seconds since 1970"), (1e-3, "ms since 1970"), (1e-6, "us since 1970"), (1e-9, "ns since 1970"))
_DURATION = re.compile(
    r"(?:(?P<d>\d+(?:\.\d+)?)\s*d(?:ays?)?)?,?\s*(?:(?P<h>\d+(?:\.\d+)?)\s*h(?:ours?|rs?)?)?\s*"
    r"(?:(?P<m>\d+(?:\.\d+)?)\s*m(?:in(?:ute)?s?)?)?\s*(?:(?P<s>\d+(?:\.\d+)?)\s*s(?:ec(?:ond)?s?)?)?",
    re.IGNORECASE,
)
_COLONS = re.compile(r"(?:(?P<d>\d+)\s*(?:d|days?),?\s*)?(?:(?P<h>\d+):)?(?P<m>\d{1,2}):(?P<s>\d{1,2}(?:\.\d+)?)")
_RLLIB_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})_(\d{2})-(\d{2})-(\d{2})")
_LOOKS_DATED = re.compile(r"\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2}")
_SECONDS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


def epoch_scale(numbers: FloatArray) -> tuple[float, str] | None:
    """Return seconds per unit and the name of the unit if the finite numbers are times since 1970, else None."""
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return None
    middle = float(np.median(finite))
    if float(np.ptp(finite)) > _LONGEST_RUN * middle:
        return None  # a count that grew from nothing, such as tokens
    for scale, name in _EPOCH_SCALES:
        if EPOCH_SECONDS[0] < middle * scale < EPOCH_SECONDS[1]:
            return scale, name
    return None


def parse_duration(text: str) -> float | None:
    """Return the seconds that ``1h 7m 30s``, ``01:07:30`` or ``1 day, 2:03:04`` spells, or None."""
    text = text.strip()
    match = _COLONS.fullmatch(text) or (_DURATION.fullmatch(text) if text else None)
    if match is None or not any(match.groups()):
        return None
    return sum(float(match[unit]) * seconds for unit, seconds in _SECONDS.items() if match[unit])


def parse_time(text: str) -> tuple[float, bool] | None:
    """Return the seconds since 1970 of an ISO-8601 time and whether it names its zone; a time without one is UTC."""
    text = text.strip()
    if not _LOOKS_DATED.match(text):
        return None
    text = _RLLIB_DATE.sub(r"\1 \2:\3:\4", text).replace("/", "-")
    text = re.sub(r"\s*(?:UTC|GMT)$", "+00:00", text)
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    has_zone = time.tzinfo is not None
    if not has_zone:
        time = time.replace(tzinfo=dt.UTC)
    return time.timestamp(), has_zone


def read_times(column: Column) -> tuple[FloatArray, bool] | None:
    """Return a column of dates as (n,) seconds since 1970 and whether all name their zone, or None if it holds none."""
    if column.texts is None:
        return None
    seconds = np.full(column.numbers.size, np.nan)
    all_zoned = True
    for row, text in enumerate(column.texts):
        if text is None:
            continue
        parsed = parse_time(text)
        if parsed is not None:
            seconds[row], zoned = parsed
            all_zoned &= zoned
    return (seconds, all_zoned) if np.isfinite(seconds).any() else None


def read_durations(column: Column) -> FloatArray | None:
    """Return a column of durations as (n,) seconds, or None if it holds none."""
    if column.texts is None:
        return None
    seconds = np.full(column.numbers.size, np.nan)
    for row, text in enumerate(column.texts):
        parsed = None if text is None else parse_duration(text)
        if parsed is not None:
            seconds[row] = parsed
    return seconds if np.isfinite(seconds).any() else None
