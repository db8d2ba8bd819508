import importlib
from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs.content import Content, open_content

LOG = b"gpu_hours,reward\n" + b"".join(b"%d,0.%d\n" % (n, n) for n in range(1, 4000))


zstandard = pytest.importorskip("zstandard")


def _open(folder: Path, data: bytes, limit: int = 1 << 30) -> Content:
    path = folder / "log"
    path.write_bytes(data)
    return open_content(str(path), limit=limit)


def test_zstd_of_several_frames_is_read_whole(tmp_path: Path) -> None:
    content = _open(tmp_path, zstandard.compress(LOG) + zstandard.compress(LOG))
    assert (content.data, content.compression, content.is_cut) == (LOG * 2, "zstd", False)


def test_cut_zstd_gives_what_is_whole(tmp_path: Path) -> None:
    noise = bytes(range(32, 127)) * 4000
    data = zstandard.ZstdCompressor(level=1).compress(LOG + noise + LOG[::-1])
    content = _open(tmp_path, data[:-5])
    assert content.is_cut
    assert [note.code for note in content.notes] == ["cut-archive"]


def test_zstd_that_expands_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="the zstd archive expands to more than 1 MiB"):
        _open(tmp_path, zstandard.compress(bytes(1 << 26)), limit=1 << 20)


def test_damaged_zstd_is_said(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="a damaged zstd archive"):
        _open(tmp_path, b"\x28\xb5\x2f\xfd" + b"\xff" * 40)


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str, *_: object) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(LogError, match=r"needs the package zstandard.*install scalefit\[zstd\]"):
        _open(tmp_path, b"\x28\xb5\x2f\xfd" + bytes(10))
