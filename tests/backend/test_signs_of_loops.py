"""Unknowns of small linear loops, solved in place, have no sign of rounding where relations look."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.pipeline import Options, compile_model
from freewheel.program.nodes import SolveLinear
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate


def text(a: np.ndarray, b: np.ndarray) -> str:
    """a*x = b*(2 + sin(time)), each unknown compared with zero."""
    n = len(b)
    numbers = [f"a{i}{j} = {float(a[i, j])!r}" for i in range(n) for j in range(n)]
    numbers += [f"b{i} = {float(b[i])!r}" for i in range(n)]
    rows = [" + ".join(f"a{i}{j}*x{j}" for j in range(n)) for i in range(n)]
    lines = [
        "model Loop",
        *(f"  parameter Real {number};" for number in numbers),
        *(f"  Real x{j};\n  Boolean high{j} = x{j} > 0;" for j in range(n)),
        "equation",
        *(f"  {row} = b{i}*(2 + sin(time));" for i, row in enumerate(rows)),
        "end Loop;",
    ]
    return "\n".join(lines)


def run(a: np.ndarray, x: np.ndarray) -> tuple[set[int], fw.Result]:
    """Numbers of the unknowns that the loop is solved for (others follow from them), and a run."""
    model = fw.load_text(text(a, a @ x))
    made = compile_model(model.library, model.name, Options())
    steps = made.program.sections["relations"]
    (loop,) = (step for step in steps if isinstance(step, SolveLinear))
    assert 2 <= len(loop.slots) <= 3
    assert len(loop.signs) == len(loop.slots)
    slots = {variable.name: variable.slot for variable in made.program.variables}
    solved = {k for k in range(len(x)) if slots[f"x{k}"] in loop.slots}
    return solved, simulate(made.model, Settings.of(made.model, stop=6.0))


@pytest.mark.parametrize("n", [3, 4])
def test_what_is_below_its_rounding_error_is_zero(n):
    rng, seen = np.random.default_rng(n), 0
    for k in [*range(n), *range(n)]:
        a, x = rng.uniform(-50, 50, (n, n)), rng.uniform(1, 10, n)
        x[k] = 0.0
        solved, result = run(a, x)
        if k in solved:
            seen += 1
            assert np.all(result[f"x{k}"] == 0.0)
            assert len(result.events) == 0
    assert seen >= n


@pytest.mark.parametrize("small", [1e-3, 1e-12])
def test_what_is_small_and_exact_keeps_its_sign(small):
    a, x = (
        np.array([[1.0, 2.0, -3.0], [2.0, -1.0, 0.5], [4.0, 1.0, 7.0]]),
        np.array([1.0, 2.0, 3.0]),
    )
    a[:, 0] /= small
    x[0] *= small
    _, result = run(a, x)
    assert result["x0"][0] == pytest.approx(2 * small, rel=1e-9)
    assert len(result.events) == 0
