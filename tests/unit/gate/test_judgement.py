import dataclasses

import numpy as np
import pytest

from scalefit.caveats import Fit
from scalefit.errors import UsageError
from scalefit.forecast import Settings, fit_run
from scalefit.gate import (
    Asymptote,
    Band,
    Demand,
    Efficiency,
    Final,
    Gate,
    GateVerdict,
    NoCollapse,
    OnInconclusive,
    OnTrack,
    Policy,
    Reach,
    RemainingGain,
    RunVerdict,
    Severity,
    State,
    Verdict,
    check_run,
)
from scalefit.gate.judges import Case, judge
from scalefit.run import Run
from tests.runs import draw_run, make_run

RUN = draw_run(seed=1)
BUDGET = 32000.0


def _policy(*demands: Demand, severity: Severity = Severity.ERROR, **changes: object) -> Policy:
    gates = tuple(
        Gate(
            name=f"{demand.kind}-{place}", severity=severity, demand=demand, where=f"file: gates[{place}].{demand.kind}"
        )
        for place, demand in enumerate(demands)
    )
    policy = Policy(
        budget=BUDGET, level=0.9, on_inconclusive=OnInconclusive.REPORT, gates=gates, budget_where="file: budget"
    )
    return dataclasses.replace(policy, **changes)  # type: ignore[arg-type]


def _one(demand: Demand, run: Run = RUN, references: dict[str, Fit] | None = None) -> GateVerdict:
    return check_run(run, _policy(demand), None, references).gates[0]


@pytest.mark.parametrize(
    ("demand", "state"),
    [
        (Asymptote(at_least=0.55), State.PASS),
        (Asymptote(at_least=0.7), State.FAIL),
        (Asymptote(at_least=0.62), State.INCONCLUSIVE),
        (Asymptote(at_most=0.7), State.PASS),
        (Asymptote(at_most=0.55), State.FAIL),
        (Final(at_least=0.3), State.PASS),
        (Final(at_least=0.61, band=Band.SIGMOID), State.PASS),
        (Final(at_least=0.61), State.INCONCLUSIVE),
        (Final(at_least=0.999), State.FAIL),
        (Reach(reward=0.5, within=8000), State.PASS),
        (Reach(reward=0.5, within=500), State.FAIL),
        (Reach(reward=0.62, within=30000), State.INCONCLUSIVE),
        (Reach(reward=0.7, within=30000, band=Band.SIGMOID), State.FAIL),
        (Efficiency(at_least=1.0), State.PASS),
        (Efficiency(at_least=3.0), State.FAIL),
        (Efficiency(at_least=1.6), State.INCONCLUSIVE),
        (NoCollapse(drop=0.05), State.PASS),
        (NoCollapse(drop=0.0001), State.INCONCLUSIVE),
        (RemainingGain(at_least=0.5), State.FAIL),
        (RemainingGain(at_least=0.01), State.INCONCLUSIVE),
        (RemainingGain(at_least=0.0001, band=Band.SIGMOID), State.PASS),
    ],
    ids=str,
)
def test_every_gate_has_its_states(demand: Demand, state: State) -> None:
    verdict = _one(demand)
    assert verdict.state is state
    assert verdict.kind == demand.kind
    assert verdict.reason
    assert not verdict.reason.endswith(".")
    assert (verdict.advice == "continue") == (state is State.PASS)


def test_collapse_fails_and_says_from_where() -> None:
    fallen = make_run(RUN.compute, RUN.reward - 0.2 * (np.arange(200) >= 170))
    verdict = _one(NoCollapse(drop=0.05), fallen)
    assert verdict.state is State.FAIL
    assert "fallen from its best smoothed reward" in verdict.reason
    assert "checkpoint" in verdict.advice


def test_on_track_against_a_reference() -> None:
    references = {"base.csv": fit_run(draw_run(seed=9), Settings(fraction=1.0))}
    demand = OnTrack(reference="base.csv")
    assert _one(demand, RUN, references).reason.startswith("on track")
    low = _one(demand, draw_run(seed=3, asymptote=0.5), references)
    assert low.state is State.FAIL
    assert "below the reference band" in low.reason
    noisy = draw_run(seed=3, points=6, noise_sd=0.1)
    assert _one(demand, noisy, references).state is State.INCONCLUSIVE


def test_too_few_rows_are_no_pass() -> None:
    run = make_run([40, 80, 120], [0.1, 0.2, 0.3])
    verdict = check_run(run, _policy(Asymptote(at_least=0.5), NoCollapse(), Reach(reward=0.5, within=100)))
    assert verdict.state is State.INCONCLUSIVE
    assert {gate.reason for gate in verdict.gates} == {"not enough data: 3 rows up to 120 gpu-hours"}
    assert [gate.threshold for gate in verdict.gates] == [0.5, 0.05, 100]
    assert verdict.outlook is None
    assert "look again at 320 gpu-hours" in verdict.gates[0].advice


