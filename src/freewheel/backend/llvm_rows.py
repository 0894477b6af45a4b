"""Shapes of rows as machine code: one function for all rows that look alike.

    int64 row_rates_3(double* m, int64* table, QuantizedState* s, double t, double* out)

`table` lists the row's records and then its held numbers: a slot of the memory `m`, or the number
itself by its bits. `s` holds one record (`qss/memory.py`) per state and input, with a polynomial q0, q1, q2
(value, slope, half the second derivative) that counts from tq. Out come the row and its derivatives by time:
value, first derivative, second derivative.
`row_residual_5` is the same for a relation, with one derivative more as far as there are polynomials for it.

`row_own_3` gives behind these the partial derivative by the row's own state, `row_slopes_3` only partial
derivatives, those by all its records. `row_steepness_5` is the same for a relation where they are the same
everywhere. `row_handler_2` is the value of a discrete variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from freewheel.backend.llvm_body import Body, literal
from freewheel.backend.llvm_differences import (
    ARGUMENTS,
    state_field,
    write_by_differences,
    write_stride,
)
from freewheel.backend.llvm_module import Module
from freewheel.backend.llvm_python import PythonCalls
from freewheel.backend.llvm_steps import Chain
from freewheel.program.row_corners import has_corners
from freewheel.program.row_rates import (
    ShapeProgram,
    is_steady,
    rates_of_shape,
    slopes_of_shape,
    steepness_of_shape,
    value_of_shape,
)

if TYPE_CHECKING:
    from freewheel.program.handlers import Handlers
    from freewheel.program.nodes import Program
    from freewheel.program.rows import Row, Rows, Shape

RESIDUAL_RESULTS = 3


@dataclass(frozen=True, slots=True)
class RowText:
    text: str
    calls: PythonCalls
    slopes: frozenset[int]  # shapes whose partial derivatives by all records are known
    steepness: frozenset[int] = frozenset()  # of relations: where they are the same everywhere
    curved: frozenset[int] = frozenset()  # shapes of which they are not
    measures: frozenset[int] = frozenset()  # of what is remembered: where they are known


@dataclass(frozen=True, slots=True)
class Wanted:
    """A shape, and of which of its reads the table holds the number itself."""

    number: int
    shape: Shape
    is_number: tuple[bool, ...]
    is_residual: bool = False
    is_remembered: bool = False  # it must be known how much it moves with its records


def wanted_of(rows: Rows) -> list[Wanted]:
    """Shapes of derivatives, then those of residuals and of what has to do with the past."""
    numbers = _lifted(rows)
    found = []
    signals = {row.shape for row in rows.signals}
    for listed, is_residual in (
        (rows.derivatives, False),
        ((*rows.residuals, *rows.of_past), True),
    ):
        for k in sorted({row.shape for row in listed}):
            is_remembered = is_residual and k in signals
            found.append(Wanted(k, rows.shapes[k], numbers[k], is_residual, is_remembered))
    return found


def wanted_handlers(made: Handlers) -> list[Wanted]:
    known: dict[int, tuple[bool, ...]] = {}
    for handler in made.handlers:
        reads = handler.row.reads
        known.setdefault(handler.row.shape, tuple(isinstance(read, float) for read in reads))
    return [Wanted(number, shape, known[number]) for number, shape in enumerate(made.shapes)]


def rows_text(
    program: Program, wanted: Sequence[Wanted], order: int, handlers: Sequence[Wanted] = ()
) -> RowText:
    """LLVM text of all shapes. Where one cannot be differentiated, differences must do."""
    made: list[tuple[str, Wanted, ShapeProgram]] = []
    by_differences: list[tuple[Wanted, ShapeProgram, int]] = []
    slopes: set[int] = set()
    steepness: set[int] = set()
    curved: set[int] = set()
    measures: set[int] = set()
    for one in wanted:
        kind, own_order = ("residual", min(order + 1, 3)) if one.is_residual else ("rates", order)
        rates = rates_of_shape(one.shape, program, own_order)
        own = None
        if not one.is_residual:
            own = rates_of_shape(one.shape, program, order, with_own=one.shape.has_own)
        if rates is None or (own is None and not one.is_residual):
            by_differences.append((one, value_of_shape(one.shape, program), own_order))
            curved.add(one.number)
            continue
        made.append((f"row_{kind}_{one.number}", one, rates))
        every = (
            None if own is None else slopes_of_shape(one.shape, program, range(one.shape.records))
        )
        steep = steepness_of_shape(one.shape, program) if one.is_residual else None
        if steep is not None:
            made.append((f"row_steepness_{one.number}", replace(one, is_residual=False), steep))
            steepness.add(one.number)
            if has_corners(one.shape):
                curved.add(one.number)
        elif every is None or not is_steady(one.shape, every) or has_corners(one.shape):
            curved.add(one.number)
        if one.is_remembered:
            measure = slopes_of_shape(one.shape, program, range(one.shape.records))
            if measure is not None:
                plain = replace(one, is_residual=False)
                made.append((f"row_measure_{one.number}", plain, measure))
                measures.add(one.number)
        if own is not None:
            made.append((f"row_own_{one.number}", one, own))
        if every is not None:
            made.append((f"row_slopes_{one.number}", one, every))
            slopes.add(one.number)
    for one in handlers:
        made.append((f"row_handler_{one.number}", one, value_of_shape(one.shape, program)))
    parts = [*(part for _, _, part in made), *(part for _, part, _ in by_differences)]
    module = module_for(program, parts)
    write_stride(module)
    for name, one, part in made:
        write_shape(module, name, one, part)
    for one, part, own_order in by_differences:
        _write_differences(module, one, part, own_order)
    text = inlined(module.around.text())
    found = tuple(map(frozenset, (slopes, steepness, curved, measures)))
    return RowText(text, module.calls, *found)


def _write_differences(module: Module, one: Wanted, part: ShapeProgram, order: int) -> None:
    kind = "residual" if one.is_residual else "rates"
    value = f"value_{kind}_{one.number}"
    write_shape(module, value, replace(one, is_residual=False), part)
    results = RESIDUAL_RESULTS if one.is_residual else 0
    name = f"row_{kind}_{one.number}"
    write_by_differences(module, name, value, order, results, with_own=False)
    if not one.is_residual:
        own = f"row_own_{one.number}"
        write_by_differences(module, own, value, order, 0, with_own=one.shape.has_own)


def module_for(program: Program, parts: Sequence[ShapeProgram]) -> Module:
    """A module that knows the functions of the program and the derivatives of them."""
    functions = {f.name: f for part in parts for f in part.functions}
    whole = replace(program, functions=(*program.functions, *functions.values()))
    known = {function.name: function for function in whole.functions}
    return Module(PythonCalls(whole), known.get)


def inlined(text: str) -> str:
    """Parts are written into the functions that call them: places become registers."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("define i64 @part_"):
            inside = line.replace("define i64", "define internal i64", 1)
            lines[number] = inside.replace(") #0 {", ") #2 {")
    return "\n".join([*lines, "attributes #2 = { nounwind alwaysinline }", ""])


