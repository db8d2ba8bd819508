"""What a back-test found, as its reports take it."""

import dataclasses
from collections.abc import Iterator

from scalefit.backtest import Backtest, BacktestScore, BacktestSummary, LawStanding
from scalefit.model.departure import Calibration
from scalefit.run import Source


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReadRun:
    """One run that was read."""

    name: str
    """Label or path."""
    unit: str
    """Unit of compute."""
    source: Source
    """Where it came from and what was read there."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Forecasts of finished runs against what happened, by one law or by several."""

    backtests: tuple[Backtest, ...]
    """One for each law, all of the same runs and shares seen; the first is the one that words are about."""
    standings: tuple[LawStanding, ...]
    """The laws, the best first; empty unless several were tried."""
    runs: tuple[ReadRun, ...]
    """What was read, in the order given."""
    calibration: Calibration
    """How runs were taken to depart from their law."""
    budget: float | None
    """Compute at which every run was taken to end; None: at its last row."""

    @property
    def first(self) -> Backtest:
        """The back-test that the words are about."""
        return self.backtests[0]

    @property
    def fractions(self) -> tuple[float, ...]:
        """Shares seen, in the order given."""
        return tuple(summary.fraction for summary in self.first.summaries)

    @property
    def scored(self) -> tuple[BacktestSummary, ...]:
        """The summaries of the first law that rest on a run at least, by the share seen."""
        summaries = (summary for summary in self.first.summaries if summary.runs)
        return tuple(sorted(summaries, key=lambda summary: summary.fraction))

    def by_run(self) -> Iterator[tuple[str, tuple[BacktestScore, ...]]]:
        """Yield each run's name and its scores by the first law, one for each share seen."""
        count = len(self.first.summaries)
        for place, run in enumerate(self.runs):
            yield run.name, self.first.scores[place * count : (place + 1) * count]
