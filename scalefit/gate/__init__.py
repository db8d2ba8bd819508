"""A policy held against runs: what `check` means."""

from scalefit.gate.judgement import check_run
from scalefit.gate.policy import (
    Asymptote,
    Band,
    Demand,
    Efficiency,
    Final,
    Gate,
    NoCollapse,
    OnTrack,
    Policy,
    Reach,
    RemainingGain,
    Severity,
)
from scalefit.gate.verdict import GateVerdict, OnInconclusive, Outlook, RunVerdict, State, Verdict

__all__ = [
    "Asymptote",
    "Band",
    "Demand",
    "Efficiency",
    "Final",
    "Gate",
    "GateVerdict",
    "NoCollapse",
    "OnInconclusive",
    "OnTrack",
    "Outlook",
    "Policy",
    "Reach",
    "RemainingGain",
    "RunVerdict",
    "Severity",
    "State",
    "Verdict",
    "check_run",
]
