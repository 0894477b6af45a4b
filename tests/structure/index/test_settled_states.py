"""States that StateSelect settles though they do not serve everywhere: a run must not rest there."""

import pytest

from freewheel.api.model import load
from freewheel.base.diagnostics import FreewheelError

PENDULUM = """model Pendulum
  Real x(start = 1, fixed = true), y(start = 0{y}), vx, vy(start = 0, fixed = true{y}), F;
equation
  der(x) = vx;
  der(y) = vy;
  2*der(vx) = -F*x;
  2*der(vy) = -F*y - 2*9.81;
  x^2 + y^2 = 1;
{more}end Pendulum;
"""


def pendulum(tmp_path, y="", more=""):
    path = tmp_path / "pendulum.mo"
    path.write_text(PENDULUM.format(y=y, more=more))
    return load(path)


SOLVERS = ["dopri5", "rkf45", "rodas4", "radau", "lobatto"]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_does_not_rest_where_its_states_say_nothing(tmp_path, solver):
    """At the bottom y and vy are at rest, whatever the speed is: that looked like a solution."""
    model = pendulum(tmp_path, ", stateSelect = StateSelect.always")
    short = model.simulate(stop=0.4, solver=solver, tol=1e-8)
    free = pendulum(tmp_path).simulate(stop=0.4, tol=1e-8)
    assert short.final("x") == pytest.approx(free.final("x"), abs=1e-5)

    with pytest.raises(FreewheelError) as caught:
        model.simulate(stop=1.0, solver=solver, tol=1e-8)

    (found,) = caught.value.diagnostics
    assert found.code == "R120"
    assert "`y` cannot be the state here: `x^2 + y^2 = 1` no longer gives `x`" in found.message


def test_states_chosen_while_running_go_round(tmp_path):
    r = pendulum(tmp_path).simulate(stop=1.0, tol=1e-10)
    assert r.final("x") == pytest.approx(-0.986291751131554, abs=1e-8)


@pytest.mark.parametrize("solver", [*SOLVERS, "cvode", "ida"])
@pytest.mark.parametrize("select", ["prefer", "avoid"])
def test_a_preference_gives_way_where_it_does_not_serve(tmp_path, select, solver):
    """What is preferred ended the run at the bottom; `avoid` is no more than that, of x."""
    model = pendulum(tmp_path, f", stateSelect = StateSelect.{select}")
    r = model.simulate(stop=1.0, tol=1e-9, solver=solver)
    assert r.final("x") == pytest.approx(-0.986291751131554, abs=1e-5)


@pytest.mark.parametrize("name", ["vx", "vy"])
def test_a_reinit_that_no_state_takes_up_is_refused(tmp_path, name):
    """`reinit(vy, ..)` was told in the event log and had no effect."""
    more = f"  when x < -0.9 then reinit({name}, -0.5*pre({name})); end when;\n"
    with pytest.raises(FreewheelError) as caught:
        pendulum(tmp_path, more=more).simulate(stop=1.0)

    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("E014", f"reinit of `{name}`, which is not a state")
    assert "$state" not in found.help
