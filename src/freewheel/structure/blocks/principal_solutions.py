"""One equation with several solutions: the principal one, where nothing else chooses among them.

    cos(q) = a        q = acos(a)        as eq. 4 becomes eq. 5 in Cellier and Elmqvist (1993)

A start value, a bound or a condition at the start may ask for another solution. Then Newton's method
begins there and follows that solution, and a listing shows no formula. In: all systems of a model, such
equations as loops of one unknown. Out: the same with formulas, and an assertion for each formula that
has values where its equation has no solution: `sqrt(x) = y` where y < 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from freewheel.base.names import Name
from freewheel.formula.nodes import Expr, String, Var
from freewheel.formula.solve_for import Solution, solve_for
from freewheel.structure.blocks.incidence import equation_text, expr_text
from freewheel.structure.nodes import (
    Action,
    Block,
    Loop,
    Ordered,
    ScalarEquation,
    ScalarVariable,
    Solved,
    Sorted,
)

Key = tuple[Var, Expr]  # unknown and residual: an equation, in whichever system it stands

ONLY_WHERE = "has a solution only where"  # in the text of its assertions


@dataclass(frozen=True, slots=True)
class _Inverse:
    equation: ScalarEquation
    solution: Solution


def with_principal_solutions(ordered: Ordered, variables: Mapping[Name, ScalarVariable]) -> Ordered:
    """What is solved by a formula at the start, and while running where that solves the same equation for
    the same unknown. If it does not, a condition at the start has chosen the solution to be followed."""
    running = {
        key for system in (ordered.simulation, ordered.discrete) for key, _ in _single(system)
    }
    found = {
        key: inverse
        for key, inverse in _inverses(ordered.initial, variables).items()
        if key in running or not inverse.solution.conditions
    }
    if not found:
        return ordered

    def solved(system: Sorted) -> Sorted:
        return replace(system, blocks=tuple(_solved(block, found) for block in system.blocks))

    actions = (*ordered.hybrid.actions, *_assertions(found.values()))
    return replace(
        ordered,
        simulation=solved(ordered.simulation),
        discrete=solved(ordered.discrete),
        initial=solved(ordered.initial),
        simplified=None if ordered.simplified is None else solved(ordered.simplified),
        between=None if ordered.between is None else solved(ordered.between),
        hybrid=replace(ordered.hybrid, actions=actions),
    )


def _inverses(system: Sorted, variables: Mapping[Name, ScalarVariable]) -> dict[Key, _Inverse]:
    """Equations of one unknown without a start value or bound from the modeller."""
    found: dict[Key, _Inverse] = {}
    for key, equation in _single(system):
        solution = principal_solution(equation, key[0])
        if solution is not None and not _is_chosen(variables.get(key[0].name)):
            found[key] = _Inverse(equation, solution)
    return found


def principal_solution(equation: ScalarEquation, unknown: Var) -> Solution | None:
    return solve_for(equation.left, equation.right, unknown, principal=True)


def _is_chosen(variable: ScalarVariable | None) -> bool:
    if variable is None:  # a derivative
        return False
    return any(said is not None for said in (variable.start, variable.minimum, variable.maximum))


def _single(system: Sorted) -> Iterator[tuple[Key, ScalarEquation]]:
    for block in system.blocks:
        if _is_single(block):
            assert isinstance(block, Loop)
            yield _key(block), system.equations[block.equations[0]]


def _is_single(block: Block) -> bool:
    return isinstance(block, Loop) and len(block.unknowns) == 1 and not block.is_linear


def _key(loop: Loop) -> Key:
    return loop.unknowns[0], loop.residuals[0]


def _solved(block: Block, found: Mapping[Key, _Inverse]) -> Block:
    if isinstance(block, Solved) or not _is_single(block) or _key(block) not in found:
        return block
    return Solved(block.unknowns[0], found[_key(block)].solution.value, block.equations[0])


def _assertions(inverses: Iterable[_Inverse]) -> Iterator[Action]:
    for inverse in inverses:
        for condition in inverse.solution.conditions:
            equation = inverse.equation
            text = f"`{equation_text(equation)}` {ONLY_WHERE} {expr_text(condition)}"
            yield Action("assert", None, condition, String(text), None, equation.span)
