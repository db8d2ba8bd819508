"""Finished runs: what back-testing and calibration learn from."""

import dataclasses

import numpy as np

from scalefit.errors import NotEnoughDataError
from scalefit.run import Run


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
    if last < budget:
        raise NotEnoughDataError(
            f"the log ends at {last:.6g} {run.unit}",
            where=run.name,
            expected=f"expected a run that has reached the budget of {budget:.6g}",
            remedy="leave it out, or give a smaller --budget",
            compute=last,
        )
    rows = slice(0, int(np.searchsorted(run.compute, budget, side="right")))
    return dataclasses.replace(run, compute=run.compute[rows], reward=run.reward[rows], replicate=run.replicate[rows])
