"""A drawn run as a log that any reader of logs can read."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

from scalefit.run import FloatArray

COMPUTE_COLUMN = "gpu_hours"
REWARD_COLUMN = "reward"


def as_csv(compute: FloatArray, reward: FloatArray) -> str:
    """Return the rows as CSV, in full precision.

    Parameters
    ----------
    compute
        (n,), GPU-hours.
    reward
        (n,), reward units.
    """
    rows = (f"{x!r},{y!r}" for x, y in zip(compute.tolist(), reward.tolist(), strict=True))
    return "\n".join([f"{COMPUTE_COLUMN},{REWARD_COLUMN}", *rows]) + "\n"


def as_jsonl(compute: FloatArray, reward: FloatArray) -> str:
    """Return the rows as one JSON object a line, in full precision.

    Parameters
    ----------
    compute
        (n,), GPU-hours.
    reward
        (n,), reward units.
    """
    return "".join(
        json.dumps({COMPUTE_COLUMN: x, REWARD_COLUMN: y}, allow_nan=False) + "\n"
        for x, y in zip(compute.tolist(), reward.tolist(), strict=True)
    )


WRITERS: Mapping[str, Callable[[FloatArray, FloatArray], str]] = MappingProxyType({"csv": as_csv, "jsonl": as_jsonl})
"""Name of a format -> what writes it."""
