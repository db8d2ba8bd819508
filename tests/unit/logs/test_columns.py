import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs.columns import choose_reward
from scalefit.logs.compute import choose_compute
from scalefit.logs.compute_source import ComputeSource
from scalefit.logs.options import ReadOptions
from scalefit.logs.table import Column, Table


def _table(**columns: object) -> Table:
    """Return a table; keyword ``a__b`` is column ``a/b``."""
    return _named({name.replace("__", "/"): values for name, values in columns.items()})


def _named(columns: dict[str, object], rows: int = 60) -> Table:
    built = {}
    for name, values in columns.items():
        numbers = np.arange(1.0, rows + 1) / rows if values is None else np.asarray(values, dtype=np.float64)
        built[name] = Column(name=name, numbers=numbers, texts=None)
    return Table(format="csv", columns=built, lines=np.arange(2, rows + 2))


def _reward(names: list[str], options: ReadOptions | None = None) -> str:
    return choose_reward(_named(dict.fromkeys(names)), options or ReadOptions(), "log").column


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["reward_std", "rewards/format/mean", "rewards/accuracy/mean", "reward", "loss"], "reward"),
        (["train/reward", "train/reward_std", "train/loss", "train/global_step"], "train/reward"),
        (["critic/score/max", "critic/score/mean", "critic/rewards/mean"], "critic/score/mean"),
        (["rollout/ep_len_mean", "rollout/ep_rew_mean", "time/fps"], "rollout/ep_rew_mean"),
        (["env_runners/episode_return_max", "env_runners/episode_return_mean"], "env_runners/episode_return_mean"),
        (["objective/kl", "objective/scores", "objective/rlhf_reward"], "objective/scores"),
        (["policy/entropy", "reward", "response_length", "return"], "reward"),
        (["reward/avg_raw_reward", "generate/avg_num_tokens"], "reward/avg_raw_reward"),
        (["env/all/reward/total", "env/all/format", "optim/lr"], "env/all/reward/total"),
        (["charts/episodic_return", "charts/learning_rate", "losses/value_loss"], "charts/episodic_return"),
        (
            ["my run - train/reward", "my run - train/reward__MIN", "my run - train/reward__MAX"],
            "my run - train/reward",
        ),
        (["r", "l", "t"], "r"),
        (["Step", "Value"], "Value"),
        (["format_reward_avg", "reward_avg", "adv_avg"], "reward_avg"),
        (["best_reward", "mean_reward"], "mean_reward"),
        (["eval_loss", "eval_acc"], "eval_acc"),
        (["config/reward", "score"], "score"),
        (["meanReward", "stdReward"], "meanReward"),
    ],
)
def test_reward_by_name(names: list[str], chosen: str) -> None:
    assert _reward(names) == chosen


@pytest.mark.parametrize(
    "name", ["loss", "learning_rate", "reward_std", "reward/max", "length", "kl", "num_rewards", "lr"]
)
def test_never_a_reward(name: str) -> None:
    with pytest.raises(LogError, match="no reward column"):
        _reward([name])


def test_a_loss_is_one_when_lower_is_better() -> None:
    assert _reward(["lr", "train/loss"], ReadOptions(minimize=True)) == "train/loss"


def test_validation_with_enough_points_comes_first() -> None:
    table = _named({"train/reward": None, "val/reward": None})
    choice = choose_reward(table, ReadOptions(), "log")
    assert (choice.column, choice.notes[0].code) == ("val/reward", "validation-used")
    sparse = np.where(np.arange(60) % 6 == 0, 0.5, np.nan)
    choice = choose_reward(_named({"train/reward": None, "val/reward": sparse}), ReadOptions(), "log")
    assert (choice.column, choice.notes[0].code) == ("train/reward", "validation-sparse")
    assert choice.notes[0].evidence["validation_points"] == 10


def test_equal_columns_are_no_ambiguity() -> None:
    assert _reward(["math/accuracy", "code/accuracy"]) == "math/accuracy"
    table = _named({"math/accuracy": None, "code/accuracy": np.linspace(0, 1, 60)})
    with pytest.raises(LogError, match="several columns could be the reward"):
        choose_reward(table, ReadOptions(), "log")


def _compute(columns: dict[str, object], options: ReadOptions | None = None) -> ComputeSource:
    return choose_compute(_named(columns), options or ReadOptions(), "log")


CLOCK = np.arange(1.0, 61) * 10


@pytest.mark.parametrize(
    ("columns", "options", "column", "unit", "kind"),
    [
        ({"step": None, "gpu_hours": None}, ReadOptions(), "gpu_hours", "gpu-hours", "work"),
        ({"H100 hours": None}, ReadOptions(), "H100 hours", "gpu-hours", "work"),
        ({"gpu_seconds": None}, ReadOptions(), "gpu_seconds", "gpu-hours", "work"),
        ({"_runtime": CLOCK, "_timestamp": CLOCK + 1.7e9}, ReadOptions(), "_runtime", "seconds", "elapsed"),
        ({"_timestamp": CLOCK + 1.7e9}, ReadOptions(), "_timestamp", "hours", "clock"),
        ({"time/time_elapsed": CLOCK}, ReadOptions(gpus=2), "time/time_elapsed", "gpu-hours", "elapsed"),
        ({"elapsed_hours": None}, ReadOptions(), "elapsed_hours", "hours", "elapsed"),
        ({"time/total": np.tile([5.0, 3.0], 30)}, ReadOptions(), "time/total", "seconds", "duration"),
        ({"step_time": np.full(60, 3.0)}, ReadOptions(gpus=8), "step_time", "gpu-hours", "duration"),
        ({"step": None, "num_tokens": None}, ReadOptions(), "num_tokens", "tokens", "work"),
        ({"step": None, "num_tokens": None}, ReadOptions(gpu_hours_per_step=2), "step", "gpu-hours", "work"),
        ({"time/total_timesteps": None}, ReadOptions(), "time/total_timesteps", "env-steps", "work"),
        ({"step": None}, ReadOptions(x="step"), "step", "steps", "work"),
        ({"gadget": None}, ReadOptions(x="gadget"), "gadget", "gadget", "work"),
    ],
)
def test_compute_by_name_and_content(
    columns: dict[str, object], options: ReadOptions, column: str, unit: str, kind: str
) -> None:
    source = _compute(columns, options)
    assert (source.column, source.unit, source.kind) == (column, unit, kind)
    assert source.column in source.derivation


def test_settings_are_no_gpu_count() -> None:
    source = _compute({"time_total_s": CLOCK, "config/num_gpus": np.ones(60)})
    assert source.unit == "seconds"
    assert _compute({"time_total_s": CLOCK, "num_gpus": np.ones(60)}).unit == "gpu-hours"
