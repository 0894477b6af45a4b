"""Linear loops as instructions: up to three unknowns in place, more by a kernel.

    linear_solution(writer, step)       the operands that hold the unknowns

A singular loop that is consistent keeps its old values as far as it can; without solution the
function is left with status 1, and nothing has been stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.backend.linear_kernels import PIVOT, SMALL
from freewheel.backend.llvm_body import literal
from freewheel.backend.llvm_formula import Writer
from freewheel.backend.sparse_kernels import integer_space, plan, real_space
from freewheel.program.nodes import SolveLinear

ZERO = literal(0.0)
IN_PLACE = 3  # unknowns: 55 ns instead of 81 by the kernel; beyond it the code grows too long
DENSE = 40  # unknowns; beyond it a matrix with few entries is factored as a sparse one
DENSITY = 8

_Row = list[str]  # operands: entries, right side, largest entry


def linear_solution(writer: Writer, step: SolveLinear) -> list[str]:
    entries = {(r, c): writer.number(e) for r, c, e in step.matrix}
    rights = [writer.number(e) for e in step.right]
    if len(step.slots) == 1:
        return [_quotient(writer, entries.get((0, 0), ZERO), rights[0], step.slots[0])]
    if len(step.slots) <= IN_PLACE:
        return _in_place(writer, entries, rights, step)
    if len(step.slots) > DENSE and DENSITY * len(entries) < len(step.slots) ** 2:
        return _sparse(writer, entries, rights, step)
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


def _in_place(
    writer: Writer, entries: dict[tuple[int, int], str], rights: list[str], step: SolveLinear
) -> list[str]:
    """Elimination with row scaling and pivoting; where a pivot vanishes, or an unknown whose sign matters may
    be rounding, the kernel takes over."""
    body, operation, size = writer.body, writer.operation, len(step.slots)
    rows: list[_Row] = []
    for r in range(size):
        left = [entries.get((r, c), ZERO) for c in range(size)]
        scale = writer.library("llvm.fabs.f64", left[0])[0]
        for entry in left[1:]:
            scale = writer.extreme("max", scale, writer.library("llvm.fabs.f64", entry)[0])
        rows.append([*left, rights[r], scale])
    scaled = [list(row) for row in rows]
    fine = "true"
    inverses: list[str] = []
    for k in range(size):
        for r in range(k + 1, size):
            rows[k], rows[r] = _larger_first(writer, rows[k], rows[r], k)
        least = operation("fmul", literal(PIVOT), rows[k][-1])
        pivot_size = writer.library("llvm.fabs.f64", rows[k][k])[0]
        is_large = body.new(f"fcmp ogt double {pivot_size}, {least}")
        fine = is_large if k == 0 else body.new(f"and i1 {fine}, {is_large}")
        inverses.append(operation("fdiv", literal(1.0), rows[k][k]))
        for r in range(k + 1, size):
            factor = operation("fmul", rows[r][k], inverses[k])
            for c in range(k + 1, size + 1):
                change = operation("fmul", factor, rows[k][c])
                rows[r][c] = operation("fsub", rows[r][c], change)
    found = [""] * size
    for k in reversed(range(size)):
        value = rows[k][size]
        for c in range(k + 1, size):
            value = operation("fsub", value, operation("fmul", rows[k][c], found[c]))
        found[k] = operation("fmul", value, inverses[k])
    if step.signs:
        fine = body.new(f"and i1 {fine}, {_have_signs(writer, scaled, found, step.signs)}")
    ahead, slow, after = body.block, body.label("singular"), body.label("after")
    body.branch(fine, after, slow)
    body.begin(slow)
    others = _by_kernel(writer, entries, rights, step)
    behind = body.block
    body.jump(after)
    body.begin(after)
    return [
        body.new(f"phi double [ {quick}, %{ahead} ], [ {other}, %{behind} ]")
        for quick, other in zip(found, others, strict=True)
    ]


def _have_signs(writer: Writer, rows: list[_Row], found: list[str], places: Sequence[int]) -> str:
    """Whether none of these unknowns is so small beside the largest that it may be rounding, by the measure
    of `fw_drop_rounding`: no column is larger than one where rows are scaled, so that the largest unknown
    stands for the largest of all."""
    body, operation = writer.body, writer.operation
    sizes = [writer.library("llvm.fabs.f64", value)[0] for value in found]
    largest = sizes[0]
    for size in sizes[1:]:
        largest = writer.extreme("max", largest, size)
    least = operation("fmul", literal(SMALL), largest)
    bounds = [operation("fmul", least, row[-1]) for row in rows]
    all_have = ""
    for k in places:
        has = body.new(f"fcmp oeq double {found[k]}, 0.0")
        for row, bound in zip(rows, bounds, strict=True):
            entry = writer.library("llvm.fabs.f64", row[k])[0]
            share = operation("fmul", entry, sizes[k])
            has = body.new(f"or i1 {has}, {body.new(f'fcmp oge double {share}, {bound}')}")
        all_have = body.new(f"and i1 {all_have}, {has}") if all_have else has
    return all_have


def _larger_first(writer: Writer, upper: _Row, lower: _Row, k: int) -> tuple[_Row, _Row]:
    """Two rows, the one with the larger entry in column k, by its scale, above."""
    body, operation = writer.body, writer.operation
    sizes = [writer.library("llvm.fabs.f64", row[k])[0] for row in (upper, lower)]
    sides = operation("fmul", sizes[1], upper[-1]), operation("fmul", sizes[0], lower[-1])
    swap = body.new(f"fcmp ogt double {sides[0]}, {sides[1]}")

    def chosen(first: str, second: str) -> str:
        return body.new(f"select i1 {swap}, double {first}, double {second}")

    above, below = list(upper), list(lower)
    for c in range(k, len(upper)):  # what is left of column k is gone already
        above[c], below[c] = chosen(lower[c], upper[c]), chosen(upper[c], lower[c])
    return above, below


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
    if step.signs:
        body.new(
            f"call i64 @fw_drop_rounding(i64 {size}, ptr {work}, ptr {body.at(work, size * size)}, "
            f"ptr {found}, i64 {len(step.signs)}, ptr {body.around.integers(step.signs)}, "
            f"ptr {body.at(work, size * size + size)})"
        )
    return [body.new(f"load double, ptr {body.at(found, position)}") for position in range(size)]


def _sparse(
    writer: Writer, entries: dict[tuple[int, int], str], rights: list[str], step: SolveLinear
) -> list[str]:
    body, size, count = writer.body, len(step.slots), len(entries)
    around = body.around
    by_column = sorted(entries, key=lambda place: (place[1], place[0]))
    starts, rows, order, space = plan(size, by_column)
    given = [around.integers(tuple(numbers)) for numbers in (starts, rows, order)]
    values, right, found = body.array(count), body.array(size), body.array(size)
    # Static, as factors are used again; whole numbers have eight bytes as well.
    whole = around.working_array(integer_space(size, space))
    real = around.working_array(real_space(size, count, space))
    for position, place in enumerate(by_column):
        body.add(f"store double {entries[place]}, ptr {body.at(values, position)}")
    for position, operand in enumerate(rights):
        body.add(f"store double {operand}, ptr {body.at(right, position)}")
    status = body.new(
        f"call i64 @fw_sparse(i64 {size}, ptr {given[0]}, ptr {given[1]}, ptr {values}, "
        f"ptr {given[2]}, ptr {right}, ptr {found}, i64 {space}, ptr {whole}, ptr {real})"
    )
    body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
    return [body.new(f"load double, ptr {body.at(found, position)}") for position in range(size)]
