"""``scalefit watch``: follow a log that is still being written."""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from scalefit.cli import check as checking
from scalefit.cli import options, values
from scalefit.cli.output import Destination, open_destination, say, warn

if TYPE_CHECKING:
    from scalefit.cli.watching import Look
    from scalefit.gate import State
    from scalefit.report.medium import Medium

WATCHING = "Watching"

Log: TypeAlias = Annotated[
    str, typer.Argument(metavar="RUN", help="A log that is being written, or will be; label=path names it.")
]
Every: TypeAlias = Annotated[
    float,
    typer.Option(
        "--every",
        metavar="S",
        parser=values.parse_number,
        help="Seconds between looks at the log.",
        rich_help_panel=WATCHING,
    ),
]
Patience: TypeAlias = Annotated[
    float,
    typer.Option(
        "--patience",
        metavar="S",
        parser=values.parse_number,
        help="Seconds that a log that has disappeared is waited for.",
        rich_help_panel=WATCHING,
    ),
]
UntilVerdict: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--until-verdict",
        metavar="",
        help="End when every gate passes or one fails, with the exit code of check.",
        rich_help_panel=WATCHING,
    ),
]
Hook: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--hook",
        metavar="COMMAND",
        help="Run this when the verdict changes, with the verdict and the log as last arguments; no shell.",
        rich_help_panel=WATCHING,
    ),
]


def watch(
    log: Log,
    every: Every = 2.0,
    until_verdict: UntilVerdict = False,
    hook: Hook = None,
    patience: Patience = 10.0,
    config: checking.Config = None,
    min_asymptote: checking.MinAsymptote = None,
    min_final: checking.MinFinal = None,
    reference: checking.Reference = None,
    x: options.ComputeColumn = None,
    y: options.RewardColumn = None,
    where: options.Where = None,
    series: options.Series = None,
    gpus: options.Gpus = None,
    gpu_hours_per_step: options.GpuHoursPerStep = None,
    max_gap: options.MaxGap = None,
    minimize: options.Minimize = False,
    skip_until: options.SkipUntil = 0.0,
    fraction: options.Fraction = 1.0,
    budget: options.Budget = None,
    reward_range: options.Range = None,
    start: options.Start = None,
    law: options.Law = "sigmoid",
    level: checking.PolicyLevel = None,
    calibration: options.Calibration = None,
    no_plot: options.NoPlot = False,
) -> None:
    """Follow a log that is being written: refit and redraw as rows arrive, until Ctrl-C."""
    values.require(every > 0, "--every", every, "a number of seconds above 0")
    values.require(patience >= 0, "--patience", patience, "0 or more seconds")
    settings = values.settings(
        fraction=fraction,
        budget=budget,
        skip_until=skip_until,
        reward_range=reward_range,
        minimize=minimize,
        start=start,
        law=law,
        level=0.9 if level is None else level,
        calibration=calibration,
    )
    if calibration is not None:
        used = settings.calibration
        say("note", f"the robust band uses {used.origin}, learned from {used.runs} finished runs")
    reading = values.read_options(
        x=x,
        y=y,
        where=where,
        series=series,
        gpus=gpus,
        gpu_hours_per_step=gpu_hours_per_step,
        max_gap=max_gap,
        minimize=minimize,
    )
    from scalefit.cli.checking import find_policy, fit_references, require_policy
    from scalefit.cli.watching import Watch, one_log, run_hook, split_command
    from scalefit.logs import expand_argument
    from scalefit.logs.follow import FollowedLog

    book = find_policy(
        config=config, min_asymptote=min_asymptote, min_final=min_final, reference=reference, minimize=minimize
    )
    for option in ("--until-verdict",) * until_verdict + ("--hook",) * (hook is not None):
        require_policy(book, option)
    words = None if hook is None else split_command(hook)
    spec = one_log(log, expand_argument)
    watched = Watch(
        log=FollowedLog(spec=spec, options=reading),
        settings=settings,
        policy=None if book is None else book.policy_for(spec.label, spec.path, budget=budget, level=level),
        references={} if book is None else fit_references(book, reading, settings),
        every=every,
        patience=patience,
    )
    with open_destination(None) as destination, ExitStack() as stack:
        show = _shower(destination, stack, spec.label, has_plot=not no_plot)
        previous: State | None = None
        for look in watched.looks():
            show(look, has_changed=previous is not None and look.state not in {None, previous})
            if look.state is not None and look.state is not previous:
                if words is not None:
                    run_hook(words, look, previous, warn)
                previous = look.state
            if until_verdict and look.state is not None and look.state.value != "inconclusive":
                stack.close()
                raise typer.Exit(checking.exit_code(look.state))


class _Shower:
    """Shows looks: one line each."""

    def __init__(self, destination: Destination, name: str) -> None:
        self._destination = destination
        self._name = name

    def __call__(self, look: "Look", *, has_changed: bool) -> None:
        from scalefit.report.verdict.watched import line_of

        mark = " (changed)" if has_changed else ""
        self._destination.write(
            line_of(
                self._name, look.change.value, run=look.run, forecast=look.forecast, verdict=look.verdict, mark=mark
            )
        )


class _Redrawer(_Shower):
    """Shows looks: in place, on a terminal."""

    def __init__(self, destination: Destination, name: str, stack: ExitStack, *, has_plot: bool) -> None:
        super().__init__(destination, name)
        from rich.console import Console
        from rich.live import Live

        self._console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        self._live = stack.enter_context(
            Live(console=self._console, auto_refresh=False, vertical_overflow="crop", redirect_stderr=False)
        )
        self._has_plot = has_plot

    def __call__(self, look: "Look", *, has_changed: bool) -> None:
        from rich.text import Text

        from scalefit.report.verdict.watched import page_of

        medium: Medium = self._destination.medium()
        lines = self._console.size.height - 1
        text = page_of(
            self._name,
            look.change.value,
            medium,
            run=look.run,
            forecast=look.forecast,
            verdict=look.verdict,
            lines=lines,
            has_plot=self._has_plot,
        )
        self._live.update(Text.from_ansi(text.rstrip("\n"), no_wrap=True, overflow="crop"), refresh=True)
        if has_changed:
            self._console.bell()


def _shower(destination: Destination, stack: ExitStack, name: str, *, has_plot: bool) -> _Shower:
    if destination.medium().is_terminal:
        return _Redrawer(destination, name, stack, has_plot=has_plot)
    return _Shower(destination, name)
