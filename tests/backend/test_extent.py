"""Subscripts that loops over known ranges keep inside need no check; others are never taken for such."""

from __future__ import annotations

import pytest

from freewheel.backend.llvm_extent import bounds_of
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import Binary, Call, Expr, Integer, Iterator, Range, Unary, Var

i, n = Iterator("i"), Var(("n",))
AROUND = {"i": [(1, 3)], "j": [None]}


def value(expr: Expr) -> object:
    if expr == n:
        return 4
    raise NotConstant(("?",))


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (Integer(2), (2, 2)),
        (i, (1, 3)),
        (Iterator("j"), None),
        (Iterator("k"), None),
        (n, (4, 4)),
        (Binary("+", i, Integer(1)), (2, 4)),
        (Binary("-", n, i), (1, 3)),
        (Binary("-", i, i), (-2, 2)),
        (Binary("*", i, Integer(2)), None),
        (Unary("-", i), (-3, -1)),
        (Range(Integer(1), Integer(1), n), (1, 4)),
        (Range(Binary("+", i, Integer(1)), Integer(1), n), (2, 4)),
        (Range(n, Integer(-1), Integer(1)), (1, 4)),
        (Range(Integer(1), Var(("s",)), n), None),
        (Call("mod", i, Integer(3)), None),
    ],
)
def test_bounds(expr, expected):
    assert bounds_of(expr, AROUND, value) == expected
