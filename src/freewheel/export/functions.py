"""Functions of the model, written in place: statements of their bodies before the statement that calls.

    y := 2*f(x)        ->        v1x := x; v1y := ...; y := 2*v1y

Every target that has loops gets them this way, and none needs functions of its own. Scalars only: a function
with arrays, records, texts or an external body stays a reason to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from freewheel.base.names import ClassName
from freewheel.export.hoist import hoist_one
from freewheel.export.nodes import (
    Choose,
    Leave,
    Linear,
    Repeat,
    Run,
    Set,
    Statement,
    local,
)
from freewheel.export.supported import refuse
from freewheel.formula import statement_nodes as source
from freewheel.formula.interpret import by_dependence
from freewheel.formula.nodes import (
    TRUE,
    ZERO,
    Array,
    Binary,
    Call,
    Expr,
    Integer,
    Iterator,
    Output,
    Range,
    Real,
    Unary,
    Var,
)
from freewheel.formula.statement_nodes import Assert, Function
from freewheel.formula.types import Basic, EnumType
from freewheel.formula.walk import contains, replace

MOST_TURNS = 1_000_000
DEEPEST = 20  # calls inside calls; deeper ones call themselves
ENDLESS = "a loop in a function does not end"


def expand_functions(
    statements: Sequence[Statement], functions: Sequence[Function], model: str, kind: str, mark: str
) -> tuple[Statement, ...]:
    """`mark` makes the names of locals unique among routines."""
    known = {function.name: function for function in functions}
    return tuple(_Expansion(known, model, kind, mark).all(statements))


def is_call(node: Expr) -> bool:
    """Of a function of the model, or of what such a call has given."""
    if isinstance(node, Call):
        return not isinstance(node.function, str)
    return isinstance(node, Output) or (isinstance(node, Var) and node.name[0] == "tuple")


class _Expansion:
    def __init__(
        self, functions: Mapping[ClassName, Function], model: str, kind: str, mark: str
    ) -> None:
        self.functions, self.model, self.kind, self.mark = functions, model, kind, mark
        self.count = 0
        self.depth = 0
        self.results: dict[Expr, tuple[Var, ...]] = {}  # of calls with several outputs

    def refuse(self, name: ClassName, why: str) -> Exception:
        return refuse(
            "G013",
            f"{self.model}: the function `{'.'.join(name)}` {why}, which `{self.kind}` cannot express",
            "let it be written in place with `annotation(Inline = true)`, or write its formula there",
        )

    # ------------------------------------------------------------ statements of the model

    def all(self, statements: Iterable[Statement]) -> list[Statement]:
        return [one for statement in statements for one in self.one(statement)]

    def one(self, statement: Statement) -> list[Statement]:
        match statement:
            case Repeat():
                return [Repeat(statement.limit, tuple(self.all(statement.body)), statement.failure)]
            case Run():
                return [statement]
            case Set() | Leave() | Linear():
                if not any(contains(e, is_call) for e in _formulas(statement)):
                    return [statement]
                # Choices first, so that a function is only evaluated in the branch that calls it.
                found: list[Statement] = []
                for part in hoist_one(statement, f"g{self.mark}{self.count}_"):
                    found += self.lifted(part)
                return found
            case Choose():
                return self.lifted(statement)

    def lifted(self, statement: Statement) -> list[Statement]:
        before: list[Statement] = []

        def lift(expr: Expr) -> Expr:
            return self.lift(expr, before)

        match statement:
            case Set():
                if statement.target.name[0] == "tuple":
                    self.results[statement.target] = self.call(statement.value, before)
                    return before
                value = lift(statement.value)
                return [*before, Set(statement.target, value, statement.origin)]
            case Leave():
                condition = lift(statement.condition)
                return [*before, Leave(condition)]
            case Linear():
                matrix = tuple((r, c, lift(e)) for r, c, e in statement.matrix)
                right = tuple(map(lift, statement.right))
                return [*before, Linear(statement.targets, matrix, right)]
            case Choose():
                branches = tuple((lift(c), tuple(self.all(b))) for c, b in statement.branches)
                return [*before, Choose(branches, tuple(self.all(statement.otherwise)))]
            case Repeat() | Run():
                return self.one(statement)

    def lift(self, expr: Expr, before: list[Statement]) -> Expr:
        """The expression without calls; their statements are added to `before`."""
        if not contains(expr, is_call):
            return expr
        if expr in self.results:
            return self.results[expr][0]
        if isinstance(expr, Output):
            outputs = self.results.get(expr.args[0]) or self.call(expr.args[0], before)
            return outputs[expr.data - 1]
        if isinstance(expr, Call) and not isinstance(expr.function, str):
            return self.call(expr, before)[0]
        return expr.with_args(tuple(self.lift(part, before) for part in expr.args))

    # ------------------------------------------------------------ one call

    def call(self, expr: Expr, before: list[Statement]) -> tuple[Var, ...]:
        """Statements of a call; where its outputs are."""
        assert isinstance(expr, Call)
        name = expr.function
        function = self.functions.get(name) if isinstance(name, tuple) else None
        if function is None or function.external is not None or not function.body:
            raise self.refuse(tuple(name), "is external")
        arguments = [self.lift(argument, before) for argument in expr.args]
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.refuse(function.name, "calls itself")
        self.count += 1
        body = _Body(self, function, f"v{self.mark}{self.count}")
        before += body.begin(arguments)
        before += body.all(function.body)
        self.depth -= 1
        return tuple(body.own(variable.name) for variable in function.outputs())


class _Body:
    """The statements of one call, with names of their own."""

    def __init__(self, work: _Expansion, function: Function, prefix: str) -> None:
        self.work, self.function, self.prefix = work, function, prefix
        self.names: dict[Expr, Expr] = {}
        for variable in function.variables:
            is_plain = isinstance(variable.type.scalar, Basic | EnumType)
            if (
                variable.dims
                or variable.type.dims
                or not is_plain
                or _is_text(variable.type.scalar)
            ):
                raise work.refuse(function.name, "works on arrays, records or texts")
            self.names[Var((variable.name,))] = self.own(variable.name)

    def own(self, name: str) -> Var:
        return local(self.prefix + re.sub(r"\W", "_", name, flags=re.ASCII))

    def plain(self, expr: Expr) -> Expr:
        def renamed(node: Expr) -> Expr | None:
            if isinstance(node, Iterator):
                return self.own(f"i_{node.data}")
            return self.names.get(node)

        return replace(expr, renamed, {})

    def begin(self, arguments: Sequence[Expr]) -> list[Statement]:
        inputs = self.function.inputs()
        found: list[Statement] = [
            Set(self.own(variable.name), argument)
            for variable, argument in zip(inputs, arguments, strict=True)
        ]
        for variable in by_dependence(list(self.function.variables)):
            if variable.role != "input":
                default = ZERO if variable.default is None else self.plain(variable.default)
                found += self.work.one(Set(self.own(variable.name), default))
        return found

    def all(self, statements: Sequence[source.Statement]) -> list[Statement]:
        found: list[Statement] = []
        for number, statement in enumerate(statements):
            is_last = number == len(statements) - 1 and statements is self.function.body
            if isinstance(statement, source.Return) and is_last:
                break
            found += self.one(statement)
        return found

    def one(self, statement: source.Statement) -> list[Statement]:
        match statement:
            case source.Assign(target=Var() as target):
                return self.work.one(Set(self._target(target), self.plain(statement.value)))
            case source.TupleAssign():
                return self._tuple(statement)
            case source.IfStatement():
                branches = tuple((self.plain(c), tuple(self.all(b))) for c, b in statement.branches)
                chosen = Choose(branches, tuple(self.all(statement.otherwise)))
                return self.work.lifted(chosen)
            case source.ForStatement():
                return self._for(statement)
            case source.WhileStatement():
                stop = self.work.one(Leave(Unary("not", self.plain(statement.condition))))
                body = (*stop, *self.all(statement.body))
                return [Repeat(MOST_TURNS, body, ENDLESS)]
            case source.Break():
                return [Leave(TRUE)]
            case source.Effect(action=Assert()):
                return []
        raise self.work.refuse(self.function.name, "does more than assign")

    def _target(self, target: Expr) -> Var:
        found = self.names.get(target)
        if not isinstance(found, Var):
            raise self.work.refuse(self.function.name, "assigns parts of arrays")
        return found

    def _tuple(self, statement: source.TupleAssign) -> list[Statement]:
        before: list[Statement] = []
        outputs = self.work.call(self.plain(statement.call), before)
        for target, value in zip(statement.targets, outputs, strict=False):
            if target is not None:
                before.append(Set(self._target(target), value))
        return before

    def _for(self, statement: source.ForStatement) -> list[Statement]:
        index = self.own(f"i_{statement.index}")
        values = self.plain(statement.values)
        if isinstance(values, Array):  # a list of values: one turn after the other
            return [
                one
                for value in values.args
                for one in (Set(index, value), *self.all(statement.body))
            ]
        step = values.args[1] if isinstance(values, Range) else None
        if not isinstance(step, Integer | Real):
            raise self.work.refuse(self.function.name, "loops over what is known only when it runs")
        first, _, last = values.args
        is_over = Binary(">" if step.value > 0 else "<", index, last)
        body = (Leave(is_over), *self.all(statement.body), Set(index, Binary("+", index, step)))
        return [
            *self.work.one(Set(index, first)),
            *self.work.one(Repeat(MOST_TURNS, body, ENDLESS)),
        ]


def _is_text(kind: object) -> bool:
    return isinstance(kind, Basic) and kind.name not in ("Real", "Integer", "Boolean")


def _formulas(statement: Set | Leave | Linear) -> list[Expr]:
    match statement:
        case Set():
            return [statement.target, statement.value]
        case Leave():
            return [statement.condition]
        case Linear():
            return [*(entry for _, _, entry in statement.matrix), *statement.right]
