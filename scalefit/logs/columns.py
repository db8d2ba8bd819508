"""Which column is the reward, and why each of the others is not."""

import dataclasses
import difflib
import functools
import re
from collections.abc import Iterable, Sequence

import numpy as np

from scalefit.errors import LogError
from scalefit.logs import names
from scalefit.logs.options import ReadOptions
from scalefit.logs.table import Column, Table
from scalefit.run import Caveat

ENOUGH_VALIDATION_POINTS = 40
"""Validation points from which they are fitted rather than the training reward: ten in the first quarter of a run."""
_SHOWN_COLUMNS = 12
_REWARD_VOCABULARY = (
    frozenset(word for name in names.REWARD_NAMES for word in re.findall(r"[a-z0-9@]+", name))
    | frozenset(names.REWARD_WORDS)
    | names.LOSS_WORDS
)
"""Words of which the name of a reward has at least one; most columns of a log have none and need no closer look."""
_REWARD_INDEX = {name: index for index, name in enumerate(names.REWARD_NAMES)}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RewardChoice:
    """The reward column and how it was chosen."""

    column: str
    """Its name."""
    reasons: dict[str, str]
    """Column -> why it was chosen or not; every column that was considered."""
    notes: tuple[Caveat, ...]
    """What the user should know about the choice."""


@functools.lru_cache(maxsize=1 << 17)
def normalise(name: str) -> str:
    """Return a column's name as the tables of `names` write it."""
    name = name.rsplit(" - ", 1)[-1].strip().strip("_").lower()
    name = re.sub(r"\s*/\s*", "/", name).replace(".", "/") if not re.search(r"\d\.\d", name) else name
    return re.sub(r"[()\[\]]", "", re.sub(r"[\s\-:]+", "_", name)).strip("_")


@functools.lru_cache(maxsize=1 << 17)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in lower case; ``rewardStd`` and ``reward_std`` are two words each."""
    tail = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name.rsplit(" - ", 1)[-1])
    return tuple(re.findall(r"[a-z0-9@]+", tail.lower()))


def ends_with(name: str, entry: str) -> bool:
    """Return whether a normalised name is ``entry`` or ends with its levels."""
    return name == entry or name.endswith("/" + entry)


@functools.lru_cache(maxsize=1 << 17)
def endings(name: str) -> tuple[str, ...]:
    """Return a normalised name and its endings that begin at one of its levels."""
    levels = name.split("/")
    return tuple("/".join(levels[place:]) for place in range(len(levels)))


def find_column(table: Table, name: str, option: str, where: str) -> str:
    """Return the column that the user named, exactly, else regardless of case and blanks.

    Raises
    ------
    LogError
        If there is none; close matches are suggested.
    """
    if name in table.columns:
        return name
    wanted = name.strip().casefold()
    same = [column for column in table.columns if column.strip().casefold() == wanted]
    if len(same) == 1:
        return same[0]
    if not table.has_header and name.isdecimal():
        remedy = f"give a number from 1 to {len(table.columns)}"
    else:
        by_fold = {column.casefold(): column for column in table.columns}
        close = difflib.get_close_matches(wanted, by_fold, n=3, cutoff=0.6)
        remedy = f"did you mean {' or '.join(by_fold[each] for each in close)}?" if close else ""
    raise LogError(
        f"no column {name!r}",
        where=where,
        expected=f"{option} takes one of {list_names(table.columns)}",
        remedy=remedy,
        columns=list(table.columns),
    )


def list_names(columns: Iterable[str]) -> str:
    """Return names for a message: the first of them, and how many more there are."""
    listed = list(columns)
    shown = ", ".join(listed[:_SHOWN_COLUMNS])
    return f"[{shown}, ... {len(listed) - _SHOWN_COLUMNS} more]" if len(listed) > _SHOWN_COLUMNS else f"[{shown}]"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    column: str
    rank: tuple[int, int, int]
    is_validation: bool
    points: int
    reason: str


def choose_reward(table: Table, options: ReadOptions, where: str, taken: Sequence[str] = ()) -> RewardChoice:
    """Return the column that holds the reward.

    Parameters
    ----------
    table
        The log.
    options
        ``y`` names the column; ``minimize`` lets a loss be one.
    where
        The log, for messages.
    taken
        Columns that serve another purpose (compute, order, names of runs).

    Raises
    ------
    LogError
        If no column can be the reward, several are equally good, or the named one does not exist or holds no number.
    """
    if options.y is not None:
        return _named_reward(table, options.y, where)
    judged = {
        name: _judge(column, minimize=options.minimize) for name, column in table.columns.items() if name not in taken
    }
    reasons = {name: found for name, found in judged.items() if isinstance(found, str)}
    candidates = [found for found in judged.values() if not isinstance(found, str)]
    training = _best([each for each in candidates if not each.is_validation])
    validation = _best([each for each in candidates if each.is_validation])
    if not training and not validation:
        raise _no_reward(table, where)
    notes: list[Caveat] = []
    chosen = training
    if validation and (not training or validation[0].points >= ENOUGH_VALIDATION_POINTS):
        chosen = validation
    if training and validation:
        notes.append(_validation_note(training[0], validation[0], use_validation=chosen is validation))
    if len(chosen) > 1 and not _all_equal(table, chosen):
        listed = [each.column for each in chosen]
        raise LogError(
            f"several columns could be the reward: {list_names(listed)}",
            where=where,
            expected="expected one",
            remedy=f"choose with --y, e.g. --y {listed[0]!r}",
            columns=listed,
        )
    best = chosen[0]
    reasons |= {each.column: f"could be the reward, but {best.column!r} comes first" for each in candidates}
    reasons[best.column] = best.reason
    return RewardChoice(column=best.column, reasons=reasons, notes=tuple(notes))


def _no_reward(table: Table, where: str) -> LogError:
    losses = [name for name in table.columns if names.LOSS_WORDS & set(words_of(name))]
    remedy = "name it with --y"
    if losses:
        remedy = f"name it with --y; if lower is better, as for {losses[0]!r}, add --minimize"
    return LogError(
        f"no reward column among {list_names(table.columns)}",
        where=where,
        expected="expected a column such as reward, score or accuracy",
        remedy=remedy,
        columns=list(table.columns),
    )


def _named_reward(table: Table, y: str, where: str) -> RewardChoice:
    name = find_column(table, y, "--y", where)
    column = table.columns[name]
    if not column.has_numbers:
        seen = next((column.text(row) for row in range(table.rows) if column.text(row) is not None), None)
        raise LogError(
            f"column {name!r} holds no number" + (f" (it holds {seen[:40]!r})" if seen else " (it is empty)"),
            where=where,
            expected="expected rewards",
            remedy="choose another column with --y",
        )
    return RewardChoice(column=name, reasons={name: "reward: named with --y"}, notes=())


def _judge(column: Column, *, minimize: bool) -> _Candidate | str:
    """Return a column as a candidate, or why it is none."""
    words = words_of(column.name)
    against = next((word for word in words if word in names.NOT_REWARD_WORDS), None)
    objection = _objection(column.name)
    if objection is not None:
        return objection
    is_likely = not _REWARD_VOCABULARY.isdisjoint(words) or endings(normalise(column.name))[-1] in _REWARD_INDEX
    ranked = _rank(column.name, against, minimize=minimize) if is_likely else None
    if ranked is None:
        return f"not the reward: {names.NOT_REWARD_WORDS[against]}" if against else "not the reward by its name"
    if not column.has_numbers:
        return "not the reward: no number in it"
    return _Candidate(
        column=column.name,
        rank=ranked[0],
        is_validation=not names.VALIDATION_WORDS.isdisjoint(words),
        points=column.finite,
        reason=ranked[1],
    )


def _objection(name: str) -> str | None:
    """Return what speaks against a column's name whatever its words say."""
    if not name:
        return "not the reward: it has no name"
    if name.lower().endswith(("__min", "__max")):
        return "not the reward: the __MIN or __MAX twin of another column"
    if not names.SETTINGS_LEVELS.isdisjoint(normalise(name).split("/")[:-1]):
        return "not the reward: a setting"
    return None


