"""Equations of the classic language to equations of Modelica.

    new(Velocity) = -c*Velocity   in a when      reinit(Velocity, -c*pre(Velocity))
    new(x) + a*x = b*u            in a when      x = b*u - a*pre(x)
    new(Open) = u <= 0 and not i > 0             Open = u <= 0 and not i > 0
    0 = if Open then i else u                    0 = if pre(Open) then i else u

A variable that `new` is said of keeps its value between events, unless it appears differentiated: then
it is a state, and `new` makes it jump. Of one that keeps its value, Modelica's `x` is the value after the
event, `pre(x)` the one before: what the classic language calls `new(x)` and `x`. So equations go on to
see the old value until all changes are made, as the documents say of the iteration at an event.

A machine, logical variables whose new values depend on old ones, is read the other way round: only its own
transitions see old values. Its states are then solved together with what depends on them. The fixed points
are the same, but iterating as above goes in circles where a force equals its threshold but for rounding.

    new(Forward) = Start and v > 0 or ...        Forward = pre(Start) and v > 0 or ...
    fr = if Forward then Rm else ...             fr = if Forward then Rm else ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.source import Source, Span
from freewheel.dymola.isolate import isolated
from freewheel.dymola.kinds import parts
from freewheel.dymola.lexer import TIME
from freewheel.dymola.nodes import Model
from freewheel.formula.intrinsics import ROWS
from freewheel.syntax.equation_nodes import (
    AnyEquation,
    CallEquation,
    Equation,
    EquationBranch,
    WhenEquation,
)
from freewheel.syntax.expression_nodes import (
    ArrayLiteral,
    Binary,
    Call,
    ComponentRef,
    Expr,
    IfExpr,
    RefPart,
    Unary,
)

# Names of the papers, and what they are called in Modelica.
FUNCTIONS = {row.classic: row.name for row in ROWS if row.classic}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What names mean in one class."""

    source: Source
    held: frozenset[str] = frozenset()  # variables that change at events only, by `new`
    machine: frozenset[str] = frozenset()  # such variables whose new value depends on old ones
    states: frozenset[str] = frozenset()  # variables that appear differentiated
    logical: frozenset[str] = frozenset()
    whole: frozenset[str] = frozenset()  # numbers that keep their value without a `when`


def equations_of(model: Model) -> Iterator[Equation]:
    """All of a class, those inside of `when` too."""
    for equation in model.equations:
        if isinstance(equation, Equation):
            yield equation
        else:
            yield from _inside(equation)


def expressions_of(model: Model) -> Iterator[Expr]:
    for equation in equations_of(model):
        yield equation.left
        yield equation.right
    for whole in model.equations:
        if isinstance(whole, WhenEquation):
            yield from (branch.condition for branch in whole.branches)


def _inside(equation: WhenEquation) -> Iterator[Equation]:
    for branch in equation.branches:
        yield from (inner for inner in branch.body if isinstance(inner, Equation))


def named_by(model: Model, function: str) -> frozenset[str]:
    """The variables of the class itself that `function(x)` is said of."""
    found = (part for expr in expressions_of(model) for part in parts(expr))
    return frozenset(
        arg.names[0]
        for part in found
        if isinstance(part, Call) and part.function.names == (function,)
        for arg in part.args
        if isinstance(arg, ComponentRef) and len(arg.names) == 1
    )


def machine_states(model: Model, logical: frozenset[str]) -> frozenset[str]:
    """Logical variables with `new(x) = ...` outside of `when`, where the dots name logical ones, and
    those they name."""
    changing: set[str] = set()
    found: set[str] = set()
    for equation in model.equations:
        if isinstance(equation, WhenEquation):
            continue
        sides = (equation.left, equation.right)
        news = _new_in(sides)
        targets = {name for call in news for name in _names(call)}
        inside = {id(arg) for call in news for arg in call.args}
        named = {
            part.names[0]
            for side in sides
            for part in parts(side)
            if isinstance(part, ComponentRef) and id(part) not in inside
        }
        changing |= targets
        if news and named & logical:
            found |= targets | named
    return frozenset(found & changing & logical)


