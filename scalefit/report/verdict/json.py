"""A verdict as strict JSON: the contract for programs."""

from scalefit.gate import GateVerdict, Outlook, RunVerdict, Verdict
from scalefit.report.json import Json, caveat_object, estimate_object, number, write_document

CHECK_SCHEMA = "scalefit.check/1"
"""Name of the layout of `render_verdict`; the number grows when a key changes its meaning or goes away."""


def render_verdict(verdict: Verdict) -> str:
    """Return the document of ``check --format json``.

    Parameters
    ----------
    verdict
        All runs.
    """
    return write_document(
        CHECK_SCHEMA,
        {
            "verdict": verdict.state.value,
            "gates": [gate_object(gate) for gate in verdict.gates],
            "runs": [run_object(run) for run in verdict.runs],
        },
    )


def gate_object(gate: GateVerdict) -> dict[str, Json]:
    """Return the object of one gate.

    Parameters
    ----------
    gate
        One gate, judged on one run.
    """
    return {
        "run": gate.run,
        "gate": gate.gate,
        "kind": gate.kind,
        "severity": "error" if gate.blocks else "warn",
        "verdict": gate.state.value,
        "value": number(gate.value),
        "low": number(gate.low),
        "high": number(gate.high),
        "threshold": number(gate.threshold),
        "reason": gate.reason,
        "advice": gate.advice,
    }


def run_object(verdict: RunVerdict) -> dict[str, Json]:
    """Return the object of one run: its verdict, and what the rest of its budget buys.

    Parameters
    ----------
    verdict
        All gates, judged on one run.
    """
    caveats = () if verdict.forecast is None else verdict.forecast.caveats
    return {
        "run": verdict.run,
        "path": verdict.path,
        "verdict": verdict.state.value,
        "rows": verdict.rows,
        "unit": verdict.unit,
        "compute": number(verdict.compute),
        "outlook": None if verdict.outlook is None else outlook_object(verdict.outlook),
        "caveats": [caveat_object(caveat) for caveat in caveats],
    }


def outlook_object(outlook: Outlook) -> dict[str, Json]:
    """Return what the rest of the budget buys.

    Parameters
    ----------
    outlook
        What the rest of the budget buys.
    """
    return {
        "compute": number(outlook.compute),
        "budget": number(outlook.budget),
        "until_end": estimate_object(outlook.until_end),
        "per_thousand": estimate_object(outlook.per_thousand),
        "next_look": number(outlook.next_look),
    }
