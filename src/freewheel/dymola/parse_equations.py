"""Equations, `when ... endwhen` and `connect` of a `.dym` file.

U0.V = u                                            Equation
when Height <= 0 then new(Velocity) = ... endwhen   WhenEquation
connect Common - \\U0 - (C1//C2) - Common            Series, Parallel, Reversed
connect R1 from n1 to n2, Common at n0              Between, At
"""

from __future__ import annotations

from freewheel.dymola.cursor import Cursor, GrammarError
from freewheel.dymola.nodes import At, Between, Connection, CutRef, Parallel, Reversed, Series
from freewheel.dymola.parse_expressions import expression
from freewheel.syntax.equation_nodes import Equation, EquationBranch, WhenEquation


def equation(c: Cursor) -> Equation:
    """`left = right`. If the right side then runs into another `=`, a line that begins with a sign is
    taken for the beginning of the next equation."""
    left = expression(c)
    c.expect("=", "the left side of an equation")
    begin = c.at
    right = expression(c)
    if c.here.text == "=" and c.goes_on():
        c.at, c.ends_at_sign = begin, True
        try:
            right = expression(c)
        finally:
            c.ends_at_sign = False
        if c.here.text == "=" and c.goes_on():
            raise c.expected("one `=` in an equation")
    return Equation(left.start, c.before.end, left, right, None)


def when(c: Cursor) -> WhenEquation:
    begin = c.take()
    condition = expression(c)
    c.expect("then", "the condition of `when`")
    body: list[Equation] = []
    while not _ends_when(c):
        if c.here.text in ("end", "model", "when", "connect", ""):
            raise c.expected("`endwhen` after the equations of `when`")
        body.append(equation(c))
        c.takes(";")
    c.take()
    branch = EquationBranch(begin.start, c.before.end, condition, tuple(body))
    return WhenEquation(begin.start, c.before.end, (branch,), None)


def _ends_when(c: Cursor) -> bool:
    """`endwhen`; `end when`, as in later texts, becomes one step here."""
    if c.here.text == "end" and c.tokens[c.at + 1].text == "when":
        c.take()
        return True
    return c.here.text == "endwhen"


# ---------------------------------------------------------------- connections


def connections(c: Cursor) -> list[Connection]:
    """The list behind the word `connect`."""
    c.take()
    found = [_item(c)]
    while c.takes(","):
        found.append(_item(c))
    return found


def _item(c: Cursor) -> Connection:
    inner = _series(c)
    if c.here.text in ("from", "to"):
        first = _single(c) if c.takes("from") else None
        last = _single(c) if c.takes("to") else None
        return Between(inner.start, c.before.end, inner, first, last)
    if c.here.text in ("at", "=") and (c.goes_on() or c.here.text == "at"):
        c.take()
        return At(inner.start, c.before.end, inner, _places(c))
    return inner


def _places(c: Cursor) -> tuple[Connection, ...]:
    """One place, or several in brackets."""
    if c.here.text != "(":
        return (_series(c),)
    mark = c.at
    try:
        return (_series(c),)
    except GrammarError:
        c.at, c.brackets = mark, 0
    opened = c.open("(", "`at`")
    places = [_series(c)]
    while c.takes(","):
        places.append(_series(c))
    c.close(")", opened)
    return tuple(places)


def _series(c: Cursor) -> Connection:
    items = [_parallel(c)]
    while c.takes("-"):
        items.append(_parallel(c))
    if len(items) == 1:
        return items[0]
    return Series(items[0].start, c.before.end, tuple(items))


def _parallel(c: Cursor) -> Connection:
    left = _single(c)
    while c.takes("//"):
        right = _single(c)
        left = Parallel(left.start, c.before.end, left, right)
    return left


def _single(c: Cursor) -> Connection:
    token = c.here
    if token.text == "\\":
        c.enter()
        c.take()
        inner = _single(c)
        c.depth -= 1
        return Reversed(token.start, c.before.end, inner)
    if token.text == "(":
        c.enter()
        opened = c.open("(", "")
        inner = _series(c)
        c.close(")", opened)
        c.depth -= 1
        return inner
    reference = c.reference("a submodel, a cut or a node")
    return CutRef(reference.start, reference.end, reference.names)
