import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from scalefit.cli.calibration_file import RateKeys, read_calibration, write_calibration
from scalefit.errors import UsageError
from scalefit.model.departure import SHIPPED, Calibration, DepartureRates

OWN = Calibration(
    bounded=dataclasses.replace(SHIPPED.bounded, rise_mean=0.1 + 0.2, spread_floor=1e-5),
    open_scale=dataclasses.replace(SHIPPED.open_scale, rise_flat=-1.2345678901234567),
    band_factor=1 / 3,
    runs=24,
    origin="",
)

Change = Callable[..., str]


def _read(path: str) -> Calibration:
    return read_calibration(path, law="sigmoid", level=0.9)


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """Return what writes a calibration with one key set to another value, or left out, and returns its path."""

    def write(key: str, *value: object) -> str:
        content = yaml.safe_load(write_calibration(OWN, law="sigmoid", level=0.9))
        *outer, last = key.split(".")
        inner = content
        for name in outer:
            inner = inner[name]
        if value:
            inner[last] = value[0]
        else:
            del inner[last]
        path = tmp_path / "own.yaml"
        path.write_text(yaml.safe_dump(content))
        return str(path)

    return write


def test_what_is_written_is_read_to_the_last_digit(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(write_calibration(OWN, law="sigmoid", level=0.9, remarks=("learned from: 24 runs\nof mine",)))
    assert dataclasses.replace(_read(str(path)), origin="") == OWN


def test_a_calibration_that_was_read_says_which_file_it_is_from(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(write_calibration(OWN, law="sigmoid", level=0.9))
    assert _read(str(path)).origin == f"your own calibration ({path})"


def test_any_yaml_reader_understands_it() -> None:
    content = yaml.safe_load(write_calibration(OWN, law="power", level=0.8, remarks=("a remark",)))
    assert list(content) == [
        "schema", "version", "law", "level", "runs", "expected_coverage", "band_factor", "bounded", "open_scale",
    ]  # fmt: skip
    assert content["schema"] == "scalefit.calibration/1"
    assert (content["law"], content["level"], content["expected_coverage"]) == ("power", 0.8, 20 / 25)
    assert content["open_scale"] == dataclasses.asdict(OWN.open_scale)


def test_every_rate_has_a_key() -> None:
    assert list(RateKeys.__struct_fields__) == [field.name for field in dataclasses.fields(DepartureRates)]


@pytest.mark.parametrize(
    ("key", "value", "where", "problem", "rest"),
    [
        ("schema", "scalefit.calibration/9", "schema", "'scalefit.calibration/9' cannot be used", "expected one of "),
        ("runs", 0, "runs", "0 cannot be used", "expected a whole number >= 1"),
        ("runs", 2.5, "runs", "2.5 cannot be used", "expected a whole number"),
        ("level", "high", "level", "'high' cannot be used", "expected a number"),
        ("band_factor", -1.0, "band_factor", "-1.0 cannot be used", "expected a number > 0"),
        ("band_factor", float("inf"), "band_factor", "inf cannot be used", "expected a finite number"),
        ("bounded", 3, "bounded", "3 cannot be used", "expected a mapping"),
        ("bounded.keep_probability", 1.0, "bounded.keep_probability", "1.0 cannot be used", "expected a number < 1"),
        ("open_scale.rise_mean", -0.1, "open_scale.rise_mean", "-0.1 cannot be used", "expected a number >= 0"),
        (
            "open_scale.rise_flat",
            1e9,
            "open_scale.rise_flat",
            "1000000000.0 cannot be used",
            "expected a number <= 100",
        ),
        ("open_scale.rise_maen", 1.0, "open_scale.rise_maen", "there is no key 'rise_maen'", "expected one of "),
    ],
)
def test_what_cannot_be_meant_names_file_key_value_and_remedy(
    change: Change, key: str, value: object, where: str, problem: str, rest: str
) -> None:
    path = change(key, value)
    with pytest.raises(UsageError) as caught:
        _read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: {where}: {problem}; {rest}")
    assert message.endswith(("; write it anew with scalefit calibrate", "; did you mean rise_mean"))


@pytest.mark.parametrize(("key", "where"), [("band_factor", ""), ("bounded.rise_mean", " bounded:")])
def test_a_missing_key_is_named(change: Change, key: str, where: str) -> None:
    path = change(key)
    name = key.rpartition(".")[2]
    with pytest.raises(UsageError) as caught:
        _read(path)
    assert str(caught.value) == (
        f"{path}:{where} the key '{name}' is missing; expected every key that scalefit calibrate writes; "
        "write it anew with scalefit calibrate"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing is no calibration"),
        ("- 1\n", "a list is no calibration"),
        ("hello\n", "'hello' is no calibration"),
        ("schema: [\n", "expected plain YAML"),
        ("runs: 1\nruns: 2\n", "the key 'runs' twice"),
        ("runs: !!python/object:os.system 1\n", "the tag "),
        ("runs: &a 1\nlevel: *a\n", "the alias "),
    ],
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        _read(str(path))
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_policy_given_for_a_calibration_is_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "scalefit.yaml"
    path.write_text("gates: [{no_collapse: {}}]\n")
    with pytest.raises(UsageError, match="there is no key 'gates'; expected one of schema"):
        _read(str(path))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(UsageError, match=r"^nowhere\.yaml: cannot be read \(no such file"):
        _read("nowhere.yaml")


@pytest.mark.parametrize(
    ("law", "level", "warning"),
    [
        ("sigmoid", 0.9, ""),
        ("power", 0.9, "learned for the law sigmoid, used for power"),
        ("sigmoid", 0.5, "learned for the level 0.9, used for 0.5"),
    ],
)
def test_a_calibration_for_something_else_is_warned_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], law: str, level: float, warning: str
) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(write_calibration(OWN, law="sigmoid", level=0.9))
    read_calibration(str(path), law=law, level=level)
    said = capsys.readouterr().err
    assert warning in said
    assert said.count("\n") == bool(warning)
