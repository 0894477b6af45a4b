"""Corners written without relations: `max`, `min`, `abs` and what stands in `noEvent`.

    i = max(s, 0);  v = min(s, 0)        ->      i = if s > 0 then s else 0;  v = if s < 0 then s else 0

Such functions make no events (Modelica 3.6, "Event Triggering Mathematical Functions"), and mostly none is
wanted. But where an equation must be solved for what stands inside, it says nothing about it on one side
of the corner, and no iteration gets over that. If a state gives way there, the corner is a switch like any
other and needs its event, whatever was said: `noEvent` cannot mean that a diode has no corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import ZERO, Binary, Call, Expr, If, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import (
    calls_in,
    has_choices,
    map_bottom_up,
    nodes_of,
    substitute,
    variables_in,
)
from freewheel.graphs.matching import FREE, match
from freewheel.structure.atoms import CURVE
from freewheel.structure.blocks.blt import system_of
from freewheel.structure.nodes import (
    Chosen,
    Hybrid,
    ScalarEquation,
    ScalarModel,
    ScalarVariable,
)
from freewheel.structure.switching.joint_blocks import joined

Place = tuple[Span, Name]  # of an equation: where it was written, in which component

_CORNERS = ("max", "min", "abs")
MOST_LIFTED = 4  # of `abs` in one side: each doubles what follows


def written_corners(hybrid: Hybrid, chosen: Chosen) -> frozenset[Place]:
    """Equations that are solved for what stands inside of such a corner, alone or in a piecewise linear
    loop: of `i = max(s, 0); v = s - i` nothing is left for s on one side."""
    moving = frozenset((*chosen.unknowns, *chosen.states, *hybrid.continuous))
    rows = [row for row, e in enumerate(chosen.equations) if _inside(e, moving)]
    if not rows:
        return frozenset()
    system = system_of(chosen.equations, chosen.unknowns)
    columns = match(system.choices, len(chosen.unknowns)).column_of_row
    inside = {row: _inside(chosen.equations[row], moving) for row in rows}
    about: set[Var] = set()  # what such equations are solved for, and other corners speak of too
    for row in rows:
        if columns[row] != FREE and chosen.unknowns[columns[row]] in inside[row]:
            about |= inside[row].intersection(chosen.unknowns)
    if FREE not in columns:
        about |= _in_loops(chosen, inside)
    related = [chosen.equations[row] for row in rows if not about.isdisjoint(inside[row])]
    return frozenset((e.span, e.origin) for e in related if e.span is not NOWHERE)


def _in_loops(chosen: Chosen, inside: Mapping[int, frozenset[Var]]) -> set[Var]:
    """What stands inside of a corner and is an unknown of the piecewise linear loop around it."""
    joint = joined(chosen.equations, chosen.unknowns, ())
    columns = joint.matching.column_of_row
    found: set[Var] = set()
    for number in joint.touched(inside):
        block = joint.blocks[number]
        unknowns = [chosen.unknowns[columns[row]] for row in block]
        corners = [inside[row].intersection(unknowns) for row in block if row in inside]
        about = frozenset[Var]().union(*corners)
        if len(block) > 1 and about:
            rows = (chosen.equations[row] for row in block)
            found |= about if all(_is_piecewise_linear(e, unknowns) for e in rows) else set()
    return found


def _is_piecewise_linear(equation: ScalarEquation, unknowns: Sequence[Var]) -> bool:
    """With straight lines between corners."""
    sides = equation.left, equation.right
    corners = [n for n in nodes_of(*sides) if isinstance(n, If) or _is_corner(n)]
    pieces: dict[Expr, Expr] = {n: Var((CURVE, number)) for number, n in enumerate(corners)}
    branches = (arg for n in corners for arg in n.args[1 if isinstance(n, If) else 0 :])
    places = [*unknowns, *(var for var in pieces.values() if isinstance(var, Var))]
    return all(linear_form(substitute(p, pieces), places) is not None for p in (*sides, *branches))


def _is_corner(node: Expr) -> bool:
    return isinstance(node, Call) and node.function in _CORNERS


def _inside(equation: ScalarEquation, moving: Set[Var]) -> frozenset[Var]:
    """What moves in one branch of a corner at least."""
    found: set[Var] = set()
    sides = equation.left, equation.right
    corners = any(call.function in _CORNERS for side in sides for call in calls_in(side))
    for node in nodes_of(*sides) if corners or has_choices(*sides) else ():
        if isinstance(node, Call) and node.function in _CORNERS:
            found.update(variables_in(*node.args))
        elif isinstance(node, If) and not moving.isdisjoint(variables_in(node.args[0])):
            found.update(variables_in(*node.args[1:]))
    return frozenset(found & moving)


def with_relations(model: ScalarModel, places: Set[Place]) -> ScalarModel:
    """The corners of these equations as relations, those of pairs along a curve."""
    pairs, others = _with_pairs(model.equations, places)
    parameters = tuple(ScalarVariable(s.name, REAL) for s in pairs)
    equations = [e for pair in pairs.values() for e in pair]
    moving = frozenset(
        Var(v.name)
        for v in model.variables
        if v.type == REAL and v.variability == Variability.CONTINUOUS
    )
    return replace(
        model,
        variables=(*model.variables, *parameters),
        equations=(*_with_relations(others, places, moving), *equations),
    )


def _with_pairs(
    equations: Sequence[ScalarEquation], places: Set[Place]
) -> tuple[dict[Var, tuple[ScalarEquation, ...]], list[ScalarEquation]]:
    """(equations of complementary pairs by their curve parameter, all others)."""
    pairs: dict[Var, tuple[ScalarEquation, ...]] = {}
    others: list[ScalarEquation] = []
    for e in equations:
        pair = _complementary(e) if (e.span, e.origin) in places else None
        if pair is None:
            others.append(e)
            continue
        s = Var((CURVE, *e.origin, len(pairs) + 1))
        below = Binary("<", s, ZERO)
        first = replace(e, left=pair[0], right=If(below, ZERO, s), spoken="")
        second = replace(e, left=pair[1], right=If(below, build.neg(s), ZERO), spoken="")
        pairs[s] = (first, second)
    return pairs, others


def _complementary(equation: ScalarEquation) -> tuple[Expr, Expr] | None:
    """Two quantities of which none is negative and one is zero: `0 = min(i, -v)`, `i - v = abs(i + v)`. A
    relation between both would look at two unknowns; chosen together are elements that have one."""
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(side, Call) and side.function == "noEvent":
            side = side.args[0]
        if not isinstance(side, Call) or side.function not in _CORNERS:
            continue
        if side.function == "abs":
            inside = side.args[0]
            return build.plus(other, inside), build.minus(other, inside)
        if len(side.args) == 2 and build.is_zero(other):
            first, second = side.args
            is_least = side.function == "min"
            return (first, second) if is_least else (build.neg(first), build.neg(second))
    return None


def _with_relations(
    equations: Sequence[ScalarEquation], places: Set[Place], moving: Set[Var]
) -> list[ScalarEquation]:
    related = _Related(moving)
    return [
        e
        if (e.span, e.origin) not in places
        else replace(e, left=related.side(e.left), right=related.side(e.right))
        for e in equations
    ]


class _Related:
    """Corners as relations, but for those between numbers: `max(-m, m)` of a parameter."""

    def __init__(self, moving: Set[Var]) -> None:
        self.moving = moving
        self.memo: dict[Expr, Expr] = {}

    def side(self, side: Expr) -> Expr:
        """In `(s + abs(s))/2` s cancels on one side of the corner, which shows with the choice outside."""
        lifted = self._lifted(side, MOST_LIFTED)
        return map_bottom_up(side, self._node, self.memo) if lifted is None else lifted

    def _lifted(self, side: Expr, most: int) -> Expr | None:
        """With the choices of `abs` outside and sums at the ends; None where these are no sums."""
        for node in nodes_of(side):
            if isinstance(node, Call) and node.function == "abs" and self._moves(node):
                inside = node.args[0]
                if most == 0:
                    return None
                above = self._lifted(substitute(side, {node: inside}), most - 1)
                below = self._lifted(substitute(side, {node: build.neg(inside)}), most - 1)
                if above is None or below is None:
                    return None
                return If(Binary(">", inside, ZERO), above, below)
        return None if most == MOST_LIFTED else _collected(side)

    def _moves(self, *parts: Expr) -> bool:
        return not self.moving.isdisjoint(variables_in(*parts))

    def _node(self, node: Expr) -> Expr:
        if not isinstance(node, Call):
            return node
        if node.function == "noEvent":
            return node.args[0]
        if node.function == "abs" and self._moves(node):
            inside = node.args[0]
            return If(Binary(">", inside, ZERO), inside, build.neg(inside))
        if node.function in ("max", "min") and len(node.args) == 2:
            return self._larger(node, *node.args)
        return node

    def _larger(self, node: Call, first: Expr, second: Expr) -> Expr:
        """`max`, or `min`, with the choices inside made before: of `max(-1, min(1, s))` it is `s > 1` that is
        asked first, then `s < -1`, and no relation compares with a choice."""
        for inner, other in ((first, second), (second, first)):
            if isinstance(inner, If):
                condition, *branches = inner.args
                return If(condition, *(self._larger(node, branch, other) for branch in branches))
        if not self._moves(first, second):
            return node.with_args((first, second))
        relation = ">" if node.function == "max" else "<"
        return If(Binary(relation, first, second), first, second)


def _collected(side: Expr) -> Expr | None:
    """The sum of its variables, each once; None where it is no such sum."""
    variables = variables_in(side)
    form = linear_form(side, variables)
    if form is None:
        return None
    coefficients, total = form
    for coefficient, var in zip(coefficients, variables, strict=True):
        total = build.plus(total, build.times(coefficient, var))
    return total
