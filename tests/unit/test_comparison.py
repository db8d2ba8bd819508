import dataclasses
import itertools

import numpy as np
import pytest
from scipy.stats import norm

from scalefit.comparison import (
    Comparison,
    Incomparable,
    PairComparison,
    Recipe,
    RecipeDraws,
    Verdict,
    agree_on_range,
    compare,
    compare_pair,
)
from scalefit.comparison.crossing import crossings
from scalefit.comparison.shared import share_asymptote
from scalefit.comparison.shuffles import chi_square_draws, normal_draws, shuffle
from scalefit.errors import UsageError
from scalefit.forecast import Settings, fit_run
from scalefit.run import Run
from tests.runs import draw_run, make_run

HALF = Settings(fraction=0.5)


def _recipe(name: str, *runs: Run, settings: Settings = HALF) -> Recipe:
    named = [dataclasses.replace(run, name=f"{name}-{place}") for place, run in enumerate(runs)]
    return Recipe(name=name, fits=tuple(fit_run(run, settings) for run in named), forecasts=())


def _pair(a: Recipe, b: Recipe, *, tie: float = 0.02) -> PairComparison:
    pair = compare_pair(RecipeDraws(a, 0), RecipeDraws(b, 1), level=0.9, tie=tie)
    assert isinstance(pair, PairComparison)
    return pair


def _reason(a: Recipe, b: Recipe) -> str:
    pair = compare_pair(RecipeDraws(a, 0), RecipeDraws(b, 1), level=0.9, tie=0.02)
    assert isinstance(pair, Incomparable)
    return pair.reason


@pytest.fixture(scope="module")
def plain() -> Recipe:
    return _recipe("plain", draw_run(seed=1))


@pytest.fixture(scope="module")
def low() -> Recipe:
    return _recipe("low", draw_run(seed=2, asymptote=0.5))


@pytest.fixture(scope="module")
def fast() -> Recipe:
    return _recipe("fast", draw_run(seed=3, efficiency=2.6))


def test_shuffles_are_permutations_independent_of_each_other() -> None:
    orders = [shuffle(2000, place) for place in (0, 1, 2, 7, 300, 1400)]
    for order in orders:
        assert sorted(order.tolist()) == list(range(2000))
    for one, other in itertools.combinations(orders, 2):
        # Any two fill the square: no cell of 5 x 5 is far from its share of 80.
        counts = np.histogram2d(one, other, bins=5)[0]
        assert counts.min() > 45
        assert counts.max() < 115


def test_shuffled_draws_have_their_distribution() -> None:
    assert np.std(normal_draws(2000, 3)) == pytest.approx(1, abs=0.01)
    assert np.mean(chi_square_draws(2000, 4, 3)) == pytest.approx(3, abs=0.02)


def test_the_higher_ceiling_wins(plain: Recipe, low: Recipe) -> None:
    pair = _pair(plain, low)
    assert pair.verdict is Verdict.A_HIGHER_CEILING
    assert pair.asymptote.difference.estimate == pytest.approx(0.12, abs=0.02)
    assert pair.asymptote.probability_a_higher > 0.99
    assert pair.shared_asymptote is None


def test_the_order_of_a_pair_only_turns_its_signs(plain: Recipe, low: Recipe) -> None:
    one, other = _pair(plain, low), _pair(low, plain)
    assert other.verdict is Verdict.B_HIGHER_CEILING
    assert other.asymptote.probability_a_higher == pytest.approx(1 - one.asymptote.probability_a_higher, abs=0.02)
    assert other.asymptote.difference.estimate == pytest.approx(-(one.asymptote.difference.estimate or 0), abs=0.003)


def test_with_one_ceiling_the_faster_wins_at_a_shared_asymptote(plain: Recipe, fast: Recipe) -> None:
    pair = _pair(plain, fast)
    assert pair.verdict is Verdict.B_MORE_EFFICIENT
    assert pair.shared_asymptote == pytest.approx(0.62, abs=0.01)
    assert pair.efficiencies[0].estimate == pytest.approx(1.6, abs=0.25)
    assert pair.efficiencies[1].estimate == pytest.approx(2.6, abs=0.3)
    assert pair.speed is not None
    assert pair.speed.probability_a_faster < 0.05


def test_a_tie_is_the_users_to_define(plain: Recipe, low: Recipe) -> None:
    assert _pair(plain, low, tie=0.3).verdict not in {Verdict.A_HIGHER_CEILING, Verdict.B_HIGHER_CEILING}


def test_equal_runs_are_not_told_apart(plain: Recipe) -> None:
    pair = _pair(plain, _recipe("again", draw_run(seed=9)))
    assert pair.verdict is Verdict.NO_CLEAR_DIFFERENCE
    assert 0.1 < pair.asymptote.probability_a_higher < 0.9


