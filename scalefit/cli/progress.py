"""What a person sees while the work goes on: on standard error, on a terminal, and gone when it is done."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

Item = TypeVar("Item")


def track(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yield the items, with a bar of how many there were.

    Parameters
    ----------
    items
        What the work yields.
    total
        How many there will be.
    what
        Said beside the bar.
    """
    if not _is_watched():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def busy(what: str) -> AbstractContextManager[object]:
    """Return what shows that something is done whose end nobody knows.

    Parameters
    ----------
    what
        What is done.
    """
    if not _is_watched():
        return nullcontext()
    from rich.console import Console

    return Console(file=sys.stderr).status(what)


def _is_watched() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
