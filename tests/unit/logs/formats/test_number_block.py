import random

import numpy as np
import pytest

from scalefit.logs.formats import number_block
from scalefit.logs.formats.number_block import parse_numbers


@pytest.fixture(params=["installed", "list"])
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "list":
        monkeypatch.setattr(number_block, "_parse", number_block._parse_by_list)  # noqa: SLF001 -- both parsers


@pytest.mark.usefixtures("_parser")
def test_every_number_is_the_nearest_float() -> None:
    draw = random.Random(3)  # noqa: S311 -- numbers, not secrets
    written = [
        text
        for _ in range(2000)
        for text in (
            repr(draw.random()), repr(draw.gauss(0, 1e9)), f"{draw.random():.25f}", repr(draw.random() ** 60),
            str(draw.randrange(10**18)), "-0", "1e-300", "5e-324", "1.7976931348623157e308",
        )
    ]  # fmt: skip
    numbers = parse_numbers(",".join(written).encode())
    assert numbers is not None
    np.testing.assert_array_equal(numbers, [float(text) for text in written])


@pytest.mark.usefixtures("_parser")
@pytest.mark.parametrize(
    ("block", "numbers"),
    [
        (b"1,,2", [1, np.nan, 2]),
        (b"1,,,,2,,", [1, np.nan, np.nan, np.nan, 2, np.nan, np.nan]),
        (b",3", [np.nan, 3]),
        (b",", [np.nan, np.nan]),
    ],
)
def test_nothing_between_commas_is_an_empty_cell(block: bytes, numbers: list[float]) -> None:
    np.testing.assert_array_equal(parse_numbers(block), numbers)


@pytest.mark.usefixtures("_parser")
@pytest.mark.parametrize("block", [b"a", b"1,nan", b"1,1e999", b"+1", b".5", b"007", b"1]", b"1.2.3", b"1-2", b"--1"])
def test_anything_else_is_left_to_the_careful_reader(block: bytes) -> None:
    numbers = parse_numbers(block)
    assert numbers is None or numbers.size == 0
