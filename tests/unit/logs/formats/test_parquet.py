import datetime as dt
import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run


def _write(folder: Path, columns: dict[str, Any]) -> str:
    arrow = pytest.importorskip("pyarrow")
    parquet = importlib.import_module("pyarrow.parquet")
    path = folder / "log.parquet"
    parquet.write_table(arrow.table(columns), path)
    return str(path)


def test_columns_are_read_with_their_gaps(tmp_path: Path) -> None:
    columns = {
        "gpu_hours": [1.0, 2.0, 3.0, 4.0, 5.0],
        "reward": [0.1, None, 0.3, float("nan"), 0.5],
        "n": [1, 2, 3, 4, 5],
    }
    run = read_run(_write(tmp_path, columns))
    assert (run.source.format, run.unit) == ("parquet", "gpu-hours")
    np.testing.assert_array_equal(run.reward, [0.1, 0.3, 0.5])
    assert run.source.skipped == {"no reward on the row": 1, "reward not finite": 1}


def test_times_texts_and_structures_are_read(tmp_path: Path) -> None:
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    columns = {
        "timestamp": [start + dt.timedelta(hours=n) for n in range(5)],
        "split": ["train"] * 5,
        "metrics": [{"reward": n / 8, "kl": 0.1} for n in range(5)],
    }
    run = read_run(_write(tmp_path, columns), ReadOptions(gpus=8))
    assert run.source.y_column == "metrics/reward"
    np.testing.assert_allclose(run.compute, [8, 16, 24, 32])


@pytest.mark.parametrize("kept", [4, 50, 0.5])
def test_damage_is_an_error_of_one_line(tmp_path: Path, kept: float) -> None:
    path = Path(_write(tmp_path, {"gpu_hours": [1.0, 2.0], "reward": [0.1, 0.2]}))
    data = path.read_bytes()
    path.write_bytes(data[: int(kept if kept > 1 else kept * len(data))])
    with pytest.raises(LogError, match="a Parquet file that cannot be read") as caught:
        read_run(str(path))
    assert "\n" not in str(caught.value)


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _write(tmp_path, {"gpu_hours": [1.0], "reward": [0.1]})
    plain = importlib.import_module

    def absent(name: str, package: str | None = None) -> object:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return plain(name, package)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(LogError, match=r"needs the package pyarrow.*install scalefit\[parquet\]"):
        read_run(path)
