"""Variables with finitely many values, and the equations in which they are switches."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.names import show
from freewheel.base.source import Source
from freewheel.formula.walk import substitute
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.analyse import analyse
from freewheel.structure.blocks.incidence import equation_text, expr_text
from freewheel.structure.nodes import ScalarEquation, ScalarModel
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.switching.numbers.choices import with_choices
from freewheel.structure.switching.numbers.finite_domains import MOST_VALUES, finite_variables
from freewheel.structure.switching.numbers.if_chains import (
    MOST_ENDS,
    MOST_IN_TABLE,
    TooManyEndsError,
    lifted,
)
from freewheel.structure.thresholds import REGULARITY


def flat(declared: str, equations: str):
    text = f"model M\n{declared}\nequation\n{equations}\nend M;"
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "M.mo"))
    return compile_model(library, ("M",), Options(stop_after="flat")).flat


def values(declared: str, equations: str = "") -> dict[str, str]:
    found = finite_variables(expand(flat(declared, equations)))
    return {show(var.name): " ".join(map(expr_text, one.values)) for var, one in found.items()}


def rewritten(declared: str, equations: str) -> list[str]:
    """Equations that are new or changed."""
    model: ScalarModel = expand(flat(declared, equations))
    found = with_choices(model, REGULARITY.leak)
    if found is None:
        return []
    old = {(e.left, e.right) for e in model.equations}
    new: list[ScalarEquation] = [e for e in found.equations if (e.left, e.right) not in old]
    return [f"{expr_text(e.left)} = {expr_text(e.right)}" for e in new]


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("declared", "equations", "name", "expected"),
    [
        ("Real x; Integer m = if x < 0 then 1 else 0;", "x = time;", "m", "1 0"),
        ("Real x, m;", "x = time; m = if x < 0 then 1 elseif x < 1 then 2 else 0;", "m", "1 2 0"),
        (
            "Real x, a, b, c;",
            "x = time; a = if x < 0 then 1 else 0; b = 2*a; a + c = 1;",
            "c",
            "0.0 1",
        ),
        ("Real x, a, b;", "x = time; b = a; a = if x < 0 then 1 else -1;", "b", "1 -1"),
        ("parameter Real g = 2; Real m = if time < 1 then g else 0;", "", "m", "g 0"),
        ("Integer m(start = 3);", "m = if time < 1 then pre(m) else 0;", "m", "3 0"),
        ("Integer m(start = 1);", "when time > 1 then m = 1 - pre(m); end when;", "m", "0 1"),
        ("Integer m;", "when sample(0, 1) then m = mod(pre(m) + 1, 3); end when;", "m", "1 2 0"),
        (
            "Integer a, b(start = 1);",
            "when time > 1 then a = pre(b); b = pre(a); end when;",
            "a",
            "1 0",
        ),
        ("Real m = noEvent(if time < 1 then 1 else 0);", "", "m", "1 0"),
        ("Real x = time, m = (1 - sign(x))/2;", "", "m", "1.0 0.0"),
        ("Real x = time; Integer m = integer((1 - sign(x))/2);", "", "m", "1 0"),
        ("Real x = time; Real m = if sign(x) < 0 then 1 else 0;", "", "m", "1 0"),
        ("Boolean b = time < 1; Integer m = Integer(b);", "", "m", "1 0"),
        ("Real a = if time < 1 then 4 else 0; Real m = sqrt(a)/2;", "", "m", "1.0 0.0"),
        ("Real a = if time < 1 then 1 else 0; Real m = a^2;", "", "m", "1.0 0.0"),
        ("Real a = if time < 1 then -1 else 0; Real m = abs(a);", "", "m", "1 0"),
        ("Integer a = if time < 1 then 3 else 2; Integer m = mod(a, 2);", "", "m", "1 0"),
        ("Integer a = if time < 1 then 3 else 1; Integer m = div(a, 2);", "", "m", "1 0"),
        ("Integer k = if time < 1 then 2 else 1; Real T[2] = {0, 1}, m = T[k];", "", "m", "0 1"),
        (
            "function f input Real x; output Real y; algorithm y := x*x*(3 - 2*x); end f;"
            " Real a = if time < 1 then 1 else 0; Real m = f(a);",
            "",
            "m",
            "1.0 0.0",
        ),
        (
            "function f input Integer x; output Integer y; algorithm"
            " y := 3; while y > x loop y := y - 1; end while; end f;"
            " Integer a = if time < 1 then 1 else 0; Integer m = f(a) - 1;",
            "",
            "m",
            "0 -1",
        ),
        (
            "Integer n = if time < 1 then 1 else 0, q = if time > 2 then 1 else 0, m(start = 1);",
            "m = n + (1 - n)*pre(m)*(1 - q);",
            "m",
            "1 0",
        ),
        (
            "Real a = if time < 1 then 1 else 0, b = if time < 2 then 1 else 0, m;",
            "m = a + b - a*b;",
            "m",
            "1 0.0",
        ),
    ],
)
def test_values_are_carried_forward(declared, equations, name, expected):
    assert values(declared, equations)[name] == expected


@pytest.mark.parametrize(
    ("declared", "equations"),
    [
        ("Integer n;", "when sample(0, 1) then n = pre(n) + 1; end when;"),
        ("Real x;", "x = if time < 1 then time else 0;"),
        ("discrete Real x;", "when sample(0, 1) then x = sin(time); end when;"),
        ("Real x, y;", "x = 1 - y; y = 1 - x;"),
        ("input Integer n;", ""),
        ("Integer n(start = 1);", "when sample(0, 1) then n = 2*pre(n); end when;"),
        ("Real n = if time < 1 then 1/0 else 0;", ""),
        ("Real a = if time < 1 then 0 else 1; Real n = log(a);", ""),
        (
            "impure function f input Real x; output Real y; algorithm y := x; end f;"
            " Real a = if time < 1 then 0 else 1; Real n = f(a);",
            "",
        ),
        ("Real n = sqrt(time);", ""),
    ],
)
def test_infinitely_many_values_are_no_values(declared, equations):
    assert not values(declared, equations).keys() & {"n", "x", "y"}


def test_an_initial_equation_can_add_a_value():
    declared, equations = "Integer m;", "when time > 1 then m = 1; end when;"
    assert values(declared, equations)["m"] == "1 0"
    assert values(declared, f"{equations} initial equation pre(m) = 5;")["m"] == "1 0 5"
    assert "m" not in values(declared, f"{equations} initial equation m*m = 4;")


def test_a_number_with_many_values_is_a_signal():
    steps = "".join(f" elseif time < {k} then {k}" for k in range(1, MOST_VALUES))
    assert "m" in values(f"Integer m = if time < 0 then 0{steps} else 0;")
    assert "m" not in values(f"Integer m = if time < 0 then -1{steps} else {MOST_VALUES + 1};")


# ---------------------------------------------------------------- equations

SWITCH = "Real i(start = 0, fixed = true), u, s;"
CIRCUIT = "der(i) = 1 - u - i;"


@pytest.mark.parametrize(
    ("declared", "equations", "expected"),
    [
        (
            "Integer m = if time < 1 then 1 else 0;",
            "0 = m*i + (1 - m)*u; s = 0;",
            [
                "m = if m == 1 then 1 else 0",
                "0.0 = if m == 1 then i else u",
                "m == 1 = time < 1",
            ],
        ),
        (
            "Real m = if s < 0 then 1 else 0;",
            "u = m*s; i = s - m*s;",
            [
                "m = if m == 1 then 1 else 0",
                "u = (if m == 1 then 1 else 0)*s",
                "i = (if m == 1 then 0.0 else 1.0)*s",
                "m == 1 = s < 0",
            ],
        ),
        (
            "type T = enumeration(on, off); T k = if s < 0 then T.off else T.on;"
            " constant Real W[T] = {0, 1};",
            "u = W[k]*s; i = s - u;",
            [
                "k = if k == M.T.off then M.T.off else M.T.on",
                "u = (if not k == M.T.off then 0.0 else 1.0)*s",
                "k == M.T.off = s < 0",
            ],
        ),
        (
            "Boolean open = time < 1; Real m = if open then 1 else 0;",
            "0 = m*i + (1 - m)*u; s = 0;",
            ["0.0 = if open then i else u"],
        ),
        (
            "Integer m(start = 1);",
            "0 = m*i + (1 - m)*u; s = 0; when time > 1 then m = 0; end when;",
            ["0.0 = if m == 0 then u else i", "m == 0 = m == 0"],
        ),
        (
            "Integer m(start = 1); Boolean fire = time > 1;",
            "u = m*s; i = (1 - m)*s; m = if s < 0 or pre(m) == 1 and not fire then 1 else 0;",
            [
                "u = (if m == 1 then 1 else 0)*s",
                "i = (if m == 1 then 0.0 else 1)*s",
                "m = if m == 1 then 1 else 0",
                "m == 1 = s < 0 or pre(m == 1) and not fire",
            ],
        ),
        (
            "Integer m = if time < 1 then 0 elseif time < 2 then 1 else 2;",
            "0 = (m - 1)*(m - 2)*i + m*(2 - m)*u + m*(m - 1)*s; s = u - i;",
            [
                "m = if m == 0 then 0 elseif m == 1 then 1 else 2",
                "0.0 = if m == 0 then i elseif m == 1 then u else s",
                "m == 0 = time < 1",
                "m == 1 = not time < 1 and time < 2",
            ],
        ),
    ],
)
def test_factors_become_choices(declared, equations, expected):
    assert rewritten(f"{SWITCH} {declared}", f"{CIRCUIT} {equations}") == expected


@pytest.mark.parametrize(
    ("declared", "equations"),
    [
        ("Integer k(start = 1);", "u = k*i; when sample(0, 1) then k = 3 - pre(k); end when;"),
        ("Integer k(start = 0);", "u = k*i; when sample(0, 1) then k = pre(k) + 1; end when;"),
        ("Integer k = if time < 1 then 1 else 0;", "u = 2*k;"),
        ("Integer k = if time < 1 then 1 else 0;", "u = i + k;"),
        ("parameter Integer k = 0;", "0 = k*i + (1 - k)*u;"),
    ],
)
def test_what_takes_no_term_away_is_no_switch(declared, equations):
    assert rewritten(f"{SWITCH} {declared}", f"{CIRCUIT} {equations} s = 0;") == []


def test_all_equations_with_the_number_follow():
    """A term that the number only adds belongs to the same position."""
    found = rewritten(
        f"{SWITCH} Real m = if s < 0 then 1 else 0; Real w;",
        f"{CIRCUIT} u = m*s; i = (1 - m)*s; w = u + 5*m;",
    )
    assert "w = u + (if m == 1 then 5 else 0)" in found


def test_many_switches_in_one_equation_stay_apart():
    """Eight of two positions each: 256 cases are not written out."""
    count = 8
    found = rewritten(
        f"{SWITCH} Real x[{count}]; Integer m[{count}] = {{if time < k then 1 else 0 for k in 1:{count}}};",
        f"{CIRCUIT} u = m*x + s; s = 1; for k in 1:{count} loop x[k] = i + k; end for;",
    )
    [line] = [line for line in found if line.startswith("u = ")]
    assert line.count("if ") == count


def test_a_chain_is_not_made_longer_than_anybody_reads():
    model = expand(
        flat(
            "Real x; Integer m[6] = {if time < k then 1 else 0 for k in 1:6};",
            "x = m[1] + 2*m[2] + 4*m[3] + 8*m[4] + 16*m[5] + 32*m[6];",
        )
    )
    formula = {e.left: e.right for e in model.equations}
    whole = next(e.right for e in model.equations if "m[6]" in expr_text(e.right))
    assert MOST_ENDS < 2**6
    with pytest.raises(TooManyEndsError):
        lifted(substitute(whole, formula))


def test_parameters_that_make_a_factor_zero_are_structural():
    model = expand(
        flat(
            f"{SWITCH} parameter Real one = 2*half, half = 0.5; Real m = if s < 0 then one else 0;",
            f"{CIRCUIT} u = m*s; i = (1 - m)*s;",
        )
    )
    found = with_choices(model, REGULARITY.leak)
    assert found is not None
    assert {show(v.name) for v in found.variables if v.is_structural} == {"one", "half"}
    assert "i = (if m == one then 0.0 else 1)*s" in {
        f"{expr_text(e.left)} = {expr_text(e.right)}" for e in found.equations
    }


def test_equations_are_told_as_they_were_written():
    declared, equations = "Integer m = if time < 1 then 1 else 0;", "0 = m*i + (1 - m)*u; s = 0;"
    ordered = analyse(flat(f"{SWITCH} {declared}", f"{CIRCUIT} {equations}"))
    assert ordered.core.is_there
    texts = {
        equation_text(ordered.chosen.equations[row]) for row in ordered.core.elements[0].equations
    }
    assert texts == {"0 = m*i + (1 - m)*u"}


def test_a_jump_that_no_parameter_hangs_on_leaves_a_curve_a_curve():
    """A lamp beside a diode: it only looks at the position."""
    diode = "Boolean off = s < 0;", "u = if off then s else 0; i = if off then 0 else s;"
    for lamp, kind in (("lamp = if off then 0 else 1;", "curve"), ("lamp = 0;", "curve")):
        ordered = analyse(flat(f"{SWITCH} {diode[0]} Real lamp;", f"{CIRCUIT} {diode[1]} {lamp}"))
        assert ordered.core.is_there
        assert [element.kind for element in ordered.core.elements] == [kind]


def table(count: int) -> str:
    steps = "".join(f" elseif time < {k} then {k % 2}" for k in range(1, count))
    return f"Integer m = if time < 0 then 1{steps} else 0;"


@pytest.mark.parametrize(("count", "is_switch"), [(40, True), (MOST_IN_TABLE + 10, False)])
def test_a_table_of_instants(count, is_switch):
    found = rewritten(f"{SWITCH} {table(count)}", f"{CIRCUIT} 0 = m*i + (1 - m)*u; s = 0;")
    assert ("0.0 = if m == 1 then i else u" in found) == is_switch


def test_what_hangs_on_too_long_a_table():
    """A condition on it is a condition like any other; arithmetic with it is left as it is."""
    more = "Integer n = if m == 1 then 1 else 0, k = 1 - m;"
    law = "0 = n*i + (1 - n)*u; s = k*u + (1 - k)*i;"
    found = rewritten(f"{SWITCH} {table(MOST_IN_TABLE + 10)} {more}", f"{CIRCUIT} {law}")

    assert found == [
        "n = if n == 1 then 1 else 0",
        "0.0 = if n == 1 then i else u",
        "n == 1 = m == 1",
    ]


RESISTANCES = """
  parameter Real on = 1e-5, off = 1e5;
  Real r = if time < 0.5 then off else on;
  Real u, i, a(start = 1, fixed = true), b(start = 0, fixed = true);
"""
TWO_CAPACITORS = "u = r*i; u = a - b; der(a) = -i; 2*der(b) = i;"


def test_resistances_of_two_sizes_are_left_to_an_ordinary_method():
    assert not analyse(flat(RESISTANCES, TWO_CAPACITORS)).core.is_there


def test_a_resistance_that_a_run_makes_zero_is_a_switch(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text(f"model M\n{RESISTANCES}\nequation\n{TWO_CAPACITORS}\nend M;")

    result = fw.load(path).simulate(stop=1, params={"on": 0.0})

    assert result.final("a") == pytest.approx(1 / 3, abs=1e-6)
    assert result.final("b") == pytest.approx(1 / 3, abs=1e-6)
    assert [d.code for d in result.warnings] == ["R131"]  # the charge crosses at once
