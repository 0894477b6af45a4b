"""Print equations the way the document "Automated Formula Manipulation" does, stage by stage.

    show(ordered, "sorted")
    R1      [u] = R2.Va - C.Va
            u = R * [i]

Equations stand under the component that brought them, its own variables without its name. `flat` and
`aliases` show them as they are, `assigned` with the variable that each gives in square brackets
(states known, nothing differentiated yet), `differentiated` the same after index reduction, `sorted`
in the order of evaluation; `solved` shows formulas, and loops as SYSTEM OF n SIMULTANEOUS EQUATIONS;
`blocks` shows how each loop will be solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from freewheel.formula.nodes import Expr, Var
from freewheel.listing.equations.reading_order import pairs
from freewheel.listing.equations.relation_code import RelationCode
from freewheel.listing.equations.solution import (
    Piece,
    Style,
    System,
    copied_outputs,
    listed,
    matrix_of,
    pieces,
    running,
)
from freewheel.structure.atoms import show_atom
from freewheel.structure.blocks.assignment import assign, in_reading_order
from freewheel.structure.blocks.principal_solutions import principal_solution
from freewheel.structure.nodes import Hybrid, Loop, Ordered, ScalarEquation, ScalarModel, Solved
from freewheel.structure.show_lines import PLAIN, Line, Words, Writer, grouped, heading
from freewheel.structure.when_lines import jumps_in

STAGES = ("flat", "aliases", "assigned", "differentiated", "sorted", "solved", "blocks")
EARLY = STAGES[:3]  # can be shown of a model that has no solution
LARGE = 8  # unknowns; the matrix of a larger loop is not printed unless asked for


def show(ordered: Ordered, stage: str, style: Style | None = None, words: Words = PLAIN) -> str:
    """The equations at one stage."""
    assert stage in EARLY or stage in _LATE, stage
    if stage in EARLY:
        return show_early(ordered.scalar, ordered.hybrid, stage, words)
    writer = Writer(ordered.scalar.name, ordered.hybrid.crossings, words)
    lines = _LATE[stage](ordered, writer, style or Style())
    return grouped(_with_jumps(lines, ordered.hybrid, writer, stage), writer.model)


def show_early(scalar: ScalarModel, hybrid: Hybrid, stage: str, words: Words = PLAIN) -> str:
    """One of the stages before index reduction."""
    writer = Writer(scalar.name, hybrid.crossings, words)
    lines = _EARLY[stage](scalar, hybrid, writer)
    return grouped(_with_jumps(lines, hybrid, writer, stage), writer.model)


def _with_jumps(
    lines: Iterable[Line], hybrid: Hybrid, writer: Writer, stage: str
) -> Iterator[Line]:
    """In the words of the classic language, what states jump to is an equation like others."""
    yield from lines
    if writer.words.jumping and stage != "solved":
        yield from (writer.jump(j) for j in jumps_in(hybrid.actions, writer.words.flags))


# ---------------------------------------------------------------- stages up to causality


def _flat(scalar: ScalarModel, hybrid: Hybrid, writer: Writer) -> Iterator[Line]:
    return (writer.equation(e) for e in in_reading_order(scalar.equations))


def _aliases(scalar: ScalarModel, hybrid: Hybrid, writer: Writer) -> Iterator[Line]:
    return (writer.equation(e) for e in in_reading_order(hybrid.aliases.model.equations))


def _assigned(scalar: ScalarModel, hybrid: Hybrid, writer: Writer) -> Iterator[Line]:
    """Discrete equations give the variable on their left and come last."""
    found = assign(hybrid)
    if found.constraints or found.unassigned:
        yield from _singular(found.unassigned, found.constraints, writer)
    for equation, unknown in zip(found.equations, found.unknowns, strict=True):
        yield writer.equation(equation, unknown)
    for equation in hybrid.discrete_equations:
        if not writer.is_hidden(equation.target):
            yield writer.equation(equation, equation.target)


def _singular(
    unassigned: Iterable[Var], constraints: Iterable[ScalarEquation], writer: Writer
) -> Iterator[Line]:
    """The warning of the document, word for word as one would search for it."""
    yield heading("-- The problem is singular.")
    yield heading("-- Unassigned variables:")
    yield from (heading(f"  {show_atom(var.name)}") for var in unassigned)
    yield heading("-- Additional constraint equations:")
    yield from (writer.equation(equation) for equation in constraints)
    yield heading("-- Equations:")


_EARLY: Mapping[str, Callable[[ScalarModel, Hybrid, Writer], Iterator[Line]]] = {
    "flat": _flat,
    "aliases": _aliases,
    "assigned": _assigned,
}

# ---------------------------------------------------------------- stages after index reduction


def _augmented(ordered: Ordered, writer: Writer, style: Style) -> Iterator[Line]:
    """With the equations that differentiation adds; nothing is said of causality."""
    system = listed(ordered)
    given = {row: unknown for block in system.blocks for row, unknown in pairs(block)}
    hidden = {id(e) for row, e in enumerate(system.equations) if writer.is_hidden(given.get(row))}
    for equation in in_reading_order(system.equations):
        if id(equation) not in hidden:
            yield writer.equation(equation)


def _differentiated(ordered: Ordered, writer: Writer, style: Style) -> Iterator[Line]:
    system = listed(ordered)
    given = {row: unknown for block in system.blocks for row, unknown in pairs(block)}
    rows = {id(equation): row for row, equation in enumerate(system.equations)}
    states = ", ".join(show_atom(state.name) for state in ordered.differential) or "none"
    yield heading(f"-- States: {states}")
    for equation in in_reading_order(system.equations):
        unknown = given.get(rows[id(equation)])
        if not writer.is_hidden(unknown):
            yield writer.equation(equation, unknown)


def _sorted(ordered: Ordered, writer: Writer, style: Style) -> Iterator[Line]:
    system = listed(ordered)
    for block in system.blocks:
        if isinstance(block, Loop):
            yield heading(f"{_kind(block)}SYSTEM OF {len(block.unknowns)} SIMULTANEOUS EQUATIONS")
        for number, unknown in pairs(block):
            if not writer.is_hidden(unknown):
                yield writer.equation(system.equations[number], unknown)
        if isinstance(block, Loop):
            yield heading("END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def _solved(ordered: Ordered, writer: Writer, style: Style) -> Iterator[Line]:
    found = pieces(ordered, style)
    copies = copied_outputs(found, ordered) if writer.words.as_code else []
    told_later = set(map(id, copies))
    kept = [piece for piece in found if id(piece) not in told_later]
    yield heading("SORTED AND SOLVED EQUATIONS")
    relations = RelationCode(writer)
    for piece in kept:
        yield from relations.before(list(_pieces([piece], writer, style)))
    if writer.words.jumping:
        for jump in jumps_in(ordered.hybrid.actions, writer.words.flags):
            yield from relations.before([writer.jump(jump)])
    yield heading("END OF SORTED AND SOLVED EQUATIONS")
    if copies:
        yield heading("ELIMINATED STATE DERIVATIVES AND OUTPUTS")
        yield from _pieces(copies, writer, style)


def _pieces(found: Iterable[Piece], writer: Writer, style: Style) -> Iterator[Line]:
    for piece in found:
        if isinstance(piece, System):
            yield from _system(piece, writer, style)
        elif not writer.is_hidden(piece.target):
            yield writer.assignment(piece.target, piece.value, piece.origin)


def _by_blocks(ordered: Ordered, writer: Writer, style: Style) -> Iterator[Line]:
    system = running(ordered)
    states = ", ".join(show_atom(state.name) for state in ordered.differential) or "none"
    yield heading(f"STATES {states}")
    for number, block in enumerate(system.blocks, start=1):
        if isinstance(block, Solved):
            yield heading(f"BLOCK {number}")
            origin = system.equations[block.equation].origin
            yield writer.assignment(block.target, block.value, origin)
            continue
        kind = "linear" if block.is_linear else "nonlinear"
        guesses = ", ".join(show_atom(guess.name) for guess in block.guesses)
        how = f"{len(block.unknowns)} unknowns, iterates on {guesses}"
        if block.is_implicit:
            kind, how = "implicit", f"{guesses}, by the positions of switches"
        yield heading(f"BLOCK {number}: {kind}, {how}")
        for step in block.inner:
            yield writer.assignment(step.target, step.value, system.equations[step.equation].origin)
        for row, residual in zip(block.residual_equations, block.residuals, strict=True):
            origin = system.equations[row].origin
            yield origin, f"0 = {writer.text(residual, origin)}"


_LATE: Mapping[str, Callable[[Ordered, Writer, Style], Iterator[Line]]] = {
    "augmented": _augmented,
    "differentiated": _differentiated,
    "sorted": _sorted,
    "solved": _solved,
    "blocks": _by_blocks,
}


# ---------------------------------------------------------------- systems of equations


def _system(system: System, writer: Writer, style: Style) -> Iterator[Line]:
    yield heading(f"{_kind(system.loop)}SYSTEM OF {len(system.unknowns)} SIMULTANEOUS EQUATIONS")
    yield heading("UNKNOWN VARIABLES")
    for unknown in system.unknowns:
        yield heading(f"  {writer.name(unknown)}")
    yield heading("EQUATIONS")
    for equation, unknown in zip(system.equations, system.unknowns, strict=True):
        yield writer.equation(equation, unknown)
    yield from _solution(system, writer, style)
    yield heading("END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def _kind(loop: Loop) -> str:
    return "IMPLICIT " if loop.is_implicit else ""


def _solution(system: System, writer: Writer, style: Style) -> Iterator[Line]:
    if system.loop.is_implicit:
        yield heading("-- The positions of switches decide how the system of equations is solved.")
    elif not system.loop.is_linear:
        yield heading("-- The system of equations is nonlinear.")
        yield from _iterated(system)
        if system.inside:
            yield heading("-- Relations keep their values between events; then it is")
            yield from _pieces(system.inside, writer, style)
    elif style.matrix:
        for place, entry in matrix_of(system):
            yield heading(f"  {place} = {writer.text(entry)}")
    elif system.solution is not None:
        yield heading("SOLVED SYSTEM OF EQUATIONS")
        for target, value in (*system.solution.names, *system.solution.values):
            yield heading(f"  {writer.text(target)} = {writer.text(value)}")
    else:
        yield from _torn(system, writer.text)


def _iterated(system: System) -> Iterator[Line]:
    """Of one equation that has a formula on its principal branch: why it is not taken."""
    (unknown, *others), (equation, *_) = system.unknowns, system.equations
    if not others and principal_solution(equation, unknown) is not None:
        yield heading("-- It is iterated: values at the start choose among its solutions.")


def _torn(system: System, text: Callable[[Expr], str]) -> Iterator[Line]:
    """The matrix of what is left after tearing, then what follows from it."""
    loop = system.loop
    assert loop.matrix is not None
    guesses = ", ".join(show_atom(guess.name) for guess in loop.guesses)
    yield heading(f"-- The system of equations is solved numerically for {guesses}.")
    if len(loop.guesses) <= LARGE:
        for name, value in system.names:
            yield heading(f"  {text(name)} = {text(value)}")
        for row, column, entry in loop.matrix:
            yield heading(f"  A({row + 1},{column + 1}) = {text(entry)}")
        for row, right in enumerate(loop.right):
            yield heading(f"  b({row + 1}) = {text(right)}")
    for step in loop.inner:
        yield heading(f"  {show_atom(step.target.name)} = {text(step.value)}")
