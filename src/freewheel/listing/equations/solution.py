"""Solved blocks as a list of formulas to read: assignments, and systems with their solution.

    pieces(ordered, Style())     [Assignment(R2.Va = u + L.Vb), System(4 unknowns, Q101, ...), ...]

`without_surplus` keeps of such a list what an output or the derivative of a state needs. This is for
reading; the program that runs is made from the blocks themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import Expr, Integer, Real, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import variables_in
from freewheel.listing.equations.closed_form import ClosedForm, closed_form
from freewheel.listing.equations.elimination import eliminated_form
from freewheel.listing.equations.evaluated import Evaluation
from freewheel.listing.equations.reading_order import Listing, in_order_of_papers
from freewheel.listing.equations.subexpressions import inlined, shared
from freewheel.listing.equations.whole_loops import whole
from freewheel.structure.atoms import der_of
from freewheel.structure.blocks.assignment import in_reading_order
from freewheel.structure.blocks.tearing import LoopEquation
from freewheel.structure.nodes import Block, Loop, Ordered, ScalarEquation, Sorted
from freewheel.structure.values import ParameterValues

FIRST_NAME = 101  # Q101, Q102, ...: as in the listings of Cellier and Elmqvist (1993)


@dataclass(frozen=True, slots=True)
class Style:
    """How systems of equations are to be shown."""

    matrix: bool = False  # entries of a matrix instead of formulas
    share: bool = True  # names for divisors used more than once
    surplus: bool = True  # also what is not needed
    evaluate: bool = False  # numbers and other names put in, without a line of their own
    through_relations: bool = False  # a loop that is cut at relations is shown as a loop


@dataclass(frozen=True, slots=True)
class Assignment:
    target: Var
    value: Expr
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class System:
    """Equations to be solved together; `solution` where formulas do it. `loop` and `evaluated` may
    hold values in the place of names, `equations` are as they stand."""

    loop: Loop
    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var, ...]  # unknowns[k] is given by equations[k]
    evaluated: tuple[ScalarEquation, ...]
    solution: ClosedForm | None = None
    inside: tuple[Piece, ...] = ()  # what is left of it while relations keep their values
    names: tuple[tuple[Var, Expr], ...] = ()  # in the matrix of a torn loop


Piece = Assignment | System


def running(ordered: Ordered) -> Sorted:
    """What is evaluated while the model runs; at events that is everything."""
    system = ordered.discrete if ordered.discrete.blocks else ordered.simulation
    if not ordered.core.is_there:
        return system
    return whole(system, ordered.core, ordered.chosen.equations)


def listed(ordered: Ordered) -> Listing:
    """The same in the order in which it is printed."""
    rates = [der_of(state) for state in ordered.differential]
    crossings = ordered.hybrid.crossings
    return in_order_of_papers(running(ordered), rates, _outputs(ordered), crossings)


def listed_as_program(ordered: Ordered) -> Listing:
    """The same of what a program evaluates between events."""
    rates = [der_of(state) for state in ordered.differential]
    return in_order_of_papers(ordered.simulation, rates, _outputs(ordered))


def pieces(ordered: Ordered, style: Style) -> list[Piece]:
    """In an order of evaluation."""
    found = _Solver(ordered, style, listed(ordered)).pieces()
    return found if style.surplus else without_surplus(found, ordered)


def systems(ordered: Ordered, listing: Listing, style: Style) -> Iterator[System]:
    """The linear loops of a listing."""
    solver = _Solver(ordered, style, listing)
    for block in listing.blocks:
        if isinstance(block, Loop) and block.is_linear:
            yield solver.system(block)


class _Solver:
    """Formulas for blocks, one after the other."""

    def __init__(self, ordered: Ordered, style: Style, listing: Listing) -> None:
        self.listing = listing
        self.style = style
        self.evaluation = Evaluation(_lasting(ordered)) if style.evaluate else None
        variables = ordered.scalar.variables
        self.names = _Names({v.name for v in variables})
        self.new_name = self.names if style.share and not style.matrix else None
        self.values = ParameterValues({v.name: v for v in variables}, ordered.functions)
        self.parameters = {v.name for v in variables if v.variability <= Variability.PARAMETER}
        self.logical = {v.name for v in variables if v.type != REAL}

    def pieces(self) -> list[Piece]:
        found: list[Piece] = []
        for part in self.listing.parts:
            inside = [piece for block in part.blocks for piece in self._block(block)]
            whole = part.whole
            if whole is None or not self.style.through_relations or self._is_logical(whole):
                found += inside
            else:
                system = self.system(whole)
                found.append(replace(system, inside=tuple(inside)))
        return found

    def _is_logical(self, loop: Loop) -> bool:
        """Whether it goes through a variable that is no number: then events decide."""
        return any(v.name in self.logical or str(v.name[0])[0] == "$" for v in loop.unknowns)

    def _block(self, block: Block) -> Iterator[Piece]:
        if isinstance(block, Loop):
            yield self.system(block)
        elif self.evaluation is None or not self.evaluation.absorbs(block):
            value = self.evaluation.value(block.value) if self.evaluation else block.value
            origin = self.listing.equations[block.equation].origin
            yield Assignment(block.target, value, origin)

    def system(self, loop: Loop) -> System:
        rows = self.listing.equations
        equations = tuple(rows[row] for row in loop.equations)
        written = in_reading_order([rows[row] for row in sorted(loop.equations)])
        evaluated = equations
        if self.evaluation is not None:
            loop = self.evaluation.loop(loop)
            evaluated = tuple(map(self.evaluation.equation, equations))
            written = list(map(self.evaluation.equation, written))
        solution, names = None, list[tuple[Var, Expr]]()
        if loop.is_linear and not self.style.matrix:
            solution = closed_form(written, loop.unknowns, self._rank, self.new_name)
            if solution is None:
                solution = eliminated_form(
                    written, loop.unknowns, self._rank, self.values, self.names
                )
            if solution is None:
                loop, names = self._named(loop)
        return System(loop, equations, loop.unknowns, evaluated, solution, names=tuple(names))

    def _named(self, loop: Loop) -> tuple[Loop, list[tuple[Var, Expr]]]:
        """A loop whose matrix shares common subexpressions."""
        assert loop.matrix is not None
        names, entries = shared([*(e for *_, e in loop.matrix), *loop.right], self.names)
        places = [(row, column) for row, column, _ in loop.matrix]
        matrix = [(r, c, e) for (r, c), e in zip(places, entries, strict=False)]
        return replace(loop, matrix=tuple(matrix), right=tuple(entries[len(places) :])), names

    def _rank(self, atom: Expr) -> int:
        is_first = isinstance(atom, Var) and (atom.name in self.parameters or _is_name(atom))
        return 0 if is_first else 1


def copied_outputs(found: Sequence[Piece], ordered: Ordered) -> list[Piece]:
    """Outputs that are another name of something, and that nothing but such an output reads."""
    outputs = _outputs(ordered)
    looked_at = {v for c in ordered.hybrid.crossings for v in variables_in(c.left, c.right)}
    copies: list[Piece] = [
        p
        for p in found
        if isinstance(p, Assignment)
        and isinstance(p.value, Var)
        and p.target in outputs - looked_at
    ]
    while True:
        last = set(map(id, copies))
        read = {var for piece in found if id(piece) not in last for var in _used(piece)}
        kept = [p for p in copies if isinstance(p, Assignment) and p.target not in read]
        if len(kept) == len(copies):
            return copies
        copies = [*kept]


def _lasting(ordered: Ordered) -> set[Var]:
    """What a listing must give: derivatives of states, discrete variables, outputs."""
    rates = {der_of(state) for state in ordered.differential}
    return rates | set(ordered.hybrid.discrete) | _outputs(ordered)


def _outputs(ordered: Ordered) -> set[Var]:
    return {Var(v.name) for v in ordered.scalar.variables if v.causality is Causality.OUTPUT}


def _is_name(var: Var) -> bool:
    head = str(var.name[0])
    return len(var.name) == 1 and head[0] == "Q" and head[1:].isdigit()


class _Names:
    """Those that the model has not taken."""

    def __init__(self, taken: Set[Name]) -> None:
        self.taken = taken
        self.count = FIRST_NAME

    def __call__(self) -> Var:
        while (name := (f"Q{self.count}",)) in self.taken:
            self.count += 1
        self.count += 1
        return Var(name)


def matrix_of(system: System) -> Iterable[tuple[str, Expr]]:
    """(`A(1,2)` or `b(1)`, entry), without zeros, row by row."""
    column = {var: k for k, var in enumerate(system.unknowns, start=1)}
    for row, equation in enumerate(system.evaluated, start=1):
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
    needed = _lasting(ordered) - set(map(Var, aliases))
    for variable in ordered.scalar.variables:
        if variable.causality is not Causality.OUTPUT:
            continue
        alias = aliases.get(variable.name)
        if alias is None:
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
    return [*_without_copies(kept[::-1], _lasting(ordered)), *ends]


def _without_copies(found: Sequence[Piece], lasting: Set[Var]) -> list[Piece]:
    """`y = v` takes the formula of `v`, where that is all `v` is for."""
    uses = Counter(var for piece in found for var in _used(piece))
    copied = {
        piece.value: at
        for at, piece in enumerate(found)
        if isinstance(piece, Assignment) and isinstance(piece.value, Var) and uses[piece.value] == 1
    }
    kept: list[Piece] = []
    waiting: dict[Expr, Expr] = {}  # variable without a line -> its formula
    for at, piece in enumerate(found):
        if isinstance(piece, Assignment):
            piece = replace(piece, value=waiting.get(piece.value, piece.value))
            if at < copied.get(piece.target, -1) and piece.target not in lasting:
                waiting[piece.target] = piece.value
                continue
        kept.append(piece)
    return kept


def _needed_part(piece: Piece, needed: set[Var]) -> list[Piece]:
    if isinstance(piece, Assignment):
        return [piece] if piece.target in needed else []
    if not needed.intersection(piece.unknowns):
        return []
    if piece.solution is None:
        return [piece]
    wanted, values = set(needed), list[tuple[Var, Expr]]()
    for var, value in reversed(piece.solution.values):  # later ones may use earlier ones
        if var in wanted:
            values.append((var, value))
            wanted.update(variables_in(value))
    form = inlined(piece.solution.names, values[::-1])
    return [Assignment(var, value) for var, value in (*form.names, *form.values)]


def _used(piece: Piece) -> tuple[Var, ...]:
    if isinstance(piece, Assignment):
        return variables_in(piece.value)
    return variables_in(*(side for e in piece.equations for side in (e.left, e.right)))
