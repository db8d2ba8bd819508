"""YAML as policies and calibrations need it: one document of plain values, each key once."""

import re
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from scalefit.errors import UsageError

LARGEST_BYTES = 1 << 20
"""A policy or a calibration of a megabyte is another file under its name."""
DEEPEST = 20
"""Mappings and lists inside of each other; a policy has six."""


def _refused(problem: str, mark: Any) -> yaml.MarkedYAMLError:  # noqa: ANN401 pyyaml has two classes of marks
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


class _PlainLoader(yaml.SafeLoader):
    """pyyaml's safe loader without tags and aliases, with the words of YAML 1.2: ``off`` is text, ``1e5`` a number."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _refused(f"the alias '*{event.anchor}'", event.start_mark)
        if getattr(event, "tag", None) is not None:
            raise _refused(f"the tag '{event.tag}'", event.start_mark)
        self.depth = getattr(self, "depth", 0) + 1
        if self.depth > DEEPEST:
            raise _refused(f"more than {DEEPEST} levels", event.start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise _refused(f"the key '{key}' is no text", key_node.start_mark)
            if key in seen:
                raise _refused(f"the key '{key}' twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


_NUMBER = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_PlainLoader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("bool", r"^(?:true|false|True|False|TRUE|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", "~nN\0"),
    ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
    ("float", rf"^(?:{_NUMBER}|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$", "-+.0123456789"),
):
    _PlainLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), ["" if letter == "\0" else letter for letter in _first]
    )


def load_yaml(path: str, what: str = "a policy") -> object:
    """Return the values of a YAML file.

    Parameters
    ----------
    path
        The file.
    what
        What it should hold, for the message.

    Raises
    ------
    UsageError
        If it cannot be read, or is no YAML of plain values: tags, aliases, duplicate keys, several documents.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"cannot be read ({reason.lower()})", where=path, remedy="check the path") from error
    if len(data) > LARGEST_BYTES:
        raise UsageError("more than a megabyte", where=path, expected=f"expected {what}")
    try:
        return yaml.load(data.decode("utf-8-sig"), _PlainLoader)  # noqa: S506 a safe loader, made stricter
    except UnicodeDecodeError as error:
        raise UsageError(
            f"byte {error.start} is not UTF-8", where=path, expected="expected a text file in UTF-8"
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{path}:{mark.line + 1}" if mark else path
        raise UsageError(
            f"{error.problem or 'no YAML'}", where=where,
            expected="expected plain YAML: each key once, no tags, no aliases",
        ) from error  # fmt: skip
    except yaml.YAMLError as error:
        raise UsageError("a character that YAML does not allow", where=path, expected="expected plain YAML") from error
    except (RecursionError, ValueError) as error:
        raise UsageError("values that cannot be read", where=path, expected="expected plain YAML") from error
