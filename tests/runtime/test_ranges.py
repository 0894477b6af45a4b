"""`min` and `max`: parameters before the run, variables in the stored rows."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.runtime import ranges

FALL = """
model Fall
  parameter Real limit = 0;
  parameter Real area(min = 0, max = 10) = 1;
  Real h(start = 1, fixed = true, min = limit);
  Real depth(max = 0) = -h;
equation
  der(h) = -2;
end Fall;
"""


def codes(result):
    return [w.code for w in result.warnings if w.code.startswith("R17")]


@pytest.fixture(scope="module", params=["llvm", "python"])
def fall(request):
    return fw.load_text(FALL, backend=request.param)


def test_a_variable_is_told_once_though_it_has_two_names(fall):
    result = fall.simulate()

    assert codes(result) == ["R170"]
    assert "`h` = -0.004 at time 0.502 is below its min = 0, and reaches -1" in str(
        result.warnings[0].message
    )


def test_a_bound_may_follow_a_parameter(fall):
    result = fall.simulate(params={"limit": -2}, stop=0.4)

    assert codes(result) == []
    assert codes(fall.simulate(params={"limit": 0.5}, stop=0.4)) == ["R170"]


def test_a_parameter_is_told_before_the_run(fall):
    result = fall.simulate(params={"area": 11}, stop=0.1)

    assert [w.message for w in result.warnings] == ["parameter `area` = 11 is above its max = 10"]


def test_an_error_ends_the_run_at_the_first_point_outside(fall):
    with pytest.raises(fw.SimulationError) as caught:
        fall.simulate(bounds="error")

    assert caught.value.diagnostics[0].code == "R170"
    assert caught.value.result.time[-1] == pytest.approx(0.502)


def test_a_parameter_can_be_an_error(fall):
    with pytest.raises(fw.SimulationError) as caught:
        fall.simulate(params={"area": -1}, bounds="error")

    assert caught.value.diagnostics[0].code == "R171"


def test_the_check_can_be_left_out(fall):
    assert codes(fall.simulate(params={"area": -1}, bounds="off")) == []


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("scale", [1.0, 1e5, 1e-5])
def test_errors_of_the_solver_are_not_told(tolerance, scale):
    """A decay never reaches zero; a solver is below it by its tolerance."""
    model = fw.load_text(
        f"model Decay Real x(start = {scale}, fixed = true, min = 0, nominal = {scale}); "
        "equation der(x) = -50*x; end Decay;"
    )
    for solver in ("auto", "euler" if tolerance > 1e-4 else "radau"):
        assert codes(model.simulate(tol=tolerance, solver=solver, stop=2.0)) == []


def test_an_integer_beyond_what_is_exact_is_told():
    model = fw.load_text(
        "model Count Integer n(start = 1, fixed = true); equation "
        "when sample(0.1, 0.1) then n = 1000*pre(n); end when; end Count;"
    )

    result = model.simulate()

    assert codes(result) == ["R172"]


def test_many_variables_are_summed_up():
    model = fw.load_text(
        "model Many Real x[20](each max = 0.5, each start = 0, each fixed = true); "
        "equation der(x) = {1.0 + i for i in 1:20}; end Many;"
    )

    warnings = model.simulate().warnings

    assert len(warnings) == 11
    assert warnings[-1].message == "10 more variables are out of range"


def test_arrays_that_stay_whole_are_checked():
    model = fw.load_text(
        "model Long parameter Integer n = 3000; Real x[n](each start = 1, each fixed = true, "
        "each min = 0); equation for i in 1:n loop der(x[i]) = -2; end for; end Long;"
    )

    assert model.simulate().warnings[0].message.startswith("`x[1]` = -0.004 at time 0.502")


def test_an_input_that_nothing_drives_is_told():
    model = fw.load_text(
        "model Open input Real u(start = 3); output Real y; equation y = 2*u; end Open;"
    )

    assert codes(model.simulate()) == ["R173"]
    assert codes(model.simulate(inputs={"u": 1})) == []


def test_a_bound_near_infinity_is_no_bound(recwarn):
    bounds = "min = -1.7976931348623157e308, max = 1.7976931348623157e308"
    text = f"model M Real x({bounds}, start = 1, fixed = true); equation der(x) = -x; end M;"
    assert codes(fw.load_text(text).simulate()) == []
    assert not [w for w in recwarn if "overflow" in str(w.message)]


@pytest.mark.parametrize("many", [1, 7, 100])
def test_rows_may_be_taken_in_on_the_way(many, monkeypatch):
    """Nothing else is told then, also of a run that is saved between."""
    text = """model M Real x(start = 0, fixed = true, min = -0.5, max = 0.8, nominal = 2), y(max = 3) = 4*x;
      Real z(min = -2) = -4*x; Real v(start = 1, fixed = true); equation der(x) = v; der(v) = -x; end M;"""
    model = fw.load_text(text)
    told = [w.message for w in model.simulate(stop=8).warnings]
    assert len(told) == 3
    monkeypatch.setattr(ranges, "MANY", many)
    run = model.begin(stop=8)
    for k in range(80):
        run.advance(to=0.1 * k)
        if k in (5, 40):
            run = fw.Run.restore(model, run.save())
    assert run._simulation.ranges.seen > 400
    assert [w.message for w in run.finish().warnings] == told
