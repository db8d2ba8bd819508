"""Writing a run in any format and reading it back gives the same run; damage never passes unnoticed."""

import csv
import gzip
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from scalefit.errors import ScalefitError
from scalefit.logs import ReadOptions, read_run
from scalefit.run import Run

pyarrow = pytest.importorskip("pyarrow")
pyarrow_parquet = pytest.importorskip("pyarrow.parquet")
zstandard = pytest.importorskip("zstandard")

Points = list[tuple[float, float]]

_REWARDS = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False).map(lambda value: round(value, 6))


@st.composite
def _points(draw: st.DrawFn) -> Points:
    gains = draw(st.lists(st.integers(min_value=1, max_value=10_000), min_size=2, max_size=60))
    compute = np.cumsum(gains) / 8
    return [(float(c), draw(_REWARDS)) for c in compute]


def _delimited(delimiter: str, *, decimal_comma: bool = False, end: str = "\n") -> Callable[[Points], bytes]:
    def write(points: Points) -> bytes:
        rows = [f"gpu_hours{delimiter}reward"] + [f"{c!r}{delimiter}{r!r}" for c, r in points]
        text = end.join(rows) + end
        return text.replace(".", ",").encode() if decimal_comma else text.encode()

    return write


def _quoted(points: Points) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(["gpu_hours", "reward", "note, with a comma"])
    writer.writerows([repr(c), repr(r), 'two\nlines and "quotes"'] for c, r in points)
    return text.getvalue().encode()


def _jsonl(points: Points) -> bytes:
    return "".join(json.dumps({"gpu_hours": c, "train": {"reward": r}}) + "\n" for c, r in points).encode()


def _printed(points: Points) -> bytes:
    return "".join(f"bar 1/9 {{'reward': '{r!r}', 'gpu_hours': {c!r}, 'kl': nan}}\n" for c, r in points).encode()


def _boxes(points: Points) -> bytes:
    edge = "-" * 40 + "\n"
    rows = (f"| time/ | |\n|    gpu_hours | {c!r} |\n| rollout/ | |\n|    ep_rew_mean | {r!r} |\n" for c, r in points)
    return "".join(edge + each + edge for each in rows).encode()


def _parquet(points: Points) -> bytes:
    target = io.BytesIO()
    table = pyarrow.table({"gpu_hours": [c for c, _ in points], "reward": [r for _, r in points]})
    pyarrow_parquet.write_table(table, target)
    return target.getvalue()


FORMATS: dict[str, Callable[[Points], bytes]] = {
    "comma": _delimited(","),
    "tab": _delimited("\t"),
    "pipe": _delimited("|"),
    "semicolon": _delimited(";"),
    "spaces": _delimited("  "),
    "decimal comma": _delimited(";", decimal_comma=True),
    "tab with decimal comma": _delimited("\t", decimal_comma=True),
    "carriage returns": _delimited(",", end="\r\n"),
    "old line ends": _delimited(",", end="\r"),
    "byte-order mark": lambda points: b"\xef\xbb\xbf" + _delimited(",")(points),
    "UTF-16": lambda points: _delimited(",")(points).decode().encode("utf-16"),
    "gzip": lambda points: gzip.compress(_delimited(",")(points)),
    "quoted": _quoted,
    "jsonl": _jsonl,
    "json records": lambda points: json.dumps([{"gpu_hours": c, "reward": r} for c, r in points]).encode(),
    "json columns": lambda points: json.dumps(
        {"gpu_hours": [c for c, _ in points], "reward": [r for _, r in points]}
    ).encode(),
    "log history": lambda points: json.dumps(
        {"epoch": 1, "log_history": [{"gpu_hours": c, "reward": r} for c, r in points]}, indent=1
    ).encode(),
    "printed dicts": _printed,
    "boxes": _boxes,
    "key values": lambda points: "".join(
        f"[step {n}/999] gpu_hours={c!r} reward={r!r}\n" for n, (c, r) in enumerate(points)
    ).encode(),
    "markdown": lambda points: (
        "| gpu_hours | reward |\n|---:|:---|\n" + "".join(f"| {c!r} | {r!r} |\n" for c, r in points)
    ).encode(),
    "parquet": _parquet,
    "zstd": lambda points: bytes(zstandard.compress(_delimited(",")(points))),
    "verl": lambda points: "".join(
        f"\x1b[36m(pid=1)\x1b[0m step:{n} - perf/gpu_hours:{c!r} - critic/score/mean:np.float64({r!r})\n"
        for n, (c, r) in enumerate(points)
    ).encode(),
}


def _read(data: bytes, options: ReadOptions | None = None) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(data)
        return read_run(str(path), options or ReadOptions())


@pytest.mark.parametrize("name", FORMATS)
@given(points=_points())
@settings(max_examples=30)
def test_every_format_reads_back_what_was_written(name: str, points: Points) -> None:
    run = _read(FORMATS[name](points))
    np.testing.assert_array_equal(run.compute, [c for c, _ in points])
    np.testing.assert_array_equal(run.reward, [r for _, r in points])
    assert run.unit == "gpu-hours"


@given(data=st.binary(max_size=2000))
@settings(max_examples=300)
def test_random_bytes_are_an_error_of_one_line_or_a_run(data: bytes) -> None:
    message = ""
    try:
        _read(data)
    except ScalefitError as error:
        message = str(error)
    assert "\n" not in message


@pytest.mark.parametrize("name", FORMATS)
@given(points=_points(), share=st.floats(min_value=0, max_value=1))
@settings(max_examples=30)
def test_a_cut_log_gives_its_whole_rows_or_an_error(name: str, points: Points, share: float) -> None:
    data = FORMATS[name](points)
    try:
        run = _read(data[: int(share * len(data))])
    except ScalefitError:
        return
    whole = dict(points)
    wrong = [(c, r) for c, r in zip(run.compute.tolist(), run.reward.tolist(), strict=True) if whole.get(c) != r]
    # A number may lose its last digits only on a last line without end, and that is said.
    assert len(wrong) <= 1
    if wrong:
        assert run.source.notes


@pytest.mark.parametrize("name", ["comma", "tab", "jsonl", "decimal comma"])
@given(
    points=_points(), place=st.integers(min_value=0), junk=st.sampled_from(["#corrupt", '"', "\x07\x08", "{", ",,,"])
)
@settings(max_examples=50)
def test_a_damaged_line_is_left_out_and_counted(name: str, points: Points, place: int, junk: str) -> None:
    lines = FORMATS[name](points).decode().split("\n")
    line = 1 + place % max(1, len(lines) - 2)
    lines[line] = lines[line][: len(lines[line]) // 2] + junk
    try:
        run = _read("\n".join(lines).encode())
    except ScalefitError:
        return
    whole = dict(points)
    known = [whole.get(c) == r for c, r in zip(run.compute.tolist(), run.reward.tolist(), strict=True)]
    assert sum(known) >= len(points) - 2
    assert all(known) or run.source.notes or run.source.skipped


@given(points=_points(), data=st.data())
@settings(max_examples=50)
def test_the_order_of_rows_does_not_matter(points: Points, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(points))
    run = _read(_delimited(",")(shuffled))
    np.testing.assert_array_equal(run.compute, [c for c, _ in points])
    np.testing.assert_array_equal(run.reward, [r for _, r in points])
