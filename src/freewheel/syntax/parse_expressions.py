"""Tokens to expressions, by precedence climbing.

In: a `Cursor` at the first token of an expression. Out: the node, with the cursor behind it.
`a + b*c` becomes `Binary("+", a, Binary("*", b, c))`.

Grammar: Modelica 3.6, "Expressions" in the appendix "Modelica Concrete Syntax". Two of its rules
surprise: a sign stands only before a whole term (`-a*b` is `-(a*b)`, and `a*-b` needs brackets),
and neither comparisons nor powers chain.
"""

from __future__ import annotations

from freewheel.syntax.cursor import Cursor, GrammarError, make
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
    Number,
    PartialFunction,
    Range,
    RefPart,
    Str,
    Subscripted,
    TupleExpr,
    Unary,
)
from freewheel.syntax.lexer import DOTTED, IDENT, NUMBER, STRING

# How tightly each operator binds; the printer uses the same table.
BINDING = {
    "or": 1, "and": 2,
    "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "<>": 4,
    "+": 5, "-": 5, ".+": 5, ".-": 5,
    "*": 6, "/": 6, ".*": 6, "./": 6,
    "^": 7, ".^": 7,
}  # fmt: skip
NOT, RELATION, SIGN, POWER = 3, 4, 5, 7
_NOT_CHAINED = frozenset((RELATION, POWER))
_SIGNS = frozenset(("+", "-", ".+", ".-"))
_AFTER_WHOLE = frozenset((",", ")", ";", "}", "]", "=", "then", "loop"))
_GOES_ON = frozenset(("[", "."))
_MORE_THAN_A_NAME = frozenset(("(", "[", "."))


def expression(c: Cursor) -> Expr:
    """`if ... then ... else ...`, a range, or a simple expression."""
    at = c.at
    if c.texts[at + 1] in _AFTER_WHOLE:  # one token only: half of all expressions
        kind = c.kinds[at]
        if kind <= DOTTED:
            c.at = at + 1
            return make(ComponentRef, (c.starts[at], c.ends[at], c.parts[c.texts[at]], False))
        if kind == NUMBER:
            c.at = at + 1
            return make(Number, (c.starts[at], c.ends[at], c.texts[at]))
    elif c.texts[at] == "if":
        return _if_expression(c)
    first = operation(c, 0)
    if c.texts[c.at] != ":":
        return first
    c.at += 1
    second = operation(c, 0)
    if c.texts[c.at] != ":":
        return make(Range, (c.starts[at], c.ends[c.at - 1], first, None, second))
    c.at += 1
    third = operation(c, 0)
    return make(Range, (c.starts[at], c.ends[c.at - 1], first, second, third))


def _if_expression(c: Cursor) -> Expr:
    """`else if` is read as `elseif`: the meaning is the same and long chains stay shallow."""
    begin = c.at
    c.enter()
    branches: list[tuple[Expr, Expr]] = []
    while True:
        c.at += 1
        condition = expression(c)
        c.expect("then", "the condition")
        branches.append((condition, expression(c)))
        if c.texts[c.at] == "elseif":
            continue
        if c.texts[c.at] != "else":
            raise c.expected("`else` or `elseif`: an if-expression needs a value for every case")
        c.at += 1
        if c.texts[c.at] != "if":
            break
    otherwise = expression(c)
    c.depth -= 1
    return IfExpr(c.starts[begin], c.ends[c.at - 1], tuple(branches), otherwise)


def operation(c: Cursor, floor: int) -> Expr:
    """Operators that bind more tightly than `floor`, with their operands."""
    begin = c.at
    left: Expr
    kind = c.kinds[begin]
    if kind > STRING:
        left = _prefixed(c, floor)
    elif c.texts[begin + 1] in _MORE_THAN_A_NAME or kind == STRING:
        left = primary(c)
    else:  # a plain name or number, most operands
        c.at = begin + 1
        text = c.texts[begin]
        if kind == NUMBER:
            left = make(Number, (c.starts[begin], c.ends[begin], text))
        else:
            left = make(ComponentRef, (c.starts[begin], c.ends[begin], c.parts[text], False))
    operator = c.texts[c.at]
    while operator in BINDING:
        binding = BINDING[operator]
        if binding <= floor:
            break
        c.at += 1
        right = operation(c, binding)
        left = make(Binary, (c.starts[begin], c.ends[c.at - 1], operator, left, right))
        operator = c.texts[c.at]
        if binding in _NOT_CHAINED and BINDING.get(operator) == binding:
            raise _chain(c, binding)
    return left