def test_the_crossing_is_where_the_curves_cross() -> None:
    slow = draw_run(budget=8000, asymptote=0.7, efficiency=1.0, midpoint=900.0)
    quick = draw_run(budget=8000, seed=5, asymptote=0.58, efficiency=1.8, midpoint=220.0)
    pair = _pair(_recipe("slow", slow), _recipe("quick", quick))
    found = pair.crossing.compute
    assert found.low is not None
    assert found.high is not None
    assert found.low < 3479 < found.high
    assert pair.crossing.early_leader_is_a is False
    assert pair.crossing.probability > 0.9


def test_crossings_are_found_between_the_points() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0])
    difference = np.array(
        [[-3.0, -1.0, 1.0, 3.0], [2.0, 1.0, -3.0, -3.0], [1.0, 1.0, 1.0, 1.0], [0.001, -1.0, -1.0, -1.0]]
    )
    where, is_positive = crossings(x, difference, 0.01)
    assert where[:2].tolist() == [1.5, 1.25]
    assert is_positive[:2].tolist() == [0.0, 1.0]
    assert np.isnan(where[2])
    # A lead of a thousandth does not change hands: nobody would call it one.
    assert np.isnan(where[3])


def test_of_several_crossings_the_one_that_matters_counts() -> None:
    difference = np.array([[0.1, -0.1, 0.1, 5.0, -5.0]])
    where, _ = crossings(np.arange(5.0), difference, 0.0)
    assert where[0] == pytest.approx(3.5)


def test_rewards_are_compared_at_equal_compute(plain: Recipe) -> None:
    short = _recipe("short", draw_run(budget=4000.0, seed=4))
    pair = _pair(plain, short)
    assert pair.at_budget.compute == 4000
    assert not pair.at_budget.b_is_extrapolated
    assert [place.compute for place in pair.at] == [16000]
    assert pair.at[0].b_is_extrapolated
    assert not pair.at[0].a_is_extrapolated


def test_seeds_narrow_what_another_run_may_do() -> None:
    seeds = [draw_run(seed=seed) for seed in range(5)]
    single, several = RecipeDraws(_recipe("one", seeds[0]), 0), RecipeDraws(_recipe("five", *seeds), 0)
    assert np.std(several.asymptote) < 0.7 * np.std(single.asymptote)


def test_seeds_that_differ_widen_it() -> None:
    alike = RecipeDraws(_recipe("alike", *(draw_run(seed=seed) for seed in range(3))), 0)
    apart = [draw_run(seed=seed, asymptote=asymptote) for seed, asymptote in enumerate((0.5, 0.62, 0.74))]
    assert np.std(RecipeDraws(_recipe("apart", *apart), 0).asymptote) > 3 * np.std(alike.asymptote)


def test_a_single_run_has_the_published_spread(plain: Recipe) -> None:
    draws = RecipeDraws(plain, 0)
    expected = np.hypot(np.std(draws.own_asymptote), 0.015)
    assert np.std(draws.asymptote) == pytest.approx(expected, rel=0.05)


def test_sharing_is_the_product_of_the_densities(plain: Recipe, fast: Recipe) -> None:
    one, other = RecipeDraws(plain, 0), RecipeDraws(fast, 1)
    shared = share_asymptote((one, other))
    assert shared is not None
    means = [float(each.own_asymptote.mean()) for each in (one, other)]
    variances = [float(each.own_asymptote.var()) for each in (one, other)]
    weights = [1 / (variance + 0.015**2) for variance in variances]
    expected = np.average(means, weights=weights)
    assert float(np.mean(shared.asymptote)) == pytest.approx(expected, abs=0.003)


def test_ceilings_apart_are_brought_to_one_between_them() -> None:
    sharp = [_recipe(f"{asymptote}", draw_run(asymptote=asymptote, noise_sd=0.002)) for asymptote in (0.6, 0.64)]
    shared = share_asymptote([RecipeDraws(recipe, place) for place, recipe in enumerate(sharp)])
    assert shared is not None
    assert float(np.median(shared.asymptote)) == pytest.approx(0.62, abs=0.005)
    # To end higher than its own data say a curve must bend later: its efficiency falls, and the other one's rises.
    assert np.median(shared.log_efficiency[0]) < np.log(1.6) < np.median(shared.log_efficiency[1])


def test_lower_can_be_better() -> None:
    def falling(seed: int, asymptote: float) -> Run:
        run = draw_run(seed=seed, asymptote=asymptote)
        return make_run(run.compute, 1 - run.reward)

    settings = dataclasses.replace(HALF, minimize=True)
    better, worse = (
        _recipe(name, falling(seed, asymptote), settings=settings)
        for name, seed, asymptote in (("better", 1, 0.62), ("worse", 2, 0.5))
    )
    pair = _pair(better, worse)
    assert pair.verdict is Verdict.A_HIGHER_CEILING
    assert pair.asymptote.probability_a_higher < 0.01
    assert compare([worse, better]).ranking[0].name == "better"


def test_the_same_rows_are_no_pair(plain: Recipe) -> None:
    assert "hold the same rows" in _reason(plain, dataclasses.replace(plain, name="copy"))


