"""What each gate of a policy will do, in words: for reading a policy before it judges anything."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from scalefit.gate import (
    Asymptote,
    Demand,
    Efficiency,
    Final,
    Gate,
    NoCollapse,
    OnInconclusive,
    OnTrack,
    Policy,
    Reach,
    RemainingGain,
    Severity,
)
from scalefit.report.figures import show_amount
from scalefit.report.medium import Medium, printable
from scalefit.report.page import paragraph, print_to_text

EXITS = {
    OnInconclusive.REPORT: "gives exit code 3",
    OnInconclusive.PASS: "counts as a pass",
    OnInconclusive.FAIL: "counts as a failure, exit code 1",
}
"""What becomes of a gate that is not clear."""


def render_policies(policies: Mapping[str, Policy], medium: Medium, *, source: str) -> str:
    """Return what ``check --explain`` prints.

    Parameters
    ----------
    policies
        Run -> what is asked of it; runs of which the same is asked are told together.
    medium
        Where it is written to.
    source
        Where the policy was found.
    """
    groups: list[tuple[Policy, list[str]]] = []
    for run, policy in policies.items():
        for known, names in groups:
            if known == policy:
                names.append(run)
                break
        else:
            groups.append((policy, [run]))
    blocks: list[RenderableType] = []
    for policy, names in groups:
        blocks.append(Text(printable(medium.spell(", ".join(names))), style="bold", overflow="fold"))
        budget = "the last compute logged" if policy.budget is None else show_amount(policy.budget)
        blocks.append(paragraph(f"{medium.spell(source)}; budget {budget}, level {policy.level:g}.", medium))
        for gate in policy.gates:
            blocks += [Text(), Text(f"  {medium.spell(gate.name)}", style="bold")]
            blocks.append(paragraph(medium.spell(explain_gate(gate, policy)), medium))
        blocks.append(Text())
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


def explain_gate(gate: Gate, policy: Policy) -> str:
    """Return what a gate will do.

    Parameters
    ----------
    gate
        One gate.
    policy
        The policy that it belongs to.
    """
    if gate.severity is Severity.OFF:
        return "Off: it is not judged."
    what, near, far = _criteria(gate.demand, policy)
    effect = (
        f"A failure gives exit code 1; what is not clear {EXITS[policy.on_inconclusive]}."
        if gate.severity is Severity.ERROR
        else "It only warns: the exit code does not see it."
    )
    return f"{what} Passes when {near}; fails when {far}; between, it is not clear. {effect}"


def _criteria(demand: Demand, policy: Policy) -> tuple[str, str, str]:
    """Return what is judged, when it passes, and when it fails."""
    return _of_monitors(demand, policy) if isinstance(demand, OnTrack | NoCollapse) else _of_bands(demand, policy)


def _of_bands(demand: Asymptote | Final | Reach | Efficiency | RemainingGain, policy: Policy) -> tuple[str, str, str]:
    level = f"{policy.level:g}"
    if isinstance(demand, Asymptote | Final):
        what = f"Judges the {level} interval of the asymptote of the curve."
        if isinstance(demand, Final):
            what = f"Judges the {demand.band} band, at {level}, of the reward at the budget."
        if demand.at_least is not None:
            return what, f"its lower end is at least {demand.at_least:g}", "its upper end is below that"
        return what, f"its upper end is at most {demand.at_most:g}", "its lower end is above that"
    if isinstance(demand, Reach):
        return (
            f"Judges the {demand.band} band, at {level}, of the compute at which {demand.reward:g} is reached.",
            f"its upper end is at most {show_amount(demand.within)}",
            "its lower end is later",
        )
    if isinstance(demand, Efficiency):
        return (
            f"Judges the {level} interval of the efficiency B.",
            f"its lower end is at least {demand.at_least:g}",
            "its upper end is below that",
        )
    return (
        f"Judges the {demand.band} band, at {level}, of the reward gained from the last row to the budget.",
        f"its lower end is at least {demand.at_least:g}",
        "its upper end is below that",
    )


def _of_monitors(demand: OnTrack | NoCollapse, policy: Policy) -> tuple[str, str, str]:
    if isinstance(demand, OnTrack):
        gap = (
            "a tenth of the reference's gain (at least twice the spread of repeated runs)"
            if demand.tolerance is None
            else f"{demand.tolerance:g}"
        )
        what = (
            f"Holds every row against the curve of {demand.reference} as one sequence; a healthy run is called worse "
            f"with probability {1 - policy.level:.2g} at most, however often it is looked at."
        )
        return (
            what,
            f"a gap of {gap} below the reference is ruled out",
            f"the odds against a run as good as the reference exceed {1 / (1 - policy.level):.3g} to 1",
        )
    return (
        "Measures how far the mean of the last rows lies below the best such mean so far, noise allowed for.",
        f"a fall of {demand.drop:g} is ruled out",
        "the fall is larger than that beyond noise",
    )
