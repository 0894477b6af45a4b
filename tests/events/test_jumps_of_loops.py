"""Which solution a nonlinear loop takes where an event changes its equations: docs/theory/events.md."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

import freewheel as fw

LOAD = "if v < brk then 0.4881 - 0.4999*cos(3.964*v) + 0.1389*sin(3.964*v) else 1"

ONE_BUS = f"""model M
  parameter Real R = 1e-3, X = 1e-3, t1 = 2, t2 = 2.15, P0 = 0.5, Q0 = 0.1, brk = 0.7;
  Real vr(start=1), vi(start=0), v(start=1), kP, fr, fi, lr, li, x(start=0, fixed=true);
equation
  1 - vr = 0.001*(lr + fr) - 0.2*(li + fi);
  0 - vi = 0.001*(li + fi) + 0.2*(lr + fr);
  v = sqrt(vr^2 + vi^2);
  kP = {LOAD};
  kP*P0 = vr*lr + vi*li;
  kP*Q0 = vi*lr - vr*li;
  if time < t1 or time >= t2 then
    fr = 0; fi = 0;
  else
    fi = (R*vi - X*vr)/(X*X + R*R);
    fr = (R*vr + X*vi)/(R*R + X*X);
  end if;
  der(x) = v - x;
end M;"""


def network(loads: int, fault: str, reactance: str = "0.2", when: str = "time > 2 and time < 2.15"):
    """`loads` of half a unit together, each behind its line, at a bus that has the fault."""
    return f"""
model Load
  parameter Real P0, Q0, brk = 0.7;
  Real vr(start=1), vi(start=0), ir, ii, v, kP;
equation
  v = sqrt(vr^2 + vi^2);
  kP = {LOAD};
  kP*P0 = vr*ir + vi*ii;
  kP*Q0 = vi*ir - vr*ii;
end Load;
model M
  parameter Integer n = {loads};
  parameter Real R = 0.03;
  Load load[n](each P0 = 0.5/n, each Q0 = 0.1/n);
  Real fr, fi, br(start=1), bi(start=0), v = load[1].v, sr, si, X = {reactance}, x(start=0, fixed=true);
  Boolean fault = {when};
equation
  1 - br = 0.001*sr - X*si;
  0 - bi = 0.001*si + X*sr;
  sr = fr + sum(load.ir);
  si = fi + sum(load.ii);
  for k in 1:n loop
    br - load[k].vr = -0.05*load[k].ii;
    bi - load[k].vi = 0.05*load[k].ir;
  end for;
  {fault}
  der(x) = v - x;
