"""Following a log that is still being written: what changed since the last look, and the rows that are whole."""

import dataclasses
import enum
import os
from typing import NamedTuple

from scalefit.errors import LogError, UsageError
from scalefit.logs.arguments import STANDARD_INPUT, LogSpec
from scalefit.logs.content import Content, open_content
from scalefit.logs.options import DEFAULT_OPTIONS, ReadOptions
from scalefit.logs.reading import read_opened
from scalefit.run import Run


class Change(enum.StrEnum):
    """What became of a log since the last look."""

    NOTHING = "nothing"
    """Not a byte."""
    APPEARED = "appeared"
    """It is there for the first time, or again."""
    GREW = "grew"
    """Bytes were added."""
    SHRANK = "shrank"
    """It was cut and goes on from there, or was written anew in place."""
    REPLACED = "replaced"
    """Another file stands under its name: a rotation, or an editor that saved."""
    MISSING = "missing"
    """Nothing stands under its name."""


class _Seen(NamedTuple):
    """What told one state of a file from another."""

    device: int
    inode: int
    size: int
    modified: int


@dataclasses.dataclass(slots=True, kw_only=True)
class FollowedLog:
    """A log under watch. Not frozen: it remembers what it saw last.

    Raises
    ------
    UsageError
        If it is standard input, which cannot be read twice.
    """

    spec: LogSpec
    """The log; it need not be there yet."""
    options: ReadOptions = DEFAULT_OPTIONS
    """How it is read."""
    _seen: _Seen | None = None
    _whole: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be followed."""
        if self.spec.path == STANDARD_INPUT:
            raise UsageError(
                "standard input cannot be followed", where="RUN", expected="expected a file",
                remedy="name the file that the run writes",
            )  # fmt: skip

    def look(self) -> Change:
        """Return what changed since the last look, and remember it."""
        before, now = self._seen, _state_of(self.spec.path)
        self._seen = now
        if now is None:
            return Change.MISSING
        if before is None:
            change = Change.APPEARED
        elif (now.device, now.inode) != (before.device, before.inode):
            change = Change.REPLACED
        elif now.size < before.size:
            change = Change.SHRANK
        elif now.size > before.size:
            change = Change.GREW
        elif now.modified != before.modified:
            # Same length, written again: a row may have been mended in place.
            change = Change.REPLACED
        else:
            change = Change.NOTHING
        if change is not Change.NOTHING:
            self._whole = False
        return change

    def read(self, *, is_at_rest: bool = False) -> Run | None:
        """Return the run as far as its rows are whole; None if there are none yet.

        A writer may be in the middle of a line: ``0.61`` may become ``0.6187``. A last line without an end counts only
        when the log is at rest.

        Parameters
        ----------
        is_at_rest
            Whether nobody has written since the last look.

        Raises
        ------
        LogError
            If it cannot be read as one run.
        """
        try:
            content = open_content(self.spec.path)
        except LogError:
            if _state_of(self.spec.path) is None or os.path.getsize(self.spec.path) == 0:  # noqa: PTH202 the path as given
                return None
            raise
        self._whole = not _has_open_line(content)
        if not is_at_rest:
            content = _closed(content)
        if content.is_text and content.data.count(b"\n") < 1 + (not is_at_rest):
            # No more than a header: the first row is on its way.
            return None
        readings = read_opened(content, self.spec, self.options)
        if len(readings) > 1:
            raise LogError(
                f"{len(readings)} runs in one file", where=self.spec.path, expected="expected one run",
                remedy="choose one with --series",
            )  # fmt: skip
        return readings[0].run

    @property
    def has_open_line(self) -> bool:
        """Whether the last read left out a line that had no end."""
        return not self._whole


def _state_of(path: str) -> _Seen | None:
    try:
        status = os.stat(path)  # noqa: PTH116 the path as given
    except (OSError, ValueError):
        return None
    return _Seen(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _has_open_line(content: Content) -> bool:
    return content.is_text and content.compression is None and not content.data.endswith(b"\n")


def _closed(content: Content) -> Content:
    if not _has_open_line(content):
        return content
    return dataclasses.replace(content, data=content.data[: content.data.rfind(b"\n") + 1])
