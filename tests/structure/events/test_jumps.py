"""Constraints that say something else after an event are not differentiated."""

from __future__ import annotations

import math

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.listing.switches.report import report_switches
from freewheel.listing.switches.show import show_switches
from freewheel.pipeline import Options, compile_model
from freewheel.structure.analyse import analyse, first_steps
from freewheel.structure.events.jumping_constraints import Jumps
from freewheel.structure.nodes import Elimination
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.values import ParameterValues


def flat(text: str):
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "m.mo"))
    return compile_model(library, ("M",), Options(stop_after="flat")).flat


def jumps(equation: str, declarations: str = "") -> bool:
    """Of the first equation of a model with x and y."""
    text = f"model M Real x, y; {declarations} equation {equation}; der(x) = 1; end M;"
    scalar = expand(flat(text))
    _, hybrid = first_steps(scalar, Elimination.NONE)
    variables = {v.name: v for v in hybrid.aliases.model.variables}
    return Jumps(hybrid, variables, ParameterValues(variables, ())).of(hybrid.equations[0])


@pytest.mark.parametrize(
    "equation",
    [
        "y = if x > 0 then 2*x else x",
        "y = if x > 2 then 2 elseif x < -1 then -1 else x",
        "y = if time < 1 then 0 elseif time < 3 then x*(time - 1) else 2*x",
        "y = if x^2 > 4 then x^2 else 4",
        "y = if useX then 2*x else 3*x",
        "y = abs(x) + sin(x)*time",
    ],
)
def test_branches_that_meet(equation):
    assert not jumps(equation, "parameter Boolean useX = true;")


@pytest.mark.parametrize(
    "equation",
    [
        "y = if time < 1 then x else -x",
        "y = if time < 1 then 3 else 5",
        "y = if x > 1 then 2*x else x",
        "y = if x > 2 then 2 elseif x < -1 then 1 else x",
        "der(y) = if x > 0 then 2*der(x) else der(x)",
        "y = k*x",
        "y = x + n",
        "y = if b then x else 2*x",
    ],
)
def test_branches_that_do_not(equation):
    declarations = "discrete Real k; Integer n; Boolean b;"
    clause = "when time > 1 then k = 2; n = pre(n) + 1; b = not pre(b); end when"
    assert jumps(f"{equation}; {clause}", declarations)


KNOWN = "parameter Real p = 1; Real a, b, c; Boolean no;"


@pytest.mark.parametrize(
    ("equation", "rest"),
    [
        ("y = if time < a then time else b", "b = p; b^3 = a; c = 0; no = false"),
        ("y = if c < 0 then time^2/2 else b + a*c", "a = p; b = a^2/2; c = time - a; no = false"),
        ("y = if no then 0 else b*time", "a = 2*p; b = 1/a; c = 0; no = a <= 1"),
        ("y = if a < 1 then b else c*time", "a = 2*p; b = if no then a else -a; c = b; no = a > 5"),
        (
            "y = if no then b else x",
            "a = 1; b = 2*time; c = 0; when initial() then no = p > 2; end when",
        ),
        ("y = if no then b else x", "a = 1; b = 2*time; c = 0; no = pre(no)"),
    ],
)
def test_branches_that_meet_where_given_quantities_have_their_values(equation, rest):
    assert not jumps(f"{equation}; {rest}", KNOWN)


@pytest.mark.parametrize(
    ("equation", "rest"),
    [
        ("y = if time < a then time else b", "a = p; b = 3*p; c = 0; no = false"),
        ("y = if c < 0 then time^2/2 else b + a*c", "a = p; b = a^2; c = time - a; no = false"),
        ("y = if no then 0 else b*time", "a = time; b = 1; c = 0; no = a <= 1"),
        ("y = if x < a then x else b", "a = p; b = 2*a; c = 0; no = false"),
        ("y = if no then b else x", "a = 1; b = 2*time; c = 0; no = time > 1 or pre(no)"),
    ],
)
def test_given_quantities_that_do_not_meet(equation, rest):
    assert jumps(f"{equation}; {rest}", KNOWN)


