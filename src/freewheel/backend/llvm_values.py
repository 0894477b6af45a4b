"""Formulas, places, stores and calls inside one function of the model.

    values.store(values.place(Var(("y",))), Binary("*", Var(("k",)), Var(("x",))))

Scalars are written directly; whole-array formulas of known size are taken apart element by element.
Subscripts are checked: outside its bounds an array holds nothing, and nothing can be stored there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product as cartesian
from typing import TYPE_CHECKING

from freewheel.backend.llvm_body import Body, literal
from freewheel.backend.llvm_extent import Bounds, bounds_of
from freewheel.backend.llvm_formula import SCALAR_CALLS, Value, Writer, is_gathered
from freewheel.backend.llvm_frame import Frame
from freewheel.backend.llvm_place import (
    Kind,
    Native,
    NotCompilable,
    element_at,
    field_at,
    input_kind,
)
from freewheel.base.names import Name
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import (
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    If,
    Index,
    Integer,
    Iterator,
    Output,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.python_function import uses_arrays
from freewheel.formula.scalarize import Scalarizer, flat_scalars
from freewheel.formula.shape import extra_dims
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import INTEGER, REAL
from freewheel.formula.walk import nodes_of, replace

if TYPE_CHECKING:
    from freewheel.backend.llvm_function import Functions

MAX_ELEMENTS = 3000  # of an array formula taken apart
Place = tuple[str, Kind]  # pointer, what lies there
HUGE = 1.7976931348623157e308  # min and max of nothing


class Values:
    """Writes into the body of one function; is the surroundings of its formulas."""

    def __init__(self, functions: Functions, frame: Frame, body: Body) -> None:
        self.functions = functions
        self.frame = frame
        self.body = body
        self.writer = Writer(body, self)
        self.python: set[Expr] = set()  # scalar nodes with array parts
        self.places: dict[str, Place] = {}
        self.iterators: dict[str, list[str]] = {}
        self.bounds: dict[str, list[Bounds | None]] = {}  # of iterators
        self.breaks: list[str] = []
        self.has_arrays = uses_arrays(frame.function)
        self.synthetic = 0

    def forget(self) -> None:
        """Variables change from statement to statement."""
        self.writer.known.clear()
        self.writer.journal.clear()

    # ------------------------------------------------------------ loops

    def loop(self, index: str, values: Expr, inside: Callable[[], None]) -> None:
        """Over a range, or over the elements of an array."""
        body = self.body
        counter, current = body.array(1), body.array(1)
        count, element = self._elements(values)
        body.add(f"store i64 0, ptr {counter}")
        head, within = body.label("head"), body.label("body")
        after = body.label("after")
        body.jump(head)
        body.begin(head)
        number = body.new(f"load i64, ptr {counter}")
        body.branch(body.new(f"icmp slt i64 {number}, {count}"), within, after)
        body.begin(within)
        body.add(f"store i64 {body.new(f'add i64 {number}, 1')}, ptr {counter}")
        body.add(f"store double {element(number)}, ptr {current}")
        bounds = self.bounds_of(values) if isinstance(values, Range) else None
        self.iterators.setdefault(index, []).append(current)
        self.bounds.setdefault(index, []).append(bounds)
        self.breaks.append(after)
        inside()
        self.breaks.pop()
        self.iterators[index].pop()
        self.bounds[index].pop()
        body.jump(head)
        body.begin(after)

    def bounds_of(self, expr: Expr) -> Bounds | None:
        return bounds_of(expr, self.bounds, self.frame.shapes.constant)

    def _elements(self, values: Expr) -> tuple[str, Callable[[str], str]]:
        """(how many, the element at a number)."""
        body, writer = self.body, self.writer
        if not isinstance(values, Range):
            pointer, kind = self.row(values)
            if len(kind.dims) != 1 or kind.is_record:
                raise NotCompilable("loop")

            def listed(number: str) -> str:
                place = body.new(f"getelementptr inbounds double, ptr {pointer}, i64 {number}")
                return body.new(f"load double, ptr {place}")

            return str(kind.dims[0]), listed
        first, step, last = (self.number(part) for part in values.args)
        length = writer.operation("fdiv", writer.operation("fsub", last, first), step)
        # The last element may miss the end by rounding, as in `number_range`.
        longer = writer.operation("fmul", length, literal(1 + 1e-14))
        rounded = writer.library("llvm.floor.f64", writer.operation("fadd", longer, literal(1e-14)))
        count = body.new(
            f"fptosi double {writer.operation('fadd', rounded[0], literal(1.0))} to i64"
        )

        def stepped(number: str) -> str:
            steps = body.new(f"sitofp i64 {number} to double")
            return writer.operation("fadd", first, writer.operation("fmul", steps, step))

        return count, stepped

    # ------------------------------------------------------------ formulas

    def number(self, expr: Expr) -> str:
        self.mark(expr)
        return self.writer.number(expr)

    def truth(self, expr: Expr) -> str:
        self.mark(expr)
        return self.writer.truth(expr)

    def mark(self, root: Expr) -> None:
        """Which nodes have a scalar value but array parts: they are taken apart first."""
        for node in nodes_of(root):
            if isinstance(node, String):
                self.python.add(node)  # refused where it is needed
            elif isinstance(node, Call) and isinstance(node.data, str):
                if not self._is_scalar_call(node):
                    self.python.add(node)
            elif isinstance(node, Reduction) or (
                self.has_arrays
                and isinstance(node, Binary | Unary | If)
                and any(self.is_array(part) for part in node.args)
            ):
                self.python.add(node)

    def _is_scalar_call(self, node: Call) -> bool:
        if is_gathered(node):
            parts = node.args if len(node.args) > 1 else node.args[0].args
        elif node.data in SCALAR_CALLS:
            parts = node.args
        else:
            return False
        return not (self.has_arrays and any(self.is_array(part) for part in parts))

    def is_array(self, expr: Expr) -> bool:
        try:
            return bool(self.frame.shapes.of(expr))
        except NotConstant:
            return isinstance(expr, Range)  # of a size that only a run tells

    def load(self, writer: Writer, node: Var | Iterator) -> Value:
        if isinstance(node, Iterator):
            places = self.iterators.get(node.data)
            if not places:
                raise NotCompilable(node.data)
            return self.body.new(f"load double, ptr {places[-1]}"), "double"
        pointer, kind = self.place(node)
        if not kind.is_number:
            raise NotCompilable("not a number")
        return self.body.new(f"load double, ptr {pointer}"), "double"

    def outside(self, writer: Writer, node: Expr) -> Value | None:
        if node in self.python:
            return self.gathered(node)
        if isinstance(node, Call) and isinstance(node.data, str):
            return None
        pointer, kind = self.place(node)
        if not kind.is_number:
            raise NotCompilable("not a number")
        return self.body.new(f"load double, ptr {pointer}"), "double"

    def gathered(self, node: Expr) -> Value:
        """A scalar made of arrays."""
        if isinstance(node, Reduction) and len(node.args) == 2 and not self.is_array(node.args[0]):
            return self.reduction(node), "double"
        parts = self.scalars(node)
        if len(parts) != 1 or parts[0] is node:
            raise NotCompilable(type(node).__name__)
        self.mark(parts[0])
        return self.writer.value(parts[0])

    def reduction(self, node: Reduction) -> str:
        op, (name,) = node.data
        starts = {"sum": 0.0, "product": 1.0, "min": HUGE}
        body = self.body
        total = body.array(1)
        start = starts.get(op, -HUGE)
        body.add(f"store double {literal(start)}, ptr {total}")
        mark = len(self.writer.journal)

        def inside() -> None:
            value = self.number(node.args[0])
            old = body.new(f"load double, ptr {total}")
            if op in ("min", "max"):
                new = self.writer.extreme(op, old, value)
            else:
                new = self.writer.operation("fadd" if op == "sum" else "fmul", old, value)
            body.add(f"store double {new}, ptr {total}")

        # Nothing computed inside is known outside; what was known before may use the iterator.
        self.writer.forget([Iterator(name)])
        self.loop(name, node.args[1], inside)
        self.writer.undo(mark)
        return body.new(f"load double, ptr {total}")

    def scalars(self, expr: Expr) -> list[Expr]:
        """The scalar formulas of an array formula; what needs code to be found is bound first."""
        work = Scalarizer(self.frame.dims, self.functions.lookup, self.frame.value_of)
        parts = flat_scalars(work.parts(self.bind(work.prepare(expr))))
        if len(parts) > MAX_ELEMENTS:
            raise NotCompilable("too large")
        return parts

    def bind(self, expr: Expr) -> Expr:
        def visit(node: Expr) -> Expr | None:
            if isinstance(node, Comprehension | Reduction):
                return node
            if isinstance(node, Call) and not isinstance(node.data, str):
                function = self.functions.lookup(node.data)
                if function is None or extra_dims(node, function, self.frame.shapes):
                    return None
                return self.named(self.place(node))
            if isinstance(node, Output | Field):
                return self.named(self.place(node))
            if isinstance(node, Index) and (self._leads_to_variable(node) or _is_dynamic(node)):
                return self.named(self.row(node))
            return None

        return replace(expr, visit)

    def _leads_to_variable(self, node: Expr) -> bool:
        while isinstance(node, Index | Field):
            node = node.args[0]
        return isinstance(node, Var)

    def named(self, place: Place) -> Var:
        """A variable for a place: formulas can refer to it."""
        self.synthetic += 1
        name = f"#{self.synthetic}"
        self.places[name], self.frame.kinds[name] = place, place[1]
        return Var((name,))

    # ------------------------------------------------------------ places

    def place(self, expr: Expr, for_store: bool = False) -> Place:
        if isinstance(expr, Var):
            return self._variable(expr.name)
        if isinstance(expr, Index):
            return self._indexed(expr, for_store)
        if isinstance(expr, Field):
            pointer, kind = self.place(expr.args[0], for_store)
            offset, inner = field_at(kind, expr.data)
            return self.body.at(pointer, offset), inner
        if isinstance(expr, Output) and isinstance(expr.args[0], Call):
            pointer, native = self.call(expr.args[0])
            offset, kind = native.output(expr.data)
            return self.body.at(pointer, offset), kind
        if isinstance(expr, Call) and not isinstance(expr.data, str):
            pointer, native = self.call(expr)
            return pointer, native.output(1)[1]
        raise NotCompilable(type(expr).__name__)

    def _variable(self, name: Name) -> Place:
        found = self.places.get(str(name[0]))
        if found is None:
            raise NotCompilable(str(name[0]))
        offset, kind = 0, found[1]
        for part in name[1:]:
            if isinstance(part, str):
                more, kind = field_at(kind, part)
            else:
                more, kind = element_at(kind, [part])
            offset += more
        return self.body.at(found[0], offset), kind

    def has_ranges(self, node: Index) -> bool:
        """Does it pick several elements that do not lie together?"""
        subscripts = list(node.args[1:])
        while subscripts and isinstance(subscripts[-1], Colon):
            subscripts.pop()
        return any(isinstance(part, Colon) or self.is_array(part) for part in subscripts)

    def _indexed(self, node: Index, for_store: bool) -> Place:
        if self.has_ranges(node):
            return self.gather(node)
        base = node.args[0]
        pointer, kind = self.place(base, True) if for_store else self.row(base)
        parts = [part for part in node.args[1:] if not isinstance(part, Colon)]
        inside = [self._is_inside(p, size) for p, size in zip(parts, kind.dims, strict=False)]
        return self.element(pointer, kind, [self.number(part) for part in parts], inside)

    def _is_inside(self, subscript: Expr, size: int) -> bool:
        bounds = self.bounds_of(subscript)
        return bounds is not None and bounds[0] >= 1 and bounds[1] <= size

    def element(
        self, pointer: str, kind: Kind, subscripts: list[str], inside: Sequence[bool] = ()
    ) -> Place:
        """Bounds are checked, unless a subscript is known to be inside: outside them the function fails, and
        the reference tells why."""
        body = self.body
        if len(subscripts) > len(kind.dims):
            raise NotCompilable("subscripts")
        linear, fine = "0", "true"
        for axis, (operand, size) in enumerate(zip(subscripts, kind.dims, strict=False)):
            number = body.new(f"fptosi double {operand} to i64")
            position = body.new(f"sub i64 {number}, 1")
            if axis >= len(inside) or not inside[axis]:
                test = body.new(f"icmp ult i64 {position}, {size}")
                fine = test if fine == "true" else body.new(f"and i1 {fine}, {test}")
            scaled = body.new(f"mul i64 {linear}, {size}") if linear != "0" else "0"
            linear = body.new(f"add i64 {scaled}, {position}")
        rest = Kind(kind.scalar, kind.dims[len(subscripts) :])
        if fine != "true":
            body.fail_if(body.new(f"xor i1 {fine}, true"))
        offset = body.new(f"mul i64 {linear}, {rest.size}")
        return body.new(f"getelementptr double, ptr {pointer}, i64 {offset}"), rest

    def _choices(self, node: Index, kind: Kind) -> tuple[list[list[str]], tuple[int, ...]]:
        """Per dimension the subscripts chosen, and the dimensions that stay."""
        choices: list[list[str]] = []
        kept: list[int] = []
        for part, size in zip(node.args[1:], kind.dims, strict=False):
            if isinstance(part, Colon):
                choices.append([literal(float(k)) for k in range(1, size + 1)])
            elif self.is_array(part):
                choices.append([self.number(scalar) for scalar in self.scalars(part)])
            else:
                choices.append([self.number(part)])
                continue
            kept.append(len(choices[-1]))
        rest = kind.dims[len(choices) :]
        return choices, (*kept, *rest)

    def gather(self, node: Index) -> Place:
        """Elements that do not lie together, copied into a row."""
        pointer, kind = self.row(node.args[0])
        choices, dims = self._choices(node, kind)
        result = Kind(kind.scalar, dims)
        if result.size > MAX_ELEMENTS:
            raise NotCompilable("too large")
        copy = self.body.array(result.size)
        offset = 0
        for subscripts in cartesian(*choices):
            there, rest = self.element(pointer, kind, list(subscripts))
            self.copy(self.body.at(copy, offset), there, rest.size)
            offset += rest.size
        return copy, result

    def scatter(self, node: Index, value: Expr) -> None:
        pointer, kind = self.place(node.args[0], True)
        choices, dims = self._choices(node, kind)
        given, _ = self.row(value, Kind(kind.scalar, dims))
        offset = 0
        for subscripts in cartesian(*choices):
            there, rest = self.element(pointer, kind, list(subscripts))
            self.copy(there, self.body.at(given, offset), rest.size)
            offset += rest.size

    def row(self, expr: Expr, wanted: Kind | None = None) -> Place:
        """Any array value as a place: its own, or a copy."""
        if isinstance(expr, Var | Field | Output | Index) or (
            isinstance(expr, Call) and not isinstance(expr.data, str)
        ):
            return self.place(expr)
        kind = wanted or Kind(REAL, self.frame.shapes.of(expr))
        numbers = _constants(expr)
        if numbers is not None and len(numbers) == kind.size > 0:
            return self.body.around.floats(tuple(numbers)), kind
        place = self.body.array(kind.size), kind
        self.store(place, expr)
        return place

    # ------------------------------------------------------------ storing

    def store(self, place: Place, value: Expr) -> None:
        pointer, kind = place
        if kind.size == 0:
            return  # a text, or an array without elements
        if kind.function is not None:
            self._store_bound(place, value)
        elif kind.is_number:
            operand = self.number(value)
            self.body.add(f"store double {operand}, ptr {pointer}")
        elif isinstance(value, If):
            self._store_choice(place, value)
        elif self._is_whole(value):
            given, own = self.place(value)
            if own.size != kind.size:
                raise NotCompilable("shape")
            self.copy(pointer, given, kind.size)
        elif kind.is_record:
            self._store_record(place, value)
        else:
            self._store_elements(place, value)

    def _is_whole(self, value: Expr) -> bool:
        if isinstance(value, Call) and not isinstance(value.data, str):
            function = self.functions.lookup(value.data)
            return function is not None and not extra_dims(value, function, self.frame.shapes)
        if isinstance(value, Index):
            return self._leads_to_variable(value)
        return isinstance(value, Var | Field | Output)

    def _store_bound(self, place: Place, value: Expr) -> None:
        """The inputs bound to a function that is handed over."""
        pointer, kind = place
        assert kind.function is not None
        offset = 0
        for (_, inner), part in zip(kind.function[1], value.args, strict=True):
            self.store((self.body.at(pointer, offset), inner), part)
            offset += inner.size

    def _store_choice(self, place: Place, value: If) -> None:
        body = self.body
        condition, then, otherwise = value.args
        yes, no, after = body.label("yes"), body.label("no"), body.label("after")
        body.branch(self.truth(condition), yes, no)
        for label, part in ((yes, then), (no, otherwise)):
            body.begin(label)
            mark = len(self.writer.journal)
            self.store(place, part)
            self.writer.undo(mark)
            body.jump(after)
        body.begin(after)

    def _store_record(self, place: Place, value: Expr) -> None:
        pointer, kind = place
        if kind.dims:
            if not isinstance(value, Array) or len(value.args) != kind.dims[0]:
                raise NotCompilable("records")
            inner = Kind(kind.scalar, kind.dims[1:])
            for position, part in enumerate(value.args):
                self.store((self.body.at(pointer, position * inner.size), inner), part)
            return
        if not isinstance(value, Record):
            raise NotCompilable("record")
        copy = self.body.array(kind.size)
        for name, part in zip(value.fields, value.args, strict=True):
            offset, inner = field_at(kind, name)
            self.store((self.body.at(copy, offset), inner), part)
        self.copy(pointer, copy, kind.size)

    def _store_elements(self, place: Place, value: Expr) -> None:
        pointer, kind = place
        numbers = _constants(value)
        if numbers is not None and len(numbers) == kind.size:
            self.copy(pointer, self.body.around.floats(tuple(numbers)), kind.size)
            return
        parts = self.scalars(value)
        if len(parts) != kind.size:
            raise NotCompilable("shape")
        operands = [self.number(part) for part in parts]
        for position, operand in enumerate(operands):
            self.body.add(f"store double {operand}, ptr {self.body.at(pointer, position)}")

    def copy(self, to: str, given: str, size: int) -> None:
        if size == 1:
            operand = self.body.new(f"load double, ptr {given}")
            self.body.add(f"store double {operand}, ptr {to}")
            return
        self.body.around.declare("void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)")
        self.body.add(
            f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {given}, i64 {8 * size}, i1 false)"
        )

    # ------------------------------------------------------------ calls

    def call(self, call: Call) -> tuple[str, Native]:
        """The results of a call of another function; once per statement."""
        assert not isinstance(call.data, str)
        function = self.functions.lookup(call.data)
        if function is None or len(function.inputs()) != len(call.args):
            raise NotCompilable(str(call.data))
        kinds = tuple(
            input_kind(variable, arg, self.frame.shapes.of, self.functions.lookup)
            for variable, arg in zip(function.inputs(), call.args, strict=True)
        )
        native = self.functions.native(call.data, kinds, constant_numbers(function, call))
        known = self.writer.known.get(Output(0, call))
        if known is not None:
            return known[0], native
        given = self.body.array(native.input_size)
        offset = 0
        for kind, arg in zip(kinds, call.args, strict=True):
            self.store((self.body.at(given, offset), kind), arg)
            offset += kind.size
        results = self.body.array(native.output_size)
        status = self.body.new(f"call i64 @{native.name}(ptr {given}, ptr {results})")
        self.body.fail_if(self.body.new(f"icmp ne i64 {status}, 0"))
        self.writer.know(Output(0, call), (results, "ptr"))  # undone with the branch it is in
        return results, native


def _is_dynamic(node: Index) -> bool:
    """Taken apart, it would become a test for each element."""
    return not all(isinstance(part, Integer | Colon | Range | Array) for part in node.args[1:])


def _constants(value: Expr) -> list[float] | None:
    """The numbers of an array written as such, in order; None for anything else."""
    if not isinstance(value, Array):
        return None
    found: list[float] = []
    stack: list[Expr] = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, Array):
            stack.extend(reversed(part.args))
        elif isinstance(part, Real | Integer | Boolean):
            found.append(float(part.data))
        elif isinstance(part, Unary) and isinstance(part.args[0], Real | Integer):
            found.append(-float(part.args[0].data))
        else:
            return None
    return found


def constant_numbers(function: Function, call: Call) -> tuple[tuple[int, int], ...]:
    """Integer arguments that are literals: sizes may depend on them."""
    return tuple(
        (position, arg.data)
        for position, (variable, arg) in enumerate(zip(function.inputs(), call.args, strict=True))
        if isinstance(arg, Integer) and variable.type.scalar == INTEGER
    )
