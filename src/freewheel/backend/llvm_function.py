"""Functions of the model to LLVM functions, one for each combination of argument shapes.

    functions = Functions(around, lookup)
    native = functions.native(("lib", "dot"), (Kind(REAL, (3,)), Kind(REAL, (3,))))

Locals are places on the stack; whole-array formulas of known size are taken apart element by
element. What machine code cannot do (texts, external code, sizes known only at run time) raises
`NotCompilable`, and the call goes by way of Python. A failed assertion or a subscript out of range
gives status 1: the reference then says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product as cartesian
from typing import Any

from freewheel.backend.llvm_body import Body, Globals, literal
from freewheel.backend.llvm_formula import SCALAR_CALLS, Value, Writer, is_gathered
from freewheel.backend.llvm_place import (
    Kind,
    Native,
    NotCompilable,
    element_at,
    field_at,
    input_kind,
)
from freewheel.backend.llvm_scan import Lookup
from freewheel.base.diagnostics import FreewheelError
from freewheel.base.names import ClassName, Name
from freewheel.formula.faults import NotConstant
from freewheel.formula.interpret import by_dependence
from freewheel.formula.nodes import (
    Array,
    Binary,
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
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.python_function import uses_arrays
from freewheel.formula.scalarize import Scalarizer, flat_scalars
from freewheel.formula.shape import Shapes, extra_dims
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    CallEquation,
    Effect,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Return,
    Statement,
    Terminate,
    TupleAssign,
    WhileStatement,
)
from freewheel.formula.types import INTEGER, REAL
from freewheel.formula.values import Value as Constant
from freewheel.formula.walk import map_bottom_up, nodes_of, replace

MAX_ELEMENTS = 3000  # of an array formula taken apart
MAX_DEPTH = 500  # of functions that call themselves
Place = tuple[str, Kind]  # pointer, what lies there
Key = tuple[ClassName, tuple[Kind, ...], tuple[tuple[int, int], ...]]


class Functions:
    """All functions compiled so far; those that cannot be are remembered too."""

    def __init__(self, around: Globals, lookup: Lookup) -> None:
        self.around = around
        self.lookup = lookup
        self.known: dict[Key, Native | None] = {}
        self.active: list[Key] = []
        self.recursive: set[str] = set()

    def native(
        self, name: ClassName, kinds: tuple[Kind, ...], numbers: tuple[tuple[int, int], ...] = ()
    ) -> Native:
        """`numbers` are constant Integer arguments: (position, value); they may decide sizes."""
        key = (name, kinds, numbers)
        found = self.known.get(key)
        if found is not None:
            if key in self.active:
                self.recursive.add(found.name)
            return found
        if key in self.known:
            raise NotCompilable(".".join(name))
        function = self.lookup(name)
        self.known[key] = None
        if function is None or (function.external is not None and not _is_builtin(function)):
            raise NotCompilable(".".join(name))
        self.active.append(key)
        try:
            return self._compile(key, function)
        except (FreewheelError, NotConstant) as problem:
            self.known[key] = None
            raise NotCompilable(str(problem)) from None
        except NotCompilable:
            self.known[key] = None
            raise
        finally:
            self.active.pop()

    def _compile(self, key: Key, function: Function) -> Native:
        self.around.count += 1
        letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in function.name[-1])
        writer = FunctionWriter(self, function, f"f{self.around.count}_{letters}", key)
        self.known[key] = writer.native
        writer.write()
        return writer.native


def joined(expr: Expr) -> Expr:
    """Fields of record variables as one name: `p.y` is `Var(("p", "y"))`."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Field) and isinstance(node.args[0], Var):
            return Var((*node.args[0].name, node.data))
        return node

    return map_bottom_up(expr, visit)


def _is_builtin(function: Function) -> bool:
    return function.external is not None and function.external.language == "builtin"


