from pathlib import Path

import numpy as np
import pytest

from scalefit.errors import LogError
from scalefit.logs import ReadOptions, read_run

NEW = """\
Using cuda device
Logging to ./tb/PPO_1
----------------------------------
| rollout/           |           |
|    ep_len_mean     | {length}      |
|    ep_rew_mean     | {reward}      |
| time/              |           |
|    fps             | 1054      |
|    iterations      | {step}         |
|    time_elapsed    | {seconds}         |
|    total_timesteps | {frames}      |
| train/             |           |
|    loss            | 1.2e-05   |
----------------------------------
"""
OLD = """\
-----------------------------------
| ep_rewmean          | {reward}    |
| total_timesteps     | {frames}    |
| serial_timesteps    | {frames}    |
-----------------------------------
"""
SPINNING_UP = """\
---------------------------------------
|             Epoch |               {step} |
|      AverageEpRet |            {reward} |
| TotalEnvInteracts |        {frames} |
|              Time |            {seconds} |
---------------------------------------
"""


def _log(box: str, count: int = 6) -> str:
    return "".join(
        box.format(step=n, reward=f"{n / 8:.3f}", length=200 + n, seconds=2.5 * n, frames=2048 * n)
        for n in range(1, count + 1)
    )


def _write(folder: Path, text: str) -> str:
    path = folder / "train.log"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("box", "y_column", "x_column"),
    [
        (NEW, "rollout/ep_rew_mean", "time/time_elapsed"),
        (OLD, "ep_rewmean", "total_timesteps"),
        (SPINNING_UP, "AverageEpRet", "Time"),
    ],
)
def test_each_box_is_a_row(tmp_path: Path, box: str, y_column: str, x_column: str) -> None:
    run = read_run(_write(tmp_path, _log(box)))
    assert (run.source.format, run.source.y_column, run.source.x_column) == ("sb3-console", y_column, x_column)
    np.testing.assert_allclose(run.reward, np.arange(1, 7) / 8, atol=1e-9)


def test_a_box_cut_at_the_end_of_the_log_is_left_out(tmp_path: Path) -> None:
    text = _log(NEW)
    run = read_run(_write(tmp_path, text[: text.rindex("| train/")]))
    assert run.source.rows == 5


def test_a_heading_stands_before_its_names_only(tmp_path: Path) -> None:
    run = read_run(_write(tmp_path, _log(NEW)), ReadOptions(y="rollout/ep_len_mean", x="time/total_timesteps"))
    assert run.reward.tolist() == [201, 202, 203, 204, 205, 206]
    assert run.unit == "env-steps"


def test_a_box_of_words_is_no_log(tmp_path: Path) -> None:
    text = "-----------------\n| name | value |\n| mode | fast |\n-----------------\n"
    with pytest.raises(LogError):
        read_run(_write(tmp_path, text))
