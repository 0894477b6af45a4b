"""Functions of a `.dym` file to functions of Modelica.

    function g(h) = 20 + 3E6/h
    function gDER(h) = -3E6/h**2          the slope of g

As in the documents, a function whose name ends in `DER` is the partial derivative of the other one. A file
need not have it: where an equation calls it, it is `function gDER = der(g, h)`. Annotations are kept by
place in a text, so the text of the file gets them as lines behind its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from freewheel.base.diagnostics import error
from freewheel.base.source import Source, Span
from freewheel.dymola.book import Book
from freewheel.dymola.kinds import parts
from freewheel.dymola.lower_equations import Meaning, lower_expression
from freewheel.dymola.nodes import ClassicFile, FunctionDef
from freewheel.syntax.equation_nodes import Assign
from freewheel.syntax.expression_nodes import Binary, Call, ComponentRef, Expr, RefPart, TypeName
from freewheel.syntax.nodes import (
    NO_PREFIXES,
    AlgorithmSection,
    ClassDef,
    Component,
    DerBody,
    LongBody,
)
from freewheel.syntax.text_nodes import Annotation, Description

SLOPE = "DER"
RATE = "RATE"


class Notes:
    """Annotations written behind the end of a source."""

    def __init__(self, source: Source) -> None:
        self.path = source.path
        self.text = source.text

    def add(self, text: str) -> Description:
        start = len(self.text) + 1
        self.text += f"\nannotation({text})"
        place = (start, len(self.text))
        return Description(*place, None, Annotation(*place))

    def source(self) -> Source:
        return Source(self.path, self.text)


def slopes_asked_for(book: Book, own: ClassicFile, names: Iterable[str]) -> frozenset[str]:
    """Slopes that are called but not written: `gDER`; of `gDERDER`, both."""
    found: set[str] = set()
    trees: list[object] = [*(book.get(name).model for name in names), *own.functions]
    seen: set[str] = set()
    while trees:
        tree = trees.pop()
        if isinstance(tree, tuple):
            trees.extend(tree)
        if not isinstance(tree, Call) or len(tree.function.parts) != 1:
            continue
        name = tree.function.parts[0].name
        if name in book.functions and name not in seen:
            seen.add(name)
            trees.append(book.functions[name][0])
        made: list[str] = []
        while name not in book.functions and name.endswith(SLOPE):
            made.append(name)
            name = name.removesuffix(SLOPE)
        if name in book.functions:
            found.update(made)
    return frozenset(found)


def called_functions(book: Book, own: ClassicFile, names: Iterable[str]) -> frozenset[str]:
    """Those that the file or the named classes call, directly or not, and the slopes of these."""
    trees: list[object] = [*own.functions, *(book.get(name).model for name in names)]
    found: set[str] = set()
    while trees:
        tree = trees.pop()
        if isinstance(tree, Call) and len(tree.function.parts) == 1:
            name = tree.function.parts[0].name
            for one in {name, name + SLOPE, name.removesuffix(SLOPE)} - found:
                if one in book.functions:
                    found.add(one)
                    trees.append(book.functions[one][0])
        if isinstance(tree, tuple):
            trees.extend(tree)
    return frozenset(found)


def lower_functions(
    functions: list[FunctionDef], source: Source, notes: Notes, asked: Set[str] = frozenset()
) -> list[ClassDef]:
    """All functions of a file, each with the rate that its slope makes, and slopes `asked` for."""
    names = {function.name for function in functions}
    lowered: list[ClassDef] = []
    for function in functions:
        _refuse_time(function, source)
        value = lower_expression(function.value, Meaning(source))
        inputs = [word.text for word in function.inputs]
        if function.name + SLOPE in names and len(inputs) == 1:
            rate = function.name + RATE
            note = notes.add(f"derivative={rate}, Inline=false")
            lowered.append(_function(function, function.name, inputs, value, note))
            lowered.append(_rate(function, inputs[0], notes))
        else:
            note = notes.add("Inline=false" if function.name.endswith(SLOPE) else "Inline=true")
            lowered.append(_function(function, function.name, inputs, value, note))
        name = function.name
        while name + SLOPE in asked:
            lowered.append(_slope(function, name, source))
            name += SLOPE
    return lowered


def _slope(function: FunctionDef, base: str, source: Source) -> ClassDef:
    """`function gDER = der(g, h)`; `base` is `g`, or a slope of it."""
    place = (function.start, function.end)
    if len(function.inputs) != 1:
        raise error(
            "N046",
            f"`{base + SLOPE}` is not defined, and `{function.name}` has"
            f" {len(function.inputs)} arguments",
            Span(source, *place),
            help=f"write `function {base + SLOPE}(..) = ...`: only the slope of a function of one"
            " argument is made automatically",
        )
    body = DerBody(*place, TypeName(*place, (base,)), (function.inputs[0].text,))
    start = function.start + len("function ")
    name = base + SLOPE
    return ClassDef(*place, start, False, False, False, "function", name, body, None)


def _refuse_time(function: FunctionDef, source: Source) -> None:
    """Of its arguments a function knows the value only."""
    for part in parts(function.value):
        if isinstance(part, Call) and part.function.names[0] in ("der", "new", "pre"):
            raise error(
                "S046",
                f"`{part.function.names[0]}` cannot stand in a function",
                Span(source, part.start, part.end),
                help="write it into an equation, and give its value to the function",
            )


def _rate(function: FunctionDef, name: str, notes: Notes) -> ClassDef:
    """`gDER(h)*der_h`"""
    place = (function.start, function.end)

    def ref(text: str) -> ComponentRef:
        return ComponentRef(*place, (RefPart(text),))

    slope = Call(*place, ref(function.name + SLOPE), (ref(name),), ())
    value = Binary(*place, "*", slope, ref(f"der_{name}"))
    note = notes.add("InlineAfterIndexReduction=true")
    return _function(function, function.name + RATE, [name, f"der_{name}"], value, note)


def _function(
    at: FunctionDef, name: str, inputs: list[str], value: Expr, note: Description
) -> ClassDef:
    place = (at.start, at.end)
    result = "value" if "value" not in inputs else "result"
    elements = [_real(place, "input", text) for text in inputs]
    elements.append(_real(place, "output", result))
    target = ComponentRef(*place, (RefPart(result),))
    statements = (Assign(*place, target, value, None),)
    section = AlgorithmSection(*place, False, statements)
    body = LongBody(*place, False, None, tuple(elements), (section,), None)
    start = at.start + len("function ")
    return ClassDef(*place, start, False, False, False, "function", name, body, note)


def _real(place: tuple[int, int], causality: str, name: str) -> Component:
    prefixes = NO_PREFIXES._replace(causality=causality)
    kind = TypeName(*place, ("Real",))
    return Component(*place, False, prefixes, kind, (), name, (), None, None, None, None)
