import pytest
import typer

from scalefit.cli.values import parse_count, parse_number, parse_range, parse_start, parse_where, read_options, settings
from scalefit.errors import UsageError


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        (None, None),
        ("0,1", (0.0, 1.0)),
        ("-1,1", (-1.0, 1.0)),
        (" 0 , 1 ", (0.0, 1.0)),
        ("0,", (0.0, None)),
        (",1", (None, 1.0)),
        (",", (None, None)),
        ("none", (None, None)),
        ("Unbounded", (None, None)),
    ],
)
def test_a_range_has_two_ends_either_of_which_may_be_open(
    text: str | None, ends: tuple[float | None, float | None] | None
) -> None:
    assert parse_range(text) == ends


@pytest.mark.parametrize("text", ["", "1", "1,0", "1,1", "a,b", "0,1,2", "nan,1", "0,inf"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--range: "):
        parse_range(text)


@pytest.mark.parametrize(("text", "start"), [(None, None), ("free", "free"), ("FREE", "free"), ("-0.5", -0.5)])
def test_a_start_is_a_number_or_free(text: str | None, start: float | str | None) -> None:
    assert parse_start(text) == start


@pytest.mark.parametrize("text", ["", "fre", "nan"])
def test_what_is_no_start_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="expected a number or free"):
        parse_start(text)


def test_conditions_split_at_the_first_equals_sign() -> None:
    assert parse_where(["split=train", "name=a=b", " x = "]) == (("split", "train"), ("name", "a=b"), ("x", ""))
    assert parse_where(None) == ()


@pytest.mark.parametrize("condition", ["split", "=train", ""])
def test_what_is_no_condition_is_refused(condition: str) -> None:
    with pytest.raises(UsageError, match=r"^--where: "):
        parse_where([condition])


@pytest.mark.parametrize("text", ["x", "nan", "inf", ""])
def test_a_number_is_finite(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is not a finite number"):
        parse_number(text)


def test_a_count_is_whole() -> None:
    assert parse_count("12") == 12
    with pytest.raises(typer.BadParameter, match=r"'1\.5' is not a whole number"):
        parse_count("1.5")


GOOD_SETTINGS: dict[str, object] = {
    "fraction": 0.25,
    "budget": None,
    "skip_until": 0.0,
    "reward_range": None,
    "minimize": False,
    "start": None,
    "law": "sigmoid",
    "level": 0.9,
}


@pytest.mark.parametrize(
    ("option", "name", "value"),
    [
        ("--fraction", "fraction", 0.0),
        ("--fraction", "fraction", 1.01),
        ("--budget", "budget", 0.0),
        ("--skip-until", "skip_until", -1.0),
        ("--level", "level", 1.0),
        ("--level", "level", 0.0),
        ("--at", "at", [0.0]),
        ("--law", "law", "quadratic"),
    ],
)
def test_a_value_out_of_its_domain_names_its_option(option: str, name: str, value: object) -> None:
    with pytest.raises(UsageError) as caught:
        settings(**{**GOOD_SETTINGS, name: value})  # type: ignore[arg-type]
    assert caught.value.where == option


def test_good_settings_pass_through() -> None:
    made = settings(**{**GOOD_SETTINGS, "at": [2.0], "reach": [0.5], "reward_range": "0,1"})  # type: ignore[arg-type]
    assert (made.at, made.reach, made.reward_range, made.level) == ((2.0,), (0.5,), (0.0, 1.0), 0.9)


@pytest.mark.parametrize("name", ["gpus", "gpu_hours_per_step", "max_gap"])
def test_amounts_for_reading_are_positive(name: str) -> None:
    good = dict.fromkeys(("x", "y", "where", "series", "gpus", "gpu_hours_per_step", "max_gap"))
    with pytest.raises(UsageError, match="expected a number above 0"):
        read_options(**{**good, "minimize": False, name: 0.0})  # type: ignore[arg-type]
