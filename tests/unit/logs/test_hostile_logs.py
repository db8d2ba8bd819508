"""Logs that expand without end or nest without end: bounded time and memory, and an error of one line."""

import bz2
import gzip
import io
import lzma
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs import content, read_run

LIMIT = 1 << 22
"""Bytes that a log may hold in these tests, so that they are quick; the rule is the same."""


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = content.open_content
    monkeypatch.setattr("scalefit.logs.reading.open_content", lambda path: opened(path, limit=LIMIT))


def _zip_of_zeros() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", bytes(1 << 24))
    return target.getvalue()


HOSTILE: dict[str, Callable[[], bytes]] = {
    "gzip of zeros": lambda: gzip.compress(bytes(1 << 24)),
    "gzip of gzips": lambda: gzip.compress(bytes(1 << 20)) * 200,
    "bz2 of zeros": lambda: bz2.compress(bytes(1 << 24)),
    "xz of zeros": lambda: lzma.compress(bytes(1 << 24)),
    "zip of zeros": _zip_of_zeros,
    "array that claims to be huge": lambda: (
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (900000000000,), }"
        + b" " * 44
        + b"\n"
    ),
    "JSON arrays in arrays": lambda: b"[" * 1_000_000,
    "JSON objects in objects": lambda: b'{"a":' * 300_000,
    "JSONL of deep objects": lambda: (b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"\n") * 20,
    "quotes": lambda: b'a,b\n"' + b'""' * 1_000_000,
    "braces on one line": lambda: b"{'loss': {" * 300_000,
    "brackets of progress bars": lambda: b"1/2 [00:00<" * 40_000,
    "words without end": lambda: b"a" * 3_000_000,
    "headings of boxes": lambda: b"-" * 3_000_000,
    "pairs on one line": lambda: b"step 1 " + b"a=1 " * 50_000,
    "numbers of a million digits": lambda: b"gpu_hours,reward\n1," + b"1" * 1_000_000 + b"\n2,3\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_time_and_memory_are_bounded(tmp_path: Path, name: str) -> None:
    path = tmp_path / "log"
    path.write_bytes(HOSTILE[name]())
    tracemalloc.start()
    begin = time.process_time()
    message = ""
    try:
        read_run(str(path))
    except LogError as error:
        message = str(error)
    seconds = time.process_time() - begin
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "\n" not in message
    assert seconds < 10  # tracing makes it several times as slow
    assert peak < 200 << 20
