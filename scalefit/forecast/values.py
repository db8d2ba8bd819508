"""What a forecast says."""

import dataclasses

from scalefit.run import Caveat, FitWindow, FloatArray, RewardRange, Run


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its interval at the forecast's level; an end is None where the interval has none on that side."""

    estimate: float | None
    """Point estimate; None if unknown."""
    low: float | None
    """Lower end; None if there is none."""
    high: float | None
    """Upper end; None if there is none."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The three bands over a grid of compute, each at the forecast's level; every array (m,), read-only."""

    compute: FloatArray
    """Unit of the run, increasing."""
    estimate: FloatArray
    """Mean curve if the run goes on following the law."""
    low: FloatArray
    """Lower end for that mean curve."""
    high: FloatArray
    """Upper end for that mean curve."""
    robust_estimate: FloatArray
    """Mean curve when runs depart from the law as often as real ones do."""
    robust_low: FloatArray
    """Lower end for it."""
    robust_high: FloatArray
    """Upper end for it."""
    observation_low: FloatArray
    """Lower end for a new logged point (robust band and noise)."""
    observation_high: FloatArray
    """Upper end for a new logged point."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The forecast at the budget."""

    compute: float
    """The budget, unit of the run."""
    estimate: float
    """If the run goes on following the law."""
    low: float
    """Lower end."""
    high: float
    """Upper end."""
    robust_estimate: float
    """When runs depart from the law as real ones do; lead with this."""
    robust_low: float
    """Lower end."""
    robust_high: float
    """Upper end."""
    baseline: float
    """The forecast of no model: the mean of the last three points in the window."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """When the run gets to a reward."""

    reward: float
    """The reward asked for."""
    probability: float
    """That the run ever reaches it, in [0, 1]."""
    compute: Estimate
    """Compute by which half of all draws (and the interval's share of them) have; None where they never do."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What happened after the window against the forecast: the mean over rows in the log's last 15 % of compute."""

    points: int
    """Rows beyond the window."""
    observed: float
    """Mean reward over the rows in the last 15 % of the compute in the log."""
    error: float
    """Forecast mean over the same rows minus observed."""
    robust_error: float
    """The same of the robust estimate."""
    covered: bool
    """Whether ``low``-``high`` holds it."""
    covered_robust: bool
    """Whether ``robust_low``-``robust_high`` holds it."""
    low: float
    """Lower end for that mean, its sampling noise included."""
    high: float
    """Upper end."""
    robust_low: float
    """Lower end of the robust band."""
    robust_high: float
    """Upper end of the robust band."""
    baseline_error: float
    """The baseline minus observed."""
    points_covered: float
    """Share of later points inside the observation band, in [0, 1]."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """All that is known of a run's future from its window."""

    run: Run
    """The run."""
    window: FitWindow
    """What the fit saw."""
    law: str
    """Name of the law."""
    level: float
    """Probability of every band and interval."""
    reward_range: RewardRange
    """What the reward can be, and why."""
    minimize: bool
    """Whether lower is better."""
    asymptote: Estimate
    """A, reward units; an end is None if the data do not give one."""
    efficiency: Estimate
    """B, no unit."""
    midpoint: Estimate
    """C_mid, unit of the run."""
    start: Estimate
    """R0, reward units."""
    noise_sd: float
    """Standard deviation of a logged point around the curve, reward units."""
    noise_autocorrelation: float
    """Correlation of the noise of neighbouring points, in (-1, 1)."""
    is_identified: bool
    """Whether the asymptote may be read as a value."""
    window_over_midpoint: float
    """Window's end / C_mid."""
    compute_to_identify: float | None
    """About how much compute in all would make the asymptote known; None if it is known or nobody can say."""
    fitted: Band
    """Over the window, from its first positive compute to its end (for pictures)."""
    band: Band
    """From the window's end to the budget, log-spaced, with every compute asked for."""
    final: Final
    """At the budget."""
    reach: tuple[Reach, ...]
    """One for each reward asked for, in that order."""
    outcome: Outcome | None
    """What happened after the window; None if the log holds nothing beyond it."""
    caveats: tuple[Caveat, ...]
    """What a practitioner would warn of; the reader's notes first."""
