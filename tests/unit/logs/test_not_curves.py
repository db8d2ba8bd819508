from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run

YAML = """\
# a comment
model: Qwen/Qwen3-8B
learning_rate: 1e-6
trainer:
  n_gpus_per_node: 8
  total_epochs: 15
  hooks:
    - save
"""
TOML = '[trainer]\nlr = 1e-6\nsteps = 100\nname = "x"\n'
BARS = """\
reward
 0.62 |                          ********
 0.50 |                ***********
 0.40 |         *******
 0.10 |**
      +----------------------------------
       0        2000      4000      8000
"""
LINES = "  1.0 ┤                 ╭────────\n  0.8 ┤          ╭──────╯\n  0.5 ┤    ╭─────╯\n  0.2 ┼────╯\n"
SPREADS = "model,math\nbase,0.31 ± 0.02\ngrpo,0.42 ± 0.02\ndapo,0.45 ± 0.03\n"
MARKDOWN_SPREADS = "| step | accuracy |\n|------|---------|\n| 100 | 0.31 +/- 0.02 |\n| 200 | 0.42 +/- 0.02 |\n"
LATEX_SPREADS = "step;accuracy\n100;$0.31 \\pm 0.02$\n200;$0.42 \\pm 0.02$\n"
SWEEP = "run_id,lr,final_reward\na,1e-6,0.61\nb,2e-6,0.62\nc,1e-6,0.59\n"
WANDB = '"Name","State","Created","Runtime","reward"\n"a","finished","2026-01-01","3600","0.6"\n'
MLFLOW = (
    "Start Time,Duration,Run ID,Status,reward\n2026-01-01,3.2h,abc,FINISHED,0.6\n2026-01-02,3.1h,abd,FINISHED,0.6\n"
)


def _write(folder: Path, text: str) -> str:
    path = folder / "file"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (YAML, "a configuration"),
        (TOML, "a configuration"),
        (BARS, "a plot drawn in characters"),
        (LINES, "a plot drawn in characters"),
        (SPREADS, "a table of results, a mean and its spread in one cell,"),
        (MARKDOWN_SPREADS, "a table of results"),
        (LATEX_SPREADS, "a table of results"),
        (SWEEP, "a table of 3 runs, one row each"),
        (WANDB, "a table of 1 runs, one row each"),
        (MLFLOW, "a table of 2 runs, one row each"),
        ('{"learning_rate": 1e-6, "reward": {"type": "math"}}', "JSON without rows"),
    ],
)
def test_what_holds_no_curve_is_refused_by_name(tmp_path: Path, text: str, kind: str) -> None:
    with pytest.raises(LogError) as caught:
        read_run(_write(tmp_path, text))
    assert kind in str(caught.value)
    assert "is not a curve" in str(caught.value)


def test_a_spread_beside_a_reward_does_not_hide_it(tmp_path: Path) -> None:
    text = "step,reward,val\n" + "".join(f"{n},{n / 8},0.3 ± 0.1\n" for n in range(1, 6))
    assert read_run(_write(tmp_path, text), ReadOptions(x="step")).source.rows == 5


def test_lines_that_repeat_their_names_are_a_log(tmp_path: Path) -> None:
    text = "".join(f"step: {n} reward: {n / 8}\n" for n in range(1, 9))
    assert read_run(_write(tmp_path, text), ReadOptions(x="step")).source.rows == 8


def test_a_markdown_table_of_numbers_is_a_log(tmp_path: Path) -> None:
    rows = "".join(f"| {n} | {n / 8} |\n" for n in range(1, 6))
    run = read_run(_write(tmp_path, "| gpu_hours | reward |\n|----:|:-----|\n" + rows))
    assert (run.source.rows, dict(run.source.skipped)) == (5, {})
    assert list(run.compute) == [1, 2, 3, 4, 5]
