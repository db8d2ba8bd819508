"""What every test may use."""

from pathlib import Path

import hypothesis
import pytest

from tests.shared_folder import HAS_SHARED, REPOSITORY, SHARED, WHY_SKIPPED

# The same examples on every run: a suite that fails must fail again. Time limits per example would make it flaky on
# a busy machine.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=False)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of shared logs and curves; skip the test where it is absent."""
    if not HAS_SHARED:
        pytest.skip(WHY_SKIPPED)
    return SHARED


@pytest.fixture(scope="session")
def sample_logs() -> Path:
    """Return the folder of logs that the project ships."""
    return REPOSITORY / "sample_logs"


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a parameter of bytes by its length: archives carry the time, and names must not differ between workers."""
    return f"{argname}-{len(val)}-bytes" if isinstance(val, bytes) else None