def set_in_when(model: Model) -> frozenset[str]:
    """Variables that a when-equation gives, without `new`."""
    found: set[str] = set()
    for equation in model.equations:
        if isinstance(equation, WhenEquation):
            sides = [(e.left, e.right) for e in _inside(equation)]
            for left, right in sides:
                target = left if isinstance(left, ComponentRef) else right
                if isinstance(target, ComponentRef) and not _new_in((left, right)):
                    found.add(target.names[0])
    return frozenset(found)


# ---------------------------------------------------------------- expressions


def lower_expression(expr: Expr, meaning: Meaning, before: frozenset[str] = frozenset()) -> Expr:
    """`before` names further variables whose value before the event is meant."""
    if isinstance(expr, ComponentRef):
        return _reference(expr, meaning, before)
    if isinstance(expr, Call):
        return _call(expr, meaning, before)

    def low(inner: Expr) -> Expr:
        return lower_expression(inner, meaning, before)

    if isinstance(expr, Unary):
        return expr._replace(operand=low(expr.operand))
    if isinstance(expr, Binary):
        return expr._replace(left=low(expr.left), right=low(expr.right))
    if isinstance(expr, IfExpr):
        branches = tuple((low(condition), low(value)) for condition, value in expr.branches)
        return expr._replace(branches=branches, otherwise=low(expr.otherwise))
    return expr


def _reference(ref: ComponentRef, meaning: Meaning, before: frozenset[str]) -> Expr:
    if ref.names == (TIME,):
        return ref._replace(parts=(RefPart("time"),))
    name = ref.names[0]
    if len(ref.names) == 1 and (name in meaning.held or name in before):
        return Call(ref.start, ref.end, _word("pre", ref), (ref,), ())
    return ref


def _call(call: Call, meaning: Meaning, before: frozenset[str]) -> Expr:
    name = call.function.names[0]
    if name == "new":
        target = _target(call, meaning)
        if target.names[0] in meaning.states:
            raise _wrong(
                meaning,
                call,
                f"`{target.names[0]}` appears differentiated: `new` of it belongs into a `when`",
                f"write `when ... then new({target.names[0]}) = ... endwhen`",
            )
        return target
    if name == "der" and not (len(call.args) == 1 and isinstance(call.args[0], ComponentRef)):
        raise _wrong(meaning, call, "`der` takes one variable", "give the expression a name")
    function = call.function
    if len(call.function.names) == 1 and name in FUNCTIONS:
        function = _word(FUNCTIONS[name], call.function)
    if name in ("der", "pre"):  # `pre(x)`, as later texts write: the old value whatever `x` is
        return call
    args = tuple(lower_expression(arg, meaning, before) for arg in call.args)
    return call._replace(function=function, args=args)


def _target(call: Call, meaning: Meaning) -> ComponentRef:
    if len(call.args) == 1:
        target = call.args[0]
        if isinstance(target, ComponentRef) and len(target.names) == 1:
            return target
    raise _wrong(meaning, call, "`new` takes one variable of this model", "as in `new(x) = x + 1`")


def _word(text: str, at: ComponentRef) -> ComponentRef:
    return ComponentRef(at.start, at.end, (RefPart(text),))


def _wrong(meaning: Meaning, at: Expr | Equation, message: str, cure: str) -> CompileError:
    return error("S046", message, Span(meaning.source, at.start, at.end), help=cure)


# ---------------------------------------------------------------- equations


def lower_equation(equation: Equation | WhenEquation, meaning: Meaning) -> AnyEquation:
    if isinstance(equation, WhenEquation):
        return _lower_when(equation, meaning)
    for call in _new_in((equation.left, equation.right)):
        target = _target(call, meaning)
        name = target.names[0]
        if name not in meaning.states | meaning.logical | meaning.whole:
            raise _wrong(
                meaning,
                call,
                f"`new({name})` of a number belongs into a `when`",
                "say when it changes: `when ... then new(x) = ... endwhen`;"
                " only logical variables and choices of whole numbers are watched all the time",
            )
    news = {name for call in _new_in((equation.left, equation.right)) for name in _names(call)}
    before = meaning.logical if news & meaning.machine else frozenset[str]()
    left = lower_expression(equation.left, meaning, before)
    right = lower_expression(equation.right, meaning, before)
    return equation._replace(left=left, right=right)


