"""Functions of the model as Python text, for the reference backend.

    y := k*u    ->    def f_gain(v_k, v_u):
                          v_y = v_k*v_u
                          return (v_y,)

The text runs in `python_runtime.NAMES` together with the other functions. Inputs may come as floats
from the memory of a simulation; Integers and Booleans are made such on entry. Arrays are numpy
arrays and are copied where they are assigned, because the language assigns values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from freewheel.base.names import ClassName, Name
from freewheel.base.source import Span
from freewheel.formula.external_call import kinds_of
from freewheel.formula.interpret import by_dependence
from freewheel.formula.nodes import (
    Array,
    Colon,
    Comprehension,
    Expr,
    Field,
    Index,
    Range,
    Var,
)
from freewheel.formula.python_code import (
    FunctionCode,
    PythonText,
    iterator_code,
    plain_function_code,
)
from freewheel.formula.shape import rank
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    CallEquation,
    Effect,
    External,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Return,
    Statement,
    Terminate,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, STRING, EnumType, RecordType, Type
from freewheel.formula.walk import nodes_of

Lines = list[str]


def function_text(
    function: Function,
    function_code: FunctionCode = plain_function_code,
    outer_name: Callable[[Name], str] | None = None,
) -> str:
    """The `def` of a function; `outer_name` is asked for names that are not its own."""
    return "\n".join(_Writer(function, function_code, outer_name).write()) + "\n"


MARK = re.compile(
    r"  # (\d+)$"
)  # the number of the statement that a line is part of, see `spans_of`


def local_code(name: str) -> str:
    """A Python identifier for any Modelica identifier, quoted ones included."""
    if name.isidentifier() and name.isascii():
        return f"v_{name}"
    return "v_" + re.sub(r"\W", lambda found: f"_{ord(found[0]):x}_", name, flags=re.ASCII)


def spans_of(body: Iterable[Statement]) -> list[Span]:
    """Places of all statements, in the order of their numbers in the text."""
    found: list[Span] = []
    for statement in body:
        found.append(statement.span)
        if isinstance(statement, IfStatement | WhenStatement):
            for _, inner in statement.branches:
                found += spans_of(inner)
        if isinstance(statement, IfStatement):
            found += spans_of(statement.otherwise)
        if isinstance(statement, ForStatement | WhileStatement):
            found += spans_of(statement.body)
    return found


def uses_arrays(function: Function) -> bool:
    if any(rank(v) or isinstance(v.type.scalar, RecordType) for v in function.variables):
        return True
    return any(
        isinstance(node, Array | Comprehension | Index)
        for expr in expressions_of(function.body)
        for node in nodes_of(expr)
    )


def expressions_of(body: Iterable[Statement]) -> Iterable[Expr]:
    """Every expression that occurs in statements, in order."""
    for statement in body:
        if isinstance(statement, Assign):
            yield from (statement.target, statement.value)
        elif isinstance(statement, TupleAssign):
            yield from (target for target in statement.targets if target is not None)
            yield statement.call
        elif isinstance(statement, IfStatement | WhenStatement):
            for condition, inner in statement.branches:
                yield condition
                yield from expressions_of(inner)
            if isinstance(statement, IfStatement):
                yield from expressions_of(statement.otherwise)
        elif isinstance(statement, ForStatement):
            yield statement.values
            yield from expressions_of(statement.body)
        elif isinstance(statement, WhileStatement):
            yield statement.condition
            yield from expressions_of(statement.body)
        elif isinstance(statement, Effect):
            yield from _expressions_of_action(statement.action)


def _expressions_of_action(action: object) -> Iterable[Expr]:
    if isinstance(action, CallEquation):
        yield action.call
    elif isinstance(action, Assert):
        yield from (action.condition, action.message)
    elif isinstance(action, Terminate):
        yield action.message


class _Writer:
    def __init__(
        self,
        function: Function,
        function_code: FunctionCode,
        outer_name: Callable[[Name], str] | None,
    ) -> None:
        self.function = function
        self.outer_name = outer_name
        self.outer_function = function_code
        self.locals = {v.name: v for v in function.variables}
        arrays = uses_arrays(function)
        self.text = PythonText(self._name, self._function, arrays)
        self.count = 0  # of statements so far

    # ------------------------------------------------------------ names

    def _name(self, name: Name) -> str:
        if str(name[0]) not in self.locals:
            assert self.outer_name is not None, f"{name} is unknown in {self.function.name}"
            return self.outer_name(name)
        code = local_code(str(name[0]))
        for part in name[1:]:
            code = f"field({code}, {part!r})" if isinstance(part, str) else f"{code}[{part - 1}]"
        return code

    def _function(self, name: ClassName) -> str:
        """A function that came as an input is called by its local name."""
        if len(name) == 1 and name[0] in self.locals:
            return local_code(name[0])
        return self.outer_function(name)

    # ------------------------------------------------------------ the frame

    def write(self) -> Lines:
        inputs = self.function.inputs()
        code = self.outer_function(self.function.name)
        lines = [f"def {code}({', '.join(local_code(v.name) for v in inputs)}):"]
        lines += [f"    {line}" for v in inputs for line in _converted(v)]
        lines += [f"    {line}" for line in self._declarations()]
        if self.function.external is not None:
            lines += [f"    {line}" for line in self._external()]
        else:
            lines += [f"    {line}" for line in self._block(self.function.body)]
        lines.append(f"    {self._returned()}")
        names = "".join(f"{v.name!r}, " for v in inputs)
        lines.append(f"{code}.inputs = ({names})")
        return lines

    def _returned(self) -> str:
        outputs = "".join(f"{local_code(v.name)}, " for v in self.function.outputs())
        return f"return ({outputs.rstrip()})"

    def _declarations(self) -> Lines:
        others = [v for v in self.function.variables if v.role != "input"]
        lines: Lines = []
        for variable in by_dependence(others):
            first = self._first_content(variable)
            if first is not None:
                lines.append(f"{local_code(variable.name)} = {first}")
        return lines

    def _first_content(self, variable: FunctionVariable) -> str | None:
        """Arrays and records need a place to be filled; scalars wait for their assignment."""
        if variable.default is not None:
            return self._copied(self.text.of(variable.default), variable)
        sizes = [size for size in variable.dims if size is not None]
        if len(sizes) < len(variable.dims):
            return None
        dims = "".join(f"{self.text.of(size)}, " for size in sizes)
        if sizes or isinstance(variable.type.scalar, RecordType):
            return f"blank(({dims}), {_blank(variable.type)})"
        return None

    def _copied(self, text: str, variable: FunctionVariable) -> str:
        if rank(variable) and variable.type.scalar == REAL:
            return f"real_array({text})"  # of Integers it would cut later elements short
        if variable.type.scalar == STRING and not rank(variable):
            return f"bounded({text})"
        is_container = rank(variable) or isinstance(variable.type.scalar, RecordType)
        return f"fresh({text})" if is_container else text

    # ------------------------------------------------------------ statements

    def _block(self, body: tuple[Statement, ...]) -> Lines:
        lines: Lines = []
        for statement in body:
            number, self.count = self.count, self.count + 1
            own = _STATEMENTS[type(statement)](self, statement)
            lines += [line if MARK.search(line) else f"{line}  # {number}" for line in own]
        return lines or ["pass"]

    def _indented(self, body: tuple[Statement, ...]) -> Lines:
        return [f"    {line}" for line in self._block(body)]

    def store(self, target: Expr, value: str) -> str:
        if isinstance(target, Var) and len(target.name) == 1:
            variable = self.locals[str(target.name[0])]
            return f"{self._name(target.name)} = {self._copied(value, variable)}"
        if isinstance(target, Var):
            *front, last = target.name
            base = self._name(tuple(front))
            step = repr(last) if isinstance(last, str) else str(last - 1)
            return f"{base}[{step}] = fresh({value})"
        base = self.text.of(target.args[0])
        if isinstance(target, Field):
            return f"set_field({base}, {target.data!r}, {value})"
        assert isinstance(target, Index)
        subscripts = ", ".join(
            "ALL" if isinstance(part, Colon) else self.text.of(part) for part in target.args[1:]
        )
        return f"put({base}, {value}, {subscripts})"

    def assign(self, statement: Any) -> Lines:
        return [self.store(statement.target, self.text.of(statement.value))]

    def tuple_assign(self, statement: Any) -> Lines:
        whole = self.text.of(statement.call).removesuffix("[0]")
        lines = [f"results = {whole}"]
        for number, target in enumerate(statement.targets):
            if target is not None:
                lines.append(self.store(target, f"results[{number}]"))
        return lines

    def if_(self, statement: Any) -> Lines:
        lines: Lines = []
        word = "if"
        for condition, body in statement.branches:
            lines += [f"{word} {self.text.of(condition)}:", *self._indented(body)]
            word = "elif"
        if statement.otherwise:
            lines += ["else:", *self._indented(statement.otherwise)]
        return lines

    def for_(self, statement: Any) -> Lines:
        values = statement.values
        if isinstance(values, Range):
            source = f"steps({', '.join(self.text.of(arg) for arg in values.args)})"
        else:
            source = self.text.of(values)
        return [
            f"for {iterator_code(statement.index)} in {source}:",
            *self._indented(statement.body),
        ]

    def while_(self, statement: Any) -> Lines:
        """Counted, so that a loop without end is an error and not a hang."""
        return [
            f"for _ in turns({'.'.join(self.function.name)!r}):",
            f"    if not ({self.text.of(statement.condition)}):",
            "        break",
            *self._indented(statement.body),
        ]

    def break_(self, statement: Any) -> Lines:
        return ["break"]

    def return_(self, statement: Any) -> Lines:
        return [self._returned()]

    def effect(self, statement: Any) -> Lines:
        action = statement.action
        name = ".".join(self.function.name)
        if isinstance(action, Assert):
            if action.is_warning:
                return ["pass"]
            condition, message = self.text.of(action.condition), self.text.of(action.message)
            return [f"if not ({condition}):", f"    fail({name!r}, {message})"]
        if isinstance(action, Terminate):
            return [f"fail({name!r}, {self.text.of(action.message)})"]
        assert isinstance(action, CallEquation), "only calls and assertions are effects"
        return [self.text.of(action.call).removesuffix("[0]")]

    # ------------------------------------------------------------ external functions

    def _external(self) -> Lines:
        external = self.function.external
        assert external is not None
        if external.language.startswith("FORTRAN"):
            return self._lapack(external)
        outputs = {v.name for v in self.function.outputs()}
        targets = [] if external.result is None else [external.result]
        inputs: list[Expr] = []
        for arg in external.args:
            is_output = isinstance(arg, Var) and arg.name[0] in outputs
            (targets if is_output else inputs).append(arg)
        args = "".join(f", {self.text.of(arg)}" for arg in inputs)
        name = ".".join(self.function.name)
        kinds = kinds_of(self.function, targets)
        lines = [f"results = external({name!r}, {external.name!r}, {kinds!r}{args})"]
        return lines + [self.store(t, f"results[{i}]") for i, t in enumerate(targets)]

    def _lapack(self, external: External) -> Lines:
        """A FORTRAN routine: what it changed comes back by position."""
        texts = ["None" if self._is_unset(arg) else self.text.of(arg) for arg in external.args]
        args = "".join(f", {text}" for text in texts)
        name = ".".join(self.function.name)
        lines = [f"results = lapack({name!r}, {external.name!r}{args})"]
        targets = [(-1, external.result), *enumerate(external.args)]
        for position, target in targets:
            if isinstance(target, Var) and self.locals[str(target.name[0])].role != "input":
                lines.append(f"if {position} in results:")
                lines.append(f"    {self.store(target, f'results[{position}]')}")
        return lines

    def _is_unset(self, arg: Expr) -> bool:
        """A scalar without a first value: it only receives one."""
        if not isinstance(arg, Var):
            return False
        variable = self.locals[str(arg.name[0])]
        return variable.role != "input" and variable.default is None and not rank(variable)


def _converted(variable: FunctionVariable) -> Lines:
    """Numbers of a simulation's memory are floats."""
    code = local_code(variable.name)
    scalar = variable.type.scalar
    if isinstance(scalar, EnumType) or scalar == INTEGER:
        kind = "int"
    elif scalar == BOOLEAN:
        kind = "bool"
    else:
        return []
    return [f"{code} = {code}.astype({kind})" if rank(variable) else f"{code} = {kind}({code})"]


def _blank(kind: Type) -> str:
    """A fresh element of a type, as text of a function without arguments."""
    scalar = kind.scalar
    if isinstance(scalar, RecordType):
        fields = ", ".join(
            f"{name!r}: blank({tuple(size or 0 for size in inner.dims)!r}, {_blank(inner)})"
            for name, inner in scalar.fields
        )
        return f"lambda: {{{fields}}}"
    zeros: dict[object, str] = {REAL: "0.0", BOOLEAN: "False", STRING: '""'}
    zero = zeros.get(scalar, "0")
    return f"lambda: {zero}"


_STATEMENTS: dict[type, Callable[[_Writer, Any], Lines]] = {
    Assign: _Writer.assign,
    TupleAssign: _Writer.tuple_assign,
    IfStatement: _Writer.if_,
    ForStatement: _Writer.for_,
    WhileStatement: _Writer.while_,
    Break: _Writer.break_,
    Return: _Writer.return_,
    Effect: _Writer.effect,
}
