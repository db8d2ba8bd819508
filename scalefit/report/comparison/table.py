"""A comparison for a person: the ranking, a sentence and a few numbers for each pair, what to beware of."""

from collections.abc import Callable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scalefit.comparison import Comparison, Incomparable, PairComparison
from scalefit.comparison.study import LeaveOneOut
from scalefit.forecast import Estimate
from scalefit.report.comparison.words import (
    caveats_of,
    reason_of,
    run_caveats_of,
    show_compute,
    show_probability,
    verdict_of,
)
from scalefit.report.figures import show_amount, show_amounts, show_rewards
from scalefit.report.medium import Medium, printable
from scalefit.report.page import KEPT_TOGETHER, fits, footnote, let_wrap, paragraph, plain_table, print_to_text

FULL_PAIRS = 6
"""Pairs up to which each gets its numbers; beyond, a line each is what a person can still read."""
WORTH_A_WORD = 0.05
"""Probability of a crossing below which it does not matter where it would be."""
MOST_PAIRS = 400
"""Pairs beyond which the report points to the other formats."""


def render_comparison(
    comparison: Comparison,
    medium: Medium,
    *,
    price: float | None = None,
    draw: Callable[[Comparison, Medium], str] | None = None,
) -> str:
    """Return the report of ``compare``.

    Parameters
    ----------
    comparison
        The comparison.
    medium
        Where it is written to.
    price
        Of a GPU-hour; None: no money.
    draw
        Returns the picture as lines of text; None: no picture.
    """
    blocks: list[RenderableType] = []
    if len(comparison.pairs) <= FULL_PAIRS:
        for pair in comparison.pairs:
            blocks += [*_pair(pair, medium, price), Text()]
    if draw is not None:
        blocks += [Text.from_ansi(draw(comparison, medium)), Text()]
    if len(comparison.ranking) > 1:
        blocks += [*_ranking(comparison, medium, price), Text()]
    if len(comparison.pairs) > FULL_PAIRS:
        blocks += [_pairs(comparison.pairs[:MOST_PAIRS], medium), Text()]
        if len(comparison.pairs) > MOST_PAIRS:
            blocks += [Text(f"{len(comparison.pairs) - MOST_PAIRS} more pairs: ask for --format json or csv."), Text()]
    if comparison.leave_one_out is not None:
        blocks += [*_leave_one_out(comparison.leave_one_out, comparison.recipes[0].unit, medium), Text()]
    caveats = [*(message for _, message in caveats_of(comparison)), *run_caveats_of(comparison)]
    if caveats:
        blocks.append(Text("read with care", style="bold"))
        blocks += [footnote(str(place), medium.spell(message)) for place, message in enumerate(caveats, start=1)]
        blocks.append(Text())
    blocks += [_read(comparison, medium)]
    return print_to_text(Group(*blocks), medium).rstrip("\n") + "\n"


def first_that_fits(tables: Sequence[Table], otherwise: Table, medium: Medium) -> Table:
    """Return the first of several tables that keeps its numbers on one line.

    Parameters
    ----------
    tables
        The most complete first.
    otherwise
        What fits everywhere.
    medium
        Where it is written to.
    """
    return next((table for table in tables if fits(table, medium)), otherwise)


def _name(name: str, medium: Medium) -> str:
    return printable(medium.spell(name))


