"""What each shared case must read to: points, columns, unit, derivation and notes."""

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run, read_runs
from scalefit.run import Run

PER_STEP = ReadOptions(gpu_hours_per_step=40)
GPUS = ReadOptions(gpus=64)


@pytest.fixture
def plain(shared: Path) -> Run:
    return read_run(str(shared / "cases" / "01-plain.csv"))


def _read(shared: Path, name: str, options: ReadOptions | None = None) -> Run:
    return read_run(str(shared / "cases" / name), options or ReadOptions())


def _codes(run: Run) -> list[str]:
    return [note.code for note in run.source.notes]


def _message(run: Run, code: str) -> str:
    return next(note.message for note in run.source.notes if note.code == code)


@pytest.mark.parametrize(
    "name",
    [
        "02-bom.csv",
        "04-semicolon-decimal-comma.csv",
        "05-plain.csv.gz",
        "07-comments-crlf-spaces.csv",
        "28-unsorted.csv",
        "35-several-reward-columns.csv",
        "39-unicode-name.csv",
    ],
)
def test_other_spellings_of_the_plain_case_read_the_same(shared: Path, plain: Run, name: str) -> None:
    run = _read(shared, name)
    np.testing.assert_array_equal(run.compute, plain.compute)
    np.testing.assert_array_equal(run.reward, plain.reward)
    assert run.unit == "gpu-hours"
    assert run.source.x_column == "gpu_hours"


def test_plain_is_read_whole_without_a_word(plain: Run) -> None:
    assert (plain.source.rows, plain.compute[0], plain.compute[-1]) == (200, 40, 8000)
    assert (plain.source.notes, dict(plain.source.skipped), plain.source.format) == ((), {}, "csv")


def test_cut_gzip_gives_its_whole_rows_and_says_so(shared: Path, plain: Run) -> None:
    run = _read(shared, "06-truncated.csv.gz")
    assert run.source.rows == 134
    np.testing.assert_array_equal(run.reward, plain.reward[:134])
    assert _codes(run) == ["cut-archive", "incomplete-line"]
    assert "ends early" in _message(run, "cut-archive")


def test_wandb_chart_ignores_the_twins_and_needs_a_rate(shared: Path, plain: Run) -> None:
    run = _read(shared, "09-wandb-chart.csv", PER_STEP)
    assert run.source.y_column == "grpo-base - train/reward"
    np.testing.assert_allclose(run.compute, plain.compute)
    np.testing.assert_array_equal(run.reward, plain.reward)
    with pytest.raises(LogError, match=r"no compute column .*Step.*--gpu-hours-per-step.*--x 'Step'"):
        _read(shared, "09-wandb-chart.csv")
    assert _read(shared, "09-wandb-chart.csv", ReadOptions(x="Step")).unit == "steps"


def test_wandb_history_uses_training_reward_and_seconds_times_gpus(shared: Path) -> None:
    run = _read(shared, "11-wandb-history.csv", GPUS)
    assert run.source.y_column == "train/reward"
    assert run.source.derivation == "_runtime (seconds) x 64 GPUs / 3600"
    assert run.compute[-1] == pytest.approx(8000)
    assert run.source.skipped == {"no reward on the row": 10, "reward not finite": 3}
    assert "only 10 points" in _message(run, "validation-sparse")
    assert "line 5, 44, 82" in _message(run, "rows-skipped")
    validation = _read(shared, "11-wandb-history.csv", ReadOptions(gpus=64, y="eval/reward"))
    assert validation.source.rows == 10


def test_tensorboard_clock_is_elapsed_time_without_its_first_row(shared: Path, plain: Run) -> None:
    run = _read(shared, "12-tensorboard.csv", GPUS)
    assert run.source.derivation == "Wall time (seconds since 1970), elapsed since the first row x 64 GPUs / 3600"
    np.testing.assert_allclose(run.compute, plain.compute[:-1])
    np.testing.assert_array_equal(run.reward, plain.reward[1:])
    assert run.source.skipped == {"first row of the clock (elapsed time not known)": 1}


