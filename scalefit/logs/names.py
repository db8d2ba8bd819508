"""What frameworks call reward, compute and the rest: data, no rules.

Names are compared in lower case, with blanks and dashes as ``_`` and dots as ``/``; an entry matches a whole name or
its last levels (``train/reward`` ends with ``reward``). Gathered from the logs that W&B, TRL, verl, Stable-Baselines3,
RLlib, prime-rl, open-instruct, OpenRLHF, NeMo-RL, SkyRL, Tinker, ms-swift, CleanRL and Tianshou write.
"""

REWARD_NAMES: tuple[str, ...] = (
    "reward",
    "episode_reward_mean",
    "episode_return_mean",
    "ep_rew_mean",
    "ep_rewmean",
    "ep_reward_mean",
    "eprewmean",
    "averageepret",
    "averagereturn",
    "critic/score/mean",
    "critic/rewards/mean",
    "score/mean",
    "reward/mean",
    "reward_mean",
    "mean_reward",
    "rewards/mean",
    "reward_avg",
    "avg_reward",
    "average_reward",
    "objective/scores",
    "env/all/reward/total",
    "reward/total",
    "reward/all/mean",
    "avg_raw_reward",
    "raw_reward",
    "objective/rlhf_reward",
    "train_reward",
    "episode_reward",
    "episode_return",
    "episodic_return",
    "mean_episode_return",
    "mean_return",
    "return_mean",
    "average_return",
    "return/mean",
    "returns/mean",
    "return",
    "rewards",
    "rew",
    "score",
    "mean_score",
    "accuracy",
    "mean_accuracy",
    "acc",
    "success_rate",
    "solve_rate",
    "win_rate",
    "pass_rate",
    "pass@1",
    "reward_fn",
    "r",
    "value",
    "ys",
)
"""Names of the reward of the whole batch or episode, the most telling first."""

REWARD_WORDS: tuple[str, ...] = (
    "reward",
    "rewards",
    "return",
    "returns",
    "score",
    "scores",
    "rew",
    "accuracy",
    "acc",
    "success",
    "pass",
    "solved",
    "solve",
    "win",
    "correct",
    "exact",
    "f1",
    "elo",
)
"""A word of a name that makes it a reward if nothing speaks against it, the most telling first."""

LOSS_WORDS = frozenset({"loss", "losses", "perplexity", "ppl", "nll", "bpb", "error", "errors", "regret", "cost"})
"""Words of a quantity that falls when training goes well."""

