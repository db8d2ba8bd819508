"""Lines as each framework writes them, older and newer, invented numbers in real shapes."""

import json
from pathlib import Path
from typing import Any

import pytest

from scalefit.logs import ReadOptions, read_run

STEPS = range(1, 9)
SWIFT = [
    {
        "loss": 0.0, "reward": n / 20, "reward_std": 0.1, "rewards/Accuracy/mean": n / 20, "epoch": n / 1000,
        "global_step/max_steps": f"{n}/10000", "elapsed_time": f"1h {n}m 36s", "remaining_time": "4d 3h 37m 48s",
        "memory(GiB)": 55.3, "train_speed(s/it)": 35.9,
    }
    for n in STEPS
]  # fmt: skip
RLLIB = [
    {
        "env_runners": {
            "episode_return_mean": n / 20, "episode_return_max": 50, "episode_return_min": 9, "episode_len_mean": 22,
            "num_env_steps_sampled_lifetime": 4000 * n,
        },
        "learners": {"default_policy": {"entropy": 0.6}}, "num_env_steps_sampled_lifetime": 4000 * n,
        "training_iteration": n, "time_this_iter_s": 9.5, "time_total_s": 9.5 * n, "timestamp": 1760000000 + 10 * n,
        "date": f"2025-10-09_08-53-{10 + n}", "config": {"lr": 5e-5}, "iterations_since_restore": n,
    }
    for n in STEPS
]  # fmt: skip
TRL_PPO = [
    {
        "eps": 1, "objective/kl": 10.5, "objective/non_score_reward": -0.5, "objective/rlhf_reward": n / 90,
        "objective/scores": n / 20, "val/clipfrac_avg": 0.0, "lr": 2e-6, "episode": 16 * n, "epoch": n / 100,
    }
    for n in STEPS
]  # fmt: skip
OPEN_INSTRUCT = [
    {
        "episode": 512 * n, "training_step": n, "val/total_tokens": 1000 * n, "objective/scores": n / 20,
        "val/format_scores": 0.9, "val/sequence_lengths": 300, "time/training": 10.0, "time/total": 40.0,
    }
    for n in STEPS
]  # fmt: skip
SKYRL = [
    {
        "trainer/global_step": n, "trainer/epoch": 0, "reward/avg_pass_at_5": 0.6, "reward/avg_raw_reward": n / 20,
        "timing/step": 120.0 + n % 3, "timing/generate": 90.0, "policy/policy_loss": 0.01,
        "eval/all/avg_score": 0.3 if n % 4 == 0 else None,
    }
    for n in STEPS
]  # fmt: skip
NEMO_RL = [
    {
        "step": n, "train/reward": n / 20, "train/loss": 0.1, "train/mean_gen_tokens_per_sample": 300,
        "timing/train/total_step_time": 60.0 + n % 2, "validation/accuracy": 0.3 if n % 4 == 0 else None,
    }
    for n in STEPS
]  # fmt: skip
TINKER = [
    {
        "step": n, "progress/batch": n, "progress/done_frac": n / 8, "optim/lr": 1e-4, "env/all/reward/total": n / 20,
        "env/all/format": 0.9, "time/total": 40.0 + n % 3, "time/sampling": 30.0, "optim/entropy": 0.4,
    }
    for n in STEPS
]  # fmt: skip
PRIME = [
    line
    for n in STEPS
    for line in (
        "Generating rollouts (train): 100%|########| 512/512 [01:13<00:00,  6.97it/s]",
        (
            f"02:3{n}:26 SUCCESS Step {n} | Time: {70 + n % 2}.77s | Reward: {n / 20:.4f} | "
            "Throughput: 2408.9 tokens/s | Seq. Length: 345.6 tokens/sample | Async Level: 1"
        ),
        f"02:3{n}:26    INFO Starting orchestrator step {n + 1}",
    )
]
PRIME_OLDER = [
    f"16:0{n}:00 SUCCESS orchestrator | step {n} | Time:{5 - n % 2}.2s | Avg. Reward: {n / 20:.2f} | "
    "Throughput: 3500.7 tokens/s | Avg. Seq. Length: 142.7 tokens/sample"
    for n in STEPS
]
PRIME_NEWER = [
    f"16:0{n}:00 SUCCESS Completed step {n} | time={'900ms' if n % 2 else '1m 5s'} | reward={n / 20:.2f} | seq_len=142"
    for n in STEPS
]


def _lines(records: list[dict[str, Any]], write: Any = json.dumps) -> str:  # noqa: ANN401 -- json.dumps or str
    return "".join(f"{write(record)}\n" for record in records)


@pytest.mark.parametrize(
    ("text", "format_", "y_column", "derivation"),
    [
        (_lines(SWIFT), "jsonl", "reward", "elapsed_time (hours, minutes and seconds)"),
        (_lines(SWIFT, str), "printed-dicts", "reward", "elapsed_time (hours, minutes and seconds)"),
        (_lines(RLLIB), "jsonl", "env_runners/episode_return_mean", "time_total_s (seconds)"),
        (_lines(TRL_PPO, str), "printed-dicts", "objective/scores", "episode (episodes)"),
        (_lines(OPEN_INSTRUCT), "jsonl", "objective/scores", "running sum of time/total (seconds per row)"),
        (_lines(SKYRL), "jsonl", "reward/avg_raw_reward", "running sum of timing/step (seconds per row)"),
        (_lines(NEMO_RL), "jsonl", "train/reward", "running sum of timing/train/total_step_time (seconds per row)"),
        (_lines(TINKER), "jsonl", "env/all/reward/total", "running sum of time/total (seconds per row)"),
        ("\n".join(PRIME), "key-values", "Reward", "running sum of Time (seconds per row)"),
        ("\n".join(PRIME_OLDER), "key-values", "Reward", "running sum of Time (seconds per row)"),
        ("\n".join(PRIME_NEWER), "key-values", "reward", "running sum of time (seconds per row)"),
    ],
)
def test_lines_of_frameworks(tmp_path: Path, text: str, format_: str, y_column: str, derivation: str) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    run = read_run(str(path))
    assert (run.source.format, run.source.y_column, run.source.rows) == (format_, y_column, 8)
    assert run.source.derivation.startswith(derivation)
    assert run.reward.tolist() == pytest.approx([n / 20 for n in STEPS])
    assert "rows-sorted" not in [note.code for note in run.source.notes]


def test_durations_with_units_are_seconds(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("\n".join(PRIME_NEWER))
    run = read_run(str(path), ReadOptions(gpus=3600))
    assert run.compute[:2].tolist() == pytest.approx([0.9, 65.9])
