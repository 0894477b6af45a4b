"""When-clauses on contrary conditions are conditions: switches that they move are curves."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.switching.rewriting.edge_conditions import with_conditions


def given(declared: str, equations: str, name: str = "mo") -> str:
    """What gives a variable."""
    text = f"model M Real s = sin(time); {declared}\nequation {equations} end M;"
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "M.mo"))
    model = expand(compile_model(library, ("M",), Options(stop_after="flat")).flat)
    found = with_conditions(model) or model
    return next(expr_text(e.right) for e in found.equations if expr_text(e.left) == name)


ONE = "discrete Real mo(start = 1, fixed = true);"
FOLLOWED = "if s < 0 or not pre($turned.mo) then 1 else 0"


@pytest.mark.parametrize(
    ("declared", "equations", "expected"),
    [
        (ONE, "when s < 0 then mo = 1; elsewhen s >= 0 then mo = 0; end when;", FOLLOWED),
        (ONE, "when s < 0 then mo = 1; elsewhen s > 0 then mo = 0; end when;", FOLLOWED),
        (ONE, "when s < 0 then mo = 1; elsewhen not s < 0 then mo = 0; end when;", FOLLOWED),
        (ONE, "when {s < 0, s >= 0} then mo = if s < 0 then 1 else 0; end when;", FOLLOWED),
        (
            ONE + "Boolean b = s < 0;",
            "when change(b) then mo = if b then 1 else 0; end when;",
            FOLLOWED,
        ),
        (
            ONE,
            "algorithm when s < 0 then mo := 1; end when; when 0 <= s then mo := 0; end when;",
            "if 0 <= s and pre($turned.mo) then 0 else 1",
        ),
        (
            "discrete Real mo;",
            "when s < 0 then mo = 1; elsewhen s >= 0 then mo = 0; end when;",
            "if s < 0 and pre($turned.mo) then 1 else 0",
        ),
        (
            "Boolean mo;",
            "when s >= 0 then mo = false; elsewhen s < 0 then mo = true; end when;",
            "s < 0 and pre($turned.mo)",
        ),
        (
            ONE,
            "when {initial(), s < 0, s >= 0} then mo = if s < 0 then 1 else 0; end when;",
            "if s < 0 then 1 else 0",
        ),
    ],
)
def test_the_last_edge_is_the_present_condition(declared, equations, expected):
    assert given(declared, equations) == expected


@pytest.mark.parametrize(
    "equations",
    [
        "when s < 0 then mo = 1; elsewhen s > 0.5 then mo = 0; end when;",  # a hysteresis
        "when s < 0 then mo = 1; elsewhen time > 1 then mo = 0; end when;",
        "when s < 0 then mo = 1; end when;",
        "when s < 0 then mo = pre(mo) + 1; elsewhen s >= 0 then mo = 0; end when;",
        "when s < 0 then mo = time; elsewhen s >= 0 then mo = 0; end when;",
        "when s < 0 then mo = 2; elsewhen s >= 0 then mo = 0; end when;",  # begins with 1
        "when {initial(), s < 0} then mo = 1; elsewhen s >= 0 then mo = 0; end when;",
    ],
)
def test_anything_else_stays(equations):
    assert "$turned" not in given(ONE, equations)
    assert "pre(mo)" in given(ONE, equations)


CIRCUIT = """model M
  Real i{start}, ud, s, u(start = 0, fixed = true); {mode}
equation
  {coil} = 10*sin(314*time + {phase}) - ud - u;
  1e-3*der(u) = i - u/50;
  ud = mo*s;
  i = (1 - mo)*s;
  {switch}
end M;"""
IF = "Integer mo;", "mo = if s < 0 then 1 else 0;"
CLAUSES = {
    "s < 0": "when s < 0 then mo = 1; elsewhen s >= 0 then mo = 0; end when;",
    "s > 0": "when s > 0 then mo = 0; elsewhen s < 0 then mo = 1; end when;",
    "algorithm": "algorithm when s < 0 then mo := 1; elsewhen s >= 0 then mo := 0; end when;",
}


def run(folder, mode, switch, tol, has_coil=True, phase=0.0):
    path = folder / "M.mo"
    start, coil = ("(start = 0, fixed = true)", "0.01*der(i)") if has_coil else ("", "0")
    path.write_text(CIRCUIT.format(start=start, coil=coil, phase=phase, mode=mode, switch=switch))
    return fw.load(path).simulate(stop=0.1, tol=tol, interval=1e-4)


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.parametrize("has_coil", [True, False])
def test_a_diode_by_edges_runs_like_one_by_its_condition(clause, has_coil, tol, tmp_path):
    """Edges ran in circles where both sides are zero but for rounding (R006), at some tolerances."""
    expected = run(tmp_path, *IF, tol, has_coil)
    mode = "discrete Real mo(start = 0, fixed = true);"

    result = run(tmp_path, mode, CLAUSES[clause], tol, has_coil)

    assert [e.time for e in result.events] == pytest.approx([e.time for e in expected.events])
    np.testing.assert_allclose(result["u"], expected["u"], atol=1e-9)
    assert not result.impulses


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-10])
def test_before_the_first_edge_the_start_value_holds(tol, tmp_path):
    """No edge of s >= 0 at the start: the diode blocks until s has been negative."""
    mode = "discrete Real mo(start = 1, fixed = true);"

    result = run(tmp_path, mode, CLAUSES["s < 0"], tol, phase=1.0)

    opened = (2 * np.pi - 1.0) / 314
    assert result.at("i", 0.9 * opened) == 0.0
    assert result.at("s", 1e-3) == pytest.approx(10 * np.sin(1.314), rel=1e-3)
    assert result.at("mo", 1.01 * opened) == 0.0
