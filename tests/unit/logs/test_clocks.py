import numpy as np
import pytest

from scalefit.logs.clocks import epoch_scale, parse_duration, parse_time


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1h 7m 30s", 4050), ("01:07:30", 4050), ("1 day, 2:03:04", 93784), ("90s", 90), ("1.5h", 5400),
        ("2d 1h", 176400),
        ("45min", 2700), ("7:30", 450), ("0:00:01.5", 1.5), ("2 hours 5 minutes", 7500),
    ],
)  # fmt: skip
def test_durations(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "h", "12", "a 1h", "2026-01-01", "1h extra"])
def test_no_durations(text: str) -> None:
    assert parse_duration(text) is None


@pytest.mark.parametrize(
    ("text", "seconds", "zoned"),
    [
        ("1970-01-02", 86400, False),
        ("1970-01-01 00:01:00", 60, False),
        ("1970-01-01T01:00:00+01:00", 0, True),
        ("1970-01-01T00:00:05Z", 5, True),
        ("1970-01-01 00:00:05 UTC", 5, True),
        ("1970-01-01_00-01-30", 90, False),
        ("1970/01/01 00:00:01.25", 1.25, False),
    ],
)
def test_times(text: str, seconds: float, *, zoned: bool) -> None:
    assert parse_time(text) == (seconds, zoned)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "12:00", "20260101"])
def test_no_times(text: str) -> None:
    assert parse_time(text) is None


def test_epochs_are_told_from_counts() -> None:
    clock = 1.767e9 + np.arange(10.0)
    assert epoch_scale(clock) == (1.0, "seconds since 1970")
    assert epoch_scale(clock * 1e3) == (1e-3, "ms since 1970")
    assert epoch_scale(clock * 1e9) == (1e-9, "ns since 1970")
    assert epoch_scale(np.linspace(0, 3e9, 10)) is None
    assert epoch_scale(np.arange(10.0)) is None
    assert epoch_scale(np.full(3, np.nan)) is None