def test_a_relation_that_looks_at_itself():
    assert jumps("y = if a < time then x else 2*x; a = if a < time then 2 else 3", "Real a;")
    assert jumps("y = if a < time then x else 2*x; a = if x < a then 2 else 3", "Real a;")


def test_a_relation_that_is_just_met():
    """`p <= 1` is true where p is 1."""
    equation = "y = if p <= 1 then a else if time < 1 then 0 else 2"
    assert not jumps(f"{equation}; a = p", "parameter Real p = 1; Real a;")
    assert jumps(f"{equation}; a = p", "parameter Real p = 1.1; Real a;")
    assert not jumps(
        equation.replace("p", "b") + "; a = p; b = p", "parameter Real p = 1; Real a, b;"
    )


CASES = {
    "written first": (
        "Real x(start=1, fixed=true), y;",
        "if time < 1 then der(x) = 1; x + y = 3; else der(y) = -2; x - y = 0; end if;",
        {"x": -1.0, "y": -1.0},
    ),
    "written last": (
        "Real x(start=1, fixed=true), y;",
        "if time < 1 then der(x) = 1; x + y = 3; else x - y = 0; der(y) = -2; end if;",
        {"x": -1.0, "y": -1.0},
    ),
    "a state for another": (
        "Real x(start=1, fixed=true), y;",
        "if time < 1 then der(x) = -x; y = -1; else der(y) = 1; x = 4; end if;",
        {"x": 4.0, "y": 0.0},
    ),
    "three variables": (
        "Real x(start=1, fixed=true), z(start=2, fixed=true), y;",
        "if time < 1 then der(x) = -x; der(z) = 1; y = x + z;"
        " else der(y) = 1; x = 4; z = x - y; end if;",
        {"x": 4.0, "y": 4.36787944, "z": -0.36787944},
    ),
    "rank": (
        "Real x(start=1, fixed=true), y;",
        "0 = if time < 1 then der(x) + 0.25*x + 0.25*y - 2 else der(y) + 0.5*x - y - 2;"
        "0 = if time < 1 then 2*y + 1 else 2 - 0.5*x;",
        {"x": 4.0, "y": -1.35914091},
    ),
    "a gain": (
        "Real x(start=1, fixed=true), y, i;",
        "der(x) = i; 3*der(y) = i; x = y*(if time < 1 then 1 else 2);",
        {"x": 4.0, "y": 2.0},
    ),
    "a source": (
        "Real x(start=0, fixed=true), y, i;",
        "der(x) = i; 3*der(y) = i; x + y = if time < 1 then 0 else 4;",
        {"x": 3.0, "y": 1.0},
    ),
    "a discrete quantity": (
        "Real x(start=0, fixed=true), y, i; discrete Real k(start=0, fixed=true);",
        "der(x) = i; 3*der(y) = i; x + y = k; when time > 1 then k = 4; end when;",
        {"x": 3.0, "y": 1.0},
    ),
    "what counts": (
        "Real x, y(start=0, fixed=true), i;",
        "der(x) = i; der(y) = i; x = if time < 1 then 0 else 4;",
        {"x": 4.0, "y": 4.0},
    ),
    "a gear that changes its ratio": (  # the angles meet there, the speeds do not
        "Real x(start=-1, fixed=true), y, v(start=1, fixed=true), w, f;",
        "der(x) = v; der(y) = w; der(v) = -f*(if x > 0 then 2 else 1); der(w) = f;"
        "y = if x > 0 then 2*x else x;",
        {"x": 0.6, "v": 0.6, "w": 1.2},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_stored_in_the_new_mode_is_kept(name, tmp_path):
    declared, equations, expected = CASES[name]
    path = tmp_path / "M.mo"
    path.write_text(f"model M {declared} equation {equations} end M;")

    result = fw.load(path).simulate(stop=2, tol=1e-9)

    assert {key: result.final(key) for key in expected} == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("name", ["written first", "a state for another", "a gain", "a source"])
def test_a_value_that_a_jumping_constraint_gives_is_no_initial_condition(name):
    declared, equations, _ = CASES[name]
    assert not analyse(flat(f"model M {declared} equation {equations} end M;")).warnings


def test_what_jumps_is_told(tmp_path):
    path = tmp_path / "M.mo"
    declared, equations, _ = CASES["a source"]
    path.write_text(f"model M {declared} equation {equations} end M;")

    told = show_switches(report_switches(fw.load(path).upto("structure").ordered))

    assert "x, y are tied by constraints that jump at events" in told


@pytest.mark.parametrize(
    "equations",
    [
        "der(x) = -x; y = if x > 0.5 then 0.5 elseif x < 0 then 0 else x; z = der(y);",
        "der(x) = z; der(y) = -z; x + y = if time < 1 then 0 else time - 1;",
        "der(x) = z; y = 2*x; der(y) = if time < 1 then -x else -2*x;",
    ],
)
def test_what_meets_at_events_needs_no_core(equations):
    assert not analyse(flat(f"model M Real x, y, z; equation {equations} end M;")).core.is_there


def test_a_jump_along_a_bent_constraint(tmp_path):
    """x + 2*z is conserved, exactly, though sin(y) is no straight line."""
    path = tmp_path / "M.mo"
    path.write_text("""model M Real x, y(start=0.5, fixed=true), z(start=3, fixed=true); equation
      0 = x + sin(y);
      if time < 1 then der(y) = 0; der(z) = 0; else der(x) + 2*der(z) = 0; z = y + 1; end if;
    end M;""")
    kept = 6 - math.sin(0.5)

    result = fw.load(path).simulate(stop=2, tol=1e-9)

    y = result.final("y")
    assert -math.sin(y) + 2 * (y + 1) == pytest.approx(kept, abs=1e-9)
    assert result.final("x") == pytest.approx(-math.sin(y), abs=1e-9)


MEDIUM = """
function density
  input Real p; input Real h; input Integer phase; output Real d;
algorithm
  d := if phase == 1 then 2 + p - h else 3 + p - 1.5*h;
  annotation({note});
end density;
function density_der
  input Real p; input Real h; input Integer phase; input Real dp; input Real dh; output Real dd;
algorithm
  dd := if phase == 1 then dp - dh else dp - 1.5*dh;
end density_der;
model M "a volume of a medium with two phases, at rest first"
  Real p(start = 1), h(start = 1), d, u, m, U;
  Integer phase;
  Real heat = if time < 1 then 1 else 3;
equation
  phase = if h > 2 then 2 else 1;
  d = density(p, h, phase);
  u = h - p/d;
  m = 2*d;
  U = m*u;
  der(m) = 1 - p;
  der(U) = heat - p*h;
initial equation
  der(p) = 0;
  der(h) = 0;
end M;
"""


@pytest.mark.parametrize("note", ["", "Inline = false, LateInline = true, "])
def test_an_argument_that_follows_from_others_does_not_jump(note):
    """Nothing is kept apart, so the start at rest is found, and the balances hold through the phases."""
    text = MEDIUM.replace("{note}", note + "derivative(noDerivative = phase) = density_der")
    result = fw.load_text(text).simulate(stop=4, tol=1e-8)
    assert result["p"][0] == pytest.approx(1, abs=1e-6)
    assert result["h"][0] == pytest.approx(1, abs=1e-6)
    assert result["phase"][-1] == 2
    gained = np.trapezoid(result["heat"] - result["p"] * result["h"], result.time)
    assert result["U"][-1] - result["U"][0] == pytest.approx(gained, rel=1e-4)


def test_any_other_argument_may_jump():
    assert analyse(flat(MEDIUM.replace("annotation({note});", ""))).core.is_there
    told = MEDIUM.replace("{note}", "derivative(noDerivative = phase) = density_der")
    assert not analyse(flat(told)).core.is_there
