import pytest

from scalefit.cli.finished import end_at
from scalefit.errors import NotEnoughDataError
from tests.runs import make_run

RUN = make_run([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4])


def test_without_a_budget_a_run_ends_at_its_last_row() -> None:
    assert end_at(RUN, None) is RUN


@pytest.mark.parametrize(("budget", "rows"), [(4, 4), (3, 3), (3.5, 3), (1, 1), (4 + 1e-12, 4), (3 - 1e-12, 3)])
def test_rows_beyond_the_budget_are_left_out(budget: float, rows: int) -> None:
    run = end_at(RUN, budget)
    assert run.compute.tolist() == [1, 2, 3, 4][:rows]
    assert run.reward.tolist() == [0.1, 0.2, 0.3, 0.4][:rows]


def test_a_run_that_has_not_reached_its_budget_is_not_finished() -> None:
    with pytest.raises(NotEnoughDataError) as caught:
        end_at(RUN, 10)
    assert str(caught.value) == (
        "run.csv: the log ends at 4 gpu-hours; expected a run that has reached the budget of 10; leave it out, or "
        "give a smaller --budget"
    )
