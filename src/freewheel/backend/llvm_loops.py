"""Linear loops as instructions: up to three unknowns in place, more by a kernel.

    linear_solution(writer, step)       the operands that hold the unknowns

A singular loop that is consistent keeps its old values as far as it can; without solution the
function is left with status 1, and nothing has been stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.backend.llvm_body import literal
from freewheel.backend.llvm_formula import Writer
from freewheel.backend.sparse_kernels import integer_space, plan, real_space
from freewheel.backend.thresholds import LINEAR_LOOP
from freewheel.program.nodes import SolveLinear
from freewheel.runtime.thresholds import TINIEST

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
    if len(step.slots) <= IN_PLACE and step.signs:
        return _with_signs(writer, entries, rights, step)
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
    """Elimination with row scaling and pivoting; where a pivot vanishes the kernel takes over."""
    body, operation, size = writer.body, writer.operation, len(step.slots)
    rows: list[_Row] = []
    for r in range(size):
        left = [entries.get((r, c), ZERO) for c in range(size)]
        scale = writer.library("llvm.fabs.f64", left[0])[0]
        for entry in left[1:]:
            scale = writer.extreme("max", scale, writer.library("llvm.fabs.f64", entry)[0])
        rows.append([*left, rights[r], scale])
    fine = "true"
    inverses: list[str] = []
    for k in range(size):
        for r in range(k + 1, size):
            rows[k], rows[r] = _larger_first(writer, rows[k], rows[r], k)
        least = operation("fmul", literal(LINEAR_LOOP.pivot), rows[k][-1])
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
    return _or_by_kernel(writer, entries, rights, step, found, fine)


def _or_by_kernel(
    writer: Writer,
    entries: dict[tuple[int, int], str],
    rights: list[str],
    step: SolveLinear,
    found: list[str],
    fine: str,
) -> list[str]:
    """What was found where it is fine, else what the kernel finds."""
    body = writer.body
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


def _with_signs(
    writer: Writer, entries: dict[tuple[int, int], str], rights: list[str], step: SolveLinear
) -> list[str]:
    """The same numbers, to the last bit, that the kernel finds. It takes over where it would fail, and where
    an unknown whose sign matters may be rounding."""
    body, operation, size = writer.body, writer.operation, len(step.slots)
    tests: list[str] = []
    rows: list[_Row] = []
    scales: list[str] = []
    for r in range(size):
        left = [entries.get((r, c), ZERO) for c in range(size)]
        scale = _largest(writer, left)
        # One that is infinite or no number makes all that is found no number.
        tests.append(body.new(f"fcmp ogt double {scale}, {literal(TINIEST)}"))
        share = operation("fdiv", literal(1.0), scale)
        rows.append([operation("fmul", entry, share) for entry in (*left, rights[r])])
        scales.append(scale)
    given = [[entries.get((r, c), ZERO) for c in range(size)] for r in range(size)]
    for k in range(size):
        rows[k:] = _pivot_first(writer, rows[k:], k)
        pivot = writer.library("llvm.fabs.f64", rows[k][k])[0]
        tests.append(body.new(f"fcmp oge double {pivot}, {literal(LINEAR_LOOP.pivot)}"))
        share = operation("fdiv", literal(1.0), rows[k][k]) if k + 1 < size else ""
        for r in range(k + 1, size):
            factor = operation("fmul", rows[r][k], share)
            is_zero = body.new(f"fcmp oeq double {factor}, 0.0")
            for c in range(k + 1, size + 1):
                less = operation("fsub", rows[r][c], operation("fmul", factor, rows[k][c]))
                rows[r][c] = body.new(f"select i1 {is_zero}, double {rows[r][c]}, double {less}")
    found = [""] * size
    for k in reversed(range(size)):
        value = rows[k][size]
        for c in range(k + 1, size):
            value = operation("fsub", value, operation("fmul", rows[k][c], found[c]))
        found[k] = operation("fdiv", value, rows[k][k])
    tests += _signs_of(writer, given, scales, found, step.signs)
    fine = tests[0]
    for test in tests[1:]:
        fine = body.new(f"and i1 {fine}, {test}")
    return _or_by_kernel(writer, entries, rights, step, found, fine)


def _largest(writer: Writer, values: Sequence[str]) -> str:
    sizes = [writer.library("llvm.fabs.f64", value)[0] for value in values]
    largest = sizes[0]
    for size in sizes[1:]:
        largest = writer.extreme("max", largest, size)
    return largest


def _pivot_first(writer: Writer, rows: list[_Row], k: int) -> list[_Row]:
    """The row with the largest entry in column k changes places with the first."""
    body = writer.body
    sizes = [writer.library("llvm.fabs.f64", row[k])[0] for row in rows]
    top, largest, larger = rows[0], sizes[0], [""]
    for row, size in zip(rows[1:], sizes[1:], strict=True):
        is_larger = body.new(f"fcmp ogt double {size}, {largest}")
        largest = body.new(f"select i1 {is_larger}, double {size}, double {largest}")
        top = _chosen(writer, is_larger, row, top)
        larger.append(is_larger)
    others: list[_Row] = []
    later = ""
    for row, is_larger in reversed(list(zip(rows[1:], larger[1:], strict=True))):
        is_best = is_larger
        if later:
            is_best = body.new(f"and i1 {is_larger}, {body.new(f'xor i1 {later}, true')}")
        later = body.new(f"or i1 {later}, {is_larger}") if later else is_larger
        others.append(_chosen(writer, is_best, rows[0], row))
    return [top, *reversed(others)]


def _chosen(writer: Writer, test: str, first: _Row, second: _Row) -> _Row:
    new = writer.body.new
    return [
        new(f"select i1 {test}, double {a}, double {b}") for a, b in zip(first, second, strict=True)
    ]


def _signs_of(
    writer: Writer,
    given: list[_Row],
    scales: Sequence[str],
    found: list[str],
    places: Sequence[int],
) -> list[str]:
    """Tests whether all numbers are finite, and none of these unknowns is so small beside the largest that it
    may be rounding, by the measure of `fw_drop_rounding`: no column is larger than one where rows are
    scaled, so that the largest unknown stands for the largest of all."""
    body, operation = writer.body, writer.operation
    largest = _largest(writer, found)
    least = operation("fmul", literal(LINEAR_LOOP.small), largest)
    bounds = [operation("fmul", least, scale) for scale in scales]
    zeros = [operation("fmul", value, ZERO) for value in found]
    total = zeros[0]
    for zero in zeros[1:]:
        total = operation("fadd", total, zero)
    tests = [body.new(f"fcmp oeq double {total}, 0.0")]
    for k in places:
        size = writer.library("llvm.fabs.f64", found[k])[0]
        has = body.new(f"fcmp oeq double {found[k]}, 0.0")
        for row, bound in zip(given, bounds, strict=True):
            entry = writer.library("llvm.fabs.f64", row[k])[0]
            share = operation("fmul", entry, size)
            has = body.new(f"or i1 {has}, {body.new(f'fcmp oge double {share}, {bound}')}")
        tests.append(has)
    return tests


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
    # Factors are used again; whole numbers have eight bytes as well.
    whole = around.kept_array(integer_space(size, space))
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
