"""The core's functions behind two that the run time calls; the branch vector lies in the memory.

    rates(m, t, order, ys, out)       out = d^order F/dt^order, ys = (y, y', y'', y''')
    jacobians(m, t, y, slope, out)    out = dF/dy, then dF/dy', by rows

Bits of corners are turned so that they are set while the parameter is above its corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from freewheel.machine.jit import Code, compile_text

if TYPE_CHECKING:
    from freewheel.backend.core import CoreCode
    from freewheel.program.core import CoreProgram
    from freewheel.program.jacobian import JacobianProgram

_numbers = count(1)
ORDERS = 3


class LlvmCore:
    """Machine code over the compiled functions of a core."""

    def __init__(self, made: CoreProgram, code: CoreCode, time: int, bits: int) -> None:
        """`bits`: the slot of the first one in the memory."""
        functions: list[Any] = [code.residual, *code.slopes, code.by_variable, code.by_rate]
        prefix = f"fw_core{next(_numbers)}_"
        names = [f"{prefix}{k}" for k in range(len(functions))]
        text = core_text(made, names, time, bits)
        symbols = {name: f.address for name, f in zip(names, functions, strict=True)}
        self.functions = functions  # they must stay alive
        self.code: Code = compile_text(text, symbols=symbols, use_cache=False)
        self.rates = self.code.address("rates")
        self.jacobians = self.code.address("jacobians")


def core_text(made: CoreProgram, names: Sequence[str], time: int, bits: int) -> str:
    declared = "\n".join(f"declare i64 @{name}(ptr, ptr)" for name in names)
    return "\n".join(
        (
            declared,
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            _rates(made, names[:ORDERS], time, bits),
            _jacobians(made, names[ORDERS:], time, bits),
        )
    )


class _Lines:
    """Lines of a function, with fresh names."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        self.lines.append("  " + line)

    def new(self, value: str) -> str:
        name = f"%v{len(self.lines)}"
        self.add(f"{name} = {value}")
        return name

    def at(self, base: str, index: int) -> str:
        return self.new(f"getelementptr double, ptr {base}, i64 {index}")

    def copy(self, to: str, source: str, number: int) -> None:
        self.add(
            f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {8 * number}, i1 0)"
        )


def _hand_in(lines: _Lines, made: CoreProgram, time: int, bits: int) -> None:
    """Time and branch vector."""
    lines.add(f"store double %t, ptr {lines.at('%m', time)}")
    turned = {corner.bit for corner in made.corners if corner.is_below}
    for k in range(len(made.bit_names)):
        bit = lines.new(f"load double, ptr {lines.at('%m', bits + k)}")
        if k in turned:
            bit = lines.new(f"fsub double 1.0, {bit}")
        lines.add(f"store double {bit}, ptr {lines.at('%values', k)}")


def _rates(made: CoreProgram, names: Sequence[str], time: int, bits: int) -> str:
    n, first = len(made.names), len(made.bit_names)
    lines = _Lines()
    lines.add(f"%values = alloca double, i64 {first + 4 * n}")
    _hand_in(lines, made, time, bits)
    lines.copy(lines.at("%values", first), lines.at("%ys", n), n)
    lines.copy(lines.at("%values", first + n), "%ys", n)
    lines.add(
        "switch i64 %order, label %wrong [ i64 0, label %o0  i64 1, label %o1  i64 2, label %o2 ]"
    )
    for order, name in enumerate(names):
        lines.lines.append(f"o{order}:")
        if order:
            lines.copy(lines.at("%values", first + 2 * n), lines.at("%ys", 2 * n), order * n)
        status = lines.new(f"call i64 @{name}(ptr %m, ptr %values)")
        lines.copy("%out", "%values", n)
        lines.add(f"ret i64 {status}")
    lines.lines.append("wrong:")
    lines.add("ret i64 1")
    head = "define i64 @rates(ptr %m, double %t, i64 %order, ptr %ys, ptr %out) {"
    return "\n".join((head, *lines.lines, "}"))


def _jacobians(made: CoreProgram, names: Sequence[str], time: int, bits: int) -> str:
    n, first = len(made.names), len(made.bit_names)
    programs = (made.by_variable, made.by_rate)
    room = max(first + 2 * n, *(len(p.entries) for p in programs))
    lines = _Lines()
    lines.add(f"%values = alloca double, i64 {room}")
    lines.add(f"call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {16 * n * n}, i1 0)")
    for number, (program, name) in enumerate(zip(programs, names, strict=True)):
        _hand_in(lines, made, time, bits)
        lines.copy(lines.at("%values", first), "%slope", n)
        lines.copy(lines.at("%values", first + n), "%y", n)
        status = lines.new(f"call i64 @{name}(ptr %m, ptr %values)")
        bad = lines.new(f"icmp ne i64 {status}, 0")
        lines.add(f"br i1 {bad}, label %wrong, label %right{number}")
        lines.lines.append(f"right{number}:")
        _scatter(lines, program, n, number * n * n)
    lines.add("ret i64 0")
    lines.lines.append("wrong:")
    lines.add("ret i64 1")
    head = "define i64 @jacobians(ptr %m, double %t, ptr %y, ptr %slope, ptr %out) {"
    return "\n".join((head, *lines.lines, "}"))


def _scatter(lines: _Lines, program: JacobianProgram, n: int, base: int) -> None:
    entry = 0
    for column, rows in enumerate(program.columns):
        for row in rows:
            value = lines.new(f"load double, ptr {lines.at('%values', entry)}")
            lines.add(f"store double {value}, ptr {lines.at('%out', base + row * n + column)}")
            entry += 1
