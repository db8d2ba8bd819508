"""False alarms and power of the gates on runs of known truth: the benchmark, made small, with fixed seeds."""

import importlib.util
import sys
from types import ModuleType

import pytest
from scipy.stats import binom

from tests.shared_folder import REPOSITORY

pytestmark = pytest.mark.slow

RUNS = 5
"""Runs of 20 looks each."""
FAULTY_RUNS = 16
"""Runs in which something is wrong: with fewer of them the bound would be 0, and nothing could fail."""


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_monitor", REPOSITORY / "benchmarks" / "monitor.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("autocorrelation", [0.6, 0.9])
@pytest.mark.parametrize(
    ("figure", "rate"),
    [("false_alarm", 0.1), ("false_collapse", 0.02), ("asymptote_is_misjudged", 0.05)],
)
def test_mistakes_are_as_rare_as_promised(
    benchmark: ModuleType, figure: str, rate: float, autocorrelation: float
) -> None:
    mistakes = sum(getattr(benchmark, figure)((index, autocorrelation)) for index in range(RUNS))
    # More than this happens in one of a thousand such samples at the promised rate.
    assert mistakes <= binom.ppf(0.999, RUNS, rate)


@pytest.mark.parametrize("autocorrelation", [0.6, 0.9])
@pytest.mark.parametrize(("figure", "rate"), [("lowered_is_flagged", 0.7), ("collapse_is_seen", 0.95)])
def test_what_is_wrong_is_seen_as_often_as_promised(
    benchmark: ModuleType, figure: str, rate: float, autocorrelation: float
) -> None:
    seen = sum(getattr(benchmark, figure)((index, autocorrelation)) for index in range(FAULTY_RUNS))
    assert seen >= binom.ppf(0.001, FAULTY_RUNS, rate)
