"""The abstract syntax of Modelica 3.6: what the parser returns and the printer prints.

In: nothing, this file is data only: classes and what they are made of. Their expressions are in
`expression_nodes.py`, equations and statements in `equation_nodes.py`, texts in `text_nodes.py`.
Out: immutable typed nodes, each a `NamedTuple` that begins with `start` and `end`, character offsets
into the file it was read from. `model M Real x; end M;` becomes `StoredFile(classes=(ClassDef(
kind="model", name="M", body=LongBody(elements=(Component(type=TypeName(("Real",)), name="x"),))),))`.

Why named tuples: they are built, read, pickled and unpickled at C speed (a whole Modelica standard
library is half a million nodes). The price: `==` compares the contents only, never the class, so
`Break(1, 6, None) == Return(1, 6, None)`. Ask `isinstance` or `type(node)` first; `check.same_tree`
compares two trees properly.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from freewheel.syntax.equation_nodes import AnyEquation, Connect, Statement
from freewheel.syntax.expression_nodes import ComponentRef, Expr, TypeName
from freewheel.syntax.text_nodes import Annotation, Comment, Description


class Prefixes(NamedTuple):
    """The words before a component, a nested class or a short class's base type."""

    redeclare: bool = False
    final: bool = False
    inner: bool = False
    outer: bool = False
    replaceable: bool = False
    each: bool = False  # only inside a modification
    flow: str = ""  # "", "flow" or "stream"
    variability: str = ""  # "", "discrete", "parameter" or "constant"
    causality: str = ""  # "", "input" or "output"


NO_PREFIXES = Prefixes()


# ---------------------------------------------------------------- modifications


class Modification(NamedTuple):
    """`(args) = binding`, either part may be missing."""

    start: int
    end: int
    args: tuple[Argument, ...]
    binding: Expr | None


class ElementMod(NamedTuple):
    """`each final name.field(args) = value "text"` inside a modification."""

    start: int
    end: int
    each: bool
    final: bool
    name: tuple[str, ...]
    modification: Modification | None
    text: str | None  # a description string, escapes not decoded


class Redeclaration(NamedTuple):
    """`redeclare model M = N`, `replaceable Real x` inside a modification.

    The words `each`, `final`, `redeclare`, `replaceable` are in `element.prefixes`.
    """

    start: int
    end: int
    element: Component | NestedClass


class BreakElement(NamedTuple):
    """`break name`: leave out an inherited component (selective model extension)."""

    start: int
    end: int
    name: str


class BreakConnect(NamedTuple):
    """`break connect(a, b)`: leave out an inherited connection."""

    start: int
    end: int
    connect: Connect


Argument: TypeAlias = ElementMod | Redeclaration | BreakElement | BreakConnect


# ---------------------------------------------------------------- elements of a class


class Import(NamedTuple):
    """`import A.B`, `import C = A.B`, `import A.*`, `import A.{b, c}`."""

    start: int
    end: int
    protected: bool
    name: TypeName  # of the class, or of the package that `everything` and `names` refer to
    alias: str | None  # the new name in the renaming form
    everything: bool  # the form that ends in `.*`
    names: tuple[str, ...]  # of the form with braces
    description: Description | None


class Extends(NamedTuple):
    """`extends Base(modification) annotation(...)`."""

    start: int
    end: int
    protected: bool
    type: TypeName
    modification: Modification | None
    annotation: Annotation | None


class Constraining(NamedTuple):
    """`constrainedby Type(modification)` after a replaceable element."""

    start: int
    end: int
    type: TypeName
    modification: Modification | None
    description: Description | None


class Component(NamedTuple):
    """One declared name. `Real x, y` makes two; the span begins at the name, not at the type."""

    start: int
    end: int
    protected: bool
    prefixes: Prefixes
    type: TypeName
    type_subscripts: tuple[Expr, ...]  # `Real[3] x`; they come after `subscripts`
    name: str
    subscripts: tuple[Expr, ...]  # `Real x[3]`
    modification: Modification | None
    condition: Expr | None
    constraining: Constraining | None
    description: Description | None


class NestedClass(NamedTuple):
    """A class declared inside a class, with the prefixes of an element."""

    start: int
    end: int
    protected: bool
    prefixes: Prefixes
    definition: ClassDef
    constraining: Constraining | None


Element: TypeAlias = Import | Extends | Component | NestedClass


# ---------------------------------------------------------------- classes


class EquationSection(NamedTuple):
    """`equation ...` or `initial equation ...`."""

    start: int
    end: int
    initial: bool
    equations: tuple[AnyEquation, ...]


class AlgorithmSection(NamedTuple):
    """`algorithm ...` or `initial algorithm ...`."""

    start: int
    end: int
    initial: bool
    statements: tuple[Statement, ...]


Section: TypeAlias = EquationSection | AlgorithmSection


class External(NamedTuple):
    """`external "C" result = function(args) annotation(...)`; everything but the word may miss."""

    start: int
    end: int
    language: str | None
    result: ComponentRef | None
    function: str | None
    args: tuple[Expr, ...]
    annotation: Annotation | None


class LongBody(NamedTuple):
    """Elements, then sections, each list in the order written.

    With `is_extension` the class was written `model extends M(modification)`.
    """

    start: int
    end: int
    is_extension: bool
    modification: Modification | None
    elements: tuple[Element, ...]
    sections: tuple[Section, ...]
    external: External | None


class ShortBody(NamedTuple):
    """`= input Base[3](modification)`."""

    start: int
    end: int
    prefixes: Prefixes
    type: TypeName
    subscripts: tuple[Expr, ...]
    modification: Modification | None


class EnumLiteral(NamedTuple):
    start: int
    end: int
    name: str
    description: Description | None


class EnumerationBody(NamedTuple):
    """`= enumeration(a, b)`; `None` for `enumeration(:)`, an enumeration left open."""

    start: int
    end: int
    literals: tuple[EnumLiteral, ...] | None


class DerBody(NamedTuple):
    """`= der(f, x, y)`: the partial derivative of a function."""

    start: int
    end: int
    function: TypeName
    variables: tuple[str, ...]


Body: TypeAlias = LongBody | ShortBody | EnumerationBody | DerBody

# What `ClassDef.kind` may say.
KINDS = (
    "class",
    "model",
    "record",
    "block",
    "connector",
    "expandable connector",
    "type",
    "package",
    "function",
    "pure function",
    "impure function",
    "operator",
    "operator record",
    "operator function",
    "pure operator function",
    "impure operator function",
)


class ClassDef(NamedTuple):
    """A class with its body. The description joins the text and the annotation of the class."""

    start: int
    end: int
    name_start: int  # where the name stands, for messages
    final: bool  # only for a class at the top of a file; inside a class the element says it
    encapsulated: bool
    partial: bool
    kind: str  # one of KINDS
    name: str
    body: Body
    description: Description | None


class StoredFile(NamedTuple):
    """A whole file."""

    start: int
    end: int
    within: TypeName | None  # None without the clause, no parts for `within;`
    classes: tuple[ClassDef, ...]
    comments: tuple[Comment, ...]  # in order; those inside annotations are not listed
