"""Faults in a small network: which solution its loop has before, in and after them, against closed forms.

A source of 1 behind Z feeds loads of power S*k(V) at one bus, where V is the size of its voltage; a fault is
an impedance F from the bus to ground. With Thevenin's equivalent E, T of source and fault (E = F/(Z + F),
T = Z*F/(Z + F)) the bus has the voltages V at which

    |V^2 + T*conj(S)*k(V)| = |E|*V

which one unknown makes easy: all solutions are found by looking. The load of libraries of power systems gives
a little power at no voltage (k(0) = -0.0118), so that no voltage solves this where a fault is nearly perfect.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

Z, S = 0.001 + 0.2j, 0.5 + 0.1j
BREAK = 0.7  # below, loads of constant power take less
FAULT = ((2.0, 2.15),)
ALL_DECADES = [10.0**k for k in range(-18, 3)]

# Kinds of loads, as written and as a factor of their power: power, always power, current, impedance.
LOADS = {
    "P": "if v < {U}*0.7 then 0.4881 - 0.4999*cos(3.964*v/{U}) + 0.1389*sin(3.964*v/{U}) else 1",
    "C": "1",
    "I": "v/{U}",
    "Z": "(v/{U})^2",
}


def factor(kind: str, v: np.ndarray) -> np.ndarray:
    low = 0.4881 - 0.4999 * np.cos(3.964 * v) + 0.1389 * np.sin(3.964 * v)
    return {"P": np.where(v < BREAK, low, 1.0), "C": np.ones_like(v), "I": v, "Z": v * v}[kind]


@cache
def voltages(loads: str, fault: complex | None = None) -> tuple[float, ...]:
    """All solutions, the smallest first."""
    source, behind = (1.0, Z) if fault is None else (fault / (Z + fault), Z * fault / (Z + fault))

    def misfit(v: np.ndarray) -> np.ndarray:
        power = np.conj(S) * sum(factor(kind, v) for kind in loads) / len(loads)
        scaled = v * v / abs(behind) + behind / abs(behind) * power
        return np.abs(scaled) - abs(source / behind) * v

    grid = np.sort(np.append(np.geomspace(1e-20, 2.0, 200_001), [BREAK * (1 - 1e-15), BREAK]))
    values = misfit(grid)
    found = []
    for k in np.flatnonzero(values[:-1] * values[1:] < 0.0):
        low, high = grid[k : k + 2]
        if low < BREAK <= high:
            continue  # a jump of the load
        for _ in range(60):
            middle = np.array([(low + high) / 2])
            if (misfit(middle)[0] < 0.0) == (values[k] < 0.0):
                low = middle[0]
            else:
                high = middle[0]
        found.append(float(low))
    return tuple(found)


def network(loads: str, volt=1.0, watt=1.0, faults=FAULT, nominal=False, fault="") -> str:
    """In units of 1/volt and 1/watt. `fault`: a Boolean, instead of the times of the faults."""
    ampere = watt / volt
    ohm = volt / ampere
    size = f", nominal={volt}" if nominal else ""
    numbers = range(len(loads))
    real, imaginary = (" + ".join(f"{part}[{k + 1}]" for k in numbers) for part in ("lr", "li"))
    when = fault or " or ".join(f"(time > {begin} and time < {end})" for begin, end in faults)
    share = watt / len(loads)
    lines = [
        f"{volt} - vr = {Z.real * ohm}*({real} + fr) - {Z.imag * ohm}*({imaginary} + fi);",
        f"-vi = {Z.real * ohm}*({imaginary} + fi) + {Z.imag * ohm}*({real} + fr);",
        "v = sqrt(vr^2 + vi^2);",
        *(f"k[{n + 1}] = {LOADS[kind].format(U=volt)};" for n, kind in enumerate(loads)),
        *(f"k[{n + 1}]*{S.real * share} = vr*lr[{n + 1}] + vi*li[{n + 1}];" for n in numbers),
        *(f"k[{n + 1}]*{S.imag * share} = vi*lr[{n + 1}] - vr*li[{n + 1}];" for n in numbers),
        f"fr = if {when} then (R*vr + X*vi)/({ohm}*(R*R + X*X)) else 0;",
        f"fi = if {when} then (R*vi - X*vr)/({ohm}*(X*X + R*R)) else 0;",
        "der(x) = v - x;",
    ]
    return f"""model Network
      parameter Real R = 1e-3, X = R;
      Real vr(start={volt}{size}), vi(start=0{size}), v(start={volt}{size}), fr, fi;
      Real k[{len(loads)}], lr[{len(loads)}], li[{len(loads)}], x(start=0, fixed=true{size});
    equation
      {" ".join(lines)}
    end Network;"""


def attempt(model, **options):
    """The result and None, or None and what went wrong."""
    try:
        return model.simulate(**options), None
    except SimulationError as problem:
        return None, problem


def check(model, loads, resistance, volt=1.0, **options):
    """The bus is on its upper branch before and after the fault, and in it too if that has one."""
    upper = voltages(loads)[-1]
    within = voltages(loads, resistance * (1 + 1j))
    r, problem = attempt(model, stop=4, params={"R": resistance}, **options)
    if r is None:
        assert not within, (resistance, str(problem))
        told = problem.diagnostics[0]
        assert told.code == "R124"
        assert "has no solution after this event" in told.message
        assert "`fr`" in told.message
        assert "goes from 0.9" in told.message  # the voltage
        return "refused"
    assert [r.at("v", t) / volt for t in (1, 1.999, 2.2, 3, 4)] == pytest.approx(
        [upper] * 5, rel=1e-6
    )
    if within:
        assert r.at("v", 2.1) / volt == pytest.approx(within[-1], rel=1e-6, abs=0)
        assert not r.warnings
        return "solved"
    assert 0 < r.at("v", 2.1) / volt < 1e-5
    told = next(w for w in r.warnings if w.code == "R156")
    assert "from time 2 on a nonlinear loop has no solution" in told.message
    assert "`vr`" in told.message
    return "held"


# What is right, by the closed form: in faults of up to 10^-5*(1 + j) the load of constant power has no
# voltage at all, in the others two; the upper one goes on from 0.9737.
TABLE = {
    1e-18: (), 1e-12: (), 1e-9: (), 1e-7: (), 1e-5: (),
    1e-4: (0.00070115, 0.00116722), 1e-3: (0.00102498, 0.00760290), 1e-2: (0.00112465, 0.06384205),
    1e-1: (0.00113723, 0.39868509), 1.0: (0.00113852, 0.86860534), 1e2: (0.00113867, 0.97255405),
}  # fmt: skip


@pytest.mark.parametrize("resistance", TABLE)
def test_the_closed_form_has_these_solutions(resistance):
    found = voltages("P", resistance * (1 + 1j))
    assert found == pytest.approx(TABLE[resistance], rel=1e-4)


def test_a_load_of_constant_power_comes_back_after_any_fault():
    model = fw.load_text(network("P"))
    found = [check(model, "P", resistance) for resistance in ALL_DECADES]
    assert found == ["held"] * 9 + ["refused"] * 5 + ["solved"] * 7


@pytest.mark.parametrize("loads", ["C", "PI", "PP", "PIC", "ZP", "PPIPPI"])
def test_other_loads_come_back_too(loads):
    model = fw.load_text(network(loads))
    found = [check(model, loads, resistance) for resistance in ALL_DECADES[::4]]
    assert {"held", "refused", "solved"} == set(found)


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-10])
@pytest.mark.parametrize(
    "solver", ["dopri5", "rodas4", "radau", "cvode", "ida", "qss2", "qss3", "liqss2"]
)
def test_all_methods_come_back(solver, tol):
    model = fw.load_text(network("PI"))
    kinds = [check(model, "PI", 10.0**k, solver=solver, tol=tol) for k in (-16, -11, -3, 0)]
    assert kinds == ["held", "held", "solved", "solved"]


@pytest.mark.parametrize(
    ("volt", "watt", "nominal"), [(1e3, 1e6, False), (1e5, 1e8, True), (1e-3, 1e-6, False)]
)
def test_units_do_not_matter(volt, watt, nominal):
    model = fw.load_text(network("PI", volt, watt, nominal=nominal))
    kinds = [check(model, "PI", 10.0**k, volt) for k in (-16, -10, -6, -4, -3, -2, 0)]
    assert kinds == ["held", "held", "refused", "solved", "solved", "solved", "solved"]


@pytest.mark.parametrize("faults", [((2, 2.15), (2.5, 2.6)), ((2, 2.15), (2.12, 2.19))])
def test_a_second_fault_comes_back_as_well(faults):
    model = fw.load_text(network("PI", faults=faults))
    for resistance in (1e-16, 1e-11, 1e-4, 1e-3, 1.0):
        check(model, "PI", resistance)
        if faults[1][0] == 2.5 and resistance > 1e-5:
            r = model.simulate(stop=4, params={"R": resistance})
            within = voltages("PI", resistance * (1 + 1j))
            assert r.at("v", 2.55) == pytest.approx(within[-1], rel=1e-6)


def test_a_fault_that_a_clock_begins():
    text = network("PI", fault="f").replace(
        "equation\n",
        """discrete Boolean f(start=false, fixed=true);
    equation
      when {sample(2, 100), sample(2.15, 100)} then f = not pre(f); end when;
    """,
    )
    model = fw.load_text(text)
    kinds = [check(model, "PI", 10.0**k) for k in (-16, -7, -4, -2)]
    assert kinds == ["held", "refused", "solved", "solved"]


def test_both_backends_come_back():
    model = fw.load_text(network("P"), backend="python")
    kinds = [check(model, "P", 10.0**k, solver="dopri5", tol=1e-3) for k in (-16, -6, -3)]
    assert kinds == ["held", "refused", "solved"]


@pytest.mark.parametrize("power", range(-16, 3))
def test_a_load_of_constant_current_alone(power):
    """Written by its power it has a second solution at no voltage, with any current."""
    check(fw.load_text(network("I")), "I", 10.0**power)


@pytest.mark.parametrize("loads", ["I", "Z"])
@pytest.mark.parametrize(("volt", "watt", "nominal"), [(1e3, 1e6, False), (1e6, 1e9, True)])
def test_units_of_constant_currents_do_not_matter(loads, volt, watt, nominal):
    """With watts beside volts the best step to begin with makes residuals larger."""
    model = fw.load_text(network(loads, volt, watt, nominal=nominal))
    for power in (-12, -11, -3):
        check(model, loads, 10.0**power, volt)


def test_the_message_of_a_lost_branch_tells_the_place_of_the_collapse():
    with pytest.raises(SimulationError) as problem:
        fw.load_text(network("P")).simulate(stop=4, params={"R": 1e-7})
    told = problem.value.diagnostics[0]
    assert "bears 99.998 % of the change of the equations of `fi`, `fr`" in told.message
    assert "`v` goes from 0.973668 to" in told.message
    assert "k[1] = -0.011" in told.message  # the load gives power there
    assert "power at no voltage" in told.help
