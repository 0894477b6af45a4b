"""Start values that conditions leave open, by numbers where counting finds equations enough."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin

import pytest

import freewheel as fw
from freewheel.structure.atoms import show_atom
from freewheel.structure.diagnosis import linearise
from freewheel.structure.diagnosis.open_starts import open_starts
from freewheel.structure.nodes import Ordered

PHI = 0.5
HELD = """model Held Real {states}, v(start=0, fixed=true), a(start=0, fixed=true), f, u, w; {more}
equation der(x) = v; der(v) = a; der(phi) = 0.1;
  u = cos(phi)*f; w = -sin(phi)*f; a = cos(phi)*u - sin(phi)*w; {force}; end Held;"""
POSITION_FIRST = "x(start=1), phi(start=0.5)"
ANGLE_FIRST = "phi(start=0.5), x(start=1)"


def ordered(force: str, states: str = POSITION_FIRST, more: str = "") -> Ordered:
    text = HELD.format(force=force, states=states, more=more)
    return fw.load_text(text).upto("structure").ordered


def at(f: float, **others: float) -> Mapping[str, float]:
    known = {"time": 0.0, "x": 1.0, "v": 0.0, "phi": PHI, "f": f, "a": f}
    return {**known, "u": cos(PHI) * f, "w": -sin(PHI) * f, **others}


def names(of: Ordered, values: Mapping[str, float]) -> list[str]:
    return [show_atom(var.name) for var in open_starts(of, values)]


def assumed(of: Ordered) -> list[str]:
    return [show_atom(e.target.name) for e in of.assumed if e.target is not None]


def test_a_state_that_cancels_is_open_whatever_was_assumed() -> None:
    model = ordered("f = 3 - x^3")

    assert assumed(model) == ["x"]
    assert names(model, at(2.0)) == ["phi"]


def test_what_was_assumed_stays_where_the_condition_determines_the_rest() -> None:
    for states in (POSITION_FIRST, ANGLE_FIRST):
        model = ordered("f = 3 - x - sin(phi)", states)

        assert names(model, at(2.0 - sin(PHI))) == assumed(model)


@pytest.mark.parametrize(("slope", "wanted"), [(0.01, "phi"), (100.0, "x")])
def test_the_condition_is_left_what_it_depends_on_most(slope: float, wanted: str) -> None:
    for states in (POSITION_FIRST, ANGLE_FIRST):
        model = ordered(f"f = 3 - x - {slope}*sin(phi)", states)

        assert names(model, at(2.0 - slope * sin(PHI))) == [wanted]


def test_sizes_are_those_of_nominal_values() -> None:
    """A pascal changes little: but pressures are some bar."""
    force = "f = 3 - 1e-5*x - 0.01*sin(phi)"
    states = "x(start=1e5, nominal=1e5), phi(start=0.5)"

    assert names(ordered(force, states), at(2.0 - 0.01 * sin(PHI), x=1e5)) == ["phi"]


@pytest.mark.parametrize(("x", "wanted"), [(1.0, "x"), (-1.0, "phi")])
def test_the_branch_at_the_start_values_counts(x: float, wanted: str) -> None:
    """As an event, and without one."""
    for condition in ("x > 0", "noEvent(x > 0)"):
        model = ordered(f"f = if {condition} then 3 - 4*phi else 3 - x", ANGLE_FIRST)
        status = {crossing.status: x for crossing in model.hybrid.crossings}
        values = {show_atom(var.name): number for var, number in status.items()}

        assert names(model, at(1.0 if x > 0 else 4.0, x=x, **values)) == [wanted]


def test_a_value_of_the_run_counts_more_than_that_of_the_model() -> None:
    model = ordered("f = 3 - x^3 - c*phi^3", more="parameter Real c = 0.1;")

    assert names(model, at(2.0 - 50 * PHI**3, c=50.0)) == ["x"]
    assert names(model, at(2.0 - 0.001 * PHI**3, c=0.001)) == ["phi"]


def test_nothing_is_said_of_a_system_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linearise, "null_vectors", lambda rows, count: None)

    assert open_starts(ordered("f = 3 - x^3"), at(2.0)) == ()
