"""`flat(text)` and `refused(text)` for the tests of this room; see `../flat/printed.py`."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

PRINTED = runpy.run_path(str(Path(__file__).parent.parent / "flat" / "printed.py"))


@pytest.fixture(scope="session")
def flat():
    return PRINTED["flat"]


@pytest.fixture(scope="session")
def refused():
    return PRINTED["refused"]


@pytest.fixture(scope="session")
def place():
    return PRINTED["place"]
