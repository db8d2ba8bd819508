"""What is wrong in a policy file, said so that it can be found: the path of the key, and the nearest right one."""

import difflib
import math
import re
import types
import typing
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from scalefit.cli.policy_keys import GateEntry
from scalefit.errors import UsageError

Keys = TypeVar("Keys")

_AT = re.compile(r"^(?P<what>.*?)(?: - at `(?P<path>.*)`)?$", re.DOTALL)
_UNKNOWN = re.compile(r"^Object contains unknown field `(?P<field>.*)`$")
_MISSING = re.compile(r"^Object missing required field `(?P<field>.*)`$")
_TYPE_NAMES = {
    "float": "a number", "int": "a whole number", "str": "text", "object": "a mapping", "array": "a list",
    "bool": "true or false", "null": "nothing",
}  # fmt: skip


def convert(content: object, kind: type[Keys], where: str) -> Keys:
    """Return the keys that a file's content means.

    Parameters
    ----------
    content
        Mappings, lists and plain values.
    kind
        What is expected.
    where
        The file, and the key in it that the content stands under.

    Raises
    ------
    UsageError
        If it is something else: with the path of the wrong key and the nearest right one.
    """
    try:
        keys = msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise _explain(str(error), content, kind, where) from None
    _require_finite(content, where, "")
    return keys


def _explain(message: str, content: object, kind: type[Any], where: str) -> UsageError:
    """Return msgspec's message in this project's form: path, value seen, what was expected, the nearest right key."""
    parts = _AT.match(message)
    what, path = (parts["what"], (parts["path"] or "$")) if parts else (message, "$")
    place = path.removeprefix("$").lstrip(".")
    # msgspec writes `[...]` for any key of a mapping; the key itself is looked up in the content.
    place, seen, schema = _resolve(place, content, kind)
    at = _join(where, place)
    unknown, missing = _UNKNOWN.match(what), _MISSING.match(what)
    if unknown:
        field, known = unknown["field"], _fields(schema)
        key = f"{place}.{field}" if place else field
        noun = "gate" if schema is GateEntry else "key"
        return UsageError(
            f"there is no {noun} '{field}'",
            where=_join(where, key),
            expected=f"expected one of {', '.join(known)}",
            remedy=nearest(field, known),
        )
    if missing:
        return UsageError(f"the key '{missing['field']}' is missing", where=at, expected=None)
    expected = re.sub(r"^Expected ", "", what).split(", got")[0]
    expected = re.sub(r"`([^`]*)`", lambda match: " or ".join(
        dict.fromkeys(_TYPE_NAMES.get(name.strip(), name.strip()) for name in match[1].split("|") if "null" not in name)
    ), expected)  # fmt: skip
    if what.startswith("Invalid enum value"):
        expected, choices = "", _choices(schema)
        if choices:
            expected = f"one of {', '.join(choices)}"
    return UsageError(
        f"{spoken(seen)} cannot be used", where=at, expected=f"expected {expected}" if expected else None,
        remedy=nearest(str(seen), _choices(schema)),
    )  # fmt: skip


def _join(where: str, place: str) -> str:
    """Return where a key is: ``file: path.of.key``, also if ``where`` already ends in the beginning of that path."""
    if not place:
        return where
    return f"{where}.{place}" if ": " in where else f"{where}: {place}"


def _resolve(place: str, content: object, kind: Any) -> tuple[str, object, Any]:  # noqa: ANN401 a type
    """Follow a path into the content and into the types beside it."""
    written = ""
    for step in re.findall(r"\[\.\.\.\]|\[\d+\]|[^.\[\]]+", place):
        kind = _bare(kind)
        if step == "[...]":
            inner = typing.get_args(kind)[1]
            content, kind, key = _culprit(content, inner)
            written += f"['{key}']"
        elif step.startswith("["):
            index = int(step[1:-1])
            content = content[index] if isinstance(content, list) else None
            kind = (typing.get_args(kind) or (Any,))[0]
            written += step
        else:
            content = content.get(step) if isinstance(content, dict) else None
            kind = typing.get_type_hints(kind, include_extras=True).get(step, Any)
            written += f".{step}" if written else step
    return written, content, _bare(kind)


def _culprit(content: object, inner: Any) -> tuple[object, Any, str]:  # noqa: ANN401 a type
    for key, value in content.items() if isinstance(content, dict) else ():
        try:
            msgspec.convert(value, inner)
        except msgspec.ValidationError:
            return value, inner, str(key)
    return content, inner, "..."


def _bare(kind: Any) -> Any:  # noqa: ANN401 a type
    """Return a type without its notes and without None."""
    while True:
        if typing.get_origin(kind) is Annotated:
            kind = typing.get_args(kind)[0]
        elif typing.get_origin(kind) in {types.UnionType, typing.Union}:
            options = [option for option in typing.get_args(kind) if option is not type(None)]
            if len(options) > 1:
                return kind
            kind = options[0]
        else:
            return kind


def _fields(kind: Any) -> list[str]:  # noqa: ANN401 a type
    return [field.encode_name for field in msgspec.structs.fields(kind)] if isinstance(kind, type) else []


def _choices(kind: Any) -> list[str]:  # noqa: ANN401 a type
    return [str(choice) for choice in typing.get_args(kind)] if typing.get_origin(kind) is Literal else []


def nearest(word: str, known: list[str]) -> str | None:
    """Return what was probably meant, as an advice; None if nothing is near.

    Parameters
    ----------
    word
        What the file says.
    known
        What it could say.
    """
    found = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {found[0]}" if found else None


def _require_finite(content: object, where: str, path: str) -> None:
    if isinstance(content, float) and not math.isfinite(content):
        raise UsageError(f"{content} cannot be used", where=_join(where, path), expected="expected a finite number")
    pairs = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in pairs:
        step = f"[{key}]" if isinstance(key, int) else f".{key}"
        _require_finite(value, where, (path + step).lstrip("."))


def spoken(value: object) -> str:
    """Return a value of a file for a sentence.

    Parameters
    ----------
    value
        Any plain value.
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    text = str(value)
    longest = 40
    return f"'{text[:longest]}...'" if len(text) > longest else f"'{text}'" if isinstance(value, str) else text
