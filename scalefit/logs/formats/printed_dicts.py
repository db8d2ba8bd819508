"""Python dicts printed among progress bars, as the Transformers and TRL trainers and ms-swift do."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scalefit.logs.content import Content
from scalefit.logs.formats.console import SNIFFED_BYTES, first_lines, lines_of, make_table
from scalefit.logs.table import Table

_DICT = re.compile(r"\{\s*(?:'[^'\n]*'|\"[^\"\n]*\")\s*:[^{}\n]*\}")
_PAIR = re.compile(
    r"""(?:'(?P<single>[^'\n]*)'|"(?P<double>[^"\n]*)")\s*:\s*
    (?:'(?P<text>[^'\n]*)'|"(?P<quoted>[^"\n]*)"|(?:np\.)?(?:float|int|tensor)\d*\((?P<wrapped>[^(),]*)[^()]*\)|(?P<bare>[^,{}\n]*))
    \s*(?:,|\}|$)""",
    re.VERBOSE,
)
_BAR = re.compile(r"(?P<done>\d+)/(?P<total>\d+)\s*\[(?P<elapsed>[\d:]+|\d+ days?, [\d:]+)<")
_METRICS = frozenset({"loss", "reward", "learning_rate", "grad_norm", "epoch", "eval_loss", "eval_reward"})
"""Keys of which a printed dict of metrics has at least one; other dicts are settings."""


def recognises(content: Content) -> bool:
    """Return whether a printed dict of metrics stands among the first lines."""
    if content.data.find(b"{", 0, SNIFFED_BYTES) < 0:
        return False
    return any("{" in text and _dicts(text) for text in first_lines(content))


def read(content: Content) -> Table:
    """Return the printed dicts as columns.

    A progress bar before a dict gives it the ``step`` and the ``elapsed`` time of the trainer, which prints neither.

    Raises
    ------
    LogError
        If there is no dict.
    """
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    bars: list[dict[int, tuple[int, str]]] = []
    shown: dict[int, tuple[int, str]] = {}
    for number, text in lines_of(content):
        position = 0
        for found, begin, end in _dicts(text) if "{" in text else ():
            shown = _bars(text[position:begin], shown)
            records.append(found)
            lines.append(number)
            bars.append(shown)
            position = end
        shown = _bars(text[position:], shown)
    total = _trainer_total(bars)
    for record, seen in zip(records, bars, strict=True):
        if total in seen:
            record.setdefault("step", seen[total][0])
            record.setdefault("elapsed", seen[total][1])
    return make_table(content, "printed-dicts", records, lines)


def _dicts(text: str) -> list[tuple[dict[str, Any], int, int]]:
    """Return the dicts of metrics in a line and where each begins and ends."""
    found = []
    for match in _DICT.finditer(text):
        record = _parse(match[0])
        if record and (_METRICS & record.keys() or any("reward" in key for key in record)):
            found.append((record, match.start(), match.end()))
    return found


def _parse(text: str) -> dict[str, Any]:
    """Return the pairs of a printed dict; values stay text, so that bare ``nan`` is no obstacle."""
    record: dict[str, Any] = {}
    for pair in _PAIR.finditer(text):
        key = pair["single"] if pair["single"] is not None else pair["double"]
        value = next((pair[name] for name in ("text", "quoted", "wrapped", "bare") if pair[name] is not None), "")
        record[key] = None if value.strip() == "None" else value.strip()
    return record


def _bars(text: str, shown: dict[int, tuple[int, str]]) -> dict[int, tuple[int, str]]:
    """Return total -> (done, elapsed) of each progress bar as it stands after a text."""
    if "/" not in text:
        return shown
    found = {int(bar["total"]): (int(bar["done"]), bar["elapsed"]) for bar in _BAR.finditer(text)}
    return shown | found if found else shown


def _trainer_total(bars: Sequence[Mapping[int, tuple[int, str]]]) -> int | None:
    """Return the total of the bar that moves from dict to dict; downloads stand still, evaluations begin again."""
    moves: dict[int, set[int]] = {}
    for seen in bars:
        for total, (done, _) in seen.items():
            moves.setdefault(total, set()).add(done)
    return max(moves, key=lambda total: (len(moves[total]), total), default=None)
