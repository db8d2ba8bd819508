from pathlib import Path

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run


def test_evaluations_are_averaged_over_episodes(tmp_path: Path) -> None:
    path = tmp_path / "evaluations.npz"
    results = np.array([[1.0, 3.0], [2.0, 6.0], [np.nan, 1.0]])
    np.savez(path, timesteps=np.array([100, 200, 300]), results=results, ep_lengths=np.full((3, 2), 9))
    run = read_run(str(path))
    assert (run.unit, run.source.x_column, run.source.y_column) == ("env-steps", "timesteps", "mean_reward")
    assert (run.compute.tolist(), run.reward.tolist()) == ([100, 200], [2, 4])
    assert run.source.skipped == {"reward not finite": 1}


def test_bare_curve_needs_its_axis(tmp_path: Path) -> None:
    path = tmp_path / "curve.npy"
    np.save(path, np.linspace(0, 1, 7))
    with pytest.raises(LogError, match="--x 'evaluation'"):
        read_run(str(path))
    assert read_run(str(path), ReadOptions(x="evaluation")).compute.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_python_objects_are_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "objects.npy"
    np.save(path, np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
    with pytest.raises(LogError, match="save numbers, not Python objects"):
        read_run(str(path))


@pytest.mark.parametrize(
    "header", [b"{'descr': '<f8', (", b"{'descr': 1L, ", b"[]", b"{'descr': 'O', 'fortran_order': 0, 'shape': ()}"]
)
def test_damaged_header(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "curve.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(80))
    with pytest.raises(LogError, match="a NumPy file that cannot be read"):
        read_run(str(path))


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_cut_file(tmp_path: Path, share: float) -> None:
    path = tmp_path / "curve.npy"
    np.save(path, np.linspace(0, 1, 50))
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(LogError, match=r"cannot be read|not a log"):
        read_run(str(path), ReadOptions(x="evaluation"))
