"""States that the absolute tolerance hides are told: `runtime/small_states.py`."""

from __future__ import annotations

from math import exp

import pytest

import freewheel as fw


def told(text, **options):
    r = fw.load_text(f"model M {text} end M;").simulate(stop=5, **options)
    return [w for w in r.warnings if w.code == "R175"], r


DECAY = "Real q(start={start}, fixed=true{more}); equation der(q) = -q;"


@pytest.mark.parametrize("solver", ["auto", "dopri5", "rodas4", "radau", "cvode", "ida"])
def test_a_small_state_without_nominal_value_is_told(solver):
    warnings, r = told(DECAY.format(start=1e-9, more=""), solver=solver)
    assert len(warnings) == 1
    assert (
        "the state `q` stays below 1e-09, and each step may be wrong by 1e-09"
        in warnings[0].message
    )
    assert "`q(nominal = 1e-09)`" in warnings[0].help
    assert r.at("q", 5) / 1e-9 != pytest.approx(exp(-5), rel=1e-3)  # this is why


@pytest.mark.parametrize("solver", ["auto", "dopri5", "rodas4", "cvode", "qss2", "liqss2"])
def test_its_cure_helps(solver):
    warnings, r = told(DECAY.format(start=1e-9, more=", nominal=1e-9"), solver=solver)
    assert not warnings
    assert r.at("q", 5) / 1e-9 == pytest.approx(exp(-5), rel=1e-2 if "qss" in solver else 1e-4)


@pytest.mark.parametrize(
    ("start", "tol", "is_told"),
    [
        (1e-9, 1e-6, True),
        (1e-8, 1e-6, True),
        (1e-6, 1e-6, False),
        (1e-9, 1e-10, False),
        (1e-6, 1e-3, True),
    ],
)
def test_it_depends_on_the_tolerance(start, tol, is_told):
    warnings, _ = told(DECAY.format(start=start, more=""), tol=tol)
    assert bool(warnings) is is_told


def test_quanta_are_told_unless_they_are_chosen():
    text = DECAY.format(start=1e-8, more="")
    assert told(text, solver="qss2")[0]
    assert not told(text, solver="qss2", quantum="1e-12")[0]


def test_fixed_steps_have_no_tolerance():
    assert not told(DECAY.format(start=1e-9, more=""), solver="rk4")[0]


def test_states_at_rest_and_what_rounding_leaves_of_them_are_not_told():
    text = """Real z(start=0, fixed=true), d(start=0, fixed=true), x(start=1, fixed=true);
      equation der(z) = 0; der(x) = -x; der(d) = sin(time) + sin(time + 2.0943951023931953)
      + sin(time + 4.1887902047863905);"""
    assert not told(text)[0]


def test_many_are_told_at_once():
    text = "Real q[8](start=fill(1e-9, 8), each fixed=true); equation der(q) = -q;"
    warnings, _ = told(text)
    assert len(warnings) == 1
    assert "and 3 more" in warnings[0].message


def test_of_a_run_that_is_stopped_it_is_not_known(monkeypatch):
    """It may grow yet, and Ctrl-C does not wait for a look at all rows."""
    monkeypatch.setattr("freewheel.runtime.small_states.is_asked", lambda: True)
    assert told(DECAY.format(start=1e-9, more=""))[0] == []
