"""The options that commands share, each written once."""

import enum
from typing import Annotated, TypeAlias

import typer

from scalefit.cli.values import parse_count, parse_number

READING = "Reading the log"
FITTING = "Fitting and forecasting"
OUTPUT = "Output"


class Format(enum.StrEnum):
    """How a forecast is written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


class InspectionFormat(enum.StrEnum):
    """How an inspection is written."""

    TABLE = "table"
    JSON = "json"


Runs: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="A log, a glob, a folder of logs, '-' for standard input, or any of these with a label: label=path.",
        show_default=False,
    ),
]

# ---- reading -------------------------------------------------------------------------------------------------------

ComputeColumn: TypeAlias = Annotated[
    str | None,
    typer.Option("--x", metavar="COLUMN", help="Compute column; without it found by name.", rich_help_panel=READING),
]
RewardColumn: TypeAlias = Annotated[
    str | None,
    typer.Option("--y", metavar="COLUMN", help="Reward column; without it found by name.", rich_help_panel=READING),
]
Where: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="COLUMN=VALUE",
        help="Keep the rows with this value, e.g. split=train; repeatable.",
        rich_help_panel=READING,
    ),
]
Series: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--series", metavar="NAME", help="The run to take from a file that holds several.", rich_help_panel=READING
    ),
]
Gpus: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--gpus", metavar="N", parser=parse_number, help="Turn a time column into GPU-hours.", rich_help_panel=READING
    ),
]
GpuHoursPerStep: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--gpu-hours-per-step",
        metavar="F",
        parser=parse_number,
        help="Turn a step column into GPU-hours.",
        rich_help_panel=READING,
    ),
]
MaxGap: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--max-gap",
        metavar="H",
        parser=parse_number,
        help="Count gaps longer than H hours as idle time.",
        rich_help_panel=READING,
    ),
]
Minimize: TypeAlias = Annotated[
    bool, typer.Option("--minimize", metavar="", help="Lower is better.", rich_help_panel=READING)
]

# ---- fitting -------------------------------------------------------------------------------------------------------

SkipUntil: TypeAlias = Annotated[
    float,
    typer.Option("--skip-until", metavar="C", help="Leave compute below C out of the fit.", rich_help_panel=FITTING),
]
Fraction: TypeAlias = Annotated[
    float,
    typer.Option(
        "--fraction",
        metavar="F",
        parser=parse_number,
        help="Share of the compute that the fit may see, up to 1.",
        rich_help_panel=FITTING,
    ),
]
Budget: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="C",
        parser=parse_number,
        help="Planned total compute of an ongoing run; without it the last compute in the log.",
        rich_help_panel=FITTING,
    ),
]
FinishedBudget: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="C",
        parser=parse_number,
        help="Compute at which each run is taken to end; without it the last compute in its log.",
        rich_help_panel=FITTING,
    ),
]
Range: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--range",
        metavar="LO,HI",
        help="What the reward can be: '0,1', '-1,1', '0,' (open above) or 'none'. Without it 0,1 if the rewards seen "
        "lie there, else unbounded.",
        rich_help_panel=FITTING,
    ),
]
Start: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--start",
        metavar="R",
        help="Reward at zero compute, if known; 'free' ignores a row logged at compute 0.",
        rich_help_panel=FITTING,
    ),
]
Law: TypeAlias = Annotated[
    str, typer.Option("--law", metavar="NAME", help="Law of the curve.", rich_help_panel=FITTING)
]
Level: TypeAlias = Annotated[
    float,
    typer.Option(
        "--level",
        metavar="P",
        parser=parse_number,
        help="Probability of the bands, between 0 and 1.",
        rich_help_panel=FITTING,
    ),
]
Calibration: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--calibration",
        metavar="FILE",
        help="How your own runs depart from their law, written by scalefit calibrate; without it the shipped rates.",
        rich_help_panel=FITTING,
    ),
]
At: TypeAlias = Annotated[
    list[float] | None,
    typer.Option(
        "--at", metavar="C", parser=parse_number, help="Forecast at this compute; repeatable.", rich_help_panel=FITTING
    ),
]
Reach: TypeAlias = Annotated[
    list[float] | None,
    typer.Option(
        "--reach",
        metavar="R",
        parser=parse_number,
        help="Forecast the compute needed to reach this reward; repeatable.",
        rich_help_panel=FITTING,
    ),
]

# ---- output --------------------------------------------------------------------------------------------------------

ForecastFormat: TypeAlias = Annotated[
    Format, typer.Option("--format", help="How the result is written.", rich_help_panel=OUTPUT)
]
ReadingFormat: TypeAlias = Annotated[
    InspectionFormat, typer.Option("--format", help="How the result is written.", rich_help_panel=OUTPUT)
]
Output: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write there instead of to standard output.", rich_help_panel=OUTPUT
    ),
]
Plot: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Write a picture: .png, .svg, .pdf or .html by its ending (needs the extra 'plot').",
        rich_help_panel=OUTPUT,
    ),
]
NoPlot: TypeAlias = Annotated[
    bool, typer.Option("--no-plot", metavar="", help="Draw nothing on the terminal.", rich_help_panel=OUTPUT)
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=parse_count,
        help="Worker processes; without it the processors available. The result does not depend on it.",
        rich_help_panel=OUTPUT,
    ),
]
