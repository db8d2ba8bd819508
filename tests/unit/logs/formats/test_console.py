import json
from pathlib import Path

import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run
from scalefit.run import Run


def _read(tmp_path: Path, text: str, options: ReadOptions | None = None) -> Run:
    path = tmp_path / "job.log"
    path.write_text(text)
    return read_run(str(path), options or ReadOptions())


def test_dicts_glued_to_bars(tmp_path: Path) -> None:
    text = (
        "Loading checkpoint shards: 100%|##########| 4/4 [00:03<00:00,  1.2it/s]\n"
        "  1%|  | 1/50 [01:00<1:00:00, 60s/it]  2%|  | 2/50 [02:00<59:00, 60s/it]      {'loss': 0.0, 'reward': 0.1}\n"
        "  3%|  | 3/50 [03:00<1:00:00, 60s/it]\r  4%|  | 4/50 [1:04:00<59:00, 60s/it] {'loss': nan, 'reward': '0.2'}\n"
        "config {'model': 'x', 'lr': 1e-6}\n"
    )
    run = _read(tmp_path, text, ReadOptions(gpu_hours_per_step=10))
    assert (run.compute.tolist(), run.reward.tolist()) == ([20, 40], [0.1, 0.2])
    assert _read(tmp_path, text, ReadOptions(gpus=60)).compute.tolist() == [2, 64]


def test_verl_lines_behind_colours(tmp_path: Path) -> None:
    text = "".join(
        f"\x1b[36m(main_task pid=7)\x1b[0m step:{n} - critic/score/mean:np.float64(0.{n}) - timing_s/step:1800.0\n"
        f"\x1b[36m(WorkerDict pid=9)\x1b[0m step: nothing to see\n"
        for n in range(1, 4)
    )
    run = _read(tmp_path, text, ReadOptions(gpus=8))
    assert (run.compute.tolist(), run.reward.tolist()) == ([4, 8, 12], [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    "line",
    [
        "[Step {n}/300] loss=-0.00 reward_avg=0.{n} tokens_per_sec=19.3",
        "2026-01-01 10:00:00 INFO iter {n} | loss: 1.5 | reward: 0.{n}",
        "step={n}, reward=0.{n}",
        "episode: {n} reward: 0.{n}",
    ],
)
def test_key_value_lines(tmp_path: Path, line: str) -> None:
    text = "starting\n" + "".join(line.format(n=n) + "\n" for n in range(1, 6)) + "done in 3 steps\n"
    run = _read(tmp_path, text, ReadOptions(x=_step_name(line)))
    assert run.source.format in {"key-values", "csv"}
    assert run.reward.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert run.compute.tolist() == [1, 2, 3, 4, 5]


def _step_name(line: str) -> str:
    return next(name for name in ("episode", "iter", "step") if name in line.lower())


def _notebook(*outputs: object) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "outputs": list(outputs)}], "nbformat": 4}, indent=1)


def test_notebook_table_wins_over_its_text(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>{n}</td><td>0.{n}</td><td>No Log</td></tr>" for n in range(1, 5))
    markup = f"<table><tr><th>Step</th><th>reward</th><th>x &amp; y</th></tr>{rows}</table>"
    text = _notebook({"text": ["{'reward': 9}\n"]}, {"data": {"text/html": [markup[:30], markup[30:]]}})
    run = _read(tmp_path, text, ReadOptions(x="Step"))
    assert (run.source.format, run.reward.tolist()) == ("notebook", [0.1, 0.2, 0.3, 0.4])


def test_notebook_with_printed_dicts(tmp_path: Path) -> None:
    text = _notebook({"text": [f"{{'reward': 0.{n}, 'num_tokens': {n}}}\n" for n in range(1, 4)]})
    assert _read(tmp_path, text).reward.tolist() == [0.1, 0.2, 0.3]


def test_notebook_without_metrics(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="a notebook without a table of metrics"):
        _read(tmp_path, _notebook({"text": "hello"}))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            '{"learning_rate": 1e-6,\n "seed": 3}\n',
            "JSON without rows is not a curve (an object with the keys learning_rate, seed)",
        ),
        ('[{"step": 1, "reward": 0.1},\n {"step": 2', "not JSON (cut or damaged)"),
        ("[1, 2, 3]", "JSON without rows is not a curve (an array without records)"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_json_that_is_no_curve(tmp_path: Path, document: str, message: str) -> None:
    with pytest.raises(LogError) as caught:
        _read(tmp_path, document)
    assert message in str(caught.value)