def test_sb3_monitor_reads_one_row_per_episode(shared: Path) -> None:
    run = _read(shared, "13-sb3.monitor.csv", ReadOptions(gpus=1))
    assert (run.source.x_column, run.source.y_column, run.source.rows) == ("t", "r", 2400)
    assert run.compute[-1] == pytest.approx(2.0, rel=1e-3)


def test_rllib_restore_keeps_the_later_copy(shared: Path) -> None:
    run = _read(shared, "15-rllib-progress.csv", GPUS)
    assert (run.source.x_column, run.source.y_column) == ("time_total_s", "episode_reward_mean")
    assert run.source.skipped == {"reward not finite": 4, "repeated later (the later copy is kept)": 20}
    assert _message(run, "repeated-rows").startswith("training_iteration 61 to 80 occur twice")
    assert (run.source.rows, run.compute[-1]) == (196, pytest.approx(8000))
    assert run.reward[56] == 0.601601


def test_rllib_without_header_is_refused(shared: Path) -> None:
    with pytest.raises(LogError, match=r"csv:1: no header row found \(line 1 holds numbers\).*--x and --y"):
        _read(shared, "16-rllib-no-header.csv", GPUS)
    run = _read(shared, "16-rllib-no-header.csv", ReadOptions(x="8", y="3"))
    assert run.source.rows >= 196


def test_cut_last_line_of_jsonl_is_noted(shared: Path, plain: Run) -> None:
    run = _read(shared, "22-truncated-tail.jsonl")
    np.testing.assert_array_equal(run.reward, plain.reward[:199])
    assert _message(run, "incomplete-line") == "last line incomplete (file still being written?)"
    assert run.source.skipped == {"incomplete last line": 1}


def test_damage_in_the_middle_names_its_line(shared: Path) -> None:
    run = _read(shared, "23-corrupt-middle.jsonl")
    assert run.source.skipped == {"unreadable line": 1}
    assert _message(run, "damaged-lines").startswith("line 50 cannot be read")


def test_non_finite_values_of_jsonl_are_counted(shared: Path) -> None:
    run = _read(shared, "24-nan-infinity.jsonl")
    assert run.source.rows == 194
    assert run.source.skipped == {"no reward on the row": 1, "reward not finite": 4, "reward not a number": 1}
    assert 0.1405 in run.reward


def test_mixed_splits_are_refused_and_chosen(shared: Path, plain: Run) -> None:
    with pytest.raises(LogError, match=r"'split' has the values train, eval.*--where split=train"):
        _read(shared, "25-mixed-train-eval.jsonl")
    train = _read(shared, "25-mixed-train-eval.jsonl", ReadOptions(where=(("split", "train"),)))
    np.testing.assert_array_equal(train.reward, plain.reward)
    evaluation = _read(shared, "25-mixed-train-eval.jsonl", ReadOptions(where=(("split", "eval"),)))
    assert 0 < evaluation.source.rows < 200


def test_overlap_after_a_resume_names_the_steps(shared: Path) -> None:
    run = _read(shared, "26-resume-overlap.csv")
    assert (run.source.rows, run.reward[40]) == (200, 0.588491)
    message = _message(run, "repeated-rows")
    assert message == "step 41 to 60 occur twice (20 rows, after a restart); the later copy is kept"


def test_unsorted_rows_are_sorted_with_a_note(shared: Path) -> None:
    assert _codes(_read(shared, "28-unsorted.csv")) == ["rows-sorted"]


def test_negative_compute_is_left_out_with_its_line_and_zero_is_kept(shared: Path) -> None:
    run = _read(shared, "29-zero-negative-compute.csv")
    assert run.compute[:3].tolist() == [0, 0, 40]
    assert "negative compute (line 4)" in _message(run, "rows-skipped")


def test_changing_gpu_count_is_integrated(shared: Path) -> None:
    run = _read(shared, "30-seconds-and-gpus.csv")
    assert run.compute[-1] == pytest.approx(8000)
    assert run.source.derivation == "elapsed_s (seconds) x n_gpus GPUs / 3600, interval by interval"


