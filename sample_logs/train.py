"""Train the real sample runs anew, with Stable-Baselines3 on one CPU thread.

``python3 sample_logs/train.py NAME [FOLDER]`` writes what the framework logs into ``FOLDER/NAME`` (default: beside this
script). The versions are in requirements.txt. The seeds are fixed, but the clock is the machine's, so a second run
differs in its time columns; other versions or processors may differ in every column.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from stable_baselines3 import DQN, PPO, SAC
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import configure

RUNS: Mapping[str, Mapping[str, Any]] = {
    "frozenlake-ppo": {
        "algorithm": PPO,
        "environment": "FrozenLake-v1",
        "environments": 4,
        "steps": 300_000,
        "log_interval": 1,
        # The learning rate is a third of the default, so that the rise is spread over many logged rows.
        "settings": {"n_steps": 256, "batch_size": 128, "learning_rate": 1e-4, "ent_coef": 0.01, "gamma": 0.99},
    },
    "cartpole-ppo": {
        "algorithm": PPO,
        "environment": "CartPole-v1",
        "environments": 4,
        "steps": 250_000,
        "log_interval": 1,
        "settings": {"n_steps": 256, "batch_size": 128, "learning_rate": 1e-4, "n_epochs": 5},
    },
    "acrobot-ppo": {
        "algorithm": PPO,
        "environment": "Acrobot-v1",
        "environments": 4,
        "steps": 300_000,
        "log_interval": 1,
        "settings": {"n_steps": 512, "batch_size": 128, "learning_rate": 1e-4, "n_epochs": 5},
    },
    "mountaincar-dqn": {
        "algorithm": DQN,
        "environment": "MountainCar-v0",
        "environments": 1,
        "steps": 120_000,
        "log_interval": 4,
        # Tuned settings of RL Baselines3 Zoo for this environment.
        "settings": {
            "learning_rate": 4e-3,
            "batch_size": 128,
            "buffer_size": 10_000,
            "learning_starts": 1_000,
            "gamma": 0.98,
            "target_update_interval": 600,
            "train_freq": 16,
            "gradient_steps": 8,
            "exploration_fraction": 0.2,
            "exploration_final_eps": 0.07,
            "policy_kwargs": {"net_arch": [256, 256]},
        },
    },
    "pendulum-sac": {
        "algorithm": SAC,
        "environment": "Pendulum-v1",
        "environments": 1,
        "steps": 20_000,
        "log_interval": 1,
        "settings": {"learning_rate": 3e-4, "policy_kwargs": {"net_arch": [64, 64]}, "stats_window_size": 10},
    },
}
"""What is trained: the algorithm, its environment, how long, and every setting that is not the library's default."""


def train(name: str, folder: Path) -> None:
    """Train one of `RUNS` and leave its ``progress.csv`` and the episodes of each environment in ``folder / name``."""
    recipe = RUNS[name]
    torch.set_num_threads(1)
    target = folder / name
    environments = make_vec_env(
        recipe["environment"], n_envs=recipe["environments"], seed=0, monitor_dir=str(target / "monitor")
    )
    model = recipe["algorithm"]("MlpPolicy", environments, seed=0, device="cpu", **recipe["settings"])
    model.set_logger(configure(str(target), ["csv"]))
    model.learn(total_timesteps=recipe["steps"], log_interval=recipe["log_interval"])
    environments.close()


if __name__ == "__main__":
    train(sys.argv[1], Path(sys.argv[2]) if sys.argv[2:] else Path(__file__).parent)
