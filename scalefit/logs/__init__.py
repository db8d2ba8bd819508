"""Logs of any framework -> runs."""

from scalefit.logs.arguments import LogSpec, expand_argument, expand_arguments
from scalefit.logs.inspection import Inspection, inspect_run
from scalefit.logs.options import DEFAULT_OPTIONS, ReadOptions
from scalefit.logs.reading import ReadFailure, read_log, read_run, read_runs

__all__ = [
    "DEFAULT_OPTIONS",
    "Inspection",
    "LogSpec",
    "ReadFailure",
    "ReadOptions",
    "expand_argument",
    "expand_arguments",
    "inspect_run",
    "read_log",
    "read_run",
    "read_runs",
]
