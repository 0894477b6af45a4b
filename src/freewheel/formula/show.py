"""Print formulas as Modelica text, with parentheses only where the grammar needs them.

    show(Binary("*", Var(("a",)), Unary("-", Var(("b", 1)))))        a*(-b[1])
    show(Var(("a", "b", 1, "c", 2)), quoted=True)                    'a.b[1].c'[2]

The levels follow Modelica 3.6, "Concrete Syntax", Expressions. Text printed from a tree parses back
to the same tree; so `a + (b + c)` keeps its parentheses.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from freewheel.base import names
from freewheel.base.keywords import KEYWORDS, PREDEFINED
from freewheel.base.names import Name
from freewheel.formula.nodes import (
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.walk import fold

# How tightly the outermost operator of a piece of text binds.
IF, RANGE, OR, AND, NOT, RELATION, SUM, TERM, POWER, PRIMARY = range(10)

Text = tuple[str, int]
NameText = Callable[[Name], str]

# operator -> (its level, least level of the left operand, of the right operand, text between)
_OPERATORS: dict[str, tuple[int, int, int, str]] = {
    "or": (OR, OR, AND, " or "),
    "and": (AND, AND, NOT, " and "),
    "+": (SUM, SUM, TERM, " + "),
    "-": (SUM, SUM, TERM, " - "),
    ".+": (SUM, SUM, TERM, " .+ "),
    ".-": (SUM, SUM, TERM, " .- "),
    "*": (TERM, TERM, POWER, "*"),
    "/": (TERM, TERM, POWER, "/"),
    ".*": (TERM, TERM, POWER, " .* "),
    "./": (TERM, TERM, POWER, " ./ "),
    "^": (POWER, PRIMARY, PRIMARY, "^"),
    ".^": (POWER, PRIMARY, PRIMARY, " .^ "),
} | {
    relation: (RELATION, SUM, SUM, f" {relation} ")
    for relation in ("<", "<=", ">", ">=", "==", "<>")
}

_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def show(expr: Expr, quoted: bool = False, name_text: NameText | None = None) -> str:
    """Modelica text of a formula; `name_text` overrides how variables are written."""
    write = name_text or (quoted_name if quoted else names.show)
    memo: dict[Expr, Text] = {}

    def visit(node: Expr, parts: tuple[Text, ...]) -> Text:
        if isinstance(node, Var):
            return write(node.data), PRIMARY
        return _SHOW[type(node)](node, parts)

    return fold(expr, visit, memo)[0]


def quoted_name(name: Name) -> str:
    """A flat name as one identifier: dots and inner subscripts inside quotes, trailing subscripts
    (those of an array variable) outside."""
    end = len(name)
    while end > 0 and isinstance(name[end - 1], int):
        end -= 1
    head, subscripts = name[:end], name[end:]
    text = names.show(head)
    if len(head) != 1 or text in KEYWORDS or text in PREDEFINED:
        text = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return text + (f"[{', '.join(map(str, subscripts))}]" if subscripts else "")


def quote_string(value: str) -> str:
    return '"' + "".join(_ESCAPES.get(char, char) for char in value) + '"'


def show_number(value: float) -> str:
    """A Real literal that reads back as the same number."""
    if math.isnan(value):
        return "(0.0/0.0)"
    if math.isinf(value):  # the language has no word for it; the literal overflows to it
        return "1e999" if value > 0 else "-1e999"
    return repr(value)


def _at_least(text: Text, level: int) -> str:
    return text[0] if text[1] >= level else f"({text[0]})"


def _list(parts: tuple[Text, ...]) -> str:
    return ", ".join(part[0] for part in parts)


def _signed(text: str) -> Text:
    return text, SUM if text.startswith("-") else PRIMARY


def _real(node: Expr, parts: tuple[Text, ...]) -> Text:
    return _signed(show_number(node.data))


def _integer(node: Expr, parts: tuple[Text, ...]) -> Text:
    return _signed(str(node.data))


def _boolean(node: Expr, parts: tuple[Text, ...]) -> Text:
    return ("true" if node.data else "false"), PRIMARY


def _string(node: Expr, parts: tuple[Text, ...]) -> Text:
    return quote_string(node.data), PRIMARY


def _literal(node: Expr, parts: tuple[Text, ...]) -> Text:
    type_name, _, literal = node.data
    return ".".join((*type_name, literal)), PRIMARY


def _iterator(node: Expr, parts: tuple[Text, ...]) -> Text:
    return node.data, PRIMARY


def _colon(node: Expr, parts: tuple[Text, ...]) -> Text:
    return ":", PRIMARY


def _function_ref(node: Expr, parts: tuple[Text, ...]) -> Text:
    return ".".join(node.data), PRIMARY


def _unary(node: Expr, parts: tuple[Text, ...]) -> Text:
    if node.data == "not":
        return f"not {_at_least(parts[0], RELATION)}", NOT
    return f"-{_at_least(parts[0], TERM)}", SUM


def _binary(node: Expr, parts: tuple[Text, ...]) -> Text:
    level, left, right, between = _OPERATORS[node.data]
    return _at_least(parts[0], left) + between + _at_least(parts[1], right), level


def _if(node: Expr, parts: tuple[Text, ...]) -> Text:
    condition, then, otherwise = (part[0] for part in parts)
    if isinstance(node.args[2], If):
        return f"if {condition} then {then} else{otherwise}", IF
    return f"if {condition} then {then} else {otherwise}", IF


def _call(node: Expr, parts: tuple[Text, ...]) -> Text:
    name = node.data if isinstance(node.data, str) else ".".join(node.data)
    if name == "String":
        return _formatted(node, parts), PRIMARY
    return f"{name}({_list(parts)})", PRIMARY


def _formatted(node: Expr, parts: tuple[Text, ...]) -> str:
    """`String`, its kind left out. With a format, or with length, side and digits: six digits are what
    everybody gets."""
    value, options = parts[0][0], parts[2:]
    if not options:
        return f"String({value})"
    if len(options) == 1:
        return f"String({value}, format = {options[0][0]})"
    labels = ("minimumLength", "leftJustified", "significantDigits")
    kept = 2 if node.args[-1] is Integer(6) else len(options)
    return f"String({value}, {_named(labels[:kept], options[:kept])})"


def _output(node: Expr, parts: tuple[Text, ...]) -> Text:
    """The language reaches later outputs only by tuples; this form is for reading."""
    if node.data == 1:
        return parts[0]
    return f"output({node.data}, {parts[0][0]})", PRIMARY


def _named(labels: tuple[str, ...], parts: tuple[Text, ...]) -> str:
    return ", ".join(f"{label} = {part[0]}" for label, part in zip(labels, parts, strict=True))


def _partial(node: Expr, parts: tuple[Text, ...]) -> Text:
    function, labels = node.data
    return f"function {'.'.join(function)}({_named(labels, parts)})", PRIMARY


def _array(node: Expr, parts: tuple[Text, ...]) -> Text:
    return f"{{{_list(parts)}}}", PRIMARY


def _range(node: Expr, parts: tuple[Text, ...]) -> Text:
    first, step, last = (_at_least(part, OR) for part in parts)
    if node.args[1] is Integer(1):
        return f"{first}:{last}", RANGE
    return f"{first}:{step}:{last}", RANGE


def _iterators(labels: tuple[str, ...], ranges: tuple[Text, ...]) -> str:
    return ", ".join(f"{label} in {part[0]}" for label, part in zip(labels, ranges, strict=True))


def _comprehension(node: Expr, parts: tuple[Text, ...]) -> Text:
    return f"{{{parts[0][0]} for {_iterators(node.data, parts[1:])}}}", PRIMARY


def _reduction(node: Expr, parts: tuple[Text, ...]) -> Text:
    op, labels = node.data
    return f"{op}({parts[0][0]} for {_iterators(labels, parts[1:])})", PRIMARY


def _index(node: Expr, parts: tuple[Text, ...]) -> Text:
    base = parts[0][0] if _takes_subscripts(node.args[0]) else f"({parts[0][0]})"
    return f"{base}[{_list(parts[1:])}]", PRIMARY


def _takes_subscripts(node: Expr) -> bool:
    """A reference whose last identifier has no subscripts yet."""
    if isinstance(node, Var):
        return isinstance(node.data[-1], str)
    return isinstance(node, Field) and _is_reference(node.args[0])


def _is_reference(node: Expr) -> bool:
    """`a.b[i].c`: what the grammar reads without brackets around it."""
    while not isinstance(node, Var):
        if isinstance(node, Index) and not _takes_subscripts(node.args[0]):
            return False
        if not isinstance(node, Index | Field):
            return False
        node = node.args[0]
    return True


def _record(node: Expr, parts: tuple[Text, ...]) -> Text:
    type_name, labels = node.data
    return f"{'.'.join(type_name)}({_named(labels, parts)})", PRIMARY


def _field(node: Expr, parts: tuple[Text, ...]) -> Text:
    base = parts[0][0] if _is_reference(node.args[0]) else f"({parts[0][0]})"
    return f"{base}.{node.data}", PRIMARY


_SHOW: dict[type, Callable[[Expr, tuple[Text, ...]], Text]] = {
    Real: _real,
    Integer: _integer,
    Boolean: _boolean,
    String: _string,
    Literal: _literal,
    Iterator: _iterator,
    Colon: _colon,
    FunctionRef: _function_ref,
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Call: _call,
    Output: _output,
    PartialFunction: _partial,
    Array: _array,
    Range: _range,
    Comprehension: _comprehension,
    Reduction: _reduction,
    Index: _index,
    Record: _record,
    Field: _field,
}
