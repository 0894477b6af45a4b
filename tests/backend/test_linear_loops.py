"""Linear loops of one to five unknowns: in place or by the kernel, as the reference has them."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.diagnostics import SimulationError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate


def text(matrix: np.ndarray, right: np.ndarray) -> str:
    """Coefficients hang on a state, so that nothing is eliminated before."""
    size = len(right)
    lines = ["model Loop", f"  Real x[{size}](each start = 1);"]
    lines += ["  Real one(start = 1, fixed = true);", "equation", "  der(one) = 0;"]
    for r in range(size):
        terms = " + ".join(f"({float(matrix[r, c])!r}*one)*x[{c + 1}]" for c in range(size))
        lines.append(f"  {terms} = {float(right[r])!r};")
    return "\n".join([*lines, "end Loop;"])


def run(matrix: np.ndarray, right: np.ndarray, backend: str) -> Result:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text(matrix, right), "loop.mo"))
    model = compile_model(library, ("Loop",), Options(backend=backend)).model
    return simulate(model, Settings.of(model, stop=1.0, number_of_intervals=2))


def solution(result: Result, size: int) -> list[float]:
    return [float(result[f"x[{k + 1}]"][-1]) for k in range(size)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_rows_of_any_size_in_any_order(size: int, backend: str) -> None:
    rng = np.random.default_rng(size)
    matrix = rng.uniform(-1.0, 1.0, (size, size))
    matrix[0, 0] = 0.0  # a pivot that only another row can give
    matrix *= 10.0 ** rng.integers(-6, 7, (size, 1))
    right = matrix @ np.arange(1.0, size + 1.0)

    result = run(matrix, right, backend)

    assert solution(result, size) == pytest.approx(np.arange(1.0, size + 1.0), rel=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_singular_loop_that_is_consistent_keeps_what_it_can(size: int, backend: str) -> None:
    matrix = np.random.default_rng(size).uniform(0.5, 2.0, (size, size))
    matrix[-1] = np.sum(matrix[:-1], axis=0)
    right = matrix @ np.full(size, 2.0)

    found = solution(run(matrix, right, backend), size)

    assert matrix @ found == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_singular_loop_that_contradicts_itself_is_named(backend: str) -> None:
    matrix = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]])

    with pytest.raises(SimulationError) as caught:
        run(matrix, np.array([1.0, 2.0, 4.0]), backend)

    assert caught.value.diagnostics[0].code == "R123"
