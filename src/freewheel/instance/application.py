"""A function and its typed arguments become a call; so do a record and the values of its fields.

Arguments given by name are put in order, defaults filled in, types checked, and a function of
scalars that is given arrays is applied element by element ("Scalar Functions Applied to Array
Arguments"). Out comes a call with positional arguments only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import error
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    Dims,
    EnumType,
    FunctionType,
    RecordType,
    Scalar,
    Type,
)
from freewheel.formula.types import show as show_type
from freewheel.formula.walk import contains, substitute
from freewheel.instance import types
from freewheel.instance.diagnostics.calls import (
    circular_defaults,
    unequal_array_arguments,
    wrong_argument_count,
    wrong_argument_type,
)
from freewheel.instance.functions import Formal, Signature
from freewheel.instance.nodes import CONSTANT, CONTINUOUS, DISCRETE, Typed
from freewheel.instance.parts import field_of, index_expr

WRITTEN_OUT = 100  # calls of a function for each element of an array; more stay one formula

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session


class Application:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator
        self._fresh = 0  # numbers loop indices of our own

    def apply(
        self, signature: Signature, args: list[Typed], named: dict[str, Typed], place: Span
    ) -> list[Typed]:
        actual = self.matched(signature, args, named, place)
        extra = self._vector_dims(signature, actual, place)
        if extra:
            return [self._vectorised(signature, actual, extra, place)]
        self._check_types(signature, actual, place)
        pairs = zip(signature.inputs, actual, strict=True)
        call = f.Call(signature.name, *(_in_order(t.expr, i.type.scalar) for i, t in pairs))
        variability = self._variability(signature, actual)
        self._session.functions.note_use(signature.name)
        result: list[Typed] = []
        for position, output in enumerate(signature.outputs):
            kind = self._session.functions.output_type(signature, output, actual)
            expr: f.Expr = call if position == 0 else f.Output(position + 1, call)
            result.append(
                Typed(expr, kind, min(variability, DISCRETE) if _is_discrete(kind) else variability)
            )
        return result

    def record(
        self, node: ClassNode, args: list[Typed], named: dict[str, Typed], place: Span
    ) -> Typed:
        """The record constructor that every record has by itself."""
        signature = self._session.functions.record_signature(node)
        record = self._session.functions.record_type(node)
        actual = self.matched(signature, args, named, place)
        extra = self._vector_dims(signature, actual, place)
        if extra and extra[0] is not None:
            rows = []
            for k in range(1, extra[0] + 1):
                element = {
                    i.name: self._elaborator.subscripts.at_indices(t, (k,), place)
                    if len(t.type.dims) > len(i.type.dims)
                    else t
                    for i, t in zip(signature.inputs, actual, strict=True)
                    if not i.is_settled
                }
                rows.append(self.record(node, [], element, place))
            below = rows[0].type.dims if rows else extra[1:]
            kind = Type(record, (len(rows), *below))
            variability = max([CONSTANT, *(r.variability for r in rows)])
            return Typed(f.Array(*(r.expr for r in rows)), kind, variability)
        self._check_types(signature, actual, place)
        names = tuple(i.name for i in signature.inputs)
        variability = max([CONSTANT, *(t.variability for t in actual)])
        value = f.Record(signature.name, names, *(t.expr for t in actual))
        return Typed(value, Type(record), variability)

    def _variability(self, signature: Signature, actual: list[Typed]) -> int:
        if signature.is_impure:
            return CONTINUOUS
        return max([CONSTANT, *(t.variability for t in actual)])

    def matched(
        self, signature: Signature, args: list[Typed], named: dict[str, Typed], place: Span
    ) -> list[Typed]:
        """One argument per input: positional, named, or the default."""
        given = self._given(signature, args, named, place)
        missing = [formal for formal in signature.inputs if formal.name not in given]
        variability = max([CONSTANT, *(t.variability for t in given.values())])
        while missing:  # a default may refer to other inputs, also to later ones
            known: dict[f.Expr, f.Expr] = {f.Var((n,)): t.expr for n, t in given.items()}
            open_names = frozenset((formal.name,) for formal in missing)
            ready: list[Formal] = []
            for formal in missing:
                typed = self._session.functions.default(signature, formal, place)
                if not formal.refers_to_others:
                    given[formal.name] = typed
                elif not _mentions(typed.expr, open_names):
                    level = min(typed.variability, variability)
                    given[formal.name] = Typed(substitute(typed.expr, known), typed.type, level)
                ready.extend([formal] if formal.name in given else [])
            if not ready:
                raise circular_defaults(show(signature.name), place, missing[0].name)
            missing = [formal for formal in missing if formal not in ready]
        return [given[formal.name] for formal in signature.inputs]

    def _given(
        self, signature: Signature, args: list[Typed], named: dict[str, Typed], place: Span
    ) -> dict[str, Typed]:
        """Arguments by the name of their input."""
        title = show(signature.name)
        inputs = [formal.name for formal in signature.inputs if not formal.is_settled]
        choice = "its inputs are " + ", ".join(f"`{name}`" for name in inputs)
        if len(args) > len(inputs):
            raise wrong_argument_count(title, len(inputs), len(args), place, choice)
        given = dict(zip(inputs, args, strict=False))
        for name, typed in named.items():
            if name not in inputs:
                raise error("N066", f"`{title}` has no input `{name}`", place, help=choice)
            if name in given:
                raise error("N063", f"argument `{name}` is given twice", place, help="remove one")
            given[name] = typed
        return given

    def _vector_dims(self, signature: Signature, actual: list[Typed], place: Span) -> Dims:
        """Dimensions that the arguments have in front of what the inputs ask for."""
        extra: Dims = ()
        for formal, typed in zip(signature.inputs, actual, strict=True):
            surplus = len(typed.type.dims) - len(formal.type.dims)
            if surplus > 0 and not isinstance(formal.type.scalar, FunctionType):
                front = typed.type.dims[:surplus]
                if extra and not types.same_dims(extra, front):
                    raise unequal_array_arguments(show(signature.name), place)
                extra = front
        return extra

    def _vectorised(
        self, signature: Signature, actual: list[Typed], extra: Dims, place: Span
    ) -> Typed:
        size = extra[0]
        if size is None or (size > WRITTEN_OUT and _are_plain(signature, actual)):
            return self._vectorised_late(signature, actual, size, place)
        rows: list[Typed] = []
        for k in range(1, size + 1):
            element = [
                Typed(
                    index_expr(typed.expr, (f.Integer(k),)),
                    Type(typed.type.scalar, typed.type.dims[1:]),
                    typed.variability,
                )
                if len(typed.type.dims) > len(formal.type.dims)
                else typed
                for formal, typed in zip(signature.inputs, actual, strict=True)
            ]
            rows.append(self.apply(signature, element, {}, place)[0])
        if not rows:
            output = signature.outputs[0].type
            return Typed(f.Array(), Type(output.scalar, (0, *output.dims)), CONSTANT)
        kind = Type(rows[0].type.scalar, (size, *rows[0].type.dims))
        return Typed(
            f.Array(*(row.expr for row in rows)), kind, max(row.variability for row in rows)
        )

    def _vectorised_late(
        self, signature: Signature, actual: list[Typed], known: int | None, place: Span
    ) -> Typed:
        """The same where there are many, or only the running program knows the size:
        `{f(x[k]) for k in 1:size(x, 1)}`."""
        self._fresh += 1
        index = f"k_{self._fresh}"
        size: f.Expr | None = None if known is None else f.Integer(known)
        element: list[Typed] = []
        for formal, typed in zip(signature.inputs, actual, strict=True):
            if len(typed.type.dims) <= len(formal.type.dims):
                element.append(typed)
                continue
            size = size or f.Call("size", typed.expr, f.Integer(1))
            kind = Type(typed.type.scalar, typed.type.dims[1:])
            picked = f.Index(typed.expr, f.Iterator(index))
            element.append(Typed(picked, kind, typed.variability))
        assert size is not None
        body = self.apply(signature, element, {}, place)[0]
        span = f.Range(f.Integer(1), f.Integer(1), size)
        kind = Type(body.type.scalar, (known, *body.type.dims))
        return Typed(f.Comprehension((index,), body.expr, span), kind, body.variability)

    def _check_types(self, signature: Signature, actual: list[Typed], place: Span) -> None:
        for formal, typed in zip(signature.inputs, actual, strict=True):
            fits = types.accepts(formal.type.scalar, typed.type.scalar)
            if not fits or not types.same_dims(formal.type.dims, typed.type.dims):
                if 0 in typed.type.dims and len(typed.type.dims) == len(formal.type.dims):
                    continue  # an empty array has the type it is asked for
                raise wrong_argument_type(
                    formal.name,
                    show(signature.name),
                    show_type(formal.type),
                    show_type(typed.type),
                    place,
                )


def _are_plain(signature: Signature, actual: list[Typed]) -> bool:
    """Whether all that differs from call to call is an element of a variable."""
    return all(
        isinstance(typed.expr, f.Var) and not isinstance(typed.type.scalar, RecordType)
        for formal, typed in zip(signature.inputs, actual, strict=True)
        if len(typed.type.dims) > len(formal.type.dims)
    )


def _in_order(expr: f.Expr, kind: Scalar) -> f.Expr:
    """Fields in the order of the record that is asked for; records match by the names of fields."""
    if not isinstance(kind, RecordType) or not isinstance(expr, f.Record):
        return expr
    names = tuple(name for name, _ in kind.fields)
    if names == expr.fields or set(names) != set(expr.fields):
        return expr
    return f.Record(kind.name, names, *(field_of(expr, name) for name in names))


def _mentions(expr: f.Expr, names: frozenset[Name]) -> bool:
    return contains(expr, lambda node: isinstance(node, f.Var) and node.name in names)


def _is_discrete(kind: Type) -> bool:
    return kind.scalar in (INTEGER, BOOLEAN) or isinstance(kind.scalar, EnumType)
