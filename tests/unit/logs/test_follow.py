import os
from pathlib import Path

import pytest

from scalefit.errors import LogError, UsageError
from scalefit.logs import LogSpec
from scalefit.logs.follow import Change, FollowedLog

HEADER = "gpu_hours,reward\n"


def _rows(first: int, last: int) -> str:
    return "".join(f"{step * 10},{0.1 + step * 0.001:.4f}\n" for step in range(first, last + 1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "live.csv"


@pytest.fixture
def log(path: Path) -> FollowedLog:
    return FollowedLog(spec=LogSpec(path=str(path), label="live"))


def _count(log: FollowedLog, *, is_at_rest: bool = False) -> int:
    run = log.read(is_at_rest=is_at_rest)
    return 0 if run is None else int(run.compute.size)


def test_a_file_that_is_not_there_yet_appears(path: Path, log: FollowedLog) -> None:
    assert log.look() is Change.MISSING
    assert log.read() is None
    path.write_text(HEADER + _rows(1, 5))
    assert log.look() is Change.APPEARED
    assert _count(log) == 5
    assert log.look() is Change.NOTHING


def test_rows_that_are_added_are_all_read(path: Path, log: FollowedLog) -> None:
    path.write_text(HEADER)
    log.look()
    assert log.read() is None
    for last in range(1, 30):
        with path.open("a") as stream:
            stream.write(_rows(last, last))
        assert log.look() is Change.GREW
        assert _count(log) == last


def test_a_row_that_is_half_written_waits_for_its_end(path: Path, log: FollowedLog) -> None:
    path.write_text(HEADER + _rows(1, 5) + "60,0.1")
    log.look()
    assert _count(log) == 5
    assert log.has_open_line
    with path.open("a") as stream:
        stream.write("87\n")
    assert log.look() is Change.GREW
    run = log.read()
    assert run is not None
    assert (run.compute.size, run.reward[-1]) == (6, 0.187)
    assert not log.has_open_line


def test_a_last_row_without_an_end_counts_when_nobody_writes_on(path: Path, log: FollowedLog) -> None:
    path.write_text(HEADER + _rows(1, 5) + "60,0.187")
    log.look()
    assert _count(log) == 5
    assert log.look() is Change.NOTHING
    assert _count(log, is_at_rest=True) == 6


def test_truncation_rotation_and_replacement_are_told_apart(path: Path, log: FollowedLog) -> None:
    path.write_text(HEADER + _rows(1, 9))
    log.look()
    os.truncate(path, len(HEADER + _rows(1, 4)))
    assert log.look() is Change.SHRANK
    assert _count(log) == 4
    path.rename(path.with_suffix(".1"))
    assert log.look() is Change.MISSING
    path.write_text(HEADER + _rows(1, 2))
    assert log.look() is Change.APPEARED
    other = path.with_suffix(".new")
    other.write_text(HEADER + _rows(1, 7))
    other.replace(path)
    assert log.look() is Change.REPLACED
    assert _count(log) == 7
    before = path.stat()
    path.write_text(HEADER + _rows(2, 8))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert log.look() is Change.REPLACED


def test_an_empty_file_is_waited_for_and_a_wrong_one_is_an_error(path: Path, log: FollowedLog) -> None:
    path.write_text("")
    log.look()
    assert log.read() is None
    path.write_text("name,colour\na,b\nc,d\n")
    log.look()
    with pytest.raises(LogError):
        log.read()


def test_standard_input_cannot_be_followed() -> None:
    with pytest.raises(UsageError, match="cannot be followed"):
        FollowedLog(spec=LogSpec(path="-", label="-"))
