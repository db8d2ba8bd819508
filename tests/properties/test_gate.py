"""What must hold of a gate whatever the run: order of thresholds, order of states, and nothing but three of them."""

import dataclasses
import functools

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from scalefit.forecast import Settings, fit_run, forecast_fit
from scalefit.gate import (
    Asymptote,
    Demand,
    Efficiency,
    Final,
    Gate,
    NoCollapse,
    OnInconclusive,
    Policy,
    Reach,
    RemainingGain,
    Severity,
    State,
    check_run,
)
from scalefit.gate.judges import Case, judge
from scalefit.gate.verdict import worst
from tests.runs import draw_run

ORDER = {State.FAIL: 0, State.INCONCLUSIVE: 1, State.PASS: 2}
STATES = st.sampled_from(list(State))


@functools.cache
def _case(seed: int) -> Case:
    options = Settings(fraction=1.0, budget=32000.0)
    fit = fit_run(draw_run(points=60, seed=seed, autocorrelation=0.6), options)
    return Case(fit=fit, forecast=forecast_fit(fit, options), references={})


def _rank(demand: Demand, seed: int) -> int:
    return ORDER[judge(demand, _case(seed)).state]


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(0, 3), st.floats(0, 1), st.floats(0, 1))
def test_asking_more_is_never_easier(seed: int, one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert _rank(Asymptote(at_least=more), seed) <= _rank(Asymptote(at_least=less), seed)
    assert _rank(Asymptote(at_most=less), seed) <= _rank(Asymptote(at_most=more), seed)
    assert _rank(Final(at_least=more), seed) <= _rank(Final(at_least=less), seed)
    assert _rank(RemainingGain(at_least=more), seed) <= _rank(RemainingGain(at_least=less), seed)
    assert _rank(Efficiency(at_least=1 + 3 * more), seed) <= _rank(Efficiency(at_least=1 + 3 * less), seed)
    assert _rank(NoCollapse(drop=0.001 + less), seed) <= _rank(NoCollapse(drop=0.001 + more), seed)
    assert _rank(Reach(reward=more, within=9000), seed) <= _rank(Reach(reward=less, within=9000), seed)
    early, late = (100 + 30000 * share for share in (less, more))
    assert _rank(Reach(reward=0.55, within=early), seed) <= _rank(Reach(reward=0.55, within=late), seed)


@given(st.sets(STATES))
def test_the_worst_state_decides(states: set[State]) -> None:
    expected = min(states, key=ORDER.__getitem__) if states else State.PASS
    assert worst(states) is expected


@pytest.mark.slow
@settings(max_examples=20)
@given(st.floats(0.3, 0.9), st.sampled_from(list(OnInconclusive)))
def test_mapping_changes_only_what_is_not_clear(threshold: float, mapping: OnInconclusive) -> None:
    gate = Gate(name="a", severity=Severity.ERROR, demand=Asymptote(at_least=threshold), where="file")
    policy = Policy(budget=None, level=0.9, on_inconclusive=mapping, gates=(gate,), budget_where="file: budget")
    verdict = check_run(_case(0).fit.run, policy)
    plain = dataclasses.replace(verdict, on_inconclusive=OnInconclusive.REPORT).state
    is_mapped = plain is State.INCONCLUSIVE and mapping is not OnInconclusive.REPORT
    assert verdict.state is (State(mapping.value) if is_mapped else plain)
