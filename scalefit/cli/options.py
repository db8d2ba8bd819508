"""The options of every command, each written once, and what their values mean."""

import enum
import math
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from scalefit.errors import UsageError

if TYPE_CHECKING:
    from scalefit.forecast import Settings
    from scalefit.logs import ReadOptions

READING = "Reading the log"
FITTING = "Fitting and forecasting"
OUTPUT = "Output"
CURVE = "The curve and its noise"


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


class LogFormat(enum.StrEnum):
    """How a log is written."""

    CSV = "csv"
    JSONL = "jsonl"


class Spacing(enum.StrEnum):
    """How rows are spread over the compute."""

    LINEAR = "linear"
    LOG = "log"


Runs: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN...",
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
    typer.Option("--gpus", metavar="N", help="Turn a time column into GPU-hours.", rich_help_panel=READING),
]
GpuHoursPerStep: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--gpu-hours-per-step", metavar="F", help="Turn a step column into GPU-hours.", rich_help_panel=READING
    ),
]
MaxGap: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--max-gap", metavar="H", help="Count gaps longer than H hours as idle time.", rich_help_panel=READING
    ),
]
Minimize: TypeAlias = Annotated[bool, typer.Option("--minimize", help="Lower is better.", rich_help_panel=READING)]

# ---- fitting -------------------------------------------------------------------------------------------------------

SkipUntil: TypeAlias = Annotated[
    float,
    typer.Option("--skip-until", metavar="C", help="Leave compute below C out of the fit.", rich_help_panel=FITTING),
]
Fraction: TypeAlias = Annotated[
    float,
    typer.Option(
        "--fraction", metavar="F", help="Share of the compute that the fit may see, up to 1.", rich_help_panel=FITTING
    ),
]
Budget: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="C",
        help="Planned total compute of an ongoing run; without it the last compute in the log.",
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
    typer.Option("--level", metavar="P", help="Probability of the bands, between 0 and 1.", rich_help_panel=FITTING),
]
At: TypeAlias = Annotated[
    list[float] | None,
    typer.Option("--at", metavar="C", help="Forecast at this compute; repeatable.", rich_help_panel=FITTING),
]
Reach: TypeAlias = Annotated[
    list[float] | None,
    typer.Option(
        "--reach",
        metavar="R",
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
        help="Write a picture: .png, .svg, .pdf or .html by its ending (needs scalefit\\[plot]).",
        rich_help_panel=OUTPUT,
    ),
]
NoPlot: TypeAlias = Annotated[
    bool, typer.Option("--no-plot", help="Draw nothing on the terminal.", rich_help_panel=OUTPUT)
]
Jobs: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        help="Worker processes; without it the processors available. The result does not depend on it.",
        rich_help_panel=OUTPUT,
    ),
]


# ---- drawing a log -------------------------------------------------------------------------------------------------

Asymptote: TypeAlias = Annotated[
    float,
    typer.Option("--asymptote", metavar="A", help="Reward that unlimited compute approaches.", rich_help_panel=CURVE),
]
Efficiency: TypeAlias = Annotated[
    float, typer.Option("--efficiency", metavar="B", help="Slope of the curve in ln C.", rich_help_panel=CURVE)
]
Midpoint: TypeAlias = Annotated[
    float,
    typer.Option("--midpoint", metavar="C", help="GPU-hours at which half of the gain is made.", rich_help_panel=CURVE),
]
TrueStart: TypeAlias = Annotated[
    float, typer.Option("--start", metavar="R", help="Reward at zero compute.", rich_help_panel=CURVE)
]
NoiseSd: TypeAlias = Annotated[
    float,
    typer.Option(
        "--noise-sd", metavar="SD", help="Standard deviation of a row around the curve.", rich_help_panel=CURVE
    ),
]
Autocorrelation: TypeAlias = Annotated[
    float,
    typer.Option(
        "--autocorrelation",
        metavar="RHO",
        help="Correlation of the noise of neighbouring rows, between -1 and 1.",
        rich_help_panel=CURVE,
    ),
]
Points: TypeAlias = Annotated[int, typer.Option("--points", metavar="N", help="Rows to write.", rich_help_panel=CURVE)]
TotalCompute: TypeAlias = Annotated[
    float, typer.Option("--budget", metavar="C", help="GPU-hours of the last row.", rich_help_panel=CURVE)
]
RowSpacing: TypeAlias = Annotated[
    Spacing, typer.Option("--spacing", help="Rows in equal steps or in equal ratios.", rich_help_panel=CURVE)
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", metavar="N", help="The same seed draws the same noise.", rich_help_panel=CURVE)
]
WrittenLog: TypeAlias = Annotated[
    LogFormat, typer.Option("--format", help="How the log is written.", rich_help_panel=OUTPUT)
]


