"""The bytes of a log: opened, decompressed and decoded, whatever its name says."""

import codecs
import dataclasses
import pathlib
import sys

from scalefit.errors import LogError
from scalefit.logs.archives import decompress
from scalefit.logs.remote import is_remote, read_remote
from scalefit.run import Caveat

EXPANDED_LIMIT_BYTES = 1 << 30
"""Bytes of text that one log may hold once decompressed. A log of a million rows has 1 / 20 of it; without the limit
a small archive that expands without end would fill the memory."""
_CHUNK_BYTES = 1 << 20
_SNIFFED_BYTES = 1 << 14
_HEAD_BYTES = 1 << 18
_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BINARY_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"PAR1", "a Parquet file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"PK\x03\x04", "a zip archive (npz, xlsx or a checkpoint)"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x89PNG", "a PNG picture"),
    (b"%PDF", "a PDF"),
    (b"\x80\x04", "a Python pickle"),
    (b"\x80\x02", "a Python pickle"),
    (b"SQLite format 3", "an SQLite database"),
)
"""First bytes -> what such a file is, for the message that refuses it."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What stood in one log."""

    path: str
    """Path as the user gave it; ``-`` for standard input."""
    data: bytes
    """The text as UTF-8 without a byte-order mark, or the raw bytes if it is no text."""
    is_text: bool
    """Whether ``data`` is text."""
    is_cut: bool
    """Whether the compressed stream ended before its end."""
    compression: str | None
    """Name of the compression; None if there was none."""
    encoding: str
    """Encoding of the text; ``binary`` if it is none."""
    notes: tuple[Caveat, ...]
    """What was found odd while opening."""

    @property
    def head(self) -> bytes:
        """The first bytes, enough to recognise a format."""
        return self.data[:_SNIFFED_BYTES]


def open_content(path: str, *, limit: int = EXPANDED_LIMIT_BYTES) -> Content:
    """Read a log whole.

    Parameters
    ----------
    path
        A file, or ``-`` for standard input.
    limit
        Bytes that the log may hold once decompressed.

    Raises
    ------
    LogError
        If the file is missing, not readable, empty, damaged as an archive or larger than ``limit``.
    """
    raw = _read_bytes(path, limit)
    if not raw:
        raise LogError("the file is empty", where=path, expected="expected a log with a header or records")
    notes: list[Caveat] = []
    raw, compression, is_cut = decompress(raw, path, limit)
    if is_cut:
        message = f"the {compression} stream ends early ({len(raw)} bytes were whole); the rows up to there are used"
        notes.append(Caveat(code="cut-archive", message=message, evidence={"bytes": len(raw)}))
    if not raw:
        raise LogError(f"the {compression} archive holds nothing", where=path, expected="expected a log inside it")
    data, encoding = _decode(raw)
    if encoding == "latin-1":
        message = "the text is not UTF-8; read as Latin-1 (cp1252)"
        notes.append(Caveat(code="latin-1", message=message, evidence={"encoding": "latin-1"}))
    return Content(
        path=path,
        data=data,
        is_text=encoding != "binary",
        is_cut=is_cut,
        compression=compression,
        encoding=encoding,
        notes=tuple(notes),
    )


def open_head(path: str) -> Content:
    """Read the beginning of a log, enough to recognise its format; ``is_cut`` says whether more follows.

    Raises
    ------
    LogError
        As `open_content`.
    """
    raw = _read_bytes(path, EXPANDED_LIMIT_BYTES, at_most=_HEAD_BYTES)
    is_cut = len(raw) >= _HEAD_BYTES
    if is_cut and raw.startswith(b"PK"):
        raw = _read_bytes(path, EXPANDED_LIMIT_BYTES)  # the list of what a zip archive holds stands at its end
    raw, compression, is_short = decompress(raw, path, EXPANDED_LIMIT_BYTES, enough=_HEAD_BYTES)
    data, encoding = _decode(raw[: -(len(raw) % 4) or None] if is_cut else raw)
    return Content(
        path=path,
        data=data,
        is_text=encoding != "binary",
        is_cut=is_cut or is_short,
        compression=compression,
        encoding=encoding,
        notes=(),
    )


def describe_binary(content: Content) -> str:
    """Return in words what a file that is no text seems to be."""
    for magic, kind in BINARY_KINDS:
        if content.data.startswith(magic):
            return kind
    return f"binary data (it starts with {content.data[:4].hex(' ')})"


def _read_bytes(path: str, limit: int, *, at_most: int | None = None) -> bytes:
    try:
        if is_remote(path):
            raw = read_remote(path, limit)
        elif path == "-":
            raw = sys.stdin.buffer.read(limit + 1)
        else:
            with pathlib.Path(path).open("rb") as file:
                if at_most is not None:
                    return file.read(at_most)
                raw = file.read() if pathlib.Path(path).is_file() and _size(path) <= limit else file.read(limit + 1)
    except FileNotFoundError:
        raise LogError(
            "no such file", where=path, expected="expected a log, a glob or a folder of logs", remedy="check the path"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LogError(f"cannot be read ({reason.lower()})", where=path, remedy="check the path") from None
    if len(raw) > limit:
        raise LogError(
            f"holds more than {limit >> 20} MiB", where=path, expected="expected a log", remedy="thin it out first"
        )
    return raw


def _size(path: str) -> int:
    return pathlib.Path(path).stat().st_size


def _decode(raw: bytes) -> tuple[bytes, str]:
    """Return the text as UTF-8 and the name of its encoding, or the bytes and ``binary``."""
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            if encoding == "utf-8-sig":
                # Copying tens of megabytes to lose three bytes is cheaper than every reader minding them.
                return _decode(raw[len(bom) :])[0], encoding
            return raw.decode(encoding, errors="replace").encode(), encoding
    head = raw[:_SNIFFED_BYTES]
    encoding = _encoding_without_mark(raw, head)
    if encoding.startswith("utf-16"):
        return raw.decode(encoding, errors="replace").encode(), encoding
    if encoding == "latin-1":
        return raw.decode("cp1252", errors="replace").encode(), encoding
    return raw, encoding


def _encoding_without_mark(raw: bytes, head: bytes) -> str:
    if b"\0" in head:
        half = max(1, len(head) // 2)
        for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            # Text of mostly ASCII letters has a zero in every second byte, and in those only.
            if head[offset::2].count(0) > 0.7 * half and head[1 - offset :: 2].count(0) == 0:
                return encoding
        return "binary"
    if _has_controls(head) or any(head.startswith(magic) for magic, _ in BINARY_KINDS):
        return "binary"
    if raw.isascii():
        return "ascii"
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(raw), _CHUNK_BYTES):
            decoder.decode(raw[begin : begin + _CHUNK_BYTES])
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _has_controls(head: bytes) -> bool:
    """Return whether bytes stand there that no text log holds (terminal escapes and form feeds may)."""
    controls = bytes(code for code in range(32) if code not in b"\t\n\r\x08\x0b\x0c\x1b")
    return len(head.translate(None, controls)) < 0.99 * len(head)
