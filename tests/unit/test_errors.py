import pytest

from scalefit.errors import LogError, NotEnoughDataError, ScalefitError, UsageError


def test_a_message_names_place_problem_expectation_and_remedy_on_one_line() -> None:
    error = LogError("no reward\n column", where="a.csv:3", expected="expected one of x,\ty", remedy="say --y")
    assert str(error) == "a.csv:3: no reward column; expected one of x, y; say --y"


def test_what_is_not_known_leaves_no_trace() -> None:
    assert str(ScalefitError("it broke")) == "it broke"
    assert str(ScalefitError("it broke", remedy="mend it")) == "it broke; mend it"


def test_evidence_stays_with_the_error() -> None:
    error = NotEnoughDataError("3 points", where="run.csv", points=3)
    assert error.evidence == {"points": 3}
    assert (error.problem, error.where, error.expected, error.remedy) == ("3 points", "run.csv", None, None)


@pytest.mark.parametrize("kind", [UsageError, LogError, NotEnoughDataError])
def test_every_error_of_a_user_has_one_parent(kind: type[ScalefitError]) -> None:
    with pytest.raises(ScalefitError):
        raise kind("wrong")
