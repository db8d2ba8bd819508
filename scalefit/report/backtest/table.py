"""A back-test for a person: the words, the summary of each share seen, each run, and what could not be scored."""

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scalefit.backtest import BacktestSummary
from scalefit.report.backtest.study import Study
from scalefit.report.backtest.words import miss_of, refusals_of, remarks_on, show_share, summarise_study
from scalefit.report.figures import show_amount
from scalefit.report.medium import Medium, printable
from scalefit.report.page import fits, footnote, paragraph, plain_table, print_to_text

MOST_RUNS = 60
"""Runs up to which each is shown; beyond, those that the forecasts missed by most."""
WORST_RUNS = 10
"""How many those are."""
MOST_REFUSALS = 20
"""Refusals that are named one by one."""
MOST_SHARES = 9
"""Shares seen that have a column for each run."""
HEADER = ("error", "median", "holds", "width", "score")


def render_study(study: Study, medium: Medium, *, draw: Callable[[Study, Medium], str] | None = None) -> str:
    """Return the report of ``backtest``.

    Parameters
    ----------
    study
        At least one run scored at one share seen.
    medium
        Where it is written to.
    draw
        Returns the picture as lines of text; None: no picture.
    """
    blocks: list[RenderableType] = [paragraph(medium.spell(sentence), medium) for sentence in summarise_study(study)]
    if draw is not None and len(study.scored) > 1:
        blocks += [Text(), Text.from_ansi(draw(study, medium))]
    blocks += [Text(), Text("errors, widths and scores in shares of the reward's range", style="bold")]
    blocks += [_summaries(study, medium), Text()]
    if study.standings:
        blocks += [Text("laws by mean error of their own curve", style="bold"), _laws(study, medium), Text()]
    blocks += [*_runs(study, medium), Text()]
    refusals = refusals_of(study)
    if refusals:
        blocks.append(Text("not scored", style="bold"))
        for (name, reason), fractions in list(refusals.items())[:MOST_REFUSALS]:
            shares = ", ".join(f"{fraction:g}" for fraction in fractions)
            blocks.append(paragraph(medium.spell(f"{name} at {shares}: {reason}"), medium))
        if len(refusals) > MOST_REFUSALS:
            blocks.append(paragraph(f"and {len(refusals) - MOST_REFUSALS} more: see --format csv", medium))
        blocks.append(Text())
    remarks = remarks_on(study)
    if remarks:
        blocks.append(Text("read with care", style="bold"))
        blocks += [footnote(str(place), medium.spell(remark)) for place, remark in enumerate(remarks, start=1)]
        blocks.append(Text())
    blocks.append(_read(study, medium))
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


