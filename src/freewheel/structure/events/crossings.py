"""Relations become statuses that change at events only.

    y = if x > 1 then a else b      ->      status 1 is the sign of x - 1
                                            y = if status 1 > 0 then a else b

Outside `noEvent`, `smooth` and the bodies of when-equations, every relation between quantities that
can change between events gets a status (document "Hybrid": QM). Relations between discrete
quantities stay comparisons. `floor`, `integer`, `ceil`, `div`, `mod` and `rem` of continuous
arguments hold their integer part between events; two crossings watch its ends. `abs`, `sign`, `min`
and `max` make no events (Modelica 3.6, "Event Triggering Mathematical Functions").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.intrinsics import names_of
from freewheel.formula.nodes import ONE, TIME, Binary, Call, Expr, If, Integer, Real, Var
from freewheel.formula.walk import replace, substitute, variables_in
from freewheel.structure.atoms import DER, HISTORY, INITIAL, held_of, pre_of, status_of
from freewheel.structure.events.delays import readable, text_of
from freewheel.structure.nodes import Alias, Crossing, DelayLine, ScalarEquation, ScalarVariable
from freewheel.structure.simplify.zero_factors import without_zeros
from freewheel.structure.values import ParameterValues

_ZERO = Integer(0)
_MAKE_EVENTS = names_of(lambda row: row.makes_events)
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Crossings:
    """Rewrites expressions and collects crossings and held integer parts."""

    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        delays: Sequence[DelayLine] = (),
        aliases: Mapping[Name, Alias] | None = None,
    ) -> None:
        self.variables = variables
        self.delays = delays
        self.aliases = aliases or {}
        self.values = ParameterValues(variables, ())
        self.found: dict[tuple[Expr, Expr], Crossing] = {}
        self.held: dict[Expr, Var] = {}
        self.held_equations: list[ScalarEquation] = []
        self.memo: dict[Expr, Expr] = {}
        self.quiet_memo: dict[Expr, Expr] = {}
        self.when_memo: dict[Expr, Expr] = {}
        self.changes: dict[Expr, bool] = {}
        self.span: Span = NOWHERE
        self.origin: Name = ()

    # ------------------------------------------------------------ rewriting

    def rewrite(self, expr: Expr, span: Span, origin: Name = ()) -> Expr:
        """With events. `origin` is the component of the equation."""
        self.span, self.origin = span, origin
        return replace(expr, self._visit, self.memo)

    def quiet(self, expr: Expr) -> Expr:
        """Without events, as inside `noEvent`."""
        return replace(expr, self._visit_quiet, self.quiet_memo)

    def rewrite_in_when(self, expr: Expr) -> Expr:
        """Without events; but a relation that makes events elsewhere has one truth everywhere."""
        return replace(expr, self._visit_in_when, self.when_memo)

    def _visit_in_when(self, node: Expr) -> Expr | None:
        if isinstance(node, Binary) and node.op in _MIRRORED:
            left = self.rewrite_in_when(node.left)
            right = self.rewrite_in_when(node.right)
            if (left, right) in self.found or (right, left) in self.found:
                return self.relation(node.op, left, right)
            return build.relation(node.op, left, right)
        return self._visit_quiet(node)

    def _visit(self, node: Expr) -> Expr | None:
        if isinstance(node, Binary) and node.op in _MIRRORED:
            left, right = self._inner(node.left), self._inner(node.right)
            if self._only_touches(node.op, left, right):
                return self._passing(node.op, left.args[0], right)
            return self.relation(node.op, left, right)
        if isinstance(node, Call) and isinstance(node.function, str):
            if node.function == "noEvent":
                return self.quiet(node.args[0])
            if node.function == "smooth":
                return self._smooth(node)
            if node.function in _MAKE_EVENTS:
                args = tuple(self._inner(arg) for arg in node.args)
                if any(self.changes_continuously(arg) for arg in args):
                    return _integer_part(self, node.function, args)
                return node.with_args(args)
        return None

    def _inner(self, expr: Expr) -> Expr:
        return replace(expr, self._visit, self.memo)

    def _visit_quiet(self, node: Expr) -> Expr | None:
        if isinstance(node, Call) and node.function == "noEvent":
            return self.quiet(node.args[0])
        if isinstance(node, Call) and node.function == "smooth":
            return self.quiet(node.args[1])
        return None

    def _smooth(self, node: Call) -> Expr:
        """`smooth(0, ..)` may still jump in its derivative: events keep the integrator exact."""
        order, body = node.args
        is_smooth = isinstance(order, Integer | Real) and order.value >= 1
        return self.quiet(body) if is_smooth else self._inner(body)

    # ------------------------------------------------------------ relations

    def relation(self, op: str, left: Expr, right: Expr) -> Expr:
        if not self.changes_continuously(left) and not self.changes_continuously(right):
            return build.relation(op, left, right)
        if (right, left) in self.found:
            left, right, op = right, left, _MIRRORED[op]
        return Binary(op, self.status(left, right, op), _ZERO)

    def _only_touches(self, op: str, left: Expr, right: Expr) -> bool:
        """`abs(i) <= 0`, or `abs(i) <= abs(v)*Goff` with Goff = 0, is true for an instant only."""
        if op not in ("<", "<=") or not isinstance(left, Call) or left.function != "abs":
            return False
        return self.changes_continuously(left) and self.values.number(self._sealed(right)) == 0.0

    def _sealed(self, expr: Expr) -> Expr:
        """Without terms that have a factor of zero."""
        zeros: dict[Expr, Expr] = {
            var: _ZERO for var in variables_in(expr) if self.values.number(var) == 0.0
        }
        return without_zeros(ScalarEquation(_ZERO, substitute(expr, zeros))).right

    def _passing(self, op: str, inside: Expr, right: Expr) -> Expr:
        """An absolute value touches zero where what is inside passes it: with the sign of the last event
        in its place the relation holds at that event, until the sign has followed."""
        side = self.held.get(Call("abs", inside))
        if side is None:
            side = held_of(len(self.held) + 1)
            self.held[Call("abs", inside)] = side
            before = pre_of(side)
            turned = Binary("<", self.status(build.times(before, inside), _ZERO, "<"), _ZERO)
            first = If(Binary("<", inside, _ZERO), Integer(-1), ONE)
            value = If(INITIAL, first, If(turned, build.neg(before), before))
            self.held_equations.append(
                ScalarEquation(side, value, self.span, self.origin, target=side)
            )
        return self.relation(op, build.times(pre_of(side), inside), right)

    def status(self, left: Expr, right: Expr, op: str) -> Var:
        crossing = self.found.get((left, right))
        if crossing is None:
            text = f"{self._text(left)} {op} {self._text(right)}"
            crossing = Crossing(
                status_of(len(self.found) + 1),
                left,
                right,
                text,
                self._on_time_only(left) and self._on_time_only(right),
                self.span,
                self._text(build.minus(left, right)),
            )
            self.found[left, right] = crossing
        return crossing.status

    def _text(self, expr: Expr) -> str:
        """With the names of the component itself."""
        own: dict[Expr, Expr] = {}
        for var in variables_in(expr) if self.origin else ():
            name = self._names.get((var, self.origin))
            if name is not None and var.name[: len(self.origin)] != self.origin:
                own[var] = Var(name)
        return text_of(readable(substitute(expr, own), self.delays))

    @cached_property
    def _names(self) -> dict[tuple[Var, Name], Name]:
        """(stand-in, component) -> the name that the component has for it."""
        found: dict[tuple[Var, Name], Name] = {}
        for name, alias in self.aliases.items():
            if alias.stand_in is not None and alias.sign > 0:
                last = max(k for k, part in enumerate(name) if isinstance(part, str))
                found.setdefault((alias.stand_in, name[:last]), name)
        return found

    def changes_continuously(self, expr: Expr) -> bool:
        """Can it change between events?"""
        known = self.changes.get(expr)
        if known is None:
            known = any(self._is_continuous(var) for var in variables_in(expr))
            self.changes[expr] = known
        return known

    def _is_continuous(self, var: Var) -> bool:
        if var is TIME or var.name[0] == DER:
            return True
        variable = self.variables.get(var.name)
        return variable is not None and variable.variability == Variability.CONTINUOUS

    def _on_time_only(self, expr: Expr) -> bool:
        """A history is not known ahead: what comes out of it is found by search."""
        return all(
            var is TIME or not (var is HISTORY or self._is_continuous(var))
            for var in variables_in(expr)
        )

    # ------------------------------------------------------------ integer parts

    def floor(self, argument: Expr, word: str = "floor") -> Var:
        """The held integer part of `argument`; `word` is the function that the modeller called."""
        known = self.held.get(argument)
        if known is not None:
            return known
        value = held_of(len(self.held) + 1)
        self.held[argument] = value
        before = pre_of(value)
        # The crossings watch the ends as they were at the last event: if they moved with the new
        # value, the iteration at the event would take the step back again.
        upper, lower = build.plus(before, ONE), build.minus(before, ONE)
        above = Binary(">=", self.status(argument, upper, ">="), _ZERO)
        below = Binary("<", self.status(argument, before, "<"), _ZERO)
        now = Call(word, argument)
        stepped = If(above, Call("max", now, upper), If(below, Call("min", now, lower), before))
        right = If(INITIAL, now, stepped)
        self.held_equations.append(
            ScalarEquation(value, right, self.span, self.origin, target=value)
        )
        return value


def _integer_part(crossings: Crossings, name: str, args: tuple[Expr, ...]) -> Expr:
    match name:
        case "floor" | "integer":
            return crossings.floor(args[0], name)
        case "ceil":
            return _ceil(crossings, args)
        case "div":
            return _div(crossings, args)
        case "mod":
            return _mod(crossings, args)
        case "rem":
            return _rem(crossings, args)
    raise AssertionError(f"`{name}` makes events that nothing watches")


def _ceil(crossings: Crossings, args: tuple[Expr, ...]) -> Expr:
    return build.neg(crossings.floor(build.neg(args[0])))


def _div(crossings: Crossings, args: tuple[Expr, ...]) -> Expr:
    quotient = build.over(*args)
    is_positive = crossings.relation(">=", quotient, _ZERO)
    return build.if_then_else(is_positive, crossings.floor(quotient), _ceil(crossings, (quotient,)))


def _mod(crossings: Crossings, args: tuple[Expr, ...]) -> Expr:
    whole = crossings.floor(build.over(*args))
    return build.minus(args[0], build.times(whole, args[1]))


def _rem(crossings: Crossings, args: tuple[Expr, ...]) -> Expr:
    return build.minus(args[0], build.times(_div(crossings, args), args[1]))
