"""One translation: the library, the lookup, and everything memoised while a model is instantiated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, Severity
from freewheel.base.names import Name
from freewheel.base.source import Source
from freewheel.instance.classes import ClassNode
from freewheel.instance.lookup import Lookup
from freewheel.instance.nodes import NO_MODIFIER, ClassElement, Definition, Modifier
from freewheel.instance.simple_types import SimpleTypes
from freewheel.syntax.parser import parse

if TYPE_CHECKING:
    from freewheel.instance.components import ComponentInstance
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.functions import Functions
    from freewheel.instance.library import Library
    from freewheel.instance.values import Values

# What the language brings along. The basic types have no body of their own; `simple_types` knows them.
_PREDEFINED = """
type Real end Real;
type Integer end Integer;
type Boolean end Boolean;
type String end String;
type Clock end Clock;
partial class ExternalObject end ExternalObject;
type StateSelect = enumeration(never, avoid, default, prefer, always);
type AssertionLevel = enumeration(warning, error);
"""


class Session:
    """Holds no logic of its own; rooms reach each other's memos through it."""

    no_modifier: Modifier = NO_MODIFIER

    def __init__(self, library: Library) -> None:
        from freewheel.instance.elaborate import Elaborator
        from freewheel.instance.functions import Functions
        from freewheel.instance.values import Values

        self.library = library
        self.warnings: list[Diagnostic] = []
        tree = parse(Source.from_text("package __top end __top;", "<top level>")).classes[0]
        self.root = ClassNode(self, Definition((), tree, Source.from_text("", "<top level>")), None)
        self.predefined = self._read_predefined()
        self.simple_types = SimpleTypes(self)
        self.lookup = Lookup(self)
        self.values: Values = Values(self)
        self.functions: Functions = Functions(self)
        self.elaborator: Elaborator = Elaborator(self)
        self.model: ClassNode = self.root  # the model under translation, set by `instantiate`
        self.given: dict[Name, Modifier] = {}  # from outside, to elements of arrays: see given.py
        # Answers to questions about the connection graph; set by the flat room before equations are read.
        self.graph_answers: GraphAnswers | None = None
        self.is_left_open = False  # whether a replaceable class was met that is partial so far
        # By name the first `outer` component for which an `inner` one was added to the model.
        self.inner_added: dict[str, ComponentInstance] = {}
        self.asks_for_streams = False  # whether `inStream` or `actualStream` was met

    def _read_predefined(self) -> dict[str, ClassElement]:
        source = Source.from_text(_PREDEFINED, "<predefined>")
        found: dict[str, ClassElement] = {}
        for tree in parse(source).classes:
            definition = Definition((tree.name,), tree, source)
            found[tree.name] = ClassElement(tree.name, definition, self.root, NO_MODIFIER, False)
        return found

    def tell(self, told: Diagnostic) -> None:
        """An error ends the translation; a warning of one place is told once."""
        if told.severity is Severity.ERROR:
            raise CompileError(told)
        if told not in self.warnings:
            self.warnings.append(told)

    def component(self, node: ClassNode, name: str) -> ComponentInstance:
        from freewheel.instance.components import component_of

        return component_of(node, name)

    def record_at(self, path: tuple[str | int, ...]) -> ClassNode:
        """The instance of a structured component by its flat name."""
        return self.values.node_at(path)


class GraphAnswers(ABC):
    """What `cardinality`, `Connections.isRoot` and `Connections.rooted` answer; the flat room fills it."""

    @abstractmethod
    def cardinality(self, path: tuple[str | int, ...]) -> int: ...

    @abstractmethod
    def is_root(self, path: tuple[str | int, ...]) -> bool: ...

    @abstractmethod
    def rooted(self, path: tuple[str | int, ...]) -> bool: ...
