"""The forecast made by hand, as a fixture."""

from collections.abc import Callable

import pytest

from scalefit.forecast import Forecast
from tests import forecasts


@pytest.fixture
def make_forecast() -> Callable[..., Forecast]:
    """Return a factory: a forecast of a finished run, with the fields given replaced."""
    return forecasts.make_forecast
