"""Corners without events (max, min, abs, noEvent): steps must not pass pulses between two of them unseen."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model

RECTIFIER = """model M
  parameter Real R = 10, RL = 500, C = 1e-3, f = 50;
  Real u = 10*sin(2*3.141592653589793*f*time), i, vc(start=0, fixed=true);
equation
  i = CURRENT;
  C*der(vc) = i - vc/RL;
end M;"""

FORMS = {
    "max": "max(0, (u - vc)/R)",
    "min": "-min(0, (vc - u)/R)",
    "abs": "0.5*(abs(u - vc) + u - vc)/R",
    "noEvent": "noEvent(if u > vc then (u - vc)/R else 0)",
    "other hand": "noEvent(if not (u <= vc) then u - vc else 0)/R",
}
AT_ONE_SECOND = 8.436748  # with events, tolerance 1e-10


def rectifier(form, **options):
    return fw.load_text(RECTIFIER.replace("CURRENT", FORMS.get(form, form)), **options)


def test_the_number_above_is_that_of_events():
    r = rectifier("if u > vc then (u - vc)/R else 0").simulate(stop=1, tol=1e-10)
    assert r.final("vc") == pytest.approx(AT_ONE_SECOND, rel=1e-6)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-4, 1e-6, 1e-8])
def test_no_pulse_is_lost(form, tol):
    """(Errors of 50 pulses add up.)"""
    r = rectifier(form).simulate(stop=1, tol=tol)
    assert r.final("vc") == pytest.approx(AT_ONE_SECOND, rel=max(5 * tol, 1e-5))
    assert len(r.events) == 0


@pytest.mark.parametrize("solver", ["rodas4", "radau", "rkf45", "cvode"])
def test_no_method_loses_a_pulse(solver):
    r = rectifier("max").simulate(stop=1, tol=1e-3, solver=solver)
    assert r.final("vc") == pytest.approx(AT_ONE_SECOND, rel=5e-3)


def test_the_reference_loses_none():
    r = rectifier("max", backend="python").simulate(stop=0.1, tol=1e-3, interval=0.1)
    same = rectifier("max").simulate(stop=0.1, tol=1e-3, interval=0.1)
    assert r.final("vc") == pytest.approx(same.final("vc"), rel=1e-3)


def test_noise_around_zero_holds_no_steps_down():
    """abs of what is zero but for rounding."""
    r = fw.load_text("""model M
      Real x(start=1, fixed=true), y(start=1, fixed=true), z(start=0, fixed=true);
    equation
      der(x) = -x; der(y) = -y;
      der(z) = cos(time) + abs(sin(3*x)^2 + cos(3*x)^2 - 1 + (x - y));
    end M;""").simulate(stop=10, tol=1e-6)
    assert r.stats["steps"] < 600


def corners(text):
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "M.mo"))
    return len(compile_model(library, ("M",), Options(stop_after="program")).program.corners)


@pytest.mark.parametrize(
    ("rate", "count"),
    [
        ("max(0, x)", 1),
        ("noEvent(if x > 1 and x < 2 then 1 else 0)", 2),
        ("if x > 1 then 1 else 0", 0),  # this makes events
        ("max(p, 2)*x", 0),  # nothing moves
        ("abs(x) + sign(x)*x", 1),  # both bend at the same place
    ],
)
def test_what_counts_as_a_corner(rate, count):
    text = f"model M parameter Real p = 1; Real x(start=1, fixed=true); equation der(x) = {rate}; end M;"
    assert corners(text) == count


@pytest.mark.parametrize("count", [5, 2000], ids=["few", "as a whole"])
def test_rectifiers_in_arrays_lose_none(count):
    r = fw.load_text(f"""model M
      parameter Integer n = {count};
      Real u = 10*sin(2*3.141592653589793*50*time), i[n], v[n](each start=0, each fixed=true);
    equation
      for k in 1:n loop
        i[k] = max(0, (u - v[k])/10);
        1e-3*der(v[k]) = i[k] - v[k]/500;
      end for;
    end M;""").simulate(stop=1, tol=1e-3, interval=0.1)
    assert r.final("v[1]") == pytest.approx(AT_ONE_SECOND, rel=5e-3)
