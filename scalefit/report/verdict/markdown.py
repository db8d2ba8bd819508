"""A verdict as Markdown, for the summary of a job: the reason first, then a small table."""

from scalefit.gate import State, Verdict
from scalefit.report.markdown import escape, row_of
from scalefit.report.verdict.words import consequence, figures_of, headline, outlook_sentence

HEADER = ("run", "gate", "verdict", "value", "interval", "wanted", "why")
TITLES = {State.PASS: "pass", State.FAIL: "fail", State.INCONCLUSIVE: "not clear yet"}


def render_verdict(verdict: Verdict) -> str:
    """Return the summary of ``check``.

    Parameters
    ----------
    verdict
        All runs; at least one.
    """
    lines = [f"### scalefit check: {TITLES[verdict.state]}", ""]
    for run in verdict.runs:
        words = headline(run)
        if run.outlook is not None and run.forecast is not None:
            words += f" {outlook_sentence(run.outlook, run.unit, run.forecast.level)}"
        lines.append(f"- **{escape(run.run)}**: {escape(words)}")
    lines += ["", row_of(HEADER), row_of(["---"] * len(HEADER))]
    for gate in verdict.gates:
        cells = (gate.run, gate.gate, consequence(gate), *figures_of(gate), gate.reason)
        lines.append(row_of([escape(cell) for cell in cells]))
    return "\n".join(lines) + "\n"
