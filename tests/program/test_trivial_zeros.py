"""Zeros that solve equations of a loop by themselves count where these have another solution."""

from __future__ import annotations

from itertools import permutations

import pytest

from freewheel.formula.nodes import Binary, Call, Expr, If, Real, Unary, Var
from freewheel.program.nodes import Assign, SolveNonlinear, slot_var, temporary
from freewheel.program.trivial_zeros import TrivialZero, trivial_zeros
from freewheel.program.zero_determinants import ZeroRows

A, B, C, S, PHI = (slot_var(slot) for slot in range(5))
KNOWN = slot_var(9)


def times(*factors: Expr) -> Expr:
    product, *rest = factors
    for factor in rest:
        product = Binary("*", product, factor)
    return product


def less(left: Expr, right: Expr) -> Expr:
    return Binary("-", left, right)


def plus(left: Expr, right: Expr) -> Expr:
    return Binary("+", left, right)


def square(expr: Expr) -> Expr:
    return times(expr, expr)


def have_another_root(*rows: Expr, zeros: tuple[Var, ...], inner: tuple[Assign, ...] = ()) -> bool:
    unknowns = frozenset(var.name for var in (A, B, C, S, PHI))
    return ZeroRows(rows, tuple(zero.name for zero in zeros), inner, unknowns).have_another_root()


TURNED = (plus(times(C, A), times(S, B)), less(times(C, B), times(S, A)))
ANGLE = (Assign(C, Call("cos", PHI)), Assign(S, Call("sin", PHI)))


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_load_by_its_power_has(size, sign):
    """a*c = b; b = size*a: c = size."""
    rows = (less(B, times(A, C)), less(B, times(Real(sign * size), A)))
    for order in permutations(rows):
        assert have_another_root(*order, zeros=(A, B))
        assert have_another_root(*order, zeros=(B, A))
    assert have_another_root(times(A, less(C, Real(sign * size))), zeros=(A,))


def test_also_where_the_loop_tells_what_is_open():
    current = Assign(C, times(Real(5.0), less(Real(1.0), A)))
    assert have_another_root(times(A, less(C, KNOWN)), zeros=(A,), inner=(current,))


def test_a_turned_vector_has_none():
    assert not have_another_root(*TURNED, zeros=(A, B), inner=ANGLE)
    assert not have_another_root(*TURNED, zeros=(A, B))
    mirrored = (plus(times(C, A), times(S, B)), plus(times(S, A), times(C, B)))
    assert have_another_root(*mirrored, zeros=(A, B))


def test_matrices_that_no_unknown_changes_have_none():
    rows = (plus(times(KNOWN, A), B), less(A, times(Real(3.0), B)))
    assert not have_another_root(*rows, zeros=(A, B))
    dependent = (plus(A, B), plus(times(Real(3.0), A), times(Real(3.0), B)))
    assert not have_another_root(*dependent, zeros=(A, B))


def test_phasors_have():
    """The power of a and b with c and s is that of a resistor or, with a square root, of constant current."""
    power, other = plus(times(A, C), times(B, S)), less(times(B, C), times(A, S))
    length = plus(square(A), square(B))
    for load in (length, Call("sqrt", length)):
        assert have_another_root(less(power, load), other, zeros=(A, B))


@pytest.mark.parametrize(
    "row",
    [
        Binary("/", A, C),
        times(A, If(Binary(">", C, Real(0.0)), Real(1.0), Real(-1.0))),
        times(A, plus(Real(1.0), square(C))),
        times(A, Call("exp", C)),
        times(A, Call(("Of", "the", "model"), C)),
    ],
    ids=["pole", "jump", "positive", "exponential", "unknown"],
)
def test_factors_without_a_zero(row):
    assert not have_another_root(row, zeros=(A,))


def loop(
    *residuals: Expr, slots: tuple[Var, ...], inner: tuple[Assign, ...] = ()
) -> SolveNonlinear:
    none = (0.0,) * len(slots)
    return SolveNonlinear(tuple(v.name[0] for v in slots), inner, residuals, none, none)


def test_a_loop_of_a_load_and_a_source():
    source = less(less(Real(1.0), A), times(Real(0.2), C))
    found = trivial_zeros(
        loop(less(times(A, C), B), source, slots=(A, C), inner=(Assign(B, times(KNOWN, A)),))
    )
    assert found == (TrivialZero((0, 1), (2,)),)
    shared = (Assign(temporary(1), Unary("-", times(A, C))), Assign(B, times(KNOWN, A)))
    assert trivial_zeros(loop(plus(temporary(1), B), source, slots=(A, C), inner=shared)) == found


def test_a_loop_with_a_rotation():
    closing = less(plus(PHI, A), KNOWN)
    assert trivial_zeros(loop(*TURNED, closing, slots=(A, B, PHI), inner=ANGLE)) == ()
    nothing = plus(times(C, Real(0.0)), times(S, Real(0.0)))
    columns = (*ANGLE, Assign(A, nothing), Assign(B, nothing))
    assert trivial_zeros(loop(plus(closing, times(A, B)), slots=(PHI,), inner=columns)) == ()


@pytest.mark.parametrize("count", [1, 5, 20])
def test_each_load_of_a_network(count):
    volts = [slot_var(10 + k) for k in range(count)]
    amperes = [slot_var(50 + k) for k in range(count)]
    loads = [less(times(v, i), times(KNOWN, v)) for v, i in zip(volts, amperes, strict=True)]
    before = [Real(1.0), *volts]
    lines = [less(less(before[k], volts[k]), amperes[k]) for k in range(count)]
    found = trivial_zeros(loop(*loads, *lines, slots=(*volts, *amperes)))
    assert found == tuple(TrivialZero((10 + k,), (50 + k,)) for k in range(count))