def test_a_gate_that_is_off_is_not_judged_and_one_that_warns_does_not_decide() -> None:
    failing = Asymptote(at_least=0.9)
    assert check_run(RUN, _policy(failing, severity=Severity.OFF)).gates == ()
    warned = check_run(RUN, _policy(failing, severity=Severity.WARN))
    assert (warned.gates[0].state, warned.state) == (State.FAIL, State.PASS)


@pytest.mark.parametrize(
    ("mapping", "state"),
    [
        (OnInconclusive.REPORT, State.INCONCLUSIVE),
        (OnInconclusive.PASS, State.PASS),
        (OnInconclusive.FAIL, State.FAIL),
    ],
)
def test_policy_maps_what_is_not_clear(mapping: OnInconclusive, state: State) -> None:
    verdict = check_run(RUN, _policy(Asymptote(at_least=0.62), on_inconclusive=mapping))
    assert verdict.gates[0].state is State.INCONCLUSIVE
    assert verdict.state is state


def test_the_worst_run_decides() -> None:
    def run(state: State) -> RunVerdict:
        demand = {State.PASS: 0.5, State.FAIL: 0.9, State.INCONCLUSIVE: 0.62}[state]
        return check_run(RUN, _policy(Asymptote(at_least=demand)))

    passing, failing, unclear = run(State.PASS), run(State.FAIL), run(State.INCONCLUSIVE)
    assert Verdict(runs=(passing, unclear)).state is State.INCONCLUSIVE
    assert Verdict(runs=(passing, unclear, failing)).state is State.FAIL
    assert len(Verdict(runs=(passing, unclear, failing)).gates) == 3


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (_policy(Asymptote(at_least=65)), "file: gates[0].asymptote.at_least: 65 is outside"),
        (_policy(Final(at_most=-3)), "file: gates[0].final.at_most: -3 is outside"),
        (_policy(Reach(reward=2, within=100)), "file: gates[0].reach.reward: 2 is outside"),
        (_policy(NoCollapse(drop=2)), "file: gates[0].no_collapse.drop: a drop of 2 is more than"),
        (_policy(RemainingGain(at_least=2)), "file: gates[0].remaining_gain.at_least: a gain of 2 is more than"),
        (_policy(NoCollapse(), budget=100), "file: budget: a budget of 100 gpu-hours is below the 16,000"),
        (_policy(RemainingGain(at_least=0.1), budget=None), "file: gates[0].remaining_gain: no budget is given"),
        (_policy(OnTrack(reference="gone.csv")), "file: gates[0].on_track: the reference 'gone.csv' was not read"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_meant_is_an_error(policy: Policy, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_run(RUN, policy)
    assert str(caught.value).startswith(message)


def test_a_reference_in_another_unit_is_an_error() -> None:
    reference = fit_run(dataclasses.replace(RUN, unit="steps"), Settings(fraction=1.0))
    with pytest.raises(UsageError, match=r"counts compute in steps, run\.csv in gpu-hours"):
        _one(OnTrack(reference="base"), RUN, {"base": reference})


def test_outlook_says_what_the_rest_buys_and_when_to_look() -> None:
    outlook = check_run(RUN, _policy(NoCollapse(drop=0.05), Asymptote(at_least=0.62))).outlook
    assert outlook is not None
    assert (outlook.compute, outlook.budget) == (16000, BUDGET)
    assert outlook.until_end.estimate is not None
    assert outlook.per_thousand.estimate == pytest.approx(outlook.until_end.estimate / 16)
    assert outlook.next_look == pytest.approx(17600)
    assert check_run(RUN, _policy(NoCollapse(), budget=None)).outlook is None


def test_a_gain_is_positive_where_lower_is_better() -> None:
    run = draw_run(seed=1, points=40, midpoint=16000.0)
    settings = Settings(fraction=1.0, minimize=True, reward_range=(-1.0, 0.0))
    outlook = check_run(make_run(run.compute, -run.reward, column="loss"), _policy(NoCollapse()), settings).outlook
    assert outlook is not None
    assert outlook.until_end.estimate is not None
    assert outlook.until_end.estimate > 0.02


def test_nobody_judges_what_is_no_demand() -> None:
    fit = fit_run(RUN, Settings(fraction=1.0))
    verdict = check_run(RUN, _policy(NoCollapse()))
    assert verdict.forecast is not None
    with pytest.raises(TypeError, match="no judge for str"):
        judge("asymptote", Case(fit=fit, forecast=verdict.forecast, references={}))  # type: ignore[arg-type]
