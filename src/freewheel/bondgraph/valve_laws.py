"""Switches and diodes of the modeller's own: two laws, of which a position chooses one.

    0 = if open then i else u          open: no flow, closed: no effort
    0 = open*i + (1 - open)*u          the same with a number that is one or zero

Each position is read by itself. A law without flow and one without effort are the two sides of an ideal
valve; a resistance in place of one of them is its loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace as with_fields

from freewheel.bondgraph.laws import Learnt
from freewheel.bondgraph.nodes import Kind
from freewheel.formula.nodes import Boolean, Expr, If, Real, Var
from freewheel.formula.walk import replace

Residuals = list[Expr]


def positions_of(
    residuals: Sequence[Expr], candidates: Sequence[Var]
) -> Iterator[tuple[Residuals, Residuals, bool]]:
    """Pairs of systems that may be the two positions of a valve: by conditions, then (true) by each of
    the variables that may be zero or one."""
    if any(_conditions(residual) for residual in residuals):
        yield _chosen(residuals, True), _chosen(residuals, False), False
    for variable in candidates:
        yield _with(residuals, variable, 1.0), _with(residuals, variable, 0.0), True


def valve_of(
    one: Learnt | None, other: Learnt | None, decides_itself: bool, must_be_ideal: bool
) -> Learnt | None:
    """What two positions make together; `decides_itself` tells a diode from a switch.

    A number that is zero or one must make an ideal one: others make a resistance by a signal.
    """
    if one is None or other is None or (must_be_ideal and Kind.R in (one.kind, other.kind)):
        return None
    if one.kind is Kind.R and other.kind is Kind.R:
        return Learnt(Kind.R)  # it bends, and has no single number
    sides = {learnt.kind: learnt for learnt in (one, other)}
    kind = Kind.D if decides_itself else Kind.SW
    losses = []
    for ideal, loss in ((Kind.SE, "Ron"), (Kind.SF, "Goff")):
        if ideal in sides:
            if not _is_zero(sides[ideal]):
                return None
            losses.append((loss, 0.0))
        elif Kind.R not in sides:
            return None
        else:
            value = dict(sides[Kind.R].parameters).get("R")
            if not value:
                return None
            losses.append((loss, value if loss == "Ron" else 1.0 / value))
    return with_fields(Learnt(kind, tuple(losses)), ports=one.ports)


def _is_zero(source: Learnt) -> bool:
    return source.signal is not None and dict(source.signal.parameters).get("k") == 0.0


def _conditions(expr: Expr) -> bool:
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, If) and not isinstance(node.args[0], Boolean):
            return True
        stack += node.args
    return False


def _chosen(residuals: Sequence[Expr], is_first: bool) -> Residuals:
    """All conditions true, or all false."""

    def branch(node: Expr) -> Expr | None:
        if not isinstance(node, If):
            return None
        inner = node.args[1] if is_first else node.args[2]
        return replace(inner, branch, {})

    return [replace(residual, branch, {}) for residual in residuals]


def _with(residuals: Sequence[Expr], variable: Var, value: float) -> Residuals:
    return [
        replace(residual, lambda node: Real(value) if node == variable else None, {})
        for residual in residuals
    ]
