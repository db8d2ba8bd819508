"""From a run to its fit: the window, what the reward can be, the posterior and its departures."""

import dataclasses
import re

from scalefit.caveats import Fit
from scalefit.forecast.settings import Settings, law_named, validate
from scalefit.model.departure import Departure
from scalefit.model.posterior import fit_posterior
from scalefit.run import FitWindow, RewardRange, Run, select_window

RATE_NAME = re.compile(
    r"(?:^|[^a-z])(?:acc|accuracy|success|solve|solved|win|pass)(?:[^a-z]|$)|pass@|(?:_|/|-|\b)rate$"
)
"""Names of columns that hold a share of successes."""

RATE_SLACK = 0.05
"""How far outside of 0-1 a column called a rate may lie: that is noise, further out it is a percentage or a sum."""


def choose_range(run: Run, window: FitWindow, given: tuple[float | None, float | None] | None) -> RewardRange:
    """Return what the reward can be, decided from the window alone.

    Parameters
    ----------
    run
        The run; only the name of its reward column is looked at.
    window
        The rows that the fit sees.
    given
        What the user said, if anything.
    """
    if given is not None:
        return RewardRange(low=given[0], high=given[1], origin="given")
    lowest, highest = float(window.reward.min()), float(window.reward.max())
    if lowest >= 0 and highest <= 1:
        return RewardRange(low=0.0, high=1.0, origin="window")
    if RATE_NAME.search(run.source.y_column.lower()) and lowest >= -RATE_SLACK and highest <= 1 + RATE_SLACK:
        return RewardRange(low=0.0, high=1.0, origin="name")
    return RewardRange(low=None, high=None, origin="unbounded")


def _start_and_window(run: Run, settings: Settings) -> tuple[float | None, FitWindow]:
    """Return the start that is known, and the window without the rows at compute 0 that are not to be used."""
    window = select_window(run, fraction=settings.fraction, budget=settings.budget, skip_until=settings.skip_until)
    if settings.start is None:
        return None, window
    trained = window.compute > 0
    kept = {name: getattr(window, name)[trained] for name in ("compute", "reward", "replicate")}
    window = dataclasses.replace(window, start=float(kept["compute"][0]), **kept)
    return (None if settings.start == "free" else settings.start), window


def fit_run(run: Run, settings: Settings | None = None) -> Fit:
    """Fit the first part of a run's log: what a forecast, a comparison and a check all rest on.

    Parameters
    ----------
    run
        The run.
    settings
        What is asked; None: the defaults of the command line.

    Raises
    ------
    UsageError
        If a setting is out of its domain.
    NotEnoughDataError
        If the window holds fewer than four points.
    """
    settings = settings or Settings()
    validate(settings)
    start, window = _start_and_window(run, settings)
    reward_range = choose_range(run, window, settings.reward_range)
    posterior = fit_posterior(window, law_named(settings.law), reward_range, start=start, minimize=settings.minimize)
    first = float(window.compute[window.compute > 0][0])
    departure = Departure(posterior, settings.calibration, first)
    return Fit(run=run, window=window, posterior=posterior, departure=departure, level=settings.level, start=start)
