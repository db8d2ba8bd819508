import importlib
from collections.abc import Iterator

import pytest

from scalefit.errors import LogError
from scalefit.logs import expand_argument, read_run

LOG = b"gpu_hours,reward\n1,0.1\n2,0.2\n3,0.25\n"


@pytest.fixture
def store() -> Iterator[None]:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe({"/bucket/a.csv": LOG, "/bucket/b=1.csv": LOG, "/bucket/c.txt": b""})
    yield
    memory.rm("/bucket", recursive=True)


@pytest.mark.usefixtures("store")
def test_an_address_is_read_like_a_file() -> None:
    run = read_run("memory://bucket/a.csv")
    assert (run.source.rows, run.name) == (3, "memory://bucket/a.csv")


@pytest.mark.usefixtures("store")
def test_labels_equal_signs_and_wildcards_work_in_addresses() -> None:
    assert read_run("base=memory://bucket/b=1.csv").name == "base"
    assert read_run("memory://bucket/b=1.csv").source.rows == 3
    found = [spec.path for spec in expand_argument("memory://bucket/*.csv")]
    assert found == ["memory:///bucket/a.csv", "memory:///bucket/b=1.csv"]
    assert read_run(found[1]).source.rows == 3


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://bucket/none.csv", "no such file"),
        ("memory://bucket/c.txt", "the file is empty"),
        ("memory://bucket/*.jsonl", "matches no file"),
        ("nonsense://bucket/a.csv", "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_on_one_line(address: str, message: str) -> None:
    with pytest.raises(LogError, match=message) as caught:
        read_run(address)
    assert "\n" not in str(caught.value)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str, *_: object) -> object:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", absent)
    for address in ("s3://bucket/a.csv", "s3://bucket/*.csv"):
        with pytest.raises(LogError, match=r"install scalefit\[remote\]"):
            read_run(address)
