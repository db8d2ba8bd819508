"""The folder of shared logs and curves that tests read where it is present; it is no part of the project."""

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
"""The root of the checkout."""

SHARED = Path(os.environ.get("SCALEFIT_SHARED") or REPOSITORY.parent / "shared")
"""Where the shared folder is expected: ``$SCALEFIT_SHARED``, or ``shared`` beside the checkout."""

HAS_SHARED = SHARED.is_dir()
"""Whether it is there."""

WHY_SKIPPED = f"needs the folder of shared logs, which is not at {SHARED} (set SCALEFIT_SHARED to where it is)"
"""The reason that a skipped test gives."""

needs_shared = pytest.mark.skipif(not HAS_SHARED, reason=WHY_SKIPPED)
"""Mark for tests that are parametrised from the shared folder when they are collected."""