def _pair(pair: PairComparison | Incomparable, medium: Medium, price: float | None) -> list[RenderableType]:
    a, b = _name(pair.a, medium), _name(pair.b, medium)
    blocks: list[RenderableType] = [
        Text(f"{a} and {b}: {verdict_of(pair)}", style="bold", overflow="fold"),
        paragraph(medium.spell(reason_of(pair, price=price)) + ".", medium),
    ]
    if isinstance(pair, Incomparable):
        return blocks
    limit = "floor" if pair.minimize else "ceiling"
    shared = "" if pair.shared_asymptote is None else ", ceiling shared"
    rows: list[tuple[str, str, str, Estimate, float]] = [
        (
            f"{limit} A",
            _reward(pair.asymptotes[0]),
            _reward(pair.asymptotes[1]),
            pair.asymptote.difference,
            pair.asymptote.probability_a_higher,
        ),
        (
            f"efficiency B{shared}",
            _amount(pair.efficiencies[0]),
            _amount(pair.efficiencies[1]),
            pair.efficiency.difference,
            pair.efficiency.probability_a_higher,
        ),
    ]
    for place in sorted((pair.at_budget, *pair.at), key=lambda each: each.compute):
        marks = [
            " *" if is_extrapolated else "" for is_extrapolated in (place.a_is_extrapolated, place.b_is_extrapolated)
        ]
        rows.append(
            (
                f"at {medium.spell(show_compute(place.compute, pair.unit, price))}",
                _reward(place.a) + marks[0],
                _reward(place.b) + marks[1],
                place.difference,
                place.probability_a_higher,
            )
        )
    wide = plain_table("  ", a, b, f"{a} - {b}", f"P({a} higher)", numeric=1)
    medium_wide = plain_table("  ", a, b, f"P({a} higher)", numeric=1)
    narrow = Table.grid(padding=(0, 1))
    narrow.add_column(overflow="fold")
    for label, one, other, difference, probability in rows:
        medium_wide.add_row(f"  {label}", one, other, show_probability(probability))
        gap = "{} ({})".format(*show_rewards(difference))
        wide.add_row(f"  {label}", one, other, gap, show_probability(probability))
        narrow.add_row(Text(f"  {label}", style="bold"))
        for name, value in (
            (a, one),
            (b, other),
            ("difference", gap),
            (f"chance that {a} is higher:", show_probability(probability)),
        ):
            narrow.add_row(_kept(f"    {name} {value}"))
    blocks += [Text(), first_that_fits((wide, medium_wide), narrow, medium)]
    crossing = pair.crossing
    if crossing.compute.estimate is not None and crossing.probability >= WORTH_A_WORD:
        estimate, interval = show_amounts(crossing.compute)
        money = "" if price is None else f", costs {show_amount(crossing.compute.estimate * price)}"
        blocks.append(
            paragraph(
                f"The curves cross with probability {show_probability(crossing.probability)}; if so at {estimate} "
                f"{medium.spell(pair.unit)} ({interval}){money}.",
                medium,
            )
        )
    else:
        chance = show_probability(crossing.probability)
        blocks.append(
            paragraph(f"The curves hardly cross up to twice the larger budget: probability {chance}.", medium)
        )
    if any(place.a_is_extrapolated or place.b_is_extrapolated for place in (pair.at_budget, *pair.at)):
        blocks.append(paragraph("* extrapolated: beyond the end of that log.", medium))
    return blocks


def _ranking(comparison: Comparison, medium: Medium, price: float | None) -> list[RenderableType]:
    unit = comparison.recipes[0].unit
    place = medium.spell(show_compute(comparison.budget, unit, price))
    has_seeds = any(rank.runs > 1 for rank in comparison.ranking)
    labels = ("best ceiling", "ceiling", "efficiency", "reward there", "best there")
    wide = plain_table("  recipe", *(["seeds"] if has_seeds else []), *labels, numeric=1)
    medium_wide = plain_table("  recipe", "best", "ceiling", "reward there", numeric=1)
    narrow = Table.grid(padding=(0, 1))
    narrow.add_column(overflow="fold")
    for rank in comparison.ranking:
        cells = (
            show_probability(rank.probability_best),
            _reward(rank.asymptote) + ("" if rank.is_identified else " ?"),
            _amount(rank.efficiency),
            _reward(rank.reward),
            show_probability(rank.probability_best_at_budget),
        )
        wide.add_row(f"  {_name(rank.name, medium)}", *([str(rank.runs)] if has_seeds else []), *cells)
        medium_wide.add_row(f"  {_name(rank.name, medium)}", cells[0], cells[1], cells[3])
        narrow.add_row(Text(f"  {_name(rank.name, medium)}", style="bold"))
        for label, cell in zip(labels, cells, strict=True):
            narrow.add_row(_kept(f"    {label} {cell}"))
    mark = "" if all(rank.is_identified for rank in comparison.ranking) else "; ?: not known yet"
    return [
        Text(f"ranking: probability of the best ceiling, and the reward at {place}{mark}", style="bold"),
        first_that_fits((wide, medium_wide), narrow, medium),
    ]


