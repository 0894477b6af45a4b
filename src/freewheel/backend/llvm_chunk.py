"""Steps of a section to the instructions of one function.

chunk = Chunk(chain, "derivatives_0")
chunk.step(Assign(...))
chunk.finish()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING

from freewheel.backend.branch_kernels import loop_size
from freewheel.backend.llvm_body import Body, literal
from freewheel.backend.llvm_calls import Surroundings
from freewheel.backend.llvm_formula import Value
from freewheel.backend.llvm_kernels import work_size
from freewheel.backend.llvm_loops import linear_solution
from freewheel.backend.llvm_place import NotCompilable, offset_of
from freewheel.backend.llvm_watch import Sums
from freewheel.backend.thresholds import LINEAR_LOOP
from freewheel.formula.nodes import Call, Expr
from freewheel.program.loop_jacobian import loop_jacobian
from freewheel.program.nodes import (
    Act,
    Assign,
    Check,
    Jump,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
    kept_slots,
    old_var,
    slot_var,
)
from freewheel.program.written import written_slots

if TYPE_CHECKING:
    from freewheel.backend.llvm_steps import Chain


class Chunk:
    """One of the functions that a section is written as: `int64 f(double* m, double* s, double* f)`
    with the memory, the temporaries of the section, and the results of a loop."""

    def __init__(self, sequence: Chain, name: str) -> None:
        self.sequence = sequence
        self.module = sequence.module
        self.scan = sequence.scan
        self.body = Body(self.module.around, name, "ptr %m, ptr %s, ptr %f")
        self.around = Surroundings(self.module, self.scan, sequence.scratch, self.body)
        self.writer = self.around.writer
        self.sums = Sums(self.body)
        self.looked_at: set[int] = set()  # slots of these sums

    # ------------------------------------------------------------ steps

    def store(self, slot: int, operand: str) -> None:
        self.body.add(f"store double {operand}, ptr {self.body.at('%m', slot)}")
        for name in (slot_var(slot), old_var(slot)):
            self.writer.know(name, (operand, "double"))

    def step(self, step: Step) -> None:
        match step:
            case Assign():
                self.assign(step)
            case SetStatus():
                self.status(step)
            case SolveLinear():
                self.linear(step)
            case SolveNonlinear():
                self.nonlinear(step)
            case Check():
                self.check(step)
            case Jump():
                self.jump(step)
            case Act():
                self.act(step)

    def finish(self) -> None:
        self.sums.finish()
        self.body.finish("ret i64 0")

    def ends(self, exprs: Sequence[Expr]) -> None:
        """Residuals of a loop."""
        for position, expr in enumerate(exprs):
            self.writer.see(expr)
            operand = self.writer.number(expr)
            self.body.add(f"store double {operand}, ptr {self.body.at('%f', position)}")

    def assign(self, step: Assign) -> None:
        target = step.target
        kind = target.name[0]
        if target in self.scan.aliases:
            return
        if kind in ("tuple", "object") or target in self.scan.opaque:
            self.when(step.guard, lambda: self.hold(step))
            return
        if isinstance(kind, int):
            self.writer.see(step.value)
        value = self.guarded(step)
        if isinstance(kind, int):
            operand = self.writer.as_number(value)
            self.store(kind, operand)
            if self.sequence.is_checked and kind not in self.sequence.unwatched:
                self.looked_at.add(kind)
                if value[1] == "double":  # integers and truth are always finite
                    self.sums.add(operand)
            return
        self.writer.know(target, value)
        if target in self.around.scratch:
            place = self.body.at("%s", self.around.scratch[target])
            self.body.add(f"store double {self.writer.as_number(value)}, ptr {place}")

    def guarded(self, step: Assign) -> Value:
        writer = self.writer
        if step.guard is None:
            return writer.value(step.value)
        nothing = literal(0.0)
        if writer.is_heavy(step.value):
            return writer.choose(
                step.guard, lambda: writer.value(step.value), lambda: (nothing, "double")
            )
        test, value = writer.truth(step.guard), writer.number(step.value)
        return self.body.new(f"select i1 {test}, double {value}, double {nothing}"), "double"

    def when(self, guard: Expr | None, action: Callable[[], None]) -> None:
        """Do something where the guard holds."""
        if guard is None:
            action()
            return
        yes, after = self.body.label("yes"), self.body.label("after")
        self.body.branch(self.writer.truth(guard), yes, after)
        self.body.begin(yes)
        mark = len(self.writer.journal)
        action()
        self.writer.undo(mark)
        self.body.jump(after)
        self.body.begin(after)

    def hold(self, step: Assign) -> None:
        """All outputs of a call."""
        table = self.module.table_call(step.value) if isinstance(step.value, Call) else None
        if table is not None and step.target in self.around.scratch:
            assert isinstance(step.value, Call)
            operand = self.around.by_table(step.value, *table)
            place = self.body.at("%s", self.around.scratch[step.target])
            self.body.add(f"store double {operand}, ptr {place}")
            return
        if step.target.name[0] == "tuple" and step.target not in self.scan.whole:
            try:
                self.hold_natively(step)
                return
            except NotCompilable:
                pass  # then by way of Python
        self.hold_in_python(step)

    def hold_natively(self, step: Assign) -> None:
        assert isinstance(step.value, Call)
        native, given = self.around.arguments(step.value)
        paths = self.scan.wanted.get(step.target, [])
        offsets = [offset_of(path, native) for path in paths]
        base = self.sequence.reserve(native.output_size)
        for path, offset in zip(paths, offsets, strict=True):
            self.around.scratch[path] = base + offset
        self.around.call_native(native, given, self.body.at("%s", base))

    def hold_in_python(self, step: Assign) -> None:
        """A value that stays in Python; the numbers in it that are wanted come over."""
        text, given = self.around.piece_text(step.value)
        kind, number = step.target.name[0], step.target.name[1]
        if kind == "tuple":
            assert text.endswith("[0]"), text
            before = f"held[{number}] = {text[:-3]}"
        else:
            before = f"{'objects' if kind == 'object' else 'held'}[{number}] = {text}"
            if kind == "object":
                before += f"; publish({number})"
        paths = self.scan.wanted.get(step.target, [])
        results = [f"float({self.module.calls.of(path)})" for path in paths]
        piece = self.module.calls.add_values(results, len(given), before)
        out = self.body.at("%s", self.around.scratch[paths[0]]) if paths else "null"
        self.around.call_piece(piece, given, out)

    def status(self, step: SetStatus) -> None:
        body = self.body
        residual = self.writer.number(step.residual)
        old = body.new(f"load double, ptr {body.at('%m', step.slot)}")
        above = body.new(f"fcmp ogt double {residual}, 0.0")
        below = body.new(f"fcmp olt double {residual}, 0.0")
        lower = body.new(f"select i1 {below}, double {literal(-1.0)}, double {old}")
        new = body.new(f"select i1 {above}, double {literal(1.0)}, double {lower}")
        self.store(step.slot, new)

    def linear(self, step: SolveLinear) -> None:
        for slot, operand in zip(step.slots, linear_solution(self.writer, step), strict=True):
            self.store(slot, operand)

    def nonlinear(self, step: SolveNonlinear) -> None:
        module, body, size = self.module, self.body, len(step.slots)
        module.loops += 1
        name = f"residual_{module.loops}"
        self.sequence.nested(name, step.inner, step.residuals)
        around = module.around
        slots, starts = around.integers(step.slots), around.floats(step.starts)
        nominals = around.floats(step.nominals)
        bounds = around.floats(_lows_then_highs(step))
        is_followed = step.follow >= 0
        work = body.array(loop_size(size) if is_followed else work_size(size))
        jacobian = self.loop_jacobian(step, f"slopes_{module.loops}")
        given = "ptr null, i64 0" if jacobian is None else f"ptr @{jacobian}, i64 1"
        status = body.new(
            f"call i64 @fw_{'loop' if is_followed else 'solve'}(ptr @{name}, {given}, i64 {size}, "
            f"ptr %m, ptr {slots}, ptr {starts}, ptr {nominals}, ptr {bounds}, ptr {work}"
            f"{self.branch(step)})"
        )
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
        changed = written_slots([step])
        self.writer.forget([make(slot) for make in (slot_var, old_var) for slot in changed])

    def branch(self, step: SolveNonlinear) -> str:
        """Further arguments of `fw_loop`."""
        if step.follow < 0:
            return ""
        kept = kept_slots(step)
        inner = self.module.around.integers(kept) if kept else "null"
        return (
            f", i64 {step.follow}, i64 {step.sense}, i64 {step.left}, ptr {inner}, i64 {len(kept)}"
        )

    def loop_jacobian(self, step: SolveNonlinear, name: str) -> str | None:
        """The function with the derivatives of a loop's residuals; None: take differences."""
        module = self.module
        made = loop_jacobian(step, module.derivatives)
        if made is None:
            return None
        before = len(module.calls.sources)
        self.sequence.nested(name, made.steps, made.entries)
        if len(module.calls.sources) > before:  # Python does not know the made functions
            del module.calls.sources[before:], module.calls.counts[before:]
            return None
        return name

    def check(self, step: Check) -> None:
        body, writer = self.body, self.writer
        left, right = writer.number(step.left), writer.number(step.right)
        difference = writer.library("llvm.fabs.f64", writer.operation("fsub", left, right))[0]
        sizes = [writer.library("llvm.fabs.f64", part)[0] for part in (left, right)]
        size = writer.operation("fadd", literal(1.0), writer.extreme("max", *sizes))
        limit = writer.operation("fmul", literal(LINEAR_LOOP.redundant), size)
        body.fail_if(body.new(f"fcmp ugt double {difference}, {limit}"))

    def jump(self, step: Jump) -> None:
        def set_values() -> None:
            for slot, operand in (
                (step.flag, literal(1.0)),
                (step.new, self.writer.number(step.value)),
            ):
                self.body.add(f"store double {operand}, ptr {self.body.at('%m', slot)}")

        self.when(step.guard, set_values)

    def act(self, step: Act) -> None:
        if step.kind == "call":
            self.when(step.guard, lambda: self.call(step))
            return
        self.when(step.guard, lambda: self.speak(step))

    def call(self, step: Act) -> None:
        assert step.value is not None
        text, given = self.around.piece_text(step.value)
        piece = self.module.calls.add_values([], len(given), text.removesuffix("[0]"))
        self.around.call_piece(piece, given, "null")

    def speak(self, step: Act) -> None:
        section, number = self.sequence.name, self.sequence.numbers[id(step)]
        piece = self.module.calls.add_action(section, number, step.kind, step.message)
        body = self.body

        def say() -> None:
            status = self.module.call_python(body, piece, "%m", "null")
            body.fail_if(body.new(f"icmp ne i64 {status}, 0"))

        if step.kind == "terminate":
            say()
            return
        assert step.value is not None
        yes, after = body.label("broken"), body.label("after")
        body.branch(self.writer.truth(step.value), after, yes)
        body.begin(yes)
        say()
        body.jump(after)
        body.begin(after)


def _lows_then_highs(step: SolveNonlinear) -> tuple[float, ...]:
    pairs = step.bounds or ((-inf, inf),) * len(step.slots)
    return (*(low for low, _ in pairs), *(high for _, high in pairs))
