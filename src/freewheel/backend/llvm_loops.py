"""Linear loops as instructions: one and two unknowns in place, more by a kernel.

    linear_solution(writer, step)       the operands that hold the unknowns

A singular loop that is consistent keeps its old values as far as it can; without solution the
function is left with status 1, and nothing has been stored.
"""

from __future__ import annotations

from freewheel.backend.linear_kernels import PIVOT
from freewheel.backend.llvm_body import literal
from freewheel.backend.llvm_formula import Writer
from freewheel.program.nodes import SolveLinear

ZERO = literal(0.0)


def linear_solution(writer: Writer, step: SolveLinear) -> list[str]:
    entries = {(r, c): writer.number(e) for r, c, e in step.matrix}
    rights = [writer.number(e) for e in step.right]
    if len(step.slots) == 1:
        return [_quotient(writer, entries.get((0, 0), ZERO), rights[0], step.slots[0])]
    if len(step.slots) == 2:
        return _two(writer, entries, rights, step)
    return _by_kernel(writer, entries, rights, step)


def _quotient(writer: Writer, factor: str, right: str, slot: int) -> str:
    """One equation; `0*x = 0` leaves x as it was, `0*x = 1` has no value."""
    body = writer.body
    old = body.new(f"load double, ptr {body.at('%m', slot)}")
    is_zero = body.new(f"fcmp oeq double {factor}, 0.0")
    misfits = body.new(f"fcmp une double {right}, 0.0")
    body.fail_if(body.new(f"and i1 {is_zero}, {misfits}"))
    quotient = body.new(f"fdiv double {right}, {factor}")
    return body.new(f"select i1 {is_zero}, double {old}, double {quotient}")


def _two(
    writer: Writer, entries: dict[tuple[int, int], str], rights: list[str], step: SolveLinear
) -> list[str]:
    """Elimination with row scaling and pivoting; where a pivot vanishes the kernel takes over."""
    body, operation = writer.body, writer.operation
    rows = [[entries.get((r, 0), ZERO), entries.get((r, 1), ZERO), rights[r]] for r in (0, 1)]
    scales = [
        writer.extreme("max", *(writer.library("llvm.fabs.f64", part)[0] for part in row[:2]))
        for row in rows
    ]
    heads = [writer.library("llvm.fabs.f64", row[0])[0] for row in rows]
    sides = operation("fmul", heads[1], scales[0]), operation("fmul", heads[0], scales[1])
    swap = body.new(f"fcmp ogt double {sides[0]}, {sides[1]}")

    def chosen(first: str, second: str) -> str:
        return body.new(f"select i1 {swap}, double {first}, double {second}")

    upper = [chosen(b, a) for a, b in zip(*rows, strict=True)]
    lower = [chosen(a, b) for a, b in zip(*rows, strict=True)]
    upper_scale, lower_scale = chosen(scales[1], scales[0]), chosen(scales[0], scales[1])
    factor = operation("fdiv", lower[0], upper[0])
    pivot = operation("fsub", lower[1], operation("fmul", factor, upper[1]))
    right = operation("fsub", lower[2], operation("fmul", factor, upper[2]))
    second = operation("fdiv", right, pivot)
    first = operation(
        "fdiv", operation("fsub", upper[2], operation("fmul", upper[1], second)), upper[0]
    )
    fine = "true"
    for value, scale in ((upper[0], upper_scale), (pivot, lower_scale)):
        size = writer.library("llvm.fabs.f64", value)[0]
        least = operation("fmul", literal(PIVOT), scale)
        is_large = body.new(f"fcmp ogt double {size}, {least}")
        fine = body.new(f"and i1 {fine}, {is_large}")
    ahead, slow, after = body.block, body.label("singular"), body.label("after")
    body.branch(fine, after, slow)
    body.begin(slow)
    others = _by_kernel(writer, entries, rights, step)
    behind = body.block
    body.jump(after)
    body.begin(after)
    return [
        body.new(f"phi double [ {quick}, %{ahead} ], [ {other}, %{behind} ]")
        for quick, other in zip((first, second), others, strict=True)
    ]


def _by_kernel(
    writer: Writer, entries: dict[tuple[int, int], str], rights: list[str], step: SolveLinear
) -> list[str]:
    body, size = writer.body, len(step.slots)
    matrix, right = body.array(size * size), body.array(size)
    found, work = body.array(size), body.array(3 * size * size + 2 * size)
    body.around.declare("void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
    body.add(f"call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * size * size}, i1 false)")
    for (row, column), operand in entries.items():
        body.add(f"store double {operand}, ptr {body.at(matrix, row * size + column)}")
    for position, operand in enumerate(rights):
        body.add(f"store double {operand}, ptr {body.at(right, position)}")
    for position, slot in enumerate(step.slots):
        old = body.new(f"load double, ptr {body.at('%m', slot)}")
        body.add(f"store double {old}, ptr {body.at(found, position)}")
    status = body.new(
        f"call i64 @fw_linear(i64 {size}, ptr {matrix}, ptr {right}, ptr {found}, ptr {work})"
    )
    body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
    return [body.new(f"load double, ptr {body.at(found, position)}") for position in range(size)]
