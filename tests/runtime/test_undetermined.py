"""Linear loops that are singular without contradiction are told (R129)."""

from __future__ import annotations

import pytest

import freewheel as fw

TWO = "model M Real x, y; equation x + y = time; 2*x + 2*y = 2*time; end M;"
THREE = """model M
  Real x, y, z, s(start=0, fixed=true);
equation
  x + y + z = s; x - y = 1; 3*x + y + 2*z = 2*s + 1;
  der(s) = y + x + z;
end M;"""
BY_PARAMETER = """model M
  parameter Real a = 2;
  Real x, y;
equation
  x + y = time;
  a*x + 2*y = 2*time;
end M;"""
LATER = """model M
  Real x, y, s(start=0, fixed=true);
equation
  x + y = time;
  (if time < 0.5 then 1 else 2)*x + 2*y = 2*time;
  der(s) = x;
end M;"""


def told(text, backend="llvm", **settings):
    """What is said of each loop."""
    r = fw.load_text(text, backend=backend).simulate(**settings)
    return [w.message for w in r.warnings if w.code == "R129"]


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize(
    ("text", "equation"),
    [(TWO, "2*x + 2*y = 2*time"), (THREE, "3*x + y + 2*z = 2*s + 1"), (BY_PARAMETER, "a*x + 2*y")],
    ids=["two", "three", "parameter"],
)
def test_equations_and_unknowns_are_named(text, equation, backend):
    (message,) = told(text, backend)
    assert message.startswith("at time 0 nothing determines `")
    assert equation in message


def test_other_values_of_the_parameter_say_nothing():
    assert told(BY_PARAMETER, params={"a": 3}) == []


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_a_loop_that_becomes_singular_is_told_once(backend):
    (message,) = told(LATER, backend)
    assert "nothing determines `x`" in message
    assert not message.startswith("at time 0 ")


def test_the_run_is_what_it_was():
    """Looking leaves no trace: a regular loop beside a singular one, and states behind it."""
    text = LATER.replace("Real x,", "Real p, q, x,").replace(
        "der(s) = x;", "der(s) = p; p + q = 1 - s; p - q = 1;"
    )
    r = fw.load_text(text).simulate(stop=1, tol=1e-9)
    assert r.final("s") == pytest.approx(2 * (1 - 2.718281828459045**-0.5), rel=1e-7)
