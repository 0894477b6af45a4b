"""Dimensions of expressions, without taking them apart.

    dims_of(Binary("*", A, x), {("A",): (2, 3), ("x",): (3,)}.__getitem__) == (2,)

`dims(name)` gives the dimensions of a variable, `()` for a scalar; `functions(name)` the function
of a call, or `None`. Dimensions that depend on values (`1:n`, `fill(0, n)`) must be
constant, or known to `values(name)`: a parameter asked for there has become structural.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from freewheel.base.names import ClassName, Name
from freewheel.formula.builtin_values import apply_array
from freewheel.formula.evaluate import Lookup, NotConstant, evaluate, iteration_values, no_variables
from freewheel.formula.faults import show_dims, wrong_shape
from freewheel.formula.nodes import (
    RELATIONS,
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.statement_nodes import Function, FunctionVariable
from freewheel.formula.types import REAL, RecordType, Scalar, Type
from freewheel.formula.values import ArrayValue, Value, dims_of_value, to_expr
from freewheel.formula.walk import bind_iterators, fold, iterator_names, replace

Dimensions = tuple[int, ...]
DimsLookup = Callable[[Name], Dimensions]
FunctionLookup = Callable[[ClassName], Function | None]


def unknown_functions(name: ClassName) -> Function | None:
    return None


class Shapes:
    """Dimensions of expressions over one set of variables; results are remembered."""

    def __init__(
        self,
        dims: DimsLookup,
        functions: FunctionLookup = unknown_functions,
        values: Lookup = no_variables,
    ) -> None:
        self.dims = dims
        self.functions = functions
        self.values = values
        self.memo: dict[Expr, Dimensions] = {}
        self.first_rounds: dict[Expr, Expr] = {}

    def of(self, expr: Expr) -> Dimensions:
        if expr not in self.memo:
            # Ranges inside a body may use its iterators: give these their first values.
            self.memo[expr] = fold(self._in_first_round(expr), self._visit, self.memo)
        return self.memo[expr]

    def _in_first_round(self, expr: Expr) -> Expr:
        """Remembered: somebody may ask for every part of a sum of thousands."""
        return replace(expr, self._first_round, self.first_rounds)

    def _first_round(self, node: Expr) -> Expr | None:
        names = iterator_names(node)
        if not names:
            return None
        values: dict[str, Expr] = {}
        counts: list[Expr] = []
        for name, part in zip(names, node.args[1:], strict=True):
            bound = bind_iterators(part, values)
            length = self.of(bound)[0]
            counts.append(Range(Integer(1), Integer(1), Integer(length)))
            if length:
                values[name] = self._first(bound)
        body = self._in_first_round(bind_iterators(node.args[0], values))
        return body if isinstance(node, Reduction) else Comprehension(names, body, *counts)

    def _first(self, values: Expr) -> Expr:
        known = self.try_constant(values)
        return Index(values, Integer(1)) if known is None else to_expr(iteration_values(known)[0])

    def constant(self, expr: Expr) -> Value:
        """The value of an expression that decides a size; `values` may know parameters."""
        return evaluate(expr, self.values, self._function, self.dims)

    def try_constant(self, expr: Expr) -> Value | None:
        """The value of an expression without variables; parameters stay free to change."""
        try:
            return evaluate(expr, no_variables, self._function, self.dims)
        except NotConstant:
            return None

    def _function(self, name: ClassName) -> Function:
        function = self.functions(name)
        if function is None:
            raise NotConstant(name)
        return function

    def _visit(self, node: Expr, parts: tuple[Dimensions, ...]) -> Dimensions:
        return _DIMS[type(node)](self, node, parts)


def dims_of(
    expr: Expr,
    dims: DimsLookup,
    functions: FunctionLookup = unknown_functions,
    values: Lookup = no_variables,
) -> Dimensions:
    """Dimensions of `expr`; raises `NotConstant` where they depend on an unknown value."""
    return Shapes(dims, functions, values).of(expr)


# ---------------------------------------------------------------- one rule per kind of node

Parts = tuple[Dimensions, ...]


def _none(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return ()


def _var(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return shapes.dims(node.data)


def _same(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return parts[0]


def _binary(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    left, right = parts
    if node.data == "*" and left and right:
        if len(left) > 2 or len(right) > 2 or left[-1] != right[0]:
            raise wrong_shape(
                f"`*` joins arrays of dimensions {show_dims(left)} and {show_dims(right)}"
            )
        return left[:-1] + right[1:]
    if node.data in RELATIONS:
        return ()
    if left and right and left != right:
        raise wrong_shape(
            f"`{node.data}` joins arrays of dimensions {show_dims(left)} and {show_dims(right)}"
        )
    return left or right


def _if(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    """Branches agree, unless the condition is constant; then the other one does not count."""
    if parts[1] == parts[2]:
        return parts[1]
    try:
        decided = shapes.constant(node.args[0])
    except NotConstant:
        raise wrong_shape(
            f"the branches of `if` have dimensions {show_dims(parts[1])} and {show_dims(parts[2])}"
        ) from None
    return parts[1] if decided is True else parts[2]


def _array(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    if not parts:
        return (0,)
    if any(part != parts[0] for part in parts):
        raise wrong_shape("the elements of an array constructor differ in their dimensions")
    return (len(parts), *parts[0])


def _range(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return dims_of_value(shapes.constant(node))


def _comprehension(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return tuple(part[0] for part in reversed(parts[1:])) + parts[0]


def _index(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    base, *subscripts = parts
    if len(subscripts) > len(base):
        raise wrong_shape(f"{len(subscripts)} subscripts for an array of {len(base)} dimensions")
    kept: list[int] = []
    for axis, (subscript, dims) in enumerate(zip(node.args[1:], subscripts, strict=True)):
        if isinstance(subscript, Colon):
            kept.append(base[axis])
        else:
            kept.extend(dims)
    return (*kept, *base[len(subscripts) :])


def _field(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    base = node.args[0]
    if isinstance(base, Record):
        return parts[0] + shapes.of(base.args[base.fields.index(node.data)])
    scalar = _scalar_of(base, shapes)
    inner = scalar.field(node.data) if isinstance(scalar, RecordType) else None
    return parts[0] + (() if inner is None else tuple(size or 0 for size in inner.dims))


def _scalar_of(expr: Expr, shapes: Shapes) -> Scalar:
    """Of an element, or of a field, of what a call gives: `f(x)[2].c`."""
    if isinstance(expr, Index):
        return _scalar_of(expr.args[0], shapes)
    if isinstance(expr, Field):
        record = _scalar_of(expr.args[0], shapes)
        inner = record.field(expr.data) if isinstance(record, RecordType) else None
        return REAL if inner is None else inner.scalar
    return result_type(expr, shapes).scalar


def _output(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return output_dims(node.args[0], node.data, shapes)


def _call(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    name = node.data
    if not isinstance(name, str):
        return output_dims(node, 1, shapes)
    rule = _CALLS.get(name)
    if rule is not None:
        return rule(shapes, node, parts)
    return next((part for part in parts if part), ())  # element by element


def _counts(shapes: Shapes, counts: tuple[Expr, ...]) -> Dimensions:
    values = tuple(shapes.constant(count) for count in counts)
    return dims_of_value(apply_array("fill", (0, *values)))


def _size(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return () if len(parts) > 1 else (len(parts[0]),)


def _square(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    return (parts[0][0], parts[0][0])


def _abstract(shapes: Shapes, node: Expr, parts: Parts) -> Dimensions:
    """What the builtin makes of an array of zeros of the same shape."""
    stand_ins = tuple(_zeros(part) for part in parts)
    return dims_of_value(apply_array(node.data, stand_ins))


def _zeros(dims: Dimensions) -> Value:
    return ArrayValue(dims, (0,) * prod(dims)) if dims else 0


_Rule = Callable[[Shapes, Expr, Parts], Dimensions]

_CALLS: dict[str, _Rule] = {
    "size": _size,
    "ndims": _none,
    "scalar": _none,
    "sum": _none,
    "product": _none,
    "min": _none,
    "max": _none,
    "identity": lambda s, n, p: _counts(s, (n.args[0], n.args[0])),
    "zeros": lambda s, n, p: _counts(s, n.args),
    "ones": lambda s, n, p: _counts(s, n.args),
    "fill": lambda s, n, p: _counts(s, n.args[1:]) + p[0],
    "linspace": lambda s, n, p: _counts(s, n.args[2:]),
    "diagonal": _square,
    "array": _array,
    "cat": lambda s, n, p: dims_of_value(
        apply_array("cat", (s.constant(n.args[0]), *map(_zeros, p[1:])))
    ),
    "promote": lambda s, n, p: dims_of_value(
        apply_array("promote", (_zeros(p[0]), s.constant(n.args[1])))
    ),
}
_CALLS.update(
    dict.fromkeys(
        ("vector", "matrix", "transpose", "outerProduct", "symmetric", "cross", "skew"), _abstract
    )
)

_DIMS: dict[type, _Rule] = {
    Var: _var,
    Unary: _same,
    Binary: _binary,
    If: _if,
    Array: _array,
    Range: _range,
    Comprehension: _comprehension,
    Reduction: _same,
    Index: _index,
    Field: _field,
    Output: _output,
    Call: _call,
}
_LEAVES = (Real, Integer, Boolean, String, Literal, Iterator, Colon, FunctionRef)
_DIMS.update(dict.fromkeys((*_LEAVES, PartialFunction, Record), _none))


# ---------------------------------------------------------------- calls of functions of the model


def result_type(expr: Expr, shapes: Shapes) -> Type:
    """Scalar type and dimensions of what a call gives; `Real` where the function is unknown."""
    number, call = (expr.data, expr.args[0]) if isinstance(expr, Output) else (1, expr)
    if isinstance(call, Call) and not isinstance(call.data, str):
        function = shapes.functions(call.data)
        if function is not None:
            outputs = function.outputs()
            if not outputs and number == 1:  # called for its effect
                return Type(REAL)
            if number > len(outputs):
                raise wrong_shape(f"`{'.'.join(call.data)}` has no output number {number}")
            scalar = _sized(outputs[number - 1], call, function, shapes)
            return Type(scalar, output_dims(call, number, shapes))
    return Type(REAL)


def _sized(output: FunctionVariable, call: Call, function: Function, shapes: Shapes) -> Scalar:
    """A record with the sizes that its first value has in this call."""
    if not isinstance(output.type.scalar, RecordType) or output.default is None:
        return output.type.scalar
    first = _with_arguments(output.default, call, function)
    try:
        return refined(output.type.scalar, first, _callee(call, function, shapes).of)
    except NotConstant:
        return output.type.scalar


def refined(scalar: Scalar, value: Expr | None, dims: Callable[[Expr], tuple[int, ...]]) -> Scalar:
    """A record type whose fields have the sizes of the fields of a value."""
    if not isinstance(scalar, RecordType) or not isinstance(value, Record):
        return scalar
    parts = dict(zip(value.fields, value.args, strict=True))
    fields = tuple(
        (name, _refined_field(kind, parts.get(name), dims)) for name, kind in scalar.fields
    )
    return RecordType(scalar.name, fields, scalar.is_operator)


def _refined_field(kind: Type, value: Expr | None, dims: Callable[[Expr], tuple[int, ...]]) -> Type:
    is_open = any(size is None for size in kind.dims)
    sizes = dims(value) if is_open and value is not None else kind.dims
    return Type(refined(kind.scalar, value, dims), sizes)


def output_dims(call: Expr, number: int, shapes: Shapes) -> Dimensions:
    """Dimensions of one output: those of the declaration, in front those of a vectorised call."""
    assert isinstance(call, Call)
    function = shapes.functions(call.data) if not isinstance(call.data, str) else None
    if function is None or not function.outputs():
        return ()
    return extra_dims(call, function, shapes) + _declared(call, function, number, shapes)


def extra_dims(call: Call, function: Function, shapes: Shapes) -> Dimensions:
    """Dimensions an argument has beyond those of its input: the call is repeated over them.

    Modelica 3.6, "Scalar Functions Applied to Array Arguments".
    """
    for argument, variable in zip(call.args, function.inputs(), strict=False):
        dims = shapes.of(argument)
        extra = len(dims) - rank(variable)
        if extra > 0:
            return dims[:extra]
    return ()


def rank(variable: FunctionVariable) -> int:
    return max(len(variable.dims), len(variable.type.dims))


def _declared(call: Call, function: Function, number: int, shapes: Shapes) -> Dimensions:
    output = function.outputs()[number - 1]
    if rank(output) == 0:
        return ()
    known = output.type.dims
    if not output.dims and known and None not in known:
        return tuple(size for size in known if size is not None)
    inner = _callee(call, function, shapes)
    result: list[int] = []
    for axis, size in enumerate(output.dims):
        if size is not None:
            value = inner.constant(_with_arguments(size, call, function))
        elif output.default is not None:
            value = inner.of(_with_arguments(output.default, call, function))[axis]
        else:
            raise NotConstant(function.name)
        assert isinstance(value, int)
        result.append(value)
    return tuple(result)


def _callee(call: Call, function: Function, shapes: Shapes) -> Shapes:
    """Inside the function, inputs have the dimensions of the arguments."""
    inputs: dict[Name, Dimensions] = {
        (v.name,): shapes.of(argument)[-rank(v) :] if rank(v) else ()
        for argument, v in zip(call.args, function.inputs(), strict=False)
    }

    def outside(name: Name) -> Value:
        """A variable of the model may have the name of an array input: it is not meant."""
        if inputs.get(name):
            raise NotConstant(name)
        return shapes.values(name)

    return Shapes(lambda name: inputs.get(name, ()), shapes.functions, outside)


def _with_arguments(expr: Expr, call: Call, function: Function) -> Expr:
    """Locals used in a dimension stand for their defaults, scalar inputs for their arguments."""
    values: dict[Name, Expr] = {
        (v.name,): argument
        for argument, v in zip(call.args, function.inputs(), strict=False)
        if rank(v) == 0
    }
    defaults: dict[Name, Expr] = {
        (v.name,): v.default for v in function.variables if v.default is not None
    }

    def visit(node: Expr) -> Expr | None:
        if not isinstance(node, Var):
            return None
        if node.name in values:
            return values[node.name]
        default = defaults.pop(node.name, None)
        return None if default is None else replace(default, visit)

    return replace(expr, visit)
