"""A plain log of a known curve: A 0.62, B 1.6, C_mid 250."""

from pathlib import Path

import numpy as np
import pytest

from scalefit.forecast import predict
from tests.runs import make_run, read_columns


def test_a_plain_log_gives_its_curve(shared: Path) -> None:
    columns = read_columns(shared / "cases" / "01-plain.csv")
    forecast = predict(make_run(np.array(columns["gpu_hours"], float), np.array(columns["reward"], float)))
    asymptote = forecast.asymptote
    assert asymptote.estimate == pytest.approx(0.62, abs=0.02)
    assert forecast.efficiency.estimate == pytest.approx(1.6, abs=0.3)
    assert forecast.midpoint.estimate == pytest.approx(250, abs=40)
    assert asymptote.low is not None
    assert asymptote.high is not None
    assert asymptote.low < 0.62 < asymptote.high
    assert asymptote.high - asymptote.low < 0.08
    assert forecast.is_identified
    assert forecast.caveats == ()
