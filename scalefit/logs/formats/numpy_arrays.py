"""NumPy arrays: the ``evaluations.npz`` of Stable-Baselines3, archives of curves, and a bare curve in ``.npy``."""

import io
import tokenize
import warnings
import zipfile
import zlib
from typing import Any

import numpy as np

from scalefit.errors import LogError
from scalefit.logs.content import EXPANDED_LIMIT_BYTES, Content
from scalefit.logs.table import Column, Table

_RENAMED = {"results": "mean_reward", "ep_lengths": "episode_length"}
"""What Stable-Baselines3 calls its arrays -> what they hold."""
_DAMAGE = (
    ValueError, OSError, EOFError, KeyError, TypeError, MemoryError, SyntaxError, NotImplementedError, RuntimeError,
    UserWarning, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What NumPy and zipfile raise on damaged headers and members; a fuzzer met the odd ones."""
_BARE = "value"
_INDEX = "evaluation"


def recognises(content: Content) -> bool:
    """Return whether the bytes are a NumPy array or an archive of them."""
    if content.data.startswith(b"\x93NUMPY"):
        return True
    if not content.data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content.data)) as archive:
            return any(name.endswith(".npy") for name in archive.namelist())
    except _DAMAGE:
        return False


def read(content: Content) -> Table:
    """Return arrays of one length as columns, the mean over further axes (the episodes of an evaluation).

    Raises
    ------
    LogError
        If the file is damaged, expands beyond the limit, holds Python objects, or no array of numbers.
    """
    arrays = _load(content)
    lengths = [array.shape[0] for array in arrays.values()]
    rows = max(lengths, key=lambda length: (lengths.count(length), length), default=0)
    columns = {
        _RENAMED.get(name, name): _column(_RENAMED.get(name, name), array)
        for name, array in arrays.items()
        if array.shape[0] == rows
    }
    if not columns or not rows:
        raise LogError("no array of numbers", where=content.path, expected="expected arrays of one length")
    if len(columns) == 1:
        index = Column(name=_INDEX, numbers=np.arange(1.0, rows + 1), texts=None)
        columns = {_INDEX: index, **columns}
    return Table(format="numpy", columns=columns, lines=np.arange(1, rows + 1), place="record", notes=content.notes)


def _load(content: Content) -> dict[str, Any]:
    """Return the numeric arrays of at least one axis by name."""
    try:
        if content.data.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(content.data)) as archive:
                size = sum(entry.file_size for entry in archive.infolist())
            if size > EXPANDED_LIMIT_BYTES:
                raise LogError(f"expands to {size >> 20} MiB", where=content.path, expected="expected a log")
            with np.load(io.BytesIO(content.data), allow_pickle=False) as loaded:
                found = {name: loaded[name] for name in loaded.files}
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about headers of Python 2, which are read all the same
                found = {_BARE: np.load(io.BytesIO(content.data), allow_pickle=False)}
    except _DAMAGE as error:
        raise LogError(
            f"a NumPy file that cannot be read ({error})",
            where=content.path,
            expected="expected whole arrays of numbers",
            remedy="save numbers, not Python objects",
        ) from None
    # A member of an archive that has the name of an array but not its first bytes comes as those bytes.
    arrays = {name: each for name, each in found.items() if isinstance(each, np.ndarray)}
    return {name: each for name, each in arrays.items() if each.ndim > 0 and each.size and each.dtype.kind in "fiu"}


def _column(name: str, array: Any) -> Column:  # noqa: ANN401 -- whatever numbers the file holds
    values = np.asarray(array, dtype=np.float64).reshape(array.shape[0], -1).mean(axis=1)
    finite = np.isfinite(values)
    texts = None if finite.all() else [None if known else "nan" for known in finite.tolist()]
    return Column(name=name, numbers=np.where(finite, values, np.nan), texts=texts)
