"""Scalar formulas to LLVM instructions.

    Writer(body, names).number(Binary("*", Var((3,)), Var((4,))))     "%r3", and before it
        %r1 = load double, ptr ...;  %r2 = load double, ptr ...;  %r3 = fmul double %r1, %r2

Every value is a double or a truth value (i1); conversions happen where one is needed as the other.
Both sides of a conditional are computed and one is chosen: what has no value is never chosen, and a
choice costs less than a jump. Only what is long or calls functions of the model is jumped around.
Failures (division by zero, a root of a negative number) show as values that are not finite. What a
division by zero gives may be swallowed on its way to a result, as in `1/(1/x)` or `exp(-1/x)`; where
that can be (`see`), it gives no number at all, and that no operation turns into one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from freewheel.backend.llvm_body import Body, literal
from freewheel.formula.builtin_values import TRANSPARENT
from freewheel.formula.intrinsics import INTRINSICS, names_of
from freewheel.formula.nodes import (
    LOGICAL,
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Expr,
    Field,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    Real,
    Reduction,
    Unary,
    Var,
)
from freewheel.formula.python_code import IN_PIPES, LOOKED_UP
from freewheel.formula.walk import fold

Value = tuple[str, str]  # operand, "double" or "i1"

ROUNDINGS = {"floor": "llvm.floor.f64", "trunc": "llvm.trunc.f64"}
TESTS = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "<>": "une"}
OPERATIONS = {"+": "fadd", "-": "fsub", "*": "fmul"}
SEEN_THROUGH = {**TRANSPARENT, "Integer": 0}
SCALAR_CALLS = names_of(lambda row: not row.is_reduction) | frozenset(
    (*SEEN_THROUGH, *LOOKED_UP, *IN_PIPES)
)
GATHERED = ("min", "max", "sum", "product")  # of an array, or of two scalars
NO_NUMBER = literal(float("nan"))
HEAVY = 30  # nodes; branches larger than this are jumped around


class Names(Protocol):
    """What the formulas stand in: where variables are, how functions of the model are called."""

    python: set[Expr]  # nodes that go to `outside` as they are

    def load(self, writer: Writer, node: Var | Iterator) -> Value: ...

    def outside(self, writer: Writer, node: Expr) -> Value | None:
        """The value of a node that is no plain scalar operation; None to go on with its parts."""
        ...


def is_gathered(node: Expr) -> bool:
    if not isinstance(node, Call) or node.data not in GATHERED:
        return False
    if len(node.args) > 1:
        return node.data in ("min", "max")
    return isinstance(node.args[0], Array) and len(node.args[0].args) > 0


def weight(node: Expr, parts: tuple[int, ...]) -> int:
    """Roughly the number of instructions; calls of the model's functions weigh too much."""
    if isinstance(node, Call) and not isinstance(node.data, str):
        return HEAVY + 1
    if isinstance(node, Call) and node.data not in SCALAR_CALLS and not is_gathered(node):
        return HEAVY + 1
    if isinstance(node, Var) and node.data[0] == "object":
        return HEAVY + 1
    if isinstance(node, Index) and not all(isinstance(at, Integer | Colon) for at in node.args[1:]):
        return HEAVY + 1  # it may be outside: nobody looks at it where its branch is not taken
    return min(1 + sum(parts), HEAVY + 1)


