"""Print equations the way the document "Automated Formula Manipulation" does, stage by stage.

    show(ordered, "sorted")
    R1      [u] = R2.Va - C.Va
            u = R * [i]

Equations stand under the component that brought them, its own variables without its name. From
`sorted` on the unknown of each equation is in square brackets; `solved` shows formulas, and loops as
SYSTEM OF n SIMULTANEOUS EQUATIONS; `blocks` shows how each loop will be solved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.base.names import show as show_name
from freewheel.formula.nodes import Binary, Expr, Var
from freewheel.formula.show import show as show_expr
from freewheel.formula.walk import replace as walk_replace
from freewheel.structure.atoms import DER, PRE, show_atom
from freewheel.structure.nodes import Block, Loop, Ordered, ScalarEquation, Solved, Sorted

STAGES = ("flat", "aliases", "sorted", "solved", "blocks")
LARGE = 8  # unknowns; the matrix of a larger loop is not printed

Line = tuple[Name, str]  # component, text


def show(ordered: Ordered, stage: str) -> str:
    """The equations at one stage."""
    assert stage in STAGES, stage
    lines = list(_LINES[stage](_readable(ordered)))
    return _grouped(lines, show_name(ordered.scalar.name))


def _readable(ordered: Ordered) -> Ordered:
    """Relations instead of their statuses."""
    relations = {c.status: (c.left, c.right) for c in ordered.hybrid.crossings}
    if not relations:
        return ordered
    memo: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr | None:
        if isinstance(node, Binary) and isinstance(node.left, Var) and node.left in relations:
            return Binary(node.op, *relations[node.left])
        return None

    def new(expr: Expr) -> Expr:
        return walk_replace(expr, visit, memo)

    return replace(
        ordered,
        simulation=_mapped(ordered.simulation, new),
        discrete=_mapped(ordered.discrete, new),
    )


def _mapped(system: Sorted, new: Callable[[Expr], Expr]) -> Sorted:
    return replace(
        system,
        equations=tuple(replace(e, left=new(e.left), right=new(e.right)) for e in system.equations),
        blocks=tuple(_mapped_block(block, new) for block in system.blocks),
    )


def _mapped_block(block: Block, new: Callable[[Expr], Expr]) -> Block:
    if isinstance(block, Solved):
        return replace(block, value=new(block.value))
    matrix = block.matrix
    return replace(
        block,
        inner=tuple(replace(step, value=new(step.value)) for step in block.inner),
        residuals=tuple(map(new, block.residuals)),
        matrix=None if matrix is None else tuple((r, c, new(e)) for r, c, e in matrix),
        right=tuple(map(new, block.right)),
    )


def _grouped(lines: Iterable[Line], model: str) -> str:
    """The component in front of its first line; lines without one stand at the left edge."""
    rows = list(lines)
    labels = [show_name(origin) or model for origin, text in rows if text and origin != HEADING]
    width = max(map(len, labels), default=0) + 2
    out: list[str] = []
    before: Name | None = None
    for origin, text in rows:
        if origin == HEADING:
            out.append(text)
            before = None
            continue
        label = (show_name(origin) or model) if origin != before else ""
        out.append(f"{label:<{width}}{text}".rstrip())
        before = origin
    return "\n".join(out) + "\n"


HEADING: Name = ("$heading",)


def _heading(text: str) -> Line:
    return HEADING, text


# ---------------------------------------------------------------- stages


def _flat(ordered: Ordered) -> Iterator[Line]:
    return (_plain(e) for e in ordered.scalar.equations)


def _aliases(ordered: Ordered) -> Iterator[Line]:
    return (_plain(e) for e in ordered.hybrid.aliases.model.equations)


def _sorted(ordered: Ordered) -> Iterator[Line]:
    for block in _blocks(ordered):
        if isinstance(block, Loop):
            yield _heading(f"SYSTEM OF {len(block.unknowns)} SIMULTANEOUS EQUATIONS")
        for number, unknown in _pairs(block):
            yield _plain(_equations(ordered)[number], unknown)
        if isinstance(block, Loop):
            yield _heading("END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def _solved(ordered: Ordered) -> Iterator[Line]:
    equations = _equations(ordered)
    yield _heading("SORTED AND SOLVED EQUATIONS")
    for block in _blocks(ordered):
        if isinstance(block, Solved):
            yield _assignment(block, equations)
        else:
            yield from _system(block, equations)
    yield _heading("END OF SORTED AND SOLVED EQUATIONS")


def _by_blocks(ordered: Ordered) -> Iterator[Line]:
    equations = _equations(ordered)
    states = ", ".join(show_atom(state.name) for state in ordered.states) or "none"
    yield _heading(f"STATES {states}")
    for number, block in enumerate(_blocks(ordered), start=1):
        if isinstance(block, Solved):
            yield _heading(f"BLOCK {number}")
            yield _assignment(block, equations)
            continue
        kind = "linear" if block.is_linear else "nonlinear"
        guesses = ", ".join(show_atom(guess.name) for guess in block.guesses)
        yield _heading(
            f"BLOCK {number}: {kind}, {len(block.unknowns)} unknowns, iterates on {guesses}"
        )
        for step in block.inner:
            yield _assignment(step, equations)
        for row, residual in zip(block.residual_equations, block.residuals, strict=True):
            origin = equations[row].origin
            yield origin, f"0 = {_text(residual, origin)}"


_LINES = {
    "flat": _flat,
    "aliases": _aliases,
    "sorted": _sorted,
    "solved": _solved,
    "blocks": _by_blocks,
}


# ---------------------------------------------------------------- parts


def _blocks(ordered: Ordered) -> tuple[Block, ...]:
    """With discrete equations the order of an event holds everything."""
    return ordered.discrete.blocks or ordered.simulation.blocks


def _equations(ordered: Ordered) -> tuple[ScalarEquation, ...]:
    return (ordered.discrete if ordered.discrete.blocks else ordered.simulation).equations


def _pairs(block: Block) -> list[tuple[int, Var]]:
    """(equation, the unknown it is solved for)."""
    if isinstance(block, Solved):
        return [(block.equation, block.target)]
    inner = [(step.equation, step.target) for step in block.inner]
    return [*inner, *zip(block.residual_equations, block.guesses, strict=True)]


def _system(block: Loop, equations: tuple[ScalarEquation, ...]) -> Iterator[Line]:
    yield _heading(f"SYSTEM OF {len(block.unknowns)} SIMULTANEOUS EQUATIONS")
    yield _heading("UNKNOWN VARIABLES")
    for unknown in block.unknowns:
        yield _heading(f"  {show_atom(unknown.name)}")
    yield _heading("EQUATIONS")
    for number, unknown in _pairs(block):
        yield _plain(equations[number], unknown)
    if block.matrix is None:
        yield _heading("-- The system of equations is nonlinear.")
    else:
        yield from _solved_system(block)
    yield _heading("END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def _solved_system(block: Loop) -> Iterator[Line]:
    """The matrix of what is left after tearing, then what follows from it."""
    assert block.matrix is not None
    yield _heading("SOLVED SYSTEM OF EQUATIONS")
    if len(block.guesses) == 1:
        factor = _text(block.matrix[0][2], ()) if block.matrix else "0"
        guess = show_atom(block.guesses[0].name)
        yield _heading(f"  {guess} = ({_text(block.right[0], ())})/({factor})")
    elif len(block.guesses) <= LARGE:
        for row, column, entry in block.matrix:
            yield _heading(f"  A({row + 1},{column + 1}) = {_text(entry, ())}")
        for row, right in enumerate(block.right):
            yield _heading(f"  b({row + 1}) = {_text(right, ())}")
    for step in block.inner:
        yield _heading(f"  {show_atom(step.target.name)} = {_text(step.value, ())}")


def _assignment(block: Solved, equations: tuple[ScalarEquation, ...]) -> Line:
    origin = equations[block.equation].origin
    left = _text(block.target, origin)
    return origin, f"{left} = {_text(block.value, origin)}"


def _plain(equation: ScalarEquation, unknown: Var | None = None) -> Line:
    origin = equation.origin
    marks = {} if unknown is None else {unknown.name: True}
    left, right = (_text(side, origin, marks) for side in (equation.left, equation.right))
    return origin, f"{left} = {right}"


def _text(expr: Expr, origin: Name, marks: Mapping[Name, bool] | None = None) -> str:
    def name_text(name: Name) -> str:
        text = _relative(name, origin)
        return f"[{text}]" if marks and name in marks else text

    return show_expr(expr, name_text=name_text)


def _relative(name: Name, origin: Name) -> str:
    """A component's own variables without its name."""
    if name[0] in (DER, PRE):
        word = "der" if name[0] == DER else "pre"
        return f"{word}({_relative(name[1:], origin)})"
    if origin and name[: len(origin)] == origin and len(name) > len(origin):
        rest = name[len(origin) :]
        return show_name(rest) if isinstance(rest[0], str) else show_name(name)
    return show_name(name)
