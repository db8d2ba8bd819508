"""ScaleRL (arXiv 2510.13786): who wins among the paper's recipes, at half of each run.

Where points were read off the figures they are used: the paper's own windows of about half of each run. For the other
recipes logs are drawn from the published fits. Half of a run often does not bound a ceiling; then no winner is named.
"""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from scalefit.comparison import PairComparison, Recipe, RecipeDraws, Verdict, compare_pair
from scalefit.forecast import Settings, fit_run
from tests.runs import draw_run, make_run, read_columns

CEILING = {Verdict.A_HIGHER_CEILING, Verdict.B_HIGHER_CEILING}

PUBLISHED = {
    "CISPO": (0.595, 2.18),
    "GSPO": (0.59, 1.8),
    "DAPO loss": (0.52, 4.55),
    "FP32": (0.61, 1.79),
    "no FP32": (0.52, 4.55),
    "lag 4": (0.52, 4.17),
    "lag 8": (0.52, 4.55),
    "lag 12": (0.49, 4.97),
}
"""A and B; midpoints are not published for all, and the start is that of the 8B model."""


def _pair(recipes: dict[str, Recipe], a: str, b: str) -> PairComparison:
    pair = compare_pair(RecipeDraws(recipes[a], 0), RecipeDraws(recipes[b], 1), level=0.9, tie=0.02)
    assert isinstance(pair, PairComparison)
    return pair


@pytest.fixture(scope="module")
def read(shared: Path) -> dict[str, Recipe]:
    recipes = {}
    for file in ("scalerl_fig1_digitized.csv", "scalerl_figs_digitized_more.csv"):
        columns = read_columns(shared / "paper" / file)
        names, segments = np.array(columns["run"]), np.array(columns["segment"])
        compute, reward = np.array(columns["gpu_hours"], float), np.array(columns["pass_rate_mean16"], float)
        for name in dict.fromkeys(names.tolist()):
            mine = np.flatnonzero((names == name) & (segments == "fit"))
            mine = mine[np.argsort(compute[mine], kind="stable")]
            start = 0.512 if "Scout" in name else 0.4
            settings = Settings(fraction=1, skip_until=1500.0, reward_range=(0.0, 1.0), start=start)
            run = dataclasses.replace(make_run(compute[mine], reward[mine]), name=name)
            recipes[name] = Recipe(name=name, fits=(fit_run(run, settings),), forecasts=())
    return recipes


@pytest.fixture(scope="module")
def drawn() -> dict[str, Recipe]:
    recipes = {}
    for seed, (name, (asymptote, efficiency)) in enumerate(PUBLISHED.items()):
        run = draw_run(
            points=64, seed=seed, asymptote=asymptote, efficiency=efficiency, midpoint=2500.0, start=0.4,
            noise_sd=0.004, autocorrelation=0.3,
        )  # fmt: skip
        fit = fit_run(dataclasses.replace(run, name=name), Settings(fraction=0.5, start=0.4))
        recipes[name] = Recipe(name=name, fits=(fit,), forecasts=())
    return recipes


@pytest.mark.parametrize("other", ["Magistral", "Qwen2.5-DAPO", "DeepSeek-GRPO"])
def test_scalerl_is_ahead_and_more_probably_ends_higher(read: dict[str, Recipe], other: str) -> None:
    pair = _pair(read, "ScaleRL", other)
    assert pair.asymptote.probability_a_higher > 0.6
    assert pair.at_budget.probability_a_higher > 0.9
    assert pair.verdict is not Verdict.B_HIGHER_CEILING
    assert pair.verdict is not Verdict.B_MORE_EFFICIENT


def test_the_larger_model_ends_higher(read: dict[str, Recipe]) -> None:
    assert _pair(read, "ScaleRL-Scout", "8B-dense-bs2048").verdict is Verdict.A_HIGHER_CEILING


@pytest.mark.parametrize("other", ["PPO-off-policy-1", "PPO-off-policy-8"])
def test_pipelining_is_a_difference_of_speed(read: dict[str, Recipe], other: str) -> None:
    assert _pair(read, "PipelineRL-8", other).verdict is Verdict.A_MORE_EFFICIENT


def test_ties_of_the_paper_are_no_ceilings(read: dict[str, Recipe]) -> None:
    assert _pair(read, "ScaleRL", "MiniMax").verdict not in CEILING
    assert _pair(read, "PPO-off-policy-1", "PPO-off-policy-8").verdict not in CEILING


@pytest.mark.parametrize(("a", "b"), [("CISPO", "DAPO loss"), ("GSPO", "DAPO loss"), ("FP32", "no FP32")])
def test_what_moves_the_ceiling_is_told(drawn: dict[str, Recipe], a: str, b: str) -> None:
    assert _pair(drawn, a, b).verdict is Verdict.A_HIGHER_CEILING


@pytest.mark.parametrize(("a", "b"), [("CISPO", "GSPO"), ("lag 4", "lag 8")])
def test_what_moves_the_speed_is_no_ceiling(drawn: dict[str, Recipe], a: str, b: str) -> None:
    assert _pair(drawn, a, b).verdict not in CEILING


def test_a_lag_of_twelve_ends_lower_with_probability(drawn: dict[str, Recipe]) -> None:
    # 0.03 is hardly more than the spread of repeated runs: likely, not certain.
    assert _pair(drawn, "lag 8", "lag 12").asymptote.probability_a_higher > 0.85
