"""Values of kernels: expressions, fields of records and calls as instructions of LLVM.

Every variable is a stack slot; LLVM's own passes turn them into registers. Types are those of
`kernel_nodes`; a variable has the type of what is first assigned to it.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Mapping
from typing import Any

from freewheel.machine.records import (
    ELEMENT_KINDS,
    FUNCTIONS,
    Field,
    context_of,
    llvm_type,
    record_named,
    record_type,
)

Signature = tuple[tuple[str, ...], str]
Value = tuple[str, str]  # LLVM operand, kernel type

INTRINSICS = {
    "sqrt": "llvm.sqrt.f64",
    "abs": "llvm.fabs.f64",
    "floor": "llvm.floor.f64",
    "ceil": "llvm.ceil.f64",
}
LIBRARY = (
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "log10",
)
ADDRESSES = {"floats_at": "floats", "ints_at": "ints", "function_at": "function"}
# Calls that are an instruction or two.
INSTRUCTIONS = frozenset((*INTRINSICS, *ADDRESSES, "min", "max", "int", "float"))
FLOAT_OPS = {"Add": "fadd", "Sub": "fsub", "Mult": "fmul", "Div": "fdiv", "Mod": "frem"}
INT_OPS = {
    "Add": "add nsw", "Sub": "sub nsw", "Mult": "mul nsw", "FloorDiv": "sdiv", "Mod": "srem",
    "BitAnd": "and", "BitOr": "or", "BitXor": "xor", "LShift": "shl", "RShift": "ashr",
}  # fmt: skip
# Floats, whole numbers and pointers never share memory: what is stored as one kind changes no other, so that
# values stay in registers across such stores (type-based alias analysis).
TAGS = {"double": ", !tbaa !4", "i64": ", !tbaa !5"}
POINTER_TAG = ", !tbaa !7"  # of arrays that move
FLOAT_TESTS = {"Lt": "olt", "LtE": "ole", "Gt": "ogt", "GtE": "oge", "Eq": "oeq", "NotEq": "une"}
INT_TESTS = {"Lt": "slt", "LtE": "sle", "Gt": "sgt", "GtE": "sge", "Eq": "eq", "NotEq": "ne"}


def literal(value: float) -> str:
    """A double by its bits: exact, and good for infinities too."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class ValueWriter:
    """Appends instructions to `lines`."""

    def __init__(
        self,
        name: str,
        signatures: Mapping[str, Signature],
        constants: Mapping[str, Any],
        declared: dict[str, None],
    ) -> None:
        self.name = name
        self.signatures = signatures
        self.constants = constants
        self.declared = declared
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.variables: dict[str, str] = {}
        self.count = 0
        self.ended = False  # the present block has its terminator
        self.expressions: dict[type, Callable[[Any], Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.Compare: self._compare,
            ast.BoolOp: self._logic,
            ast.IfExp: self._choice,
            ast.Subscript: self._subscript,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
        }

    # ------------------------------------------------------------ text

    def _emit(self, text: str) -> None:
        if not self.ended:
            self.lines.append("  " + text)

    def _new(self, text: str) -> str:
        """Emit an instruction with a result and give its name."""
        self.count += 1
        name = f"%t{self.count}"
        self._emit(f"{name} = {text}")
        return name

    def _label(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def _jump(self, label: str) -> None:
        self._emit(f"br label %{label}")
        self.ended = True

    def _start(self, label: str) -> None:
        if not self.ended:
            self._jump(label)
        self.lines.append(f"{label}:")
        self.ended = False

    def _branch(self, test: str, then: str, otherwise: str) -> None:
        self._emit(f"br i1 {test}, label %{then}, label %{otherwise}")
        self.ended = True

    def _slot(self, name: str, kind: str) -> None:
        self.variables[name] = kind
        self.slots.append(f"  %v_{name} = alloca {llvm_type(kind)}")

    def _wrong(self, node: ast.AST, what: str) -> Exception:
        line = getattr(node, "lineno", 0)
        return TypeError(f"kernel {self.name}, line {line}: {what}: {ast.unparse(node)}")

    # ------------------------------------------------------------ values

    def value(self, node: ast.expr) -> Value:
        handler = self.expressions.get(type(node))
        if handler is None:
            raise self._wrong(node, "not in the kernel language")
        return handler(node)

    def _as(self, value: Value, kind: str) -> str:
        """Converted to a kernel type."""
        operand, own = value
        if own == kind:
            return operand
        if kind == "double" and own == "i64":
            if operand.lstrip("-").isdigit():
                return literal(float(operand))
            return self._new(f"sitofp i64 {operand} to double")
        if kind == "i64" and own == "double":
            return self._new(f"fptosi double {operand} to i64")
        if kind == "i64" and own == "i1":
            return self._new(f"zext i1 {operand} to i64")
        if kind == "double" and own == "i1":
            return self._new(f"uitofp i1 {operand} to double")
        if kind == "i1" and own == "i64":
            return self._new(f"icmp ne i64 {operand}, 0")
        if kind == "i1" and own == "double":
            return self._new(f"fcmp une double {operand}, 0.0")
        arrays = ELEMENT_KINDS.keys() | FUNCTIONS
        if kind in arrays and own in arrays:
            return operand
        raise TypeError(f"kernel {self.name}: a {own} is no {kind}")

    def _test(self, node: ast.expr) -> str:
        return self._as(self.value(node), "i1")

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool):
            return ("true" if value else "false"), "i1"
        if isinstance(value, int):
            return str(value), "i64"
        if isinstance(value, float):
            return literal(value), "double"
        raise self._wrong(node, "not a number")

    def _name(self, node: ast.Name) -> Value:
        kind = self.variables.get(node.id)
        if kind is not None:
            return self._new(f"load {llvm_type(kind)}, ptr %v_{node.id}"), kind
        if node.id in self.signatures:
            return f"@{node.id}", "function"
        constant = self.constants.get(node.id)
        if not isinstance(constant, int | float):
            raise self._wrong(node, "neither a variable nor a constant number")
        return self._constant(ast.Constant(_plain(constant)))

    def _binary(self, node: ast.BinOp) -> Value:
        return self._operate(node.op, self.value(node.left), self.value(node.right), node)

    def _operate(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        name = type(op).__name__
        if name == "Pow":
            return self._power(left, right)
        whole = ("i64", "i1")
        if name != "Div" and left[1] in whole and right[1] in whole:
            a, b = self._as(left, "i64"), self._as(right, "i64")
            return self._new(f"{INT_OPS[name]} i64 {a}, {b}"), "i64"
        if name not in FLOAT_OPS:
            raise self._wrong(node, "no such operation on floats")
        a, b = self._as(left, "double"), self._as(right, "double")
        return self._new(f"{FLOAT_OPS[name]} double {a}, {b}"), "double"

    def _power(self, base: Value, exponent: Value) -> Value:
        a = self._as(base, "double")
        if exponent[0] in ("2", literal(2.0)):
            return self._new(f"fmul double {a}, {a}"), "double"
        self.declared["declare double @pow(double, double) #1"] = None
        b = self._as(exponent, "double")
        return self._new(f"call double @pow(double {a}, double {b}) #1"), "double"

    def _unary(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            number = node.operand.value
            assert isinstance(number, int | float), "only numbers have a sign"
            return self._constant(ast.Constant(-number))
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return self._new(f"xor i1 {self._as(value, 'i1')}, true"), "i1"
        if isinstance(node.op, ast.UAdd):
            return value
        if value[1] == "i64":
            return self._new(f"sub i64 0, {value[0]}"), "i64"
        return self._new(f"fneg double {self._as(value, 'double')}"), "double"

    def _compare(self, node: ast.Compare) -> Value:
        if len(node.ops) != 1:
            raise self._wrong(node, "one comparison at a time")
        left, right = self.value(node.left), self.value(node.comparators[0])
        op = type(node.ops[0]).__name__
        if "double" in (left[1], right[1]):
            a, b = self._as(left, "double"), self._as(right, "double")
            return self._new(f"fcmp {FLOAT_TESTS[op]} double {a}, {b}"), "i1"
        a, b = self._as(left, "i64"), self._as(right, "i64")
        return self._new(f"icmp {INT_TESTS[op]} i64 {a}, {b}"), "i1"

    def _logic(self, node: ast.BoolOp) -> Value:
        """Evaluated only as far as needed, as in Python."""
        result = f"logic_{self.count}"
        self._slot(result, "i1")
        after = self._label("done")
        for position, part in enumerate(node.values):
            test = self._test(part)
            self._emit(f"store i1 {test}, ptr %v_{result}")
            if position + 1 < len(node.values):
                more = self._label("more")
                if isinstance(node.op, ast.And):
                    self._branch(test, more, after)
                else:
                    self._branch(test, after, more)
                self._start(more)
        self._start(after)
        return self._new(f"load i1, ptr %v_{result}"), "i1"

    def _choice(self, node: ast.IfExp) -> Value:
        """Where a side calls a function, which takes time and may change something, only the chosen side is
        evaluated, as in Python. Else both are, which needs no jump."""
        if self._calls(node.body) or self._calls(node.orelse):
            return self._chosen(node)
        test = self._test(node.test)
        left, right = self.value(node.body), self.value(node.orelse)
        kind = "double" if "double" in (left[1], right[1]) else left[1]
        a, b = self._as(left, kind), self._as(right, kind)
        return self._new(f"select i1 {test}, {llvm_type(kind)} {a}, {llvm_type(kind)} {b}"), kind

    def _calls(self, node: ast.expr) -> bool:
        """Whether it calls more than a single instruction."""
        called = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
        return any(not isinstance(f, ast.Name) or f.id not in INSTRUCTIONS for f in called)

    def _chosen(self, node: ast.IfExp) -> Value:
        then, otherwise, after = self._label("then"), self._label("else"), self._label("after")
        self._branch(self._test(node.test), then, otherwise)
        self._start(then)
        left = self.value(node.body)
        result = f"choice_{self.count}"
        self._slot(result, left[1])
        kind = llvm_type(left[1])
        self._emit(f"store {kind} {left[0]}, ptr %v_{result}")
        self._jump(after)
        self._start(otherwise)
        right = self.value(node.orelse)
        if right[1] == "double" != left[1]:
            raise self._wrong(node, "both sides are of one type")
        self._emit(f"store {kind} {self._as(right, left[1])}, ptr %v_{result}")
        self._start(after)
        return self._new(f"load {kind}, ptr %v_{result}"), left[1]

    def _place(self, node: ast.Subscript) -> tuple[str, str]:
        """Where an element is, and its kind."""
        base, kind = self.value(node.value)
        index = self._as(self.value(node.slice), "i64")
        if kind.startswith("records "):
            name = kind.removeprefix("records ")
            place = self._new(f"getelementptr inbounds %{name}, ptr {base}, i64 {index}")
            return place, f"record {name}"
        if kind not in ELEMENT_KINDS:
            raise self._wrong(node, "not an array")
        element = ELEMENT_KINDS[kind]
        return self._new(f"getelementptr inbounds {element}, ptr {base}, i64 {index}"), element

    def _subscript(self, node: ast.Subscript) -> Value:
        if isinstance(node.slice, ast.Slice):
            base, kind = self.value(node.value)
            if (
                kind not in ELEMENT_KINDS
                or node.slice.lower is None
                or node.slice.upper is not None
            ):
                raise self._wrong(node, "of arrays of numbers the rest from an element on")
            index = self._as(self.value(node.slice.lower), "i64")
            element = ELEMENT_KINDS[kind]
            return self._new(f"getelementptr inbounds {element}, ptr {base}, i64 {index}"), kind
        place, element = self._place(node)
        if element.startswith("record "):
            return place, element
        return self._new(f"load {element}, ptr {place}{TAGS[element]}"), element

    # ------------------------------------------------------------ records

    def _field(self, node: ast.Attribute) -> tuple[str, Field]:
        """Where a field is."""
        base, kind = self.value(node.value)
        if not kind.startswith("record "):
            raise self._wrong(node, "not a record")
        one = record_type(record_named(kind.removeprefix("record ")))
        field = one.fields.get(node.attr)
        if field is None:
            raise self._wrong(node, f"{one.name} has no field {node.attr}")
        place = f"getelementptr inbounds %{one.name}, ptr {base}, i32 0, i32 {field.number}"
        return self._new(place), field

    def _attribute(self, node: ast.Attribute) -> Value:
        name = node.value.id if isinstance(node.value, ast.Name) else None
        if name is not None and name not in self.variables:
            number = getattr(self.constants.get(name), node.attr, None)
            if not isinstance(number, int | float):
                raise self._wrong(node, "neither a field nor a constant number")
            return self._constant(ast.Constant(_plain(number)))
        place, field = self._field(node)
        tag = ", !invariant.load !0" if field.is_invariant else TAGS.get(field.kind, POINTER_TAG)
        return self._new(f"load {llvm_type(field.kind)}, ptr {place}{tag}"), field.kind

    # ------------------------------------------------------------ calls

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            return self._indirect(node)
        if not isinstance(node.func, ast.Name):
            raise self._wrong(node, "call a function by its name")
        name = node.func.id
        if self.variables.get(name) in FUNCTIONS:
            return self._indirect(node)
        if name in self.signatures:
            return self._direct(name, node)
        if name in ("min", "max"):
            return self._extreme(name, node)
        if name == "int":
            return self._as(self.value(node.args[0]), "i64"), "i64"
        if name == "float":
            return self._as(self.value(node.args[0]), "double"), "double"
        if name in ADDRESSES:
            address = self._as(self.value(node.args[0]), "i64")
            return self._new(f"inttoptr i64 {address} to ptr"), ADDRESSES[name]
        if name == "len":
            raise self._wrong(node, "arrays do not know their length here")
        return self._mathematics(name, node)

    def _indirect(self, node: ast.Call) -> Value:
        """A function that was handed in: gives an integer status."""
        function, called = self.value(node.func)
        if called not in FUNCTIONS:
            raise self._wrong(node, "not a function")
        values = [self.value(argument) for argument in node.args]
        if called == "section" and isinstance(node.func, ast.Attribute):
            values.append(self._context(node.func))
        listed = ", ".join(f"{llvm_type(kind)} {operand}" for operand, kind in values)
        return self._new(f"call i64 {function}({listed})"), "i64"

    def _context(self, section: ast.Attribute) -> Value:
        """Machine code that takes none does not mind one more argument (System V, Microsoft x64, AAPCS64)."""
        hidden = ast.Attribute(section.value, context_of(section.attr))
        place, field = self._field(ast.copy_location(hidden, section))
        return self._new(f"load ptr, ptr {place}, !invariant.load !0"), field.kind

    def _direct(self, name: str, node: ast.Call) -> Value:
        arguments, result = self.signatures[name]
        if len(arguments) != len(node.args):
            raise self._wrong(node, f"{name} takes {len(arguments)} arguments")
        listed = ", ".join(
            f"{llvm_type(kind)} {self._as(self.value(argument), kind)}"
            for kind, argument in zip(arguments, node.args, strict=True)
        )
        if result == "void":
            self._emit(f"call void @{name}({listed})")
            return "0", "void"
        return self._new(f"call {llvm_type(result)} @{name}({listed})"), result

    def _extreme(self, name: str, node: ast.Call) -> Value:
        best = self.value(node.args[0])
        for argument in node.args[1:]:
            other = self.value(argument)
            if "double" in (best[1], other[1]):
                kind, test = "double", "fcmp " + ("olt" if name == "min" else "ogt")
            else:
                kind, test = "i64", "icmp " + ("slt" if name == "min" else "sgt")
            a, b = self._as(best, kind), self._as(other, kind)
            # Python's min keeps the first unless the second is smaller; so do we.
            smaller = self._new(f"{test} {llvm_type(kind)} {b}, {a}")
            best = (
                self._new(f"select i1 {smaller}, {llvm_type(kind)} {b}, {llvm_type(kind)} {a}"),
                kind,
            )
        return best

    def _mathematics(self, name: str, node: ast.Call) -> Value:
        if name == "abs" and node.args:
            value = self.value(node.args[0])
            if value[1] == "i64":
                negative = self._new(f"sub i64 0, {value[0]}")
                test = self._new(f"icmp slt i64 {value[0]}, 0")
                return self._new(f"select i1 {test}, i64 {negative}, i64 {value[0]}"), "i64"
            return self._library("llvm.fabs.f64", [value], pure=False)
        values = [self.value(argument) for argument in node.args]
        if name in INTRINSICS:
            return self._library(INTRINSICS[name], values, pure=False)
        if name in LIBRARY:
            return self._library(name, values, pure=True)
        if name in ("atan2", "pow", "fmod", "hypot", "copysign"):
            return self._library(name, values, pure=True)
        raise self._wrong(node, "no such function in the kernel language")

    def _library(self, name: str, values: list[Value], pure: bool) -> Value:
        mark = " #1" if pure else ""
        types = ", ".join("double" for _ in values)
        self.declared[f"declare double @{name}({types}){mark}"] = None
        listed = ", ".join(f"double {self._as(value, 'double')}" for value in values)
        return self._new(f"call double @{name}({listed}){mark}"), "double"


def _plain(number: float) -> float:
    """Members of enumerations as what they are."""
    return (
        number
        if isinstance(number, bool)
        else int(number)
        if isinstance(number, int)
        else float(number)
    )
