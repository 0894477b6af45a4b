"""Tokens to equations and statements.

In: a `Cursor` at the first token of one equation or statement. Out: the node; the semicolon is left
to the list. `der(x) = -x` becomes `Equation(Call(der, x), Unary("-", x))`.

Grammar: Modelica 3.6, "Equations" in the appendix "Modelica Concrete Syntax".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from freewheel.syntax.cursor import Cursor, make
from freewheel.syntax.equation_nodes import (
    AnyEquation,
    Assign,
    Break,
    CallEquation,
    CallStatement,
    Connect,
    Equation,
    EquationBranch,
    ForEquation,
    ForStatement,
    IfEquation,
    IfStatement,
    Return,
    Statement,
    StatementBranch,
    TupleAssign,
    WhenEquation,
    WhenStatement,
    WhileStatement,
)
from freewheel.syntax.expression_nodes import Binary, Call, ComponentRef, Expr
from freewheel.syntax.lexer import STRING
from freewheel.syntax.parse_expressions import (
    call_of,
    component_reference,
    expression,
    iterators,
    operation,
    output_list,
)

Item = TypeVar("Item")
Branch = tuple[int, int, Expr, tuple[Item, ...]]

# A section's word inside a block means that the block was not closed.
_BLOCK_STOPS = frozenset(
    ("", "end", "else", "elseif", "elsewhen", "equation", "algorithm", "public", "protected")
)


# ---------------------------------------------------------------- equations


def equation(c: Cursor) -> AnyEquation:
    begin = c.at
    if c.kinds[begin] > STRING and c.texts[begin] in _EQUATIONS:
        return _EQUATIONS[c.texts[begin]](c)
    left = operation(c, 0)
    if c.texts[c.at] == "=":
        c.at += 1
        right = expression(c)
        description = c.description()
        return make(Equation, (c.starts[begin], c.ends[c.at - 1], left, right, description))
    if c.texts[c.at] == ":=":
        raise c.fail("S016", "an equation uses `=`", help="write `=`, or move it below `algorithm`")
    if isinstance(left, Binary) and left.op == "==":
        raise c.fail("S016", "`==` compares", help="an equation uses `=`", at=begin)
    if not isinstance(left, Call):
        raise c.expected("`=`: an equation has two sides")
    description = c.description()
    return CallEquation(c.starts[begin], c.ends[c.at - 1], left, description)


def connect(c: Cursor) -> Connect:
    begin = c.at
    c.at += 1
    opened = c.at
    c.expect("(", "`connect`")
    left = component_reference(c)
    c.expect(",", "the first connector")
    right = component_reference(c)
    c.close(")", opened)
    description = c.description()
    return make(Connect, (c.starts[begin], c.ends[c.at - 1], left, right, description))


def _if_equation(c: Cursor) -> IfEquation:
    begin = c.at
    branches, otherwise = _branches(c, "if", "elseif", equation)
    nodes = tuple([EquationBranch(*branch) for branch in branches])
    description = c.description()
    return IfEquation(c.starts[begin], c.ends[c.at - 1], nodes, otherwise, description)


def _when_equation(c: Cursor) -> WhenEquation:
    begin = c.at
    branches, _ = _branches(c, "when", "elsewhen", equation)
    nodes = tuple([EquationBranch(*branch) for branch in branches])
    description = c.description()
    return WhenEquation(c.starts[begin], c.ends[c.at - 1], nodes, description)


def _for_equation(c: Cursor) -> ForEquation:
    begin = c.at
    indices = iterators(c)
    body = _loop_body(c, "for", begin, equation)
    description = c.description()
    return ForEquation(c.starts[begin], c.ends[c.at - 1], indices, body, description)


def _while_equation(c: Cursor) -> AnyEquation:
    """Read to its end, so that nothing behind it is misunderstood, and refused."""
    begin = c.at
    _while_statement(c)
    help = "move the loop below `algorithm`, or write `for`"
    raise c.fail("S016", "`while` is a statement", help=help, at=begin)


_EQUATIONS: dict[str, Callable[[Cursor], AnyEquation]] = {
    "if": _if_equation,
    "when": _when_equation,
    "for": _for_equation,
    "connect": connect,
    "while": _while_equation,
}


# ---------------------------------------------------------------- statements


def statement(c: Cursor) -> Statement:
    begin = c.at
    text = c.texts[begin]
    if c.kinds[begin] > STRING:
        if text in _STATEMENTS:
            return _STATEMENTS[text](c)
        if text == "(":
            return _tuple_assign(c)
        if text == "connect":
            raise c.fail("S016", "`connect` is an equation", help="move it below `equation`")
    if text in ("initial", "der", "pure"):
        target = make(ComponentRef, (c.starts[begin], c.ends[begin], c.parts[text], False))
        c.at += 1
    else:
        target = component_reference(c)
    if c.texts[c.at] == ":=":
        c.at += 1
        value = expression(c)
        description = c.description()
        return make(Assign, (c.starts[begin], c.ends[c.at - 1], target, value, description))
    if c.texts[c.at] == "=":
        raise c.fail(
            "S016", "a statement uses `:=`", help="write `:=`, or move it below `equation`"
        )
    call = call_of(c, target)
    description = c.description()
    return CallStatement(c.starts[begin], c.ends[c.at - 1], call, description)


def _tuple_assign(c: Cursor) -> TupleAssign:
    begin = c.at
    targets: list[ComponentRef | None] = []
    for item in output_list(c):
        if item is not None and not isinstance(item, ComponentRef):
            raise c.fail("S016", "only a variable can be assigned to", at=begin)
        targets.append(item)
    c.expect(":=", "the list of variables")
    call = call_of(c, component_reference(c))
    description = c.description()
    return TupleAssign(c.starts[begin], c.ends[c.at - 1], tuple(targets), call, description)


def _if_statement(c: Cursor) -> IfStatement:
    begin = c.at
    branches, otherwise = _branches(c, "if", "elseif", statement)
    nodes = tuple([StatementBranch(*branch) for branch in branches])
    description = c.description()
    return IfStatement(c.starts[begin], c.ends[c.at - 1], nodes, otherwise, description)


def _when_statement(c: Cursor) -> WhenStatement:
    begin = c.at
    branches, _ = _branches(c, "when", "elsewhen", statement)
    nodes = tuple([StatementBranch(*branch) for branch in branches])
    description = c.description()
    return WhenStatement(c.starts[begin], c.ends[c.at - 1], nodes, description)


def _for_statement(c: Cursor) -> ForStatement:
    begin = c.at
    indices = iterators(c)
    body = _loop_body(c, "for", begin, statement)
    description = c.description()
    return ForStatement(c.starts[begin], c.ends[c.at - 1], indices, body, description)


def _while_statement(c: Cursor) -> WhileStatement:
    begin = c.at
    c.at += 1
    condition = expression(c)
    body = _loop_body(c, "while", begin, statement)
    description = c.description()
    return WhileStatement(c.starts[begin], c.ends[c.at - 1], condition, body, description)


def _break_statement(c: Cursor) -> Break:
    begin = c.at
    c.at += 1
    description = c.description()
    return Break(c.starts[begin], c.ends[c.at - 1], description)


def _return_statement(c: Cursor) -> Return:
    begin = c.at
    c.at += 1
    description = c.description()
    return Return(c.starts[begin], c.ends[c.at - 1], description)


_STATEMENTS: dict[str, Callable[[Cursor], Statement]] = {
    "if": _if_statement,
    "when": _when_statement,
    "for": _for_statement,
    "while": _while_statement,
    "break": _break_statement,
    "return": _return_statement,
}


# ---------------------------------------------------------------- blocks of either


def _branches(
    c: Cursor, word: str, again: str, rule: Callable[[Cursor], Item]
) -> tuple[list[Branch[Item]], tuple[Item, ...]]:
    """`if c then ... elseif c then ... else ... end if`, and the same with `when`."""
    opened = c.at
    c.enter()
    found: list[Branch[Item]] = []
    otherwise: tuple[Item, ...] = ()
    while True:
        begin = c.at
        c.at += 1
        condition = expression(c)
        c.expect_word("then", "the condition")
        body = c.items(rule, _BLOCK_STOPS)
        found.append((c.starts[begin], c.ends[c.at - 1], condition, body))
        if c.texts[c.at] != again:
            break
    if c.texts[c.at] == "else" and word == "if":
        c.at += 1
        otherwise = c.items(rule, _BLOCK_STOPS)
    _close_block(c, word, opened)
    c.depth -= 1
    return found, otherwise


def _loop_body(
    c: Cursor, word: str, opened: int, rule: Callable[[Cursor], Item]
) -> tuple[Item, ...]:
    c.enter()
    c.expect_word("loop", "the head of the loop")
    body = c.items(rule, _BLOCK_STOPS)
    _close_block(c, word, opened)
    c.depth -= 1
    return body


def _close_block(c: Cursor, word: str, opened: int) -> None:
    if c.texts[c.at] == "end" and c.texts[c.at + 1] == word:
        c.at += 2
        return
    found = c.found(c.at)
    if c.texts[c.at] == "end" and c.texts[c.at + 1] != "end":
        found = f"`end {c.texts[c.at + 1]}`"
    line, _ = c.source.line_and_column(c.starts[opened])
    raise c.fail(
        "S007",
        f"expected `end {word}`, found {found}",
        f"the `{word}` of line {line} is still open",
        help=f"close it with `end {word};`"
        + ("; a further case is written `elseif`, in one word" if word == "if" else ""),
    )
