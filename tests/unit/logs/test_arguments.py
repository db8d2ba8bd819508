import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.errors import LogError, UsageError
from scalefit.logs import content
from scalefit.logs.arguments import expand_argument, expand_arguments

LOG = "gpu_hours,reward\n1,0.1\n2,0.2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.csv", "a.csv"):
        (tmp_path / name).write_text(LOG)
    (tmp_path / "notes.md").write_text("# Notes\n\nWords, words.\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "c.jsonl").write_text('{"step": 1, "reward": 0.1}\n{"step": 2, "reward": 0.2}\n')
    return tmp_path


def _paths(argument: str, folder: Path) -> list[str]:
    return [str(Path(spec.path).relative_to(folder)) for spec in expand_argument(argument)]


def test_path_is_itself(folder: Path) -> None:
    (spec,) = expand_argument(str(folder / "a.csv"))
    assert (spec.path, spec.label, spec.is_labelled) == (str(folder / "a.csv"), str(folder / "a.csv"), False)


def test_standard_input() -> None:
    assert [(spec.path, spec.label) for spec in expand_argument("-")] == [("-", "-")]
    assert [(spec.path, spec.label) for spec in expand_argument("mine=-")] == [("-", "mine")]


def test_glob_is_expanded_in_order(folder: Path) -> None:
    assert _paths(str(folder / "*.csv"), folder) == ["a.csv", "b.csv"]
    assert _paths(str(folder / "**" / "*.jsonl"), folder) == ["sub/c.jsonl"]


def test_folder_gives_what_looks_like_a_log(folder: Path) -> None:
    assert _paths(str(folder), folder) == ["a.csv", "b.csv", "sub/c.jsonl"]


def test_loops_of_links_end(folder: Path) -> None:
    (folder / "sub" / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "sub" / "self.csv").symlink_to(folder / "sub" / "self.csv")
    assert _paths(str(folder), folder) == ["a.csv", "b.csv", "sub/c.jsonl"]


def test_label_of_a_file_and_of_a_folder(folder: Path) -> None:
    (spec,) = expand_argument(f"base={folder / 'a.csv'}")
    assert (spec.label, spec.is_labelled) == ("base", True)
    assert [spec.label for spec in expand_argument(f"base={folder}")] == ["base/a.csv", "base/b.csv", "base/c.jsonl"]


def test_existing_path_with_an_equals_sign_wins(folder: Path) -> None:
    path = folder / "lr=1.csv"
    path.write_text(LOG)
    assert _paths(str(path), folder) == ["lr=1.csv"]


def test_existing_path_with_a_star_wins(folder: Path) -> None:
    (folder / "*.csv").write_text(LOG)
    assert _paths(str(folder / "*.csv"), folder) == ["*.csv"]


@pytest.mark.parametrize("argument", ["", "  "])
def test_empty_argument(argument: str) -> None:
    with pytest.raises(UsageError, match="an empty path"):
        expand_argument(argument)


@pytest.mark.parametrize("argument", ["=x.csv", "label="])
def test_half_a_label(argument: str) -> None:
    with pytest.raises(UsageError, match="lacks its label or its path; expected label=path"):
        expand_argument(argument)


@pytest.mark.parametrize("path", ["none.csv", "a\nb.csv", "a\0b.csv", "label=none.csv"])
def test_missing(path: str) -> None:
    with pytest.raises(LogError, match="no such file") as caught:
        expand_argument(path)
    assert "\n" not in str(caught.value)


def test_each_log_once(folder: Path) -> None:
    path = str(folder / "a.csv")
    assert len(expand_arguments([path, path, str(folder / "*.csv")])) == 2


def test_settings_notes_and_plots_of_a_folder_are_no_logs(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("gpu_hours,reward\n1,0.1\n2,0.2\n")
    (tmp_path / "params.json").write_text('{"lr": 1e-6, "reward": {"type": "math"}}')
    (tmp_path / "config.yaml").write_text("model: a\nlr: 1e-6\nseed: 3\nsteps: 9\n")
    (tmp_path / "README.md").write_text("# Run\n\nstep one, step two\n")
    (tmp_path / "plot.txt").write_text(" 0.6 |   **\n 0.4 | **\n 0.2 |*\n 0.1 |*\n")
    assert [Path(spec.path).name for spec in expand_argument(str(tmp_path))] == ["log.csv"]


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_large_files_of_a_folder_are_told_by_their_beginning(
    tmp_path: Path, compress: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"gpu_hours,reward\n" + b"".join(b"%d,0.5\n" % n for n in range(200_000))
    (tmp_path / "log").write_bytes(compress(text))
    (tmp_path / "curve.json").write_bytes(json.dumps([{"step": n, "reward": 0.1} for n in range(20_000)]).encode())
    read: list[int] = []
    decode = content._decode  # noqa: SLF001 -- what is decoded is what was read

    def count(raw: bytes) -> tuple[bytes, str]:
        read.append(len(raw))
        return decode(raw)

    monkeypatch.setattr(content, "_decode", count)
    assert len(expand_argument(str(tmp_path))) == 2
    assert max(read) < 1 << 21


def test_a_path_with_a_line_end_is_read_and_named_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "two\nlines.csv"
    path.write_text("gpu_hours,reward\n1,0.1\n2,0.2\n")
    assert [spec.path for spec in expand_argument(str(path))] == [str(path)]
    with pytest.raises(LogError) as caught:
        expand_argument(str(tmp_path / "no\nsuch.csv"))
    assert "\n" not in str(caught.value)
