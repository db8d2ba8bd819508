import json
from pathlib import Path
from typing import Any

import pytest

from scalefit.cli.policy import KINDS, join_policies, policy_of_options, read_policy
from scalefit.cli.policy_keys import GateEntry, schema_text
from scalefit.errors import UsageError
from scalefit.gate import Asymptote, Band, Final, NoCollapse, OnInconclusive, OnTrack, Severity
from tests.shared_folder import REPOSITORY

FULL = """
budget: 1e5            # GPU-hours
level: 0.8
on_inconclusive: pass
gates:
  - asymptote: {at_least: 0.60}
  - final: {at_least: 0.58, band: sigmoid, severity: warn}
  - reach: {reward: 0.55, within: 60000}
  - efficiency: {at_least: 1.2}
  - on_track: {reference: baseline.csv}
  - no_collapse:
  - no_collapse: {drop: 0.1, severity: off}
  - remaining_gain: {at_least: 0.01, name: worth it}
runs:
  "small-*":
    budget: 500
    gates: {asymptote: {at_least: 0.5}, on_track: {severity: off}}
"""


def _write(folder: Path, text: str) -> str:
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_every_key_of_the_contract_is_read(tmp_path: Path) -> None:
    policy = read_policy(_write(tmp_path, FULL)).policy_for("run.csv")
    assert (policy.budget, policy.level, policy.on_inconclusive) == (100_000, 0.8, OnInconclusive.PASS)
    assert [gate.name for gate in policy.gates] == [
        "asymptote", "final", "reach", "efficiency", "on_track", "no_collapse", "no_collapse-2", "worth it",
    ]  # fmt: skip
    assert {gate.demand.kind for gate in policy.gates} == set(KINDS)
    assert policy.gates[0].demand == Asymptote(at_least=0.6)
    assert policy.gates[1].demand == Final(at_least=0.58, band=Band.SIGMOID)
    assert policy.gates[1].severity is Severity.WARN
    assert policy.gates[5].demand == NoCollapse(drop=0.05)
    assert policy.gates[6].severity is Severity.OFF
    assert policy.gates[0].where.endswith("policy.yaml: gates[0].asymptote")


def test_a_glob_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    book = read_policy(_write(tmp_path, FULL))
    plain, small = book.policy_for("large"), book.policy_for("small-1")
    assert small.budget == 500
    assert small.gates[0].demand == Asymptote(at_least=0.5)
    assert small.gates[4].severity is Severity.OFF
    assert small.gates[1:4] == plain.gates[1:4]
    assert book.policy_for("x", "logs/small-2.csv").budget == 500
    assert book.policy_for("small-1", budget=9, level=0.5).budget == 9


def test_references_start_from_the_file_and_those_of_options_from_here(tmp_path: Path) -> None:
    book = read_policy(_write(tmp_path, FULL))
    assert book.references == ("baseline.csv",)
    assert book.reference_path("baseline.csv") == str(tmp_path / "baseline.csv")
    asked = policy_of_options(min_asymptote=0.5, min_final=None, reference="base=here.csv", minimize=False)
    assert asked is not None
    joined = join_policies(book, asked)
    assert joined.reference_path("base=here.csv") == "base=here.csv"
    assert [gate.name for gate in joined.policy_for("x").gates][-2:] == ["asymptote-2", "on_track-2"]
    assert [gate.where for gate in joined.policy_for("x").gates][-2:] == ["--min-asymptote", "--reference"]
    assert joined.policy_for("x").budget_where == f"{joined.where}: budget"
    assert joined.policy_for("x", budget=5).budget_where == "--budget"


