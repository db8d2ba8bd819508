"""The commands that the README shows, and what they print.

A ``console`` block holds commands after ``$`` and the output that follows each. ``python -m tests.docs.console
--write`` runs them and puts their present output into the README.
"""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.shared_folder import REPOSITORY

README = REPOSITORY / "README.md"

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exit code (\d+)$")
WIDTH = 100
"""Columns of the terminal that the README's output is made for."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A command and what follows it in the README."""

    command: str
    """As typed, without ``$``; may end in a comment that names its exit code."""
    output: str
    """Standard output and error, as shown; empty if the README shows none."""

    @property
    def exit_code(self) -> int:
        """The exit code that the README gives the command."""
        stated = _EXIT.search(self.command)
        return int(stated.group(1)) if stated else 0


def blocks(text: str) -> Iterator[str]:
    """Yield the inside of each ``console`` block."""
    for match in _BLOCK.finditer(text):
        yield match.group(1)


def examples(block: str) -> list[Example]:
    """Return the commands of a block, each with the lines that follow it."""
    found: list[Example] = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append(Example(command=command, output=output.rstrip("\n")))
    return found


def lay_out(folder: Path) -> None:
    """Copy into ``folder`` what a reader of the README has at hand."""
    shutil.copytree(REPOSITORY / "sample_logs", folder / "sample_logs")


def run(command: str, folder: Path) -> tuple[int, str]:
    """Run a command as the README's reader would, with the ``scalefit`` of this environment; no terminal."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": str(WIDTH),
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, "\n".join(line.rstrip() for line in done.stdout.rstrip("\n").split("\n"))


def refreshed(text: str) -> str:
    """Return the README with the present output of every command whose output it shows.

    Raises
    ------
    SystemExit
        If a command does not end as the README says: nothing wrong gets into it.
    """
    for block in list(blocks(text)):
        with tempfile.TemporaryDirectory() as folder:
            lay_out(Path(folder))
            parts = []
            for example in examples(block):
                exit_code, output = run(example.command, Path(folder))
                if exit_code != example.exit_code:
                    sys.exit(f"{example.command}\n{output}\nexit code {exit_code}, not {example.exit_code}")
                parts.append(f"$ {example.command}\n" + (f"{output}\n" if example.output else ""))
        text = text.replace(f"```console\n{block}```", "```console\n" + "".join(parts) + "```")
    return text


if __name__ == "__main__":
    now = refreshed(README.read_text(encoding="utf-8"))
    if "--write" in sys.argv[1:]:
        README.write_text(now, encoding="utf-8")
    else:
        sys.stdout.write(now)
