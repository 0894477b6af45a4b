"""Functions of the model to LLVM functions, one for each combination of argument shapes.

    functions = Functions(around, lookup)
    native = functions.native(("lib", "dot"), (Kind(REAL, (3,)), Kind(REAL, (3,))))

Locals are places on the stack (`llvm_frame`, `llvm_values`). What machine code cannot do (texts,
external code, sizes known only at run time) raises `NotCompilable`, and the call goes by way of
Python. A failed assertion or a subscript out of range gives status 1: the reference then says what
is wrong.
"""

from __future__ import annotations

from freewheel.backend.llvm_body import Body, Globals, literal
from freewheel.backend.llvm_frame import Frame, bound_name
from freewheel.backend.llvm_place import Kind, Native, NotCompilable
from freewheel.backend.llvm_scan import Lookup
from freewheel.backend.llvm_values import MAX_ELEMENTS, Values
from freewheel.backend.random_kernels import RANDOM_CALLS
from freewheel.base.diagnostics import FreewheelError
from freewheel.base.names import ClassName
from freewheel.formula.evaluate import MAX_STEPS
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import Call, Expr, Index, Output, Var
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

MAX_DEPTH = 500  # of functions that call themselves
MAX_TURNS = MAX_STEPS  # of a while-loop; the reference has the same limit
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
        generator = self._generator(function, key)
        if generator is not None:
            self.known[key] = generator
            return generator
        if function is None or function.external is not None:
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

    def _generator(self, function: Function | None, key: Key) -> Native | None:
        """A kernel that makes random numbers, where the function declares what the kernel does."""
        if function is None or function.external is None:
            return None
        known = RANDOM_CALLS.get(function.external.name)
        outputs = [variable.name for variable in function.outputs()]
        named = [arg.name[0] for arg in function.external.args if isinstance(arg, Var)]
        if known is None or len(function.inputs()) != 1 or named[1:] != outputs[::-1]:
            return None
        native = Frame(function, key[1], key[2], self.lookup).native(known[0])
        if (native.input_size, native.output_size) != (known[1], 1 + known[1]):
            return None
        self.around.declare(f"i64 @{known[0]}(ptr, ptr)")
        return native

    def _compile(self, key: Key, function: Function) -> Native:
        self.around.count += 1
        letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in function.name[-1])
        writer = FunctionWriter(self, function, f"f{self.around.count}_{letters}", key)
        self.known[key] = writer.native
        writer.write()
        return writer.native


class FunctionWriter:
    """The frame and the statements of one function."""

    def __init__(self, functions: Functions, function: Function, name: str, key: Key) -> None:
        self.functions = functions
        self.function = function
        self.frame = Frame(function, key[1], key[2], functions.lookup)
        self.native = self.frame.native(name)
        self.body = Body(functions.around, name, "ptr %in, ptr %out_")
        self.values = Values(functions, self.frame, self.body)

    # ------------------------------------------------------------ the frame

    def write(self) -> None:
        self._lay_out()
        self.body.jump("begin")
        self.body.begin("begin")
        for variable in self.frame.order:
            self._first_content(variable)
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
                kind = self.frame.kinds[variable.name]
                self.values.places[variable.name] = self.body.at(base, offset), kind
                inside = offset
                for label, inner in kind.function[1] if kind.function is not None else ():
                    name = bound_name(variable.name, label)
                    self.values.places[name] = self.body.at(base, inside), inner
                    inside += inner.size
                offset += kind.size
        for variable in self.frame.order:
            if variable.role == "local":
                kind = self.frame.kinds[variable.name]
                self.values.places[variable.name] = self.body.array(kind.size), kind

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
        place = self.values.places[variable.name]
        if variable.default is not None:
            self.values.forget()
            self.values.store(place, self.frame.joined(variable.default))
            return
        first = literal(0.0 if place[1].dims or place[1].is_record else float("nan"))
        for position in range(min(place[1].size, MAX_ELEMENTS)):
            self.body.add(f"store double {first}, ptr {self.body.at(place[0], position)}")

    # ------------------------------------------------------------ statements

    def block(self, body: tuple[Statement, ...]) -> None:
        for statement in body:
            self.values.forget()
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign():
                self.assign(self.frame.joined(statement.target), self.frame.joined(statement.value))
            case TupleAssign():
                self.tuple_assign(statement)
            case IfStatement():
                self.if_(statement)
            case ForStatement():
                self.for_(statement)
            case WhileStatement():
                self.while_(statement)
            case Break():
                self.leave(self.values.breaks[-1])
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
        if isinstance(target, Index) and self.values.has_ranges(target):
            self.values.scatter(target, value)
        else:
            self.values.store(self.values.place(target, for_store=True), value)

    def tuple_assign(self, statement: TupleAssign) -> None:
        call = self.frame.joined(statement.call)
        for number, target in enumerate(statement.targets, 1):
            if target is not None:
                self.assign(self.frame.joined(target), Output(number, call))

    def if_(self, statement: IfStatement) -> None:
        body = self.body
        after = body.label("after")
        for condition, inner in statement.branches:
            self.values.forget()
            yes, no = body.label("then"), body.label("else")
            body.branch(self.values.truth(self.frame.joined(condition)), yes, no)
            body.begin(yes)
            self.block(inner)
            body.jump(after)
            body.begin(no)
        self.block(statement.otherwise)
        body.jump(after)
        body.begin(after)

    def while_(self, statement: WhileStatement) -> None:
        """Counted: a loop without end gives status 1, and the reference says which."""
        body = self.body
        head, inside, after = body.label("head"), body.label("body"), body.label("after")
        counter = body.array(1)
        body.add(f"store i64 0, ptr {counter}")
        body.jump(head)
        body.begin(head)
        turn = body.new(f"load i64, ptr {counter}")
        body.fail_if(body.new(f"icmp sgt i64 {turn}, {MAX_TURNS}"))
        body.add(f"store i64 {body.new(f'add i64 {turn}, 1')}, ptr {counter}")
        self.values.forget()
        body.branch(self.values.truth(self.frame.joined(statement.condition)), inside, after)
        body.begin(inside)
        self.values.breaks.append(after)
        self.block(statement.body)
        self.values.breaks.pop()
        body.jump(head)
        body.begin(after)

    def for_(self, statement: ForStatement) -> None:
        values = self.frame.joined(statement.values)
        self.values.loop(statement.index, values, lambda: self.block(statement.body))

    def effect(self, statement: Effect) -> None:
        action = statement.action
        if isinstance(action, Assert):
            if not action.is_warning:
                test = self.values.truth(self.frame.joined(action.condition))
                self.body.fail_if(self.body.new(f"xor i1 {test}, true"))
        elif isinstance(action, Terminate):
            self.body.fail_if("true")
        elif isinstance(action, CallEquation) and isinstance(action.call, Call):
            call = self.frame.joined(action.call)
            assert isinstance(call, Call)
            self.values.call(call)
        else:
            raise NotCompilable("effect")
