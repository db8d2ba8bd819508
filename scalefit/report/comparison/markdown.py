"""A comparison as Markdown, for a pull request or a lab book."""

from scalefit.comparison import Comparison, PairComparison
from scalefit.forecast import Estimate
from scalefit.report.comparison.words import caveats_of, reason_of, show_compute, show_probability, verdict_of
from scalefit.report.figures import show_amounts, show_rewards
from scalefit.report.markdown import escape, row_of


def render_comparison(comparison: Comparison, *, price: float | None = None) -> str:
    """Return the ranking, the pairs, the leave-one-out table and the caveats.

    Parameters
    ----------
    comparison
        The comparison.
    price
        Of a GPU-hour; None: no money.
    """
    header = ("a", "b", "verdict", "a has the higher asymptote", "a is more efficient", "a is higher at", "crossing")
    lines = [row_of(header), row_of(["---"] * len(header))]
    for pair in comparison.pairs:
        cells = [escape(pair.a), escape(pair.b), f"`{verdict_of(pair)}`"]
        if isinstance(pair, PairComparison):
            place = pair.at_budget
            where = escape(show_compute(place.compute, pair.unit, price))
            crossing = "none" if pair.crossing.compute.estimate is None else _amount(pair.crossing.compute)
            cells += [
                show_probability(pair.asymptote.probability_a_higher),
                show_probability(pair.efficiency.probability_a_higher),
                f"{show_probability(place.probability_a_higher)} ({where})",
                f"{crossing}, probability {show_probability(pair.crossing.probability)}",
            ]
        else:
            cells += [""] * 4
        lines.append(row_of(cells))
    lines.append("")
    lines += [
        f"- {escape(pair.a)} and {escape(pair.b)}: {escape(reason_of(pair, price=price))}" for pair in comparison.pairs
    ]
    if len(comparison.ranking) > 1:
        lines += ["", *_ranking(comparison, price)]
    study = comparison.leave_one_out
    if study is not None:
        lines += ["", f"### Leave one out of {escape(study.baseline)}", ""]
        columns = ("recipe", "asymptote", "efficiency, asymptote shared", "midpoint, asymptote shared")
        lines += [row_of(columns), row_of(["---"] * len(columns))]
        lines += [
            row_of([escape(row.name), _reward(row.asymptote), _amount(row.efficiency), _amount(row.midpoint)])
            for row in study.rows
        ]
    caveats = caveats_of(comparison)
    if caveats:
        lines += ["", *(f"- {escape(message)} (`{code}`)" for code, message in caveats)]
    return "\n".join(lines) + "\n"


def _ranking(comparison: Comparison, price: float | None) -> list[str]:
    unit = comparison.recipes[0].unit
    place = escape(show_compute(comparison.budget, unit, price))
    header = ("recipe", "seeds", "best ceiling", "asymptote", "efficiency", f"at {place}", f"best at {place}")
    lines = [row_of(header), row_of(["---"] * len(header))]
    lines += [
        row_of(
            [
                escape(rank.name),
                str(rank.runs),
                show_probability(rank.probability_best),
                _reward(rank.asymptote),
                _amount(rank.efficiency),
                _reward(rank.reward),
                show_probability(rank.probability_best_at_budget),
            ]
        )
        for rank in comparison.ranking
    ]
    return lines


def _reward(estimate: Estimate) -> str:
    value, interval = show_rewards(estimate)
    return f"{value} ({interval})"


def _amount(estimate: Estimate | None) -> str:
    if estimate is None:
        return "another ceiling"
    value, interval = show_amounts(estimate)
    return f"{value} ({interval})"
