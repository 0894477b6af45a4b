"""Loads of constant power beside an ideal short circuit: v = 0 and p = v*i have no solution, which is told.

The loop iterates on few unknowns. Its residuals may vanish although what it assigns, i = p/v, is infinite, or
become ever smaller while an unknown grows beyond all bounds.
"""

from __future__ import annotations

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


@pytest.mark.parametrize("form", FORMS[::2])
@pytest.mark.parametrize(
    ("when", "volt"),
    [("at the start", 1.0), *(("at an event", volt) for volt in (1.0, 1e3, 1e-3))],
)
def test_a_load_of_constant_current_bears_it(when, volt, form):
    r = fw.load_text(network(form, TIMES[when], "0.5*W", volt)).simulate(stop=3)
    expected = [0.0, 0.5, 4.5]
    assert [r.at(name, 1.5) / volt for name in "vif"] == pytest.approx(expected, abs=1e-9)
    assert r.at("v", 2.5) / volt == pytest.approx(0.9, rel=1e-9)
