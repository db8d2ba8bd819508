"""A verdict as workflow commands of GitHub Actions: an annotation on the log for each gate that does not pass.

Source: "Workflow commands for GitHub Actions", https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
"""

from scalefit.gate import GateVerdict, OnInconclusive, RunVerdict, State, Verdict
from scalefit.report.medium import printable
from scalefit.report.verdict.words import headline

STANDARD_INPUT = "-"


def render_verdict(verdict: Verdict) -> str:
    """Return one workflow command a line: each gate that does not pass, then a notice with the words for each run.

    Parameters
    ----------
    verdict
        All runs.
    """
    lines = []
    for run in verdict.runs:
        lines += [_annotation(gate, run) for gate in run.gates if gate.state is not State.PASS]
        lines.append(_command("notice", run, f"scalefit: {run.state.value}", headline(run)))
    return "\n".join(lines) + "\n"


def _annotation(gate: GateVerdict, run: RunVerdict) -> str:
    fails = gate.state is State.FAIL or run.on_inconclusive is OnInconclusive.FAIL
    return _command(
        "error" if fails and gate.blocks else "warning",
        run,
        f"scalefit {gate.gate}: {gate.state.value}",
        f"{gate.reason}; {gate.advice}",
    )


def _command(kind: str, run: RunVerdict, title: str, message: str) -> str:
    place = "" if run.path == STANDARD_INPUT else f"file={_property(run.path)},line=1,"
    return f"::{kind} {place}title={_property(title)}::{_data(f'{run.run}: {message}')}"


def _data(text: str) -> str:
    """Return text for the message of a command."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return text for a property of a command, in which colons and commas have a meaning."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
