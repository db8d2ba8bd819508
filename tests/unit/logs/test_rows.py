import numpy as np
import pytest

from scalefit.logs.rows import Arrangement, StitchedClock, arrange, stitch_clock, stitch_count


def _arrange(*key: float, is_step: bool = True) -> Arrangement:
    values = np.array(key, dtype=np.float64)
    return arrange(values, np.isfinite(values), is_step=is_step)


def _stitch(
    seconds: list[float], arrangement: Arrangement, *, starts_at_zero: bool = True, max_gap_hours: float | None = None
) -> StitchedClock:
    return stitch_clock(
        np.array(seconds),
        starts_at_zero=starts_at_zero,
        rate=np.ones(len(seconds)),
        arrangement=arrangement,
        max_gap_hours=max_gap_hours,
    )


def test_rows_in_order_stay() -> None:
    arrangement = _arrange(1, 2, np.nan, 3)
    assert (arrangement.order.tolist(), arrangement.is_sorted, arrangement.restarts) == ([0, 1, 3], False, ())


def test_restart_keeps_the_later_copy_and_drops_the_whole_branch() -> None:
    arrangement = _arrange(*range(1, 41), *range(31, 61))
    assert arrangement.superseded.tolist() == list(range(30, 40))
    assert arrangement.restarts == (40,)
    assert not arrangement.is_sorted


def test_two_restarts() -> None:
    arrangement = _arrange(*range(1, 41), *range(31, 36), *range(33, 61))
    assert arrangement.order.tolist() == [*range(30), 40, 41, *range(45, 73)]
    assert arrangement.restarts == (40, 45)


def test_a_row_in_the_wrong_place_is_sorted_not_dropped() -> None:
    arrangement = _arrange(*range(1, 11), 12, 11, *range(13, 31))
    assert arrangement.is_sorted
    assert arrangement.superseded.size == 0
    assert arrangement.order.tolist()[9:13] == [9, 11, 10, 12]


def test_shuffled_rows_are_sorted() -> None:
    arrangement = _arrange(5, 3, 4, 1, 2)
    assert arrangement.order.tolist() == [3, 4, 1, 2, 0]


def test_several_rows_of_each_step_are_kept() -> None:
    arrangement = _arrange(1, 1, 2, 2, 3, 3)
    assert (arrangement.order.size, arrangement.shared) == (6, 6)


def test_equal_compute_is_kept() -> None:
    assert _arrange(0, 0, *range(1, 40), is_step=False).order.size == 41


def test_a_log_that_goes_back_always_ends_quickly() -> None:
    rng = np.random.default_rng(1)
    assert _arrange(*rng.permutation(200_000)).is_sorted


def test_count_that_begins_again_goes_on() -> None:
    values, resets = stitch_count(np.array([10.0, 20, 30, 5, 15]), np.arange(5))
    assert values.tolist() == [10, 20, 30, 35, 45]
    assert resets == (3,)


def test_clock_that_begins_again_goes_on() -> None:
    clock = _stitch([10, 20, 30, 10, 20], _arrange(1, 2, 3, 4, 5))
    assert clock.compute.tolist() == [10, 20, 30, 40, 50]
    assert clock.resets == (3,)


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([320.0, 330.0], id="restored with the checkpoint"),
        pytest.param([10.0, 20.0], id="begun again"),
        pytest.param([410.0, 420.0], id="gone on"),
    ],
)
def test_an_abandoned_branch_costs_nothing(later: list[float]) -> None:
    steps = [*range(1, 41), 32, 33]
    clock = _stitch([10.0 * n for n in range(1, 41)] + later, _arrange(*steps))
    assert clock.compute[[30, 40, 41]].tolist() == [310, 320, 330]


def test_time_of_day_starts_at_its_first_row() -> None:
    assert _stitch([100, 110, 130], _arrange(1, 2, 3), starts_at_zero=False).compute.tolist() == [0, 10, 30]


def test_a_clock_that_slips_back_stands_still() -> None:
    assert _stitch([10, 20, 19, 30], _arrange(1, 2, 3, 4)).compute.tolist() == [10, 20, 20, 30]


def test_gap_is_found_and_left_out() -> None:
    seconds = [3600.0 * n for n in range(1, 11)] + [3600.0 * n for n in range(40, 50)]
    arrangement = _arrange(*range(20))
    found = _stitch(seconds, arrangement)
    assert [(gap.after_row, gap.hours, gap.times_usual, gap.is_idle) for gap in found.gaps] == [(9, 29, 30, False)]
    assert found.compute[-1] == 49 * 3600
    shorter = _stitch(seconds, arrangement, max_gap_hours=5)
    assert shorter.gaps[0].is_idle
    assert shorter.compute[-1] == 20 * 3600


def test_gpu_count_applies_to_the_interval_before_its_row() -> None:
    clock = stitch_clock(
        np.array([10.0, 20, 30]),
        starts_at_zero=True,
        rate=np.array([1.0, 2, 4]),
        arrangement=_arrange(1, 2, 3),
        max_gap_hours=None,
    )
    assert clock.compute.tolist() == [10, 30, 70]