def assigned_names(body: Iterable[Statement]) -> set[str]:
    found: set[str] = set()
    for statement in body:
        targets: list[Expr | None] = []
        if isinstance(statement, Assign):
            targets = [statement.target]
        elif isinstance(statement, TupleAssign):
            targets = list(statement.targets)
        elif isinstance(statement, IfStatement):
            for _, inner in statement.branches:
                found |= assigned_names(inner)
            found |= assigned_names(statement.otherwise)
        elif isinstance(statement, ForStatement | WhileStatement):
            found |= assigned_names(statement.body)
        for target in targets:
            while target is not None and target.args:
                target = target.args[0]
            if isinstance(target, Var):
                found.add(str(target.name[0]))
    return found


class FunctionWriter:
    """One function for one combination of shapes."""

    def __init__(self, functions: Functions, function: Function, name: str, key: Key) -> None:
        self.functions = functions
        self.function = function
        self.locals = {v.name: v for v in function.variables}
        self.fixed = {
            v.name for v in function.variables if v.role != "input" and v.default is not None
        } - assigned_names(function.body)
        self.numbers: dict[str, int] = {}
        self.kinds: dict[str, Kind] = {}
        inputs = function.inputs()
        if len(inputs) != len(key[1]):
            raise NotCompilable(name)
        for variable, kind in zip(inputs, key[1], strict=True):
            self.kinds[variable.name] = input_kind(variable, kind.dims)
        for position, number in key[2]:
            self.numbers[inputs[position].name] = number
        self.shapes = Shapes(self.dims, functions.lookup, self.value_of)
        self.order = by_dependence([v for v in function.variables if v.role != "input"])
        for variable in self.order:
            self.kinds[variable.name] = Kind(variable.type.scalar, self.sizes(variable))
        self.native = Native(
            name,
            tuple(self.kinds[v.name] for v in inputs),
            tuple(self.kinds[v.name] for v in function.outputs()),
        )
        self.native.input_size  # noqa: B018 -- refuses kinds that have no size
        self.native.output_size  # noqa: B018
        self.body = Body(functions.around, name, "ptr %in, ptr %out_")
        self.writer = Writer(self.body, self)
        self.python: set[Expr] = set()
        self.places: dict[str, Place] = {}
        self.iterators: dict[str, list[str]] = {}
        self.breaks: list[str] = []
        self.has_arrays = uses_arrays(function)
        self.synthetic = 0

    # ------------------------------------------------------------ shapes

    def dims(self, name: Name) -> tuple[int, ...]:
        return self.kind_of(name).dims

    def kind_of(self, name: Name) -> Kind:
        kind = self.kinds.get(str(name[0]))
        if kind is None:
            raise NotConstant(name)
        for part in name[1:]:
            if isinstance(part, str):
                kind = field_at(kind, part)[1]
            else:
                kind = element_at(kind, [part])[1]
        return kind

    def value_of(self, name: Name) -> Constant:
        """Values that decide sizes: constant arguments, and locals that are never assigned."""
        head = str(name[0])
        if len(name) == 1 and head in self.numbers:
            return self.numbers[head]
        if len(name) == 1 and head in self.fixed:
            default = self.locals[head].default
            assert default is not None
            return self.shapes.constant(default)
        raise NotConstant(name)

    def sizes(self, variable: FunctionVariable) -> tuple[int, ...]:
        known = variable.type.dims
        if not variable.dims:
            if any(size is None for size in known):
                raise NotCompilable(variable.name)
            return tuple(size or 0 for size in known)
        result: list[int] = []
        for axis, size in enumerate(variable.dims):
            if size is not None:
                number = self.shapes.constant(size)
            elif variable.default is not None:
                number = self.shapes.of(variable.default)[axis]
            else:
                raise NotCompilable(variable.name)
            if not isinstance(number, int):
                raise NotCompilable(variable.name)
            result.append(number)
        return tuple(result)

    # ------------------------------------------------------------ the frame

    def write(self) -> None:
        self._lay_out()
        self.body.jump("begin")
        self.body.begin("begin")
        for variable in self.order:
            self._first_content(variable)
        if self.function.external is not None:
            self._builtin()
        else:
            self.block(self.function.body)
        self.body.jump("end")
        self.body.begin("end")
        self._count_depth(self.native.name in self.functions.recursive)

    def _lay_out(self) -> None:
        for base, variables in (
            ("%in", self.function.inputs()),
            ("%out_", self.function.outputs()),
        ):
            offset = 0
            for variable in variables:
                kind = self.kinds[variable.name]
                self.places[variable.name] = self.body.at(base, offset), kind
                offset += kind.size
        for variable in self.order:
            if variable.role == "local":
                kind = self.kinds[variable.name]
                self.places[variable.name] = self.body.array(kind.size), kind

    def _count_depth(self, is_recursive: bool) -> None:
        """Endless recursion must not break the stack."""
        if not is_recursive:
            self.body.finish("ret i64 0")
            return
        name = f"@depth_{self.native.name}"
        self.functions.around.definitions.append(f"{name} = internal global i64 0")
        start = self.body.lines.index("  br label %begin")
        self.body.lines[start : start + 1] = [
            f"  %depth_old = load i64, ptr {name}",
            "  %depth_new = add i64 %depth_old, 1",
            f"  %depth_bad = icmp sgt i64 %depth_new, {MAX_DEPTH}",
            "  br i1 %depth_bad, label %leave, label %deeper",
            "leave:",
            "  ret i64 1",
            "deeper:",
            f"  store i64 %depth_new, ptr {name}",
            "  br label %begin",
        ]
        self.body.add(f"store i64 %depth_old, ptr {name}")
        self.body.add("ret i64 0")
        if self.body.may_fail:
            self.body.begin("fail")
            self.body.add(f"store i64 %depth_old, ptr {name}")
            self.body.may_fail = False
        else:
            self.body.begin("unused")
        self.body.finish("ret i64 1")

    def _first_content(self, variable: FunctionVariable) -> None:
        place = self.places[variable.name]
        if variable.default is not None:
            self.statement_begins()
            self.store(place, joined(variable.default))
            return
        first = literal(0.0 if place[1].dims or place[1].is_record else float("nan"))
        for position in range(min(place[1].size, MAX_ELEMENTS)):
            self.body.add(f"store double {first}, ptr {self.body.at(place[0], position)}")

    def _builtin(self) -> None:
        external = self.function.external
        assert external is not None
        target = external.result
        inputs = [
            arg
            for arg in external.args
            if not (isinstance(arg, Var) and self.locals[str(arg.name[0])].role == "output")
        ]
        if target is None:
            others = [arg for arg in external.args if arg not in inputs]
            if len(others) != 1:
                raise NotCompilable(external.name)
            target = others[0]
        self.statement_begins()
        self.store(self.place(target), Call(external.name, *inputs))

    # ------------------------------------------------------------ statements

    def statement_begins(self) -> None:
        self.writer.known.clear()
        self.writer.journal.clear()

    def block(self, body: tuple[Statement, ...]) -> None:
        for statement in body:
            self.statement_begins()
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign():
                self.assign(joined(statement.target), joined(statement.value))
            case TupleAssign():
                self.tuple_assign(statement)
            case IfStatement():
                self.if_(statement)
            case ForStatement():
                self.for_(statement)
            case WhileStatement():
                self.while_(statement)
            case Break():
                self.leave(self.breaks[-1])
            case Return():
                self.leave("end")
            case Effect():
                self.effect(statement)
            case _:
                raise NotCompilable(type(statement).__name__)

    def leave(self, label: str) -> None:
        """Jump; what follows is never reached but needs a block."""
        self.body.jump(label)
        self.body.begin(self.body.label("dead"))

    def assign(self, target: Expr, value: Expr) -> None:
        if isinstance(target, Index) and self._has_ranges(target):
            self.scatter(target, value)
        else:
            self.store(self.place(target, for_store=True), value)

    def tuple_assign(self, statement: TupleAssign) -> None:
        call = joined(statement.call)
        for number, target in enumerate(statement.targets, 1):
            if target is not None:
                self.assign(joined(target), Output(number, call))

    def if_(self, statement: IfStatement) -> None:
        body = self.body
        after = body.label("after")
        for condition, inner in statement.branches:
            self.statement_begins()
            yes, no = body.label("then"), body.label("else")
            body.branch(self.truth(joined(condition)), yes, no)
            body.begin(yes)
            self.block(inner)
            body.jump(after)
            body.begin(no)
        self.block(statement.otherwise)
        body.jump(after)
        body.begin(after)

    def while_(self, statement: WhileStatement) -> None:
        body = self.body
        head, inside, after = body.label("head"), body.label("body"), body.label("after")
        body.jump(head)
        body.begin(head)
        self.statement_begins()
        body.branch(self.truth(joined(statement.condition)), inside, after)
        body.begin(inside)
        self.breaks.append(after)
        self.block(statement.body)
        self.breaks.pop()
        body.jump(head)
        body.begin(after)

    def for_(self, statement: ForStatement) -> None:
        values = joined(statement.values)
        self.loop(statement.index, values, lambda: self.block(statement.body))

    def loop(self, index: str, values: Expr, inside: Any) -> None:
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
        self.iterators.setdefault(index, []).append(current)
        self.breaks.append(after)
        inside()
        self.breaks.pop()
        self.iterators[index].pop()
        body.jump(head)
        body.begin(after)

    def _elements(self, values: Expr) -> tuple[str, Any]:
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

    def effect(self, statement: Effect) -> None:
        action = statement.action
        if isinstance(action, Assert):
            if not action.is_warning:
                test = self.truth(joined(action.condition))
                self.body.fail_if(self.body.new(f"xor i1 {test}, true"))
        elif isinstance(action, Terminate):
            self.body.fail_if("true")
        elif isinstance(action, CallEquation) and isinstance(action.call, Call):
            call = joined(action.call)
            assert isinstance(call, Call)
            self.call(call)
        else:
            raise NotCompilable("effect")

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
                raise NotCompilable("String")
            if isinstance(node, Call) and isinstance(node.data, str):
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
            return bool(self.shapes.of(expr))
        except NotConstant:
            return False

    def load(self, writer: Writer, node: Var | Iterator) -> Value:
        if isinstance(node, Iterator):
            places = self.iterators.get(node.data)
            if not places:
                raise NotCompilable(node.data)
            return self.body.new(f"load double, ptr {places[-1]}"), "double"
        pointer, kind = self.place(node)
        if kind.dims or kind.is_record:
            raise NotCompilable("array")
        return self.body.new(f"load double, ptr {pointer}"), "double"

    def outside(self, writer: Writer, node: Expr) -> Value | None:
        if node in self.python:
            return self.gathered(node)
        if isinstance(node, Call) and isinstance(node.data, str):
            return None
        pointer, kind = self.place(node)
        if kind.dims or kind.is_record:
            raise NotCompilable("array")
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
        starts = {"sum": 0.0, "product": 1.0, "min": 1.7976931348623157e308}
        body = self.body
        total = body.array(1)
        start = starts.get(op, -1.7976931348623157e308)
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
        work = Scalarizer(self.dims, self.functions.lookup, self.value_of)
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
                if function is None or extra_dims(node, function, self.shapes):
                    return None
                return self.named(self.place(node))
            if isinstance(node, Output | Field):
                return self.named(self.place(node))
            if isinstance(node, Index) and self._leads_to_variable(node):
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
        self.places[name], self.kinds[name] = place, place[1]
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

    def _has_ranges(self, node: Index) -> bool:
        """Does it pick several elements that do not lie together?"""
        subscripts = list(node.args[1:])
        while subscripts and isinstance(subscripts[-1], Colon):
            subscripts.pop()
        return any(isinstance(part, Colon) or self.is_array(part) for part in subscripts)

    def _indexed(self, node: Index, for_store: bool) -> Place:
        if self._has_ranges(node):
            return self.gather(node)
        base = node.args[0]
        pointer, kind = self.place(base, True) if for_store else self.row(base)
        return self.element(pointer, kind, self._subscripts(node), for_store)

    def _subscripts(self, node: Index) -> list[str]:
        parts = [part for part in node.args[1:] if not isinstance(part, Colon)]
        return [self.number(part) for part in parts]

    def element(self, pointer: str, kind: Kind, subscripts: list[str], for_store: bool) -> Place:
        """Bounds are checked: outside them there is no number, and nothing is stored."""
        body = self.body
        if len(subscripts) > len(kind.dims):
            raise NotCompilable("subscripts")
        linear, fine = "0", "true"
        for operand, size in zip(subscripts, kind.dims, strict=False):
            number = body.new(f"fptosi double {operand} to i64")
            position = body.new(f"sub i64 {number}, 1")
            test = body.new(f"icmp ult i64 {position}, {size}")
            fine = test if fine == "true" else body.new(f"and i1 {fine}, {test}")
            scaled = body.new(f"mul i64 {linear}, {size}") if linear != "0" else "0"
            linear = body.new(f"add i64 {scaled}, {position}")
        rest = Kind(kind.scalar, kind.dims[len(subscripts) :])
        if for_store:
            body.fail_if(body.new(f"xor i1 {fine}, true"))
        offset = body.new(f"mul i64 {linear}, {rest.size}")
        safe = body.new(f"select i1 {fine}, i64 {offset}, i64 0")
        there = body.new(f"getelementptr double, ptr {pointer}, i64 {safe}")
        if for_store:
            return there, rest
        nothing = body.around.floats((float("nan"),) * max(rest.size, 1))
        return body.new(f"select i1 {fine}, ptr {there}, ptr {nothing}"), rest

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
            there, rest = self.element(pointer, kind, list(subscripts), False)
            self.copy(self.body.at(copy, offset), there, rest.size)
            offset += rest.size
        return copy, result

    def scatter(self, node: Index, value: Expr) -> None:
        pointer, kind = self.place(node.args[0], True)
        choices, dims = self._choices(node, kind)
        given, _ = self.row(value, Kind(kind.scalar, dims))
        offset = 0
        for subscripts in cartesian(*choices):
            there, rest = self.element(pointer, kind, list(subscripts), True)
            self.copy(there, self.body.at(given, offset), rest.size)
            offset += rest.size

    def row(self, expr: Expr, wanted: Kind | None = None) -> Place:
        """Any array value as a place: its own, or a copy."""
        if isinstance(expr, Var | Field | Output | Index) or (
            isinstance(expr, Call) and not isinstance(expr.data, str)
        ):
            return self.place(expr)
        kind = wanted or Kind(REAL, self.shapes.of(expr))
        place = self.body.array(kind.size), kind
        self.store(place, expr)
        return place

    # ------------------------------------------------------------ storing

    def store(self, place: Place, value: Expr) -> None:
        pointer, kind = place
        if not kind.dims and not kind.is_record:
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
            return function is not None and not extra_dims(value, function, self.shapes)
        if isinstance(value, Index):
            return self._leads_to_variable(value)
        return isinstance(value, Var | Field | Output)

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
            input_kind(variable, self.shapes.of(arg))
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


def constant_numbers(function: Function, call: Call) -> tuple[tuple[int, int], ...]:
    """Integer arguments that are literals: sizes may depend on them."""
    return tuple(
        (position, arg.data)
        for position, (variable, arg) in enumerate(zip(function.inputs(), call.args, strict=True))
        if isinstance(arg, Integer) and variable.type.scalar == INTEGER
    )
