"""Tokens to modifications, with the short classes and components they may redeclare.

In: a `Cursor` at `(` or `=`. Out: the node. `(start = 0, each fixed = true)` becomes
`Modification(args=(ElementMod("start", ...), ElementMod("fixed", each=True, ...)))`.

Grammar: Modelica 3.6, "Modification", "Class Definition" and "Component Clause" in the appendix
"Modelica Concrete Syntax".
"""

from __future__ import annotations

from typing import Any

from freewheel.syntax.cursor import Cursor, make
from freewheel.syntax.expression_nodes import NoBinding
from freewheel.syntax.lexer import DOTTED, STRING
from freewheel.syntax.nodes import (
    KINDS,
    NO_PREFIXES,
    Argument,
    Body,
    BreakConnect,
    BreakElement,
    ClassDef,
    Component,
    Constraining,
    DerBody,
    ElementMod,
    EnumerationBody,
    EnumLiteral,
    Modification,
    NestedClass,
    Prefixes,
    Redeclaration,
    ShortBody,
)
from freewheel.syntax.parse_equations import connect
from freewheel.syntax.parse_expressions import expression, subscripts

_ELEMENT_WORDS = ("redeclare", "final", "inner", "outer", "replaceable", "each")
_TYPE_WORDS = {
    "flow": "flow",
    "stream": "flow",
    "discrete": "variability",
    "parameter": "variability",
    "constant": "variability",
    "input": "causality",
    "output": "causality",
}
PREFIX_WORDS = frozenset(_ELEMENT_WORDS) - {"each"} | frozenset(_TYPE_WORDS)
_BASE_WORDS = frozenset(_TYPE_WORDS)
_ARGUMENT_WORDS = frozenset(("redeclare", "each", "final", "replaceable")) | _BASE_WORDS
CLASS_WORDS = frozenset((
    "encapsulated", "partial", "pure", "impure", "operator", "expandable", "class", "model",
    "record", "block", "connector", "type", "package", "function",
))  # fmt: skip


_NEXT_ARGUMENT = frozenset((",", ")"))


# ---------------------------------------------------------------- modifications


def modification(c: Cursor) -> Modification | None:
    """`(args) = value`, or either part, or nothing."""
    begin = c.at
    text = c.texts[begin]
    if text == "(":
        args = arguments(c)
        text = c.texts[c.at]
    elif text in ("=", ":="):
        args = ()
    else:
        return None
    binding = None
    if text in ("=", ":="):  # `:=` is an old spelling that tools still accept
        c.at += 1
        if c.texts[c.at] == "break":
            binding = NoBinding(c.starts[c.at], c.ends[c.at])
            c.at += 1
            return make(Modification, (c.starts[begin], c.ends[c.at - 1], args, binding))
        value = expression(c)
        return make(Modification, (c.starts[begin], c.ends[c.at - 1], args, value))
    return make(Modification, (c.starts[begin], c.ends[c.at - 1], args, binding))


def class_modification(c: Cursor) -> Modification | None:
    """`(args)` or nothing: what may follow the name of a type."""
    begin = c.at
    if c.texts[begin] != "(":
        return None
    args = arguments(c)
    return make(Modification, (c.starts[begin], c.ends[c.at - 1], args, None))


def arguments(c: Cursor) -> tuple[Argument, ...]:
    opened = c.at
    c.enter()
    c.at += 1
    found: list[Argument] = []
    if c.texts[c.at] != ")":
        while True:
            found.append(_argument(c))
            if c.texts[c.at] != ",":
                break
            c.at += 1
    c.close(")", opened)
    c.depth -= 1
    return tuple(found)


