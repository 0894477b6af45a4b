"""Data of the instance room: definitions, modifiers, elements and typed expressions.

A *definition* is a class as written. A *class node* (`classes.ClassNode`) is a definition in a
context: with modifiers applied, inside an enclosing class, perhaps as the class of a component. A
*modifier* is an immutable nested map whose leaves remember the scope their expressions were written
in; the outer one wins when two are merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from freewheel.base.names import ClassName
from freewheel.base.source import Source, Span
from freewheel.formula import nodes as f
from freewheel.formula.types import Type
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.library import ClassEntry

# Order of variability; the flat room has an enum with the same numbers.
CONSTANT, PARAMETER, DISCRETE, CONTINUOUS = 0, 1, 2, 3

VARIABILITY_OF_PREFIX = {"constant": CONSTANT, "parameter": PARAMETER, "discrete": DISCRETE}
VARIABILITY_NAMES = ("constant", "parameter", "discrete", "continuous")


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """A class as written, and where. `entry` is absent for a class inside a redeclaration."""

    name: ClassName
    tree: syn.ClassDef
    source: Source
    entry: ClassEntry | None = None

    @property
    def span(self) -> Span:
        start = self.tree.name_start
        return Span(self.source, start, start + len(self.tree.name))


# The arrays that `each` names, by their distance: 1 for the array whose list of modifications holds the
# word, 2 where a list was merged with another one and `each` stands at what is inside instead.
Each = frozenset[int]
NOT_EACH: Each = frozenset()
OWN_LIST: Each = frozenset((1,))


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`= expr` of a modification, with the scope it was written in.

    `indices` are the subscripts of the arrays of components it has been handed down through: the
    binding `R = {1, 2, 3}` of `r[3](R = {1, 2, 3})` arrives at `r[2].R` with `indices == (2,)`.
    A binding that `each` spreads may have fewer dimensions than the arrays it is handed down through.
    """

    expr: syn_expr.Expr
    scope: ClassNode
    indices: tuple[int, ...] = ()
    each: Each = NOT_EACH
    final: bool = False
    spreads: bool = False
    is_from_outside: bool = False  # given for a run, not written in a model

    @property
    def span(self) -> Span:
        return Span(self.scope.source, self.expr.start, self.expr.end)


@dataclass(frozen=True, slots=True, eq=False)
class Redeclare:
    """The element that replaces another one."""

    element: syn.Component | syn.NestedClass
    scope: ClassNode
    definition: Definition | None = None  # of a class
    original: ElementBox | None = None  # what `redeclare model extends X` extends
    indices: tuple[int, ...] = ()  # as those of a binding; of components only
    below: Redeclare | None = None  # the redeclaration that this one takes the place of


@dataclass(slots=True, eq=False)
class ElementBox:
    """The element that `redeclare model extends X` extends.

    `below` is an inner redeclaration that this one extends in turn; without one it is the element
    as first declared, known once the base class that holds it has been read.
    """

    element: Element | None = None
    below: Redeclare | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Modifier:
    binding: Binding | None = None
    subs: Mapping[str, Modifier] = field(default_factory=dict)
    redeclare: Redeclare | None = None
    each: Each = NOT_EACH
    final: bool = False
    place: Span | None = None  # of the name that is modified
    beside: frozenset[str] = frozenset()  # those of `subs` that were not said inside of `binding`

    def sub(self, name: str) -> Modifier:
        return self.subs.get(name, NO_MODIFIER)

    @property
    def is_empty(self) -> bool:
        return self.binding is None and not self.subs and self.redeclare is None


NO_MODIFIER = Modifier()


@dataclass(frozen=True, slots=True, eq=False)
class ComponentElement:
    """A component of a class, inherited ones included, with everything that modifies it."""

    name: str
    decl: syn.Component
    home: ClassNode  # where the type name and the subscripts are to be looked up
    modifier: Modifier
    protected: bool
    original: syn.Component | None = None  # before a redeclaration
    original_home: ClassNode | None = None

    @property
    def span(self) -> Span:
        return Span(self.home.source, self.decl.start, self.decl.start + len(self.name))


@dataclass(frozen=True, slots=True, eq=False)
class ClassElement:
    """A class declared in a class, inherited ones included; `definition` is the redeclared one if any."""

    name: str
    definition: Definition
    enclosing: ClassNode
    modifier: Modifier
    protected: bool
    prefixes: syn.Prefixes = syn.NO_PREFIXES
    extends_original: ElementBox | None = None


Element = ComponentElement | ClassElement


class Placed(Protocol):
    """Any syntax node: it knows where it stands in its file."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


class Typed(NamedTuple):
    """An expression with names resolved, its type, and how variable it is."""

    expr: f.Expr
    type: Type
    variability: int = CONTINUOUS
