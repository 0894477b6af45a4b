"""Arrays whose size only a run determines, inside something scalar: it becomes a function and its call.

    y := 1 + sum(a[1:k])    with a variable k    ->    y = 1 + late1(a, k)

Formulas over scalars cannot say how many elements `a[1:k]` has; functions can. In: an expression that
cannot be taken apart for that reason. Out: the same with calls of new functions, or None where an array
itself is asked for. Modelica 3.6, "Slice Operation": subscripts are expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.base.source import Span
from freewheel.formula.nodes import (
    Array,
    Binary,
    Call,
    Colon,
    Expr,
    Index,
    Iterator,
    Range,
    Reduction,
    Var,
)
from freewheel.formula.scalar_type import type_of
from freewheel.formula.statement_nodes import Assign, Function, FunctionVariable
from freewheel.formula.types import REAL, Scalar, Type
from freewheel.structure.scalarize.algorithm_functions import FunctionMaker

if TYPE_CHECKING:
    from freewheel.structure.scalarize.equations import Expander

UNKNOWN_SIZE = "N912"
_RESULT = "late_result"


def with_late_calls(expander: Expander, expr: Expr, span: Span) -> Expr | None:
    if _can_be_taken_apart(expander, expr):
        return expr
    parts = [with_late_calls(expander, arg, span) for arg in expr.args]
    known = [part for part in parts if part is not None]
    if len(known) == len(expr.args):
        rebuilt = expr.with_args(tuple(known))
        if _can_be_taken_apart(expander, rebuilt):
            return rebuilt
    return _as_call(expander, expr, span) if _is_scalar(expander, expr) else None


def _can_be_taken_apart(expander: Expander, expr: Expr) -> bool:
    met = list(expander.scalarizer.met)
    try:
        expander.scalarizer.scalars(expr)
    except CompileError as problem:
        if problem.diagnostics[0].code != UNKNOWN_SIZE:
            raise
        return False
    finally:
        expander.scalarizer.met = met
    return True


def _is_scalar(expander: Expander, expr: Expr) -> bool:
    """What makes a scalar of arrays: sums and the like, scalar products, functions."""
    if isinstance(expr, Reduction) or (isinstance(expr, Binary) and expr.op == "*"):
        return True
    if not isinstance(expr, Call):
        return False
    if isinstance(expr.function, str):
        return expr.function in ("sum", "product", "min", "max", "scalar", "size")
    function = expander.functions.get(expr.function)
    return function is not None and not function.outputs()[0].type.dims


def _as_call(expander: Expander, expr: Expr, span: Span) -> Expr:
    maker = FunctionMaker(expander, span)
    result = Var((_RESULT,))
    body = Assign(result, maker.expr(_as_loop(expr)), span)
    kind = type_of(expr, lambda name: _type(expander, name), expander.functions.get)
    count = sum(name[:-1] == expander.name for name in expander.functions)
    function = Function(
        name=(*expander.name, f"late{count + 1}"),
        variables=(
            *maker.inputs(),
            *maker.outputs(),
            FunctionVariable(_RESULT, Type(kind), (), role="output"),
        ),
        body=(*maker.beginnings(), body),
        span=span,
    )
    expander.functions[function.name] = function
    return Call(function.name, *(maker.argument(name) for name in maker.read_names()))


def _as_loop(expr: Expr) -> Expr:
    """`sum(a[1:k])` as `sum(a[i] for i in 1:k)`: machine code can run loops, but not make arrays."""
    if not isinstance(expr, Call) or expr.function not in ("sum", "product", "min", "max"):
        return expr
    (part, *others) = expr.args
    if others or not isinstance(part, Index):
        return expr
    base, *subscripts = part.args
    ranges = [s for s in subscripts if isinstance(s, Range)]
    if len(ranges) != 1 or any(isinstance(s, Array | Colon) for s in subscripts):
        return expr
    at = Iterator("late_i")
    picked = Index(base, *(at if s is ranges[0] else s for s in subscripts))
    return Reduction(str(expr.function), ("late_i",), picked, ranges[0])


def _type(expander: Expander, name: Name) -> Scalar:
    dims = expander.dims_of(name)
    variable = expander.variables.get((*name, *(1 for _ in dims)))
    return REAL if variable is None else variable.type
