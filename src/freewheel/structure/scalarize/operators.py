"""Operators of the language become quantities and plain formulas.

    der(x)  -> Var(("$der", "x"))            edge(b)   -> b and not pre(b)
    pre(b)  -> Var(("$pre", "b"))            sample(a, b) -> the flag of a sample clock
    initial() -> $initial                    semiLinear(x, a, b) -> if x >= 0 then a*x else b*x
    delay(x, T) -> a value out of a history (events/delays.py), spatialDistribution(..) too

`noEvent` and `smooth` stay for crossings.py, `homotopy` for phase.py. In: scalar expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.differentiate import time_derivative
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import ONE, TIME, ZERO, Binary, Call, Expr, If, Unary, Var
from freewheel.formula.types import CLOCK
from freewheel.formula.walk import calls_in, map_bottom_up, variables_in
from freewheel.structure.atoms import INITIAL, TERMINAL, der_of, pre_of, sample_flag
from freewheel.structure.clocks.operators import clock_test
from freewheel.structure.events.delays import DelayLines
from freewheel.structure.events.spatial_distribution import Pipes
from freewheel.structure.nodes import SampleClock, ScalarVariable

# Known to the language, not yet to this room.
UNSUPPORTED = frozenset((*("cardinality", "inStream", "actualStream"),))


class Operators:
    """Rewrites expressions; collects the sample clocks it meets."""

    def __init__(
        self, variables: Mapping[Name, ScalarVariable], derivatives: FunctionDerivatives
    ) -> None:
        self.variables = variables
        self.derivatives = derivatives
        self.decide: Callable[[Expr], bool | None] = lambda condition: None
        self.number: Callable[[Expr], float | None] = lambda expr: None
        self.delays = DelayLines(
            self.variability, lambda expr: self.number(expr), lambda expr: self.decide(expr)
        )
        self.pipes = Pipes(self.delays)
        self.span: Span = NOWHERE
        self.samples: dict[tuple[Expr, ...], SampleClock] = {}
        self.is_clock = clock_test(self._is_clock_variable)
        self.memo: dict[Expr, Expr] = {}

    def rewrite(self, expr: Expr, span: Span) -> Expr:
        if not calls_in(expr):
            return expr
        self.span = span
        try:
            return map_bottom_up(expr, self._visit, self.memo)
        except _UnsupportedError as problem:
            raise problem.at(span) from None

    def _visit(self, node: Expr) -> Expr:
        if isinstance(node, If):
            return self._chosen(node)
        if not isinstance(node, Call) or not isinstance(node.function, str):
            return node
        rule = _RULES.get(node.function)
        if rule is not None:
            return rule(self, node)
        if node.function in UNSUPPORTED:
            raise _UnsupportedError(node.function)
        return node

    def _chosen(self, node: If) -> Expr:
        """Where a parameter decides what an equation is about (`if quasiStatic then 0 else
        L*der(i)`), its value is taken now: no order of evaluation suits both branches."""
        condition, then, otherwise = node.args
        if any(self.variability(var) > Variability.PARAMETER for var in variables_in(condition)):
            return node
        if self._unknowns(then) == self._unknowns(otherwise):
            return node
        decided = self.decide(condition)
        if decided is None:
            return node
        return then if decided else otherwise

    def _unknowns(self, expr: Expr) -> set[Var]:
        parameter = Variability.PARAMETER
        return {var for var in variables_in(expr) if self.variability(var) > parameter}

    def variability(self, var: Var) -> Variability:
        variable = self.variables.get(var.name)
        if variable is None:
            return Variability.CONTINUOUS  # time, derivatives
        return variable.variability

    def derivative(self, var: Var) -> Expr:
        if var is TIME:
            return ONE
        if self.variability(var) != Variability.CONTINUOUS:
            return ZERO
        return der_of(var)

    def _is_clock_variable(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return variable is not None and variable.type == CLOCK

    def sample(self, node: Call) -> Expr:
        if len(node.args) != 2 or self.is_clock(node.args[1]):
            return node  # of a signal: clocks are the business of clocks/remove_clocks.py
        clock = self.samples.get(node.args)
        if clock is None:
            flag = sample_flag(len(self.samples) + 1)
            clock = SampleClock(flag, *node.args, span=self.span)
            self.samples[node.args] = clock
        return clock.flag


class _UnsupportedError(Exception):
    def __init__(self, operator: str) -> None:
        super().__init__(operator)
        self.operator = operator

    def at(self, span: Span) -> CompileError:
        return error(
            "E007",
            f"`{self.operator}` is not supported yet in equations",
            span,
            help="remove it, or replace it by when-clauses with `sample(start, interval)`",
        )


# ---------------------------------------------------------------- one rule per operator


def _der(operators: Operators, node: Call) -> Expr:
    argument = node.args[0]
    if isinstance(argument, Var):
        return operators.derivative(argument)
    return time_derivative(argument, operators.derivative, operators.derivatives)


def _pre(operators: Operators, node: Call) -> Expr:
    argument = node.args[0]
    if not isinstance(argument, Var):
        return map_bottom_up(argument, lambda n: pre_of(n) if isinstance(n, Var) else n)
    if operators.variability(argument) <= Variability.PARAMETER:
        return argument
    return pre_of(argument)


def _edge(operators: Operators, node: Call) -> Expr:
    return Binary("and", node.args[0], Unary("not", _pre(operators, node)))


def _change(operators: Operators, node: Call) -> Expr:
    return Binary("<>", node.args[0], _pre(operators, node))


def _delay(operators: Operators, node: Call) -> Expr:
    return operators.delays.value(node, operators.span)


def _spatial(operators: Operators, node: Call) -> Expr:
    """As an expression it is its first output."""
    return operators.pipes.outputs(node, operators.span)[0]


def _semi_linear(operators: Operators, node: Call) -> Expr:
    x, positive, negative = node.args
    return If(Binary(">=", x, ZERO), build.mul(positive, x), build.mul(negative, x))


_RULES: Mapping[str, Callable[[Operators, Call], Expr]] = {
    "der": _der,
    "pre": _pre,
    "edge": _edge,
    "change": _change,
    "initial": lambda operators, node: INITIAL,
    "terminal": lambda operators, node: TERMINAL,
    "sample": Operators.sample,
    "semiLinear": _semi_linear,
    "delay": _delay,
    "spatialDistribution": _spatial,
}