def parse_range(text: str | None) -> tuple[float | None, float | None] | None:
    """Return the ends that ``--range`` names; an end is None if it is open.

    Parameters
    ----------
    text
        ``LO,HI``, either of which may be empty; ``none`` or ``unbounded``; None if the option was not given.

    Raises
    ------
    UsageError
        If it is none of these, or the ends are not in order.
    """
    if text is None:
        return None
    if text.strip().lower() in {"none", "unbounded"}:
        return None, None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != len(("low", "high")):
        raise UsageError(f"'{text}' is not a range", where="--range", expected="expected LO,HI such as 0,1, or none")
    low, high = (None if part == "" else _finite(part, "--range") for part in parts)
    if low is not None and high is not None and low >= high:
        raise UsageError(f"'{text}' is empty", where="--range", expected="expected the lower end first, e.g. 0,1")
    return low, high


def parse_start(text: str | None) -> float | Literal["free"] | None:
    """Return the reward that ``--start`` names.

    Parameters
    ----------
    text
        A number, ``free``, or None if the option was not given.

    Raises
    ------
    UsageError
        If it is neither.
    """
    if text is None:
        return None
    return "free" if text.strip().lower() == "free" else _finite(text, "--start", "a number or free")


def parse_where(conditions: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Return the columns and values that ``--where`` names.

    Parameters
    ----------
    conditions
        ``COLUMN=VALUE`` each; None if the option was not given.

    Raises
    ------
    UsageError
        If one has no column or no equals sign.
    """
    pairs = []
    for condition in conditions or ():
        column, equals, value = condition.partition("=")
        if not equals or not column.strip():
            raise UsageError(
                f"'{condition}' is not a condition", where="--where", expected="expected COLUMN=VALUE, e.g. split=train"
            )
        pairs.append((column.strip(), value.strip()))
    return tuple(pairs)


def read_options(
    *,
    x: str | None,
    y: str | None,
    where: list[str] | None,
    series: str | None,
    gpus: float | None,
    gpu_hours_per_step: float | None,
    max_gap: float | None,
    minimize: bool,
) -> "ReadOptions":
    """Return how the logs are to be read.

    Raises
    ------
    UsageError
        If a value is out of its domain.
    """
    from scalefit.logs import ReadOptions

    for name, value in (("--gpus", gpus), ("--gpu-hours-per-step", gpu_hours_per_step), ("--max-gap", max_gap)):
        if value is not None:
            _require(math.isfinite(value) and value > 0, name, value, "a number above 0")
    return ReadOptions(
        x=x,
        y=y,
        where=parse_where(where),
        series=series,
        gpus=gpus,
        gpu_hours_per_step=gpu_hours_per_step,
        max_gap_hours=max_gap,
        minimize=minimize,
    )


def settings(
    *,
    fraction: float,
    budget: float | None,
    skip_until: float,
    reward_range: str | None,
    minimize: bool,
    start: str | None,
    law: str,
    level: float,
    at: list[float] | None = None,
    reach: list[float] | None = None,
) -> "Settings":
    """Return what is asked of the forecasts.

    Raises
    ------
    UsageError
        If a value is out of its domain: before any log is read.
    """
    from scalefit.forecast import Settings
    from scalefit.model.curves import LAWS

    _require(0 < fraction <= 1, "--fraction", fraction, "a number above 0 and up to 1")
    _require(0 < level < 1, "--level", level, "a probability between 0 and 1, e.g. 0.9")
    _require(math.isfinite(skip_until) and skip_until >= 0, "--skip-until", skip_until, "0 or more")
    if budget is not None:
        _require(math.isfinite(budget) and budget > 0, "--budget", budget, "a number above 0")
    for compute in at or ():
        _require(math.isfinite(compute) and compute > 0, "--at", compute, "a compute above 0")
    for reward in reach or ():
        _require(math.isfinite(reward), "--reach", reward, "a finite reward")
    if law not in LAWS:
        raise UsageError(f"there is no law '{law}'", where="--law", expected=f"expected one of {', '.join(LAWS)}")
    return Settings(
        fraction=fraction,
        budget=budget,
        skip_until=skip_until,
        reward_range=parse_range(reward_range),
        minimize=minimize,
        start=parse_start(start),
        law=law,
        level=level,
        at=tuple(at or ()),
        reach=tuple(reach or ()),
    )


def _require(holds: bool, option: str, value: float, expected: str) -> None:
    if not holds:
        raise UsageError(f"{value:g} cannot be used", where=option, expected=f"expected {expected}")


def _finite(text: str, option: str, expected: str = "a number") -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"'{text}' is not a finite number", where=option, expected=f"expected {expected}")
    return value
