"""Rows of a program as callable code and tables, made when a quantized-state method asks for them.

make = quantized_of(machine)
quantized = make(2)              # for methods of order 2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from freewheel.backend.llvm_rows import (
    RowText,
    rows_text,
    table_of,
    wanted_handlers,
    wanted_of,
)
from freewheel.base.making import making
from freewheel.formula.walk import variables_in
from freewheel.machine.cache import key_of
from freewheel.machine.jit import INLINING, Code, compile_text
from freewheel.program.handlers import Handlers, handlers_of
from freewheel.program.needed import formulas_of
from freewheel.program.nodes import Program, SolveNonlinear
from freewheel.program.row_corners import has_corners
from freewheel.program.row_rates import follows_time
from freewheel.program.rows import Row, Rows, Shape, rows_of
from freewheel.program.share import roots_of
from freewheel.program.written import written_slots
from freewheel.runtime.qss.memory import (
    GLOBAL,
    LOCAL,
    NONLINEAR,
    ROWS_ONLY,
    TIME_VARYING,
    TRANSPORTED,
)
from freewheel.runtime.qss.model import HandledEvents, Integers, QuantizedModel, QuantizedPast

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine

LARGE_TEXT = 2_000_000  # characters: beyond, the best machine code takes too long to make


def quantized_of(machine: LlvmMachine) -> Callable[[int], QuantizedModel]:
    @cache
    def make(order: int) -> QuantizedModel:
        with making:
            return quantized(machine, machine.program, order)

    return make


def quantized(machine: LlvmMachine, program: Program, order: int) -> QuantizedModel:
    rows = rows_of(program)
    handlers = handlers_of(program)
    made = rows_text(program, wanted_of(rows), order, wanted_handlers(handlers))
    code, alive = row_code(machine, program, made)
    return tables(program, rows, handlers, code, order, made, alive)


def row_code(
    machine: LlvmMachine, program: Program, made: RowText
) -> tuple[Code, tuple[object, ...]]:
    """Machine code, and what must live as long as it."""
    from freewheel.backend.bound_code import bind
    from freewheel.backend.kernel_homes import kernel_addresses, kernels_in
    from freewheel.backend.llvm_python import PythonSide
    from freewheel.backend.recipe import Recipe

    recipe = Recipe(lambda: program, lambda _: (made.text, made.calls))
    python = PythonSide(recipe, machine.python.size, machine.python.objects)
    is_large = len(made.text) > LARGE_TEXT
    code = compile_text(
        made.text,
        level=0 if is_large else 2,
        passes=() if is_large else INLINING,
        symbols=kernel_addresses(kernels_in(made.text)),
    )
    bind(code, python, machine.python, key_of(made.text))
    return code, (code, python, machine)


def tables(
    program: Program,
    rows: Rows,
    handlers: Handlers,
    code: Code,
    order: int,
    made: RowText,
    alive: Sequence[object],
) -> QuantizedModel:
    every = (*rows.derivatives, *rows.residuals)
    found: dict[str, int] = {}

    def address(kind: str, row: Row) -> int:
        name = f"row_{kind}_{row.shape}"
        if name not in found:
            found[name] = code.address(name)
        return found[name]

    rates = [address("rates", row) for row in rows.derivatives]
    rates += [address("residual", row) for row in rows.residuals]
    own = [address("own", row) if rows.shapes[row.shape].has_own else 0 for row in rows.derivatives]
    more = [handler.row for handler in handlers.handlers]
    slopes = [
        address(kind, row) if row.shape in known else 0
        for kind, listed, known in (
            ("slopes", rows.derivatives, made.slopes),
            ("steepness", rows.residuals, made.steepness),
            ("handler", more, frozenset[int]()),
            ("measure", rows.signals, made.measures),
        )
        for row in listed
    ]
    slopes += [0] * (len(rows.of_past) - len(rows.signals))
    rates += [address("handler", row) for row in more]
    rates += [address("residual", row) for row in rows.of_past]
    numbered = (*every, *more, *rows.of_past)
    parts = [table_of(row) for row in numbered]
    starts = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    # Of residuals one derivative more is known.
    follows, follows_later = (
        [
            follows_here(shape, program, known) or NONLINEAR * (number in made.curved)
            for number, shape in enumerate(rows.shapes)
        ]
        for known in (order, order + 1)
    )
    kinds = [follows[row.shape] for row in rows.derivatives]
    kinds += [follows_later[row.shape] for row in rows.residuals]
    inputs = set(range(len(rows.derivatives), len(rows.derivatives) + len(rows.inputs)))
    first_of_past = len(every) + len(more)
    watched, reader_starts, reader_rows = _readers(program, rows, first_of_past)
    return QuantizedModel(
        order=order,
        states=len(rows.derivatives),
        relations=len(rows.residuals),
        inputs=rows.inputs,
        rates=_integers(rates),
        own=_integers(own),
        slopes=_integers(slopes),
        starts=starts,
        table=_integers(number for part in parts for number in part),
        counts=_integers(len(row.records) for row in numbered),
        follows_time=_integers(
            TIME_VARYING if inputs.intersection(row.records) else kind
            for row, kind in zip(every, kinds, strict=True)
        ),
        corners=_integers(int(has_corners(rows.shapes[row.shape])) for row in rows.derivatives),
        watched=watched,
        reader_starts=reader_starts,
        reader_rows=reader_rows,
        is_local=_local_relations(program, handlers),
        handled=HandledEvents.of(
            handlers.of_relation,
            _places(handlers),
            _inactive(program, rows, handlers),
            program.awake,
        ),
        past=_past(program, rows, first_of_past, follows_later),
        shapes=len(rows.shapes),
        set_stride=code.function("set_stride", "void", ("double",)),
        alive=alive,
    )


def follows_here(shape: Shape, program: Program, order: int) -> int:
    """TIME_VARYING where the row is a nonlinear function of time, at order 1 any function of time. (Rows with
    inputs are always evaluated again.)"""
    is_one = shape.uses_time and (order == 1 or has_corners(shape) or follows_time(shape, program))
    return TIME_VARYING if is_one else 0


def _integers(numbers: Iterable[int]) -> Integers:
    return np.fromiter(numbers, dtype=np.int64)


def _changing(program: Program) -> set[int]:
    """Slots that events may change."""
    found = {relation.status for relation in program.relations}
    found |= {slot for pair in program.discrete for slot in pair}
    found |= {sample[2] for sample in program.samples}
    found |= written_slots(program.sections["discrete"])
    for choice in program.choices:  # of states: runtime/events/dynamic_states.py writes them
        found.update(slot for row in (*choice.pivots, *choice.normals) for slot in row)
    found.update(slot for line in program.delays for slot in (line.next_break, line.last_break))
    found.update(slot for pipe in program.pipes for slot in (pipe.next_border, pipe.last_border))
    continuous = (*program.plain_derivatives, *program.plain_relations)
    return found - written_slots(continuous)


def _past(program: Program, rows: Rows, first: int, follows: Sequence[int]) -> QuantizedPast:
    """Signals, then looks: their rows are numbered from `first`."""
    lines, pipes = len(program.delays), program.pipes
    numbers = list(range(first, first + lines))
    bent = [int(follows[row.shape] != 0) for row in rows.signals]
    varying = [number for number, row in enumerate(rows.lags) if row is not None]
    lookers: list[list[int]] = [[] for _ in range(lines)]
    for k, look in enumerate(rows.looks):
        if look.kind >= TRANSPORTED:
            pipe = pipes[look.number // 2]
            numbers.append(first + pipe.place)
            bent.append(1)
            listed = [pipe.place, pipe.left, pipe.right]
        else:
            varies = look.number in varying
            numbers.append(first + lines + varying.index(look.number) if varies else -1)
            bent.append(int(varies))
            listed = [look.number]
        for line in listed:
            lookers[line].append(k)
    lags = [program.delays[k.number].lag if k.kind < TRANSPORTED else -1 for k in rows.looks]
    return QuantizedPast(
        _integers(numbers),
        _integers(bent),
        _integers(look.kind for look in rows.looks),
        _integers(look.number for look in rows.looks),
        _integers(lags),
        tuple(map(tuple, lookers)),
    )


def _readers(
    program: Program, rows: Rows, first_of_past: int
) -> tuple[Integers, Integers, Integers]:
    """Watched slots, and who reads each of them."""
    changing = _changing(program)
    readers: dict[int, list[int]] = {}
    plain = enumerate((*rows.derivatives, *rows.residuals))
    for number, row in chain(plain, enumerate(rows.of_past, first_of_past)):
        for read in row.reads:
            if isinstance(read, int) and read in changing:
                readers.setdefault(read, []).append(number)
    watched = sorted(readers)
    starts = np.zeros(len(watched) + 1, dtype=np.int64)
    np.cumsum([len(readers[slot]) for slot in watched], out=starts[1:])
    listed = _integers(row for slot in watched for row in readers[slot])
    return _integers(watched), starts, listed


def _inactive(program: Program, rows: Rows, handlers: Handlers) -> list[tuple[int, ...]]:
    """Per relation: relations behind a gate (structure/events/relation_guards.py) whose statuses its
    handlers ask about.
    While they mattered to nobody their statuses have stayed behind."""
    gated = {
        relation.status: number
        for number, (relation, row) in enumerate(
            zip(program.relations, rows.residuals, strict=True)
        )
        if program.awake >= 0 and program.awake in row.reads
    }
    found = []
    for handling in handlers.of_relation:
        reads = {read for number in handling for read in handlers.handlers[number].row.reads}
        found.append(tuple(sorted(number for slot, number in gated.items() if slot in reads)))
    return found


def _places(handlers: Handlers) -> Integers:
    """Per handler: target, its pre value, the state that jumps, its new value."""
    found = [(one.target, one.pre, one.state, one.value) for one in handlers.handlers]
    return np.array(found, dtype=np.int64).reshape(-1, 4)


def _local_relations(program: Program, handlers: Handlers) -> Integers:
    """1: a relation that no discrete equation asks about changes rows and nothing else. 2: few ask."""
    asked: set[int] = set()
    for step in program.sections["discrete"]:
        exprs = (
            formulas_of(step)
            if isinstance(step, SolveNonlinear)
            else [e for e, _ in roots_of(step)]
        )
        heads = (var.name[0] for var in variables_in(*exprs))
        asked |= {head for head in heads if isinstance(head, int)}
    found = []
    for relation, handling in zip(program.relations, handlers.of_relation, strict=True):
        kind = GLOBAL if relation.status in asked else ROWS_ONLY
        found.append(GLOBAL if relation.is_watch else LOCAL if handling else kind)
    return _integers(found)
