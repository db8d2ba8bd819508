import numpy as np
import pytest

from scalefit.logs.table import Column, Table, is_numeric, join_lines, parse_number, unique_names


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.62", 0.62), ("-1e-3", -0.001), ("+.5", 0.5), ("3.", 3.0), ("1,234,567.5", 1234567.5), ("007", 7.0),
        ("1_0", None), ("nan", None), ("inf", None), ("1e999", None), ("", None), ("0x10", None), ("1,23", None),
        ("٣", None), ("1 2", None), ("1.2.3", None),
    ],
)  # fmt: skip
def test_numbers_as_logs_write_them(text: str, number: float | None) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"), [("0,62", 0.62), ("1.234,5", 1234.5), ("-,5", -0.5), ("0.62", 0.62), ("1,2,3", None)]
)
def test_numbers_with_a_decimal_comma(text: str, number: float | None) -> None:
    assert parse_number(text, decimal_comma=True) == number


@pytest.mark.parametrize(("text", "expected"), [("NaN", True), ("-inf", True), ("1e5", True), ("step", False)])
def test_what_no_header_holds(text: str, expected: bool) -> None:  # noqa: FBT001 -- a known answer
    assert is_numeric(text) is expected


def test_names_are_trimmed_and_unique() -> None:
    assert unique_names([" a", "a ", "b", "a"]) == ["a", "a#2", "b", "a#3"]


def test_lines_of_ranges_and_lists_are_joined() -> None:
    assert join_lines([range(2, 5), [7, 9], range(12, 13)]).tolist() == [2, 3, 4, 7, 9, 12]
    assert join_lines([]).dtype == np.int64


def test_a_column_tells_numbers_from_texts_and_gaps() -> None:
    column = Column(name="a", numbers=np.array([1.5, np.nan, np.nan, 2.0]), texts=[None, "x", None, None])
    assert (column.finite, column.has_numbers) == (2, True)
    assert [column.label(row) for row in range(4)] == ["1.5", "x", None, "2"]
    taken = column.take(np.array([3, 1]))
    assert [taken.label(row) for row in range(2)] == ["2", "x"]


def test_a_lone_number_far_down_is_found() -> None:
    numbers = np.full(5000, np.nan)
    assert not Column(name="a", numbers=numbers, texts=None).has_numbers
    numbers[4999] = 1.0
    assert Column(name="a", numbers=numbers, texts=None).has_numbers


def test_rows_of_a_table_keep_their_lines() -> None:
    column = Column(name="a", numbers=np.array([1.0, 2.0, 3.0]), texts=None)
    table = Table(format="csv", columns={"a": column}, lines=np.array([2, 3, 5]))
    taken = table.take(np.array([2, 0]))
    assert (taken.rows, taken.lines.tolist(), taken.columns["a"].numbers.tolist()) == (2, [5, 2], [3.0, 1.0])
