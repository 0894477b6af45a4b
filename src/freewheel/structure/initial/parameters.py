"""Parameters are data: independent ones are numbers in the memory, the others are computed from
them in order, once per run.

    parameter Real a = 2;  parameter Real b = 2*a      ->      a: a number,  b = 2*a

Constants, strings and what flattening has used already are put in as values. A parameter with
`fixed = false` is an unknown of the initial system, and so is everything computed from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.names import Name, show
from freewheel.base.source import NOWHERE
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import Expr, If, Integer, Real, Var
from freewheel.formula.types import STRING, ExternalObjectType
from freewheel.formula.values import to_expr
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import components
from freewheel.structure.initial.diagnostics import circular_parameters, text_of_run
from freewheel.structure.nodes import ScalarVariable, Solved
from freewheel.structure.values import ParameterValues


@dataclass(frozen=True, slots=True)
class Parameters:
    """Three kinds: computed at the start of a run, found by the initial system, plain numbers."""

    computed: tuple[Solved, ...]
    free: tuple[Var, ...]  # `fixed = false`
    late: tuple[Solved, ...]  # computed from free ones
    warnings: tuple[Diagnostic, ...] = ()


def fixed_values(variables: Sequence[ScalarVariable], values: ParameterValues) -> dict[Name, Expr]:
    """Constants, strings, structural and final parameters with a known value, as literals."""
    result: dict[Name, Expr] = {}
    for variable in variables:
        if variable.variability > Variability.PARAMETER:
            continue
        if isinstance(variable.type, ExternalObjectType):
            continue
        is_constant = variable.variability == Variability.CONSTANT
        is_settled = is_constant or variable.is_structural or _is_settled(variable)
        if is_settled or variable.type == STRING:
            value = values.value(Var(variable.name))
            if value is not None:
                result[variable.name] = to_expr(value)
    result |= _behind_texts(variables, values, result)
    return result | _breaking_circles(variables, values, result)


def _behind_texts(
    variables: Sequence[ScalarVariable], values: ParameterValues, known: Mapping[Name, Expr]
) -> dict[Name, Expr]:
    """`s = String(p)`: texts have no place in the memory, so `p` cannot change without compiling anew."""
    bound = {v.name: v.binding for v in variables if v.variability == Variability.PARAMETER}
    waiting = [b for v in variables if v.type == STRING and (b := bound.get(v.name)) is not None]
    result: dict[Name, Expr] = {}
    while waiting:
        for var in variables_in(waiting.pop()):
            if var.name in known or var.name in result or var.name not in bound:
                continue
            value = values.value(var)
            if value is not None:
                result[var.name] = to_expr(value)
            binding = bound[var.name]
            waiting += [] if binding is None else [binding]
    return result


def _is_settled(variable: ScalarVariable) -> bool:
    """`final k = 1`: it cannot be changed any more."""
    return variable.is_final and isinstance(variable.binding, Integer | Real)


def _breaking_circles(
    variables: Sequence[ScalarVariable], values: ParameterValues, known: Mapping[Name, Expr]
) -> dict[Name, Expr]:
    """`T = if useT then 300 else f(h)`, `h = if useT then g(T) else 0`: a circle until `useT` is
    decided. What decides cannot be changed without compiling anew."""
    bound = {
        v.name: v.binding
        for v in variables
        if v.variability == Variability.PARAMETER and v.binding is not None and v.name not in known
    }
    if not any(isinstance(binding, If) for binding in bound.values()):
        return {}
    names = list(bound)
    number = {name: k for k, name in enumerate(names)}
    needs = [_needs(binding, number) for binding in bound.values()]
    waiting = [
        var.name
        for group in components(needs)
        if len(group) > 1
        for member in group
        for condition in _conditions(bound[names[member]])
        for var in variables_in(condition)
    ]
    result: dict[Name, Expr] = {}
    while waiting:
        name = waiting.pop()
        value = None if name in result or name in known else values.value(Var(name))
        if value is not None:
            result[name] = to_expr(value)
            waiting.extend(names[k] for k in (needs[number[name]] if name in number else ()))
    return result


def _conditions(expr: Expr) -> list[Expr]:
    found: list[Expr] = []
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, If):
            found.append(node.args[0])
        stack.extend(node.args)
    return found


def sort_parameters(
    variables: Sequence[ScalarVariable], values: ParameterValues, fixed: Mapping[Name, Expr]
) -> Parameters:
    """Order the parameters that depend on others."""
    table = {
        v.name: v
        for v in variables
        if v.variability <= Variability.PARAMETER and v.name not in fixed
    }
    free = tuple(
        Var(v.name)
        for v in table.values()
        if v.fixed is not None and values.truth(v.fixed) is False
    )
    unknown = set(free)
    bound = [v for v in table.values() if v.binding is not None and Var(v.name) not in unknown]
    number = {v.name: k for k, v in enumerate(bound)}
    needs = [_needs(v.binding, number) for v in bound if v.binding is not None]
    order: list[Solved] = []
    for group in components(needs):
        first = bound[group[0]]
        if len(group) > 1 or group[0] in needs[group[0]]:
            raise circular_parameters([bound[k] for k in group])
        assert first.binding is not None
        if variables_in(first.binding) or _is_object(first) or values.value(first.binding) is None:
            if first.type == STRING:
                raise text_of_run(first, values.problem(first.binding))
            order.append(Solved(Var(first.name), first.binding, -1))
    late = _depending(order, free)
    return Parameters(
        tuple(step for step in order if step.target not in late),
        free,
        tuple(step for step in order if step.target in late),
        _without_value(table.values(), set(free)),
    )


def _is_object(variable: ScalarVariable) -> bool:
    return isinstance(variable.type, ExternalObjectType)


def _needs(binding: Expr, number: Mapping[Name, int]) -> list[int]:
    return [number[var.name] for var in variables_in(binding) if var.name in number]


def _depending(order: Sequence[Solved], free: Sequence[Var]) -> set[Var]:
    late: set[Var] = set(free)
    for step in order:
        if any(var in late for var in variables_in(step.value)):
            late.add(step.target)
    return late - set(free)


def _without_value(table: Iterable[ScalarVariable], free: set[Var]) -> tuple[Diagnostic, ...]:
    silent = [
        v
        for v in table
        if v.binding is None and v.start is None and Var(v.name) not in free and not _is_object(v)
    ]
    if not silent:
        return ()
    names = ", ".join(f"`{show(v.name)}`" for v in silent[:6])
    more = f" and {len(silent) - 6} more" if len(silent) > 6 else ""
    return (
        Diagnostic(
            "E005",
            f"no value is given for {names}{more}; zero is used",
            tuple(Label(v.span, "no value") for v in silent[:3] if v.span is not NOWHERE),
            help="give each parameter a value",
            severity=Severity.WARNING,
        ),
    )
