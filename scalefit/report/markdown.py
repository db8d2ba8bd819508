"""Forecasts as Markdown, for a pull request or a lab book: one table for all runs, then words and caveats for each."""

from collections.abc import Sequence

from scalefit.forecast import Forecast
from scalefit.report.figures import show, show_amount, show_amounts, show_interval, show_rewards
from scalefit.report.medium import printable
from scalefit.report.words import curve_decimals, robust_decimals, summarise

HEADER = ("run", "ends at", "expect", "band", "no model", "asymptote", "known", "efficiency", "midpoint", "observed")


def render_forecasts(forecasts: Sequence[Forecast]) -> str:
    """Return a table with a row for each run, and a section for each with its words and caveats.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    """
    lines = [row_of(HEADER), row_of(["---"] * len(HEADER))]
    lines += [row_of(cells_of(forecast)) for forecast in forecasts]
    for forecast in forecasts:
        lines += ["", f"### {escape(forecast.run.name)}", "", escape(" ".join(summarise(forecast)))]
        if forecast.caveats:
            lines.append("")
            lines += [f"- {escape(caveat.message)} (`{caveat.code}`)" for caveat in forecast.caveats]
    return "\n".join(lines) + "\n"


def row_of(cells: Sequence[str]) -> str:
    """Return one row of a table.

    Parameters
    ----------
    cells
        Escaped texts.
    """
    return f"| {' | '.join(cells)} |"


def escape(text: str) -> str:
    """Return text that Markdown takes for text: a run called ``a|b`` or ``<x>`` must not break the table.

    Parameters
    ----------
    text
        Text that somebody else wrote.
    """
    return "".join(f"\\{character}" if character in "\\|`*_[]<>#" else character for character in printable(text))


def cells_of(forecast: Forecast) -> list[str]:
    """Return the cells of one run, in the order of `HEADER`.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    final, decimals, unit = forecast.final, robust_decimals(forecast), escape(forecast.run.unit)
    observed = "" if forecast.outcome is None else show(forecast.outcome.observed, curve_decimals(forecast))
    midpoint, midpoints = show_amounts(forecast.midpoint)
    asymptote, asymptotes = show_rewards(forecast.asymptote)
    efficiency, efficiencies = show_amounts(forecast.efficiency)
    return [
        escape(forecast.run.name),
        f"{show_amount(final.compute)} {unit}",
        show(final.robust_estimate, decimals),
        show_interval(final.robust_low, final.robust_high, decimals),
        show(final.baseline, curve_decimals(forecast)),
        f"{asymptote} ({asymptotes})",
        "yes" if forecast.is_identified else "no",
        f"{efficiency} ({efficiencies})",
        f"{midpoint} ({midpoints}) {unit}",
        observed,
    ]
