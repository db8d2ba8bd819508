"""Logs in stores such as ``s3://``, ``gs://`` and ``hf://``, through fsspec."""

import glob
import importlib
import re
from typing import Any

from scalefit.errors import LogError

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")


def is_remote(path: str) -> bool:
    """Return whether a path is the address of a store rather than a file."""
    return _ADDRESS.match(path) is not None


def read_remote(address: str, limit: int) -> bytes:
    """Return the bytes at an address, at most one more than ``limit``.

    Raises
    ------
    LogError
        If nothing is there, it cannot be reached, or the package for its kind of store is not installed.
    """
    try:
        with _fsspec(address).open(address, "rb") as file:
            return bytes(file.read(limit + 1))
    except LogError:
        raise
    except Exception as error:  # noqa: BLE001 -- every store raises errors of its own
        raise _explain(address, error) from None


def expand_remote(address: str) -> list[str]:
    """Return the addresses that one with wildcards means; one without them means itself.

    Raises
    ------
    LogError
        If it matches nothing, or as `read_remote`.
    """
    if not glob.has_magic(address):
        return [address]
    try:
        store, path = _fsspec(address).core.url_to_fs(address)
        found = sorted(store.unstrip_protocol(each) for each in store.glob(path))
    except LogError:
        raise
    except Exception as error:  # noqa: BLE001 -- every store raises errors of its own
        raise _explain(address, error) from None
    if not found:
        raise LogError("matches no file", where=address, expected="expected a glob that matches logs")
    return found


def _fsspec(address: str) -> Any:  # noqa: ANN401 -- an optional package without types
    try:
        return importlib.import_module("fsspec")
    except ImportError:
        raise LogError(
            "an address of a store needs the package fsspec",
            where=address,
            expected="expected a file",
            remedy="install scalefit[remote]",
        ) from None


def _explain(address: str, error: Exception) -> LogError:
    if isinstance(error, FileNotFoundError):
        return LogError("no such file", where=address, expected="expected a log", remedy="check the address")
    reason = str(error) or type(error).__name__
    remedy = "install scalefit[remote]" if isinstance(error, ImportError) else "check the address and the credentials"
    return LogError(f"cannot be read ({reason})", where=address, expected="expected a log", remedy=remedy)
