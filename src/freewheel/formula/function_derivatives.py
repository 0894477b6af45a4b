"""Derivatives of functions of the model: known by annotation, by their formula, or made here.

    y := sin(u)*u    ->    function f.der with inputs (u, der_u) and
                           der_y := sin(u)*der_u + u*cos(u)*der_u;  y := sin(u)*u

A made function takes all inputs of the original and, after them, the change of each one that has Reals; it
gives the change of each such output (forward differentiation: every assignment is preceded by the
assignment of the change). `FunctionDerivatives.generated` holds what was made; whoever keeps the
model adds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from freewheel.base.names import ClassName
from freewheel.formula.build import is_zero, rebuilt
from freewheel.formula.differentiate import DerivativeOf, Differentiation
from freewheel.formula.faults import not_differentiable
from freewheel.formula.inline import inline_call
from freewheel.formula.interpret import by_dependence
from freewheel.formula.nodes import (
    ONE,
    ZERO,
    Array,
    Call,
    Colon,
    Expr,
    Field,
    Index,
    Output,
    Range,
    Record,
    Var,
)
from freewheel.formula.record_changes import completed, has_reals, is_smooth_type, no_change
from freewheel.formula.shape import FunctionLookup, rank
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assign,
    DerivativeInfo,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Statement,
    TupleAssign,
    WhileStatement,
)
from freewheel.formula.types import REAL, RecordType, Scalar
from freewheel.formula.walk import map_bottom_up, substitute


class FunctionDerivatives:
    """Answers for calls of functions; collects the functions it has to make."""

    def __init__(self, functions: FunctionLookup) -> None:
        self._functions = functions
        self.generated: dict[ClassName, Function] = {}
        self._depth = 0  # of formulas within formulas: each has stand-ins of its own

    def function(self, name: ClassName) -> Function | None:
        """A function of the model or a generated one."""
        return self.generated.get(name) or self._functions(name)

    def of_call(self, call: Call, changes: tuple[Expr, ...], is_time: bool = True) -> Expr:
        """The derivative of the call; later outputs are reached by `Output` of the result."""
        assert not isinstance(call.function, str)
        function = self.function(call.function)
        if function is None:
            raise not_differentiable(show(call))
        filled = tuple(
            zero_like(arg) if is_zero(change) else change
            for arg, change in zip(call.args, changes, strict=True)
        )
        info = _applicable(function, changes, is_time or not _has_code(function))
        if info is not None and (
            not _has_code(function) or self._is_continued(function, info, call, filled)
        ):
            return self._annotated(function, info, call, filled)
        formula = self._formula(function, call, changes)
        if formula is not None:
            return formula
        derivative = self.derivative_of(function)
        moving = [
            _whole_change(v, arg, change)
            for v, arg, change in zip(function.inputs(), call.args, filled, strict=False)
            if has_reals(v.type.scalar)
        ]
        return Call(derivative.name, *call.args, *moving)

    def _annotated(
        self, function: Function, info: DerivativeInfo, call: Call, changes: tuple[Expr, ...]
    ) -> Expr:
        """Modelica 3.6, "Declaring Derivatives of Functions": arguments, then changes."""
        fixed = {*info.zero_derivative, *info.no_derivative}
        moving = [
            change
            for v, change in zip(function.inputs(), changes, strict=False)
            if is_smooth(v) and v.name not in fixed
        ]
        target = self.function(info.function)
        if target is not None:
            # An order above 1 continues a derivative: only the newest changes are passed on.
            moving = moving[len(moving) - (len(target.inputs()) - len(function.inputs())) :]
        args = (*call.args, *moving)
        return _inlined(target, args) or Call(info.function, *args)

    def _is_continued(
        self, function: Function, info: DerivativeInfo, call: Call, changes: tuple[Expr, ...]
    ) -> bool:
        """An order above 1 holds along the motion only: `df(x, v)` with `derivative(order = 2) = ddf` has the
        derivative `ddf(x, v, a)` where x changes by v. Partial derivatives are others."""
        target = self.function(info.function)
        if target is None:
            return True
        fixed = {*info.zero_derivative, *info.no_derivative}
        pairs = [
            (arg, change)
            for v, arg, change in zip(function.inputs(), call.args, changes, strict=False)
            if is_smooth(v) and v.name not in fixed
        ]
        newest = len(target.inputs()) - len(function.inputs())
        later = [arg for arg, _ in pairs[newest:]]
        return [change for _, change in pairs[: len(later)]] == later

    def _formula(self, function: Function, call: Call, changes: tuple[Expr, ...]) -> Expr | None:
        """A function of one output whose body is one formula: differentiate that."""
        if len(function.outputs()) != 1 or any(rank(v) for v in function.variables):
            return None
        stand_ins = tuple(Var(("$input", self._depth, i)) for i in range(len(call.args)))
        formulas = inline_call(function, stand_ins)
        if formulas is None or isinstance(formulas[0], Record):
            return None
        moves: dict[Expr, Expr] = dict(zip(stand_ins, changes, strict=True))
        work = Differentiation(lambda var: moves.get(var, ZERO), self)
        self._depth += 1
        try:
            change = work.of(formulas[0])
        finally:
            self._depth -= 1
        placed = substitute(change, dict(zip(stand_ins, call.args, strict=True)))
        return map_bottom_up(placed, lambda node: rebuilt(node, node.args) if node.args else node)

    def derivative_of(self, function: Function) -> Function:
        """The made derivative, once for each function."""
        name = (*function.name, "der")
        if name not in self.generated:
            if not _has_code(function):
                raise not_differentiable(".".join(function.name))
            self.generated[name] = _header(function, name)  # recursive functions find it here
            self.generated[name] = _Maker(function, self).make(name)
        return self.generated[name]

    def partial_function(self, function: Function) -> Function:
        """`der(f, x, y)` as a function with a body: f.der along one input after the other."""
        assert function.partial_derivative_of is not None
        base_name, inputs = function.partial_derivative_of
        base = self.function(base_name)
        if base is None:
            raise not_differentiable(".".join(base_name))
        if base.partial_derivative_of is not None:
            base = self.generated[base_name] = self.partial_function(base)
        values: dict[Expr, Expr] = {Var((v.name,)): Var((v.name,)) for v in base.inputs()}
        result: Expr = Call(base_name, *values)
        for name in inputs:
            result = Differentiation(_along(name), self).of(result)
        outputs = base.outputs()[:1]
        body = (Assign(Var((outputs[0].name,)), result),)
        return Function(function.name, (*base.inputs(), *outputs), body, span=function.span)

    def with_bodies(self, functions: Iterable[Function]) -> dict[ClassName, Function]:
        """Those declared as `der(f, x)`, as functions that can be called."""
        declared = (f for f in functions if f.partial_derivative_of is not None)
        return {function.name: self.partial_function(function) for function in declared}


def _along(name: str) -> DerivativeOf:
    return lambda var: ONE if var.name == (name,) else ZERO


def _inlined(function: Function | None, args: tuple[Expr, ...]) -> Expr | None:
    """The formula of a derivative that asks for it: then equations show that they are linear in the
    changes. One with derivatives of its own may be differentiated again and stays a call."""
    if function is None or not function.inline or function.derivatives:
        return None
    if len(function.outputs()) != 1 or any(rank(v) for v in function.variables):
        return None
    formulas = inline_call(function, args)
    return None if formulas is None or isinstance(formulas[0], Record) else formulas[0]


def _applicable(
    function: Function, changes: tuple[Expr, ...], is_time: bool
) -> DerivativeInfo | None:
    """The first annotation whose inputs of zero derivative indeed do not change. Inputs without derivative
    have their part in others as the model moves (a speed beside an angle); in other directions they must
    not change either."""
    still = {v.name for v, c in zip(function.inputs(), changes, strict=False) if is_zero(c)}
    for info in function.derivatives:
        rest = info.zero_derivative if is_time else (*info.zero_derivative, *info.no_derivative)
        if set(rest) <= still:
            return info
    return None


def _has_code(function: Function) -> bool:
    """That can be differentiated."""
    has_code = bool(function.body) or all(v.default for v in function.outputs())
    return function.external is None and has_code and not function.is_impure


def zero_like(arg: Expr) -> Expr:
    """Zeros in the shape of an argument made of scalars."""
    if isinstance(arg, Array | Record):
        return arg.with_args(tuple(zero_like(part) for part in arg.args))
    return ZERO


def is_smooth(variable: FunctionVariable) -> bool:
    """Real, or a record of Reals: what derivatives by annotation take."""
    return is_smooth_type(variable.type.scalar)


def _whole_change(variable: FunctionVariable, value: Expr, change: Expr) -> Expr:
    kind = variable.type.scalar
    if rank(variable) or not isinstance(kind, RecordType):
        return change
    return no_change(kind, 0, value) if is_zero(change) else completed(kind, value, change)


# ---------------------------------------------------------------- making a derivative


def _change_name(name: str, taken: set[str]) -> str:
    result = f"der_{name}"
    while result in taken:
        result += "_"
    return result


def _names(function: Function) -> dict[str, str]:
    taken = {v.name for v in function.variables}
    moving = [v.name for v in function.variables if has_reals(v.type.scalar) and not v.is_constant]
    return {name: _change_name(name, taken) for name in moving}


def _header(function: Function, name: ClassName) -> Function:
    """Inputs, their changes, the changes of outputs; the outputs themselves become locals."""
    changes = _names(function)
    inputs = function.inputs()
    moving = [replace(v, name=changes[v.name], default=None) for v in inputs if v.name in changes]
    outputs = [
        replace(v, name=changes[v.name], default=None) if v.name in changes else v
        for v in function.outputs()
    ]
    rest = [v for v in function.variables if v.role == "local"]
    own = [replace(v, role="local") for v in function.outputs() if v.name in changes]
    locals_ = [replace(v, name=changes[v.name], default=None) for v in rest if v.name in changes]
    variables = (*inputs, *moving, *outputs, *own, *rest, *locals_)
    return Function(name, tuple(variables), inline=function.inline, span=function.span)


class _Maker:
    def __init__(self, function: Function, derivatives: FunctionDerivatives) -> None:
        self.function = function
        self.changes = _names(function)
        self.variables = {v.name: v for v in function.variables}
        has_arrays = any(rank(v) for v in function.variables)
        self.rule = Differentiation(self._change, derivatives, has_arrays=has_arrays)

    def make(self, name: ClassName) -> Function:
        defaults = [
            self._assign_change(Var((variable.name,)), variable.default)
            for variable in by_dependence(list(self.function.variables))
            if variable.name in self.changes
            and variable.role != "input"
            and variable.default is not None
        ]
        body = self._block(self.function.body)
        return replace(_header(self.function, name), body=(*defaults, *body))

    def _change(self, var: Var) -> Expr:
        name = self.changes.get(str(var.name[0]))
        return ZERO if name is None else Var((name, *var.name[1:]))

    def _block(self, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        result: list[Statement] = []
        for statement in body:
            result.extend(self._statement(statement))
        return tuple(result)

    def _statement(self, statement: Statement) -> list[Statement]:
        """First the change, from the values before the assignment; then the assignment."""
        if isinstance(statement, Assign):
            place = self._target_change(statement.target)
            if place is None:
                return [statement]
            return [self._assign_change(statement.target, statement.value), statement]
        if isinstance(statement, TupleAssign):
            return [*self._tuple_changes(statement), statement]
        if isinstance(statement, IfStatement):
            branches = tuple((c, self._block(body)) for c, body in statement.branches)
            otherwise = self._block(statement.otherwise)
            return [replace(statement, branches=branches, otherwise=otherwise)]
        if isinstance(statement, ForStatement | WhileStatement):
            return [replace(statement, body=self._block(statement.body))]
        return [statement]

    def _target_change(self, target: Expr) -> Expr | None:
        """The same place in the variable of changes."""
        if isinstance(target, Var):
            change = self._change(target)
            return None if change is ZERO else change
        assert isinstance(target, Index | Field)
        base = self._target_change(target.args[0])
        return None if base is None else target.with_args((base, *target.args[1:]))

    def _assign_change(self, target: Expr, value: Expr) -> Assign:
        place = self._target_change(target)
        assert place is not None
        kind, dims = self._type_of(target)
        if not has_reals(kind):  # beside Reals in a record
            return Assign(place, no_change(kind, dims, value))
        change = self.rule.of(value)
        if not is_zero(change):
            return Assign(place, change if dims else completed(kind, value, change))
        return Assign(place, no_change(kind, dims, value))

    def _type_of(self, target: Expr) -> tuple[Scalar, int]:
        """Scalar type and number of dimensions of a place that is assigned."""
        if isinstance(target, Var):
            variable = self.variables[str(target.name[0])]
            kind, dims = variable.type.scalar, rank(variable)
            labels = target.name[1:]
        else:
            kind, dims = self._type_of(target.args[0])
            if isinstance(target, Index) and kind == REAL:
                return kind, dims  # a subscript may be a vector
            if isinstance(target, Index):
                return kind, dims - sum(not _is_section(k) for k in target.args[1:])
            labels = (target.data,)
        for label in labels:
            assert isinstance(kind, RecordType)
            part = kind.field(str(label))
            assert part is not None
            kind, dims = part.scalar, dims + len(part.dims)
        return kind, dims

    def _tuple_changes(self, statement: TupleAssign) -> list[Statement]:
        change = self.rule.of(statement.call)
        targets = tuple(
            None if target is None else self._target_change(target) for target in statement.targets
        )
        if all(target is None for target in targets):
            return []
        if not is_zero(change):
            return [TupleAssign(targets, change, statement.span)]
        return [
            self._assign_change(target, Output(number, statement.call))
            for number, target in enumerate(statement.targets, start=1)
            if target is not None and self._target_change(target) is not None
        ]


def _is_section(subscript: Expr) -> bool:
    """That leaves a dimension."""
    return isinstance(subscript, Colon | Range)