def _prefixed(c: Cursor, floor: int) -> Expr:
    begin = c.at
    operator = c.texts[begin]
    if operator == "not":
        floor_of_operand, allowed = NOT, floor < NOT
    elif operator in _SIGNS:
        floor_of_operand, allowed = SIGN, floor < SIGN
    else:
        return primary(c)
    if not allowed:
        raise c.fail(
            "S013",
            f"`{operator}` cannot follow another operator",
            help=f"put it in brackets with its operand: `({operator} x)`",
        )
    c.at += 1
    operand = operation(c, floor_of_operand)
    return make(Unary, (c.starts[begin], c.ends[c.at - 1], operator, operand))


def _chain(c: Cursor, binding: int) -> GrammarError:
    if binding == POWER:
        return c.fail("S013", "powers do not chain", help="use brackets: `(a^b)^c` or `a^(b^c)`")
    return c.fail("S013", "comparisons do not chain", help="join two with `and`: `a < b and b < c`")


def primary(c: Cursor) -> Expr:
    at = c.at
    kind = c.kinds[at]
    if kind <= DOTTED:
        reference = component_reference(c)
        return _call(c, reference) if c.texts[c.at] == "(" else reference
    start = c.starts[at]
    text = c.texts[at]
    if kind == NUMBER:
        c.at = at + 1
        return make(Number, (start, c.ends[at], text))
    if kind == STRING:
        c.at = at + 1
        return make(Str, (start, c.ends[at], text[1:-1]))
    if text in _BRACKETED:
        c.enter()
        node = _BRACKETED[text](c)
        c.depth -= 1
        return node
    if text in ("true", "false"):
        c.at = at + 1
        return Bool(start, c.ends[at], text == "true")
    if text in ("der", "initial", "pure") and c.texts[at + 1] == "(":
        c.at = at + 1
        return _call(c, make(ComponentRef, (start, c.ends[at], c.parts[text], False)))
    if text == ".":
        reference = component_reference(c)
        return _call(c, reference) if c.texts[c.at] == "(" else reference
    if text == "end" and c.subscript_depth:
        c.at = at + 1
        return EndExpr(start, c.ends[at])
    raise c.expected("an expression")


def component_reference(c: Cursor) -> ComponentRef:
    begin = at = c.at
    texts = c.texts
    absolute = texts[at] == "."
    if absolute:
        at += 1
    if c.kinds[at] <= DOTTED and texts[at + 1] not in _GOES_ON:
        c.at = at + 1
        return make(ComponentRef, (c.starts[begin], c.ends[at], c.parts[texts[at]], absolute))
    parts: list[RefPart] = []
    while True:
        if c.kinds[at] > DOTTED:
            c.at = at
            raise c.expected("a name")
        parts += c.parts[texts[at]]
        at += 1
        if texts[at] == "[":
            c.at = at
            parts[-1] = RefPart(parts[-1].name, subscripts(c))
            at = c.at
        if texts[at] != ".":
            break
        at += 1
    c.at = at
    return make(ComponentRef, (c.starts[begin], c.ends[at - 1], tuple(parts), absolute))


def subscripts(c: Cursor) -> tuple[Expr, ...]:
    """`[i, :, end]`, the cursor being at the bracket."""
    opened = c.at
    c.enter()
    c.subscript_depth += 1
    found: list[Expr] = []
    while True:
        c.at += 1
        at = c.at
        if c.texts[at] == ":" and c.texts[at + 1] in (",", "]"):
            c.at = at + 1
            found.append(make(Colon, (c.starts[at], c.ends[at])))
        else:
            found.append(expression(c))
        if c.texts[c.at] != ",":
            break
    c.close("]", opened)
    c.subscript_depth -= 1
    c.depth -= 1
    return tuple(found)


def output_list(c: Cursor) -> tuple[Expr | None, ...]:
    """`(a, , c)` with places left empty; `()` has none. The cursor is at the bracket."""
    opened = c.at
    c.at += 1
    if c.texts[c.at] == ")":
        c.at += 1
        return ()
    found: list[Expr | None] = []
    while True:
        found.append(None if c.texts[c.at] in (",", ")") else expression(c))
        if c.texts[c.at] != ",":
            break
        c.at += 1
    c.close(")", opened)
    return tuple(found)


