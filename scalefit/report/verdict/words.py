"""A verdict in words: what it is, why, and what to do next."""

from scalefit.forecast import Estimate
from scalefit.gate import GateVerdict, Outlook, RunVerdict, State
from scalefit.report.figures import decimals_for, show, show_amount, show_interval

HEADLINES = {State.PASS: "passes", State.FAIL: "fails", State.INCONCLUSIVE: "is not clear yet"}
"""What a state is called in a sentence about a run."""


def headline(verdict: RunVerdict) -> str:
    """Return what became of a run, the gates that decided it, and what to do.

    Parameters
    ----------
    verdict
        All gates, judged on one run.
    """
    decisive = [gate for gate in verdict.gates if gate.blocks and gate.state is verdict.state]
    if verdict.state is State.PASS:
        words = "every gate passes: continue"
        unclear = [gate.gate for gate in verdict.gates if gate.blocks and gate.state is State.INCONCLUSIVE]
        if unclear:
            words = f"passes, as the policy takes what is not clear yet for a pass ({', '.join(unclear)})"
    elif not decisive:
        unclear = [gate.gate for gate in verdict.gates if gate.blocks and gate.state is State.INCONCLUSIVE]
        words = f"fails, as the policy takes what is not clear yet for a failure ({', '.join(unclear)})"
    else:
        advice = "; ".join(dict.fromkeys(gate.advice for gate in decisive[:2]))
        words = f"{HEADLINES[verdict.state]} ({', '.join(gate.gate for gate in decisive)}): {advice}"
    return f"{words[0].upper()}{words[1:]}."


def outlook_sentence(outlook: Outlook, unit: str, level: float) -> str:
    """Return what the rest of the budget is likely to buy, and when to look again.

    Parameters
    ----------
    outlook
        What the rest of the budget buys.
    unit
        Unit of compute.
    level
        Probability of the interval.
    """
    gain, each = outlook.until_end, outlook.per_thousand
    decimals = decimals_for(_width(gain), gain.estimate)
    rest = outlook.budget - outlook.compute
    rate = show(each.estimate, decimals_for(_width(each), each.estimate) + 1)
    text = (
        f"The remaining {show_amount(rest)} of {show_amount(outlook.budget)} {unit} are likely to buy "
        f"{show(gain.estimate, decimals)} of reward, {show_interval(gain.low, gain.high, decimals)} with probability "
        f"{level:g}: {rate} for each further 1,000 {unit}."
    )
    if outlook.next_look is None:
        return f"{text} Before they are spent, another look will hardly tell more."
    return f"{text} The next look is worth it at {show_amount(outlook.next_look)} {unit}."


def _width(interval: Estimate) -> float | None:
    return None if interval.low is None or interval.high is None else interval.high - interval.low


def figures_of(gate: GateVerdict) -> tuple[str, str, str]:
    """Return the value, its interval, and what is wanted.

    Parameters
    ----------
    gate
        One gate, judged on one run.
    """
    wanted = "" if gate.threshold is None else f"{'>=' if gate.is_floor else '<='} {_wanted(gate)}"
    if gate.value is None and gate.low is None and gate.high is None:
        return "", "", wanted
    if gate.kind == "reach":
        value = "never" if gate.value is None else show_amount(gate.value)
        low = "never" if gate.low is None else show_amount(gate.low)
        return value, f"{low} - {'never' if gate.high is None else show_amount(gate.high)}", wanted
    width = None if gate.low is None or gate.high is None else gate.high - gate.low
    decimals = decimals_for(width, gate.value)
    return show(gate.value, decimals), show_interval(gate.low, gate.high, decimals), wanted


def _wanted(gate: GateVerdict) -> str:
    if gate.threshold is None:
        return ""
    return show_amount(gate.threshold) if gate.kind == "reach" else f"{gate.threshold:.3g}"


def consequence(gate: GateVerdict) -> str:
    """Return the state of a gate, and whether it only warns.

    Parameters
    ----------
    gate
        One gate, judged on one run.
    """
    return gate.state.value if gate.blocks or gate.state is State.PASS else f"{gate.state.value} (warns)"
