"""Every format of a verdict, made by hand: no fit is needed to see how it is told."""

import dataclasses
import json
import re
import xml.etree.ElementTree as ET

import pytest

from scalefit.forecast import Estimate
from scalefit.gate import GateVerdict, OnInconclusive, Outlook, RunVerdict, State, Verdict
from scalefit.report.medium import Medium
from scalefit.report.verdict import github, junit, markdown, table
from scalefit.report.verdict import json as document
from scalefit.report.verdict.watched import line_of, page_of
from scalefit.report.verdict.words import figures_of, headline, outlook_sentence
from tests.forecasts import make_forecast


def _gate(state: State, **changes: object) -> GateVerdict:
    plain = GateVerdict(
        run="a|b,c.csv",
        gate="asymptote",
        kind="asymptote",
        blocks=True,
        state=state,
        value=0.61234,
        low=0.6,
        high=0.63,
        threshold=0.62,
        is_floor=True,
        reason="the asymptote may lie on either side of 0.62",
        advice="look again at 20,000 gpu-hours",
    )
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


def _run(*gates: GateVerdict, mapping: OnInconclusive = OnInconclusive.REPORT) -> RunVerdict:
    return RunVerdict(
        run="a|b,c.csv",
        path="logs/a,b:c.csv",
        unit="gpu-hours",
        rows=400,
        compute=16000.0,
        on_inconclusive=mapping,
        gates=gates,
        outlook=Outlook(
            compute=16000.0,
            budget=32000.0,
            until_end=Estimate(estimate=0.02, low=-0.01, high=0.05),
            per_thousand=Estimate(estimate=0.00125, low=-0.0006, high=0.003),
            next_look=17600.0,
        ),
        forecast=make_forecast(),
    )


ALL = _run(
    _gate(State.PASS, gate="p"),
    _gate(State.FAIL, gate="f", advice="stop"),
    _gate(State.INCONCLUSIVE, gate="i"),
    _gate(State.FAIL, gate="w", blocks=False),
    _gate(State.INCONCLUSIVE, gate="n", value=None, low=None, high=None),
)


def _medium(width: int) -> Medium:
    return Medium(width=width, encoding="ascii", has_colour=False, is_terminal=False)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_table_fits_and_says_all(width: int) -> None:
    text = table.render_verdict(Verdict(runs=(ALL,)), _medium(width), policy="scalefit.yaml")
    assert max(map(len, text.splitlines())) <= width
    words = " ".join(text.split())
    for part in ("Fails (f): stop.", "0.612", "0.600 - 0.630", ">= 0.62", "fail (warns)", "policy: scalefit.yaml"):
        assert part in words
    assert "likely to buy 0.020 of reward" in words
    assert "look is worth it at 17,600 gpu-hours" in words


def test_headlines_name_what_decides() -> None:
    unclear, passing = _gate(State.INCONCLUSIVE), _gate(State.PASS)
    assert headline(_run(passing)) == "Every gate passes: continue."
    assert headline(_run(passing, unclear)) == "Is not clear yet (asymptote): look again at 20,000 gpu-hours."
    assert "takes what is not clear yet for a pass (asymptote)" in headline(_run(unclear, mapping=OnInconclusive.PASS))
    assert "for a failure (asymptote)" in headline(_run(unclear, mapping=OnInconclusive.FAIL))


def test_a_budget_that_comes_before_the_next_look() -> None:
    assert ALL.outlook is not None
    text = outlook_sentence(dataclasses.replace(ALL.outlook, next_look=None), "gpu-hours", 0.9)
    assert text.endswith("Before they are spent, another look will hardly tell more.")


def test_compute_that_never_comes_is_called_never() -> None:
    gate = _gate(State.FAIL, kind="reach", value=None, low=9000.0, high=None, threshold=8000.0, is_floor=False)
    assert figures_of(gate) == ("never", "9,000 - never", "<= 8,000")


def test_json_is_strict_and_complete() -> None:
    read = json.loads(document.render_verdict(Verdict(runs=(ALL,))), parse_constant=pytest.fail)
    assert (read["schema"], read["verdict"], len(read["gates"])) == ("scalefit.check/1", "fail", 5)
    assert [gate["verdict"] for gate in read["gates"]] == ["pass", "fail", "inconclusive", "fail", "inconclusive"]
    assert read["gates"][4]["value"] is None
    assert read["gates"][3]["severity"] == "warn"
    assert read["runs"][0]["outlook"]["per_thousand"]["estimate"] == 0.00125


