"""Types that end in Real, Integer, Boolean, String, Clock, an enumeration or an external object.

`type Voltage = ElectricPotential` with `type ElectricPotential = Real(unit = "V")` is followed down to
Real; the attributes met on the way, array dimensions and prefixes (`connector RealInput = input
Real`) are collected. The answer is memoised per class, because a model has thousands of voltages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula.types import (
    BOOLEAN,
    CLOCK,
    INTEGER,
    REAL,
    STRING,
    EnumType,
    ExternalObjectType,
    Scalar,
)
from freewheel.instance.diagnostics.names import literal_declared_twice
from freewheel.instance.modify import merge, modifier_of
from freewheel.instance.nodes import NO_MODIFIER, ClassElement, Definition, Modifier
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session

EQUALITY = "equalityConstraint"  # of an overdetermined type or record
BASIC = {"Real": REAL, "Integer": INTEGER, "Boolean": BOOLEAN, "String": STRING, "Clock": CLOCK}


@dataclass(frozen=True, slots=True, eq=False)
class SimpleType:
    scalar: Scalar
    modifier: Modifier  # attributes given along the chain of types
    dims: tuple[
        tuple[syn_expr.Expr, ClassNode], ...
    ]  # subscripts, outermost first, with their scope
    causality: str = ""
    flow: str = ""
    variability: str = ""
    constraint: ClassElement | None = None  # its function `equalityConstraint`


class SimpleTypes:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._memo: dict[ClassElement, SimpleType | None] = {}
        self.enumerations: dict[EnumType, None] = {}  # every one met

    def of_element(self, element: ClassElement) -> SimpleType | None:
        if element in self._memo:
            return self._memo[element]
        self._memo[element] = None  # a circle of short classes is no simple type
        found = self._follow(element.definition, element.enclosing, element.modifier)
        self._memo[element] = found
        return found

    def of_node(self, node: ClassNode) -> SimpleType | None:
        return self._follow(node.definition, node.enclosing, node.modifier)

    def _follow(
        self, definition: Definition, enclosing: ClassNode | None, modifier: Modifier
    ) -> SimpleType | None:
        body = definition.tree.body
        if isinstance(body, syn.EnumerationBody):
            names = tuple(literal.name for literal in body.literals or ())
            _check_literals(body, definition)
            kind = EnumType(definition.name, names)
            self.enumerations[kind] = None
            return SimpleType(kind, modifier, ())
        if definition.source.path == "<predefined>":
            basic = BASIC.get(definition.tree.name)
            return SimpleType(basic, modifier, ()) if basic is not None else None
        if isinstance(body, syn.ShortBody):
            assert enclosing is not None
            return self._short(definition, body, enclosing, modifier)
        if isinstance(body, syn.LongBody) and enclosing is not None:
            return self._long(definition, body, enclosing, modifier)
        return None

    def _short(
        self, definition: Definition, body: syn.ShortBody, enclosing: ClassNode, modifier: Modifier
    ) -> SimpleType | None:
        base_element = self._session.lookup.class_named(body.type, enclosing)
        if base_element.definition is definition:
            return None
        base = self.of_element(base_element)
        if base is None:
            return None
        own = modifier_of(body.modification, enclosing)
        prefixes = body.prefixes
        return SimpleType(
            base.scalar,
            merge(merge(modifier, own), base.modifier),
            (*((s, enclosing) for s in body.subscripts), *base.dims),
            prefixes.causality or base.causality,
            prefixes.flow or base.flow,
            prefixes.variability or base.variability,
            base.constraint,
        )

    def _long(
        self, definition: Definition, body: syn.LongBody, enclosing: ClassNode, modifier: Modifier
    ) -> SimpleType | None:
        clauses = [e for e in body.elements if isinstance(e, syn.Extends)]
        if not clauses or body.is_extension:  # `redeclare record extends R` has two bases
            return None
        external = any(clause.type.parts == ("ExternalObject",) for clause in clauses)
        if external:
            return SimpleType(ExternalObjectType(definition.name), modifier, ())
        if (
            len(clauses) > 1
            or body.sections
            or any(isinstance(e, syn.Component) for e in body.elements)
        ):
            return None
        if definition.tree.kind in ("package", "function", "model", "block"):
            return None
        node = self._session.lookup.node(
            ClassElement(definition.tree.name, definition, enclosing, NO_MODIFIER, False)
        )
        base = self.of_element(self._session.lookup.class_named(clauses[0].type, node))
        if base is None:
            return None
        own = modifier_of(clauses[0].modification, node)
        constraint = node.find(EQUALITY) if any(map(_is_equality, body.elements)) else None
        return SimpleType(
            base.scalar,
            merge(merge(modifier, own), base.modifier),
            base.dims,
            base.causality,
            base.flow,
            base.variability,
            constraint if isinstance(constraint, ClassElement) else base.constraint,
        )


def _is_equality(element: object) -> bool:
    return isinstance(element, syn.NestedClass) and element.definition.name == EQUALITY


def _check_literals(body: syn.EnumerationBody, definition: Definition) -> None:
    seen: set[str] = set()
    for literal in body.literals or ():
        if literal.name in seen:
            raise literal_declared_twice(
                literal.name,
                show(definition.name),
                Span(definition.source, literal.start, literal.start + len(literal.name)),
            )
        seen.add(literal.name)