class Writer:
    """Writes formulas into a body; each shared node once where it stays valid."""

    def __init__(self, body: Body, names: Names) -> None:
        self.body = body
        self.names = names
        self.known: dict[Expr, Value] = {}
        self.journal: list[Expr] = []  # nodes known, in order: undone on leaving a branch
        self.weights: dict[Expr, int] = {}
        self.seen: set[Expr] = set()  # quotients whose infinity shows in a result

    # ------------------------------------------------------------ entry points

    def see(self, root: Expr) -> None:
        """Somebody looks whether the value of `root` is finite: then sums, products and choices
        show each infinity in them, and a plain division is good enough."""
        stack = [root]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is Binary and node.data in ("+", "-", "*"):
                stack.extend(node.args)
            elif kind is Binary and node.data == "/":
                self.seen.add(node)
                stack.append(node.args[0])
            elif kind is If:
                stack.extend(node.args[1:])
            elif kind is Unary:
                stack.append(node.args[0])

    def number(self, expr: Expr) -> str:
        return self.as_number(self.value(expr))

    def truth(self, expr: Expr) -> str:
        return self.as_truth(self.value(expr))

    def as_number(self, value: Value) -> str:
        if value[1] == "double":
            return value[0]
        if value[0] in ("true", "false"):
            return literal(1.0 if value[0] == "true" else 0.0)
        return self.body.new(f"uitofp i1 {value[0]} to double")

    def as_truth(self, value: Value) -> str:
        if value[1] == "i1":
            return value[0]
        return self.body.new(f"fcmp une double {value[0]}, 0.0")

    def forget(self, nodes: Iterable[Expr]) -> None:
        for node in nodes:
            self.known.pop(node, None)

    def know(self, node: Expr, value: Value) -> None:
        self.known[node] = value
        self.journal.append(node)

    def undo(self, mark: int) -> None:
        """What was computed inside a branch is not known after it."""
        for node in self.journal[mark:]:
            self.known.pop(node, None)
        del self.journal[mark:]

    def value(self, root: Expr) -> Value:
        known = self.known
        stack = [root]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            pending = self._pending(node)
            if pending:
                stack.extend(reversed(pending))
                continue
            stack.pop()
            if node not in known:
                self.know(node, RULES[type(node)](self, node))
        return known[root]

    def _pending(self, node: Expr) -> list[Expr]:
        """Parts to compute first; nodes that see to their parts themselves become known here."""
        kind = type(node)
        if kind in LEAVES:
            return []
        if kind in OUTSIDE or node in self.names.python:
            value = self.names.outside(self, node)
            if value is not None:
                self.know(node, value)
                return []
            args = node.args[0].args if is_gathered(node) and len(node.args) == 1 else node.args
            return [part for part in args if part not in self.known]
        if (kind is If or node.data in LOGICAL) and self._jumps(node):
            self.know(node, self._jumping(node))
            return []
        return [part for part in node.args if part not in self.known]

    # ------------------------------------------------------------ choices

    def is_heavy(self, expr: Expr) -> bool:
        return fold(expr, weight, self.weights) > HEAVY

    def _jumps(self, node: Expr) -> bool:
        if isinstance(node, If):
            return any(self.is_heavy(part) for part in node.args[1:])
        return self.is_heavy(node.args[1])

    def _jumping(self, node: Expr) -> Value:
        if isinstance(node, If):
            return self._ladder(node)
        left, right = node.args
        if node.data == "and":
            return self.choose(left, lambda: self.value(right), lambda: ("false", "i1"))
        return self.choose(left, lambda: ("true", "i1"), lambda: self.value(right))

    def _ladder(self, node: Expr) -> Value:
        """`if .. elseif .. else`: one test after the other, however many there are."""
        body, after = self.body, self.body.label("after")
        sides: list[tuple[str, str]] = []
        mark = -1
        while isinstance(node, If) and node not in self.known and self._jumps(node):
            condition, then, otherwise = node.args
            test = self.truth(condition)
            mark = len(self.journal) if mark < 0 else mark  # the first test is always made
            yes, no = body.label("yes"), body.label("no")
            body.branch(test, yes, no)
            body.begin(yes)
            inner = len(self.journal)
            operand = self.as_number(self.value(then))
            sides.append((operand, body.block))
            self.undo(inner)
            body.jump(after)
            body.begin(no)
            node = otherwise
        operand = self.as_number(self.value(node))
        sides.append((operand, body.block))
        self.undo(mark)
        body.jump(after)
        body.begin(after)
        listed = ", ".join(f"[ {operand}, %{block} ]" for operand, block in sides)
        return body.new(f"phi double {listed}"), "double"

    def choose(
        self, condition: Expr, then: Callable[[], Value], otherwise: Callable[[], Value]
    ) -> Value:
        """Only the side taken is computed."""
        body = self.body
        test = self.truth(condition)
        yes, no, after = body.label("yes"), body.label("no"), body.label("after")
        body.branch(test, yes, no)
        sides: list[tuple[str, str]] = []
        for label, side in ((yes, then), (no, otherwise)):
            body.begin(label)
            mark = len(self.journal)
            operand = self.as_number(side())
            self.undo(mark)
            sides.append((operand, body.block))
            body.jump(after)
        body.begin(after)
        listed = ", ".join(f"[ {operand}, %{block} ]" for operand, block in sides)
        return body.new(f"phi double {listed}"), "double"

    # ------------------------------------------------------------ operations

    def library(self, name: str, *operands: str) -> Value:
        listed = ", ".join("double" for _ in operands)
        mark = "" if name.startswith("llvm.") else " #1"
        self.body.around.declare(f"double @{name}({listed}){mark}")
        given = ", ".join(f"double {operand}" for operand in operands)
        return self.body.new(f"call double @{name}({given}){mark}"), "double"

    def operation(self, name: str, left: str, right: str) -> str:
        return self.body.new(f"{name} double {left}, {right}")

    def divide(self, node: Expr, left: str, right: str) -> str:
        quotient = self.operation("fdiv", left, right)
        divisor = node.args[1]
        if node in self.seen or (isinstance(divisor, Real | Integer) and divisor.data != 0):
            return quotient
        return self.unless_zero(right, quotient)

    def unless_zero(self, divisor: str, value: str) -> str:
        test = self.body.new(f"fcmp oeq double {divisor}, 0.0")
        return self.body.new(f"select i1 {test}, double {NO_NUMBER}, double {value}")

    def quotient(self, rounding: str, left: str, right: str) -> str:
        return self.library(ROUNDINGS[rounding], self.operation("fdiv", left, right))[0]

    def extreme(self, name: str, best: str, other: str) -> str:
        """The first unless the second is better, as in the reference, or is no number."""
        test = self.body.new(f"fcmp {'ult' if name == 'min' else 'ugt'} double {other}, {best}")
        chosen = self.body.new(f"select i1 {test}, double {other}, double {best}")
        test = self.body.new(f"fcmp uno double {best}, 0.0")
        return self.body.new(f"select i1 {test}, double {best}, double {chosen}")

    def power(self, base: str, node: Expr) -> Value:
        exponent = node.args[1]
        if isinstance(exponent, Real | Integer):
            if exponent.data in (2, 3, 4):
                square = self.operation("fmul", base, base)
                if exponent.data == 2:
                    return square, "double"
                other = base if exponent.data == 3 else square
                return self.operation("fmul", square, other), "double"
            if exponent.data == -1:
                inverse = self.operation("fdiv", literal(1.0), base)
                return self.unless_zero(base, inverse), "double"
        result = self.library("pow", base, self.as_number(self.known[exponent]))
        if isinstance(exponent, Real | Integer) and exponent.data < 0:
            return self.unless_zero(base, result[0]), "double"
        return result