def test_idle_gap_is_named_and_can_be_left_out(shared: Path, plain: Run) -> None:
    run = _read(shared, "32-iso8601-idle-gap.csv", GPUS)
    message = _message(run, "idle-gap")
    assert message.startswith("a gap of 10 h after step 20, 17 times the usual spacing, counts as 640 gpu-hours")
    assert "--max-gap" in message
    assert "read as UTC" in run.source.derivation
    shorter = _read(shared, "32-iso8601-idle-gap.csv", ReadOptions(gpus=64, max_gap_hours=2))
    np.testing.assert_allclose(shorter.compute, plain.compute[:-1])
    assert "idle-gap-left-out" in _codes(shorter)


def test_steps_alone_are_no_compute(shared: Path) -> None:
    pattern = r"no compute column among \[step, reward\].*--gpu-hours-per-step.*--x 'step'.*--gpus with a time column"
    with pytest.raises(LogError, match=pattern):
        _read(shared, "34-no-compute-column.csv")


def test_header_only_has_no_rows(shared: Path) -> None:
    with pytest.raises(LogError, match=r"36-header-only.csv: no data rows"):
        _read(shared, "36-header-only.csv")


def test_loss_is_read_only_when_asked_to_minimise(shared: Path) -> None:
    with pytest.raises(LogError, match="--minimize"):
        _read(shared, "42-decreasing-loss.csv")
    assert _read(shared, "42-decreasing-loss.csv", ReadOptions(minimize=True)).source.y_column == "loss"


def test_tokens_are_kept_as_the_unit(shared: Path) -> None:
    for options in (ReadOptions(), ReadOptions(x="tokens")):
        run = _read(shared, "52-huge-x-tokens.csv", options)
        assert (run.unit, run.compute[-1]) == ("tokens", 1e13)


def test_seeds_are_replicates_and_none_is_dropped(shared: Path) -> None:
    run = _read(shared, "60-four-seeds.csv")
    assert run.source.rows == 200
    assert sorted(set(run.replicate.tolist())) == [0, 1, 2, 3]
    assert "4 replicates of one recipe" in _message(run, "replicates")


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("40-percent.csv", 200),
        ("41-negative.csv", 200),
        ("43-constant.csv", 200),
        ("45-linear-no-saturation.csv", 200),
        ("48-collapse-after-peak.csv", 200),
        ("49-three-points.csv", 3),
        ("54-unbounded-reward.csv", 200),
        ("56-before-midpoint.csv", 75),
        ("57-plateau-only.csv", 75),
        ("59-sparse-eval.csv", 12),
        ("63b-short-better.csv", 40),
    ],
)
def test_other_curves_read_whole_and_unscaled(shared: Path, name: str, rows: int) -> None:
    run = _read(shared, name)
    assert (run.source.rows, run.source.notes, dict(run.source.skipped)) == (rows, (), {})
    text = (shared / "cases" / name).read_text().splitlines()
    assert run.reward[-1] == float(text[-1].split(",")[1])


def test_trl_dicts_take_their_step_from_the_progress_bar(shared: Path, plain: Run) -> None:
    run = _read(shared, "17-trl-dict-lines.log", PER_STEP)
    assert (run.source.format, run.source.y_column, run.source.rows) == ("printed-dicts", "reward", 200)
    np.testing.assert_allclose(run.compute, plain.compute)
    np.testing.assert_array_equal(run.reward, plain.reward)


def test_trainer_state_leaves_evaluations_and_the_summary_out(shared: Path, plain: Run) -> None:
    run = _read(shared, "19-trainer_state.json", PER_STEP)
    assert (run.source.format, run.source.x_column) == ("json", "step")
    np.testing.assert_array_equal(run.reward, plain.reward)
    evaluation = _read(shared, "19-trainer_state.json", ReadOptions(gpu_hours_per_step=40, y="eval_reward"))
    assert evaluation.source.rows == 10


