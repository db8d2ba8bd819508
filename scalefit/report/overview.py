"""Many runs at a glance: one row each, and each kind of caveat once."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from scalefit.forecast import Forecast
from scalefit.report.figures import show, show_interval, show_rewards
from scalefit.report.medium import Medium, printable
from scalefit.report.page import fits, footnote, plain_table
from scalefit.report.words import curve_decimals, robust_decimals

COLUMNS = ("expect", "band", "asymptote", "interval", "observed")


def overview(forecasts: Sequence[Forecast], medium: Medium) -> Table:
    """Return one row for each run; on its side where that does not fit.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    medium
        Where it is written to.
    """
    shown = len(COLUMNS) if any(forecast.outcome for forecast in forecasts) else len(COLUMNS) - 1
    table = plain_table("run", *COLUMNS[:shown], numeric=1)
    for forecast in forecasts:
        table.add_row(*overview_cells(forecast)[: shown + 1])
    if fits(table, medium):
        return table
    grid = Table.grid(padding=(0, 1))
    grid.add_column(overflow="fold")
    for forecast in forecasts:
        name, *cells = overview_cells(forecast)
        grid.add_row(Text(name, style="bold"))
        for label, cell in zip(COLUMNS, cells, strict=True):
            if cell:
                grid.add_row(f"  {label} {cell}")
    return grid


def overview_cells(forecast: Forecast) -> list[str]:
    """Return a run's name, forecast, band, asymptote, interval and outcome.

    Parameters
    ----------
    forecast
        The forecast of one run.
    """
    decimals = robust_decimals(forecast)
    asymptote, interval = show_rewards(forecast.asymptote)
    return [
        printable(forecast.run.name),
        show(forecast.final.robust_estimate, decimals),
        show_interval(forecast.final.robust_low, forecast.final.robust_high, decimals),
        asymptote if forecast.is_identified else "not known",
        interval,
        "" if forecast.outcome is None else show(forecast.outcome.observed, curve_decimals(forecast)),
    ]


def caveats_of_many(forecasts: Sequence[Forecast]) -> list[RenderableType]:
    """Return each kind of caveat once, with the runs that it concerns.

    Parameters
    ----------
    forecasts
        One per run, in the order given.
    """
    concerned: dict[str, list[tuple[str, str]]] = {}
    for forecast in forecasts:
        for code, message in {caveat.code: caveat.message for caveat in forecast.caveats}.items():
            concerned.setdefault(code, []).append((forecast.run.name, message))
    if not concerned:
        return []
    blocks: list[RenderableType] = [Text("read with care", style="bold")]
    for place, (code, remarks) in enumerate(concerned.items(), start=1):
        if len(remarks) == len(forecasts):
            blocks.append(footnote(str(place), f"every run: {code}"))
        elif len(remarks) == 1:
            blocks.append(footnote(str(place), ": ".join(remarks[0])))
        else:
            blocks.append(footnote(str(place), f"{code}: {', '.join(name for name, _ in remarks)}"))
    return [*blocks, Text()]
