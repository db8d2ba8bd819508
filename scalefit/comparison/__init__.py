"""Which recipe wins, at what budget, and how sure that is: two or more posteriors -> differences and verdicts."""

from scalefit.comparison.pair import Incomparable, PairComparison, Verdict, compare_pair
from scalefit.comparison.ranges import agree_on_range
from scalefit.comparison.recipe import Recipe, RecipeDraws
from scalefit.comparison.study import TIE, Comparison, compare

__all__ = [
    "TIE",
    "Comparison",
    "Incomparable",
    "PairComparison",
    "Recipe",
    "RecipeDraws",
    "Verdict",
    "agree_on_range",
    "compare",
    "compare_pair",
]
