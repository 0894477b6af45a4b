"""Loads written by their power, through a fault: the branch of before is found again.

A source of 1 V behind 0.2 ohm feeds a load of power p = a + b*v + c*v^2; a fault is a conductance g beside
it.
All forms of the load (`p = v*i`, `i = p/v`, `v = p/i`) have the voltages v with

    (5 + g + c)*v^2 - (5 - b)*v + a = 0

of which the larger is the ordinary one. With a = 0 the other one is v = 0, where the equation of the load
holds whatever the current is. In a fault of R ohm both are within R of each other, the currents are not.
"""

from __future__ import annotations

import itertools
from math import sqrt

import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

LOADS = {
    "P": (0.5, 0, 0), "I": (0, 0.5, 0), "Z": (0, 0, 0.5), "PI": (0.25, 0.25, 0), "PZ": (0.25, 0, 0.25),
    "IZ": (0, 0.25, 0.25), "PIZ": (0.15, 0.15, 0.2),
}  # fmt: skip
FORMS = ("p = v*i;", "i = p/v;", "v = p/i;")
FAULTS = {
    "conductance": "f = if fault then v/RF else 0;",
    "resistance": "v = (if fault then RF else {off})*f;",
    "short": "0 = if fault then v - RF*f else f;",
    "equations": "if fault then v = RF*f; else f = 0; end if;",
}
UNITS = [
    (1.0, 1.0, False),
    (1e3, 1e3, False),
    (1e3, 1e6, True),
    (1e6, 1e9, True),
    (1e-3, 1e-6, False),
]


def voltage(load: str, conductance: float = 0.0) -> float | None:
    """The larger solution."""
    a, b, c = LOADS[load]
    square, middle = 5 + conductance + c, 5 - b
    inside = middle**2 - 4 * square * a
    return None if inside < 0 else (middle + sqrt(inside)) / (2 * square)


def network(load: str, form: str, fault: str, volt=1.0, watt=1.0, nominal=False) -> str:
    """In units of 1/volt and 1/watt."""
    ampere = watt / volt
    ohm = volt / ampere
    a, b, c = LOADS[load]
    u, i = (f", nominal={unit}" if nominal else "" for unit in (volt, ampere))
    return f"""model Network
      parameter Real R = 1e-3;
      parameter Real RF = R*{ohm};
      Real v(start={volt}{u}), i(start={ampere / 2}{i}), p(start={watt / 2}), f, x(start=0, fixed=true{u});
      Boolean fault = time > 2 and time < 2.15;
    equation
      {volt} - v = {0.2 * ohm}*(i + f);
      p = {watt}*({a} + {b}*(v/{volt}) + {c}*(v/{volt})^2);
      {form}
      {FAULTS[fault].format(off=1e9 * ohm)}
      der(x) = v - x;
    end Network;"""


def attempt(model, **options):
    """The result and nothing, or nothing and the code of what went wrong."""
    try:
        return model.simulate(**options), ""
    except SimulationError as problem:
        return None, problem.diagnostics[0].code


def check(model, load, resistance, volt=1.0, **options):
    """Before and after the fault the ordinary voltage; in it too, or it is told that there is none."""
    within = voltage(load, 1 / resistance)
    r, code = attempt(model, stop=4, params={"R": resistance}, **options)
    if r is None:
        assert (within, code) == (None, "R124"), resistance
        return
    expected = [voltage(load)] * 5
    assert [r.at("v", t) / volt for t in (1, 1.999, 2.2, 3, 4)] == pytest.approx(expected, rel=1e-6)
    if within is None:
        assert "R156" in [w.code for w in r.warnings]
    else:
        assert not r.warnings
        assert r.at("v", 2.1) / volt == pytest.approx(within, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(
    ("load", "form"), [("I", 0), ("I", 2), ("Z", 0), ("Z", 2), ("IZ", 2), ("P", 2), ("PI", 0)]
)
def test_a_load_comes_back_to_its_branch(load, form, fault):
    model = fw.load_text(network(load, FORMS[form], fault))
    for resistance in (1e-16, 1e-12, 1e-11, 1e-3):
        check(model, load, resistance)


@pytest.mark.parametrize(("volt", "watt", "nominal"), UNITS[1:])
@pytest.mark.parametrize("load", ["I", "Z"])
def test_units_of_loads_do_not_matter(load, volt, watt, nominal):
    for fault in ("conductance", "short"):
        model = fw.load_text(network(load, FORMS[0], fault, volt, watt, nominal))
        for resistance in (1e-13, 1e-12, 1e-6):
            check(model, load, resistance, volt)


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau"])
def test_methods_and_tolerances_do_not_matter(solver, tol):
    model = fw.load_text(network("I", FORMS[0], "short"))
    for resistance in (1e-12, 1e-6):
        check(model, "I", resistance, solver=solver, tol=tol)


def test_start_values_choose_the_branch_where_they_are_beside_a_pole():
    """At v = 1 there is no current to divide by."""
    r = fw.load_text(network("P", FORMS[2], "conductance")).simulate(stop=1)
    assert r.at("v", 0.0) == pytest.approx(voltage("P"), rel=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("volt", "watt", "nominal"), UNITS[::2])
@pytest.mark.parametrize(("load", "form"), list(itertools.product(LOADS, FORMS)))
def test_every_load_comes_back_from_every_fault(load, form, volt, watt, nominal):
    for fault in FAULTS:
        model = fw.load_text(network(load, form, fault, volt, watt, nominal))
        for resistance in (1e-13, 1e-12, 1e-11, 1e-9, 1e-6, 1e-3, 1.0):
            check(model, load, resistance, volt)


def feeder(loads: int) -> str:
    """Loads of constant current along a line; the fault is at its end. Voltages fall by what flows beyond."""
    return f"""model Feeder
      parameter Integer n = {loads};
      parameter Real R = 1e-3;
      Real v[n](each start=1), i[n], p[n], s[n], f, x(start=0, fixed=true);
      Boolean fault = time > 2 and time < 2.15;
    equation
      1 - v[1] = 0.2/n*s[1];
      for k in 2:n loop v[k - 1] - v[k] = 0.2/n*s[k]; end for;
      for k in 1:n - 1 loop s[k] = i[k] + s[k + 1]; end for;
      s[n] = i[n] + f;
      for k in 1:n loop p[k] = 0.5/n*v[k]; p[k] = v[k]*i[k]; end for;
      0 = if fault then v[n] - R*f else f;
      der(x) = v[n] - x;
    end Feeder;"""


@pytest.mark.parametrize("loads", [1, 3, pytest.param(10, marks=pytest.mark.long)])
def test_loads_along_a_line_come_back(loads):
    n = loads
    upper = 1 - 0.2 / n * sum(0.5 / n * (n - k) for k in range(n))
    model = fw.load_text(feeder(n))
    for resistance in (1e-12, 1e-6, 1e-3):
        r = model.simulate(stop=4, params={"R": resistance})
        last = f"v[{n}]"
        within = upper * resistance / (resistance + 0.2)
        assert [r.at(last, t) for t in (1, 3)] == pytest.approx([upper] * 2, rel=1e-8)
        assert r.at(last, 2.1) == pytest.approx(within, rel=1e-6)
