"""What the user may say about how a log is to be read."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Choices that replace or complete what the reader would find by itself."""

    x: str | None = None
    """Compute column; None: found by name and content."""
    y: str | None = None
    """Reward column; None: found by name and content."""
    where: tuple[tuple[str, str], ...] = ()
    """Keep the rows in which each of these columns has this value."""
    series: str | None = None
    """Which of several runs in one file; ``all`` for each of them; None: refuse such a file."""
    gpus: float | None = None
    """GPUs that worked during the time logged, above 0; None: a GPU-count column, if there is one."""
    gpu_hours_per_step: float | None = None
    """GPU-hours that one step costs, above 0."""
    max_gap_hours: float | None = None
    """Intervals between rows longer than this are idle time, hours, above 0; None: all time counts."""
    minimize: bool = False
    """Whether lower is better, so that a loss may be the reward column."""


DEFAULT_OPTIONS = ReadOptions()
"""Everything found by the reader."""
