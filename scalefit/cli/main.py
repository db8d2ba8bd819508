"""The console entry point: the commands, and the boundary at which every error becomes a line and an exit code."""

import os
import re
import shutil
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, NoReturn, Protocol, runtime_checkable

import typer

from scalefit.cli import backtest, calibrate, check, compare, inspect, predict, simulate, watch
from scalefit.cli.output import BROKEN_PIPE, abandon_stdout, say
from scalefit.errors import ScalefitError

USAGE = 2
"""A usage error, or an input that cannot be used."""
DEFECT = 70
"""A mistake in scalefit itself (EX_SOFTWARE of sysexits.h)."""
HELP_WIDTH = 60
"""Columns below which boxes around the help would cut its words."""
INTERRUPTED = 130
"""128 + SIGINT."""

app = typer.Typer(
    name="scalefit",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


@runtime_checkable
class _CommandLineMistake(Protocol):
    """What typer raises when options cannot be parsed, whichever copy of click it brings along."""

    exit_code: int

    def format_message(self) -> str:
        """Return what is wrong."""


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"scalefit {version('scalefit')}")
        raise typer.Exit


@app.callback()
def scalefit(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Forecast where a reinforcement-learning run ends from the first quarter of its log."""


app.command("predict")(predict.predict)
app.command("backtest")(backtest.backtest)
app.command("calibrate")(calibrate.calibrate)
app.command("check")(check.check)
app.command("compare")(compare.compare)
app.command("inspect")(inspect.inspect)
app.command("simulate")(simulate.simulate)
app.command("watch")(watch.watch)


def run() -> NoReturn:
    """Run the command line and exit with its status."""
    sys.exit(status_of(sys.argv[1:]))


def status_of(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    arguments
        What follows the name of the program.
    """
    # Set before numpy is loaded. The arrays here are small, so threads of a linear-algebra library only cost time, and
    # their number must not change the last bits of a result.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    app.rich_markup_mode = "rich" if shutil.get_terminal_size().columns >= HELP_WIDTH else None
    try:
        status = app(args=list(arguments), prog_name="scalefit", standalone_mode=False)
        sys.stdout.flush()
    except ScalefitError as error:
        say("error", str(error))
        return USAGE
    except BrokenPipeError:
        abandon_stdout()
        return BROKEN_PIPE
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit:
        # Nothing here exits but the parser, when whoever read its help went away.
        abandon_stdout()
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 the boundary: what is not the user's mistake is ours, and is told as such
        return _report(error)
    return status if isinstance(status, int) else 0


def _report(error: Exception) -> int:
    if isinstance(error, _CommandLineMistake):
        message = error.format_message()
        if message:
            say("error", _one_line(message))
        return USAGE
    traceback.print_exception(error)
    say("error", "this is a defect in scalefit; please report it with the lines above and the command that you ran")
    return DEFECT


def _one_line(message: str) -> str:
    # "Invalid value for '--points': ..." -> "--points: ...", the form of every other message.
    text = re.sub(r"^Invalid value for '([^']+)': (Value error, )?", r"\1: ", " ".join(message.split()).rstrip("."))
    return text[:1].lower() + text[1:]
