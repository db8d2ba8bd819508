"""What the fuzzer found, and what it must not find again."""

from pathlib import Path

import pytest

from scalefit.errors import ScalefitError
from scalefit.logs import ReadOptions, inspect_run

CORPUS = {
    "a chart of several runs whose only line has a cell too many": (
        b'"Step","a - train/reward","b - train/reward"\n1,0.1,0.2,0.3\n'
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
