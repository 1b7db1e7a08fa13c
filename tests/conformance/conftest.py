"""The public conformance data, where this machine has it."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def conformance() -> Path:
    folder = os.environ.get("DLAUDIT_CONFORMANCE")
    if not folder:
        pytest.skip("DLAUDIT_CONFORMANCE is not set")
    return Path(folder)