def test_units_must_agree(plain: Recipe) -> None:
    steps = dataclasses.replace(draw_run(seed=2), unit="steps")
    assert "plain counts compute in gpu-hours, other in steps" in _reason(plain, _recipe("other", steps))


def test_percent_is_no_fraction(plain: Recipe) -> None:
    run = draw_run(seed=2)
    assert "one may be a percentage" in _reason(plain, _recipe("other", make_run(run.compute, 100 * run.reward)))


def test_reward_columns_must_agree(plain: Recipe) -> None:
    run = draw_run(seed=2)
    other = _recipe("other", make_run(run.compute, run.reward, column="val/accuracy"))
    assert "'val/accuracy'" in _reason(plain, other)
    pair = compare_pair(RecipeDraws(plain, 0), RecipeDraws(other, 1), level=0.9, tie=0.02, column_given=True)
    assert isinstance(pair, PairComparison)


def test_a_constant_is_no_curve(plain: Recipe) -> None:
    compute = draw_run().compute
    assert "is 0.4: that is no curve" in _reason(plain, _recipe("flat", make_run(compute, np.full(compute.size, 0.4))))


def test_runs_need_compute_in_common(plain: Recipe) -> None:
    run = draw_run(seed=2)
    late = _recipe("late", make_run(run.compute + 1e6, run.reward), settings=Settings(fraction=1))
    assert "no compute in common" in _reason(plain, late)


def test_a_range_is_agreed_on(plain: Recipe) -> None:
    run = draw_run(seed=2)
    wide = _recipe("wide", make_run(run.compute, run.reward - 0.3))
    agreed, refitted = agree_on_range([plain, dataclasses.replace(wide)], HALF)
    assert refitted == ("plain",)
    assert not agreed[0].fits[0].posterior.reward_range.is_bounded
    assert agree_on_range([plain, plain], HALF)[1] == ()


@pytest.fixture(scope="module")
def study(plain: Recipe, low: Recipe, fast: Recipe) -> Comparison:
    return compare([low, plain, fast], baseline="plain")


def test_a_ranking_adds_up(study: Comparison) -> None:
    assert sum(rank.probability_best for rank in study.ranking) == pytest.approx(1)
    assert study.ranking[-1].name == "low"
    assert {rank.name for rank in study.ranking} == {"plain", "fast", "low"}


def test_the_baseline_is_what_the_others_are_compared_with(study: Comparison) -> None:
    assert [(pair.a, pair.b) for pair in study.pairs] == [("plain", "low"), ("plain", "fast")]


def test_leaving_one_out_compares_efficiencies_at_one_asymptote(study: Comparison) -> None:
    table = study.leave_one_out
    assert table is not None
    assert [row.name for row in table.rows] == ["fast", "plain", "low"]
    assert table.rows[2].efficiency is None
    efficiency = table.rows[0].efficiency
    assert efficiency is not None
    row = table.rows[0]
    # The linearised rewards are a line of slope B in log-log, where noise is small against gain and against what is
    # left to gain.
    inside = (row.linear_compute > 400) & (row.linear_compute < 2500)
    slope = np.polyfit(np.log(row.linear_compute[inside]), np.log(row.linear_reward[inside]), 1)[0]
    assert slope == pytest.approx(efficiency.estimate, rel=0.15)


def test_all_pairs_are_all_pairs(plain: Recipe, low: Recipe, fast: Recipe) -> None:
    pairs = compare([plain, low, fast], all_pairs=True).pairs
    assert [(pair.a, pair.b) for pair in pairs] == [("plain", "low"), ("plain", "fast"), ("low", "fast")]


def test_what_cannot_be_compared_is_not_ranked_and_not_lost(plain: Recipe, low: Recipe) -> None:
    steps = _recipe("steps", dataclasses.replace(draw_run(seed=2), unit="steps"))
    comparison = compare([plain, low, steps])
    assert comparison.unranked == ("steps",)
    assert isinstance(comparison.pairs[1], Incomparable)
    assert len(comparison.ranking) == 2


def test_two_recipes_are_needed(plain: Recipe) -> None:
    with pytest.raises(UsageError, match=r"RUN: 1 usable run \(plain\); expected at least two"):
        compare([plain])


def test_names_must_differ(plain: Recipe) -> None:
    with pytest.raises(UsageError, match="two runs are called 'plain'"):
        compare([plain, plain])


def test_the_baseline_must_be_there(plain: Recipe, low: Recipe) -> None:
    with pytest.raises(UsageError, match=r"--baseline: no run is called 'x'; expected one of plain, low"):
        compare([plain, low], baseline="x")


def test_the_probability_is_that_of_independent_runs(plain: Recipe, low: Recipe) -> None:
    one, other = RecipeDraws(plain, 0), RecipeDraws(low, 1)
    gap = float(one.asymptote.mean() - other.asymptote.mean()) - 0.12
    spread = float(np.hypot(np.std(one.asymptote), np.std(other.asymptote)))
    drawn = float((one.asymptote - other.asymptote > 0.12).mean())
    assert drawn == pytest.approx(float(norm.cdf(gap / spread)), abs=0.03)
