import dataclasses

import numpy as np
import pytest

from scalefit.errors import NotEnoughDataError, UsageError
from scalefit.run import RewardRange, select_window
from tests.runs import make_run


def _ten() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.arange(1.0, 11.0)


@pytest.mark.parametrize(
    ("compute", "reward", "message"),
    [
        ([1, 2, 3], [1, 2], "arrays of one length"),
        ([1, 2, np.nan], [1, 2, 3], "finite"),
        ([1, 2, 3], [1, np.inf, 3], "finite"),
        ([1, 3, 2], [1, 2, 3], "decrease"),
        ([-1, 2, 3], [1, 2, 3], "negative"),
    ],
)
def test_a_reader_cannot_build_a_broken_run(compute: list[float], reward: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_run(compute, reward)


def test_a_run_cannot_be_changed() -> None:
    values = _ten()
    run = make_run(values, values)
    with pytest.raises(ValueError, match="read-only"):
        run.reward[0] = 5
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.name = "other"  # type: ignore[misc]
    values[0] = 0.5
    assert run.compute[0] == 1


def test_a_window_is_a_share_of_the_compute_not_of_the_rows() -> None:
    run = make_run([1, 2, 3, 4, 5, 20], np.zeros(6))
    window = select_window(run)
    assert window.compute.tolist() == [1, 2, 3, 4, 5]
    assert (window.start, window.end, window.budget, window.points) == (1, 5, 20, 5)


def test_a_row_at_exactly_the_share_is_kept() -> None:
    assert 0.3 * 3 < 0.9
    window = select_window(make_run(np.arange(1.0, 31.0) / 10, np.zeros(30)), fraction=0.3, budget=3)
    assert window.end == 0.9


def test_a_budget_beyond_the_log_keeps_what_is_logged() -> None:
    window = select_window(make_run(_ten(), np.zeros(10)), fraction=0.25, budget=1000)
    assert window.points == 10


def test_rows_before_the_start_are_left_out() -> None:
    run = make_run([0, *_ten()], np.zeros(11))
    assert select_window(run, fraction=1).start == 0
    assert select_window(run, fraction=1, skip_until=3).compute[0] == 3


@pytest.mark.parametrize("fraction", [0.0, -0.1, 1.1, np.nan])
def test_a_share_out_of_its_domain_is_refused(fraction: float) -> None:
    with pytest.raises(UsageError, match=r"^--fraction: a share of .* cannot be fitted; expected a number above 0"):
        select_window(make_run(_ten(), _ten()), fraction=fraction)


@pytest.mark.parametrize("budget", [0.0, -1.0, np.inf, np.nan])
def test_a_budget_out_of_its_domain_is_refused(budget: float) -> None:
    with pytest.raises(UsageError, match=r"^--budget: a budget of .* gpu-hours is not usable; expected"):
        select_window(make_run(_ten(), _ten()), budget=budget)


@pytest.mark.parametrize("skip_until", [-1.0, np.inf, np.nan])
def test_a_start_out_of_its_domain_is_refused(skip_until: float) -> None:
    with pytest.raises(UsageError, match=r"^--skip-until: compute .* is not a start; expected 0 or more"):
        select_window(make_run(_ten(), _ten()), skip_until=skip_until)


def test_too_few_points_in_the_window_say_how_to_see_more() -> None:
    with pytest.raises(NotEnoughDataError, match=r"^run.csv: 2 .*--fraction") as caught:
        select_window(make_run(_ten(), _ten()))
    assert caught.value.evidence["points"] == 2


def test_too_few_points_at_all_say_to_wait() -> None:
    with pytest.raises(NotEnoughDataError, match=r"at least 4 are needed; wait for more rows$"):
        select_window(make_run([1, 2, 3], [1, 2, 3]), fraction=1)


def test_rows_at_compute_0_are_no_points() -> None:
    with pytest.raises(NotEnoughDataError, match="3 "):
        select_window(make_run([0, 0, 0, 1, 2, 3], np.zeros(6)), fraction=1)


def test_rows_at_one_compute_are_no_curve() -> None:
    with pytest.raises(NotEnoughDataError):
        select_window(make_run(np.full(40, 3.0), np.linspace(0.1, 0.5, 40)), fraction=1)


def test_an_empty_run_has_too_few_points() -> None:
    with pytest.raises(NotEnoughDataError):
        select_window(make_run([], []))


@pytest.mark.parametrize(("low", "high", "bounded"), [(0.0, 1.0, True), (None, 1.0, False), (None, None, False)])
def test_a_range_is_bounded_at_both_ends_or_not_at_all(low: float | None, high: float | None, *, bounded: bool) -> None:
    assert RewardRange(low=low, high=high, origin="given").is_bounded is bounded
