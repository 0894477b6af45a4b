"""State machines: `transition`, `initialState` and `activeState` name block instances.

    transition(a, b, x > 1)  ->  transition("a", "b", x > 1, true, true, false, 1)

In: calls whose first arguments are components. Out: calls in which a state stands by its flat name,
as a text, since it is no value; all other arguments by position, defaults filled in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.calls import Calls
    from freewheel.instance.context import Context

# What follows the states in `transition`, in order, and what is meant where it is left out.
_TRANSITION: tuple[tuple[str, f.Expr | None], ...] = (
    ("condition", None),
    ("immediate", f.TRUE),
    ("reset", f.TRUE),
    ("synchronize", f.FALSE),
    ("priority", f.Integer(1)),
)


def machine_part(calls: Calls, expr: syn_expr.Call, context: Context) -> f.Expr:
    """`transition` or `initialState`."""
    name = expr.function.names[0]
    count = 2 if name == "transition" else 1
    states = [state_of(calls, expr, position, context) for position in range(count)]
    if name == "initialState":
        return f.Call(name, *states)
    args, named = calls.arguments(expr._replace(args=expr.args[count:]), context)
    rest: list[f.Expr] = []
    for position, (label, default) in enumerate(_TRANSITION):
        given = args[position] if position < len(args) else named.get(label)
        value = default if given is None else given.expr
        if value is None:
            raise _wrong(name, f"argument `{label}` is missing", context.span(expr))
        rest.append(value)
    return f.Call(name, *states, *rest)


def state_of(calls: Calls, expr: syn_expr.Call, position: int, context: Context) -> f.Expr:
    """The flat name of a block instance."""
    name = show(expr.function.names)
    if position >= len(expr.args):
        raise _wrong(name, "the name of a block instance is missing", context.span(expr))
    ref = expr.args[position]
    if not isinstance(ref, syn_expr.ComponentRef):
        raise _wrong(name, "needs the name of a block instance", context.span(ref))
    return f.String(show(calls.connector_path(ref, context)))


def _wrong(name: str, text: str, span: Span) -> CompileError:
    return error(
        "N060",
        f"`{name}`: {text}",
        span,
        help="write transition(from, to, condition), initialState(state), activeState(state)",
        rule='Modelica 3.6, "Transitions"',
    )
