"""An algorithm section as a function: what it reads goes in, what it assigns comes out.

Used where the section cannot be written as formulas (while, break, very long loops), or for its loops one
by one where when-clauses and actions stand beside them. Relations inside make no events then.

    while n < x loop n := n + 1; end while   ->   n = call(x)   with a new function
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from freewheel.base.names import Name
from freewheel.base.source import Span
from freewheel.flat.nodes import Algorithm, Variability
from freewheel.formula.nodes import TIME, Array, Call, Expr, Integer, Output, Var
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    Effect,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Return,
    Statement,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import BOOLEAN, REAL, Type
from freewheel.formula.walk import bind_iterators, map_bottom_up, replace
from freewheel.structure.atoms import INITIAL, PRE, pre_of
from freewheel.structure.clocks.operators import CONVERSIONS, INSIDE
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.scalarize.diagnostics import when_in_unknown_loop

if TYPE_CHECKING:
    from freewheel.structure.scalarize.equations import Expander

ASKED = "$asked"


def as_call(expander: Expander, algorithm: Algorithm, number: int) -> list[ScalarEquation]:
    """Make the function, remember it, and give one equation per assigned variable."""
    maker = FunctionMaker(expander, algorithm.span)
    call = maker.call(algorithm.statements, f"algorithm{number}", maker.argument)
    result: list[ScalarEquation] = []
    for k, name in enumerate(maker.targets, start=1):
        for part in expander.plain(Var(name), Output(k, call), algorithm.span, algorithm.origin):
            assert isinstance(part.left, Var)
            result.append(
                ScalarEquation(part.left, part.right, part.span, part.origin, target=part.left)
            )
    return result


def loop_as_call(
    expander: Expander,
    loop: Statement,
    label: str,
    iterators: Mapping[str, Expr],
    argument: Callable[[Name], Expr],
) -> tuple[Call, list[Name]]:
    """One statement as a function, among others that are none: its call, and what the call gives."""
    maker = FunctionMaker(expander, loop.span, iterators, is_part=True)

    def value(name: Name) -> Expr:
        return argument(name) if name in expander.dims else maker.argument(name)

    call = maker.call((loop,), label, value)
    return call, list(maker.targets)


class FunctionMaker:
    """Names of the model become names of a function, with the variables it needs."""

    def __init__(
        self,
        expander: Expander,
        span: Span,
        iterators: Mapping[str, Expr] = MappingProxyType({}),
        is_part: bool = False,
    ) -> None:
        self.expander = expander
        self.span = span
        self.iterators = iterators  # of the loops around
        self.is_part = is_part  # of a section: it may assert
        self.local: dict[Name, str] = {}  # model name -> name inside the function
        self.targets: dict[Name, None] = {}
        self.asked: dict[Name, Call] = {}  # hidden names of what clocks give

    def call(
        self, statements: Sequence[Statement], label: str, argument: Callable[[Name], Expr]
    ) -> Call:
        """The call of a new function that runs the statements."""
        body = self.block(statements)
        function = Function(
            name=(*self.expander.name, label),
            variables=(*self.inputs(), *self.outputs()),
            body=(*self.beginnings(), *body),
            span=self.span,
        )
        self.expander.functions[function.name] = function
        return Call(function.name, *(argument(name) for name in self.read_names()))

    def name_of(self, name: Name) -> str:
        if name not in self.local:
            self.local[name] = f"v{len(self.local) + 1}"
        return self.local[name]

    def expr(self, expr: Expr) -> Expr:
        """Names of the model become names of the function; `pre(x)` is one more of its inputs."""

        def visit(node: Expr) -> Expr:
            if isinstance(node, Var) and self.is_of_model(node.name):
                return Var((self.name_of(node.name),))
            return node

        bound = bind_iterators(expr, self.iterators) if self.iterators else expr
        rewritten = self.expander.operators.rewrite(bound, self.span)
        return map_bottom_up(replace(rewritten, self.clocked), visit)

    def clocked(self, node: Expr) -> Expr | None:
        """What clock operators give is one more input too."""
        if not isinstance(node, Call) or node.function not in CONVERSIONS | INSIDE:
            return None
        name = next((n for n, call in self.asked.items() if call is node), None)
        if name is None:
            name = (ASKED, len(self.asked) + 1)
            self.asked[name] = node
        return Var(name)

    def is_of_model(self, name: Name) -> bool:
        given = (INITIAL.name, TIME.name)
        return name in self.expander.dims or name[0] in (PRE, ASKED) or name in given

    def target(self, expr: Expr) -> Expr:
        base = expr
        while not isinstance(base, Var):
            base = base.args[0]
        self.targets[base.name] = None
        return self.expr(expr)

    def statement(self, statement: Statement) -> Statement:
        match statement:
            case Assign():
                return Assign(self.target(statement.target), self.expr(statement.value))
            case TupleAssign():
                targets = tuple(None if t is None else self.target(t) for t in statement.targets)
                return TupleAssign(targets, self.expr(statement.call))
            case IfStatement():
                branches = tuple((self.expr(c), self.block(b)) for c, b in statement.branches)
                return IfStatement(branches, self.block(statement.otherwise))
            case ForStatement():
                return self.loop(statement)
            case WhileStatement():
                return WhileStatement(self.expr(statement.condition), self.block(statement.body))
            case Break() | Return():
                return statement
            case Effect(Assert(condition, message, is_warning, span)) if self.is_part:
                check = Assert(self.expr(condition), self.expr(message), is_warning, span)
                return Effect(check, statement.span)
            case WhenStatement() | Effect():
                raise when_in_unknown_loop(statement.span)

    def loop(self, statement: ForStatement) -> Statement:
        values = self.expr(statement.values)
        around = self.iterators
        self.iterators = {n: value for n, value in around.items() if n != statement.index}
        body = self.block(statement.body)
        self.iterators = around
        return ForStatement(statement.index, values, body)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple(self.statement(s) for s in statements)

    # ------------------------------------------------------------ interface of the function

    def read_names(self) -> list[Name]:
        """Everything mentioned; a target goes in with the value it begins with."""
        return list(self.local)

    def argument(self, name: Name) -> Expr:
        if name in self.asked:
            return self.asked[name]
        if name not in self.targets:
            return TIME if name == TIME.name else Var(name)
        dims = self.expander.dims_of(name)
        return self._first(name, dims)

    def _first(self, name: Name, dims: tuple[int, ...]) -> Expr:
        if dims:
            return Array(*(self._first((*name, i), dims[1:]) for i in range(1, dims[0] + 1)))
        variable = self.expander.variables[name]
        if variable.variability == Variability.DISCRETE:
            return pre_of(Var(name))
        return variable.start if variable.start is not None else Integer(0)

    def inputs(self) -> list[FunctionVariable]:
        return [self._variable(name, f"{self.local[name]}_in", "input") for name in self.local]

    def outputs(self) -> list[FunctionVariable]:
        return [self._variable(name, self.local[name], "output") for name in self.targets] + [
            self._variable(name, self.local[name], "local")
            for name in self.local
            if name not in self.targets
        ]

    def beginnings(self) -> list[Statement]:
        return [Assign(Var((local,)), Var((f"{local}_in",))) for local in self.local.values()]

    def _variable(self, name: Name, local: str, role: str) -> FunctionVariable:
        if name in self.asked:
            return self._asked(name, local, role)
        if name == TIME.name:
            return FunctionVariable(local, Type(REAL), (), role=role)
        dims = self.expander.dims_of(name)
        base = name[1:] if name[0] == PRE else name
        first = self.expander.variables.get((*base, *(1 for _ in dims)))
        kind = BOOLEAN if first is None else first.type  # `initial()` has no variable
        sizes = tuple(Integer(size) for size in dims)
        return FunctionVariable(local, Type(kind, dims), sizes, role=role)

    def _asked(self, name: Name, local: str, role: str) -> FunctionVariable:
        call = self.asked[name]
        if call.function == "interval":
            return FunctionVariable(local, Type(REAL), (), role=role)
        if call.function == "firstTick":
            return FunctionVariable(local, Type(BOOLEAN), (), role=role)
        signal = call.args[0]
        if isinstance(signal, Var) and signal.name in self.expander.dims:
            return self._variable(signal.name, local, role)
        return FunctionVariable(local, Type(REAL), (), role=role)
