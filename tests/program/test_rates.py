"""Slopes of relations against differences, in both backends."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.api import load
from freewheel.backend.load import build
from freewheel.runtime.model import CompiledModel, Vector

TEXT = """
model M "a residual behind a nonlinear loop, one with a function of time, one with an input"
  input Real u;
  Real x(start = 1.5, fixed = true), y(start = 1, fixed = true), p, q;
equation
  p = x*y*sin(time);
  p = q^3 + q;
  der(x) = if x > y then -2*y else 2;
  der(y) = if q > 0.2 then -3*q else 1.5*x;
  when x*y > u*cos(time) then
    reinit(x, 0.3);
  end when;
end M;
"""
MOVED = 1e-4


@pytest.fixture(params=["python", "llvm"])
def model(request, tmp_path) -> CompiledModel:
    path = tmp_path / "M.mo"
    path.write_text(TEXT)
    return build(load(path).upto("program").program, request.param)


def at(model: CompiledModel, t: float, y: Vector, u: float) -> Vector:
    memory = model.start.copy()
    for relation in model.relations:
        memory[relation.status] = 1.0
    memory[model.time], memory[model.states.slice], memory[model.inputs[0].slot] = t, y, u
    assert model.sections["derivatives"](memory) == 0
    assert model.sections["relations"](memory) == 0
    return memory


def residuals(model: CompiledModel, t: float, y: Vector, u: float) -> Vector:
    return at(model, t, y, u)[[r.residual for r in model.relations]]


def slopes(model: CompiledModel, order: int, t: float, y: Vector, direction: Vector) -> Vector:
    """`direction`: of time, states, input; for the second order the input rises by 0.7."""
    count = len(model.relations)
    made = model.slopes(tuple(range(count)), order)
    values = np.concatenate([direction, [0.7], np.zeros(count)])
    assert made(at(model, t, y, 0.4), values) == 0
    return values[:count]


def test_first_derivatives_in_a_direction(model: CompiledModel) -> None:
    t, y, d = 0.3, np.array([1.2, 0.7]), np.array([1.0, -0.3, 0.8, 0.5])
    high = residuals(model, t + MOVED * d[0], y + MOVED * d[1:3], 0.4 + MOVED * d[3])
    low = residuals(model, t - MOVED * d[0], y - MOVED * d[1:3], 0.4 - MOVED * d[3])

    assert slopes(model, 1, t, y, d) == pytest.approx((high - low) / (2 * MOVED), rel=1e-6)


def test_second_derivatives_in_a_direction(model: CompiledModel) -> None:
    def rate(t: float, y: Vector, u: float) -> Vector:
        memory = at(model, t, y, u)
        values = np.concatenate([[1.0], memory[model.derivatives.slice], [0.7, 0.0, 0.0, 0.0]])
        assert model.slopes((0, 1, 2), 1)(memory, values) == 0
        return values[:3]

    t, y, d = 0.3, np.array([1.2, 0.7]), np.array([1.0, -0.3, 0.8, 0.5])
    high = rate(t + MOVED * d[0], y + MOVED * d[1:3], 0.4 + MOVED * d[3])
    low = rate(t - MOVED * d[0], y - MOVED * d[1:3], 0.4 - MOVED * d[3])

    assert slopes(model, 2, t, y, d) == pytest.approx((high - low) / (2 * MOVED), rel=1e-6)


def test_only_the_relations_asked_for(model: CompiledModel) -> None:
    memory = at(model, 0.3, np.array([1.2, 0.7]), 0.4)
    values = np.array([0.0, 1.0, 0.0, 0.0, 0.0])

    assert model.relations[0].text == "x > y"
    assert model.slopes((0,), 1)(memory, values) == 0
    assert values[0] == 1.0
