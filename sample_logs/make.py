"""Draw the simulated sample logs: the published ScaleRL curves, with noise added.

``python sample_logs/make.py [FOLDER]`` writes ``FOLDER/*.csv`` (default: ``simulated`` beside this script), the same
bytes on every run. The real runs come from train.py.

The curves are those of "The Art of Scaling Reinforcement Learning Compute for LLMs" (arXiv 2510.13786): A, B and, where
its Table 1 gives one, C_mid. Rewards there are mean pass rates on held-out prompts.
"""

import dataclasses
import sys
from pathlib import Path

from scalefit.model.simulation import Truth, draw_rewards, spread_compute

POINTS = 75
"""Evaluations per run: the paper evaluates every 100 steps, and its longest run has 7,400 steps."""

NOISE_SD = 0.004
"""Standard deviation of an evaluation around its curve, pass rate; independent between evaluations."""

START_8B = 0.40
"""Pass rate before training of the 8B model, where not given: 0.396-0.404 in the paper's runs."""

MIDPOINT_8B = 2542.0
"""C_mid, GPU-hours, where none is published: that of ScaleRL on the 8B model at batch size 768 (Table 1)."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A published curve."""

    name: str
    """Of the file."""
    title: str
    """What was trained."""
    source: str
    """Where A and B, and C_mid if published, stand."""
    asymptote: float
    """A, pass rate."""
    efficiency: float
    """B."""
    budget: float
    """End of the run, GPU-hours, as far as the paper follows it."""
    midpoint: float | None = None
    """C_mid, GPU-hours; None: not published, `MIDPOINT_8B` is used."""
    start: float = START_8B
    """R0, pass rate."""


RECIPES = (
    Recipe(
        name="scalerl-8b",
        title="ScaleRL, 8B dense, batch size 2048",
        source="Figure 1 and Table 1",
        asymptote=0.645,
        efficiency=1.70,
        midpoint=10_909.0,
        start=0.402,
        budget=100_000.0,
    ),
    Recipe(
        name="scalerl-scout",
        title="ScaleRL, Scout 17Bx16 mixture of experts",
        source="Figure 1 and Table 1; R0 read off the figure",
        asymptote=0.71,
        efficiency=1.65,
        midpoint=4_242.0,
        start=0.512,
        budget=45_000.0,
    ),
    Recipe(
        name="recipe-scalerl",
        title="ScaleRL recipe, 8B",
        source="Figure 2 and Table 1",
        asymptote=0.61,
        efficiency=1.97,
        midpoint=2_542.0,
        budget=32_000.0,
    ),
    Recipe(
        name="recipe-minimax",
        title="MiniMax-M1 recipe, 8B",
        source="Figure 2",
        asymptote=0.61,
        efficiency=1.77,
        budget=32_000.0,
    ),
    Recipe(
        name="recipe-magistral",
        title="Magistral recipe, 8B",
        source="Figure 2",
        asymptote=0.535,
        efficiency=1.44,
        budget=32_000.0,
    ),
    Recipe(
        name="recipe-dapo",
        title="Qwen2.5 (DAPO) recipe, 8B",
        source="Figure 2",
        asymptote=0.515,
        efficiency=1.85,
        budget=32_000.0,
    ),
    Recipe(
        name="recipe-grpo",
        title="DeepSeek (GRPO) recipe, 8B (the real run destabilised after 6k GPU-hours; its fitted curve did not)",
        source="Figure 2",
        asymptote=0.49,
        efficiency=1.17,
        budget=32_000.0,
    ),
    Recipe(
        name="loss-cispo",
        title="CISPO loss, 8B",
        source="Figure 5a",
        asymptote=0.595,
        efficiency=2.18,
        budget=10_000.0,
    ),
    Recipe(
        name="loss-gspo",
        title="GSPO loss, 8B",
        source="Figure 5a",
        asymptote=0.59,
        efficiency=1.80,
        budget=10_000.0,
    ),
    Recipe(
        name="loss-dapo",
        title="DAPO loss, 8B",
        source="Figure 5a",
        asymptote=0.52,
        efficiency=4.55,
        budget=10_000.0,
    ),
    Recipe(
        name="logits-fp32",
        title="base recipe with FP32 logits, 8B",
        source="Figure 5b",
        asymptote=0.61,
        efficiency=1.79,
        budget=8_000.0,
    ),
    Recipe(
        name="logits-bf16",
        title="base recipe (DAPO loss) without FP32 logits, 8B",
        source="Figure 5b",
        asymptote=0.52,
        efficiency=4.55,
        budget=8_000.0,
    ),
)
"""What is drawn; the place in this table is the seed."""


def draw(recipe: Recipe, *, seed: int) -> str:
    """Return the log of a recipe as CSV text: a comment that says what it is, a header, and `POINTS` rows."""
    midpoint = MIDPOINT_8B if recipe.midpoint is None else recipe.midpoint
    origin = "not published, taken from ScaleRL 8B" if recipe.midpoint is None else "published"
    truth = Truth(
        asymptote=recipe.asymptote,
        efficiency=recipe.efficiency,
        midpoint=midpoint,
        start=recipe.start,
        noise_sd=NOISE_SD,
        autocorrelation=0.0,
    )
    compute = spread_compute(points=POINTS, budget=recipe.budget)
    reward = draw_rewards(truth, compute, seed=seed)
    facts = f"A {recipe.asymptote:g}, B {recipe.efficiency:g}, C_mid {midpoint:g} ({origin}), R0 {recipe.start:g}"
    lines = [
        f"# simulated, not a real run: {recipe.title}; arXiv 2510.13786, {recipe.source}; {facts}; noise {NOISE_SD:g}",
        "step,gpu_hours,pass_rate",
    ]
    lines += [
        f"{100 * (index + 1)},{hours:.2f},{value:.5f}"
        for index, (hours, value) in enumerate(zip(compute, reward, strict=True))
    ]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write every recipe's log into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, recipe in enumerate(RECIPES, start=1):
        (folder / f"{recipe.name}.csv").write_text(draw(recipe, seed=seed), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).parent / "simulated")
