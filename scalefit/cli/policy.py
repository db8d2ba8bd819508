"""The policy file: YAML -> policies, with the path of whatever is wrong in it."""

import dataclasses
import fnmatch
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from scalefit.cli.policy_errors import convert, nearest, spoken
from scalefit.cli.policy_keys import AsymptoteKeys, FinalKeys, GateEntry, OnTrackKeys, PolicyFile
from scalefit.cli.yaml import load_yaml
from scalefit.errors import UsageError
from scalefit.gate import (
    Asymptote,
    Band,
    Demand,
    Efficiency,
    Final,
    Gate,
    NoCollapse,
    OnInconclusive,
    OnTrack,
    Policy,
    Reach,
    RemainingGain,
    Severity,
)

OPTIONS = types.MappingProxyType({"asymptote": "--min-asymptote", "final": "--min-final", "on_track": "--reference"})
"""Kind of gate -> the option that asks for one."""

DEFAULT_FILE = "scalefit.yaml"
"""Read from the working folder if there is one and no other is named."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PolicyBook:
    """A policy, and what is different for some runs."""

    where: str
    """The file, or the options that stand for one."""
    folder: Path
    """Where paths in it start from."""
    keys: PolicyFile
    """What it says."""
    asked: int
    """How many of its last gates options ask for."""
    as_given: frozenset[str]
    """References that options name: their paths start from the working folder, and they may have a label."""

    def policy_for(
        self, run: str, path: str = "", *, budget: float | None = None, level: float | None = None
    ) -> Policy:
        """Return what is asked of one run.

        Parameters
        ----------
        run
            Its name.
        path
            The path of its log.
        budget
            Overrides the file's, unit of the run.
        level
            Overrides the file's.
        """
        keys, sections = self.keys, list(enumerate(self.keys.gates))
        of_file = len(sections) - self.asked
        entries = [
            (f"{self.where}: gates[{index}].{_kind(entry)}" if index < of_file else OPTIONS[_kind(entry)],
             _kind(entry), entry)
            for index, entry in sections
        ]  # fmt: skip
        named = dict(zip(_names(entries, self.where), entries, strict=True))
        changed = {name: getattr(entry, kind) for name, (_, kind, entry) in named.items()}
        own_budget, own_level = keys.budget, keys.level
        for glob, override in keys.runs.items():
            if not any(fnmatch.fnmatchcase(name, glob) for name in (run, path, Path(path).name)):
                continue
            own_budget = override.budget if override.budget is not None else own_budget
            own_level = override.level if override.level is not None else own_level
            for name, changes in override.gates.items():
                where = f"runs['{glob}'].gates.{name}"
                changed[name] = _changed(changed[name], changes, f"{self.where}: {where}")
        gates = tuple(
            Gate(
                name=name,
                severity=Severity(changed[name].severity),
                demand=_DEMANDS[kind](changed[name], where),
                where=where,
            )
            for name, (where, kind, _) in named.items()
        )
        return Policy(
            budget=budget if budget is not None else own_budget,
            level=level if level is not None else own_level,
            on_inconclusive=OnInconclusive(keys.on_inconclusive),
            gates=gates,
            budget_where="--budget" if budget is not None else f"{self.where}: budget",
        )

    def reference_path(self, reference: str) -> str:
        """Return where a reference is: paths in a file start from its folder.

        Parameters
        ----------
        reference
            As the policy has it.
        """
        return reference if reference in self.as_given else str(self.folder / reference)

    @property
    def references(self) -> tuple[str, ...]:
        """Every reference that a gate names, each once; gates that are off for every run need none."""
        policies = [self.policy_for(glob, glob) for glob in ("", *self.keys.runs)]
        found = [
            gate.demand.reference
            for policy in policies
            for gate in policy.gates
            if isinstance(gate.demand, OnTrack) and gate.severity is not Severity.OFF
        ]
        return tuple(dict.fromkeys(found))


def read_policy(path: str) -> PolicyBook:
    """Read a policy file.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    UsageError
        If it cannot be read, is no YAML, or says something that cannot be meant.
    """
    content = load_yaml(path)
    if content is None:
        raise UsageError(
            "an empty policy", where=path, expected="expected gates", remedy="add e.g. gates: [{no_collapse: {}}]"
        )
    if not isinstance(content, dict):
        raise UsageError(
            f"{spoken(content)} is no policy", where=path, expected="expected a mapping with the key gates"
        )
    book = PolicyBook(
        where=path,
        folder=Path(path).parent,
        asked=0,
        as_given=frozenset(),
        keys=convert(_with_empty_gates(content), PolicyFile, path),
    )
    _require_one_kind(book)
    # Every override is tried now: a mistake must not wait for the run that it matches.
    names = [gate.name for gate in book.policy_for("").gates]
    for glob, override in book.keys.runs.items():
        for name in override.gates:
            if name not in names:
                raise UsageError(
                    f"there is no gate '{name}'",
                    where=f"{path}: runs['{glob}'].gates.{name}",
                    expected=f"expected one of {', '.join(names)}",
                    remedy=nearest(name, names),
                )
        book.policy_for(glob, glob)
    return book


def policy_of_options(
    *, min_asymptote: float | None, min_final: float | None, reference: str | None, minimize: bool
) -> PolicyBook | None:
    """Return the policy that options stand for; None if they ask for nothing.

    Parameters
    ----------
    min_asymptote
        Of ``--min-asymptote``.
    min_final
        Of ``--min-final``.
    reference
        Of ``--reference``.
    minimize
        Whether lower is better, so that the limits are upper ones.
    """
    side = "at_most" if minimize else "at_least"
    gates: list[dict[str, Any]] = []
    if min_asymptote is not None:
        gates.append({"asymptote": {side: min_asymptote}})
    if min_final is not None:
        gates.append({"final": {side: min_final}})
    if reference is not None:
        gates.append({"on_track": {"reference": reference}})
    if not gates:
        return None
    keys = msgspec.convert({"gates": gates}, PolicyFile)
    given = frozenset() if reference is None else frozenset({reference})
    return PolicyBook(where="options", folder=Path(), keys=keys, asked=len(gates), as_given=given)


def join_policies(first: PolicyBook, second: PolicyBook) -> PolicyBook:
    """Return a file's policy with the gates of the options added.

    Parameters
    ----------
    first
        Of the file.
    second
        Of the options.
    """
    return dataclasses.replace(
        first,
        keys=msgspec.structs.replace(first.keys, gates=[*first.keys.gates, *second.keys.gates]),
        asked=second.asked,
        as_given=second.as_given,
    )


def _with_empty_gates(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content with ``- no_collapse:`` read as a gate without keys, which YAML reads as nothing."""
    gates = content.get("gates")
    if not isinstance(gates, list):
        return content
    filled = [
        {kind: {} if keys is None else keys for kind, keys in entry.items()} if isinstance(entry, dict) else entry
        for entry in gates
    ]
    return {**content, "gates": filled}


