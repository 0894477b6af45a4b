"""What formulas of a section stand in: slots, temporaries, and calls of functions.

A call goes to machine code where the function can be compiled, to a kernel where it looks up a
table, and else by way of Python: the numbers in its arguments are computed here and handed over.
"""

from __future__ import annotations

from freewheel.backend.llvm_body import Body
from freewheel.backend.llvm_formula import Value, Writer
from freewheel.backend.llvm_module import Module
from freewheel.backend.llvm_place import (
    Kind,
    Native,
    NotCompilable,
    input_kind,
    literal_dims,
    literal_scalars,
    offset_of,
)
from freewheel.backend.llvm_scan import CHAIN, Scan, root_of
from freewheel.backend.llvm_values import constant_numbers
from freewheel.backend.table_kernels import TableCall
from freewheel.formula.nodes import Array, Call, Expr, Integer, Iterator, Output, Real, Record, Var
from freewheel.formula.walk import replace

MANY = 16  # constant arguments; more are copied from a table


class Surroundings:
    """Of the formulas in one function; `scratch` says where temporaries of the section are."""

    def __init__(self, module: Module, found: Scan, scratch: dict[Expr, int], body: Body) -> None:
        self.module = module
        self.scan = found
        self.scratch = scratch
        self.body = body
        self.writer = Writer(body, self)
        self.python = found.python

    # ------------------------------------------------------------ names

    def load(self, writer: Writer, node: Var | Iterator) -> Value:
        assert isinstance(node, Var)
        head = node.name[0]
        if isinstance(head, int) or head == "old":
            slot = head if isinstance(head, int) else node.name[1]
            assert isinstance(slot, int)
            return self.body.new(f"load double, ptr {self.body.at('%m', slot)}"), "double"
        if head == "tuple":
            value = self.outside(writer, node)
            assert value is not None
            return value
        place = self.body.at("%s", self.scratch[node])
        return self.body.new(f"load double, ptr {place}"), "double"

    def outside(self, writer: Writer, node: Expr) -> Value | None:
        if node in self.python:
            return self.by_python(node), "double"
        if isinstance(node, Call) and isinstance(node.data, str):
            return None
        root, path = root_of(node, self.scan.aliases)
        if path in self.scratch:
            place = self.body.at("%s", self.scratch[path])
            return self.body.new(f"load double, ptr {place}"), "double"
        if not isinstance(root, Call):
            return self.by_python(node), "double"
        table = self.module.table_call(root)
        if table is not None and node is root:
            return self.by_table(root, *table), "double"
        try:
            return self.by_machine(root, path), "double"
        except NotCompilable:
            return self.by_python(node), "double"

    # ------------------------------------------------------------ functions of the model

    def by_machine(self, call: Call, path: Expr) -> str:
        """A number out of the results of a call; the call is made once where it stays valid."""
        native, given = self.arguments(call)
        offset = offset_of(path, native)
        known = self.writer.known.get(Output(0, call))
        if known is None:
            known = self.body.array(native.output_size), "ptr"
            self.call_native(native, given, known[0])
            self.writer.know(Output(0, call), known)
        return self.body.new(f"load double, ptr {self.body.at(known[0], offset)}")

    def by_table(self, call: Call, known: TableCall, args: list[Expr]) -> str:
        """A lookup in a table; where the object is no table for kernels, by way of Python."""
        body = self.body
        number = args[0].data[1]
        given = [self.writer.number(arg) for arg in args[1:]]
        place = body.new("load ptr, ptr @tables")
        row = body.new(f"load ptr, ptr {body.at(place, number)}")
        slow, quick, after = body.label("slow"), body.label("quick"), body.label("after")
        body.branch(body.new(f"icmp eq ptr {row}, null"), slow, quick)
        body.begin(slow)
        mark = len(self.writer.journal)
        sides = [(self.by_python(call), body.block)]
        self.writer.undo(mark)
        body.jump(after)
        body.begin(quick)
        sides.append((self.looked_up(row, known, given), body.block))
        body.jump(after)
        body.begin(after)
        listed = ", ".join(f"[ {operand}, %{block} ]" for operand, block in sides)
        return body.new(f"phi double {listed}")

    def looked_up(self, row: str, known: TableCall, given: list[str]) -> str:
        body, writer = self.body, self.writer
        out = body.buffer("found", 3)
        types = ", ".join("double" for _ in range(known.arguments))
        body.around.declare(f"i64 @{known.kernel}(ptr, {types}, ptr)")
        listed = ", ".join(f"double {operand}" for operand in given[: known.arguments])
        status = body.new(f"call i64 @{known.kernel}(ptr {row}, {listed}, ptr {out})")
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
        value, slope, bend = (
            body.new(f"load double, ptr {body.at(out, position)}") for position in range(3)
        )
        changes = given[known.arguments :]
        if not changes:
            return value
        moved = writer.operation("fmul", slope, changes[-1])
        if len(changes) == 1:
            return moved
        square = writer.operation("fmul", changes[0], changes[0])
        return writer.operation("fadd", writer.operation("fmul", bend, square), moved)

    def arguments(self, call: Call) -> tuple[Native, list[Expr]]:
        """The compiled function for a call, and the scalars to hand over."""
        assert not isinstance(call.data, str)
        function = self.module.functions(call.data)
        if function is None or len(function.inputs()) != len(call.args):
            raise NotCompilable(str(call.data))
        kinds: list[Kind] = []
        scalars: list[Expr] = []
        for variable, arg in zip(function.inputs(), call.args, strict=True):
            kinds.append(input_kind(variable, arg, literal_dims, self.module.functions))
            scalars += literal_scalars(arg, kinds[-1])
        if any(scalar in self.scan.opaque for scalar in scalars):
            raise NotCompilable(str(call.data))
        numbers = constant_numbers(function, call)
        return self.module.natives.native(call.data, tuple(kinds), numbers), scalars

    def call_native(self, native: Native, given: list[Expr], out: str) -> None:
        body = self.body
        if len(given) > MANY and all(isinstance(part, Real | Integer) for part in given):
            buffer = body.around.floats(tuple(float(part.data) for part in given))
        else:
            operands = [self.writer.number(part) for part in given]
            buffer = body.buffer("in", len(given))
            for position, operand in enumerate(operands):
                body.add(f"store double {operand}, ptr {body.at(buffer, position)}")
        status = body.new(f"call i64 @{native.name}(ptr {buffer}, ptr {out})")
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))

    # ------------------------------------------------------------ by way of Python

    def by_python(self, node: Expr) -> str:
        """The number that a formula gives, computed by Python from the numbers in it."""
        text, given = self.piece_text(node)
        number = self.module.calls.add_values([f"float({text})"], len(given))
        out = self.body.buffer("out", 1)
        self.call_piece(number, given, out)
        return self.body.new(f"load double, ptr {out}")

    def piece_text(self, node: Expr) -> tuple[str, list[str]]:
        """Python text over `a[0], a[1], ...`, and the operands to put there."""
        parts: dict[Expr, int] = {}

        def visit(part: Expr) -> Expr | None:
            if part is node or not self.is_plain_number(part):
                return None
            return Var(("arg", parts.setdefault(part, len(parts))))

        text = self.module.calls.of(replace(_without_aliases(node, self.scan), visit))
        return text, [self.writer.number(part) for part in parts]

    def is_plain_number(self, node: Expr) -> bool:
        """Can the machine compute it, and is it worth handing over?"""
        if node in self.scan.opaque or node in self.python or isinstance(node, Array | Record):
            return False
        if isinstance(node, Var):
            return node.name[0] not in ("object", "arg") and not self.is_held(node)
        if isinstance(node, CHAIN):
            _, path = root_of(node, self.scan.aliases)
            return path in self.scratch
        return bool(node.args) and not (isinstance(node, Call) and not isinstance(node.data, str))

    def is_held(self, node: Var) -> bool:
        return node.name[0] == "tuple" and node not in self.scratch

    def call_piece(self, number: int, given: list[str], out: str) -> None:
        buffer = self.body.buffer("in", len(given))
        for position, operand in enumerate(given):
            self.body.add(f"store double {operand}, ptr {self.body.at(buffer, position)}")
        status = self.module.call_python(self.body, number, buffer, out)
        self.body.fail_if(self.body.new(f"icmp ne i64 {status}, 0"))


def _without_aliases(node: Expr, found: Scan) -> Expr:
    def visit(part: Expr) -> Expr | None:
        if part in found.aliases:
            assert isinstance(part, Var)
            return _without_aliases(found.aliases[part], found)
        return None

    return replace(node, visit) if found.aliases else node