def _lifted(rows: Rows) -> list[tuple[bool, ...]]:
    """For each shape, of which reads the table holds the number itself; rows of a shape agree."""
    found: dict[int, tuple[bool, ...]] = {}
    for row in (*rows.derivatives, *rows.residuals, *rows.of_past):
        found.setdefault(row.shape, tuple(isinstance(read, float) for read in row.reads))
    return [found[number] for number in range(len(rows.shapes))]


def write_shape(
    module: Module, name: str, one: Wanted, part: ShapeProgram, states: int = -1
) -> None:
    """`states`: slot of the first state, where their values are in the memory and not in records."""
    shape = one.shape
    results = RESIDUAL_RESULTS if one.is_residual else 0
    body = Body(module.around, name, ARGUMENTS)
    work = body.array(part.size)
    for k in range(shape.records):
        if states >= 0:
            body.add(f"store double {_state(body, k, states)}, ptr {body.at(work, k)}")
        else:
            _record(body, work, shape, part, k)
    for k in range(shape.reads):
        place = body.at(work, shape.records + k)
        body.add(f"store double {_read(body, shape.records + k, one.is_number[k])}, ptr {place}")
    body.add(f"store double %t, ptr {body.at(work, shape.time)}")
    chain = Chain(module, f"part_{name}", part.steps, part.entries)
    chain.call_all(body, chain.write(), "%out", work)
    for k in range(len(part.entries), results):  # a polynomial of lower degree
        body.add(f"store double {literal(0.0)}, ptr {body.at('%out', k)}")
    body.finish("ret i64 0")


def _state(body: Body, k: int, first: int) -> str:
    slot = body.new(f"add i64 {_entry(body, k, 'i64')}, {first}")
    pointer = body.new(f"getelementptr inbounds double, ptr %m, i64 {slot}")
    return body.new(f"load double, ptr {pointer}")


def _entry(body: Body, place: int, kind: str) -> str:
    pointer = body.new(f"getelementptr inbounds i64, ptr %table, i64 {place}")
    return body.new(f"load {kind}, ptr {pointer}")


def _read(body: Body, place: int, is_number: bool) -> str:
    if is_number:
        return _entry(body, place, "double")
    slot = _entry(body, place, "i64")
    pointer = body.new(f"getelementptr inbounds double, ptr %m, i64 {slot}")
    return body.new(f"load double, ptr {pointer}")


def _record(body: Body, work: str, shape: Shape, part: ShapeProgram, k: int) -> None:
    """Value and derivatives of a record at time t."""
    number = _entry(body, k, "i64")
    value, slope, half, since = (
        body.new(f"load double, ptr {state_field(body, number, name)}")
        for name in ("q0", "q1", "q2", "tq")
    )
    passed = body.new(f"fsub double %t, {since}")
    bend = body.new(f"fmul double {half}, {passed}")
    rise = body.new(f"fadd double {slope}, {bend}")
    moved = body.new(f"fmul double {rise}, {passed}")
    there = body.new(f"fadd double {value}, {moved}")
    body.add(f"store double {there}, ptr {body.at(work, k)}")
    if part.derivatives >= 1:
        steeper = body.new(f"fadd double {rise}, {bend}")
        body.add(f"store double {steeper}, ptr {body.at(work, shape.size + k)}")
    if part.derivatives >= 2:
        second = body.new(f"fmul double {half}, {literal(2.0)}")
        place = body.at(work, shape.size + shape.records + k)
        body.add(f"store double {second}, ptr {place}")


def table_of(row: Row) -> list[int]:
    """A row's part of the table."""
    import struct

    numbers = [
        read if isinstance(read, int) else struct.unpack("<q", struct.pack("<d", read))[0]
        for read in row.reads
    ]
    return [*row.records, *numbers]
