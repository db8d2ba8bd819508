"""What came of it: three states, never a fourth."""

import dataclasses
import enum

from scalefit.forecast import Estimate, Forecast


class State(enum.StrEnum):
    """What the evidence says of a demand."""

    PASS = "pass"  # noqa: S105 not a word that opens anything
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


class OnInconclusive(enum.StrEnum):
    """What becomes of evidence that is not enough."""

    REPORT = "report"
    """It stays a state of its own."""
    PASS = "pass"  # noqa: S105 not a word that opens anything
    FAIL = "fail"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a judge found."""

    state: State
    """What the evidence says."""
    value: float | None
    """What was judged."""
    low: float | None
    """Lower end of its interval."""
    high: float | None
    """Upper end of its interval."""
    threshold: float | None
    """What it was held against; None if that is not known yet."""
    reason: str
    """Why."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """One gate, judged on one run."""

    run: str
    """Name of the run."""
    gate: str
    """Identifier of the gate in its policy."""
    kind: str
    """What kind of gate it is."""
    blocks: bool
    """Whether it decides the exit code."""
    state: State
    """What the evidence says."""
    value: float | None
    """What was judged, in the unit of the threshold; None if there is no number yet."""
    low: float | None
    """Lower end of its interval; None if there is none."""
    high: float | None
    """Upper end of its interval; None if there is none."""
    threshold: float | None
    """What it was held against; None if that is not known yet."""
    is_floor: bool
    """Whether the value must not lie below the threshold; else not above it."""
    reason: str
    """Why, one sentence for a person, lower case, no full stop."""
    advice: str
    """What to do next, one sentence for a person, lower case, no full stop."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What the rest of the budget is likely to buy."""

    compute: float
    """Compute so far, unit of the run."""
    budget: float
    """Planned total, unit of the run."""
    until_end: Estimate
    """Gain from now to the budget, reward units; positive is better."""
    per_thousand: Estimate
    """The same for each further 1,000 of the unit of compute."""
    next_look: float | None
    """Compute at which a further look can tell more; None if the budget comes first."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RunVerdict:
    """All gates, judged on one run."""

    run: str
    """Name of the run."""
    path: str
    """Path of its log as given."""
    unit: str
    """Unit of compute."""
    rows: int
    """Rows in the log."""
    compute: float
    """Compute so far, unit of the run."""
    on_inconclusive: OnInconclusive
    """What becomes of evidence that is not enough."""
    gates: tuple[GateVerdict, ...]
    """In the order of the policy, those that are off left out."""
    outlook: Outlook | None
    """What the rest of the budget buys; None if nothing is left of it, or too few rows are logged."""
    forecast: Forecast | None
    """The forecast that was judged; None if too few rows are logged."""

    @property
    def state(self) -> State:
        """What the exit code says: gates that only warn do not count, and the policy maps what is not enough."""
        states = {gate.state for gate in self.gates if gate.blocks}
        if State.INCONCLUSIVE in states and self.on_inconclusive is not OnInconclusive.REPORT:
            states.remove(State.INCONCLUSIVE)
            states.add(State(self.on_inconclusive.value))
        return worst(states)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All runs."""

    runs: tuple[RunVerdict, ...]
    """In the order given."""

    @property
    def state(self) -> State:
        """The worst of all runs."""
        return worst({run.state for run in self.runs})

    @property
    def gates(self) -> tuple[GateVerdict, ...]:
        """Every gate of every run, in order."""
        return tuple(gate for run in self.runs for gate in run.gates)


def worst(states: set[State]) -> State:
    """Return the state that decides: a fail before what is not known, and that before a pass.

    Parameters
    ----------
    states
        States; none of them is a pass.
    """
    for state in (State.FAIL, State.INCONCLUSIVE):
        if state in states:
            return state
    return State.PASS
