"""Small clocked models, run and read at chosen instants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

import freewheel
from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.result.store import Result

Run = Callable[..., Result]
Refused = Callable[[str], Diagnostic]


@pytest.fixture(params=["python", "llvm"])
def run(tmp_path, request) -> Run:
    def simulated(text: str, stop: float = 1.0, **choices: object) -> Result:
        path = tmp_path / "M.mo"
        path.write_text(f"model M\n{text}\nend M;\n")
        model = freewheel.load(path, backend=request.param)
        return model.simulate(stop=stop, **choices)

    return simulated


@pytest.fixture
def refused(tmp_path) -> Refused:
    def diagnosed(text: str) -> Diagnostic:
        path = tmp_path / "M.mo"
        path.write_text(f"model M\n{text}\nend M;\n")
        with pytest.raises(CompileError) as caught:
            freewheel.load(path).simulate(stop=1.0)
        return caught.value.diagnostics[0]

    return diagnosed


def values(result: Result, name: str, instants: Sequence[float]) -> list[float]:
    """After the events at these instants."""
    times, found = result.time, result[name]
    places = [int(np.searchsorted(times, t + 1e-9, side="right")) - 1 for t in instants]
    return [float(found[k]) for k in places]


def changes(result: Result, name: str) -> list[tuple[float, float]]:
    """Each time at which the variable gets another value, and that value."""
    times, found = result.time, result[name]
    places = np.flatnonzero(np.diff(found) != 0.0) + 1
    return [(float(times[k]), float(found[k])) for k in places]
