"""Finished runs: what back-testing and calibration learn from."""

import dataclasses

import numpy as np

from scalefit.errors import NotEnoughDataError
from scalefit.run import Run

ROUNDING = 1e-9
"""Relative difference below which two amounts of compute are the same: sums of steps round."""


def end_at(run: Run, budget: float | None) -> Run:
    """Return a run as if it had ended at a budget.

    Parameters
    ----------
    run
        The run.
    budget
        Compute at which it is taken to end, unit of the run; None: at its last row.

    Raises
    ------
    NotEnoughDataError
        If its log ends before.
    """
    if budget is None:
        return run
    last = float(run.compute[-1])
    if last < budget * (1 - ROUNDING):
        raise NotEnoughDataError(
            f"the log ends at {last:.6g} {run.unit}",
            where=run.name,
            expected=f"expected a run that has reached the budget of {budget:.6g}",
            remedy="leave it out, or give a smaller --budget",
            compute=last,
        )
    # A row at 8000.000000000001 is one at 8000.
    rows = slice(0, int(np.searchsorted(run.compute, budget * (1 + ROUNDING), side="right")))
    return dataclasses.replace(run, compute=run.compute[rows], reward=run.reward[rows], replicate=run.replicate[rows])
