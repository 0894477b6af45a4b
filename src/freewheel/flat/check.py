"""What holds when a model leaves this room.

In: a flat model. Out: nothing, or an `AssertionError`: a breach is our own mistake, not the
modeller's.

- Names are unique, records and connectors are gone, every type that is named is known.
- Every variable in an expression is declared, with subscripts inside its dimensions; every
  iterator has a loop around it; every function that is called is there.
- Questions about connections and streams have been answered.
- Both sides of an equation, a binding and its variable have the same dimensions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from freewheel.base.names import TIME, Name, show
from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    FlatModel,
    ForEquation,
    IfEquation,
    Variability,
    Variable,
    WhenEquation,
)
from freewheel.flat.reached import PREDEFINED, parts_of
from freewheel.flat.sizes import Sizes
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.nodes import (
    Call,
    Expr,
    FunctionRef,
    Index,
    Literal,
    PartialFunction,
    Var,
)
from freewheel.formula.statement_nodes import ForStatement
from freewheel.formula.types import EnumType, RecordType
from freewheel.formula.walk import free_iterators, nodes_of

ANSWERED = ("inStream", "actualStream", "cardinality", "isRoot", "rooted")


def check(model: FlatModel) -> None:
    """Raise `AssertionError` where the model breaks a promise of this room."""
    names = [variable.name for variable in model.variables]
    assert len(set(names)) == len(names), "two variables of one name"
    for variable in model.variables:
        _variable(variable)
    checker = _Checker(model)
    checker.expressions()
    checker.shapes()


def _variable(variable: Variable) -> None:
    assert not isinstance(variable.type, RecordType), f"{show(variable.name)} is a record"
    assert all(size >= 0 for size in variable.dims), variable
    if variable.variability is Variability.CONSTANT:
        assert variable.binding is not None, f"constant {show(variable.name)} has no value"


class _Checker:
    def __init__(self, model: FlatModel) -> None:
        self._model = model
        self._dims = {variable.name: variable.dims for variable in model.variables}
        self._functions = {function.name for function in model.functions}
        self._enumerations = {kind.name: kind for kind in model.enumerations}
        self._sizes = Sizes(model)

    # ------------------------------------------------------------ expressions

    def expressions(self) -> None:
        model = self._model
        code = (
            model.equations,
            model.initial_equations,
            model.algorithms,
            model.initial_algorithms,
        )
        for part in parts_of(model.variables):
            self._part(part, frozenset())
        for bound, expr in _with_loops(code):
            self._part(expr, bound)

    def _part(self, part: object, bound: frozenset[str]) -> None:
        if isinstance(part, EnumType):
            assert part.name in self._enumerations or part.name in PREDEFINED, part.name
        if not isinstance(part, Expr):
            return
        free = set(free_iterators(part)) - bound
        assert not free, f"iterators {free} outside their loops"
        for node in nodes_of(part):
            self._node(node)

    def _node(self, node: Expr) -> None:
        if isinstance(node, Var):
            self._declared(node.name)
        elif isinstance(node, Literal):
            assert node.data[0] in self._enumerations or node.data[0] in PREDEFINED, node
        elif isinstance(node, FunctionRef):
            assert node.data in self._functions, node
        elif isinstance(node, PartialFunction):
            assert node.data[0] in self._functions, node
        elif isinstance(node, Call):
            assert node.function not in ANSWERED, node
            assert isinstance(node.function, str) or node.function in self._functions, node
        elif isinstance(node, Index):
            assert len(node.args) > 1, node

    def _declared(self, name: Name) -> None:
        if name == TIME:
            return
        end = len(name)
        while end > 0 and name[:end] not in self._dims:
            assert isinstance(name[end - 1], int), f"{show(name)} is not declared"
            end -= 1
        assert end > 0, f"{show(name)} is not declared"
        for number, size in zip(name[end:], self._dims[name[:end]], strict=False):
            assert isinstance(number, int)
            assert 1 <= number <= size, f"{show(name)} is outside of its array"

    # ------------------------------------------------------------ dimensions

    def shapes(self) -> None:
        for variable in self._model.variables:
            if variable.binding is not None:
                self._same(Var(variable.name), variable.binding)
        for equation in _plain((*self._model.equations, *self._model.initial_equations)):
            self._same(equation.left, equation.right)

    def _same(self, left: Expr, right: Expr) -> None:
        try:
            one, other = self._sizes.dims(left), self._sizes.dims(right)
        except NotConstant:
            return  # a size inside a loop, or told only by running a function
        if 0 not in one or 0 not in other:
            assert one == other, f"{left} has dimensions {one}, {right} has {other}"


def _plain(equations: Iterable[AnyEquation]) -> Iterator[Equation]:
    """Every `left = right`, also inside branches; not inside loops, where sizes depend on turns."""
    for equation in equations:
        if isinstance(equation, Equation):
            yield equation
        elif isinstance(equation, IfEquation):
            yield from _plain(e for _, body in equation.branches for e in body)
            yield from _plain(equation.otherwise)
        elif isinstance(equation, WhenEquation):
            yield from _plain(e for _, body in equation.branches for e in body)


def _with_loops(code: Any) -> Iterator[tuple[frozenset[str], Expr]]:
    """Every expression, together with the loop indices around it."""
    waiting: list[tuple[frozenset[str], Any]] = [(frozenset(), code)]
    while waiting:
        bound, node = waiting.pop()
        if isinstance(node, ForEquation | ForStatement):
            waiting.append((bound, node.values))
            waiting.append((bound | {node.index}, node.body))
        elif isinstance(node, tuple):
            waiting.extend((bound, item) for item in node)
        elif isinstance(node, Expr):
            yield bound, node
        elif hasattr(node, "__dataclass_fields__"):
            names = [name for name in node.__dataclass_fields__ if name not in ("span", "origin")]
            waiting.extend((bound, getattr(node, name)) for name in names)
