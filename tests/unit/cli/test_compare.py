import dataclasses

import numpy as np
import pytest

from scalefit.cli.comparing import SeedTask, fit_recipes, fit_seeds, split_replicates
from scalefit.errors import LogError, UsageError
from scalefit.forecast import Settings
from scalefit.logs import LogSpec, ReadOptions
from tests.runs import draw_run, make_run


def test_replicates_become_runs_of_their_own() -> None:
    run = draw_run(points=20)
    twice = make_run(
        np.repeat(run.compute, 2), np.repeat(run.reward, 2), replicate=np.tile(np.arange(2), run.compute.size)
    )
    parts = split_replicates(twice)
    assert [part.name for part in parts] == ["run.csv (replicate 1)", "run.csv (replicate 2)"]
    assert all(np.array_equal(part.reward, run.reward) for part in parts)
    assert not any(part.replicate.any() for part in parts)


def test_a_run_without_replicates_stays_itself() -> None:
    run = draw_run(points=20)
    assert split_replicates(run) == [run]


def test_replicates_too_short_for_a_curve_stay_together() -> None:
    run = draw_run(points=6)
    two = dataclasses.replace(run, replicate=np.array([0, 1, 0, 1, 0, 1]))
    assert split_replicates(two) == [two]


def test_a_log_that_cannot_be_read_is_an_error_in_its_place() -> None:
    task = SeedTask(LogSpec(path="nope.csv", label="nope.csv"), ReadOptions(), Settings(), None)
    (result,) = fit_seeds(task)
    assert isinstance(result, LogError)


def test_only_one_column_groups() -> None:
    with pytest.raises(UsageError, match="--group: 2 columns; expected one column"):
        fit_recipes(["a.csv"], ["recipe", "seed"], ReadOptions(), Settings(), 1, lambda _: None)


def test_standard_input_cannot_be_looked_through_twice() -> None:
    recipes, failures = fit_recipes(["-"], ["recipe"], ReadOptions(), Settings(), 1, lambda _: None)
    assert recipes == []
    assert "standard input cannot be grouped by a column" in str(failures[0])
