import subprocess
import sys

import pytest

import scalefit


def test_every_public_name_is_there() -> None:
    for name in scalefit.__all__:
        assert getattr(scalefit, name).__name__ == name
    assert dir(scalefit) == sorted(scalefit.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        scalefit.nothing  # noqa: B018 the access is the test


def test_the_package_alone_imports_nothing_heavy() -> None:
    code = "import sys, scalefit; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
