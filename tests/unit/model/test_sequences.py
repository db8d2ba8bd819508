import numpy as np
import pytest

from scalefit.model.sequences import radical_inverse


def test_the_first_terms_are_known() -> None:
    assert radical_inverse(4, 2) == pytest.approx([0.5, 0.25, 0.75, 0.125])
    assert radical_inverse(3, 3) == pytest.approx([1 / 3, 2 / 3, 1 / 9])


@pytest.mark.parametrize("base", [2, 3, 5, 7, 11, 13, 17])
def test_terms_fill_the_unit_interval_evenly(base: int) -> None:
    values = np.sort(radical_inverse(2000, base))
    assert values[0] > 0
    assert values[-1] < 1
    assert np.abs(values - (np.arange(2000) + 0.5) / 2000).max() < 0.01


def test_terms_are_shared_and_cannot_be_changed() -> None:
    assert radical_inverse(10, 2) is radical_inverse(10, 2)
    with pytest.raises(ValueError, match="read-only"):
        radical_inverse(10, 2)[0] = 0
