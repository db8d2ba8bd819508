import numpy as np

from scalefit.logs.column_builder import ColumnBuilder
from scalefit.logs.table import Cell, Column


def _values(*values: Cell) -> Column:
    builder = ColumnBuilder("a")
    builder.add_values(values, set(map(type, values)))
    return builder.build(len(values))


def _labels(column: Column) -> list[str | None]:
    return [column.label(row) for row in range(column.numbers.size)]


def test_batches_of_any_size_are_one_column() -> None:
    for capacity in (0, 3, 100):
        builder = ColumnBuilder("a", capacity)
        for begin in range(0, 50, 5):
            builder.add_numbers(np.arange(begin, begin + 5.0))
        column = builder.build(52)
        assert column.numbers[:50].tolist() == list(range(50))
        assert np.isnan(column.numbers[50:]).all()
        assert column.texts is None


def test_texts_stand_on_their_rows() -> None:
    builder = ColumnBuilder("a")
    builder.add_texts(["1", "2"])
    builder.pad(4)
    builder.add_texts(["x", " 3 ", "", "1_0"])
    assert _labels(builder.build(8)) == ["1", "2", None, None, "x", "3", None, "1_0"]


def test_the_same_text_is_kept_once() -> None:
    builder = ColumnBuilder("a")
    builder.add_texts(["ab" + "c" for _ in range(3)])
    builder.add_texts(["abcd"[:3]])
    texts = builder.build(4).texts
    assert texts is not None
    assert len({id(text) for text in texts}) == 1


def test_decoded_values_are_read_for_what_they_are() -> None:
    cells: list[Cell] = [1, 2.5, None, True, "nan", "0.5", float("inf"), [1], {"a": 1}, 10**400]
    column = _values(*cells)
    assert _labels(column) == ["1", "2.5", None, "true", "nan", "0.5", "inf", "[...]", "{...}", "inf"]


def test_gaps_are_no_nan() -> None:
    column = _values(1.0, None, float("nan"))
    assert _labels(column) == ["1", None, "nan"]
    assert _values(1.0, None, 3).texts is None


def test_integers_beyond_float_are_infinite() -> None:
    assert _labels(_values(10**400, 1)) == ["inf", "1"]
