"""The sign of switch equations in nonlinear loops: `structure/blocks/switch_signs.py`."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.nodes import TIME, Expr, Integer, Real, Var
from freewheel.structure.blocks.switch_signs import Signs, turned
from freewheel.structure.values import ParameterValues

V, F, X = (Var(Name((letter,))) for letter in "vfx")
LATE = build.relation(">", TIME, Integer(1))
SIGNS = Signs(frozenset((V, F)), ParameterValues({}, ()))


def short(resistance: float) -> Expr:
    return build.minus(V, build.times(Real(resistance), F))


def test_an_unknown_in_both_branches_has_the_same_sign_in_both():
    turned_short = build.if_then_else(LATE, F, build.neg(short(2.0)))
    assert SIGNS.oriented(build.if_then_else(LATE, F, short(2.0))) == turned_short
    assert SIGNS.oriented(turned_short) == turned_short
    assert SIGNS.oriented(short(2.0)) == short(2.0)


def test_what_is_known_does_not_count():
    residual = build.if_then_else(LATE, build.plus(F, X), build.minus(V, X))
    assert SIGNS.oriented(residual) == residual


def test_the_equation_in_the_place_of_a_zero_counts_too():
    """f = 5 - 5*v - i, and v = 0 instead: the voltage falls with the current in both."""
    value = build.minus(Real(5.0), build.times(Real(5.0), V))
    assert SIGNS.are_opposed(F, value, V)
    assert not SIGNS.are_opposed(F, value, build.neg(V))
    assert SIGNS.are_opposed(F, value, short(2.0))
    assert not SIGNS.are_opposed(F, value, turned(short(2.0)))


@pytest.mark.parametrize(
    "switch",
    [
        "0 = if fault then v - R*f else f",
        "0 = if fault then R*f - v else f",
        "0 = if fault then v - R*f else -f",
        "0 = if not fault then f else v - R*f",
        "0 = if not fault then -f else R*f - v",
    ],
)
def test_a_switch_may_be_written_with_any_sign(switch):
    model = fw.load_text(f"""model M
      parameter Real R = 1;
      Real v(start=1), i(start=0.5), p, f, x(start=0, fixed=true);
      Boolean fault = time > 1 and time < 2;
    equation
      1 - v = 0.2*(i + f);
      p = v*i;
      p = v^2/2;
      {switch};
      der(x) = v - x;
    end M;""")
    for resistance in (1e-12, 1e-6, 1.0):
        r = model.simulate(stop=3, params={"R": resistance})
        within = 5.0 / (5.5 + 1.0 / resistance)
        assert [r.at("v", t) for t in (0.5, 2.5)] == pytest.approx([10 / 11] * 2, rel=1e-9)
        assert r.at("v", 1.5) == pytest.approx(within, rel=1e-6, abs=0.0)
