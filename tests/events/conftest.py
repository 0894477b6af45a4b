"""Models as text, run by both backends."""

from __future__ import annotations

import pytest

from freewheel.api import load


@pytest.fixture(params=["llvm", "python"])
def run(request, tmp_path):
    """Simulate the last model of a text."""

    def simulate(text: str, **settings):
        path = tmp_path / "Model.mo"
        path.write_text(text)
        settings.setdefault("tol", 1e-8)
        return load(path, backend=request.param).simulate(**settings)

    return simulate