def test_verl_console_sums_the_step_times(shared: Path, plain: Run) -> None:
    run = _read(shared, "20-verl-console.log", GPUS)
    assert (run.source.format, run.source.y_column) == ("verl-console", "critic/score/mean")
    assert run.source.derivation == "running sum of timing_s/step (seconds per row) x 64 GPUs / 3600"
    np.testing.assert_allclose(run.compute, plain.compute)
    np.testing.assert_array_equal(run.reward, plain.reward)
    validation = _read(shared, "20-verl-console.log", ReadOptions(gpus=64, y="val-core/synth/acc/mean@4"))
    assert validation.source.rows == 10


BY_STEP = ReadOptions(x="step")
STEPS = "steps"
PONG_128 = (
    "rllib-rl-experiments/pong-speedrun__pong-impala-lowlatency-128__"
    "IMPALA_PongNoFrameskip-v4_0_2018-11-10_00-17-220NYeDg__progress.csv"
)
PONG_32 = (
    "rllib-rl-experiments/pong-speedrun__pong-impala-lowlatency-32__"
    "IMPALA_PongNoFrameskip-v4_0_2018-11-10_03-45-30PllGMK__progress.csv"
)
LOGS = [
    ("kanishkg-cognitive-behaviors/llama_results.csv", ReadOptions(x="step", series="base_ppo"), 26, "accuracy", STEPS),
    ("kanishkg-cognitive-behaviors/qwen_results.csv", ReadOptions(x="step", series="human_cot"), 24, "accuracy", STEPS),
    ("rasbt-reasoning-from-scratch/rlvr_grpo_original_no_kl_metrics.csv", BY_STEP, 258, "reward_avg", STEPS),
    (
        "rasbt-reasoning-from-scratch/ch06_rlvr_grpo_original_no_kl_metrics.csv",
        ReadOptions(x="step"),
        500,
        "reward_avg",
        "steps",
    ),
    (
        "rasbt-reasoning-from-scratch/7_6_plus_format_reward_conditional_metrics.csv",
        ReadOptions(x="step"),
        500,
        "reward_avg",
        "steps",
    ),
    ("rllib-rl-experiments/result.json", ReadOptions(), 21, "episode_reward_mean", "seconds"),
    ("drqv2-curves/dmc_quadruped_run.csv", ReadOptions(), 1200, "episode_reward", "hours"),
    ("drqv2-curves/dmc_cheetah_run.csv", ReadOptions(), 1500, "episode_reward", "hours"),
    ("marl-air-cargo/wandb_export.csv", ReadOptions(), 256, "collection/reward/episode_reward_mean", "seconds"),
    ("marl-air-cargo/wandb_results.csv", ReadOptions(), 26, "collection/reward/episode_reward_mean", "seconds"),
    (
        "tinker-cookbook-history/tinker_cookbook__recipes__rill_rl__results__training_metrics.jsonl",
        ReadOptions(),
        30,
        "reward/mean",
        "seconds",
    ),
    ("rasbt-reasoning-from-scratch/ch06_rlvr_grpo_original_no_kl_metrics.txt", BY_STEP, 500, "reward_avg", STEPS),
    ("text2sql-grpo/trainer_state_1000steps.json", ReadOptions(), 200, "reward", "tokens"),
    ("text2sql-grpo/3b_3lvl_1639580.out", ReadOptions(x="epoch"), 15, "reward", "epoch"),
    ("xling-grpo/training_a3.log", ReadOptions(), 10, "reward", "seconds"),
    ("dopamine-baselines/freeway_CNN.json", ReadOptions(x="Iteration", series="C51"), 1000, "Value", "steps"),
    ("dreamerv3-scores/procgen-dreamerv3.json.gz", ReadOptions(series="procgen_maze"), 100, "ys", "env-steps"),
    ("unsloth-notebooks/Phi_4_(14B)-GRPO.ipynb", BY_STEP, 100, "reward", STEPS),
    ("unsloth-notebooks/Gemma4_(E2B)_Reinforcement_Learning_2048_Game.ipynb", BY_STEP, 432, "reward", STEPS),
    ("td3-learning-curves/TD3_Hopper-v1_0.npy", ReadOptions(x="evaluation"), 201, "value", STEPS),
    ("tianshou-mujoco/results.json", ReadOptions(series="TD3"), 101, "rew", "env-steps"),
    (
        "tinker-cookbook-history/tinker_cookbook__recipes__rill_rl__results__experiment_2__training_metrics.jsonl",
        ReadOptions(),
        30,
        "reward/mean",
        "seconds",
    ),
    (PONG_128, ReadOptions(), 21, "episode_reward_mean", "seconds"),
    (PONG_32, ReadOptions(), 47, "episode_reward_mean", "seconds"),
    ("dopamine-baselines/seaquest_CNN.json", ReadOptions(x="Iteration", series="DQN"), 1000, "Value", STEPS),
    (
        "dreamerv3-scores/dmc_proprio-dreamerv3.json.gz",
        ReadOptions(series="dmc_ball_in_cup_catch"),
        245,
        "ys",
        "env-steps",
    ),
    ("td3-learning-curves/TD3_HalfCheetah-v1_0.npy", ReadOptions(gpu_hours_per_step=2), 201, "value", "gpu-hours"),
]
EVENTS = "rllib-rl-experiments/events.out.tfevents.1541809092.host"
NO_CURVE = "nanochat-wandb-table/wandb_overall.csv"
WHOLE = {
    "kanishkg-cognitive-behaviors/llama_results.csv": (313, BY_STEP),
    "dopamine-baselines/freeway_CNN.json": (5000, ReadOptions(x="Iteration")),
    "dopamine-baselines/seaquest_CNN.json": (5000, ReadOptions(x="Iteration")),
    "tianshou-mujoco/results.json": (606, ReadOptions()),
}
"""Files of several runs that read to the number of points in the index when all are taken."""  # fmt: skip