NOT_REWARD_WORDS: dict[str, str] = {
    **dict.fromkeys(("std", "stddev", "stdev", "sd", "stderr", "sem", "var", "variance"), "a spread, not a level"),
    **dict.fromkeys(("min", "max", "minimum", "maximum", "lower", "upper", "low", "high"), "an extreme, not a mean"),
    **dict.fromkeys(("median", "quantile", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p99"), "a quantile"),
    **dict.fromkeys(("best",), "the best so far, not the present"),
    **dict.fromkeys(("ci", "confidence", "interval"), "an interval"),
    **dict.fromkeys(("len", "length", "lengths", "tokens", "duration", "time", "seconds", "sec"), "a length or time"),
    **dict.fromkeys(("format", "formatting", "fmt", "length_penalty", "penalty", "bonus"), "a format or shaping term"),
    **dict.fromkeys(("lr", "learning", "rate_schedule", "momentum", "temperature"), "a setting"),
    **dict.fromkeys(
        ("kl", "entropy", "clip", "clipped", "clipfrac", "grad", "gradient", "norm", "ess"), "a diagnostic"
    ),
    **dict.fromkeys(("advantage", "advantages", "adv", "baseline", "explained", "whiten", "whitened"), "a diagnostic"),
    **dict.fromkeys(("count", "num", "number", "n", "index", "id", "idx", "step", "steps", "epoch"), "a counter"),
    **dict.fromkeys(("zero", "frac", "fraction", "ratio"), "a share of rows"),
    **dict.fromkeys(
        ("weight", "coef", "coefficient", "scale", "threshold", "target", "gamma", "discount"), "a setting"
    ),
    **dict.fromkeys(("hist", "histogram"), "a histogram"),
    **dict.fromkeys(LOSS_WORDS, "a loss (lower is better: name it with --y and add --minimize)"),
}
"""A word of a name that says it is no reward, and what it is then."""

VALIDATION_WORDS = frozenset(
    {"val", "valid", "validation", "eval", "evaluation", "evaluator", "test", "heldout", "held", "evaluate", "dev"}
)
"""Words of a name that say it is measured on held-out tasks."""

SETTINGS_LEVELS = frozenset({"config", "configs", "hyperparameters", "hparams", "args", "settings"})
"""Levels of a name below which stand settings, not measurements."""

NEUTRAL_WORDS = frozenset(
    {
        "train",
        "training",
        "rollout",
        "rollouts",
        "collection",
        "collect",
        "metrics",
        "metric",
        "env",
        "env_runners",
        "runners",
        "sampler",
        "results",
        "ray",
        "tune",
        "charts",
        "all",
        "info",
        "log",
        "logs",
        "data",
        "perf",
        "core",
        "objective",
        "global",
        "actor",
        "policy",
        "trainer",
        "stats",
        "mean",
        "avg",
        "average",
        "episode",
        "batch",
        "summary",
        "reward",
        "rewards",
        "timers",
        "counters",
        "time",
        "critic",
        "progress",
    }
)
"""Levels of a name that do not make it one part of the reward."""

GPU_HOURS: dict[str, float] = {
    "gpu_hours": 1.0, "gpu_hour": 1.0, "gpuhours": 1.0, "gpu_h": 1.0, "gpuh": 1.0, "compute_gpu_hours": 1.0,
    "total_gpu_hours": 1.0, "cumulative_gpu_hours": 1.0, "gpu_hours_total": 1.0, "accelerator_hours": 1.0,
    "h100_hours": 1.0, "a100_hours": 1.0, "h200_hours": 1.0, "b200_hours": 1.0, "gb200_hours": 1.0,
    "gpu_seconds": 1 / 3600, "gpu_minutes": 1 / 60, "gpu_days": 24.0,
}  # fmt: skip
"""Names of work done so far -> GPU-hours in one of its units."""

ELAPSED_SECONDS: dict[str, float] = {
    "runtime": 1.0, "elapsed": 1.0, "elapsed_s": 1.0, "elapsed_sec": 1.0, "elapsed_seconds": 1.0, "elapsed_time": 1.0,
    "elapsed_time_s": 1.0, "time_elapsed": 1.0, "time_total_s": 1.0, "time_total": 1.0, "total_time": 1.0,
    "total_time_s": 1.0, "wall_time": 1.0, "walltime": 1.0, "wall_time_s": 1.0, "wall_clock": 1.0, "wallclock": 1.0,
    "wall_clock_time": 1.0, "wall_clock_s": 1.0, "seconds": 1.0, "time_s": 1.0, "time_sec": 1.0, "time_seconds": 1.0,
    "time_since_start": 1.0, "relative_time": 1.0, "relative_time_process": 1.0, "relative": 1.0, "train_time": 1.0,
    "training_time_s": 1.0, "cumulative_time": 1.0, "cumulative_seconds": 1.0, "t": 1.0, "time": 1.0,
    "time_since_restore": 1.0,
    "minutes": 60.0, "elapsed_minutes": 60.0, "elapsed_min": 60.0, "time_minutes": 60.0, "wall_minutes": 60.0,
    "hour": 3600.0, "hours": 3600.0, "elapsed_h": 3600.0, "elapsed_hours": 3600.0, "time_h": 3600.0,
    "time_hours": 3600.0,
    "wall_hours": 3600.0, "wall_h": 3600.0, "wall_time_h": 3600.0, "wall_clock_hours": 3600.0, "runtime_hours": 3600.0,
    "days": 86400.0, "elapsed_days": 86400.0,
}  # fmt: skip
"""Names of a clock that starts with the run -> seconds in one of its units, the most telling first."""

TIMESTAMPS: tuple[str, ...] = (
    "timestamp", "wall_time", "datetime", "date_time", "created_at", "logged_at", "ts", "time", "date", "epoch_time",
    "unix_time",
)  # fmt: skip
"""Names of a clock that shows the time of day."""

DURATION_SECONDS: dict[str, float] = {
    "timing_s/step": 1.0, "time_per_step": 1.0, "time_this_iter_s": 1.0, "step_time": 1.0, "step_time_s": 1.0,
    "step_seconds": 1.0, "step_duration": 1.0, "step_duration_s": 1.0, "seconds_per_step": 1.0, "sec_per_step": 1.0,
    "s_per_step": 1.0, "time/step": 1.0, "time/total": 1.0, "iteration_time": 1.0, "iter_time": 1.0,
    "time_per_iteration": 1.0,
    "train_step_time": 1.0, "total_step_time": 1.0, "step_time_ms": 1e-3, "time/time_step": 1.0,
    "timing/train/total_step_time": 1.0,
    "timing/step": 1.0, "duration_s": 1.0, "duration": 1.0, "step_time_min": 60.0,
}  # fmt: skip
"""Names of the time that one row took -> seconds in one of its units."""

COUNTS: dict[str, str] = {
    **dict.fromkeys(
        ("tokens", "num_tokens", "total_tokens", "tokens_total", "tokens_seen", "n_tokens", "num_input_tokens_seen",
         "cumulative_tokens", "train_tokens", "total_num_tokens", "consumed_tokens", "progress/total_tokens"),
        "tokens",
    ),
    **dict.fromkeys(
        ("samples", "num_samples", "total_samples", "samples_seen", "consumed_samples", "progress/total_samples"),
        "samples"
    ),
    **dict.fromkeys(
        ("frames", "frame", "total_frames", "num_frames", "env_frames", "timesteps", "total_timesteps",
         "timesteps_total", "num_timesteps", "env_steps", "env_step", "environment_steps", "num_env_steps",
         "agent_steps",
         "num_env_steps_sampled_lifetime", "num_env_steps_sampled", "total_env_steps", "total_env_step",
         "totalenvinteracts",
         "totalenvinteracts"),
        "env-steps",
    ),
    "xs": "env-steps",
    **dict.fromkeys(("episodes", "episode", "episodes_total", "num_episodes", "total_episodes"), "episodes"),
    **dict.fromkeys(("flops", "total_flops", "total_flos", "train_flops"), "flops"),
}  # fmt: skip
"""Names of work that is counted, not timed -> its unit."""

STEPS: tuple[str, ...] = (
    "step", "global_step", "train_step", "training_step", "trainer_step", "steps", "global_steps", "training_iteration",
    "iteration", "iterations", "iter", "iters", "update", "updates", "num_updates", "n_updates", "batch", "train_batch",
    "policy_step", "optimizer_step", "rollout_step", "evaluation",
)  # fmt: skip
"""Names of a counter of optimiser steps: an order, not yet compute."""

TIMING_LEVELS = frozenset({"timing", "timings", "timing_s", "time", "times", "timers"})
"""Levels of a name below which stand durations, whatever their last word says."""

GPU_COUNTS: tuple[str, ...] = (
    "n_gpus", "num_gpus", "gpus", "gpu_count", "n_gpu", "ngpus", "world_size", "num_devices", "n_devices", "num_gpu",
)  # fmt: skip
"""Names of how many GPUs were at work."""

SPLIT_NAMES = frozenset({"split", "phase", "mode", "stage", "subset", "partition", "dataset_split", "kind", "set"})
"""Names of a column that tells training rows from evaluation rows."""

SPLIT_VALUES = frozenset(
    {
        "train",
        "training",
        "eval",
        "evaluation",
        "val",
        "valid",
        "validation",
        "test",
        "dev",
        "heldout",
        "rollout",
        "collect",
        "summary",
    }
)
"""Values of such a column."""

REPLICATE_NAMES = frozenset(
    {
        "seed",
        "seeds",
        "random_seed",
        "run_seed",
        "rng_seed",
        "replicate",
        "replica",
        "rep",
        "repeat",
        "trial",
        "trial_id",
        "seed_id",
    }
)
"""Names of a column that tells repetitions of one recipe apart."""

SERIES_NAMES: tuple[str, ...] = (
    "run", "run_name", "run_id", "experiment", "experiment_name", "exp", "exp_name", "condition", "agent", "method",
    "algo", "algorithm", "alg", "recipe", "variant", "model", "model_name", "task", "env", "env_id", "env_name",
    "environment", "game", "name", "group", "series", "config_name", "policy", "arm", "ablation", "label", "dataset",
    "tag",
)  # fmt: skip
"""Names of a column that tells runs apart."""
