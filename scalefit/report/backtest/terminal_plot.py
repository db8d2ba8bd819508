"""Error, width and coverage against the share seen, drawn with characters."""

import numpy as np
from plotille import Canvas

from scalefit.report.backtest.study import Study
from scalefit.report.medium import Medium
from scalefit.report.terminal_plot import BRAILLE, LABELS, NARROWEST, WIDEST, Pen, Sheet, axis, frame

LARGEST = 2.0
"""Shares of the range beyond which a width is not drawn: it would flatten all else."""

LINES = (
    ("error", "mean_absolute_error_robust", Pen(marker="e", colour="green")),
    ("error of no model", "mean_baseline_error", Pen(marker="n", colour="yellow")),
    ("band's width", "mean_width_robust", Pen(marker="w", colour="cyan")),
    ("share of runs it holds", "coverage_robust", Pen(marker="h", colour="magenta")),
)
"""What is drawn: its name, the field of the summary, and how."""
LEVEL = Pen(marker="-", colour="")


def draw_study(study: Study, medium: Medium) -> str:
    """Return the picture as lines of text.

    Parameters
    ----------
    study
        At least two shares seen with a run each.
    medium
        Where it is written to.
    """
    summaries = study.scored
    width = min(max(medium.width, NARROWEST), WIDEST) - LABELS - 2
    x = np.log10([summary.fraction for summary in summaries])
    drawn = {
        field: np.array([getattr(summary, field) for summary in summaries], dtype=np.float64) for _, field, _ in LINES
    }
    top = min(max(1.0, *(float(values.max()) for values in drawn.values())), LARGEST)
    left, right = float(x[0]), float(x[-1])
    sheet = Sheet(
        canvas=Canvas(
            width,
            min(max(width // 5, 10), 20),
            xmin=left - 1e-6,
            xmax=right + 1e-3 * (right - left) + 1e-6,
            ymin=0.0,
            ymax=1.04 * top,
        ),
        # Dots of two colours in one cell become one colour, so without colours letters tell lines apart.
        has_dots=medium.can_show(BRAILLE) and medium.has_colour,
        has_colour=medium.has_colour,
    )
    columns = sheet.columns()
    for column in columns[::3]:
        sheet.dot(float(column), study.first.level, LEVEL)
    # The first of the lines is what a person looks for, so it is drawn last, over the others.
    for _, field, pen in reversed(LINES):
        for column, value in zip(columns, np.interp(columns, x, drawn[field]), strict=True):
            if value <= top:
                sheet.dot(float(column), float(value), pen)
    entries = [f"{pen.colour if sheet.has_dots else pen.marker}: {name}" for name, _, pen in LINES]
    entries.append(f"{'dotted' if sheet.has_dots else LEVEL.marker}: {study.first.level:g}")
    lines, line = [*frame(sheet), *axis(sheet, "share of the run seen")], ""
    for entry in entries:
        if line and len(line) + 2 + len(entry) > width:
            lines.append(f"{'':{LABELS}} {line}")
            line = ""
        line = f"{line}, {entry}" if line else entry
    return "\n".join([*lines, f"{'':{LABELS}} {line}"])
