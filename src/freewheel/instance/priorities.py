"""The priority of a when-clause, which decides what comes first where several are due at once.

    when sample(0, 0.01) then ... end when annotation(__Freewheel_priority = 2);
    Controller inner annotation(__Freewheel_priority = 2);

The annotation of the clause counts, else that of the innermost component around it that has one. Larger
numbers come first; clauses that say nothing have priority 0. structure/events/priorities.py obeys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.source import Source
from freewheel.formula import nodes as f
from freewheel.formula.types import INTEGER
from freewheel.instance.context import Context
from freewheel.instance.diagnostics.values import priority_not_integer
from freewheel.instance.nodes import PARAMETER
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn
from freewheel.syntax.parser import parse_annotation
from freewheel.syntax.text_nodes import Description

if TYPE_CHECKING:
    from freewheel.instance.session import Session

ANNOTATION = "__Freewheel_priority"


def priority_of(
    session: Session, description: Description | None, context: Context
) -> f.Expr | None:
    """An Integer expression of constants and parameters; None: nothing is said."""
    found = _written(context.scope.source, description)
    if found is not None:
        return _integer(session, found, context)
    container = context.scope.instance.container
    while container is not None:
        owner = container.owner
        found = _written(owner.source, container.element.decl.description)
        if found is not None:
            return _integer(session, found, Context(owner))
        container = owner.instance.container
    return None


def _written(source: Source, description: Description | None) -> syn_expr.Expr | None:
    annotation = description.annotation if description is not None else None
    if annotation is None or ANNOTATION not in source.text[annotation.start : annotation.end]:
        return None
    for argument in parse_annotation(source, annotation).args:
        if isinstance(argument, syn.ElementMod) and argument.name == (ANNOTATION,):
            return argument.modification.binding if argument.modification is not None else None
    return None


def _integer(session: Session, expr: syn_expr.Expr, context: Context) -> f.Expr:
    typed = session.elaborator.expr(expr, context)
    if typed.type.scalar != INTEGER or typed.type.dims or typed.variability > PARAMETER:
        raise priority_not_integer(context.span(expr), ANNOTATION)
    return typed.expr
