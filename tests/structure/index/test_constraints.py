"""Constraints are reduced to what may become singular."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.formula.nodes import ONE, Expr, Integer, Real, Var
from freewheel.machine.memory import Memory
from freewheel.runtime.events.dynamic_states import MAX_DETERMINANT, Choices, find_base
from freewheel.structure.index import dynamic_states
from freewheel.structure.index.constraints import parts_of

P, Q = Var(("p",)), Var(("q",))


def is_number(entry: Expr) -> bool:
    return isinstance(entry, Real | Integer)


def in_order(column: int) -> tuple[int, ...]:
    return (column,)


def test_what_has_a_steady_coefficient_is_eliminated() -> None:
    # x = f(p), y = g(p), x + h(q) = 2, y + k(q) = 0, in the columns x, y, p, q
    gradient: dict[int, dict[int, Expr]] = {
        0: {0: ONE, 2: P},
        1: {1: ONE, 2: P},
        2: {0: ONE, 3: Q},
        3: {1: ONE, 3: Q},
    }

    (part,) = parts_of(gradient, in_order, is_number)

    assert len(part.rows) == 2
    assert part.columns == (2, 3)


def test_what_does_not_hang_together_is_parted() -> None:
    # x + p*y = ..., x + q*z = ...: without x they still share y and z; u and v stand alone
    gradient: dict[int, dict[int, Expr]] = {0: {0: ONE, 1: P}, 1: {0: ONE, 2: Q}, 2: {3: P, 4: Q}}

    parts = parts_of(gradient, in_order, is_number)

    assert [part.columns for part in parts] == [(1, 2), (3, 4)]


def test_steady_constraints_leave_nothing() -> None:
    assert parts_of({0: {0: ONE, 1: ONE}, 1: {1: ONE}}, in_order, is_number) == []


def chosen(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """States in terms of the variables, and what is watched by, for constraints of length one."""
    memory = Memory(checked=True)
    (choice,) = memory.new(Choices, count=1).choices
    count, size = rows.shape
    memory.lay_out(choice, constraints=count, size=size)
    choice.rows[:] = rows.ravel()
    find_base(choice)
    base = np.array(choice.base).reshape(size, size)
    return base[count:], base[:count]


def test_both_sides_agree_on_what_is_watched() -> None:
    assert MAX_DETERMINANT == dynamic_states.MAX_DETERMINANT


@pytest.mark.parametrize(("constraints", "variables"), [(1, 2), (2, 3), (3, 7), (5, 9)])
def test_chosen_states_are_free_and_what_is_watched_is_across(
    constraints: int, variables: int
) -> None:
    rows = np.random.default_rng(7).normal(size=(constraints, variables))
    rows /= np.linalg.norm(rows, axis=1)[:, None]

    along, normals = chosen(rows)

    assert np.allclose(along @ along.T, np.eye(variables - constraints))
    assert np.allclose(along @ normals.T, 0.0, atol=1e-12)
    whole = np.vstack([rows, along])
    assert np.linalg.cond(whole) < 30.0
    if constraints > MAX_DETERMINANT:
        assert np.allclose(rows @ normals.T, np.eye(constraints))
    else:
        assert np.linalg.det(rows @ normals.T) > 0.0


def test_a_single_variable_is_taken_where_it_lies_well() -> None:
    along, _ = chosen(np.array([[0.1, 1.0]]))
    slanted, _ = chosen(np.array([[1.0, 1.0]]) / np.sqrt(2.0))

    assert along.tolist() == [[1.0, 0.0]]
    assert abs(slanted[0, 0]) == pytest.approx(np.sqrt(0.5))
