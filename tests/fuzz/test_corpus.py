"""What the fuzzer found, and what it must not find again."""

from pathlib import Path

import pytest

from scalefit.errors import ScalefitError
from scalefit.logs import ReadOptions, inspect_run

CORPUS = {
    "a chart of several runs whose only line has a cell too many": (
        b'"Step","a - train/reward","b - train/reward"\n1,0.1,0.2,0.3\n'
    ),
    "a zip archive of a version to come": (
        b"PK\x03\x04"
        + bytes(26)
        + b"PK\x01\x02\x14\x03\xe3\x00"
        + bytes(38)
        + b"PK\x05\x06"
        + bytes(4)
        + b"\x01\x00\x01\x00\x2e\x00\x00\x00\x1e\x00\x00\x00\x00\x00"
    ),
    "an array of no numbers": (
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }" + b" " * 56 + b"\n"
    ),
    "an array of rows without numbers": (
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (5, 0), }" + b" " * 54 + b"\n"
    ),
}


@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.parametrize("options", [ReadOptions(), ReadOptions(gpus=8), ReadOptions(x="Step", series="all")])
def test_what_was_found_is_a_run_or_an_error_of_one_line(tmp_path: Path, name: str, options: ReadOptions) -> None:
    path = tmp_path / "log"
    path.write_bytes(CORPUS[name])
    message = ""
    try:
        inspect_run(str(path), options)
    except ScalefitError as error:
        message = str(error)
    assert "\n" not in message
