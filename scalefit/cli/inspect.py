"""``scalefit inspect``: say what was read, and what was not."""

from scalefit.cli import options
from scalefit.cli.options import InspectionFormat


def inspect(runs: options.Runs, format_: options.ReadingFormat = InspectionFormat.TABLE) -> None:
    """Say what was read: format, columns, unit of compute, rows kept and skipped, and why."""
