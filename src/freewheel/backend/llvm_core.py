"""The implicit core as machine code, in a module of its own.

    rates(m, t, order, ys, out)       out = d^order F/dt^order, ys = (y, y', y'', y''')
    jacobians(m, t, y, slope, out)    out = dF/dy, then dF/dy', by rows
    switches(m)                       bits that are no corners, latches

Each works on a small array with what it reads of the memory; only `switches` writes there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.backend.bound_code import bound_code
from freewheel.backend.llvm_python import PythonSide
from freewheel.backend.recipe import Known, Recipe, Written
from freewheel.backend.thresholds import DIFFERENCES
from freewheel.machine.jit import Code

if TYPE_CHECKING:
    from freewheel.backend.llvm_body import Body
    from freewheel.backend.llvm_module import Module
    from freewheel.program.core_nodes import CoreProgram
    from freewheel.program.nodes import JacobianProgram, Program

MEMCPY = "void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
ORDERS = 3  # up to index 3
MATRICES = ("by_variable", "by_rate")
MEMSET = "void @llvm.memset.p0.i64(ptr, i8, i64, i1)"


class LlvmCore:
    """Machine code for the core; it lives as long as this object does."""

    def __init__(self, model: Recipe, python: PythonSide, known: Known | None = None) -> None:
        self.recipe = Recipe(lambda: model.program, _written, known)
        self.python = PythonSide(self.recipe, python.size, python.objects)
        self.code: Code = bound_code(self.recipe, self.python, python)
        self.rates = self.code.address("rates")
        self.jacobians = self.code.address("jacobians")
        self.switches = self.code.address("switches")


def _written(program: Program) -> Written:
    from freewheel.backend.jacobian import with_functions
    from freewheel.backend.llvm_module import Module
    from freewheel.backend.llvm_python import PythonCalls
    from freewheel.backend.llvm_steps import write_section

    made = program.core
    assert made is not None
    orders = (made.residual, *made.slopes)
    whole = program
    for part in (*(made.matrices or ()), *made.slopes[-1:]):
        whole = with_functions(whole, part)
    functions = {function.name: function for function in whole.functions}
    calls = PythonCalls(whole)
    module = Module(calls, functions.get)
    for declared in (MEMCPY, MEMSET):
        module.around.declare(declared)
    n = len(made.names)
    for order, part in enumerate(orders):
        _write_part(module, f"order{order}", part, (n, n * (order + 1)), program)
    for name, part in zip(MATRICES, made.matrices or (), strict=False):
        _write_part(module, name, part, (n, n), program, is_checked=False)
    _write_rates(module, n, len(orders), DIFFERENCES.of_run * made.span)
    _write_jacobians(module, made)
    write_section(module, "switches", made.switches, is_helped=False)
    return module.around.text(), calls


def _copy(body: Body, to: str, source: str, count: int) -> None:
    body.add(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {8 * count}, i1 false)")


def _write_part(
    module: Module,
    name: str,
    made: JacobianProgram,
    given: tuple[int, int],
    program: Program,
    is_checked: bool = True,
) -> None:
    """`int64 name(double* m, double t, double* y, double* rates, double* out)`, where so many of y
    and of the rates, with theirs behind them, are `given`."""
    from freewheel.backend.llvm_body import Body
    from freewheel.backend.llvm_steps import Chain
    from freewheel.program.compact import compact

    local = compact(made, len(program.start))
    body = Body(module.around, name, "ptr %m, double %t, ptr %y, ptr %rates, ptr %out")
    work = body.array(local.size)
    _copy(body, work, "%y", given[0])
    _copy(body, body.at(work, given[0]), "%rates", given[1])
    for slot, place in local.reads:
        is_time = slot == program.time
        value = "%t" if is_time else body.new(f"load double, ptr {body.at('%m', slot)}")
        body.add(f"store double {value}, ptr {body.at(work, place)}")
    chain = Chain(module, f"{name}_steps", local.program.steps, local.program.entries)
    chain.call_all(body, chain.write(), "%out", work)
    if is_checked:
        _must_succeed(body, f"call i64 @fw_not_finite(i64 {len(made.entries)}, ptr %out)")
    body.finish("ret i64 0")


def _must_succeed(body: Body, call: str) -> None:
    body.fail_if(body.new(f"icmp ne i64 {body.new(call)}, 0"))


def _write_rates(module: Module, n: int, known: int, step: float) -> None:
    """Orders beyond those `known` are differences of the one below."""
    from freewheel.backend.llvm_body import Body, literal

    body = Body(module.around, "rates", "ptr %m, double %t, i64 %order, ptr %ys, ptr %out")
    rates, work = body.at("%ys", n), body.array((ORDERS + 1) * n)
    cases = "  ".join(f"i64 {order}, label %o{order}" for order in range(ORDERS))
    body.add(f"switch i64 %order, label %wrong [ {cases} ]")
    if known < ORDERS:
        module.around.declare(
            "i64 @fw_core_slope(ptr, ptr, double, i64, i64, ptr, double, ptr, ptr)"
        )
    for order in range(ORDERS):
        body.begin(f"o{order}")
        call = f"call i64 @order{order}(ptr %m, double %t, ptr %ys, ptr {rates}, ptr %out)"
        if order >= known:
            h = step if order == known else 1e3 * step  # differences of differences are rougher
            call = (
                f"call i64 @fw_core_slope(ptr @rates, ptr %m, double %t, i64 {order}, i64 {n}, "
                f"ptr %ys, double {literal(h)}, ptr %out, ptr {work})"
            )
        body.add(f"ret i64 {body.new(call)}")
    body.begin("wrong")
    body.finish("ret i64 1")


def _write_jacobians(module: Module, made: CoreProgram) -> None:
    """Entries by columns go to their places in two dense matrices."""
    from freewheel.backend.llvm_body import Body

    n = len(made.names)
    body = Body(module.around, "jacobians", "ptr %m, double %t, ptr %y, ptr %slope, ptr %out")
    if made.matrices is None:
        module.around.declare(
            "i64 @fw_core_jacobians(ptr, ptr, double, i64, ptr, ptr, ptr, ptr, ptr)"
        )
        sizes, work = body.around.floats(made.nominals), body.array(4 * n)
        given = f"ptr @rates, ptr %m, double %t, i64 {n}, ptr %y, ptr %slope, ptr {sizes}"
        status = body.new(f"call i64 @fw_core_jacobians({given}, ptr %out, ptr {work})")
        body.finish(f"ret i64 {status}")
        return
    parts = dict(zip(MATRICES, made.matrices, strict=True))
    entries = body.array(max(len(part.entries) for part in parts.values()))
    body.add(f"call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {16 * n * n}, i1 false)")
    for number, (name, part) in enumerate(parts.items()):
        _must_succeed(
            body, f"call i64 @{name}(ptr %m, double %t, ptr %y, ptr %slope, ptr {entries})"
        )
        places = [
            (number * n + row) * n + column
            for column, rows in enumerate(part.columns)
            for row in rows
        ]
        _scatter(body, entries, places)
    body.finish("ret i64 0")


def _scatter(body: Body, entries: str, places: Sequence[int]) -> None:
    """`out[places[k]] = entries[k]`, as a loop: there may be many. A slope that is infinite, as that of
    a root at zero, is of no use to Newton's iteration: it counts as none."""
    if not places:
        return
    table = body.around.integers(tuple(places))
    before, head, after = body.block, body.label("next"), body.label("done")
    body.jump(head)
    body.begin(head)
    k, more = body.label("%k"), body.label("%k")
    body.add(f"{k} = phi i64 [ 0, %{before} ], [ {more}, %{head} ]")
    entry = body.new(f"getelementptr inbounds double, ptr {entries}, i64 {k}")
    place = body.new(f"getelementptr inbounds i64, ptr {table}, i64 {k}")
    to = body.new(f"getelementptr double, ptr %out, i64 {body.new(f'load i64, ptr {place}')}")
    value = body.new(f"load double, ptr {entry}")
    rest = body.new(f"fsub double {value}, {value}")  # not a number where the value is not finite
    is_finite = body.new(f"fcmp oeq double {rest}, 0.0")
    body.add(
        f"store double {body.new(f'select i1 {is_finite}, double {value}, double 0.0')}, ptr {to}"
    )
    body.add(f"{more} = add i64 {k}, 1")
    body.branch(body.new(f"icmp eq i64 {more}, {len(places)}"), after, head)
    body.begin(after)
