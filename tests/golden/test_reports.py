"""The reports of one forecast made by hand, byte for byte.

After a wanted change: ``python -m tests.golden.test_reports`` writes them anew; read the difference before you keep it.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

import pytest

from scalefit.report import csv, json, markdown, table, terminal_plot
from scalefit.report.medium import Medium
from tests.forecasts import make_forecast

FOLDER = Path(__file__).parent / "reports"


def _table(width: int, encoding: str, *, is_terminal: bool = True, runs: int = 1) -> str:
    medium = Medium(width=width, encoding=encoding, has_colour=False, is_terminal=is_terminal)
    draw = terminal_plot.draw_forecast if is_terminal else None
    named = [make_forecast(name=f"runs/läuft-{index}→.csv" if runs > 1 else "runs/plain.csv") for index in range(runs)]
    return table.render_forecasts(named, medium, at=(9000.0,), draw=draw)


REPORTS: Mapping[str, Callable[[], str]] = {
    "table-40.txt": lambda: _table(40, "utf-8"),
    "table-80.txt": lambda: _table(80, "utf-8"),
    "table-200.txt": lambda: _table(200, "utf-8"),
    "table-80-ascii.txt": lambda: _table(80, "ascii"),
    "table-80-pipe.txt": lambda: _table(80, "utf-8", is_terminal=False),
    "table-40-runs.txt": lambda: _table(40, "utf-8", is_terminal=False, runs=2),
    "table-80-runs.txt": lambda: _table(80, "utf-8", is_terminal=False, runs=2),
    "table-80-many.txt": lambda: _table(80, "utf-8", is_terminal=False, runs=9),
    "forecast.json": lambda: json.render_forecasts([make_forecast(rows=60)]).replace(version("scalefit"), "VERSION", 1),
    "forecast.csv": lambda: csv.render_forecasts([make_forecast()], at=(9000.0,)),
    "forecast.md": lambda: markdown.render_forecasts([make_forecast()]),
}


@pytest.mark.parametrize("name", list(REPORTS))
def test_report_is_as_it_was(name: str) -> None:
    assert REPORTS[name]() == (FOLDER / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, render in REPORTS.items():
        (FOLDER / file).write_text(render(), encoding="utf-8")
