"""Policy and run -> verdict."""

import dataclasses
from collections.abc import Mapping

from scalefit.caveats import Fit
from scalefit.errors import NotEnoughDataError, UsageError
from scalefit.forecast import Settings, fit_run, forecast_fit
from scalefit.gate.judges import Case, judge
from scalefit.gate.outlook import advise, foresee, next_look
from scalefit.gate.policy import (
    Asymptote,
    Demand,
    Final,
    Gate,
    NoCollapse,
    OnTrack,
    Policy,
    Reach,
    RemainingGain,
    Severity,
)
from scalefit.gate.quantity import amount, number
from scalefit.gate.verdict import Finding, GateVerdict, RunVerdict, State
from scalefit.run import Run


def check_run(
    run: Run, policy: Policy, settings: Settings | None = None, references: Mapping[str, Fit] | None = None
) -> RunVerdict:
    """Hold a run against a policy.

    Parameters
    ----------
    run
        The run as logged so far.
    policy
        What is asked of it.
    settings
        How it is fitted; budget and level are the policy's. None: every row, otherwise the command line's defaults.
    references
        The fitted references that `OnTrack` names.

    Raises
    ------
    UsageError
        If the policy cannot be meant for this run: a budget below what is logged, a threshold that the reward cannot
        have, a reference that is missing or in another unit of compute.
    """
    settings = dataclasses.replace(
        settings or Settings(fraction=1.0), budget=policy.budget, level=policy.level, at=(), reach=()
    )
    gates = [gate for gate in policy.gates if gate.severity is not Severity.OFF]
    last = float(run.compute[-1]) if run.compute.size else 0.0
    _require_budget(run, policy, gates, last)
    for gate in gates:
        _require_reference(run, gate, references or {})
    case: Case | None = None
    try:
        fit = fit_run(run, settings)
        case = Case(fit=fit, forecast=forecast_fit(fit, settings), references=references or {})
        for gate in gates:
            _require_threshold(case, gate)
        findings = [judge(gate.demand, case) for gate in gates]
    except NotEnoughDataError:
        reason = f"not enough data: {run.compute.size} rows up to {amount(last)} {run.unit}"
        findings = [
            Finding(
                state=State.INCONCLUSIVE, value=None, low=None, high=None, threshold=_threshold(gate.demand),
                reason=reason,
            )
            for gate in gates
        ]  # fmt: skip
    budget = policy.budget if policy.budget is not None and policy.budget > last else None
    looks = [next_look(run, found, budget) for found in findings]
    return RunVerdict(
        run=run.name,
        path=run.source.path,
        unit=run.unit,
        rows=int(run.compute.size),
        compute=last,
        on_inconclusive=policy.on_inconclusive,
        gates=tuple(
            GateVerdict(
                run=run.name,
                gate=gate.name,
                kind=gate.demand.kind,
                blocks=gate.severity is Severity.ERROR,
                is_floor=_is_floor(gate.demand),
                **{field.name: getattr(found, field.name) for field in dataclasses.fields(Finding)},
                advice=advise(
                    gate.demand.kind,
                    found.state,
                    look,
                    run.unit,
                    has_value=found.value is not None,
                    has_budget=budget is not None,
                ),
            )
            for gate, found, look in zip(gates, findings, looks, strict=True)
        ),
        outlook=None if case is None or budget is None else foresee(case.fit, budget, policy.level, looks),
        forecast=None if case is None else case.forecast,
    )


def _require_budget(run: Run, policy: Policy, gates: list[Gate], last: float) -> None:
    if policy.budget is not None and policy.budget < last * (1 - 1e-9):
        raise UsageError(
            f"a budget of {amount(policy.budget)} {run.unit} is below the {amount(last)} that {run.name} has logged",
            where=policy.budget_where,
            expected="expected the planned total",
            remedy="raise the budget",
        )
    for gate in gates:
        if policy.budget is None and isinstance(gate.demand, RemainingGain):
            raise UsageError(
                "no budget is given, so nothing remains", where=gate.where,
                expected="expected the planned total compute", remedy="set budget in the policy or give --budget",
            )  # fmt: skip


def _require_reference(run: Run, gate: Gate, references: Mapping[str, Fit]) -> None:
    if not isinstance(gate.demand, OnTrack):
        return
    if gate.demand.reference not in references:
        raise UsageError(
            f"the reference '{gate.demand.reference}' was not read", where=gate.where, expected="expected its fit"
        )
    unit = references[gate.demand.reference].run.unit
    if unit != run.unit:
        raise UsageError(
            f"the reference counts compute in {unit}, {run.name} in {run.unit}",
            where=gate.where,
            expected="expected one unit",
            remedy="choose columns with --x, or turn both into GPU-hours with --gpus or --gpu-hours-per-step",
        )


def _require_threshold(case: Case, gate: Gate) -> None:
    limits = case.forecast.reward_range
    low, high = limits.low, limits.high
    demand = gate.demand
    key, size = ("drop", "drop") if isinstance(demand, NoCollapse) else ("at_least", "gain")
    if isinstance(demand, NoCollapse | RemainingGain):
        asked = demand.drop if isinstance(demand, NoCollapse) else demand.at_least
        if low is not None and high is not None and asked > high - low:
            raise UsageError(
                f"a {size} of {number(asked)} is more than the reward's whole range ({number(low)} - {number(high)})",
                where=_where(gate, key),
                expected="expected less",
                remedy="say what the reward can be with --range",
            )
        return
    if not isinstance(demand, Asymptote | Final | Reach):
        return
    key = "reward" if isinstance(demand, Reach) else "at_least" if demand.at_least is not None else "at_most"
    asked = _reward_asked(demand)
    if (low is not None and asked < low) or (high is not None and asked > high):
        ends = f"{'no limit' if low is None else number(low)} - {'no limit' if high is None else number(high)}"
        raise UsageError(
            f"{number(asked)} is outside of what the reward can be ({ends})",
            where=_where(gate, key),
            expected="expected a reward in it",
            remedy="say what the reward can be with --range",
        )


def _where(gate: Gate, key: str) -> str:
    """Return where a key of a gate is; an option is its own key."""
    return gate.where if gate.where.startswith("--") else f"{gate.where}.{key}"


def _reward_asked(demand: Asymptote | Final | Reach) -> float:
    if isinstance(demand, Reach):
        return demand.reward
    return demand.at_least if demand.at_least is not None else demand.at_most or 0.0


def _threshold(demand: Demand) -> float | None:
    if isinstance(demand, OnTrack):
        return None if demand.tolerance is None else -demand.tolerance
    if isinstance(demand, NoCollapse):
        return demand.drop
    if isinstance(demand, Reach):
        return demand.within
    if isinstance(demand, Asymptote | Final):
        return _reward_asked(demand)
    return demand.at_least


def _is_floor(demand: Demand) -> bool:
    if isinstance(demand, Asymptote | Final):
        return demand.at_least is not None
    return not isinstance(demand, Reach | NoCollapse)
