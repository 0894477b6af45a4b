"""Clock expressions become nodes with links and anchors.

    Clock(1, 10)             an anchor: ticks at 0, 1/10, 2/10, ...
    subSample(c, 2)          a node linked to that of c
    Clock(c, "ImplicitEuler")      a node with the ticks of c and a solver method

In: clock expressions, asked for one at a time. Out: the graph that `rates.infer` solves.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from freewheel.base.source import Span
from freewheel.formula.nodes import ONE, ZERO, Call, Expr, If, String, Var
from freewheel.formula.types import BOOLEAN, INTEGER, Scalar
from freewheel.formula.walk import variables_in
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.clocks import diagnostics as faults
from freewheel.structure.clocks.nodes import Anchor, BaseClock, Beat, Link, Tie
from freewheel.structure.values import ParameterValues


class ClockGraph:
    """Nodes, links and anchors so far; `used` are the variables whose values were needed."""

    def __init__(
        self,
        values: ParameterValues,
        type_of: Callable[[Expr], Scalar],
        is_unknown: Callable[[Var], bool],
    ) -> None:
        self.values = values
        self.type_of = type_of
        self.is_unknown = is_unknown
        self.count = 0
        self.links: list[Link] = []
        self.anchors: list[Anchor] = []
        self.methods: dict[int, tuple[str, Span]] = {}
        self.beating: list[tuple[int, Var]] = []  # nodes of `Clock(n)` and the clocked variable n
        self.nodes: dict[Expr, int] = {}
        self.used: dict[Var, None] = {}

    def new(self) -> int:
        self.count += 1
        return self.count - 1

    def join(self, first: int, second: int, span: Span) -> None:
        self.links.append(Link(first, second, Tie.SAME, span=span))

    def clock(self, expr: Expr, span: Span) -> int:
        """The node of a clock expression. Equal expressions are one clock, but each `Clock()` is
        inferred on its own."""
        while isinstance(expr, If):
            expr = self._chosen(expr, span)
        known = self.nodes.get(expr)
        if known is not None:
            return known
        node = self.new()
        if isinstance(expr, Call) and expr.function == "Clock":
            is_inferred = self._constructed(node, expr, span)
            if is_inferred:
                return node
        elif isinstance(expr, Call):
            self.convert(expr, self.clock(expr.args[0], span), node, span)
        self.nodes[expr] = node
        return node

    def _chosen(self, expr: If, span: Span) -> Expr:
        condition, then, otherwise = expr.args
        truth = self.values.truth(condition)
        if truth is None:
            raise faults.bad_argument(
                f"which clock is meant depends on `{expr_text(condition)}`",
                span,
                "use a condition of constants and parameters",
            )
        self.used.update(dict.fromkeys(variables_in(condition)))
        return then if truth else otherwise

    # ------------------------------------------------------------ constructors

    def _constructed(self, node: int, call: Call, span: Span) -> bool:
        """Anchors and solver methods; true for a clock that is to be inferred."""
        if not call.args:
            return True
        first = call.args[0]
        if len(call.args) == 2 and self._is_solver(call.args[1]):
            self._solver(node, call, span)
            return False
        kind = self.type_of(first)
        if kind == BOOLEAN:
            start = call.args[1] if len(call.args) > 1 else ZERO
            base = BaseClock(Beat.EVENT, first, start_interval=start, span=span)
            self.anchors.append(Anchor(node, base))
            return False
        if kind == INTEGER:
            return self._rational(node, call, span)
        self._interval(node, first, span)
        return False

    def _is_solver(self, expr: Expr) -> bool:
        return isinstance(expr, String) or isinstance(self.values.value(expr), str)

    def _solver(self, node: int, call: Call, span: Span) -> None:
        method = self.values.value(call.args[1])
        assert isinstance(method, str)
        self.methods[node] = (method, span)
        inner = self.clock(call.args[0], span)
        self.links.append(Link(inner, node, Tie.TICKS, span=span))

    def _rational(self, node: int, call: Call, span: Span) -> bool:
        counter, resolution = call.args[0], 1
        if len(call.args) > 1:
            resolution = self._whole(call.args[1], "resolution", 1, span)
        if self._is_clocked(counter):
            base = BaseClock(Beat.STEPS, counter, resolution, span=span)
            self._step(node, counter, base)
            return False
        number = self._whole(counter, "intervalCounter", 0, span)
        if number > 0:
            base = BaseClock(Beat.PERIODIC, ONE, span=span)
            self.anchors.append(Anchor(node, base, Fraction(number, resolution)))
        return number == 0

    def _interval(self, node: int, interval: Expr, span: Span) -> None:
        if self._is_clocked(interval):
            self._step(node, interval, BaseClock(Beat.STEPS, interval, 0, span=span))
            return
        number = self.values.number(interval)
        if number is not None and not number > 0.0:
            raise faults.bad_argument(
                f"the interval of a clock is {number:g}", span, "an interval is greater than zero"
            )
        self.anchors.append(Anchor(node, BaseClock(Beat.PERIODIC, interval, span=span)))

    def _is_clocked(self, expr: Expr) -> bool:
        return any(self.is_unknown(var) for var in variables_in(expr))

    def _step(self, node: int, interval: Expr, base: BaseClock) -> None:
        if not isinstance(interval, Var):
            raise faults.bad_argument(
                f"`{expr_text(interval)}` as the interval of a clock",
                base.span,
                "give it a name: the value before the first tick is the variable's start value",
            )
        self.anchors.append(Anchor(node, base))
        self.beating.append((node, interval))

    # ------------------------------------------------------------ conversions

    def convert(self, call: Call, first: int, second: int, span: Span) -> None:
        """Link the argument's node with the result's."""
        self.links.append(_LINKS[str(call.function)](self, call, first, second, span))

    def factor(self, call: Call, span: Span) -> int:
        return self._whole(call.args[1], "factor", 0, span) if len(call.args) > 1 else 0

    def shift(self, call: Call, span: Span) -> Fraction:
        name = "shiftCounter" if call.function == "shiftSample" else "backCounter"
        counter = self._whole(call.args[1], name, 0, span) if len(call.args) > 1 else 0
        resolution = 1
        if len(call.args) > 2:
            resolution = self._whole(call.args[2], "resolution", 1, span)
        return Fraction(counter, resolution)

    def _whole(self, expr: Expr, name: str, least: int, span: Span) -> int:
        number = self.values.number(expr)
        if number is None or number != int(number):
            raise faults.bad_argument(
                f"`{name}` of a clock is `{expr_text(expr)}`, whose value is not known while"
                " translating",
                span,
                "use an Integer made of constants and parameters",
            )
        if number < least:
            raise faults.bad_argument(
                f"`{name}` of a clock is {int(number)}", span, f"it is at least {least}"
            )
        self.used.update(dict.fromkeys(variables_in(expr)))
        return int(number)


def _slower(graph: ClockGraph, call: Call, first: int, second: int, span: Span) -> Link:
    factor = graph.factor(call, span)
    return Link(first, second, Tie.SLOWER, Fraction(factor) if factor else None, span=span)


def _faster(graph: ClockGraph, call: Call, first: int, second: int, span: Span) -> Link:
    factor = graph.factor(call, span)
    return Link(first, second, Tie.FASTER, Fraction(1, factor) if factor else None, span=span)


def _shifted(graph: ClockGraph, call: Call, first: int, second: int, span: Span) -> Link:
    return Link(first, second, Tie.SHIFTED, shift=graph.shift(call, span), span=span)


def _back(graph: ClockGraph, call: Call, first: int, second: int, span: Span) -> Link:
    return Link(first, second, Tie.SHIFTED, shift=-graph.shift(call, span), span=span)


def _base(graph: ClockGraph, call: Call, first: int, second: int, span: Span) -> Link:
    return Link(first, second, Tie.BASE, None, span=span)


_LINKS = {
    "subSample": _slower,
    "superSample": _faster,
    "shiftSample": _shifted,
    "backSample": _back,
    "noClock": _base,
}
