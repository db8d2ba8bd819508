"""A verdict for a person: what became of each run, each gate with its numbers, and why."""

import dataclasses

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scalefit.gate import RunVerdict, State, Verdict
from scalefit.report.medium import Medium, printable
from scalefit.report.page import fits, footnote, paragraph, plain_table, print_to_text
from scalefit.report.verdict.words import consequence, figures_of, headline, outlook_sentence

STYLES = {State.PASS: "green", State.FAIL: "bold red", State.INCONCLUSIVE: "yellow"}
"""Colours of the states where there are colours; the words say it all without them."""

COLUMNS = ("verdict", "value", "interval", "wanted")


def render_verdict(verdict: Verdict, medium: Medium, *, policy: str) -> str:
    """Return the report of ``check``.

    Parameters
    ----------
    verdict
        All runs; at least one.
    medium
        Where it is written to.
    policy
        Where the policy was found.
    """
    blocks: list[RenderableType] = []
    for run in verdict.runs:
        blocks += [*run_blocks(_spelled(run, medium), medium), Text()]
    blocks.append(paragraph(f"policy: {medium.spell(policy)}", medium))
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


def run_blocks(verdict: RunVerdict, medium: Medium) -> list[RenderableType]:
    """Return everything about one run.

    Parameters
    ----------
    verdict
        All gates, judged on one run; its names spelled for the medium.
    medium
        Where it is written to.
    """
    blocks: list[RenderableType] = [
        Text(printable(verdict.run), style="bold", overflow="fold"),
        paragraph(headline(verdict), medium),
    ]
    if verdict.outlook is not None and verdict.forecast is not None:
        blocks.append(paragraph(outlook_sentence(verdict.outlook, verdict.unit, verdict.forecast.level), medium))
    blocks += [Text(), gate_table(verdict, medium), Text(), *reasons(verdict, medium)]
    caveats = () if verdict.forecast is None else verdict.forecast.caveats
    if caveats:
        blocks += [Text(), Text("read with care", style="bold")]
        blocks += [footnote(str(place), medium.spell(note.message)) for place, note in enumerate(caveats, start=1)]
    return blocks


def gate_table(verdict: RunVerdict, medium: Medium) -> Table:
    """Return one row for each gate; on its side where that does not fit.

    Parameters
    ----------
    verdict
        All gates, judged on one run.
    medium
        Where it is written to.
    """
    table = plain_table("  gate", *COLUMNS, numeric=2)
    table.columns[1].no_wrap = True
    for gate in verdict.gates:
        state = Text(consequence(gate), style=STYLES[gate.state])
        table.add_row(f"  {printable(gate.gate)}", state, *figures_of(gate))
    if fits(table, medium):
        return table
    grid = Table.grid(padding=(0, 1))
    grid.add_column(overflow="fold")
    for gate in verdict.gates:
        grid.add_row(Text.assemble(f"  {printable(gate.gate)} ", (consequence(gate), STYLES[gate.state])))
        for label, cell in zip(COLUMNS[1:], figures_of(gate), strict=True):
            if cell:
                grid.add_row(f"    {label} {cell}")
    return grid


def reasons(verdict: RunVerdict, medium: Medium) -> list[RenderableType]:
    """Return why each gate is in its state, and what to do where it does not pass.

    Parameters
    ----------
    verdict
        All gates, judged on one run.
    medium
        Where it is written to.
    """
    found: list[RenderableType] = []
    for gate in verdict.gates:
        todo = "" if gate.state is State.PASS else f"; {gate.advice}"
        found.append(paragraph(f"{gate.gate}: {gate.reason}{todo}", medium))
    return found


def _spelled(verdict: RunVerdict, medium: Medium) -> RunVerdict:
    spell = medium.spell
    return dataclasses.replace(
        verdict,
        run=spell(verdict.run),
        unit=spell(verdict.unit),
        gates=tuple(
            dataclasses.replace(gate, gate=spell(gate.gate), reason=spell(gate.reason), advice=spell(gate.advice))
            for gate in verdict.gates
        ),
    )