# ---------------------------------------------------------------- one rule per kind of node


def _number(writer: Writer, node: Expr) -> Value:
    return literal(float(node.data)), "double"


def _literal(writer: Writer, node: Expr) -> Value:
    return literal(float(node.data[1])), "double"


def _boolean(writer: Writer, node: Expr) -> Value:
    return ("true" if node.data else "false"), "i1"


def _load(writer: Writer, node: Expr) -> Value:
    assert isinstance(node, Var | Iterator)
    return writer.names.load(writer, node)


def _unary(writer: Writer, node: Expr) -> Value:
    value = writer.known[node.args[0]]
    if node.data == "not":
        return writer.body.new(f"xor i1 {writer.as_truth(value)}, true"), "i1"
    return writer.body.new(f"fneg double {writer.as_number(value)}"), "double"


def _binary(writer: Writer, node: Expr) -> Value:
    op = node.data.lstrip(".")
    left, right = (writer.known[arg] for arg in node.args)
    if op in ("and", "or"):
        a, b = writer.as_truth(left), writer.as_truth(right)
        return writer.body.new(f"{op} i1 {a}, {b}"), "i1"
    if op == "^":
        return writer.power(writer.as_number(left), node)
    a, b = writer.as_number(left), writer.as_number(right)
    if op == "/":
        return writer.divide(node, a, b), "double"
    if op in OPERATIONS:
        return writer.operation(OPERATIONS[op], a, b), "double"
    return writer.body.new(f"fcmp {TESTS[op]} double {a}, {b}"), "i1"


def _if(writer: Writer, node: Expr) -> Value:
    condition, then, otherwise = (writer.known[arg] for arg in node.args)
    test = writer.as_truth(condition)
    if then[1] == "i1" and otherwise[1] == "i1":
        return writer.body.new(f"select i1 {test}, i1 {then[0]}, i1 {otherwise[0]}"), "i1"
    a, b = writer.as_number(then), writer.as_number(otherwise)
    return writer.body.new(f"select i1 {test}, double {a}, double {b}"), "double"