def _pairs(pairs: Sequence[PairComparison | Incomparable], medium: Medium) -> RenderableType:
    table = plain_table("  a", "b", "verdict", "a higher", "cross", "at", numeric=3)
    narrow = Table.grid(padding=(0, 1))
    narrow.add_column(overflow="fold")
    for pair in pairs:
        a, b = _name(pair.a, medium), _name(pair.b, medium)
        cells = ["", "", ""]
        if isinstance(pair, PairComparison):
            found = pair.crossing.compute.estimate
            cells = [
                show_probability(pair.asymptote.probability_a_higher),
                show_probability(pair.crossing.probability),
                "" if found is None else show_amount(found),
            ]
        table.add_row(f"  {a}", b, verdict_of(pair), *cells)
        narrow.add_row(f"  {a} and {b}: {verdict_of(pair)}")
        if isinstance(pair, Incomparable):
            narrow.add_row(f"    {medium.spell(pair.reason)}")
    table.columns[2].no_wrap = True
    return table if fits(table, medium) else narrow


def _leave_one_out(study: LeaveOneOut, unit: str, medium: Medium) -> list[RenderableType]:
    shared = "" if study.shared_asymptote is None else f" of {show_amount(study.shared_asymptote)}"
    table = plain_table("  recipe", "ceiling", "efficiency", "midpoint", numeric=1)
    for row in study.rows:
        table.add_row(
            f"  {_name(row.name, medium)}",
            _reward(row.asymptote),
            "another ceiling" if row.efficiency is None else _amount(row.efficiency),
            "" if row.midpoint is None else _amount(row.midpoint),
        )
    title = (
        f"leave one out of {_name(study.baseline, medium)}: efficiency and midpoint ({medium.spell(unit)}) "
        f"at one asymptote{shared}"
    )
    return [Text(title, style="bold"), let_wrap(table, medium)]


def _read(comparison: Comparison, medium: Medium) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="dim")
    grid.add_column(style="dim", overflow="fold")
    fits_made = [fit for recipe in comparison.recipes for fit in recipe.fits]
    for fit in fits_made[:FULL_PAIRS]:
        window, run = fit.window, fit.run
        seen = f"up to {show_amount(window.end)} of {show_compute(window.budget, run.unit)}"
        start = "" if window.start <= run.compute[0] else f" from {show_amount(window.start)}"
        grid.add_row(
            "  read",
            _name(
                f"{run.name}: {run.source.y_column} against {run.source.x_column}, {window.points:,} rows{start} "
                + seen,
                medium,
            ),
        )
    if len(fits_made) > FULL_PAIRS:
        grid.add_row("  read", f"{len(fits_made) - FULL_PAIRS} more runs (see scalefit inspect)")
    bounds = comparison.recipes[0].fits[0].posterior.reward_range
    ends = " - ".join("no limit" if end is None else f"{end:g}" for end in (bounds.low, bounds.high))
    grid.add_row("  range", f"{ends}; ceilings within {comparison.tie:g} of it tie; intervals at {comparison.level:g}")
    return grid


def _kept(text: str) -> str:
    """Return a line in which no interval is broken."""
    return text.replace(" - ", f"{KEPT_TOGETHER}-{KEPT_TOGETHER}")


def _reward(estimate: Estimate) -> str:
    value, interval = show_rewards(estimate)
    return f"{value} ({interval})"


def _amount(estimate: Estimate) -> str:
    value, interval = show_amounts(estimate)
    return f"{value} ({interval})"