def _argument(c: Cursor) -> Argument:
    begin = c.at
    if c.kinds[begin] <= DOTTED:
        return _element_modification(c, begin, False, False)
    if c.texts[begin] == "break":
        return _break(c)
    prefixes = read_prefixes(c, _ARGUMENT_WORDS)
    if prefixes.redeclare or prefixes.replaceable:
        return Redeclaration(c.starts[begin], *_redeclared(c, prefixes))
    if c.kinds[c.at] > DOTTED:
        raise c.expected("a name to modify")
    if prefixes.flow or prefixes.variability or prefixes.causality:
        raise c.fail(
            "S014", f"`{c.texts[begin]}` needs `redeclare` inside a modification", at=begin
        )
    return _element_modification(c, begin, prefixes.each, prefixes.final)


def _element_modification(c: Cursor, begin: int, each: bool, final: bool) -> ElementMod:
    texts = c.texts
    at = c.at
    name = c.names[texts[at]]
    at += 1
    while texts[at] == "." and c.kinds[at + 1] <= DOTTED:
        name += c.names[texts[at + 1]]
        at += 2
    c.at = at
    change = None
    if texts[at] == "=" and texts[at + 1] != "break":  # the usual case, without a call
        c.at = at + 1
        value = expression(c)
        change = make(Modification, (c.starts[at], c.ends[c.at - 1], (), value))
    elif texts[at] not in _NEXT_ARGUMENT:
        change = modification(c)
    text = c.string() if c.kinds[c.at] == STRING else None
    return make(ElementMod, (c.starts[begin], c.ends[c.at - 1], each, final, name, change, text))


def _break(c: Cursor) -> BreakElement | BreakConnect:
    begin = c.at
    c.at += 1
    if c.texts[c.at] == "connect":
        connection = connect(c)
        return BreakConnect(c.starts[begin], c.ends[c.at - 1], connection)
    name = c.ident("a name of the component to leave out")
    return BreakElement(c.starts[begin], c.ends[c.at - 1], name)


def _redeclared(c: Cursor, prefixes: Prefixes) -> tuple[int, Component | NestedClass]:
    begin = c.at
    element: Component | NestedClass
    if c.texts[begin] in CLASS_WORDS:
        definition = _short_class(c)
        constraint = constraining(c)
        element = NestedClass(
            c.starts[begin], c.ends[c.at - 1], False, prefixes, definition, constraint
        )
    else:
        element = _component1(c, prefixes)
    return c.ends[c.at - 1], element


def _component1(c: Cursor, prefixes: Prefixes) -> Component:
    """One component inside a modification: no list, no condition."""
    type_name = c.type_name("the name of a type")
    type_subscripts = subscripts(c) if c.texts[c.at] == "[" else ()
    begin = c.at
    name = c.ident("a name of the component")
    dimensions = subscripts(c) if c.texts[c.at] == "[" else ()
    change = modification(c)
    description = c.description()
    constraint = constraining(c)
    return make(Component, (
        c.starts[begin], c.ends[c.at - 1], False, prefixes, type_name, type_subscripts, name,
        dimensions, change, None, constraint, description,
    ))  # fmt: skip


def constraining(c: Cursor) -> Constraining | None:
    """`constrainedby Type(args)` with its description, or nothing."""
    begin = c.at
    if c.texts[begin] != "constrainedby":
        return None
    c.at += 1
    type_name = c.type_name("the name of a type after `constrainedby`")
    change = class_modification(c)
    description = c.description()
    return Constraining(c.starts[begin], c.ends[c.at - 1], type_name, change, description)


# ---------------------------------------------------------------- prefixes

_known_prefixes: dict[tuple[str, ...], Prefixes] = {(): NO_PREFIXES}


def read_prefixes(c: Cursor, allowed: frozenset[str]) -> Prefixes:
    """The words in `allowed` from the cursor on. Few combinations occur, so they are shared."""
    begin = at = c.at
    while c.texts[at] in allowed:
        at += 1
    c.at = at
    words = tuple(c.texts[begin:at])
    known = _known_prefixes.get(words)
    if known is None:
        known = _known_prefixes[words] = _prefixes(c, words, begin)
    return known


