"""What a team asks of its runs."""

import dataclasses
import enum
from typing import ClassVar, TypeAlias

from scalefit.gate.verdict import OnInconclusive


class Severity(enum.StrEnum):
    """What a gate that does not pass does to the exit code."""

    ERROR = "error"
    """It decides the exit code."""
    WARN = "warn"
    """It is reported, and the exit code does not see it."""
    OFF = "off"
    """It is not judged."""


class Band(enum.StrEnum):
    """Which band of the forecast a gate judges."""

    ROBUST = "robust"
    """Runs depart from their law as often as real ones do."""
    SIGMOID = "sigmoid"
    """The run goes on following its law."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Asymptote:
    """The reward that unlimited compute would approach is good enough."""

    kind: ClassVar[str] = "asymptote"
    at_least: float | None = None
    """Lowest acceptable, reward units; exactly one of the two is given."""
    at_most: float | None = None
    """Highest acceptable, for runs in which lower is better."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Final:
    """The reward at the budget is good enough."""

    kind: ClassVar[str] = "final"
    at_least: float | None = None
    """Lowest acceptable, reward units; exactly one of the two is given."""
    at_most: float | None = None
    """Highest acceptable, for runs in which lower is better."""
    band: Band = Band.ROBUST
    """Which band is judged."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """A reward is reached in time."""

    kind: ClassVar[str] = "reach"
    reward: float
    """The reward, reward units."""
    within: float
    """Compute by which it must be reached, unit of the run, above 0."""
    band: Band = Band.ROBUST
    """Which band is judged."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """The curve is steep enough."""

    kind: ClassVar[str] = "efficiency"
    at_least: float
    """Lowest acceptable B, above 0."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class OnTrack:
    """The run is no worse than a reference, judged as a sequence."""

    kind: ClassVar[str] = "on_track"
    reference: str
    """The reference, a key of the fitted references."""
    spread: float | None = None
    """Standard deviation between the ceilings of two runs of one recipe, reward units; None: the default."""
    tolerance: float | None = None
    """Gap that must be ruled out before the run is on track, reward units, above 0; None: the default."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NoCollapse:
    """The run has not fallen from its best smoothed reward."""

    kind: ClassVar[str] = "no_collapse"
    drop: float = 0.05
    """Largest acceptable fall, reward units, above 0."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RemainingGain:
    """The rest of the budget is worth it."""

    kind: ClassVar[str] = "remaining_gain"
    at_least: float
    """Lowest acceptable gain from now to the budget, reward units."""
    band: Band = Band.ROBUST
    """Which band is judged."""


Demand: TypeAlias = Asymptote | Final | Reach | Efficiency | OnTrack | NoCollapse | RemainingGain


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One demand of a policy."""

    name: str
    """Stable identifier, unique in the policy; the kind unless the policy says otherwise."""
    severity: Severity
    """What it does to the exit code."""
    demand: Demand
    """What is asked."""
    where: str
    """Where the policy says so: option, or file and path of the key."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is asked of one run."""

    budget: float | None
    """Planned total compute, unit of the run; None: the last compute in the log."""
    level: float
    """Probability of the intervals, in (0, 1)."""
    on_inconclusive: OnInconclusive
    """What becomes of evidence that is not enough."""
    gates: tuple[Gate, ...]
    """In the order given, names unique."""
    budget_where: str
    """Where the budget was given: option, or file and path of the key."""
