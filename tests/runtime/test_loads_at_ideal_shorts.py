"""Loads of constant power beside an ideal short circuit: v = 0 and p = v*i have no solution, which is told.

The loop iterates on few unknowns. Its residuals may vanish although what it assigns, i = p/v, is infinite, or
become ever smaller while an unknown grows beyond all bounds.
"""

from __future__ import annotations

from math import sin

import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

FORMS = ("p = v*i;", "i = p/v;", "v = p/i;")
TIMES = {"at an event": "time > 1 and time < 2", "at the start": "time < 2"}


def network(form: str, closed: str, power: str, volt: float = 1.0) -> str:
    """In units of 1/volt and, for the same resistances, 1/volt^2."""
    watt = volt**2
    return f"""model Network
      Real v(start={volt}), i(start={volt / 2}), p(start={watt / 2}), f, x(start=0, fixed=true);
      Boolean closed = {closed};
    equation
      {volt} - v = 0.2*(i + f);
      p = {watt}*({power});
      {form}
      0 = if closed then v else f;
      der(x) = v - x;
    end Network;""".replace("W", f"(v/{volt})")


@pytest.mark.parametrize("volt", [1.0, 1e3, 1e-3])
@pytest.mark.parametrize("when", TIMES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("power", ["0.5", "0.25 + 0.25*W"])
def test_no_current_gives_power_without_voltage(power, form, when, volt):
    model = fw.load_text(network(form, TIMES[when], power, volt))
    with pytest.raises(SimulationError) as problem:
        model.simulate(stop=3)
    (told,) = problem.value.diagnostics
    assert told.code == "R124"
    assert f"at time {1 if when == 'at an event' else 0}:" in told.message
    assert "0 = if closed then v else f" in told.message


@pytest.mark.parametrize("form", FORMS[::2])
def test_the_reference_tells_so_too(form):
    for closed in TIMES.values():
        with pytest.raises(SimulationError) as problem:
            fw.load_text(network(form, closed, "0.5"), backend="python").simulate(stop=3)
        assert problem.value.diagnostics[0].code == "R124"


UNITS = [1.0, 1e3, 1e-3, 1e6, 1e-6]
# Current in the short, voltage after it.
BEARING = {"0.5*W": (0.5, 0.9), "0.25*W + 0.25*W^2": (0.25, 4.75 / 5.25)}


@pytest.mark.parametrize("form", FORMS[::2])
@pytest.mark.parametrize("when", TIMES)
@pytest.mark.parametrize("power", BEARING)
def test_a_load_without_power_at_no_voltage_bears_it(power, when, form):
    """In the short circuit `p = v*i` holds whatever the current is: told where nothing was before."""
    current, after = BEARING[power]
    for volt in UNITS:
        r = fw.load_text(network(form, TIMES[when], power, volt)).simulate(stop=3)
        expected = [0.0, current, 5.0 - current]
        assert [r.at(name, 1.5) / volt for name in "vif"] == pytest.approx(expected, abs=1e-4), volt
        assert r.at("v", 2.5) / volt == pytest.approx(after, rel=1e-9), volt
        told = [w for w in r.warnings if w.code == "R129"]
        assert [w.message[:40] for w in told] == (
            ["at time 0 nothing determines `i`, `f`: t"] if when == "at the start" else []
        )


@pytest.mark.parametrize("tol", [1e-3, 1e-10])
@pytest.mark.parametrize(
    "solver", ["dopri5", "rkf45", "rodas4", "radau", "lobatto", "cvode", "ida"]
)
def test_no_method_changes_what_a_short_leaves_open(solver, tol):
    for power, (current, after) in BEARING.items():
        model = fw.load_text(network(FORMS[0], TIMES["at the start"], power))
        r = model.simulate(stop=3, solver=solver, tol=tol)
        assert [r.at("i", 1.5), r.at("v", 2.5)] == pytest.approx([current, after], abs=1e-6)
        assert "R129" in [w.code for w in r.warnings]


@pytest.mark.parametrize("source", ["1", "1 + 0.1*sin(time)"])
@pytest.mark.parametrize("loads", [1, 2, 3])
@pytest.mark.parametrize("order", [1, -1])
def test_loads_side_by_side_are_all_named(loads, order, source):
    equations = [
        f"{source} - v = 0.2*(sum(i) + f);",
        f"for k in 1:{loads} loop p[k] = {0.5 / loads}*v; p[k] = v*i[k]; end for;",
        "0 = if time < 2 then v else f;",
        "der(x) = v - x;",
    ]
    text = f"""model Loads
      Real v(start=1), i[{loads}](each start=0.3), p[{loads}], f, x(start=0, fixed=true);
    equation
      {" ".join(equations[::order])}
    end Loads;"""
    r = fw.load_text(text).simulate(stop=3)
    (told,) = [w for w in r.warnings if w.code == "R129"]
    names = ["f", *(f"i[{k + 1}]" for k in range(loads))]
    assert all(f"`{name}`" in told.message for name in names)
    assert "`v`" not in told.message
    assert r.at("v", 1.0) == 0.0
    supply = 1.0 if source == "1" else 1 + 0.1 * sin(2.5)
    assert r.at("v", 2.5) == pytest.approx(supply - 0.1, rel=1e-6)