def rows_of(summary: BacktestSummary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what forecast, and its numbers in the order of `HEADER`.

    Parameters
    ----------
    summary
        Of one share seen.
    """
    robust = (
        summary.mean_absolute_error_robust,
        summary.median_absolute_error_robust,
        summary.coverage_robust,
        summary.mean_width_robust,
        summary.interval_score_robust,
    )
    curve = (
        summary.mean_absolute_error,
        summary.median_absolute_error,
        summary.coverage,
        summary.mean_width,
        summary.interval_score,
    )
    yield "robust", tuple(map(show_share, robust))
    yield "curve alone", tuple(map(show_share, curve))
    yield (
        "no model",
        (show_share(summary.mean_baseline_error), show_share(summary.median_baseline_error), "", "", ""),
    )


def _summaries(study: Study, medium: Medium) -> RenderableType:
    wide = plain_table("  seen", "runs", "forecast", *HEADER, numeric=3)
    narrow = Table.grid(padding=(0, 1))
    narrow.add_column(overflow="fold")
    for summary in study.first.summaries:
        narrow.add_row(Text(f"  {summary.fraction:g} seen, {summary.runs} runs", style="bold"))
        for place, (name, cells) in enumerate(rows_of(summary) if summary.runs else ()):
            first = (f"  {summary.fraction:g}", str(summary.runs)) if place == 0 else ("", "")
            wide.add_row(*first, name, *cells)
            narrow.add_row(f"    {name}")
            for label, cell in zip(HEADER, cells, strict=True):
                if cell:
                    narrow.add_row(f"      {label} {cell}")
        if not summary.runs:
            wide.add_row(f"  {summary.fraction:g}", "0", "none could be scored", *[""] * len(HEADER))
    for column in wide.columns[:3]:
        column.no_wrap = True
    return wide if fits(wide, medium) else narrow


def _laws(study: Study, medium: Medium) -> RenderableType:
    wide = plain_table("  law", "error", "behind the best", "chance explains", "nearest in", numeric=1)
    narrow = Table.grid(padding=(0, 1))
    narrow.add_column(overflow="fold")
    for place, standing in enumerate(study.standings):
        nearest = f"{standing.nearest} of {standing.prefixes}"
        behind = "" if place == 0 else show_share(standing.behind)
        chance = "" if place == 0 else f"up to {show_share(2 * standing.behind_sd)}"
        wide.add_row(f"  {standing.law}", show_share(standing.mean_absolute_error), behind, chance, nearest)
        text = f"  {standing.law}: {show_share(standing.mean_absolute_error)}"
        narrow.add_row(f"{text}, {behind} behind, chance explains {chance}" if behind else text)
    return wide if fits(wide, medium) else narrow


def _runs(study: Study, medium: Medium) -> list[RenderableType]:
    scored = [(name, scores) for name, scores in study.by_run() if any(score.outcome for score in scores)]
    title = "each run: how far the robust forecast was off; *: the outcome is outside its band"
    if len(scored) > MOST_RUNS:
        scored.sort(
            key=lambda entry: -max(abs(each.outcome.robust_error) / each.unit for each in entry[1] if each.outcome)
        )
        title = (
            f"the {WORST_RUNS} of {len(scored)} runs that it missed by most (every run: --format csv); *: the outcome "
            "is outside its band"
        )
        scored = scored[:WORST_RUNS]
    blocks: list[RenderableType] = [Text(title, style="bold", overflow="fold")]
    places = range(len(study.fractions))
    wide = plain_table("  run", *(f"{study.fractions[place]:g} seen" for place in places), numeric=1)
    narrow = Table.grid(padding=(0, 1))
    narrow.add_column(overflow="fold")
    for name, scores in scored:
        label = printable(medium.spell(name))
        wide.add_row(f"  {label}", *(miss_of(score) for score in scores))
        narrow.add_row(Text(f"  {label}", style="bold"))
        misses = [f"{score.fraction:g} seen: {miss_of(score)}" for score in scores if score.outcome is not None]
        narrow.add_row(Padding(Text(", ".join(misses)), (0, 0, 0, 4)))
    is_wide = len(study.fractions) <= MOST_SHARES and fits(wide, medium)
    return [*blocks, wide if is_wide else narrow]


def _read(study: Study, medium: Medium) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim")
    grid.add_column(style="dim", overflow="fold")
    choices: dict[str, int] = {}
    for run in study.runs:
        source = run.source
        choice = f"{source.y_column} against {source.x_column} ({run.unit})"
        choices[choice] = choices.get(choice, 0) + 1
    for choice, count in choices.items():
        grid.add_row("  read", printable(medium.spell(f"{count} run(s): {choice}")))
    skipped = [sum(run.source.skipped.values()) for run in study.runs]
    if any(skipped):
        runs = sum(count > 0 for count in skipped)
        grid.add_row("  skipped", f"{sum(skipped):,} rows of {runs} run(s): scalefit inspect says why")
    if study.budget is not None:
        grid.add_row("  budget", f"every run is taken to end at {show_amount(study.budget)}")
    grid.add_row("  law", f"{study.first.law}; bands at {study.first.level:g}")
    return grid
