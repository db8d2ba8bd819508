"""The keys of the policy file, and the JSON Schema that editors complete them by."""

import json
import sys
from typing import Annotated, Any, Literal

import msgspec

SCHEMA_TITLE = "Policy of scalefit check"
"""What editors call it."""


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What every mapping of the file shares: an unknown key is a mistake."""


class _GateKeys(_Document, frozen=True, kw_only=True):
    name: Annotated[str, msgspec.Meta(description="Identifier in every output.", min_length=1)] | None = None
    severity: Annotated[
        Literal["error", "warn", "off"],
        msgspec.Meta(description="error: decides the exit code; warn: is only reported; off: is not judged."),
    ] = "error"


class _Bounds(_GateKeys, frozen=True, kw_only=True):
    at_least: Annotated[float, msgspec.Meta(description="Lowest acceptable reward.")] | None = None
    at_most: Annotated[float, msgspec.Meta(description="Highest acceptable reward, where lower is better.")] | None = (
        None
    )


_BandName = Annotated[
    Literal["robust", "sigmoid"],
    msgspec.Meta(description="robust: runs leave their curve as real ones do; sigmoid: the run keeps to it."),
]


class AsymptoteKeys(_Bounds, frozen=True, kw_only=True):
    """The reward that unlimited compute would approach; judged by its own interval."""


class FinalKeys(_Bounds, frozen=True, kw_only=True):
    """The reward at the budget."""

    band: _BandName = "robust"


class ReachKeys(_GateKeys, frozen=True, kw_only=True):
    """A reward is reached in time."""

    reward: Annotated[float, msgspec.Meta(description="The reward to be reached.")]
    within: Annotated[float, msgspec.Meta(gt=0, description="Compute by which it must be reached.")]
    band: _BandName = "robust"


class EfficiencyKeys(_GateKeys, frozen=True, kw_only=True):
    """The scaling exponent B; judged by its own interval."""

    at_least: Annotated[float, msgspec.Meta(gt=0, description="Lowest acceptable exponent.")]


class OnTrackKeys(_GateKeys, frozen=True, kw_only=True):
    """The run is no worse than a reference run, judged as a sequence of looks."""

    reference: Annotated[str, msgspec.Meta(min_length=1, description="Log of the reference, from this file's folder.")]
    spread: (
        Annotated[float, msgspec.Meta(ge=0, description="Standard deviation between the ceilings of repeated runs.")]
        | None
    ) = None
    tolerance: (
        Annotated[float, msgspec.Meta(gt=0, description="Gap to be ruled out before the run is on track.")] | None
    ) = None


class NoCollapseKeys(_GateKeys, frozen=True, kw_only=True):
    """The run has not fallen from its best smoothed reward."""

    drop: Annotated[float, msgspec.Meta(gt=0, description="Largest acceptable fall.")] = 0.05


class RemainingGainKeys(_GateKeys, frozen=True, kw_only=True):
    """The rest of the budget is worth it."""

    at_least: Annotated[float, msgspec.Meta(gt=0, description="Lowest acceptable gain from now to the budget.")]
    band: _BandName = "robust"


class GateEntry(_Document, frozen=True, kw_only=True):
    """One gate: a mapping with one key, its kind."""

    asymptote: AsymptoteKeys | None = None
    final: FinalKeys | None = None
    reach: ReachKeys | None = None
    efficiency: EfficiencyKeys | None = None
    on_track: OnTrackKeys | None = None
    no_collapse: NoCollapseKeys | None = None
    remaining_gain: RemainingGainKeys | None = None


class RunKeys(_Document, frozen=True, kw_only=True):
    """What is different for the runs that a glob matches."""

    budget: Annotated[float, msgspec.Meta(gt=0, description="Planned total compute.")] | None = None
    level: Annotated[float, msgspec.Meta(gt=0, lt=1, description="Probability of the intervals.")] | None = None
    gates: Annotated[
        dict[str, dict[str, str | float | None]],
        msgspec.Meta(description="Name of a gate -> the keys that change."),
    ] = {}


class PolicyFile(_Document, frozen=True, kw_only=True):
    """What is asked of ongoing runs."""

    gates: Annotated[list[GateEntry], msgspec.Meta(min_length=1, description="What is asked, in the order shown.")]
    budget: Annotated[float, msgspec.Meta(gt=0, description="Planned total compute, in the log's unit.")] | None = None
    level: Annotated[float, msgspec.Meta(gt=0, lt=1, description="Probability of the intervals.")] = 0.9
    on_inconclusive: Annotated[
        Literal["pass", "fail", "report"],
        msgspec.Meta(description="What becomes of evidence that is not enough; report: exit code 3."),
    ] = "report"
    runs: Annotated[
        dict[str, RunKeys], msgspec.Meta(description="Glob of names or paths of runs -> what is different for them.")
    ] = {}


def policy_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the policy file, for editors."""
    (reference,), definitions = msgspec.json.schema_components([PolicyFile], ref_template="#/$defs/{name}")
    gate = definitions["GateEntry"]
    # A gate is of one kind: its mapping holds one key, and that key has keys of its own.
    gate |= {"minProperties": 1, "maxProperties": 1}
    for kind, keys in gate["properties"].items():
        target = next(option for option in keys["anyOf"] if "$ref" in option)
        gate["properties"][kind] = {"anyOf": [target, {"type": "null"}]} if kind == "no_collapse" else target
    for bounded in ("AsymptoteKeys", "FinalKeys"):
        definitions[bounded]["oneOf"] = [{"required": ["at_least"]}, {"required": ["at_most"]}]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA_TITLE,
        **reference,
        "$defs": definitions,
    }


def schema_text() -> str:
    """Return the JSON Schema as the package ships it, in ``policy.schema.json`` beside this module."""
    return json.dumps(policy_schema(), indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
