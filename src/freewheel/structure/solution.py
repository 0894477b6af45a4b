"""Solved blocks as a list of formulas to read: assignments, and systems with their solution.

    pieces(ordered, Style())     [Assignment(R2.Va = u + L.Vb), System(4 unknowns, Q101, ...), ...]

`without_surplus` keeps of such a list what an output or the derivative of a state needs. This is for
reading; the program that runs is made from the blocks themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import Expr, Integer, Real, Var
from freewheel.formula.walk import substitute, variables_in
from freewheel.structure.atoms import der_of
from freewheel.structure.branches.whole import whole
from freewheel.structure.closed_form import ClosedForm, closed_form
from freewheel.structure.loop_solving import LoopEquation
from freewheel.structure.nodes import Block, Loop, Ordered, ScalarEquation, Solved, Sorted

FIRST_NAME = 101  # Q101, Q102, ...: as in the listings of Cellier and Elmqvist (1993)


@dataclass(frozen=True, slots=True)
class Style:
    """How systems of equations are to be shown."""

    matrix: bool = False  # entries of a matrix instead of formulas
    share: bool = True  # names for divisors used more than once
    surplus: bool = True  # also what nobody needs


@dataclass(frozen=True, slots=True)
class Assignment:
    target: Var
    value: Expr
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class System:
    """Equations to be solved together; `solution` where formulas do it."""

    loop: Loop
    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var, ...]  # unknowns[k] is given by equations[k]
    solution: ClosedForm | None = None


Piece = Assignment | System


def running(ordered: Ordered) -> Sorted:
    """What is evaluated while the model runs; at events that is everything."""
    system = ordered.discrete if ordered.discrete.blocks else ordered.simulation
    if ordered.core is None:
        return system
    return whole(system, ordered.core, ordered.chosen.equations)


def pairs(block: Block) -> list[tuple[int, Var]]:
    """(equation, the unknown it is matched with)."""
    if isinstance(block, Solved):
        return [(block.equation, block.target)]
    return list(zip(block.equations, block.unknowns, strict=True))


def pieces(ordered: Ordered, style: Style) -> list[Piece]:
    """In the order of evaluation."""
    system = running(ordered)
    parameters = {
        v.name for v in ordered.scalar.variables if v.variability <= Variability.PARAMETER
    }
    names = _Names() if style.share else None

    def rank(atom: Expr) -> int:
        is_first = isinstance(atom, Var) and (atom.name in parameters or _is_name(atom))
        return 0 if is_first else 1

    found: list[Piece] = []
    for block in system.blocks:
        if isinstance(block, Solved):
            origin = system.equations[block.equation].origin
            found.append(Assignment(block.target, block.value, origin))
        else:
            found.append(_system(block, system, rank, None if style.matrix else names, style))
    return found if style.surplus else without_surplus(found, ordered)


def _is_name(var: Var) -> bool:
    head = str(var.name[0])
    return len(var.name) == 1 and head[0] == "Q" and head[1:].isdigit()


class _Names:
    def __init__(self) -> None:
        self.count = FIRST_NAME

    def __call__(self) -> Var:
        self.count += 1
        return Var((f"Q{self.count - 1}",))


def _system(
    block: Loop,
    system: Sorted,
    rank: Callable[[Expr], int],
    names: _Names | None,
    style: Style,
) -> System:
    equations = tuple(system.equations[number] for number in block.equations)
    solution = None
    if block.is_linear and not style.matrix:
        solution = closed_form(equations, block.unknowns, rank, names)
    return System(block, equations, block.unknowns, solution)


def matrix_of(system: System) -> Iterable[tuple[str, Expr]]:
    """(`A(1,2)` or `b(1)`, entry), without zeros, row by row."""
    column = {var: k for k, var in enumerate(system.unknowns, start=1)}
    for row, equation in enumerate(system.equations, start=1):
        part = LoopEquation(equation, system.unknowns)
        assert part.terms is not None
        for var in sorted(part.terms, key=column.__getitem__):
            yield f"A({row},{column[var]})", _whole(part.terms[var])
        if not build.is_zero(part.rest):
            yield f"b({row})", _whole(build.neg(part.rest))


def _whole(entry: Expr) -> Expr:
    """`1` reads better than `1.0`."""
    if isinstance(entry, Real) and entry.value.is_integer():
        return Integer(int(entry.value))
    return entry


# ---------------------------------------------------------------- surplus


def without_surplus(found: Sequence[Piece], ordered: Ordered) -> list[Piece]:
    """Only what the model puts out and what its states need; solved systems become assignments."""
    aliases = ordered.hybrid.aliases.aliases
    ends: list[Piece] = []
    needed = {der_of(state) for state in ordered.differential} | set(ordered.hybrid.discrete)
    for variable in ordered.scalar.variables:
        if variable.causality is not Causality.OUTPUT:
            continue
        alias = aliases.get(variable.name)
        if alias is None:
            needed.add(Var(variable.name))
            continue
        value = alias.constant if alias.stand_in is None else alias.stand_in
        assert value is not None
        needed.update(variables_in(value))
        ends.append(Assignment(Var(variable.name), build.neg(value) if alias.sign < 0 else value))
    looked_at = {c.status: variables_in(c.left, c.right) for c in ordered.hybrid.crossings}
    kept: list[Piece] = []
    count = -1
    while count < len(needed):  # where a loop is cut at an event, something earlier needs it again
        count = len(needed)
        kept = []
        for piece in reversed(found):
            part = _needed_part(piece, needed)
            kept.extend(reversed(part))
            for var in (v for one in part for v in _used(one)):
                needed.add(var)
                needed.update(looked_at.get(var, ()))
    return [*reversed(kept), *ends]


def _needed_part(piece: Piece, needed: set[Var]) -> list[Piece]:
    if isinstance(piece, Assignment):
        return [piece] if piece.target in needed else []
    if not needed.intersection(piece.unknowns):
        return []
    if piece.solution is None:
        return [piece]
    values = [(var, value) for var, value in piece.solution.values if var in needed]
    found = [Assignment(var, value) for var, value in values]
    for name, value in reversed(piece.solution.names):  # later ones use earlier ones
        uses = sum(name in variables_in(one.value) for one in found)
        if uses > 1:
            found.insert(0, Assignment(name, value))
        elif uses == 1:
            once: dict[Expr, Expr] = {name: value}
            found = [replace(one, value=substitute(one.value, once)) for one in found]
    return list(found)


def _used(piece: Piece) -> tuple[Var, ...]:
    if isinstance(piece, Assignment):
        return variables_in(piece.value)
    return variables_in(*(side for e in piece.equations for side in (e.left, e.right)))