def _rank(name: str, against: str | None, *, minimize: bool) -> tuple[tuple[int, int, int], str] | None:
    """Return how good a reward a column is by its name, the smaller the better, and why; None if it is none.

    A whole name of the table comes before one with levels of its own, that before a mere word.
    """
    normal = normalise(name)
    if against in names.LOSS_WORDS and minimize:
        return (2, 0, _foreign_levels(normal, against)), "reward: a loss, and lower is better"
    bare = _without_role(normal)
    index = min((_REWARD_INDEX[end] for end in endings(bare) if end in _REWARD_INDEX), default=None)
    if index is not None:
        entry = names.REWARD_NAMES[index]
        foreign = _foreign_levels(bare, entry)
        if not against or (not foreign and ("/" in entry or bare == entry)):
            return (int(foreign > 0), index, foreign), f"reward: the name ends with {entry!r}"
    words = words_of(name)
    word = None if against else next((each for each in names.REWARD_WORDS if each in words), None)
    if word is None:
        return None
    return (2, names.REWARD_WORDS.index(word), len(words)), f"reward: {word!r} in its name"


def _without_role(name: str) -> str:
    """Return a normalised name without ``eval_``, ``train_``... before its last level."""
    head, slash, leaf = name.rpartition("/")
    first, _, rest = leaf.partition("_")
    if rest and (first in names.VALIDATION_WORDS or first in {"train", "training"}):
        leaf = rest
    return head + slash + leaf


def _foreign_levels(name: str, entry: str) -> int:
    """Return how many levels of a name before ``entry`` say that it is only a part, such as one agent of several."""
    before = name.removesuffix(entry).strip("/").split("/")
    known = names.NEUTRAL_WORDS | names.VALIDATION_WORDS
    return sum(bool(level) and not set(words_of(level)) <= known for level in before)


def _best(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the candidates that share the best rank."""
    if not candidates:
        return []
    best = min(each.rank for each in candidates)
    return [each for each in candidates if each.rank == best]


def _all_equal(table: Table, candidates: Sequence[_Candidate]) -> bool:
    first = table.columns[candidates[0].column].numbers
    return all(np.array_equal(first, table.columns[each.column].numbers, equal_nan=True) for each in candidates[1:])


def _validation_note(training: _Candidate, validation: _Candidate, *, use_validation: bool) -> Caveat:
    if use_validation:
        message = (
            f"fitted to the validation reward {validation.column!r} ({validation.points} points), not to the training "
            f"reward {training.column!r}; --y chooses"
        )
    else:
        message = (
            f"fitted to the training reward {training.column!r}: the validation reward {validation.column!r} has only "
            f"{validation.points} points (from {ENOUGH_VALIDATION_POINTS} on it would be used); --y chooses"
        )
    return Caveat(
        code="validation-used" if use_validation else "validation-sparse",
        message=message,
        evidence={"validation_points": validation.points, "training_points": training.points},
    )
