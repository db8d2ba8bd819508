import pytest

from scalefit.forecast import Estimate
from scalefit.report.figures import decimals_for, show, show_amount, show_amounts, show_interval, show_rewards


@pytest.mark.parametrize(
    ("spread", "decimals"), [(0.03, 3), (0.3, 2), (3.0, 1), (30.0, 0), (3000.0, -2), (0.0999, 3), (0.1, 2)]
)
def test_spread_decides_the_digits(spread: float, decimals: int) -> None:
    assert decimals_for(spread, 123.456) == decimals


@pytest.mark.parametrize("spread", [None, 0.0])
def test_a_number_without_spread_has_three_digits(spread: float | None) -> None:
    assert decimals_for(spread, 0.012345) == 4


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.6181, 3, "0.618"),
        (-0.0, None, "0"),
        (-0.0001, 2, "0.00"),
        (8243.0, -1, "8,240"),
        (16000.0, 0, "16,000"),
        (3.125e11, None, "3.12e11"),
        (1.234e-9, None, "1.23e-9"),
        (None, None, "unknown"),
        (float("nan"), 2, "unknown"),
        (float("inf"), 2, "unknown"),
    ],
)
def test_numbers_are_rounded_and_readable(value: float | None, decimals: int | None, text: str) -> None:
    assert show(value, decimals) == text


def test_amounts_chosen_by_a_person_have_no_decimals() -> None:
    assert show_amount(40.0) == "40"
    assert show_amount(2.5) == "2.50"
    assert show_amount(1e13) == "1e13"
    assert show_amount(2.5e12) == "2.5e12"


def test_an_amount_over_orders_of_magnitude_keeps_its_small_end() -> None:
    assert show_amounts(Estimate(estimate=247.31, low=3.0, high=45000.0)) == ("247", "3.00 - 45,000")


def test_both_ends_have_the_digits_of_the_estimate() -> None:
    assert show_rewards(Estimate(estimate=0.6181, low=0.6043, high=0.6345)) == ("0.618", "0.604 - 0.634")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.4, None, "0.40 - no upper limit"),
        (None, 0.4, "no lower limit - 0.40"),
        (None, None, "no limits"),
        (-25.25, -16.0, "-25.25 - -16.00"),
    ],
)
def test_a_missing_end_is_said(low: float | None, high: float | None, text: str) -> None:
    assert show_interval(low, high, 2) == text