def _names(call: Call) -> set[str]:
    return {arg.names[0] for arg in call.args if isinstance(arg, ComponentRef)}


def _lower_when(equation: WhenEquation, meaning: Meaning) -> WhenEquation:
    branches: list[EquationBranch] = []
    for branch in equation.branches:
        inner = [e for e in branch.body if isinstance(e, Equation)]
        news = [call for e in inner for call in _new_in((e.left, e.right))]
        jumping = {_target(call, meaning).names[0] for call in news} & meaning.states
        body = tuple(_instantaneous(e, meaning, frozenset(jumping)) for e in inner)
        condition = lower_expression(branch.condition, meaning)
        if _is_schedule(branch.condition, meaning):
            condition, body = _from_the_start_on(condition, body)
        branches.append(branch._replace(condition=condition, body=body))
    return equation._replace(branches=tuple(branches))


def _is_schedule(condition: Expr, meaning: Meaning) -> bool:
    """`Time >= NextTime`, where NextTime keeps its value between events."""
    if not isinstance(condition, Binary) or condition.op not in (">=", "<="):
        return False
    sides = (condition.left, condition.right)
    time, other = sides if condition.op == ">=" else sides[::-1]
    return (
        isinstance(time, ComponentRef)
        and time.names == (TIME,)
        and isinstance(other, ComponentRef)
        and len(other.names) == 1
        and other.names[0] in meaning.held
    )


def _from_the_start_on(
    condition: Expr, body: tuple[AnyEquation, ...]
) -> tuple[Expr, tuple[AnyEquation, ...]]:
    """Before the run it was earlier: a condition on the time that holds at the start becomes true there.
    States that jump do not do so at the start."""
    found: list[AnyEquation] = []
    for one in body:
        if not isinstance(one, Equation) or not isinstance(one.left, ComponentRef):
            return condition, body
        if len(one.left.names) > 1:
            return condition, body
        place = (one.start, one.end)
        old = Call(*place, _word("pre", one.left), (one.left,), ())
        found.append(one._replace(right=IfExpr(*place, ((condition, one.right),), old)))
    place = (condition.start, condition.end)
    name = ComponentRef(*place, (RefPart("initial"),))
    return ArrayLiteral(*place, (Call(*place, name, (), ()), condition)), tuple(found)


def _instantaneous(equation: Equation, meaning: Meaning, jumping: frozenset[str]) -> AnyEquation:
    news = _new_in((equation.left, equation.right))
    if not news:
        return _given(equation, meaning, jumping)
    value = isolated(equation.left, equation.right, news[0]) if len(news) == 1 else None
    if value is None:
        raise _wrong(
            meaning,
            equation,
            "this equation cannot be solved for the `new` in it",
            "write it as `new(x) = ...`; each equation gives one new value",
        )
    target = _target(news[0], meaning)
    lowered = lower_expression(value, meaning, jumping)
    start, end = equation.start, equation.end
    if target.names[0] in meaning.states:
        call = Call(start, end, _word("reinit", target), (target, lowered), ())
        return CallEquation(start, end, call, None)
    return Equation(start, end, target, lowered, None)


def _given(equation: Equation, meaning: Meaning, jumping: frozenset[str]) -> AnyEquation:
    left, right = equation.left, equation.right
    if not isinstance(left, ComponentRef):
        left, right = right, left
    if not isinstance(left, ComponentRef):
        raise _wrong(
            meaning,
            equation,
            "an equation inside of `when` gives one variable",
            "write it as `x = ...` or `new(x) = ...`",
        )
    return equation._replace(left=left, right=lower_expression(right, meaning, jumping))


def _new_in(expressions: Iterable[Expr]) -> list[Call]:
    return [
        part
        for expr in expressions
        for part in parts(expr)
        if isinstance(part, Call) and part.function.names == ("new",)
    ]
