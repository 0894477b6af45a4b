"""Solutions of loops that hold because something is zero, beside the ones that are meant, are told (R157).

A source of 1 V behind 0.2 ohm, and a load: where its equation is written with a factor v, v = 0 solves it.
"""

from __future__ import annotations

import pytest

import freewheel as fw

TRIVIAL = {
    "by its power": ("p = v*i; p = P*v;", 0.9),
    "in one equation": ("v*i = P*v; p = v*i;", 0.9),
    "as factors": ("v*(i - P) = 0; p = v*i;", 0.9),
    "with an impedance": ("p = v*i; p = P*(v/2/U + (v/U)^2/2)*U;", 4.75 / 5.25),
    "of a root": ("p = v*i; 0 = p - P*v*sqrt(1 + (v/U)^2);", 0.86760872747812),
}
OTHERS = {
    "of constant power": "p = v*i; p = P*U*(0.2 + v/U);",
    "as a current": "i = P*(0.9 + (v/U)^3); p = v*i;",
    "of an impedance": "p = v*i; v = i*U/P*(1 + (i/P)^2);",
}


def network(load: str, start: str, volt: float = 1.0, closed: str = "false") -> str:
    return f"""model Network
      constant Real U = {volt}, P = 0.5*U;
      Real v{start}, i, p, f, x(start=0, fixed=true);
    equation
      U - v = 0.2*(i + f);
      {load}
      f = 0;
      der(x) = v - x;
    end Network;""".replace("f = 0;", f"0 = if {closed} then v else f;")


def told(result) -> list[str]:
    return [w.message for w in result.warnings if w.code == "R157"]


@pytest.mark.parametrize("volt", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize("load", TRIVIAL)
def test_a_start_at_zero_is_told(load, volt):
    text, voltage = TRIVIAL[load]
    r = fw.load_text(network(text, "", volt)).simulate(stop=1)
    assert r.at("v", 1.0) == 0.0
    (message,) = told(r)
    assert message.startswith("at time 0 ")
    names, others = message.split(" solve a loop by being zero: ")
    assert "`v`" in names
    assert "`i`" in others.partition(";")[0]
    r = fw.load_text(network(text, f"(start={volt})", volt)).simulate(stop=1)
    assert r.at("v", 1.0) / volt == pytest.approx(voltage, rel=1e-9)
    assert not r.warnings


@pytest.mark.parametrize("start", ["", "(start=1)"])
@pytest.mark.parametrize("load", OTHERS)
def test_other_loads_are_not(load, start):
    r = fw.load_text(network(OTHERS[load], start)).simulate(stop=1)
    assert not told(r)


def test_so_is_a_branch_at_zero_after_a_short_circuit():
    """While the short is closed the current is open (R129); after it v = 0 for want of a start value."""
    r = fw.load_text(network(TRIVIAL["by its power"][0], "", closed="time < 0.5")).simulate(stop=1)
    assert r.at("v", 0.9) == 0.0
    assert [w.code for w in r.warnings] == ["R129", "R157"]


def test_a_short_circuit_later_is_none():
    text = network(TRIVIAL["by its power"][0], "(start=1)", closed="time > 0.3 and time < 0.6")
    r = fw.load_text(text).simulate(stop=1)
    assert [r.at("v", t) for t in (0.2, 0.5, 0.9)] == pytest.approx([0.9, 0.0, 0.9], abs=1e-12)
    assert not r.warnings
    text = network(TRIVIAL["by its power"][0], "(start=1)", closed="time > 0.3")
    assert not fw.load_text(text).simulate(stop=1).warnings


@pytest.mark.parametrize("start", [0, 1])
def test_phasors(start):
    r = fw.load_text(f"""model Phasors
      Real vr(start={start}), vi, ir, ii, v, P, Q, x(start=0, fixed=true);
    equation
      1 - vr = 0.001*ir - 0.2*ii;
      -vi = 0.001*ii + 0.2*ir;
      v = sqrt(vr^2 + vi^2);
      P = vr*ir + vi*ii;
      Q = vi*ir - vr*ii;
      P = 0.5*v;
      Q = 0.1*v;
      der(x) = v - x;
    end Phasors;""").simulate(stop=1)
    if start:
        assert r.at("v", 1.0) == pytest.approx(0.974497482, rel=1e-8)
        assert not r.warnings
    else:
        assert r.at("v", 1.0) == 0.0
        assert len(told(r)) == 1


@pytest.mark.parametrize("angle", ["time", "1 + time"])
def test_entries_of_a_rotation_are_zero_without_another_solution(angle):
    """a = b = 0 for every angle, which is found together with them."""
    r = fw.load_text(f"""model Turned
      Real a, b, phi, T[2, 2], x(start=0, fixed=true);
    equation
      T = [cos(phi), sin(phi); -sin(phi), cos(phi)];
      T*{{a, b}} = {{0, 0}};
      phi + 0.1*sin(phi) + a = {angle} + b;
      der(x) = phi - x;
    end Turned;""").simulate(stop=1)
    assert r.at("a", 1.0) == r.at("b", 1.0) == 0.0
    assert not told(r)
