import csv
import io
from pathlib import Path

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run
from scalefit.logs.formats import delimited


def _write(folder: Path, text: str) -> str:
    path = folder / "log.csv"
    path.write_text(text)
    return str(path)


def _numbers(count: int) -> list[str]:
    return [f"{n},{n / 7!r}" for n in range(1, count + 1)]


def test_odd_cells_in_a_long_log_leave_the_other_rows_as_they_are(tmp_path: Path) -> None:
    rows = _numbers(60_000)
    rows[20_000] = "20001,nan"
    rows[40_000] = "40001"
    rows[50_000] = ' 50001 ,"0.5"'
    run = read_run(_write(tmp_path, "gpu_hours,reward\n" + "\n".join(rows) + "\n"))
    assert run.source.skipped == {"wrong number of cells": 1, "reward not finite": 1}
    assert run.source.rows == 59_998
    expected = {n: n / 7 for n in range(1, 60_001) if n not in {20_001, 40_001}} | {50_001: 0.5}
    np.testing.assert_array_equal(run.compute, list(expected))
    np.testing.assert_array_equal(run.reward, list(expected.values()))
    messages = [note.message for note in run.source.notes]
    assert any("line 40002 does not have" in message for message in messages)
    assert any("(line 20002)" in message for message in messages)


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_sparse_columns_read_as_they_do_cell_by_cell(
    tmp_path: Path, delimiter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{n},{n / 7!r},{n / 9 if n % 100 == 0 else ''},{'' if n % 3 else n}" for n in range(1, 30_000)]
    text = "\n".join(["gpu_hours,reward,eval/reward,other", *rows]).replace(",", delimiter) + "\n"
    fast = read_run(_write(tmp_path, text), ReadOptions(y="eval/reward"))
    monkeypatch.setattr(delimited, "parse_numbers", lambda _: None)
    careful = read_run(_write(tmp_path, text), ReadOptions(y="eval/reward"))
    np.testing.assert_array_equal(fast.compute, careful.compute)
    np.testing.assert_array_equal(fast.reward, np.arange(100, 30_000, 100) / 9)
    assert fast.source.skipped == careful.source.skipped == {"no reward on the row": 29_700}


def test_quoted_cells_of_several_lines_are_not_torn_at_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_CHUNK_BYTES", 64)
    monkeypatch.setattr(delimited, "_CHUNK_ROWS", 1)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["gpu_hours", "reward", "note"])
    writer.writerows([n, n / 8, f'a "b"\nc, {n}\n' if n % 3 else "plain"] for n in range(1, 200))
    run = read_run(_write(tmp_path, text.getvalue()))
    np.testing.assert_array_equal(run.reward, np.arange(1, 200) / 8)
    assert dict(run.source.skipped) == {}


def test_a_quote_that_never_closes_loses_its_line_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "_CHUNK_BYTES", 64)
    monkeypatch.setattr(delimited, "_CHUNK_ROWS", 1)
    monkeypatch.setattr(delimited, "_QUOTED_BYTES", 256)
    rows = _numbers(300)
    rows[100] = '101,"0.5'
    run = read_run(_write(tmp_path, "gpu_hours,reward\n" + "\n".join(rows) + "\n"))
    assert run.source.rows == 299
    assert sum(run.source.skipped.values()) == 1


def test_a_line_without_end_is_refused_with_its_number(tmp_path: Path) -> None:
    path = _write(tmp_path, "gpu_hours,reward,c\n1,0.1,x\n2,0.2," + "y" * (17 << 20) + "\n3,0.3,z\n")
    with pytest.raises(LogError, match=r"log.csv:3: a line of more than 16 MB"):
        read_run(path)


def test_a_cell_of_a_megabyte_among_the_first_lines_is_read(tmp_path: Path) -> None:
    path = _write(tmp_path, "gpu_hours,reward,c\n1,0.1,x\n2,0.2," + "y" * (1 << 20) + "\n3,0.3,z\n")
    assert read_run(path).source.rows == 3


def test_tens_of_thousands_of_columns_are_read(tmp_path: Path) -> None:
    names = [f"metrics/layer{n}/grad_norm" for n in range(20_000)]
    rows = [",".join([str(n), str(2 * n), *["0.5"] * len(names), str(n / 8)]) for n in range(1, 6)]
    run = read_run(_write(tmp_path, "\n".join([",".join(["step", "gpu_hours", *names, "reward"]), *rows]) + "\n"))
    assert (run.source.rows, run.source.y_column, run.reward[4]) == (5, "reward", 0.625)


def test_more_columns_than_any_log_has_are_refused(tmp_path: Path) -> None:
    header = ",".join(f"a{n}" for n in range(100_001))
    with pytest.raises(LogError, match=r"100001 columns; expected at most 100000"):
        read_run(_write(tmp_path, f"{header}\n{'1,' * 100_000}1\n"), ReadOptions(x="a0", y="a1"))
