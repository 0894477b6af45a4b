"""Take array expressions apart: in comes a formula over arrays, out come formulas over scalars.

    scalarize(Binary("+", Var(("x",)), Var(("y",))), dims)   with dims (2,) gives
    (Binary("+", Var(("x", 1)), Var(("y", 1))), Binary("+", Var(("x", 2)), Var(("y", 2))))

The result is one scalar formula, or nested tuples of them. A call of a function of the model stays
one call: its elements are `Index(call, ...)`, its record fields `Field(..., call)`, later outputs
`Output(k, call)`; whoever runs them evaluates the shared call once. Arguments of such calls are
arrays of scalars. A record is a `Record` node over scalars (and `Array` nodes for array fields).
Functions marked `Inline` whose body is one formula are put in the place of their calls, unless they
declare a derivative, which must be found at the call.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as cartesian
from math import prod
from typing import Any

from freewheel.base.diagnostics import CompileError
from freewheel.base.limits import check_size
from freewheel.base.names import ClassName
from freewheel.formula import build
from freewheel.formula.evaluate import Lookup, iteration_values, no_variables, subscript_number
from freewheel.formula.faults import (
    NotConstant,
    show_dims,
    size_unknown,
    subscript_outside,
    wrong_shape,
)
from freewheel.formula.inline import inline_call
from freewheel.formula.nodes import (
    RELATIONS,
    ZERO,
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
    Output,
    Range,
    Real,
    Record,
    Reduction,
    Unary,
    Var,
)
from freewheel.formula.scalarize_branches import choice, prepare_if, prepare_logical
from freewheel.formula.scalarize_calls import BUILTIN, elementwise_call, piece, product, whole
from freewheel.formula.scalarize_subscripts import index_parts
from freewheel.formula.shape import (
    Dimensions,
    DimsLookup,
    FunctionLookup,
    Shapes,
    extra_dims,
    rank,
    result_type,
    unknown_functions,
)
from freewheel.formula.subscript_checks import SubscriptCheck, of_children
from freewheel.formula.types import RecordType, Type
from freewheel.formula.values import ArrayValue, Value, stack, to_expr
from freewheel.formula.walk import bind_iterators, fold, iterator_names, replace

Scalars = Expr | tuple[Any, ...]
# While taking apart: a scalar formula, or an array of scalar formulas.
Parts = Expr | ArrayValue


def scalarize(
    expr: Expr,
    dims: DimsLookup,
    functions: FunctionLookup = unknown_functions,
    values: Lookup = no_variables,
) -> Scalars:
    """The scalar formula, or nested tuples of scalar formulas, that `expr` stands for.

    `values` is asked for parameters that decide sizes and ranges, and for nothing else.
    """
    return nested(_parts(expr, dims, functions, values))


def scalars_of(
    expr: Expr,
    dims: DimsLookup,
    functions: FunctionLookup = unknown_functions,
    values: Lookup = no_variables,
) -> list[Expr]:
    """All scalars in row-major order, records field by field."""
    return flat_scalars(_parts(expr, dims, functions, values))


def _parts(expr: Expr, dims: DimsLookup, functions: FunctionLookup, values: Lookup) -> Parts:
    return Scalarizer(dims, functions, values).known_parts(expr)


def nested(parts: Parts) -> Scalars:
    if not isinstance(parts, ArrayValue):
        return parts
    return tuple(nested(piece(row)) for row in parts.rows())


def flat_scalars(parts: Parts) -> list[Expr]:
    result: list[Expr] = []
    stack_: list[Parts] = [parts]
    while stack_:
        part = stack_.pop()
        if isinstance(part, ArrayValue):
            stack_.extend(reversed(part.elements))
        elif isinstance(part, Array | Record):
            stack_.extend(reversed(part.args))
        else:
            result.append(part)
    return result


MOST_NODES = 100_000  # of a formula that is put in place


class Scalarizer:
    """Takes expressions over one set of variables apart; what is shared is done once."""

    def __init__(
        self,
        dims: DimsLookup,
        functions: FunctionLookup = unknown_functions,
        values: Lookup = no_variables,
    ) -> None:
        self.shapes = Shapes(dims, functions, values)
        self.prepared: dict[Expr, Expr] = {}
        self.memo: dict[Expr, Parts] = {}
        self.inlining: list[ClassName] = []  # functions whose bodies are being put in place
        self.is_careful = False  # looks for branches that are never taken and cannot be taken apart
        self.failing: dict[Expr, bool] = {}
        self.lengths: dict[Expr, int] = {}  # of formulas, in nodes
        self.checks: dict[
            Expr, tuple[SubscriptCheck, ...]
        ] = {}  # of subscripts in prepared formulas
        self.met: list[SubscriptCheck] = []  # those of what is being taken apart

    def length(self, parts: Parts) -> int:
        """Nodes of the formulas if each was written as often as it is used."""
        scalars = flat_scalars(parts)
        return sum(fold(s, lambda _, inner: 1 + sum(inner), self.lengths) for s in scalars)

    def scalars(self, expr: Expr) -> list[Expr]:
        """As `scalars_of`, sharing work with what was asked before."""
        return flat_scalars(self.known_parts(expr))

    def known_parts(self, expr: Expr) -> Parts:
        met = list(self.met)
        try:
            return self.checked_parts(expr)
        except NotConstant as unknown:
            problem = size_unknown(unknown.name)
        except CompileError as found:
            problem = found
        if self.is_careful or self.shapes.values is no_variables:
            raise problem
        self.met = met
        return self._carefully(expr)

    def _carefully(self, expr: Expr) -> Parts:
        """Once more: what cannot be taken apart may be in a branch that is never taken."""
        plain, self.prepared = self.prepared, {}
        self.is_careful = True
        try:
            return self.known_parts(expr)
        finally:
            self.prepared = plain
            self.is_careful = False

    def parts(self, expr: Expr) -> Parts:
        return fold(self.prepare(expr), self._visit, self.memo)

    def checked_parts(self, expr: Expr) -> Parts:
        """As `parts`; what must hold of subscripts in it is met."""
        prepared = self.prepare(expr)
        parts = fold(prepared, self._visit, self.memo)
        if self.checks:
            self.met += self.checks.get(prepared, ())
        return parts

    def prepare(self, expr: Expr) -> Expr:
        """First from the top: unroll iterators, answer sizes, pick single elements of variables
        (so that no array is expanded for one element), drop branches that are never taken."""
        return replace(expr, self._prepared, self.prepared)

    def _prepared(self, node: Expr) -> Expr | None:
        rule = _PREPARE.get(type(node))
        return None if rule is None else rule(self, node)

    def _visit(self, node: Expr, parts: tuple[Parts, ...]) -> Parts:
        rule = _TAKE_APART.get(type(node))
        around, self.met = self.met, []
        made = node.with_args(tuple(map(whole, parts))) if rule is None else rule(self, node, parts)
        if self.met or self.checks:
            found = (*self.met, *of_children(node, parts, self.checks))
            if found:
                self.checks[node] = tuple(dict.fromkeys(found))
        self.met = around
        return made


# ---------------------------------------------------------------- from the top


def _prepare_call(work: Scalarizer, node: Expr) -> Expr | None:
    if node.data not in ("size", "ndims"):
        return None
    dims = work.shapes.of(node.args[0])
    if node.data == "ndims":
        return Integer(len(dims))
    if len(node.args) == 1:
        return Array(*map(Integer, dims))
    return to_expr(_checked_size(dims, work.shapes.constant(node.args[1])))


def _checked_size(dims: Dimensions, axis: Value) -> int:
    if not isinstance(axis, int) or not 1 <= axis <= len(dims):
        raise wrong_shape(f"`size` asks for dimension {axis} of {len(dims)}")
    return dims[axis - 1]


def _prepare_index(work: Scalarizer, node: Expr) -> Expr | None:
    base = node.args[0]
    if not isinstance(base, Var):
        return None
    dims = work.shapes.dims(base.name)
    if len(node.args) - 1 != len(dims):
        return None
    numbers: list[int] = []
    for axis, part in enumerate(node.args[1:]):
        value = None if isinstance(part, Colon) else work.shapes.try_constant(part)
        if value is None or isinstance(value, ArrayValue):
            return None
        at = subscript_number(value)
        if not 1 <= at <= dims[axis]:
            raise subscript_outside(at, dims[axis], axis + 1, base.name)
        numbers.append(at)
    return Var((*base.name, *numbers))


_KIND = {Comprehension: "an array comprehension", Reduction: "a reduction"}


def _bodies(work: Scalarizer, node: Expr) -> tuple[list[int], list[Expr]]:
    """The body for each combination of iterator values, the last iterator slowest."""
    names = iterator_names(node)
    ranges = [[whole(piece(row)) for row in _rows(work, part)] for part in node.args[1:]]
    check_size(prod(map(len, ranges)), f"{_KIND[type(node)]} has", unit="rounds")
    bodies = [
        work.prepare(
            bind_iterators(node.args[0], dict(zip(reversed(names), combination, strict=True)))
        )
        for combination in cartesian(*reversed(ranges))
    ]
    return [len(part) for part in ranges], bodies


def _rows(work: Scalarizer, values: Expr) -> tuple[Any, ...]:
    parts = work.parts(values)
    if not isinstance(parts, ArrayValue):
        raise wrong_shape("a loop needs a vector to run over")
    return parts.rows()


def _prepare_comprehension(work: Scalarizer, node: Expr) -> Expr:
    lengths, bodies = _bodies(work, node)
    dims = tuple(reversed(lengths))
    if not bodies:
        return Call("fill", ZERO, *map(Integer, dims))
    for size in reversed(dims[1:]):
        bodies = [Array(*bodies[i : i + size]) for i in range(0, len(bodies), size)]
    return Array(*bodies)


_EMPTY = {"sum": Integer(0), "product": Integer(1)}


def _prepare_reduction(work: Scalarizer, node: Expr) -> Expr:
    op = node.data[0]
    bodies = _bodies(work, node)[1]
    if op not in _EMPTY:
        return Call(op, Array(*bodies))
    if not bodies:
        return _EMPTY[op]
    result = bodies[0]
    for body in bodies[1:]:
        result = Binary("+" if op == "sum" else "*", result, body)
    return result


_PREPARE: dict[type, Callable[[Scalarizer, Expr], Expr | None]] = {
    If: prepare_if,
    Binary: prepare_logical,
    Call: _prepare_call,
    Index: _prepare_index,
    Comprehension: _prepare_comprehension,
    Reduction: _prepare_reduction,
}


# ---------------------------------------------------------------- from the leaves


def _var(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    dims = work.shapes.dims(node.data)
    if not dims:
        return node
    positions = cartesian(*(range(1, size + 1) for size in dims))
    return ArrayValue(dims, tuple([Var((*node.data, *at)) for at in positions]))


def _array(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    return stack(parts)


def _range(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    rows = iteration_values(work.shapes.constant(node))
    return ArrayValue((len(rows),), tuple([to_expr(row) for row in rows]))


def _unary(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    (arg,) = parts
    if isinstance(arg, ArrayValue):
        return arg.map(lambda element: build.unary_of(node.data, element))
    return build.unary_of(node.data, arg)


_SCALAR_OPERATORS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": build.plus,
    "-": build.minus,
    "*": build.times,
    "/": build.over,
    "^": build.power,
    "and": build.logical_and,
    "or": build.logical_or,
}


def _scalar_binary(op: str, left: Expr, right: Expr) -> Expr:
    if op in RELATIONS:
        return build.relation(op, left, right)
    return _SCALAR_OPERATORS[op](left, right)


def _binary(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    op = node.data
    left, right = parts
    if not isinstance(left, ArrayValue) and not isinstance(right, ArrayValue):
        return _scalar_binary(op.lstrip("."), whole(left), whole(right))
    is_array = isinstance(left, ArrayValue), isinstance(right, ArrayValue)
    if op.startswith("."):
        return _elementwise(op[1:], left, right)
    if op == "*" and all(is_array):
        return product(left, right)
    if op == "^" and is_array[0]:
        return _matrix_power(work, left, node.args[1])
    if op in RELATIONS or (op == "/" and is_array[1]):
        raise wrong_shape(f"`{op}` is not defined for these dimensions")
    return _elementwise(op, left, right)


def _elementwise(op: str, left: Parts, right: Parts) -> Parts:
    if not isinstance(left, ArrayValue):
        assert isinstance(right, ArrayValue)
        return right.map(lambda element: _scalar_binary(op, left, element))
    if not isinstance(right, ArrayValue):
        return left.map(lambda element: _scalar_binary(op, element, right))
    if left.dims != right.dims:
        raise wrong_shape(
            f"`{op}` joins arrays of dimensions {show_dims(left.dims)} and {show_dims(right.dims)}"
        )
    pairs = zip(left.elements, right.elements, strict=True)
    return ArrayValue(left.dims, tuple([_scalar_binary(op, a, b) for a, b in pairs]))


def _matrix_power(work: Scalarizer, base: Parts, exponent: Expr) -> Parts:
    count = work.shapes.constant(exponent)
    assert isinstance(base, ArrayValue)
    is_square = len(base.dims) == 2 and base.dims[0] == base.dims[1]
    if not is_square or not isinstance(count, int) or count < 0:
        raise wrong_shape("`^` of a matrix needs a square matrix and an Integer exponent >= 0")
    size = base.dims[0]
    check_size(count * size**3, "this power of a matrix has", unit="terms")
    result: Parts = ArrayValue(
        base.dims, tuple([Real(float(i == j)) for i in range(size) for j in range(size)])
    )
    for _ in range(count):
        result = product(result, base)
    return result


def _if(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    condition, then, otherwise = parts
    if not isinstance(condition, Expr):
        raise wrong_shape("the condition of `if` must be a scalar")
    return choice(condition, then, otherwise)


# ---------------------------------------------------------------- fields


def _field(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    base = parts[0]
    if isinstance(base, ArrayValue):
        return stack_like(base.dims, [opened(build.field(node.data, e)) for e in base.elements])
    return opened(build.field(node.data, base))


def opened(expr: Expr) -> Parts:
    """`Array` nodes inside records back to arrays of scalars."""
    if not isinstance(expr, Array):
        return expr
    return stack([opened(arg) for arg in expr.args])


def stack_like(dims: Dimensions, elements: list[Parts]) -> Parts:
    if not elements or not isinstance(elements[0], ArrayValue):
        return ArrayValue(dims, tuple(elements))
    inner = stack(elements)
    return ArrayValue(dims + inner.dims[1:], inner.elements)


# ---------------------------------------------------------------- calls


def _call(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    name = node.data
    if not isinstance(name, str):
        try:
            return _user_call(work, node, 1, parts)
        except NotConstant:  # a first output of unknown size matters only if it is used
            return Call(name, *map(whole, parts))
    rule = BUILTIN.get(name)
    if rule is not None:
        return rule(work.shapes, node, parts)
    return elementwise_call(name, parts)


def _output(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    call = node.args[0]
    assert isinstance(call, Call)
    return _user_call(work, call, node.data, tuple(work.memo[arg] for arg in call.args))


def _user_call(work: Scalarizer, call: Expr, number: int, args: tuple[Parts, ...]) -> Parts:
    assert isinstance(call, Call)
    assert not isinstance(call.data, str)
    function = work.shapes.functions(call.data)
    repeated = () if function is None else extra_dims(call, function, work.shapes)
    if not repeated or function is None:
        return _single_call(work, Call(call.data, *map(whole, args)), number)
    ranks = [rank(variable) for variable in function.inputs()]
    rounds: list[Parts] = []
    for at in range(prod(repeated)):
        chosen = [_slice(arg, repeated, r, at) for arg, r in zip(args, ranks, strict=False)]
        rounds.append(_single_call(work, Call(call.data, *chosen), number))
    return stack_like(repeated, rounds)


def _single_call(work: Scalarizer, call: Call, number: int) -> Parts:
    """The scalars of one output: of its formula where the function asks to be put in place."""
    function = None if isinstance(call.data, str) else work.shapes.functions(call.data)
    if function is not None and function.inline and not function.derivatives:
        formulas = None if function.name in work.inlining else inline_call(function, call.args)
        if formulas is not None:
            work.inlining.append(function.name)
            try:
                parts = work.checked_parts(formulas[number - 1])
            finally:
                work.inlining.pop()
            if work.length(parts) <= MOST_NODES:
                return parts
    kind = result_type(Output(number, call), work.shapes)
    return taken_apart(call if number == 1 else Output(number, call), kind)


def _slice(arg: Parts, repeated: Dimensions, rank_: int, at: int) -> Expr:
    """The argument for round `at`: a part of an array that is repeated over, or all of it."""
    if not isinstance(arg, ArrayValue) or len(arg.dims) <= rank_:
        return whole(arg)
    if arg.dims[: len(repeated)] != repeated:
        raise wrong_shape("the array arguments of a call differ in their dimensions")
    inner = arg.dims[len(repeated) :]
    size = prod(inner)
    chunk = arg.elements[at * size : (at + 1) * size]
    return whole(ArrayValue(inner, chunk)) if inner else whole(chunk[0])


def taken_apart(expr: Expr, kind: Type) -> Parts:
    """The scalars of a value that is known only as a whole."""
    if kind.dims:
        dims = tuple(size or 0 for size in kind.dims)
        positions = cartesian(*(range(1, size + 1) for size in dims))
        elements = [
            taken_apart(Index(expr, *map(Integer, at)), Type(kind.scalar)) for at in positions
        ]
        return ArrayValue(dims, tuple(elements))
    if isinstance(kind.scalar, RecordType):
        labels = tuple(label for label, _ in kind.scalar.fields)
        fields = [
            whole(taken_apart(Field(label, expr), inner)) for label, inner in kind.scalar.fields
        ]
        return Record(kind.scalar.name, labels, *fields)
    return expr


_TAKE_APART: dict[type, Callable[[Scalarizer, Expr, tuple[Parts, ...]], Parts]] = {
    Var: _var,
    Array: _array,
    Range: _range,
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Index: index_parts,
    Field: _field,
    Call: _call,
    Output: _output,
}
