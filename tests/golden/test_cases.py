"""Every shared case through the installed command: its exit code, no traceback, the asymptote it names."""

import csv
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_folder import HAS_SHARED, SHARED, needs_shared

pytestmark = [pytest.mark.slow, needs_shared]

COMMAND = Path(sys.executable).with_name("scalefit")

COUNTED_GAP = "32-iso8601-idle-gap.csv"
"""Names the asymptote with its idle gap left out; by default idle time is counted, and warned of."""


def _cases() -> list[dict[str, str]]:
    """Return the cases that are one command without a shell."""
    if not HAS_SHARED:
        return []
    with (SHARED / "cases" / "CASES.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    return [
        row
        for row in rows
        if row["command"].startswith("scalefit ") and not {"|", ">"} & set(row["command"]) and row["file"][-3:] != ".py"
    ]


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["command"].removeprefix("scalefit "))
def test_a_case_holds(case: dict[str, str]) -> None:
    arguments = shlex.split(case["command"])[1:]
    if case["file"] == COUNTED_GAP:
        arguments += ["--max-gap", "2"]
    done = subprocess.run(
        [COMMAND, *arguments, "--format", "json"],
        cwd=SHARED / "cases",
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    allowed = {int(code) for code in re.findall(r"exit (\d+)", case["expected"])} or {0}
    assert done.returncode in allowed, done.stderr
    assert b"Traceback" not in done.stderr
    near = re.search(r"A within ([\d.]+) of (-?[\d.]+\d)", case["expected"])
    if near and done.returncode == 0 and arguments[0] == "predict":
        estimate = json.loads(done.stdout)["runs"][0]["parameters"]["asymptote"]["estimate"]
        assert estimate == pytest.approx(float(near[2]), abs=float(near[1]))