def _call(writer: Writer, node: Expr) -> Value:
    name = node.data
    if name in SEEN_THROUGH:
        return writer.known[node.args[SEEN_THROUGH[name]]]
    if is_gathered(node):
        return _gathered(writer, node)
    operands = [writer.as_number(writer.known[arg]) for arg in node.args]
    if name in IN_PIPES:
        return _look_in_pipe(writer, IN_PIPES[name], operands), "double"
    if name in LOOKED_UP:
        return _look_up(writer, LOOKED_UP[name], operands), "double"
    row = INTRINSICS[name]
    if row.has_pole_at_zero:
        return writer.unless_zero(operands[0], writer.library(row.llvm, *operands)[0]), "double"
    if row.llvm:
        return writer.library(row.llvm, *operands)
    return _instructions(writer, name, operands), "double"


def _instructions(writer: Writer, name: str, operands: list[str]) -> str:
    """Functions that LLVM has no name for."""
    match name:
        case "sign":
            return _sign(writer, *operands)
        case "div":
            return _div(writer, *operands)
        case "mod":
            return _mod(writer, *operands)
        case "rem":
            return _rem(writer, *operands)
        case "semiLinear":
            return _semi_linear(writer, *operands)
    raise AssertionError(f"`{name}` has no LLVM text")


def _gathered(writer: Writer, node: Expr) -> Value:
    parts = node.args if len(node.args) > 1 else node.args[0].args
    result = writer.as_number(writer.known[parts[0]])
    for part in parts[1:]:
        operand = writer.as_number(writer.known[part])
        if node.data in ("min", "max"):
            result = writer.extreme(node.data, result, operand)
        else:
            result = writer.operation("fadd" if node.data == "sum" else "fmul", result, operand)
    return result, "double"


def _sign(writer: Writer, x: str) -> str:
    body = writer.body
    above, below = body.new(f"fcmp ogt double {x}, 0.0"), body.new(f"fcmp olt double {x}, 0.0")
    a, b = body.new(f"uitofp i1 {above} to double"), body.new(f"uitofp i1 {below} to double")
    return writer.operation("fsub", a, b)


def _div(writer: Writer, x: str, y: str) -> str:
    return writer.quotient("trunc", x, y)


def _mod(writer: Writer, x: str, y: str) -> str:
    whole = writer.operation("fmul", writer.quotient("floor", x, y), y)
    return writer.operation("fsub", x, whole)


def _rem(writer: Writer, x: str, y: str) -> str:
    whole = writer.operation("fmul", writer.quotient("trunc", x, y), y)
    return writer.operation("fsub", x, whole)


def _semi_linear(writer: Writer, x: str, positive: str, negative: str) -> str:
    test = writer.body.new(f"fcmp oge double {x}, 0.0")
    slope = writer.body.new(f"select i1 {test}, double {positive}, double {negative}")
    return writer.operation("fmul", x, slope)


def _remembered(writer: Writer, address: str) -> str:
    number = writer.body.new(f"fptosi double {address} to i64")
    return writer.body.new(f"inttoptr i64 {number} to ptr")


def _look_in_pipe(writer: Writer, part: int, operands: list[str]) -> str:
    """What is at an end of a pipe (runtime/kernels/lookup)."""
    body = writer.body
    place = _remembered(writer, operands[0])
    out = body.buffer("looked", 3)
    body.around.declare("i64 @fw_pipe(ptr, double, double, ptr)")
    listed = ", ".join(f"double {operand}" for operand in operands[1:3])
    body.new(f"call i64 @fw_pipe(ptr {place}, {listed}, ptr {out})")
    return body.new(f"load double, ptr {body.at(out, part)}")


def _look_up(writer: Writer, part: int, operands: list[str]) -> str:
    """What the simulation remembers, by the address of it and a kernel (runtime/kernels/lookup)."""
    body = writer.body
    address, line, point, *present = operands
    now, time = present or (literal(0.0), literal(0.0))
    flag = literal(1.0 if present else 0.0)
    place = _remembered(writer, address)
    out = body.buffer("looked", 3)
    body.around.declare("i64 @fw_history(ptr, double, double, double, double, double, ptr)")
    listed = ", ".join(f"double {operand}" for operand in (line, point, now, time, flag))
    body.new(f"call i64 @fw_history(ptr {place}, {listed}, ptr {out})")
    return body.new(f"load double, ptr {body.at(out, part)}")


OUTSIDE = frozenset((Index, Field, Output, Call, Reduction))
LEAVES = frozenset((Real, Integer, Boolean, Literal, Var, Iterator))
RULES: dict[type, Callable[[Writer, Expr], Value]] = {
    Real: _number,
    Integer: _number,
    Boolean: _boolean,
    Literal: _literal,
    Var: _load,
    Iterator: _load,
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Call: _call,
}
