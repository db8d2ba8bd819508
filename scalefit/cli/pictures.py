"""``--plot FILE``: checked before the long work, written after it."""

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from scalefit.cli.output import open_file
from scalefit.errors import UsageError

if TYPE_CHECKING:
    from scalefit.forecast import Forecast

WritePicture: TypeAlias = "Callable[[Sequence[Forecast]], None]"
ENDINGS = (".png", ".svg", ".pdf", ".html")
"""Kinds of picture, told by the ending of the name."""


@contextmanager
def open_picture(
    path: str | None, inputs: Sequence[str], render: "Callable[[Sequence[Forecast], str], bytes] | None" = None
) -> Iterator[WritePicture]:
    """Open the file of a picture.

    Parameters
    ----------
    path
        The file; None: no picture.
    inputs
        Logs that are read, none of which may be overwritten.
    render
        Returns the picture of forecasts as a file of the kind that an ending names; None: one panel a run.

    Yields
    ------
    Callable
        Draws forecasts and writes them; does nothing without a file.

    Raises
    ------
    UsageError
        If the ending is not known, the drawing library is not installed, or the file cannot be made.
    """
    if path is None:
        yield lambda _: None
        return
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"'{path}' does not say what kind of picture it is",
            where="--plot",
            expected=f"expected a name that ends in {', '.join(ENDINGS)}",
        )
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError(
            "matplotlib is not installed",
            where="--plot",
            expected="pictures in files are drawn by it",
            remedy="install it with: pip install 'scalefit[plot]'",
        )
    with open_file(path, inputs) as stream:

        def write(forecasts: "Sequence[Forecast]") -> None:
            from scalefit.report.picture import MOST_PANELS, render_picture

            if len(forecasts) > MOST_PANELS:
                raise UsageError(
                    f"{len(forecasts)} runs do not fit on a picture",
                    where="--plot",
                    expected=f"expected at most {MOST_PANELS}",
                    remedy="draw them in parts",
                )
            stream.write((render or render_picture)(forecasts, ending))

        yield write
