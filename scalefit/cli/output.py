"""Where results go: standard output or a file, in what can be shown there; and everything else to standard error."""

import codecs
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

from scalefit.errors import UsageError
from scalefit.report.medium import Medium, printable

if TYPE_CHECKING:
    from scalefit.forecast import Forecast

BROKEN_PIPE = 141
"""Exit status when the reader went away: 128 + SIGPIPE, as a shell reports it for any other tool."""
NARROWEST, WIDEST = 40, 200
"""Columns that a report is laid out for."""
FILE_WIDTH = 100
"""Columns of a report in a file: it is read in an editor."""
PIPE_WIDTH = 80
"""Columns of a report in a pipe, where nobody says how wide it is shown."""


class Destination:
    """Where one result goes.

    Parameters
    ----------
    path
        The file; None is standard output.
    stream
        An open binary file; None is standard output.
    """

    def __init__(self, path: str | None, stream: IO[bytes] | None) -> None:
        self._path = path
        self._stream = stream

    def medium(self) -> Medium:
        """Return what can be shown there."""
        if self._stream is not None:
            return Medium(width=FILE_WIDTH, encoding="utf-8", has_colour=False, is_terminal=False)
        is_terminal = sys.stdout.isatty()
        is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return Medium(
            width=min(max(_columns(is_terminal=is_terminal), NARROWEST), WIDEST),
            encoding=_codec(sys.stdout.encoding),
            has_colour=is_terminal and not is_plain,
            is_terminal=is_terminal,
        )

    def write(self, text: str) -> None:
        """Write the whole result.

        Parameters
        ----------
        text
            The result, lines ended by a line feed.

        Raises
        ------
        UsageError
            If it cannot be written.
        typer.Exit
            With status 141, if nobody reads on.
        """
        try:
            if self._stream is not None:
                self._stream.write(text.encode("utf-8", errors="backslashreplace"))
                self._stream.flush()
                return
            # A character that the terminal or the pipe cannot take is escaped, not an error.
            encoding = _codec(sys.stdout.encoding)
            sys.stdout.write(text.encode(encoding, errors="backslashreplace").decode(encoding))
            sys.stdout.flush()
        except BrokenPipeError:
            abandon_stdout()
            raise typer.Exit(BROKEN_PIPE) from None
        except OSError as error:
            raise UsageError(
                f"cannot be written ({error.strerror or error})", where=self._path or "standard output"
            ) from error


def abandon_stdout() -> None:
    """Send what is left in the buffer nowhere, so that the interpreter does not complain when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def open_destination(path: str | None, inputs: Iterable[str] = ()) -> Iterator[Destination]:
    """Open where a result goes, before the long work; a file appears only when its result is complete.

    Parameters
    ----------
    path
        The file; None is standard output.
    inputs
        Logs that are read, none of which may be overwritten.

    Yields
    ------
    Destination
        What to write to.

    Raises
    ------
    UsageError
        If the file cannot be made, or is one of the inputs.
    """
    if path is None or path == "-":
        yield Destination(None, None)
        return
    with open_file(path, inputs) as stream:
        yield Destination(path, stream)


@contextmanager
def open_file(path: str, inputs: Iterable[str] = ()) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when all went well.

    Parameters
    ----------
    path
        The file.
    inputs
        As in `open_destination`.

    Yields
    ------
    IO[bytes]
        The open file.

    Raises
    ------
    UsageError
        If it cannot be made, or is one of the inputs.
    """
    target = Path(path)
    _refuse_input(target, inputs)
    try:
        # A pipe or a device cannot be replaced by a file, and a link stays a link.
        if target.exists() and not target.is_file():
            stream: IO[bytes] = target.open("wb")
            partial = None
        else:
            target = target.resolve()
            if target.exists() and not os.access(target, os.W_OK):
                raise PermissionError(13, "permission denied")
            handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            stream, partial = os.fdopen(handle, "wb"), Path(name)
    except OSError as error:
        raise UsageError(
            f"cannot be written ({(error.strerror or str(error)).lower()})", where=path, remedy="name another file"
        ) from error
    try:
        with stream:
            yield stream
        if partial is not None:
            partial.chmod(_mode_of(target))
            partial.replace(target)
    except BaseException:
        if partial is not None:
            partial.unlink(missing_ok=True)
        raise


def warn(message: str) -> None:
    """Say something on standard error, on one line.

    Parameters
    ----------
    message
        What to say.
    """
    say("warning", message)


def say(kind: str, message: str) -> None:
    """Write ``scalefit: KIND: message`` to standard error.

    Parameters
    ----------
    kind
        ``warning`` or ``error``.
    message
        What to say.
    """
    # A closed standard error must not hide the result or the exit code.
    with suppress(OSError, ValueError):
        line = f"scalefit: {kind}: {printable(' '.join(message.split()))}\n"
        encoding = _codec(sys.stderr.encoding)
        sys.stderr.write(line.encode(encoding, errors="backslashreplace").decode(encoding))
        sys.stderr.flush()


def warn_of_caveats(forecasts: Iterable["Forecast"]) -> None:
    """Say the caveats that the format written does not show to a person.

    Parameters
    ----------
    forecasts
        The forecasts written.
    """
    for forecast in forecasts:
        for caveat in forecast.caveats:
            warn(f"{forecast.run.name}: {caveat.message}")


def _refuse_input(target: Path, inputs: Iterable[str]) -> None:
    for name in inputs:
        for candidate in (name, name.partition("=")[2]):
            with suppress(OSError, ValueError):
                if candidate and Path(candidate).is_file() and target.exists() and target.samefile(candidate):
                    raise UsageError(
                        "would overwrite a log that is read", where=str(target), remedy="name another file"
                    )


def _mode_of(target: Path) -> int:
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _columns(*, is_terminal: bool) -> int:
    with suppress(ValueError):
        asked = int(os.environ.get("COLUMNS", ""))
        if asked > 0:
            return asked
    if is_terminal:
        with suppress(OSError, ValueError):
            return os.get_terminal_size(sys.stdout.fileno()).columns or PIPE_WIDTH
    return PIPE_WIDTH


def _codec(name: str | None) -> str:
    try:
        return codecs.lookup(name or "ascii").name
    except LookupError:
        return "ascii"