end M;"""


SHUNT = "fr = if fault then (br + bi)/(2*R) else 0; fi = if fault then (bi - br)/(2*R) else 0;"
SHORT = "0 = if fault then br - R*fr else fr; 0 = if fault then bi - R*fi else fi;"


def upper(reactance: float) -> float:
    """The voltage at a load of 0.5 + 0.1j behind 0.001 + reactance*j, the larger of two solutions."""
    a = (0.001 + reactance * 1j) * (0.5 - 0.1j)
    middle = 0.5 - a.real
    return sqrt(middle + sqrt(middle**2 - abs(a) ** 2))


def at(r, name, *times):
    return [float(np.interp(t, r.time, r[name])) for t in times]


@pytest.mark.parametrize(
    ("solver", "tol"),
    [("dopri5", 1e-3), ("dopri5", 1e-9), ("rodas4", 1e-6), ("cvode", 1e-6), ("qss2", 1e-4)],
)
def test_the_voltage_comes_back_after_a_fault(solver, tol):
    r = fw.load_text(ONE_BUS).simulate(stop=4, solver=solver, tol=tol)
    before, during, after = at(r, "v", 1.9, 2.1, 3.0)
    assert before == pytest.approx(upper(0.2), rel=1e-9)
    assert during < 0.01
    assert after == pytest.approx(before, rel=1e-9)


def test_the_reference_comes_back_too():
    r = fw.load_text(ONE_BUS, backend="python").simulate(stop=4, interval=0.1)
    assert at(r, "v", 1.9, 3.0) == pytest.approx([upper(0.2)] * 2, rel=1e-9)


def test_a_second_run_begins_anew():
    model = fw.load_text(ONE_BUS)
    first, second = model.simulate(stop=4), model.simulate(stop=4)
    np.testing.assert_array_equal(first["v"], second["v"])


@pytest.mark.parametrize("fault", [1e-14, 1e-16, 1e-18])
@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_a_fault_without_solution_but_for_rounding_is_survived(backend, fault):
    """The load would give power at no voltage, which nothing takes at this angle: |v|^2 = |Z||S| is as near
    as it gets. The voltage is held there, where all but a millionth of the change has been made, and that
    is told."""
    r = fw.load_text(ONE_BUS, backend=backend).simulate(
        stop=4, interval=0.1, params={"R": fault, "X": fault}
    )
    during, after = at(r, "v", 2.1, 3.0)
    power = (0.4999 - 0.4881) * abs(0.5 + 0.1j)
    assert during == pytest.approx(sqrt(abs(fault + fault * 1j) * power), rel=0.1)
    assert after == pytest.approx(upper(0.2), abs=1e-8)
    assert "R156" in [w.code for w in r.warnings]


@pytest.mark.parametrize("loads", [1, 2, 3])
@pytest.mark.parametrize("fault", [SHUNT, SHORT], ids=["shunt", "short"])
def test_several_loads_come_back_from_each_fault(loads, fault):
    twice = "time > 2 and time < 2.15 or time > 3 and time < 3.1"
    r = fw.load_text(network(loads, fault, when=twice)).simulate(stop=4)
    expected = upper(0.2 + 0.05 / loads)
    assert at(r, "v", 0.0, 1.9, 2.5, 3.9) == pytest.approx([expected] * 4, rel=1e-8)
    assert max(at(r, "v", 2.1, 3.05)) < 0.2


@pytest.mark.parametrize("loads", [2, 3])
def test_start_values_are_tried_where_nothing_else_is_known(loads):
    """A fault from the start on, and one that grows in two steps."""
    r = fw.load_text(network(loads, SHUNT, when="time < 0.2")).simulate(stop=1)
    assert at(r, "v", 0.9)[0] == pytest.approx(upper(0.2 + 0.05 / loads), rel=1e-8)
    grows = SHUNT.replace("(2*R)", "(2*R)*(if time < 2.05 then 1 else 10)")
    r = fw.load_text(network(loads, grows, "if time < 2.15 then 0.2 else 0.3")).simulate(stop=4)
    assert at(r, "v", 3.0)[0] == pytest.approx(upper(0.3 + 0.05 / loads), rel=1e-8)


@pytest.mark.parametrize("loads", [1, 2, 3])
def test_a_network_that_was_never_seen_before_is_met_on_the_same_branch(loads):
    """The fault ends with the loss of a line."""
    text = network(loads, SHUNT, "if time < 2.15 then 0.2 else 0.3")
    r = fw.load_text(text).simulate(stop=4)
    assert at(r, "v", 3.0)[0] == pytest.approx(upper(0.3 + 0.05 / loads), rel=1e-8)


def test_start_values_are_the_branch_of_a_fault_at_the_start():
    r = fw.load_text(ONE_BUS).simulate(stop=1, params={"t1": -1, "t2": 0.2})
    assert at(r, "v", 0.1, 0.9) == pytest.approx([0.0076, upper(0.2)], rel=1e-2)


def test_a_latch_that_was_set_stays_set():
    r = fw.load_text("""model M
      Real y(start=-1), x(start=0, fixed=true);
    equation
      y = tanh(3*y) + (if time > 1 and time < 2 then 1 else 0);
      der(x) = y - x;
    end M;""").simulate(stop=4)
    settled = 0.994949366
    assert at(r, "y", 0.5, 3.0) == pytest.approx([-settled, settled], rel=1e-3)


def test_two_inverters_keep_what_they_were_told():
    """Each has the other's output at its input; switches pull one output down, later the other one."""
    r = fw.load_text("""model M
      Real a(start=0.9), b(start=0.1), x(start=0, fixed=true);
    equation
      a - 1 + 5*a/(1 + exp(-20*(b - 0.5))) + (if time > 1 and time < 1.5 then 100*a else 0) = 0;
      b - 1 + 5*b/(1 + exp(-20*(a - 0.5))) + (if time > 2 and time < 2.5 then 100*b else 0) = 0;
      der(x) = a - x;
    end M;""").simulate(stop=4)
    assert [a > 0.9 for a in at(r, "a", 0.5, 1.8, 3.0)] == [True, False, True]
    assert [b > 0.9 for b in at(r, "b", 0.5, 1.8, 3.0)] == [False, True, False]


def test_a_switch_in_a_nonlinear_loop_loses_no_equation():
    """What a switch holds at zero is set to zero; the equation that would give it must hold too."""
    r = fw.load_text("""model M
      Real i, j, u(start=1), x(start=0, fixed=true);
    equation
      u^3 + u = 2 + i;
      i + j = 2*u - 3;
      0 = if time > 1 then u - 3*j else j;
      der(x) = u - x;
    end M;""").simulate(stop=2)
    for t, told in ((0.5, lambda u: 0.0), (1.5, lambda u: u / 3)):
        u, i, j = (at(r, name, t)[0] for name in "uij")
        assert j == pytest.approx(told(u), abs=1e-12)
        assert [u**3 + u, i + j] == pytest.approx([2 + i, 2 * u - 3], abs=1e-9)
