"""The abstract syntax of Modelica 3.6: what the parser returns and the printer prints.

In: nothing, this file is data only. Out: immutable typed nodes, each a `NamedTuple` that begins
with `start` and `end`, character offsets into the file it was read from. `model M Real x; end M;`
becomes `StoredFile(classes=(ClassDef(kind="model", name="M", body=LongBody(elements=(Component(
type=TypeName(("Real",)), name="x"),))),))`.

Why named tuples: they are built, read, pickled and unpickled at C speed (a whole Modelica standard
library is half a million nodes). The price: `==` compares the contents only, never the class, so
`Break(1, 6, None) == Return(1, 6, None)`. Ask `isinstance` or `type(node)` first; `check.same_tree`
compares two trees properly.
"""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

# ---------------------------------------------------------------- small parts


class TypeName(NamedTuple):
    """A dotted name of a class: `Modelica.Units.SI.Time`, `.Modelica`; `within;` has no parts."""

    start: int
    end: int
    parts: tuple[str, ...]  # identifiers; a quoted one keeps its quotes, as the language says
    absolute: bool = False  # a leading dot: looked up from the top


class Comment(NamedTuple):
    """A `// ...` or `/* ... */`, with its marks. It has no meaning; printers keep it."""

    start: int
    end: int
    text: str


class Annotation(NamedTuple):
    """`annotation(...)` by place only; `parser.parse_annotation` reads it when somebody asks.

    Graphics and HTML are two thirds of a library's characters, and simulation needs few of them.
    """

    start: int  # of the word `annotation`
    end: int  # after the closing bracket


class Description(NamedTuple):
    """The quoted text and the annotation that may follow a class, component or equation."""

    start: int
    end: int
    text: str | None  # as written between the quotes, escapes not decoded
    annotation: Annotation | None

    @property
    def value(self) -> str:
        """The text with escapes decoded, empty when there is none."""
        return decode_string(self.text or "")


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


# ---------------------------------------------------------------- expressions


class Number(NamedTuple):
    """An unsigned number, as written."""

    start: int
    end: int
    text: str

    @property
    def is_integer(self) -> bool:
        """Digits only: the language calls it an Integer, anything else a Real."""
        return self.text.isdigit()

    @property
    def value(self) -> int | float:
        return int(self.text) if self.text.isdigit() else float(self.text)


class Str(NamedTuple):
    """A quoted string."""

    start: int
    end: int
    text: str  # as written between the quotes, escapes not decoded

    @property
    def value(self) -> str:
        return decode_string(self.text)


class Bool(NamedTuple):
    start: int
    end: int
    value: bool


class RefPart(NamedTuple):
    """One identifier of a reference. It has no span, so that equal parts are shared."""

    name: str
    subscripts: tuple[Expr, ...] = ()


