"""How fast a row changes while its states follow polynomials, and how it depends on each of them.

    made = rates_of_shape(shape, program, order=2)
    made.steps, made.entries        value and first derivative by time

Handed in behind the places of the shape are the first (for order 3 also the second) derivatives of its
records; time moves by 1 and held numbers do not move. Slopes are partial derivatives by records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError
from freewheel.formula import build
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import ONE, Expr
from freewheel.formula.statement_nodes import Function
from freewheel.formula.walk import variables_in
from freewheel.program.needed import formulas_of, needed
from freewheel.program.nodes import Program, Step, slot_var
from freewheel.program.rows import Shape
from freewheel.program.share import share
from freewheel.program.tangents import Seeds, Tangents, TooLarge


@dataclass(frozen=True, slots=True)
class ShapeProgram:
    """Steps over `size` places and one formula per result. Records come first, with `derivatives`
    derivatives of each behind the places of the shape, one order after the other."""

    steps: tuple[Step, ...]
    entries: tuple[Expr, ...]
    derivatives: int
    size: int
    functions: tuple[Function, ...]


def rates_of_shape(
    shape: Shape, program: Program, order: int, with_own: bool = False
) -> ShapeProgram | None:
    """The row and its `order - 1` derivatives by time; `with_own`, behind them, the partial derivative
    by its own state. None where it cannot be differentiated."""
    try:
        return _rates(shape, program, order, with_own)
    except (CompileError, TooLarge):
        return None


def value_of_shape(shape: Shape, program: Program) -> ShapeProgram:
    """The row alone, which always can be had."""
    return _rates(shape, program, 1, False)


def follows_time(shape: Shape, program: Program) -> bool:
    """Whether time bends the row by itself: a straight line is as good as its polynomial."""
    if not shape.uses_time:
        return False
    entry = shape.entry
    steps, size = list(shape.steps), shape.size
    try:
        for _ in range(2):
            work = Tangents(_local(shape, program, steps, size), [{shape.time: ONE}])
            work.steps_of(needed(steps, (entry,)))
            entry = work.of(0, entry)
            steps += work.steps
            size = work.next
    except (CompileError, TooLarge):
        return True
    return not build.is_zero(entry)


def slopes_of_shape(shape: Shape, program: Program, records: Sequence[int]) -> ShapeProgram | None:
    """Partial derivatives by some of the records."""
    try:
        return _slopes(shape, program, records)
    except (CompileError, TooLarge):
        return None


def steepness_of_shape(shape: Shape, program: Program) -> ShapeProgram | None:
    """Partial derivatives by all records where they are the same everywhere; else None."""
    made = slopes_of_shape(shape, program, range(shape.records))
    return made if made is not None and is_steady(shape, made) else None


def is_steady(shape: Shape, made: ShapeProgram) -> bool:
    """Whether partial derivatives of a shape are the same everywhere: it is linear."""
    moving = {slot_var(place) for place in (*range(shape.records), shape.time)}
    formulas = [formula for step in made.steps for formula in formulas_of(step)]
    return moving.isdisjoint(variables_in(*made.entries, *formulas))


def _local(shape: Shape, program: Program, steps: Sequence[Step], size: int) -> Program:
    """As much of a program as tangents ask for."""
    return replace(program, start=(0.0,) * size, plain_derivatives=tuple(steps))


def _rates(shape: Shape, program: Program, order: int, with_own: bool) -> ShapeProgram:
    given = (order - 1) * shape.records
    steps, entries, size = list(shape.steps), [shape.entry], shape.size + given
    seeds: Seeds = {shape.time: ONE}
    for k in range(shape.records):
        seeds[k] = slot_var(shape.size + k)
        if order > 2:
            seeds[shape.size + k] = slot_var(shape.size + shape.records + k)
    functions: FunctionDerivatives | None = None
    for _ in range(order - 1):
        work = Tangents(_local(shape, program, steps, size), [seeds], functions=functions)
        functions = work.functions
        work.steps_of(needed(steps, (entries[-1],)))
        entries.append(work.of(0, entries[-1]))
        steps += work.steps
        size = work.next
        work.must_know_functions(entries)
    if with_own:
        work = Tangents(_local(shape, program, steps, size), [{0: ONE}], functions=functions)
        functions = work.functions
        work.steps_of(needed(shape.steps, (shape.entry,)))
        entries.append(work.of(0, shape.entry))
        steps += work.steps
        size = work.next
        work.must_know_functions(entries)
    made = () if functions is None else tuple(functions.generated.values())
    shared = share(needed(steps, entries))[0]
    return ShapeProgram(shared, tuple(entries), order - 1, size, made)


def _slopes(shape: Shape, program: Program, records: Sequence[int]) -> ShapeProgram:
    seeds: list[Seeds] = [{record: ONE} for record in records]
    work = Tangents(_local(shape, program, shape.steps, shape.size), seeds)
    work.steps_of(shape.steps)
    entries = [work.of(k, shape.entry) for k in range(len(records))]
    work.must_know_functions(entries)
    steps = share(needed((*shape.steps, *work.steps), entries))[0]
    made = tuple(work.functions.generated.values())
    return ShapeProgram(steps, tuple(entries), 0, work.next, made)
