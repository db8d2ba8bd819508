"""``scalefit simulate``: write a log drawn from a given curve and noise."""

import enum
from typing import Annotated, TypeAlias

import typer

from scalefit.cli.options import OUTPUT, Output
from scalefit.cli.output import open_destination
from scalefit.cli.values import parse_count, parse_number

CURVE = "The curve and its noise"


class LogFormat(enum.StrEnum):
    """How a log is written."""

    CSV = "csv"
    JSONL = "jsonl"


class Spacing(enum.StrEnum):
    """How rows are spread over the compute."""

    LINEAR = "linear"
    LOG = "log"


Asymptote: TypeAlias = Annotated[
    float,
    typer.Option(
        "--asymptote",
        metavar="A",
        parser=parse_number,
        help="Reward that unlimited compute approaches.",
        rich_help_panel=CURVE,
    ),
]
Efficiency: TypeAlias = Annotated[
    float,
    typer.Option(
        "--efficiency", metavar="B", parser=parse_number, help="Slope of the curve in ln C.", rich_help_panel=CURVE
    ),
]
Midpoint: TypeAlias = Annotated[
    float,
    typer.Option(
        "--midpoint",
        metavar="C",
        parser=parse_number,
        help="GPU-hours at which half of the gain is made.",
        rich_help_panel=CURVE,
    ),
]
TrueStart: TypeAlias = Annotated[
    float,
    typer.Option("--start", metavar="R", parser=parse_number, help="Reward at zero compute.", rich_help_panel=CURVE),
]
NoiseSd: TypeAlias = Annotated[
    float,
    typer.Option(
        "--noise-sd",
        metavar="SD",
        parser=parse_number,
        help="Standard deviation of a row around the curve.",
        rich_help_panel=CURVE,
    ),
]
Autocorrelation: TypeAlias = Annotated[
    float,
    typer.Option(
        "--autocorrelation",
        metavar="RHO",
        parser=parse_number,
        help="Correlation of the noise of neighbouring rows, between -1 and 1.",
        rich_help_panel=CURVE,
    ),
]
Points: TypeAlias = Annotated[
    int, typer.Option("--points", metavar="N", parser=parse_count, help="Rows to write.", rich_help_panel=CURVE)
]
TotalCompute: TypeAlias = Annotated[
    float, typer.Option("--budget", metavar="C", help="GPU-hours of the last row.", rich_help_panel=CURVE)
]
RowSpacing: TypeAlias = Annotated[
    Spacing, typer.Option("--spacing", help="Rows in equal steps or in equal ratios.", rich_help_panel=CURVE)
]
Seed: TypeAlias = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", parser=parse_count, help="The same seed draws the same noise.", rich_help_panel=CURVE
    ),
]
WrittenLog: TypeAlias = Annotated[
    LogFormat, typer.Option("--format", help="How the log is written.", rich_help_panel=OUTPUT)
]


def simulate(
    asymptote: Asymptote = 0.62,
    efficiency: Efficiency = 1.6,
    midpoint: Midpoint = 250.0,
    start: TrueStart = 0.1,
    noise_sd: NoiseSd = 0.01,
    autocorrelation: Autocorrelation = 0.0,
    points: Points = 400,
    budget: TotalCompute = 16_000.0,
    spacing: RowSpacing = Spacing.LINEAR,
    seed: Seed = 0,
    format_: WrittenLog = LogFormat.CSV,
    output: Output = None,
) -> None:
    """Write a log drawn from a given curve and noise, for planning and for tests."""
    from scalefit.model.simulation import Truth, draw_rewards, spread_compute
    from scalefit.report.log import WRITERS

    truth = Truth(
        asymptote=asymptote,
        efficiency=efficiency,
        midpoint=midpoint,
        start=start,
        noise_sd=noise_sd,
        autocorrelation=autocorrelation,
    )
    compute = spread_compute(points=points, budget=budget, spacing=spacing.value)
    with open_destination(output) as destination:
        destination.write(WRITERS[format_.value](compute, draw_rewards(truth, compute, seed=seed)))
