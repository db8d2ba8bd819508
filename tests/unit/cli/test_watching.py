import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scalefit.cli.watching import CALM, Look, Watch, one_log, run_hook, split_command
from scalefit.errors import LogError, UsageError
from scalefit.forecast import Settings
from scalefit.gate import Gate, NoCollapse, OnInconclusive, Policy, Severity, State
from scalefit.logs import LogSpec, expand_argument
from scalefit.logs.follow import Change, FollowedLog

HEADER = "gpu_hours,reward\n"
ROWS = [f"{step * 10},{0.6 - 0.5 / step:.4f}\n" for step in range(1, 60)]
POLICY = Policy(
    budget=None,
    level=0.9,
    on_inconclusive=OnInconclusive.REPORT,
    gates=(Gate(name="no_collapse", severity=Severity.ERROR, demand=NoCollapse(), where="options"),),
    budget_where="--budget",
)


class Script:
    """A clock on which something happens at each pause."""

    def __init__(self, *events: Callable[[], object]) -> None:
        self.now = 0.0
        self.events = list(events)
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.pauses.append(seconds)
        self.now += seconds
        if not self.events:
            raise KeyboardInterrupt
        self.events.pop(0)()


def _watch(path: Path, policy: Policy | None = None) -> Watch:
    return Watch(
        log=FollowedLog(spec=LogSpec(path=str(path), label="live")),
        settings=Settings(fraction=1.0),
        policy=policy,
        references={},
        every=1.0,
        patience=3.0,
    )


def _all(watch: Watch, clock: Script) -> list[Look]:
    looks: list[Look] = []
    with pytest.raises(KeyboardInterrupt):
        looks.extend(_collect(watch, clock, looks))
    return looks


def _collect(watch: Watch, clock: Script, looks: list[Look]) -> list[Look]:
    for look in watch.looks(clock):
        looks.append(look)  # noqa: PERF402 what was seen before the interruption is kept
    return []


def _points(look: Look) -> int:
    return 0 if look.run is None else int(look.run.compute.size)


def test_every_change_is_one_look_and_no_row_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "live.csv"

    def add(text: str) -> Callable[[], object]:
        return lambda: path.write_text((path.read_text() if path.exists() else "") + text)

    def nothing() -> None:
        return None

    events = (
        nothing,
        add(HEADER),
        add("".join(ROWS[:3])),
        nothing,
        add("".join(ROWS[3:8])),
        add(ROWS[8].rstrip()),
        nothing,
    )
    looks = _all(_watch(path), Script(*events))
    assert [look.change for look in looks] == [Change.MISSING, Change.APPEARED, *[Change.GREW] * 3, Change.NOTHING]
    assert [_points(look) for look in looks] == [0, 0, 3, 8, 8, 9]
    assert looks[2].forecast is None
    assert looks[3].forecast is not None


def test_a_log_that_comes_back_is_followed_on_and_one_that_does_not_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "live.csv"
    path.write_text(HEADER + "".join(ROWS))

    def rotate() -> None:
        path.rename(tmp_path / "old.csv")

    def renew() -> None:
        path.write_text(HEADER + "".join(ROWS[:5]))

    looks = _all(_watch(path), Script(rotate, renew))
    assert [(look.change, _points(look)) for look in looks] == [(Change.APPEARED, 59), (Change.APPEARED, 5)]
    with pytest.raises(LogError, match="the log has disappeared"):
        list(_watch(path).looks(Script(path.unlink, *[lambda: None] * 9)))


def test_a_policy_gives_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "live.csv"
    path.write_text(HEADER + ROWS[0])
    looks = _all(_watch(path, POLICY), Script(lambda: path.write_text(HEADER + "".join(ROWS))))
    assert [look.state for look in looks] == [State.INCONCLUSIVE, State.PASS]


def test_pauses_grow_with_the_work(tmp_path: Path) -> None:
    path = tmp_path / "live.csv"
    path.write_text(HEADER + "".join(ROWS))
    clock = Script()
    watch = _watch(path)
    looks = watch.looks(clock)
    next(looks)
    clock.now += 5  # the look took five seconds
    with pytest.raises(KeyboardInterrupt):
        next(looks)
    assert clock.pauses == [5 * CALM]


def test_a_hook_is_a_list_of_words_and_no_shell(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    script = tmp_path / "hook.py"
    script.write_text(
        "import os, sys\n"
        f"open({str(out)!r}, 'w').write(repr((sys.argv[1:], os.environ['SCALEFIT_VERDICT'], "
        "os.environ['SCALEFIT_PREVIOUS'])))\n"
    )
    path = tmp_path / "live; rm -rf x.csv"
    path.write_text(HEADER + "".join(ROWS))
    look = _all(_watch(path, POLICY), Script())[0]
    words = split_command(f"{sys.executable} '{script}' '$(touch pwned)'")
    warnings: list[str] = []
    run_hook(words, look, State.FAIL, warnings.append)
    assert out.read_text() == repr((["$(touch pwned)", "pass", str(path)], "pass", "fail"))
    assert warnings == []
    run_hook([sys.executable, "-c", "raise SystemExit(3)"], look, None, warnings.append)
    assert warnings == [f"--hook: {sys.executable} ended with status 3"]


@pytest.mark.parametrize("command", ["", "no-such-program-anywhere --x", "'open quote"])
def test_what_is_no_command_is_refused_before_anything_is_watched(command: str) -> None:
    with pytest.raises(UsageError, match="--hook"):
        split_command(command)


def test_a_log_need_not_be_there_yet(tmp_path: Path) -> None:
    missing = str(tmp_path / "later.csv")
    assert one_log(missing, expand_argument) == LogSpec(path=missing, label=missing)
    assert one_log(f"mine={missing}", expand_argument) == LogSpec(path=missing, label="mine", is_labelled=True)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(HEADER + ROWS[0])
    with pytest.raises(UsageError, match="2 logs"):
        one_log(str(tmp_path), expand_argument)
