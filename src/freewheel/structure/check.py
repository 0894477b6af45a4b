"""What must hold when a model leaves the structure room.

    check(ordered)     raises AssertionError where our own work is wrong

Square and matched: every unknown is given exactly once, nothing is used before it is given (apart
from where loops were cut on purpose), and no expression holds an array or an operator of the
language that this room was to remove.
"""

from __future__ import annotations

from freewheel.formula.nodes import Call, Expr, Var
from freewheel.formula.walk import calls_in, variables_in
from freewheel.structure.atoms import INITIAL, der_of
from freewheel.structure.nodes import Block, Ordered, Solved, Sorted

GONE = frozenset(("der", "pre", "edge", "change", "initial", "terminal", "sample", "noEvent"))


def check(ordered: Ordered) -> None:
    """The written promise of the room."""
    given = _given_once(ordered.simulation)
    for state in ordered.states:
        assert state not in given, state
        assert der_of(state) in given or der_of(state) in set(ordered.states), state
    _given_once(ordered.initial)
    _ordered_by_need(ordered.simulation)
    for system in (ordered.simulation, ordered.discrete, ordered.initial):
        for block in system.blocks:
            for expr in _expressions(block):
                _plain(expr)


def _outputs(block: Block) -> tuple[Var, ...]:
    return (block.target,) if isinstance(block, Solved) else block.unknowns


def _expressions(block: Block) -> list[Expr]:
    if isinstance(block, Solved):
        return [block.value]
    return [*(step.value for step in block.inner), *block.residuals]


def _given_once(system: Sorted) -> set[Var]:
    given = [var for block in system.blocks for var in _outputs(block)]
    assert len(given) == len(set(given)), "given twice"
    return set(given)


def _ordered_by_need(system: Sorted) -> None:
    all_given = {var for block in system.blocks for var in _outputs(block)}
    known: set[Var] = set()
    for block in system.blocks:
        own = set(_outputs(block))
        for var in variables_in(*_expressions(block)):
            assert var not in all_given or var in known or var in own, var
        known |= own


def _plain(expr: Expr) -> None:
    assert INITIAL not in variables_in(expr), expr
    for call in calls_in(expr):
        assert isinstance(call, Call)
        assert call.function not in GONE, call.function
