"""A run under watch: one line for each look, or a page that is drawn anew in place."""

from rich.console import Group, RenderableType
from rich.text import Text

from scalefit.forecast import Forecast
from scalefit.gate import RunVerdict
from scalefit.report.figures import show_amount
from scalefit.report.medium import Medium, printable
from scalefit.report.page import paragraph, print_to_text
from scalefit.report.table import spell_forecast
from scalefit.report.terminal_plot import draw_forecast
from scalefit.report.verdict.table import STYLES, gate_table, reasons
from scalefit.report.verdict.words import headline, outlook_sentence
from scalefit.report.words import summarise, where_it_ends
from scalefit.run import Run

WAITING = {"missing": "waiting for the log to appear", "shrank": "the log was cut, waiting for rows"}
"""What is said as long as there is no row, by what became of the log."""


def line_of(
    name: str,
    change: str,
    *,
    run: Run | None,
    forecast: Forecast | None = None,
    verdict: RunVerdict | None = None,
    mark: str = "",
) -> str:
    """Return one line for one look.

    Parameters
    ----------
    name
        What the run is called.
    change
        What became of the log.
    run
        The run so far; None if no row is whole yet.
    forecast
        Its forecast; None if there are too few rows.
    verdict
        Its verdict; None without a policy.
    mark
        Added at the end.
    """
    parts = [printable(name)]
    if run is None:
        parts.append(WAITING.get(change, "waiting for rows"))
    else:
        parts.append(f"{run.compute.size} rows, {show_amount(float(run.compute[-1]))} {printable(run.unit)}")
        if change in {"shrank", "replaced"}:
            parts.append(f"the log {'was cut' if change == 'shrank' else 'was replaced'}")
    if verdict is not None:
        parts.append(f"{verdict.state.value}{mark}: {headline(verdict)}")
    elif forecast is not None:
        parts.append(where_it_ends(forecast))
    elif run is not None:
        parts.append("too few rows to forecast")
    return ": ".join((parts[0], "; ".join(parts[1:]))) + "\n"


def page_of(
    name: str,
    change: str,
    medium: Medium,
    *,
    run: Run | None,
    forecast: Forecast | None,
    verdict: RunVerdict | None,
    lines: int,
    has_plot: bool,
) -> str:
    """Return what a terminal shows of one look: the words, the gates, and as much more as there are lines for.

    Parameters
    ----------
    name
        What the run is called.
    change
        What became of the log.
    medium
        Where it is shown.
    run
        The run so far; None if no row is whole yet.
    forecast
        Its forecast; None if there are too few rows.
    verdict
        Its verdict; None without a policy.
    lines
        Lines of the screen.
    has_plot
        Whether a picture is wanted.
    """
    title = line_of(medium.spell(name), change, run=run).rstrip("\n")
    if run is not None and (forecast is not None or verdict is not None):
        title = title.removesuffix("; too few rows to forecast")
    blocks: list[RenderableType] = [Text(title, style="bold", overflow="fold")]
    optional: list[RenderableType] = []
    if verdict is not None:
        blocks.append(Text(f"  {verdict.state.value}", style=STYLES[verdict.state]))
        blocks.append(paragraph(headline(verdict), medium))
        if verdict.outlook is not None and forecast is not None:
            blocks.append(paragraph(outlook_sentence(verdict.outlook, verdict.unit, forecast.level), medium))
        blocks += [Text(), gate_table(verdict, medium)]
        optional += [Group(Text(), *reasons(verdict, medium))]
    elif forecast is not None:
        blocks += [paragraph(sentence, medium) for sentence in summarise(spell_forecast(forecast, medium))]
    if forecast is not None and has_plot:
        # The picture comes before the reasons: it is what a person at a terminal looks at.
        optional.insert(0, Group(Text(), Text.from_ansi(draw_forecast(spell_forecast(forecast, medium), medium))))
    page = print_to_text(Group(*blocks), medium)
    for block in optional:
        longer = print_to_text(Group(*blocks, block), medium)
        if longer.count("\n") <= lines:
            blocks.append(block)
            page = longer
    return page
