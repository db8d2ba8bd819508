import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs.content import Content, open_content

Compress = Callable[[bytes], bytes]
QUICK: list[Compress] = [
    lambda data: gzip.compress(data, 1),
    lambda data: bz2.compress(data, 1),
    lambda data: lzma.compress(data, preset=0),
]
TEXT = "gpu_hours,reward\n1,0.1\n2,0.2\n"


def _open(tmp_path: Path, data: bytes, limit: int = 1 << 20) -> Content:
    path = tmp_path / "log"
    path.write_bytes(data)
    return open_content(str(path), limit=limit)


@pytest.mark.parametrize(
    ("data", "compression"),
    [
        (TEXT.encode(), None),
        (gzip.compress(TEXT.encode()), "gzip"),
        (bz2.compress(TEXT.encode()), "bz2"),
        (lzma.compress(TEXT.encode()), "xz"),
        (gzip.compress(TEXT[:9].encode()) + gzip.compress(TEXT[9:].encode()), "gzip"),
        (gzip.compress(TEXT.encode()) + b"\0" * 512, "gzip"),
    ],
)
def test_compression_is_told_by_content(tmp_path: Path, data: bytes, compression: str | None) -> None:
    content = _open(tmp_path, data)
    assert (content.data.decode(), content.compression, content.is_cut, content.notes) == (TEXT, compression, False, ())


@pytest.mark.parametrize("compress", QUICK, ids=["gzip", "bz2", "xz"])
def test_cut_archive_gives_what_is_whole(tmp_path: Path, compress: Compress) -> None:
    text = "".join(f"{n},{n * 7919 % 1013}\n" for n in range(40_000)).encode()
    data = compress(text)
    content = _open(tmp_path, data[: len(data) * 3 // 4], limit=1 << 24)
    assert content.is_cut
    assert 0 < len(content.data) < len(text)
    assert text.startswith(content.data)
    assert content.notes[0].code == "cut-archive"


@pytest.mark.parametrize("compress", QUICK, ids=["gzip", "bz2", "xz"])
def test_archive_that_expands_without_end(tmp_path: Path, compress: Compress) -> None:
    data = compress(bytes(4 << 20))
    with pytest.raises(LogError, match="archive expands to more than 1 MiB"):
        _open(tmp_path, data)


def test_large_file(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="holds more than 1 MiB"):
        _open(tmp_path, bytes((1 << 20) + 1))


def test_empty_archive(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="the gzip archive holds nothing"):
        _open(tmp_path, gzip.compress(b""))


def test_damaged_archive(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="a damaged gzip archive"):
        _open(tmp_path, b"\x1f\x8b" + b"nonsense" * 10)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode("utf-8-sig"), "utf-8-sig"),
        (TEXT.encode("utf-16"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
        (TEXT.encode("utf-32"), "utf-32"),
        (TEXT.encode(), "ascii"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, encoding: str) -> None:
    content = _open(tmp_path, data)
    assert (content.data.decode(), content.encoding, content.is_text) == (TEXT, encoding, True)


def test_utf8_and_latin1(tmp_path: Path) -> None:
    assert _open(tmp_path, "récompense,x\n".encode()).encoding == "utf-8"
    content = _open(tmp_path, "récompense,x\n".encode("latin-1"))
    assert content.data.decode() == "récompense,x\n"
    assert content.notes[0].code == "latin-1"


def test_letter_cut_at_the_end_is_still_utf8(tmp_path: Path) -> None:
    assert _open(tmp_path, "x,récompense é".encode()[:-1]).encoding == "utf-8"


def test_binary(tmp_path: Path) -> None:
    assert not _open(tmp_path, bytes(range(256))).is_text
    assert not _open(tmp_path, b"%PDF-1.7\n").is_text


def test_folder_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be read"):
        open_content(str(tmp_path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert open_content("-").data.decode() == TEXT
