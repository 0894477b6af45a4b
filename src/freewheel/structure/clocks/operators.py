"""The clock operators, and what of an expression belongs to which side of them.

    y = sample(u, c) + previous(x)      u is outside, y and x are inside, c is a clock

In: scalar expressions in which der and pre are variables already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from freewheel.formula.nodes import Call, Expr, If, Index, Var
from freewheel.formula.walk import calls_in
from freewheel.structure.atoms import DER, PRE

# Their first argument is on another clock than their result.
SUB_CLOCK = frozenset(("subSample", "superSample", "shiftSample", "backSample", "noClock"))
BASE_CLOCK = frozenset(("sample", "hold"))
CONVERSIONS = SUB_CLOCK | BASE_CLOCK
INSIDE = frozenset(("previous", "interval", "firstTick"))
OPERATORS = CONVERSIONS | INSIDE | {"Clock"}

IsClock = Callable[[Expr], bool]


@dataclass(slots=True)
class Terms:
    """What an expression mentions, sorted by side."""

    inside: dict[Var, None] = field(default_factory=dict)  # der(x), pre(x) count as x
    conversions: dict[Call, None] = field(default_factory=dict)
    marks: dict[Call, None] = field(default_factory=dict)  # previous, interval, firstTick
    clocks: dict[Expr, None] = field(default_factory=dict)  # clocks this expression is on


def has_clocks(*roots: Expr) -> bool:
    return any(call.function in OPERATORS for call in calls_in(*roots))


def terms_of(roots: tuple[Expr, ...], is_clock: IsClock) -> Terms:
    """Walk down to conversions, not into their first arguments."""
    terms = Terms()
    seen: set[Expr] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, Var):
            terms.inside[_plain(node)] = None
        elif isinstance(node, Call) and node.function in CONVERSIONS:
            terms.conversions[node] = None
            if node.function == "sample" and len(node.args) == 2:
                terms.clocks[node.args[1]] = None
        elif isinstance(node, Call) and node.function in INSIDE:
            terms.marks[node] = None
            for arg in node.args:
                if is_clock(arg):
                    terms.clocks[arg] = None
                else:
                    stack.append(arg)
        else:
            stack.extend(reversed(node.args))
    return terms


def _plain(var: Var) -> Var:
    name = var.name
    while name[0] in (DER, PRE):
        name = name[1:]
    return var if name is var.name else Var(name)


def clock_test(is_clock_variable: Callable[[Var], bool]) -> IsClock:
    """Is this expression a clock (not a clocked value)?"""

    def test(expr: Expr) -> bool:
        while True:
            if isinstance(expr, Var):
                return is_clock_variable(expr)
            if isinstance(expr, If):
                expr = expr.args[1]
            elif isinstance(expr, Index) or (isinstance(expr, Call) and expr.function in SUB_CLOCK):
                expr = expr.args[0]
            else:
                return isinstance(expr, Call) and expr.function == "Clock"

    return test
