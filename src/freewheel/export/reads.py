"""Which variables statements read: what an order of statements must respect.

read_by([Set(z, 2*y)])      {y}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from freewheel.export.nodes import Choose, Leave, Linear, Repeat, Run, Set, Statement
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import variables_in


def read_by(statements: Iterable[Statement]) -> set[Var]:
    return {var for s in statements for expr in _expressions(s) for var in variables_in(expr)}


def last_copies(statements: Sequence[Statement], copies: Sequence[Set]) -> list[Set]:
    """Those of the copies that may stand behind all other statements: only each other read them."""
    found = list(copies)
    while True:
        read = read_by(s for s in statements if s not in found)
        kept = [copy for copy in found if copy.target not in read]
        if len(kept) == len(found):
            return kept
        found = kept


def _expressions(statement: Statement) -> Iterator[Expr]:
    match statement:
        case Set():
            yield statement.value
        case Choose():
            for condition, body in statement.branches:
                yield condition
                for inner in body:
                    yield from _expressions(inner)
            for inner in statement.otherwise:
                yield from _expressions(inner)
        case Repeat():
            for inner in statement.body:
                yield from _expressions(inner)
        case Leave():
            yield statement.condition
        case Linear():
            yield from (entry for _, _, entry in statement.matrix)
            yield from statement.right
        case Run():
            raise AssertionError("what a section reads is not asked here")
