"""`semiLinear` in a row: what flows through several parts comes from one end of them.

    y = semiLinear(x, sa, s1)         s1 = if x >= 0 then sa else sb
    y = semiLinear(x, s1, s2)    ->   s2 = s1
    y = semiLinear(x, s2, sb)         y = semiLinear(x, sa, sb)

At x = 0 the equations on the left hold for any s1 and s2; those on the right still give values, the
ones of the end that flow came from (Modelica 3.6, section "semiLinear", first rule). Here
`semiLinear(x, a, b)` has become `if x >= 0 then a*x else b*x` already, and aliases are gone: signs
of x and y may be turned, which the normal form takes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import ZERO, Binary, Expr, If, Unary, Var
from freewheel.structure.nodes import AliasFree, ScalarEquation


@dataclass(frozen=True, slots=True)
class _Flow:
    """Equation number `at` says `y = semiLinear(x, forward, backward)`."""

    at: int
    y: Var
    x: Var
    forward: Expr
    backward: Expr


def directed(aliases: AliasFree) -> AliasFree:
    """The same model with rows of `semiLinear` resolved."""
    equations = list(aliases.model.equations)
    together: dict[tuple[Var, Var], list[_Flow]] = {}
    for at, equation in enumerate(equations):
        flow = _flow(at, equation)
        if flow is not None:
            together.setdefault((flow.y, flow.x), []).append(flow)
    rows = [row for flows in together.values() for row in _rows(flows)]
    for row in rows:
        for flow, (left, right) in zip(row, _resolved(row), strict=True):
            equations[flow.at] = replace(equations[flow.at], left=left, right=right)
    return replace(aliases, model=replace(aliases.model, equations=tuple(equations)))


def _flow(at: int, equation: ScalarEquation) -> _Flow | None:
    if equation.target is not None:
        return None
    for given, value in ((equation.left, equation.right), (equation.right, equation.left)):
        y, sign = _signed(given), 1
        if isinstance(value, Unary) and value.op == "-":
            value, sign = value.args[0], -1
        slopes = _slopes(value) if y is not None and isinstance(value, If) else None
        if y is not None and slopes is not None and slopes[0] is not y[0]:
            x, *factors = slopes
            forward, backward = factors if y[1] * sign > 0 else map(build.neg, factors)
            return _Flow(at, y[0], x, forward, backward)
    return None


def _signed(expr: Expr) -> tuple[Var, int] | None:
    """`x` or `-x`."""
    if isinstance(expr, Var):
        return expr, 1
    if isinstance(expr, Unary) and expr.op == "-" and isinstance(expr.args[0], Var):
        return expr.args[0], -1
    return None


def _slopes(node: If) -> tuple[Var, Expr, Expr] | None:
    """(x, its factor where it is positive, its factor where it is negative)."""
    condition, positive, negative = node.args
    if not (isinstance(condition, Binary) and condition.op in (">=", ">", "<=", "<")):
        return None
    if not build.is_zero(condition.args[1]):
        return None
    found = _signed(condition.args[0])
    factors = carried_by(condition.args[0], (positive, negative))
    if found is None or factors is None:
        return None
    is_turned = (found[1] < 0) != (condition.op in ("<=", "<"))
    forward, backward = reversed(factors) if is_turned else factors
    return found[0], forward, backward


def carried_by(flow: Expr, branches: Sequence[Expr]) -> list[Expr] | None:
    """`a`, `b` of the branches `a*x`, `b*x`, where the flow is x or -x; None where they are not like that."""
    found = _signed(flow)
    if found is None:
        return None
    factors = [_factor(branch, found[0]) for branch in branches]
    known = [factor for factor in factors if factor is not None]
    return known if len(known) == len(factors) else None


def _factor(expr: Expr, x: Var) -> Expr | None:
    """`a` of `a*x`."""
    form = linear_form(expr, (x,))
    return form[0][0] if form is not None and build.is_zero(form[1]) else None


def _rows(flows: Sequence[_Flow]) -> Iterator[list[_Flow]]:
    """Flows whose backward end is the forward end of the next; each link stands between two."""
    following: dict[Expr, _Flow] = {
        flow.forward: flow for flow in flows if _signed(flow.forward) is not None
    }
    links = [flow.backward for flow in flows if flow.backward in following]
    if len({flow.forward for flow in flows}) < len(flows) or len(set(links)) < len(links):
        return  # two begin or end at the same place: no row
    for first in flows:
        if first.forward in links:
            continue
        row = [first]
        while (more := following.get(row[-1].backward)) is not None:
            row.append(more)
        if len(row) > 1:
            yield row


def _resolved(row: Sequence[_Flow]) -> Iterator[tuple[Expr, Expr]]:
    first, last = row[0], row[-1]
    positive = Binary(">=", first.x, ZERO)
    yield first.backward, If(positive, first.forward, last.backward)
    for before, flow in pairwise(row[:-1]):
        yield flow.backward, before.backward
    ends = (build.times(first.forward, first.x), build.times(last.backward, first.x))
    yield first.y, If(positive, *ends)
