"""Compressed logs: what is whole in an archive, however it ends."""

import bz2
import importlib
import lzma
import zlib
from collections.abc import Callable
from typing import Any

from scalefit.errors import LogError

_CHUNK_BYTES = 1 << 20
_ZSTD_PIECE_BYTES = 1 << 10
"""Four bytes of zstd may stand for 128 kB, so that a piece of this size expands to 32 MB at most."""


class _ZstdMember:
    """Gives the zstandard package the interface of `zlib.decompressobj`."""

    def __init__(self) -> None:
        self._member: Any = importlib.import_module("zstandard").ZstdDecompressor().decompressobj()
        self.unconsumed_tail = b""

    @property
    def eof(self) -> bool:
        return bool(self._member.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._member.unused_data) + self.unconsumed_tail

    def decompress(self, data: bytes, _limit: int) -> bytes:
        self.unconsumed_tail = data[_ZSTD_PIECE_BYTES:]
        try:
            return bytes(self._member.decompress(data[:_ZSTD_PIECE_BYTES]))
        except importlib.import_module("zstandard").ZstdError as error:
            raise OSError(str(error)) from None


COMPRESSIONS: tuple[tuple[bytes, str, Callable[[], Any]], ...] = (
    (b"\x1f\x8b", "gzip", lambda: zlib.decompressobj(wbits=31)),
    (b"BZh", "bz2", bz2.BZ2Decompressor),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
    (b"\x28\xb5\x2f\xfd", "zstd", _ZstdMember),
)
"""First bytes, name, and what decompresses one member."""


def decompress(raw: bytes, path: str, limit: int, *, enough: int | None = None) -> tuple[bytes, str | None, bool]:
    """Return what is whole in an archive of one or more members.

    Parameters
    ----------
    raw
        The file, compressed or not.
    path
        Its path, for messages.
    limit
        Bytes that it may expand to.
    enough
        Bytes after which the rest is left; None: all are wanted.

    Returns
    -------
    tuple
        The bytes, the name of the compression (None if there was none), and whether the stream ends early.

    Raises
    ------
    LogError
        If nothing in it is whole, it expands to more than ``limit``, or its package is not installed.
    """
    for magic, name, start in COMPRESSIONS:
        if raw.startswith(magic):
            data, is_cut = _decompress(
                raw, start, path, name, limit=limit, enough=limit + 1 if enough is None else enough
            )
            return data, name, is_cut
    return raw, None, False


def _decompress(
    raw: bytes, start: Callable[[], Any], path: str, name: str, *, limit: int, enough: int
) -> tuple[bytes, bool]:
    parts: list[bytes] = []
    size = 0
    pending = raw
    while pending:
        member = _start(start, path, name)
        takes_part = hasattr(member, "unconsumed_tail")
        try:
            while not member.eof:
                part = member.decompress(pending, _CHUNK_BYTES)
                pending = member.unconsumed_tail if takes_part else b""
                parts.append(part)
                size += len(part)
                if size >= enough <= limit:
                    return b"".join(parts), True
                if size > limit:
                    raise LogError(
                        f"the {name} archive expands to more than {limit >> 20} MiB",
                        where=path,
                        expected="expected a log",
                        remedy="decompress and thin it out first",
                    )
                if not part and not pending and not member.eof:
                    return b"".join(parts), True
        except (zlib.error, OSError, lzma.LZMAError, EOFError) as error:
            if not size:
                raise LogError(
                    f"a damaged {name} archive ({error})", where=path, expected="expected a whole one"
                ) from None
            return b"".join(parts), True
        pending = member.unused_data
        if not any(pending.startswith(magic) for magic, _, _ in COMPRESSIONS):
            break  # padding after the last member
    return b"".join(parts), False


def _start(start: Callable[[], Any], path: str, name: str) -> Any:  # noqa: ANN401 -- decompressors share no type
    try:
        return start()
    except ImportError:
        raise LogError(
            f"a {name} archive needs the package zstandard",
            where=path,
            expected="expected a log that is not compressed, or gzip, bz2 or xz",
            remedy=f"install scalefit[{name}]",
        ) from None
