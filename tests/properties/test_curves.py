"""What must hold of every law."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalefit.model.curves import LAWS, SIGMOID

EFFICIENCY = st.floats(0.05, 8)
MIDPOINT = st.floats(-6, 6)
FEW = settings(max_examples=50)


def _array(value: float) -> np.ndarray[tuple[()], np.dtype[np.float64]]:
    return np.asarray(value, dtype=np.float64)


@pytest.mark.parametrize("name", LAWS)
@FEW
@given(efficiency=EFFICIENCY, midpoint=MIDPOINT)
def test_more_compute_is_never_worse(name: str, efficiency: float, midpoint: float) -> None:
    compute = np.linspace(-12, 12, 200)
    share = LAWS[name].share(compute, _array(np.log(efficiency)), _array(midpoint))
    assert (np.diff(share) >= 0).all()
    assert np.isfinite(share).all()


@pytest.mark.parametrize("name", LAWS)
@FEW
@given(efficiency=st.floats(0.3, 4), midpoint=MIDPOINT, share=st.floats(0.01, 0.99))
def test_the_inverse_inverts(name: str, efficiency: float, midpoint: float, share: float) -> None:
    law = LAWS[name]
    shape = _array(np.log(efficiency)), _array(midpoint)
    compute = law.log_compute_for_share(_array(share), *shape)
    assert law.share(compute, *shape) == pytest.approx(share, abs=1e-9)


@FEW
@given(efficiency=EFFICIENCY, midpoint=MIDPOINT)
def test_the_sigmoid_has_its_limits(efficiency: float, midpoint: float) -> None:
    compute = np.array([-np.inf, midpoint, np.inf])
    share = SIGMOID.share(compute, _array(np.log(efficiency)), _array(midpoint))
    assert share == pytest.approx([0, 0.5, 1])


@FEW
@given(efficiency=EFFICIENCY, midpoint=MIDPOINT)
def test_the_exponential_has_its_limits(efficiency: float, midpoint: float) -> None:
    compute = np.array([-np.inf, midpoint, 500.0])
    share = LAWS["exponential"].share(compute, _array(np.log(efficiency)), _array(midpoint))
    assert share == pytest.approx([0, 0.5, 1])


@pytest.mark.parametrize("name", ["sigmoid", "exponential", "power"])
def test_saturating_laws_stay_below_their_ceiling(name: str) -> None:
    share = LAWS[name].share(np.linspace(0, 700, 50), _array(0.0), _array(0.0))
    assert share.max() <= 1
    assert LAWS[name].has_asymptote


def test_the_log_linear_law_goes_on() -> None:
    share = LAWS["log-linear"].share(np.log([1.0, 2.0, 4.0]), _array(0.0), _array(0.0))
    assert share == pytest.approx([0, 1, 2])
    assert not LAWS["log-linear"].has_asymptote
