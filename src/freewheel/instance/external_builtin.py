"""`external "builtin" y = atan2(b, a)` means the same as `algorithm y := .atan2(b, a)`, and is read so.

Early versions of the standard library wrote `external "C" y = sin(u)` for the functions that C and the
language have in common. As a statement the call has its names, types and numbers of arguments checked
like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import error
from freewheel.base.names import show
from freewheel.base.near import did_you_mean
from freewheel.formula.intrinsics import names_of
from freewheel.instance.components import components_of
from freewheel.instance.context import Context
from freewheel.syntax import equation_nodes as syn_eq
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode

# Functions that C and the language have in common.
IN_C_AS_HERE = names_of(lambda row: row.written.get("c") == row.name and not row.has_corners)


def builtin_name(node: ClassNode) -> str | None:
    """The function of the language that an external function stands for."""
    found = node.external()
    if found is None:
        return None
    name = found[1].function or node.definition.tree.name
    is_meant = found[1].language == "builtin"
    return name if is_meant or (found[1].language == "C" and name in IN_C_AS_HERE) else None


def hands_over(node: ClassNode) -> bool:
    """Does the function of the language get all inputs, as they are and in their order?"""
    found = node.external()
    assert found is not None
    if found[1].function is None:
        return True
    given = [
        arg.parts[0].name if isinstance(arg, syn_expr.ComponentRef) and len(arg.parts) == 1 else ""
        for arg in found[1].args
    ]
    return given == _of_causality(node, "input")


def statement_of(node: ClassNode, name: str, known: Iterable[str]) -> tuple[syn_eq.Assign, Context]:
    """The call as a statement, and the class that it is written in."""
    found = node.external()
    assert found is not None
    scope, clause = found
    result = clause.result
    args = clause.args
    if clause.function is None:
        args = tuple(_reference(clause, one) for one in _of_causality(node, "input"))
    outputs = _of_causality(node, "output")
    if result is None and clause.function is None and len(outputs) == 1:
        result = _reference(clause, outputs[0])
    if name not in known or result is None:
        raise _unknown(node, scope, clause, name, known)
    function = _reference(clause, name)._replace(absolute=True)
    call = syn_expr.Call(clause.start, clause.end, function, args, ())
    return syn_eq.Assign(clause.start, clause.end, result, call, None), Context(scope)


def _of_causality(node: ClassNode, causality: str) -> list[str]:
    return [c.name for c in components_of(node) if c.causality == causality]


def _reference(clause: syn.External, name: str) -> syn_expr.ComponentRef:
    return syn_expr.ComponentRef(clause.start, clause.end, (syn_expr.RefPart(name),))


def _unknown(
    node: ClassNode, scope: ClassNode, clause: syn.External, name: str, known: Iterable[str]
) -> Exception:
    is_known = name in known
    function = show(node.definition.name)
    return error(
        "N903",
        f"`{function}` gives the value of `{name}` to no output"
        if is_known
        else f"`{function}` needs `{name}`, which is no function of the language",
        Context(scope).span(clause),
        help=f'write `external "builtin" y = {name}(...)`'
        if is_known
        else did_you_mean(name, known) or "write the function as a Modelica algorithm",
        rule='Modelica 3.6, "External Function Interface"',
    )