def _prefixes(c: Cursor, words: tuple[str, ...], begin: int) -> Prefixes:
    fields: dict[str, Any] = {}
    for i, word in enumerate(words):
        field = _TYPE_WORDS.get(word, word)
        if field in fields:
            clash = word if fields[field] is True else fields[field]
            told = "is written twice" if clash == word else f"contradicts `{clash}`"
            raise c.fail("S015", f"`{word}` {told}", help="keep one of them", at=begin + i)
        fields[field] = word if word in _TYPE_WORDS else True
    return NO_PREFIXES._replace(**fields)


# ---------------------------------------------------------------- short classes


def class_head(c: Cursor) -> tuple[bool, bool, str]:
    """The words before a class's name: (encapsulated, partial, kind)."""
    begin = at = c.at
    while c.texts[at] in CLASS_WORDS:
        at += 1
    words = c.texts[begin:at]
    c.at = at
    encapsulated = words[:1] == ["encapsulated"]
    rest = words[1:] if encapsulated else words
    partial = rest[:1] == ["partial"]
    kind = " ".join(rest[1:] if partial else rest)
    if kind not in KINDS:
        if not words:
            raise c.expected("a class (`model`, `package`, `function`, ...)")
        raise c.fail(
            "S004",
            f"`{' '.join(words)}` is not a kind of class",
            help="write `encapsulated`, `partial`, then one of " + ", ".join(KINDS),
            at=begin,
        )
    return encapsulated, partial, kind


def _short_class(c: Cursor) -> ClassDef:
    begin = c.at
    encapsulated, partial, kind = class_head(c)
    named = c.at
    name = c.ident("a name of the class")
    if c.texts[c.at] != "=":
        raise c.expected(
            f"`=`: only a short class `{kind} {name} = Base` may stand in a modification"
        )
    body = short_body(c)
    description = c.description()
    return ClassDef(
        c.starts[begin], c.ends[c.at - 1], c.starts[named], False, encapsulated, partial, kind,
        name, body, description,
    )  # fmt: skip


def short_body(c: Cursor) -> Body:
    """`= Base`, `= enumeration(...)` or `= der(...)`, the cursor being at `=`."""
    begin = c.at
    c.at += 1
    text = c.texts[c.at]
    if text == "enumeration":
        literals = _literals(c)
        return EnumerationBody(c.starts[begin], c.ends[c.at - 1], literals)
    if text == "der":
        return _der_body(c, begin)
    prefixes = read_prefixes(c, _BASE_WORDS)
    type_name = c.type_name("the name of a type")
    dimensions = subscripts(c) if c.texts[c.at] == "[" else ()
    change = class_modification(c)
    return ShortBody(c.starts[begin], c.ends[c.at - 1], prefixes, type_name, dimensions, change)


def _literals(c: Cursor) -> tuple[EnumLiteral, ...] | None:
    c.at += 1
    opened = c.at
    c.expect("(", "`enumeration`")
    if c.texts[c.at] == ":":
        c.at += 1
        c.close(")", opened)
        return None
    found: list[EnumLiteral] = []
    while c.texts[c.at] != ")":
        begin = c.at
        name = c.ident("a name of an enumeration literal")
        description = c.description()
        found.append(EnumLiteral(c.starts[begin], c.ends[c.at - 1], name, description))
        if c.texts[c.at] != ",":
            break
        c.at += 1
    c.close(")", opened)
    return tuple(found)


def _der_body(c: Cursor, begin: int) -> DerBody:
    c.at += 1
    opened = c.at
    c.expect("(", "`der`")
    function = c.type_name("the name of a function")
    variables: list[str] = []
    while c.texts[c.at] == ",":
        c.at += 1
        variables.append(c.ident("a name of an input of the function"))
    if not variables:
        raise c.expected("`,` and the input to differentiate by")
    c.close(")", opened)
    return DerBody(c.starts[begin], c.ends[c.at - 1], function, tuple(variables))