# ---- what the keys mean --------------------------------------------------------------------------------------------


def _asymptote(keys: AsymptoteKeys, where: str) -> Demand:
    _require_one_bound(keys, where)
    return Asymptote(at_least=keys.at_least, at_most=keys.at_most)


def _final(keys: FinalKeys, where: str) -> Demand:
    _require_one_bound(keys, where)
    return Final(at_least=keys.at_least, at_most=keys.at_most, band=Band(keys.band))


def _on_track(keys: OnTrackKeys, _: str) -> Demand:
    return OnTrack(reference=keys.reference, spread=keys.spread, tolerance=keys.tolerance)


_DEMANDS: Mapping[str, Any] = types.MappingProxyType(
    {
        "asymptote": _asymptote,
        "final": _final,
        "reach": lambda keys, _: Reach(reward=keys.reward, within=keys.within, band=Band(keys.band)),
        "efficiency": lambda keys, _: Efficiency(at_least=keys.at_least),
        "on_track": _on_track,
        "no_collapse": lambda keys, _: NoCollapse(drop=keys.drop),
        "remaining_gain": lambda keys, _: RemainingGain(at_least=keys.at_least, band=Band(keys.band)),
    }
)
KINDS = tuple(_DEMANDS)
"""Every kind of gate."""


def _require_one_bound(keys: AsymptoteKeys | FinalKeys, where: str) -> None:
    if (keys.at_least is None) == (keys.at_most is None):
        seen = "neither at_least nor at_most" if keys.at_least is None else "both at_least and at_most"
        raise UsageError(seen, where=where, expected="expected one of them")


def _kind(entry: GateEntry) -> str:
    return next((kind for kind in KINDS if getattr(entry, kind) is not None), "")


def _require_one_kind(book: PolicyBook) -> None:
    for index, entry in enumerate(book.keys.gates):
        kinds = [kind for kind in KINDS if getattr(entry, kind) is not None]
        if len(kinds) != 1:
            seen = "no kind of gate" if not kinds else f"{len(kinds)} kinds of gate in one entry ({', '.join(kinds)})"
            raise UsageError(
                seen,
                where=f"{book.where}: gates[{index}]",
                expected="expected one",
                remedy="begin each with '- '" if kinds else None,
            )


def _names(entries: list[tuple[str, str, GateEntry]], where: str) -> list[str]:
    """Return the identifiers of the gates: the kind, numbered from the second of a kind on, unless named."""
    names: list[str] = []
    for key, kind, entry in entries:
        given = getattr(entry, kind).name
        count = 1 + sum(other == kind for _, other, _ in entries[: len(names)])
        name = given or (kind if count == 1 else f"{kind}-{count}")
        if name in names:
            raise UsageError(
                f"a second gate is called '{name}'", where=f"{key}.name" if given else where,
                expected="expected names that differ",
            )  # fmt: skip
        names.append(name)
    return names


def _changed(keys: Any, changes: Mapping[str, Any], where: str) -> Any:  # noqa: ANN401 one of the structs of gates
    return convert({**msgspec.to_builtins(keys), **changes}, type(keys), where)
