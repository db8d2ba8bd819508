"""Numbers between commas -> float64, each the nearest to what was written."""

from collections.abc import Callable

import msgspec
import numpy as np

from scalefit.run import FloatArray

_MARK = b"-8.98846567431158e307"
_FILLED = b"," + _MARK + b","
_LIST = msgspec.json.Decoder(list[float])


def parse_numbers(block: bytes) -> FloatArray | None:
    """Return the (n,) numbers of a block; None if anything else stands there, or a number that is not finite.

    Nothing between two commas is NaN.

    Numbers are read as JSON writes them, so ``.5``, ``+1`` and ``007`` are something else here.

    Parameters
    ----------
    block
        Numbers with a comma between any two; no other characters than theirs (arrays and truth values would pass).
    """
    numbers = _parse(b"[" + block + b"]")
    if numbers is not None:
        return numbers if np.isfinite(numbers).all() else None
    padded = b"," + block + b","
    if b",," not in padded:
        return None
    # Sparse columns are common: an evaluation every hundred steps. A number that no log holds stands for an empty cell.
    filled = padded.replace(b",,", _FILLED).replace(b",,", _FILLED)
    numbers = None if _MARK in block else _parse(b"[" + filled[1:-1] + b"]")
    if numbers is None or not np.isfinite(numbers).all():
        return None
    numbers = numbers.copy()
    numbers[numbers == float(_MARK)] = np.nan
    return numbers


def _parse_by_list(array: bytes) -> FloatArray | None:
    try:
        values = _LIST.decode(array)
    except msgspec.DecodeError:
        return None
    return np.fromiter(values, dtype=np.float64, count=len(values))


def _choose() -> Callable[[bytes], FloatArray | None]:
    """Return the fast parser where it is installed (it comes compiled, and not for every machine), else the other."""
    try:
        import simdjson  # noqa: PLC0415 -- may be absent
    except ImportError:
        return _parse_by_list
    parser = simdjson.Parser()

    def parse(array: bytes) -> FloatArray | None:
        try:
            found = parser.parse(array)
            if not isinstance(found, simdjson.Array):
                return None
            return np.frombuffer(found.as_buffer(of_type="d"), dtype=np.float64)
        except (ValueError, RuntimeError):
            return None

    return parse


_parse = _choose()
