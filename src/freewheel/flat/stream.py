"""Stream variables: `inStream`, `actualStream`, and the mixing at a connection point.

Modelica 3.6, "Stream Connectors". For a connector whose only partner is another inside connector,
`inStream(a.h)` is `b.h`; for more partners it is the mixture of what flows out of them, weighted by
their mass flows; a connector on the border of a class hands on what comes from beyond it. Partners
out of which nothing can flow, as `m(min=0)` of a sensor says, are left out of the mixture.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from freewheel.base.names import Name, show
from freewheel.flat.connection_sets import Member
from freewheel.flat.diagnostics import stream_without_flow
from freewheel.flat.nodes import AnyEquation, Equation
from freewheel.formula import nodes as f
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of

if TYPE_CHECKING:
    from freewheel.instance.session import Session

# A flow this small decides the mixture when all flows are zero; it keeps the quotient defined.
SMALL_FLOW = 1e-15


class Streams:
    def __init__(
        self, sets: list[list[Member]], holder_of: dict[Name, ClassNode], session: Session
    ) -> None:
        self._sets: dict[tuple[Name, bool], list[Member]] = {}
        self._holders = holder_of  # stream variable -> connector that holds it
        self._session = session
        self._bounds: dict[tuple[Name, str], float] = {}
        for members in sets:
            if members[0].component.flow == "stream":
                for member in members:
                    self._sets[(member.name, member.is_outside)] = members

    @property
    def exist(self) -> bool:
        return bool(self._holders)

    def rewrite(self, node: f.Expr) -> f.Expr | None:
        """What `inStream(x)` and `actualStream(x)` stand for; None for everything else."""
        if not isinstance(node, f.Call) or node.function not in ("inStream", "actualStream"):
            return None
        arg = node.args[0]
        if isinstance(arg, f.Array):
            return f.Array(*(self._resolved(f.Call(node.function, part)) for part in arg.args))
        base = arg.args[0] if isinstance(arg, f.Index) else arg
        if isinstance(base, f.Array):  # one of several connectors, chosen while the model runs
            return f.Index(self._resolved(f.Call(node.function, base)), *arg.args[1:])
        assert isinstance(base, f.Var), base
        value = self._in_stream(base.name)
        if isinstance(arg, f.Index):
            value = f.Index(value, *arg.args[1:])
        if node.function == "inStream":
            return value
        flow = f.Var(self._flow(base.name).path)
        return f.Call("smooth", f.Integer(0), f.If(f.Binary(">", flow, f.Real(0.0)), value, arg))

    def _resolved(self, call: f.Call) -> f.Expr:
        found = self.rewrite(call)
        assert found is not None
        return found

    def _in_stream(self, name: Name) -> f.Expr:
        members = self._sets.get((name, False))
        others = [m for m in members if (m.name, m.is_outside) != (name, False)] if members else []
        if len(others) > 1:
            others = [member for member in others if self._may_give(member)]
        if not others:
            return f.Var(name)
        return self._mixture(others)

    def _may_give(self, member: Member) -> bool:
        """Whether flow may come out of a partner, by the bounds that are declared for it."""
        flow = self._flow(member.name)
        if member.is_outside:
            return self._bound(flow, "max") > 0.0
        return self._bound(flow, "min") < 0.0

    def _bound(self, flow: ComponentInstance, side: str) -> float:
        known = self._bounds.get((flow.path, side))
        if known is None:
            typed = self._session.elaborator.attribute(flow, side)
            value = None if typed is None else self._session.values.try_of(typed.expr)
            unbounded = -inf if side == "min" else inf
            known = float(value) if isinstance(value, (int, float)) else unbounded
            self._bounds[flow.path, side] = known
        return known

    def _mixture(self, others: list[Member]) -> f.Expr:
        if len(others) == 1:
            return self._from(others[0])
        weighted: f.Expr | None = None
        weights: f.Expr | None = None
        for member in others:
            flow: f.Expr = f.Var(self._flow(member.name).path)
            if not member.is_outside:
                flow = f.Unary("-", flow)
            weight = f.Call("noEvent", f.Call("max", flow, f.Real(SMALL_FLOW)))
            part = f.Binary("*", weight, self._from(member))
            weighted = part if weighted is None else f.Binary("+", weighted, part)
            weights = weight if weights is None else f.Binary("+", weights, weight)
        assert weighted is not None
        assert weights is not None
        return f.Binary("/", weighted, weights)

    def _from(self, member: Member) -> f.Expr:
        """What a partner contributes: its own outflow, or what comes in through the border."""
        return self._in_stream(member.name) if member.is_outside else f.Var(member.name)

    def _flow(self, stream: Name) -> ComponentInstance:
        holder = self._holders[stream]
        for component in components_of(holder):
            if component.flow == "flow":
                return component
        raise stream_without_flow(show(stream), holder.definition.span)

    def border_equations(self) -> Iterator[AnyEquation]:
        """The stream variable of a border connector is the mixture of what the inside gives it."""
        for (name, is_outside), members in self._sets.items():
            if not is_outside:
                continue
            me = next(m for m in members if m.name == name and m.is_outside)
            others = [m for m in members if m is not me]
            others = [m for m in others if self._may_give(m)] or others
            if others and 0 not in me.dims:
                yield Equation(me.expr, self._mixture(others), me.span, me.origin)


def stream_holders(nodes: list[ClassNode]) -> dict[Name, ClassNode]:
    """Every stream variable with the connector that holds it."""
    found: dict[Name, ClassNode] = {}
    for node in nodes:
        if "connector" not in node.restricted_kind():
            continue
        for component in components_of(node):
            if component.flow == "stream" and component.simple is not None and component.exists():
                found[component.path] = node
    return found
