"""What the user typed for RUN -> the logs it means."""

import dataclasses
import glob
import os
import pathlib
from collections.abc import Iterable, Iterator

from scalefit.errors import LogError, UsageError
from scalefit.logs.content import open_head
from scalefit.logs.formats import recognise
from scalefit.logs.remote import expand_remote, is_remote

STANDARD_INPUT = "-"
_FOLDER_LIMIT = 10_000
"""Files looked at in one folder; more than that is a mistake (a home folder), not a set of logs."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LogSpec:
    """One log that the user asked for."""

    path: str
    """Path as given or found; ``-`` for standard input."""
    label: str
    """What to call the run: the user's label, or the path."""
    is_labelled: bool = False
    """Whether the user gave the label."""


def expand_argument(argument: str) -> tuple[LogSpec, ...]:
    """Return the logs that one RUN argument means.

    Parameters
    ----------
    argument
        A path, a glob, a folder, ``-``, or any of these after ``label=``. A file of that very name comes first, so
        that a path with ``=`` or ``*`` in it can be read.

    Raises
    ------
    LogError
        If nothing is there, a glob matches nothing, or a folder holds no log.
    UsageError
        If the argument is empty, or its label or path is.
    """
    if not argument.strip():
        raise UsageError("an empty path", where="RUN", expected="expected a path, a glob, a folder or -")
    if argument == STANDARD_INPUT or pathlib.Path(argument).is_file():
        return (LogSpec(path=argument, label=argument),)
    if _exists(argument):
        return tuple(LogSpec(path=path, label=path) for path in _logs_at(argument))
    label, separator, path = argument.partition("=")
    if separator and not _exists(argument) and "/" not in label and not _matches(argument):
        if not label.strip() or not path.strip():
            raise UsageError(f"{argument!r} lacks its label or its path", where="RUN", expected="expected label=path")
        paths = [path] if path == STANDARD_INPUT else _logs_at(path)
        if len(paths) == 1:
            return (LogSpec(path=paths[0], label=label, is_labelled=True),)
        return tuple(
            LogSpec(path=each, label=f"{label}/{pathlib.PurePath(each).name}", is_labelled=True) for each in paths
        )
    return tuple(LogSpec(path=path, label=path) for path in _logs_at(argument))


def expand_arguments(arguments: Iterable[str]) -> tuple[LogSpec, ...]:
    """Return the logs that all RUN arguments mean, in the order given, each once.

    Raises
    ------
    LogError, UsageError
        As `expand_argument`.
    """
    specs: dict[tuple[str, str], LogSpec] = {}
    for argument in arguments:
        for spec in expand_argument(argument):
            specs.setdefault((spec.path, spec.label), spec)
    return tuple(specs.values())


def _exists(path: str) -> bool:
    try:
        return os.path.lexists(path)
    except ValueError:  # a NUL in the path
        return False


def _matches(pattern: str) -> list[str]:
    # Path.glob would need the pattern split into its fixed and its magic part first.
    return sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(pattern) else []  # noqa: PTH207


def _logs_at(path: str) -> list[str]:
    """Return the log files at a path, a folder, a glob or an address."""
    if is_remote(path):
        return expand_remote(path)
    if _exists(path):
        return _logs_in_folder(path) if pathlib.Path(path).is_dir() else [path]
    found = _matches(path)
    if found:
        files = [each for each in found if not pathlib.Path(each).is_dir()]
        return files or [log for folder in found for log in _logs_in_folder(folder)]
    if glob.has_magic(path):
        raise LogError("matches no file", where=path, expected="expected a glob that matches logs")
    raise LogError(
        "no such file", where=path, expected="expected a log, a glob or a folder of logs", remedy="check the path"
    )


def _logs_in_folder(folder: str) -> list[str]:
    found = []
    seen = 0
    for path in _walk(folder):
        seen += 1
        if seen > _FOLDER_LIMIT:
            raise LogError(
                f"more than {_FOLDER_LIMIT} files",
                where=folder,
                expected="expected a folder of logs",
                remedy="name the logs or use a glob",
            )
        if _is_log(path):
            found.append(path)
    if not found:
        raise LogError(
            f"a folder without logs ({seen} files looked at)",
            where=folder,
            expected="expected CSV, JSONL or another known log in it",
            remedy="name a log file",
        )
    return found


def _walk(folder: str) -> Iterator[str]:
    """Yield the files under a folder in order of name; links to folders are not followed, so loops cannot be."""
    for here, folders, files in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(files):
            path = os.path.join(here, name)  # noqa: PTH118 -- keeps the path as the user began it
            if not name.startswith(".") and pathlib.Path(path).is_file():
                yield path


def _is_log(path: str) -> bool:
    """Return whether a file in a folder looks like a log by its first bytes."""
    try:
        return recognise(open_head(path), strict=True) is not None
    except LogError:
        return False