def test_options_stand_for_gates() -> None:
    asked = policy_of_options(min_asymptote=0.5, min_final=0.4, reference="r.csv", minimize=True)
    assert asked is not None
    demands = [gate.demand for gate in asked.policy_for("x").gates]
    assert demands == [Asymptote(at_most=0.5), Final(at_most=0.4), OnTrack(reference="r.csv")]
    assert policy_of_options(min_asymptote=None, min_final=None, reference=None, minimize=False) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": an empty policy; expected gates"),
        ("# only a comment\n", ": an empty policy"),
        ("- a", ": a list is no policy"),
        ("budget: 5", ": the key 'gates' is missing"),
        ("gates: []", ": gates: a list cannot be used; expected a list of length >= 1"),
        ("gates: [{asymptot: {at_least: 0.6}}]", ": gates[0].asymptot: there is no gate 'asymptot'"),
        ("gates: [{asymptot: {at_least: 0.6}}]", "did you mean asymptote"),
        ("gates: [{no_collapse: {dropp: 1}}]", ": gates[0].no_collapse.dropp: there is no key 'dropp'"),
        ("gates: [{no_collapse: {dropp: 1}}]", "did you mean drop"),
        ("gates: [{asymptote: {at_least: x}}]", ": gates[0].asymptote.at_least: 'x' cannot be used; expected a number"),
        ("gates: [{asymptote: {at_least: true}}]", ": gates[0].asymptote.at_least: true cannot be used"),
        ("gates: [{asymptote: {}}]", ": gates[0].asymptote: neither at_least nor at_most; expected one of them"),
        ("gates: [{final: {at_least: 1, at_most: 2}}]", ": gates[0].final: both at_least and at_most"),
        ("gates: [{reach: {reward: 0.5}}]", ": gates[0].reach: the key 'within' is missing"),
        ("gates: [{on_track: {}}]", ": gates[0].on_track: the key 'reference' is missing"),
        ("gates: [{}]", ": gates[0]: no kind of gate; expected one"),
        ("gates: [no_collapse]", ": gates[0]: 'no_collapse' cannot be used; expected a mapping"),
        ("gates: [{no_collapse: {}, final: {at_least: 1}}]", ": gates[0]: 2 kinds of gate in one entry"),
        ("gates: [{no_collapse: {severity: of}}]", "expected one of error, warn, off; did you mean off"),
        ("on_inconclusive: passs\ngates: [no_collapse: ]", ": on_inconclusive: 'passs' cannot be used"),
        ("level: 2\ngates: [no_collapse: ]", ": level: 2 cannot be used; expected a number < 1.0"),
        ("budget: -1\ngates: [no_collapse: ]", ": budget: -1 cannot be used; expected a number > 0.0"),
        ("budget: .inf\ngates: [no_collapse: ]", ": budget: inf cannot be used; expected a finite number"),
        ("gates: [no_collapse: {name: a}, final: {at_least: 1, name: a}]", "a second gate is called 'a'"),
        ("gates: [no_collapse: ]\nruns: {a: {gates: {no_colapse: {}}}}", ": runs['a'].gates.no_colapse: there is no"),
        ("gates: [no_collapse: ]\nruns: {a: {gates: {no_collapse: {drp: 1}}}}", "runs['a'].gates.no_collapse.drp:"),
        ("gates: [no_collapse: ]\nruns: {a: {budgt: 1}}", ": runs['a'].budgt: there is no key 'budgt'"),
        ("budget: 1\nbudget: 2", ":2: the key 'budget' twice"),
        ("a: !!python/object/apply:os.system [x]", ":1: the tag "),
        ("a: &x [1]\nb: *x", ":2: the alias '*x'"),
        ("a: &x\n  b: *x", ":2: the alias '*x'"),
        ("gates: [", ":1: expected the node content"),
        ("[" * 2000, ":1: more than 20 levels"),
        ("a: 1\n---\nb: 1", ":2: but found another document"),
        ("1: 2", ":1: the key '1' is no text"),
        ("a: \x01", ": a character that YAML does not allow"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_path(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_policy(_write(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "policy.yaml"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    for data, message in ((b"\xff\xfe\x00", "is not UTF-8"), (b"#" * (1 << 21), "more than a megabyte")):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=message):
            read_policy(str(path))
    with pytest.raises(UsageError, match="cannot be read"):
        read_policy(str(tmp_path / "gone.yaml"))
    with pytest.raises(UsageError, match="cannot be read"):
        read_policy(str(tmp_path))


def test_shipped_schema_is_the_one_of_the_keys() -> None:
    shipped = REPOSITORY / "scalefit" / "cli" / "policy.schema.json"
    assert shipped.read_text(encoding="utf-8") == schema_text(), "run: python -m scalefit.cli.policy_keys"
    schema: dict[str, Any] = json.loads(schema_text())
    entry = schema["$defs"][GateEntry.__name__]
    assert set(entry["properties"]) == set(KINDS)
    assert (entry["minProperties"], entry["maxProperties"], entry["additionalProperties"]) == (1, 1, False)
    assert schema["$defs"]["PolicyFile"]["required"] == ["gates"]
    assert all("description" in part for name, part in schema["$defs"].items() if name.endswith("Keys"))


def test_sample_policy_is_read() -> None:
    book = read_policy(str(REPOSITORY / "sample_logs" / "scalefit.yaml"))
    assert all(Path(book.reference_path(reference)).is_file() for reference in book.references)
    assert book.references
