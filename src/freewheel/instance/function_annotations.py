"""What a function's annotation says: derivative, inverse, Inline.

annotation(derivative(noDerivative = k) = f_der, inverse(x = g(y)), Inline = true)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError
from freewheel.formula import nodes as f
from freewheel.formula.statement_nodes import DerivativeInfo
from freewheel.instance.context import Context
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn
from freewheel.syntax.parser import parse_annotation

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session

INLINE = ("Inline", "LateInline", "InlineAfterIndexReduction")


@dataclass(frozen=True, slots=True)
class Notes:
    derivatives: tuple[DerivativeInfo, ...] = ()
    inverses: tuple[tuple[str, f.Expr], ...] = ()
    inline: bool = False


class FunctionAnnotations:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, node: ClassNode) -> Notes:
        derivatives: list[DerivativeInfo] = []
        inverses: list[tuple[str, f.Expr]] = []
        inline = False
        for scope in node.lineage():
            for argument in annotation_arguments(scope):
                if argument.name == ("derivative",):
                    derivatives.extend(self._derivative(argument, scope))
                elif argument.name == ("inverse",):
                    inverses.extend(self._inverses(argument, scope))
                elif argument.name[0] in INLINE and _is_true(argument):
                    inline = True
            if scope is node and derivatives:
                break
        return Notes(tuple(derivatives), tuple(inverses), inline)

    def _derivative(self, argument: syn.ElementMod, scope: ClassNode) -> list[DerivativeInfo]:
        modification = argument.modification
        if modification is None or not isinstance(modification.binding, syn_expr.ComponentRef):
            return []
        element = self._session.elaborator.class_of_ref(modification.binding, scope)
        if element is None:
            return []
        node = self._session.lookup.node(element)
        order = 1
        zero: list[str] = []
        none: list[str] = []
        for sub in modification.args:
            if not isinstance(sub, syn.ElementMod):
                continue
            value = sub.modification.binding if sub.modification is not None else None
            if sub.name == ("order",) and isinstance(value, syn_expr.Number):
                order = int(value.value)
            elif sub.name == ("zeroDerivative",) and isinstance(value, syn_expr.ComponentRef):
                zero.append(value.names[0])
            elif sub.name == ("noDerivative",) and isinstance(value, syn_expr.ComponentRef):
                none.append(value.names[0])
        self._session.functions.signature(node)
        self._session.functions.note_use(self._session.functions.name_of(node))
        return [
            DerivativeInfo(self._session.functions.name_of(node), order, tuple(zero), tuple(none))
        ]

    def _inverses(self, argument: syn.ElementMod, scope: ClassNode) -> list[tuple[str, f.Expr]]:
        """An inverse that cannot be understood is left out: it is only a hint."""
        found: list[tuple[str, f.Expr]] = []
        for sub in argument.modification.args if argument.modification is not None else ():
            if (
                not isinstance(sub, syn.ElementMod)
                or sub.modification is None
                or sub.modification.binding is None
            ):
                continue
            try:
                typed = self._session.elaborator.expr(sub.modification.binding, Context(scope))
            except CompileError:
                self._session.elaborator.reset()
                continue
            found.append((sub.name[0], typed.expr))
        return found


def annotation_arguments(node: ClassNode) -> list[syn.ElementMod]:
    """The arguments of a class's annotation, parsed now."""
    description = node.definition.tree.description
    if description is None or description.annotation is None:
        return []
    modification = parse_annotation(node.source, description.annotation)
    return [a for a in modification.args if isinstance(a, syn.ElementMod)]


def _is_true(argument: syn.ElementMod) -> bool:
    binding = argument.modification.binding if argument.modification is not None else None
    return isinstance(binding, syn_expr.Bool) and binding.value
