"""A verdict as JUnit XML: a suite for each run, a test case for each gate.

The layout is that of the schema junit-10.xsd of Jenkins' xUnit plugin, which GitLab reads as well.
"""

import xml.etree.ElementTree as ET

from scalefit.gate import GateVerdict, OnInconclusive, RunVerdict, State, Verdict
from scalefit.report.medium import printable
from scalefit.report.verdict.words import figures_of


def render_verdict(verdict: Verdict) -> str:
    """Return the document of ``check --format junit``.

    Parameters
    ----------
    verdict
        All runs.
    """
    root = ET.Element("testsuites", name="scalefit check")
    for run in verdict.runs:
        root.append(suite_of(run))
    ET.indent(root)
    # ASCII with character references, so that the bytes do not depend on the encoding of the place written to.
    text = ET.tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def suite_of(verdict: RunVerdict) -> ET.Element:
    """Return the test suite of one run.

    Parameters
    ----------
    verdict
        All gates, judged on one run.
    """
    suite = ET.Element("testsuite", name=printable(verdict.run), tests=str(len(verdict.gates)))
    cases = [case_of(gate, verdict) for gate in verdict.gates]
    suite.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    suite.set("errors", "0")
    suite.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))
    suite.extend(cases)
    return suite


def case_of(gate: GateVerdict, verdict: RunVerdict) -> ET.Element:
    """Return the test case of one gate: what is not clear yet is skipped, unless the policy maps it.

    Parameters
    ----------
    gate
        One gate, judged on one run.
    verdict
        The run that it belongs to.
    """
    case = ET.Element("testcase", classname=printable(verdict.run), name=printable(gate.gate))
    value, interval, wanted = figures_of(gate)
    numbers = f"value {value or 'unknown'}, interval {interval or 'unknown'}, wanted {wanted or 'unknown'}"
    words = printable(f"{gate.reason}; {gate.advice}")
    is_unclear = gate.state is State.INCONCLUSIVE
    fails = gate.state is State.FAIL or (is_unclear and verdict.on_inconclusive is OnInconclusive.FAIL)
    if fails and gate.blocks:
        failure = ET.SubElement(case, "failure", type=gate.kind, message=words)
        failure.text = printable(numbers)
    elif is_unclear and verdict.on_inconclusive is OnInconclusive.REPORT:
        ET.SubElement(case, "skipped", message=words)
    output = ET.SubElement(case, "system-out")
    output.text = printable(f"{gate.state.value}: {words}; {numbers}")
    return case
