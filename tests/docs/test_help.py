"""Every command and every option says what it is for."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from scalefit.cli.main import app


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - typer brings its own click
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, f"{path} {name}")


COMMANDS = dict(_commands(typer.main.get_command(app), "scalefit"))


@pytest.mark.parametrize("path", COMMANDS)
def test_command_says_what_it_does(path: str) -> None:
    assert COMMANDS[path].help


@pytest.mark.parametrize("path", COMMANDS)
def test_every_option_has_help(path: str) -> None:
    silent = [parameter.name for parameter in COMMANDS[path].params if not getattr(parameter, "help", None)]
    assert silent == []


def test_commands_were_found() -> None:
    assert {"scalefit predict", "scalefit inspect"} <= set(COMMANDS)
