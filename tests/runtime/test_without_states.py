"""Every solver runs a model without states; libraries that need a vector are not asked."""

import pytest

from freewheel.api.model import load
from freewheel.runtime.integrators.choice import SOLVERS

MODELS = {
    "time": "Real x = time;",
    "event": "Boolean b = sin(time) > 0; Real x = if b then time else 1;",
    "when": "Integer n(start=0); Real x = n; equation when sample(0, 0.1) then n = pre(n) + 1; end when;",
    "loop": "Real x(start=1); equation x^3 + x = time;",
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_model_without_states(tmp_path, name, solver):
    path = tmp_path / "m.mo"
    path.write_text(f"model M {MODELS[name]} end M;")

    result = load(path).simulate(stop=1, interval=0.05, solver=solver)

    assert result.time[-1] == 1
    assert len(result["x"]) >= 21