def test_markdown_puts_the_reason_before_the_table_and_escapes_names() -> None:
    lines = markdown.render_verdict(Verdict(runs=(ALL,))).splitlines()
    assert lines[0] == "### scalefit check: fail"
    assert lines[2].startswith("- **a\\|b,c.csv**: Fails (f): stop.")
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 7
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {8}


# The elements and attributes of junit-10.xsd (Jenkins' xUnit plugin) that a verdict uses.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set(), {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package"},
        {"name", "tests", "failures", "errors"},
        {"testcase", "properties", "system-out", "system-err"},
    ),
    "testcase": (
        {"name", "time", "classname", "group"},
        {"name"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set(), set()),
    "skipped": ({"type", "message"}, set(), set()),
    "system-out": (set(), set(), set()),
}


def test_junit_has_the_elements_and_attributes_of_its_schema() -> None:
    text = junit.render_verdict(Verdict(runs=(ALL, _run(_gate(State.PASS)))))
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites')
    assert text.isascii()
    root = ET.fromstring(text)  # noqa: S314 made here
    for element in root.iter():
        allowed, required, children = JUNIT[element.tag]
        assert required <= set(element.attrib) <= allowed
        assert {child.tag for child in element} <= children
    suite = root[0]
    assert [suite.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["5", "1", "0", "2"]
    assert {case.get("name"): sorted({child.tag for child in case}) for case in suite} == {
        "p": ["system-out"],
        "f": ["failure", "system-out"],
        "i": ["skipped", "system-out"],
        "w": ["system-out"],
        "n": ["skipped", "system-out"],
    }


@pytest.mark.parametrize(("mapping", "tag"), [(OnInconclusive.FAIL, "failure"), (OnInconclusive.PASS, "system-out")])
def test_junit_follows_the_policy(mapping: OnInconclusive, tag: str) -> None:
    root = ET.fromstring(  # noqa: S314 made here
        junit.render_verdict(Verdict(runs=(_run(_gate(State.INCONCLUSIVE), mapping=mapping),)))
    )
    assert root[0][0][0].tag == tag


def test_workflow_commands_are_escaped_as_github_documents() -> None:
    nasty = dataclasses.replace(ALL, run="100%\nsure", gates=(_gate(State.FAIL, reason="50% off", advice="stop"),))
    lines = github.render_verdict(Verdict(runs=(nasty,))).splitlines()
    place = "file=logs/a%2Cb%3Ac.csv,line=1,title=scalefit"
    assert lines[0] == f"::error {place} asymptote%3A fail::100%25\\nsure: 50%25 off; stop"
    assert lines[1].startswith(f"::notice {place}%3A fail::")
    assert len(lines) == 2


def test_workflow_commands_by_state_and_severity() -> None:
    lines = github.render_verdict(Verdict(runs=(ALL,))).splitlines()
    assert [line.split(" ", 1)[0] for line in lines] == ["::error", "::warning", "::warning", "::warning", "::notice"]
    piped = github.render_verdict(Verdict(runs=(dataclasses.replace(ALL, path="-"),)))
    assert "file=" not in piped


def test_a_look_is_one_line_or_a_page_that_fits() -> None:
    assert ALL.forecast is not None
    run = ALL.forecast.run
    line = line_of("live", "replaced", run=run, forecast=ALL.forecast, verdict=ALL, mark=" (changed)")
    assert line.count("\n") == 1
    assert line.startswith("live: 400 rows, 16,000 gpu-hours; the log was replaced; fail (changed): Fails (f): stop.")
    assert line_of("live", "missing", run=None) == "live: waiting for the log to appear\n"
    assert line_of("live", "grew", run=run) == "live: 400 rows, 16,000 gpu-hours; too few rows to forecast\n"
    for lines, has_picture in ((24, False), (60, True)):
        page = page_of(
            "live", "grew", _medium(80), run=run, forecast=ALL.forecast, verdict=ALL, lines=lines, has_plot=True
        )
        assert ("log axis" in page) is has_picture
        assert page.count("\n") <= lines