@pytest.mark.parametrize(("name", "options", "rows", "y_column", "unit"), LOGS)
def test_real_logs_read_to_their_points(
    shared: Path, name: str, options: ReadOptions, rows: int, y_column: str, unit: str
) -> None:
    run = read_run(str(shared / "logs" / name), options)
    assert (run.source.rows, run.source.y_column, run.unit) == (rows, y_column, unit)


@pytest.mark.parametrize("name", WHOLE)
def test_all_runs_of_a_file_together_have_its_points(shared: Path, name: str) -> None:
    points, options = WHOLE[name]
    runs, failures = read_runs([str(shared / "logs" / name)], dataclasses.replace(options, series="all"))
    assert (sum(run.source.rows for run in runs), failures) == (points, ())


def test_an_event_file_reads_as_the_csv_of_its_run(shared: Path) -> None:
    pytest.importorskip("tensorboard")
    run = read_run(str(shared / "logs" / EVENTS))
    assert (run.source.rows, run.source.y_column) == (21, "ray/tune/episode_reward_mean")
    table = read_run(str(shared / "logs" / PONG_128))
    np.testing.assert_allclose(run.reward, table.reward, rtol=1e-6)
    np.testing.assert_allclose(run.compute, table.compute, rtol=1e-6)


def test_every_file_of_the_index_is_tested(shared: Path) -> None:
    with (shared / "logs" / "INDEX.csv").open(newline="") as file:
        files = {row["file"] for row in csv.DictReader(file)}
    assert files == {name for name, *_ in LOGS} | {EVENTS, NO_CURVE}


def test_a_table_of_runs_is_no_curve(shared: Path) -> None:
    with pytest.raises(LogError, match=r"a table of [0-9]+ runs, one row each, is not a curve"):
        read_run(str(shared / "logs" / NO_CURVE))


def test_durations_per_step_are_summed(shared: Path) -> None:
    name = "tinker_cookbook__recipes__rill_rl__results__training_metrics.jsonl"
    run = read_run(str(shared / "logs" / "tinker-cookbook-history" / name), ReadOptions(gpus=8))
    assert run.source.derivation == "running sum of time/total (seconds per row) x 8 GPUs / 3600"
    assert run.compute[1] == pytest.approx((56.69770622253418 + 43.12545585632324) * 8 / 3600)