class ComponentRef(NamedTuple):
    """`a.b[i].c`, `.Modelica.Constants.pi`; also the function name of a call (`der`, `initial`)."""

    start: int
    end: int
    parts: tuple[RefPart, ...]
    absolute: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The identifiers without subscripts."""
        return tuple([part.name for part in self.parts])


class NamedArg(NamedTuple):
    """`name = value` in a call."""

    start: int
    end: int
    name: str
    value: Expr


class Call(NamedTuple):
    """`f(a, b, c = d)`; `sum(x for i in r)` has one argument, a `Generator`."""

    start: int
    end: int
    function: ComponentRef
    args: tuple[Expr, ...]
    named: tuple[NamedArg, ...]


class PartialFunction(NamedTuple):
    """`function f(a = 1)`, a function passed as an argument."""

    start: int
    end: int
    function: TypeName
    named: tuple[NamedArg, ...]


class Binary(NamedTuple):
    """`left op right` with op one of `+ - * / ^ .+ .- .* ./ .^ < <= > >= == <> and or`."""

    start: int
    end: int
    op: str
    left: Expr
    right: Expr


class Unary(NamedTuple):
    """`op operand` with op one of `+ - .+ .- not`."""

    start: int
    end: int
    op: str
    operand: Expr


class IfExpr(NamedTuple):
    """`if c1 then e1 elseif c2 then e2 else e`."""

    start: int
    end: int
    branches: tuple[tuple[Expr, Expr], ...]  # (condition, value)
    otherwise: Expr


class Range(NamedTuple):
    """`first : last` or `first : step : last`."""

    start: int
    end: int
    first: Expr
    step: Expr | None
    last: Expr


class ArrayLiteral(NamedTuple):
    """`{a, b, c}`."""

    start: int
    end: int
    items: tuple[Expr, ...]


class MatrixLiteral(NamedTuple):
    """`[a, b; c, d]`."""

    start: int
    end: int
    rows: tuple[tuple[Expr, ...], ...]


class Iterator(NamedTuple):
    """`name in range`; without a range the use as a subscript tells it."""

    start: int
    end: int
    name: str
    range: Expr | None


class Comprehension(NamedTuple):
    """`{value for i in r, j in s}`: an array."""

    start: int
    end: int
    value: Expr
    iterators: tuple[Iterator, ...]


class Generator(NamedTuple):
    """`value for i in r`, only as the single argument of a call: `sum(x[i] for i in 1:3)`."""

    start: int
    end: int
    value: Expr
    iterators: tuple[Iterator, ...]


class TupleExpr(NamedTuple):
    """`(a, , c)`: outputs of a call, `None` where one is left out. Never just one expression."""

    start: int
    end: int
    items: tuple[Expr | None, ...]


class EndExpr(NamedTuple):
    """`end` inside a subscript: the last index."""

    start: int
    end: int


class Colon(NamedTuple):
    """`:` as a whole subscript, or as a dimension left open."""

    start: int
    end: int


class Subscripted(NamedTuple):
    """`(expression)[i, j]`."""

    start: int
    end: int
    base: Expr
    subscripts: tuple[Expr, ...]


class FieldAccess(NamedTuple):
    """`(expression).field`."""

    start: int
    end: int
    base: Expr
    field: str


class NoBinding(NamedTuple):
    """`break` in place of a value in `x = break`: the inherited binding is removed."""

    start: int
    end: int


Expr: TypeAlias = (
    Number
    | Str
    | Bool
    | ComponentRef
    | Call
    | PartialFunction
    | Binary
    | Unary
    | IfExpr
    | Range
    | ArrayLiteral
    | MatrixLiteral
    | Comprehension
    | Generator
    | TupleExpr
    | EndExpr
    | Colon
    | Subscripted
    | FieldAccess
    | NoBinding
)


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


# ---------------------------------------------------------------- equations


class Equation(NamedTuple):
    """`left = right`."""

    start: int
    end: int
    left: Expr
    right: Expr
    description: Description | None


class Connect(NamedTuple):
    """`connect(left, right)`."""

    start: int
    end: int
    left: ComponentRef
    right: ComponentRef
    description: Description | None


class CallEquation(NamedTuple):
    """A call that stands alone: `assert(...)`, `reinit(...)`, `Connections.root(...)`."""

    start: int
    end: int
    call: Call
    description: Description | None


class EquationBranch(NamedTuple):
    """A condition of an if- or when-equation and what it guards."""

    start: int
    end: int
    condition: Expr
    body: tuple[AnyEquation, ...]


class IfEquation(NamedTuple):
    start: int
    end: int
    branches: tuple[EquationBranch, ...]
    otherwise: tuple[AnyEquation, ...]  # empty also when `else` is missing
    description: Description | None


class WhenEquation(NamedTuple):
    start: int
    end: int
    branches: tuple[EquationBranch, ...]
    description: Description | None


class ForEquation(NamedTuple):
    start: int
    end: int
    iterators: tuple[Iterator, ...]
    body: tuple[AnyEquation, ...]
    description: Description | None


AnyEquation: TypeAlias = Equation | Connect | CallEquation | IfEquation | WhenEquation | ForEquation


# ---------------------------------------------------------------- statements


class Assign(NamedTuple):
    """`target := value`."""

    start: int
    end: int
    target: ComponentRef
    value: Expr
    description: Description | None


class TupleAssign(NamedTuple):
    """`(a, , c) := f(...)`, `None` where an output is not wanted."""

    start: int
    end: int
    targets: tuple[ComponentRef | None, ...]
    call: Call
    description: Description | None


class CallStatement(NamedTuple):
    start: int
    end: int
    call: Call
    description: Description | None


class StatementBranch(NamedTuple):
    """A condition of an if- or when-statement and what it guards."""

    start: int
    end: int
    condition: Expr
    body: tuple[Statement, ...]


class IfStatement(NamedTuple):
    start: int
    end: int
    branches: tuple[StatementBranch, ...]
    otherwise: tuple[Statement, ...]  # empty also when `else` is missing
    description: Description | None


class WhenStatement(NamedTuple):
    start: int
    end: int
    branches: tuple[StatementBranch, ...]
    description: Description | None


class ForStatement(NamedTuple):
    start: int
    end: int
    iterators: tuple[Iterator, ...]
    body: tuple[Statement, ...]
    description: Description | None


class WhileStatement(NamedTuple):
    start: int
    end: int
    condition: Expr
    body: tuple[Statement, ...]
    description: Description | None


class Break(NamedTuple):
    start: int
    end: int
    description: Description | None


class Return(NamedTuple):
    start: int
    end: int
    description: Description | None


Statement: TypeAlias = (
    Assign
    | TupleAssign
    | CallStatement
    | IfStatement
    | WhenStatement
    | ForStatement
    | WhileStatement
    | Break
    | Return
)


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


# The escapes of the specification's section "Lexical Conventions" that do not stand for themselves.
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def decode_string(text: str) -> str:
    r"""Replace the escapes of a string's written form: `a\"b` becomes `a"b`."""
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[1]), text)
