"""Tokens of a `.dym` file to expressions, the nodes of `syntax`.

    if u <= 0 and not i > 0 then 1 else 0        IfExpr(...)

As in the listings of the papers: `**` is a power, `not` binds less than a comparison, `else if` goes on
as long as it likes. An expression ends with its line unless something is still missing, or the next line
begins with an operator. A sign at the beginning of a line goes on too, unless that leaves an equation
with two `=`: then the line begins a new one (`parse_equations.py` tries again).
"""

from __future__ import annotations

from freewheel.dymola.cursor import Cursor
from freewheel.dymola.lexer import NUMBER
from freewheel.syntax.expression_nodes import (
    Binary,
    Bool,
    Call,
    ComponentRef,
    Expr,
    IfExpr,
    Number,
    Unary,
)

_BINDING = {
    "or": 1, "and": 2,
    "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "<>": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "**": 7, "^": 7,
}  # fmt: skip
_NOT, _RELATION, _SIGN, _POWER = 3, 4, 5, 7
_NOT_CHAINED = {
    _RELATION: ("comparisons", "join two of them with `and`"),
    _POWER: ("powers", "write brackets: `a**(b**c)` or `(a**b)**c`"),
}
_SIGNS = ("+", "-")
_LITERALS = {"True": True, "true": True, "False": False, "false": False}


def expression(c: Cursor) -> Expr:
    """A choice or an operation."""
    return _choice(c) if c.here.text == "if" else _operation(c, 0)


def _choice(c: Cursor) -> Expr:
    begin = c.here.start
    c.enter()
    branches: list[tuple[Expr, Expr]] = []
    while True:
        c.take()  # `if` or `elseif`
        condition = expression(c)
        c.expect("then", "the condition")
        branches.append((condition, expression(c)))
        if c.here.text == "elseif":
            continue
        if c.here.text != "else":
            raise c.expected("`else`: a choice needs a value for every case")
        c.take()
        if c.here.text != "if":
            break
    otherwise = expression(c)
    c.depth -= 1
    return IfExpr(begin, c.before.end, tuple(branches), otherwise)


def _operation(c: Cursor, floor: int) -> Expr:
    """Operators that bind more tightly than `floor`, with their operands."""
    begin = c.here.start
    left = _prefixed(c, floor)
    while True:
        op = c.here.text
        binding = _BINDING.get(op, 0)
        if binding <= floor or (op in _SIGNS and c.ends_at_sign and not c.goes_on()):
            return left
        c.take()
        right = _prefixed(c, binding) if binding == _POWER else _operation(c, binding)
        written = "^" if op == "**" else op
        left = Binary(begin, c.before.end, written, left, right)
        if _BINDING.get(c.here.text) == binding and binding in _NOT_CHAINED:
            what, cure = _NOT_CHAINED[binding]
            raise c.fail("S013", f"{what} do not chain", cure)


def _prefixed(c: Cursor, floor: int) -> Expr:
    """`not a`, `-a`, or a primary."""
    token = c.here
    if token.text == "not":
        c.enter()
        c.take()
        operand = _operation(c, _NOT)
        c.depth -= 1
        return Unary(token.start, c.before.end, "not", operand)
    if token.text in _SIGNS:
        c.enter()
        c.take()
        operand = _operation(c, max(floor, _SIGN))
        c.depth -= 1
        return operand if token.text == "+" else Unary(token.start, c.before.end, "-", operand)
    return _primary(c)


def _primary(c: Cursor) -> Expr:
    token = c.here
    if token.kind == NUMBER:
        c.take()
        return Number(token.start, token.end, token.text)
    if token.text in _LITERALS:
        c.take()
        return Bool(token.start, token.end, _LITERALS[token.text])
    if token.text == "(":
        c.enter()
        opened = c.open("(", "")
        inner = expression(c)
        c.close(")", opened)
        c.depth -= 1
        return inner
    if not c.is_name():
        raise c.expected("an expression")
    reference = c.reference("a name")
    if c.here.text == "(" and c.goes_on():
        return _call(c, reference)
    return reference


def _call(c: Cursor, function: ComponentRef) -> Expr:
    c.enter()
    opened = c.open("(", "")
    args: list[Expr] = []
    if c.here.text != ")":
        args.append(expression(c))
        while c.takes(","):
            args.append(expression(c))
    c.close(")", opened)
    c.depth -= 1
    return Call(function.start, c.before.end, function, tuple(args), ())
