"""Expressions to text, with no more brackets than needed.

In: an expression. Out: text that parses back to the same tree.
`show_expression(parse_expression("(a + b)*c")) == "(a + b)*c"`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from freewheel.syntax.expression_nodes import (
    ArrayLiteral,
    Binary,
    Bool,
    Call,
    Colon,
    ComponentRef,
    Comprehension,
    EndExpr,
    Expr,
    FieldAccess,
    Generator,
    IfExpr,
    Iterator,
    MatrixLiteral,
    NamedArg,
    NoBinding,
    Number,
    PartialFunction,
    Range,
    Str,
    Subscripted,
    TupleExpr,
    TypeName,
    Unary,
)
from freewheel.syntax.parse_expressions import BINDING, NOT, POWER, RELATION, SIGN

_TIGHT = frozenset(("*", "/", "^"))
_PRIMARY = POWER + 1


def show_expression(node: Expr, floor: int = 0) -> str:
    """The text of an expression, in brackets if it binds less tightly than `floor`."""
    text = _SHOW[type(node)](node)
    return f"({text})" if _binding(node) < floor else text


def _binding(node: Expr) -> int:
    if isinstance(node, Binary):
        return BINDING[node.op]
    if isinstance(node, Unary):
        return NOT if node.op == "not" else SIGN
    return 0 if isinstance(node, IfExpr | Range) else _PRIMARY


def show_name(name: TypeName) -> str:
    return ("." if name.absolute else "") + ".".join(name.parts)


def show_list(nodes: tuple[Expr, ...]) -> str:
    return ", ".join([show_expression(node) for node in nodes])


def show_subscripts(nodes: tuple[Expr, ...]) -> str:
    return f"[{', '.join([show_expression(node) for node in nodes])}]" if nodes else ""


def show_outputs(items: tuple[Expr | None, ...]) -> str:
    """`(a, , c)`"""
    return f"({', '.join(['' if item is None else show_expression(item) for item in items])})"


def show_iterators(iterators: tuple[Iterator, ...]) -> str:
    texts = []
    for iterator in iterators:
        values = "" if iterator.range is None else f" in {show_expression(iterator.range)}"
        texts.append(iterator.name + values)
    return ", ".join(texts)


def _reference(node: ComponentRef) -> str:
    parts = [part.name + show_subscripts(part.subscripts) for part in node.parts]
    return ("." if node.absolute else "") + ".".join(parts)


def _binary(node: Binary) -> str:
    """Walks down the left operands in a loop: a sum of a thousand terms nests that deep."""
    pieces: list[str] = []
    while True:
        binding = BINDING[node.op]
        pieces.append(show_expression(node.right, binding + 1))
        pieces.append(node.op if node.op in _TIGHT else f" {node.op} ")
        left_floor = binding + 1 if binding in (RELATION, POWER) else binding
        left = node.left
        if not isinstance(left, Binary) or BINDING[left.op] < left_floor:
            pieces.append(show_expression(left, left_floor))
            return "".join(reversed(pieces))
        node = left


def _unary(node: Unary) -> str:
    if node.op == "not":
        return "not " + show_expression(node.operand, NOT + 1)
    return node.op + show_expression(node.operand, SIGN + 1)


def _if(node: IfExpr) -> str:
    words = []
    for i, (condition, value) in enumerate(node.branches):
        word = "elseif" if i else "if"
        words.append(f"{word} {show_expression(condition, 1)} then {show_expression(value)}")
    # `else if` would be read as one more branch.
    floor = 1 if isinstance(node.otherwise, IfExpr) else 0
    return " ".join(words) + " else " + show_expression(node.otherwise, floor)


def _range(node: Range) -> str:
    middle = "" if node.step is None else ":" + show_expression(node.step, 1)
    return f"{show_expression(node.first, 1)}{middle}:{show_expression(node.last, 1)}"


def _matrix(node: MatrixLiteral) -> str:
    return "[" + "; ".join([show_list(row) for row in node.rows]) + "]"


def _named(args: tuple[NamedArg, ...]) -> list[str]:
    return [f"{arg.name}={show_expression(arg.value)}" for arg in args]


def _call(node: Call) -> str:
    args = [show_expression(arg) for arg in node.args] + _named(node.named)
    return f"{_reference(node.function)}({', '.join(args)})"


def _partial(node: PartialFunction) -> str:
    return f"function {show_name(node.function)}({', '.join(_named(node.named))})"


def _for(node: Comprehension | Generator) -> str:
    return f"{show_expression(node.value)} for {show_iterators(node.iterators)}"


def _field(node: FieldAccess) -> str:
    return f"{_base(node.base)}.{node.field}"


def _subscripted(node: Subscripted) -> str:
    return _base(node.base) + show_subscripts(node.subscripts)


def _base(node: Expr) -> str:
    """What is subscripted or asked for a field stands in brackets, once."""
    text = show_expression(node)
    return text if isinstance(node, Subscripted | FieldAccess | TupleExpr) else f"({text})"


_SHOW: dict[type, Callable[[Any], str]] = {
    Number: lambda node: node.text,
    Str: lambda node: f'"{node.text}"',
    Bool: lambda node: "true" if node.value else "false",
    ComponentRef: _reference,
    Call: _call,
    PartialFunction: _partial,
    Binary: _binary,
    Unary: _unary,
    IfExpr: _if,
    Range: _range,
    ArrayLiteral: lambda node: "{" + show_list(node.items) + "}",
    MatrixLiteral: _matrix,
    Comprehension: lambda node: "{" + _for(node) + "}",
    Generator: _for,
    TupleExpr: lambda node: show_outputs(node.items),
    EndExpr: lambda node: "end",
    Colon: lambda node: ":",
    Subscripted: _subscripted,
    FieldAccess: _field,
    NoBinding: lambda node: "break",
}