def _parenthesised(c: Cursor) -> Expr:
    begin = c.at
    items = output_list(c)
    single = items[0] if len(items) == 1 else None
    start = c.starts[begin]
    node: Expr = TupleExpr(start, c.ends[c.at - 1], items) if single is None else single
    while c.texts[c.at] in ("[", "."):
        if c.texts[c.at] == "[":
            indices = subscripts(c)
            node = Subscripted(start, c.ends[c.at - 1], node, indices)
        else:
            c.at += 1
            field = c.ident("a name after `.`")
            node = FieldAccess(start, c.ends[c.at - 1], node, field)
    return node


def _braced(c: Cursor) -> Expr:
    opened = c.at
    c.at += 1
    if c.texts[c.at] == "}":
        c.at += 1
        return make(ArrayLiteral, (c.starts[opened], c.ends[c.at - 1], ()))
    first = expression(c)
    if c.texts[c.at] == "for":
        indices = iterators(c)
        c.close("}", opened)
        return Comprehension(c.starts[opened], c.ends[c.at - 1], first, indices)
    items = _more(c, first)
    c.close("}", opened)
    return make(ArrayLiteral, (c.starts[opened], c.ends[c.at - 1], items))


def _bracketed(c: Cursor) -> Expr:
    opened = c.at
    rows: list[tuple[Expr, ...]] = []
    while True:
        c.at += 1
        rows.append(_more(c, expression(c)))
        if c.texts[c.at] != ";":
            break
    c.close("]", opened)
    return MatrixLiteral(c.starts[opened], c.ends[c.at - 1], tuple(rows))


def _more(c: Cursor, first: Expr) -> tuple[Expr, ...]:
    items = [first]
    while c.texts[c.at] == ",":
        c.at += 1
        items.append(expression(c))
    return tuple(items)


_BRACKETED = {"(": _parenthesised, "{": _braced, "[": _bracketed}


def iterators(c: Cursor) -> tuple[Iterator, ...]:
    """`for i in r, j in s`, the cursor being at `for`."""
    found: list[Iterator] = []
    while True:
        c.at += 1
        begin = c.at
        name = c.ident("a name for the loop variable")
        values = None
        if c.texts[c.at] == "in":
            c.at += 1
            values = expression(c)
        found.append(Iterator(c.starts[begin], c.ends[c.at - 1], name, values))
        if c.texts[c.at] != ",":
            return tuple(found)


def _call(c: Cursor, function: ComponentRef) -> Call:
    """The arguments of a call, the cursor being at the bracket."""
    opened = c.at
    c.enter()
    c.at += 1
    args: list[Expr] = []
    named: tuple[NamedArg, ...] = ()
    if c.texts[c.at] != ")":
        while True:
            if c.texts[c.at + 1] == "=" and c.kinds[c.at] == IDENT:
                named = _named_arguments(c)
                break
            args.append(_argument(c))
            if c.texts[c.at] != ",":
                break
            c.at += 1
        if c.texts[c.at] == "for" and len(args) == 1 and not named:
            args = [_generator(c, args[0])]
    c.close(")", opened)
    c.depth -= 1
    return make(Call, (function.start, c.ends[c.at - 1], function, tuple(args), named))


def call_of(c: Cursor, function: ComponentRef) -> Call:
    """A call on a reference already read; statements and equations use it."""
    if c.texts[c.at] != "(":
        raise c.expected("`(` after the function's name")
    return _call(c, function)


def _generator(c: Cursor, value: Expr) -> Generator:
    start = value.start
    indices = iterators(c)
    return Generator(start, c.ends[c.at - 1], value, indices)


def _argument(c: Cursor) -> Expr:
    if c.texts[c.at] != "function":
        return expression(c)
    begin = c.at
    c.at += 1
    function = c.type_name("the name of a function")
    opened = c.at
    c.expect("(", "the function's name")
    named = () if c.texts[c.at] == ")" else _named_arguments(c)
    c.close(")", opened)
    return PartialFunction(c.starts[begin], c.ends[c.at - 1], function, named)


def _named_arguments(c: Cursor) -> tuple[NamedArg, ...]:
    found: list[NamedArg] = []
    while True:
        begin = c.at
        if c.kinds[begin] == IDENT and c.texts[begin + 1] != "=":
            raise c.fail("S014", "a positional argument follows a named one", help="put it first")
        name = c.ident("a name of an argument")
        c.expect("=", "the argument's name")
        value = _argument(c)
        found.append(NamedArg(c.starts[begin], c.ends[c.at - 1], name, value))
        if c.texts[c.at] != ",":
            return tuple(found)
        c.at += 1
