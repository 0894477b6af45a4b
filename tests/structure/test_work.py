"""Work grows in proportion to the model: counted in calls of functions, not in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from freewheel.api import load_text
from freewheel.structure.analyse import analyse

# A body, its small size, by which factor the scalars grow when the size doubles.
MODELS = {
    "a matrix with zeros": (
        "parameter Real A[n, n] = {{if i == j then -2.0 elseif abs(i - j) == 1 then 1.0 else 0.0"
        " for j in 1:n} for i in 1:n}; Real x[n](each start = 1, each fixed = true);"
        " equation der(x) = A*x;",
        8,
        4,
    ),
    "components with values from an array": (
        "model C parameter Real k; Real x(start = 1, fixed = true); equation der(x) = -k*x; end C;"
        " C c[n](k = {2*i for i in 1:n});",
        40,
        2,
    ),
    "records in a loop": (
        "record R Real u(start = 1, fixed = true), v; end R; R r[n]; equation"
        " for i in 1:n loop der(r[i].u) = r[i].v; r[i].v = -r[i].u; end for;",
        40,
        2,
    ),
    "elements of arrays": (
        "parameter Real p[n] = fill(1.0, n); Real x[n](each start = 1, each fixed = true), y[n];"
        " equation der(x) = p .* y; y = 2*x;",
        40,
        2,
    ),
    "unknowns in two places of one equation": (
        "parameter Real k = 2; Real x[n], y; equation for i in 1:n loop x[i] = i*time; end for;"
        " y = k*sum(x[i]*sin(x[i]) for i in 1:n);",
        40,
        2,
    ),
}


def calls(work: Callable[[], object]) -> int:
    count = 0

    def on_event(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(on_event)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", MODELS)
def test_work_grows_with_the_model(name: str) -> None:
    body, size, growth = MODELS[name]

    def counted(n: int) -> int:
        model = load_text(f"model M parameter Integer n = {n}; {body} end M;")
        return calls(lambda: analyse(model.flatten()))

    counted(4)  # imports, and what is prepared once
    assert counted(2 * size) < 1.3 * growth * counted(size)
