"""One log, looked at again and again: refit when it has grown, say what became of it."""

import dataclasses
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from scalefit.caveats import Fit
from scalefit.errors import LogError, NotEnoughDataError, UsageError
from scalefit.forecast import Forecast, Settings, predict
from scalefit.gate import Policy, RunVerdict, State, check_run
from scalefit.logs import LogSpec
from scalefit.logs.follow import Change, FollowedLog
from scalefit.run import Run

STANDARD_ERROR = 2
"""Where a hook writes: standard output holds the looks alone."""

CALM = 6.0
"""Pauses last at least this many times as long as a look took: watching takes less than a fifth of one processor."""


class Clock(Protocol):
    """What tells the time and waits; another one in tests."""

    def monotonic(self) -> float:
        """Return seconds from some moment on."""

    def sleep(self, seconds: float, /) -> None:
        """Wait."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was seen at one look at which something had changed."""

    change: Change
    """What became of the log."""
    run: Run | None
    """The run so far; None if no row is whole yet."""
    forecast: Forecast | None
    """Its forecast; None if there are too few rows."""
    verdict: RunVerdict | None
    """Its verdict; None without a policy or without a row."""

    @property
    def state(self) -> State | None:
        """What became of the gates; None without a verdict."""
        return None if self.verdict is None else self.verdict.state


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What is watched, and how."""

    log: FollowedLog
    """The log."""
    settings: Settings
    """How the run is fitted."""
    policy: Policy | None
    """What is asked of it; None: nothing."""
    references: Mapping[str, Fit]
    """The fitted references of the policy."""
    every: float
    """Seconds between looks, above 0."""
    patience: float
    """Seconds that a log that was there may be missing, >= 0."""

    def looks(self, clock: Clock = time) -> Iterator[Look]:
        """Yield a look whenever something has changed; without end.

        Parameters
        ----------
        clock
            What waits.

        Raises
        ------
        ScalefitError
            If the log cannot be used, or has disappeared for longer than the patience.
        """
        missing_since: float | None = None
        was_there = is_open = is_first = False
        while True:
            began = clock.monotonic()
            change = self.log.look()
            if change is Change.MISSING:
                missing_since = began if missing_since is None else missing_since
                if was_there and began - missing_since >= self.patience:
                    raise LogError(
                        f"the log has disappeared ({began - missing_since:.0f} seconds ago)",
                        where=self.log.spec.path,
                        expected="expected it to come back",
                        remedy="check the path, or wait longer with --patience",
                    )
                if not was_there and not is_first:
                    yield Look(change=change, run=None, forecast=None, verdict=None)
                    is_first = True
            else:
                was_there, missing_since, is_first = True, None, True
                is_at_rest = change is Change.NOTHING
                if not is_at_rest or is_open:
                    yield self._look(change, is_at_rest=is_at_rest)
                    is_open = self.log.has_open_line and not is_at_rest
            clock.sleep(max(self.every, CALM * (clock.monotonic() - began)))

    def _look(self, change: Change, *, is_at_rest: bool) -> Look:
        try:
            run = self.log.read(is_at_rest=is_at_rest)
        except FileNotFoundError:
            run = None
        if run is None:
            return Look(change=change, run=None, forecast=None, verdict=None)
        if self.policy is not None:
            verdict = check_run(run, self.policy, self.settings, self.references)
            return Look(change=change, run=run, forecast=verdict.forecast, verdict=verdict)
        try:
            forecast = predict(run, self.settings)
        except NotEnoughDataError:
            forecast = None
        return Look(change=change, run=run, forecast=forecast, verdict=None)


def split_command(command: str) -> list[str]:
    """Return the words of a hook: quotes are understood, and nothing else that a shell would.

    Parameters
    ----------
    command
        Of ``--hook``.

    Raises
    ------
    UsageError
        If it is no command.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(
            f"'{command}' is no command ({str(error).lower()})",
            where="--hook",
            expected="expected e.g. 'notify --loud'",
        ) from error
    if not words or shutil.which(words[0]) is None:
        raise UsageError(
            f"there is no program '{words[0] if words else command}'",
            where="--hook",
            expected="expected a program and its arguments; no shell is involved",
        )
    return words


def run_hook(words: list[str], look: Look, previous: State | None, warn: Callable[[str], None]) -> None:
    """Run a hook with the new state and the log as its last two arguments; one that fails is told, not fatal.

    Parameters
    ----------
    words
        The program and its arguments.
    look
        The look at which the verdict changed.
    previous
        The verdict before; None if there was none.
    warn
        Tells the user.
    """
    if look.state is None or look.verdict is None:
        return
    environment = {
        **os.environ,
        "SCALEFIT_VERDICT": look.state.value,
        "SCALEFIT_PREVIOUS": "" if previous is None else previous.value,
        "SCALEFIT_RUN": look.verdict.run,
        "SCALEFIT_COMPUTE": f"{look.verdict.compute:g}",
        "SCALEFIT_UNIT": look.verdict.unit,
    }
    try:
        done = subprocess.run(  # noqa: S603 the user's own command, as a list
            [*words, look.state.value, look.verdict.path],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=STANDARD_ERROR,
            check=False,
        )
    except OSError as error:
        warn(f"--hook: {words[0]} cannot be started ({(error.strerror or str(error)).lower()})")
        return
    if done.returncode != 0:
        warn(f"--hook: {words[0]} ended with status {done.returncode}")


def one_log(argument: str, expand: Callable[[str], tuple[LogSpec, ...]]) -> LogSpec:
    """Return the log that an argument means, which need not be there yet.

    Parameters
    ----------
    argument
        What the user gave for RUN.
    expand
        Finds logs.

    Raises
    ------
    LogError, UsageError
        If it means several, or none that could ever be there.
    """
    label, separator, path = argument.partition("=")
    name = path if separator and path and label and "/" not in label else argument
    if not any(os.path.lexists(candidate) for candidate in (argument, name)) and not set(name) & set("*?["):
        return LogSpec(path=name, label=label if name != argument else argument, is_labelled=name != argument)
    specs = expand(argument)
    if len(specs) != 1:
        raise UsageError(f"{len(specs)} logs", where=argument, expected="expected one", remedy="name one of them")
    return specs[0]
