import importlib
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run

START = 1_700_000_000.0


def _events(tags: dict[str, list[float]], *, as_tensor: bool) -> Iterator[bytes]:
    pytest.importorskip("tensorboard")
    event_pb2 = importlib.import_module("tensorboard.compat.proto.event_pb2")
    tensor_util = importlib.import_module("tensorboard.util.tensor_util")
    yield event_pb2.Event(wall_time=START, file_version="brain.Event:2").SerializeToString()
    for step in range(len(next(iter(tags.values())))):
        for tag, values in tags.items():
            event = event_pb2.Event(wall_time=START + 36 * step, step=step)
            value = event.summary.value.add(tag=tag)
            if as_tensor:
                value.tensor.CopyFrom(tensor_util.make_tensor_proto(values[step], dtype="float32"))
            else:
                value.simple_value = values[step]
            yield event.SerializeToString()


def _write(folder: Path, tags: dict[str, list[float]], *, as_tensor: bool = False) -> Path:
    record_writer = pytest.importorskip("tensorboard.summary.writer.record_writer")
    path = folder / "events.out.tfevents.1700000000.host.1.0"
    with path.open("wb") as file:
        writer = record_writer.RecordWriter(file)
        for event in _events(tags, as_tensor=as_tensor):
            writer.write(event)
        writer.flush()
    return path


TAGS = {"train/reward": [n / 16 for n in range(12)], "train/loss": [1.0 - n / 16 for n in range(12)]}


@pytest.mark.parametrize("as_tensor", [False, True])
def test_tags_of_one_step_are_one_row(tmp_path: Path, *, as_tensor: bool) -> None:
    run = read_run(str(_write(tmp_path, TAGS, as_tensor=as_tensor)), ReadOptions(gpus=100))
    assert (run.source.format, run.source.y_column, run.source.rows) == ("tensorboard", "train/reward", 11)
    np.testing.assert_allclose(run.compute, np.arange(1, 12))
    np.testing.assert_array_equal(run.reward, np.arange(1, 12) / 16)


def test_a_file_still_being_written_gives_its_whole_records(tmp_path: Path) -> None:
    path = _write(tmp_path, TAGS)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 70])
    run = read_run(str(path))
    assert 8 <= run.source.rows <= 10


def test_no_scalars_is_said(tmp_path: Path) -> None:
    path = _write(tmp_path, {"a": []})
    with pytest.raises(LogError, match="an event file without scalars"):
        read_run(str(path))


def test_damage_leaves_the_records_before_it(tmp_path: Path) -> None:
    path = _write(tmp_path, TAGS)
    data = bytearray(path.read_bytes())
    data[200:208] = struct.pack("<Q", 1 << 60)
    path.write_bytes(bytes(data))
    assert read_run(str(path)).source.rows < 11


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "events"
    path.write_bytes(b"\x18" + bytes(11) + b"\x09\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x0dbrain.Event:2" + bytes(4))

    def absent(name: str, *_: object) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(LogError, match=r"needs its package.*install scalefit\[tensorboard\]"):
        read_run(str(path))
