"""The time loop on smooth models, parameters, inputs, failures."""

from __future__ import annotations

from math import cos, exp, sin

import numpy as np
import pytest

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError, UsageError
from freewheel.runtime.engine_choice import stepper_for
from freewheel.runtime.inputs import Table, constant, expression, read_inputs
from freewheel.runtime.integrators.problem import StepError
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.model import TERMINATE_CODE
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.runtime.start import failure_of_step


def decay(sketch, **more):
    def derivatives(v):
        v["der(x)"] = -v["k"] * v["x"]

    def outputs(v):
        v["y"] = 2.0 * v["x"]

    more = {"outputs": outputs, **more}
    return sketch(
        states={"x": 1.0}, parameters={"k": 1.0}, algebraic=["y"], derivatives=derivatives, **more
    ).compile()


@pytest.mark.parametrize("solver", ["auto", "dopri5", "radau", "rk4"])
def test_exponential_decay_is_exact_to_the_tolerance(sketch, solver):
    result = simulate(decay(sketch), Settings(stop=2.0, solver=solver))

    assert len(result) == 501
    assert result.time[-1] == 2.0
    assert np.abs(result["x"] - np.exp(-result.time)).max() < 1e-6
    assert np.array_equal(result["y"], 2.0 * result["x"])


def test_euler_takes_the_interval_as_its_step(sketch):
    result = simulate(decay(sketch), Settings(stop=1.0, solver="euler", number_of_intervals=100))

    assert result.stats["steps"] == 100
    assert result.final("x") == pytest.approx(0.99**100, rel=1e-12)


def test_an_oscillator_keeps_its_amplitude(sketch):
    def derivatives(v):
        v["der(x)"], v["der(v)"] = v["v"], -v["x"]

    model = sketch(states={"x": 1.0, "v": 0.0}, derivatives=derivatives).compile()
    result = simulate(model, Settings(stop=20.0, tolerance=1e-8))

    assert np.abs(result["x"] - np.cos(result.time)).max() < 1e-6
    assert result.stats["solver"] == "dopri5"


def test_stiff_models_are_noticed_and_reported(sketch):
    def derivatives(v):
        v["der(x)"] = -1e6 * (v["x"] - cos(v["time"]))

    model = sketch(states={"x": 0.0}, derivatives=derivatives).compile()
    result = simulate(model, Settings(stop=2.0))

    assert result.final("x") == pytest.approx(cos(2.0), abs=1e-5)
    assert result.stats["solver"] in ("radau", "rodas4")
    assert [w.severity for w in result.warnings] == [Severity.NOTE]
    assert result.stats["steps"] < 500


def test_settings_fall_back_on_the_experiment_annotation(sketch):
    model = decay(sketch)
    settings = Settings.of(model, stop=3.0, tolerance=None)

    assert (settings.start, settings.stop, settings.tolerance) == (0.0, 3.0, 1e-6)


def test_a_start_time_other_than_zero(sketch):
    result = simulate(decay(sketch), Settings(start=5.0, stop=6.0, number_of_intervals=10))

    assert result.time == pytest.approx(np.linspace(5.0, 6.0, 11))
    assert result.final("x") == pytest.approx(exp(-1.0), rel=1e-6)


def test_no_time_at_all_gives_the_initial_point(sketch):
    result = simulate(decay(sketch), Settings(start=1.0, stop=1.0))

    assert result.time.tolist() == [1.0]
    assert result["y"].tolist() == [2.0]


def test_intervals_that_do_not_divide_the_time_end_at_the_stop(sketch):
    result = simulate(decay(sketch), Settings(stop=1.0, interval=0.3))

    assert result.time == pytest.approx([0.0, 0.3, 0.6, 0.9, 1.0])


def test_a_model_without_states(sketch):
    def outputs(v):
        v["y"] = sin(v["time"])

    model = sketch(algebraic=["y"], outputs=outputs).compile()
    result = simulate(model, Settings(stop=1.0))

    assert np.array_equal(result["y"], np.sin(result.time))


# ---------------------------------------------------------------- parameters


def test_parameters_are_set_by_name(sketch):
    result = simulate(decay(sketch), Settings(parameters={"k": 3.0}))

    assert result.final("x") == pytest.approx(exp(-3.0), rel=1e-6)
    assert set(result["k"]) == {3.0}


def test_an_unknown_parameter_is_a_usage_error_with_close_matches(sketch):
    model = sketch(parameters={"R1.R": 1.0, "C1.C": 1.0}).compile()
    with pytest.raises(UsageError) as caught:
        simulate(model, Settings(parameters={"R1.r": 2.0}))

    assert caught.value.diagnostics[0].code == "U025"
    assert "`R1.R`" in caught.value.diagnostics[0].help


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"stop": -1.0}, "U021"),
        ({"stop": float("nan")}, "U021"),
        ({"tolerance": 0.0}, "U022"),
        ({"tolerance": 1e-20}, "U022"),
        ({"interval": -1.0}, "U023"),
        ({"number_of_intervals": 0}, "U023"),
    ],
)
def test_impossible_settings_are_usage_errors(wrong, code):
    with pytest.raises(UsageError) as caught:
        Settings(**wrong)

    assert caught.value.diagnostics[0].code == code


# ---------------------------------------------------------------- inputs


def driven(sketch):
    def derivatives(v):
        v["der(x)"] = v["u"]

    return sketch(states={"x": 0.0}, inputs={"u": 0.0}, derivatives=derivatives).compile()


def test_an_input_by_expression(sketch):
    settings = Settings(stop=2.0, inputs={"u": expression(lambda t: cos(10 * t))})
    result = simulate(driven(sketch), settings)

    assert np.abs(result["x"] - np.sin(10 * result.time) / 10).max() < 1e-6


def test_a_constant_input(sketch):
    result = simulate(driven(sketch), Settings(stop=2.0, inputs={"u": constant(3.0)}))

    assert result.final("x") == pytest.approx(6.0, rel=1e-12)


def test_a_linear_table_is_integrated_exactly_across_its_kinks(sketch):
    table = Table((0.0, 0.3, 0.7, 1.0), (0.0, 3.0, -1.0, 0.0))
    result = simulate(driven(sketch), Settings(stop=2.0, inputs={"u": table}))

    assert result.final("x") == pytest.approx(0.45 + 0.4 - 0.15, rel=1e-12)
    assert result.at("u", 0.5) == pytest.approx(1.0, abs=1e-2)
    assert len(result.events) == 0


def test_a_held_table_jumps_at_its_rows_with_two_points_each(sketch):
    table = Table((0.0, 0.3, 0.7), (1.0, 5.0, 2.0), held=True)
    result = simulate(driven(sketch), Settings(stop=1.0, inputs={"u": table}))

    assert result.final("x") == pytest.approx(0.3 + 2.0 + 0.6, rel=1e-12)
    assert result["u"][result.time == 0.3].tolist() == [1.0, 5.0]
    assert [event.time for event in result.events] == [0.3, 0.7]


def test_a_time_given_twice_is_a_jump_of_a_linear_table(sketch):
    table = Table((0.0, 0.5, 0.5, 1.0), (1.0, 1.0, 3.0, 3.0))
    result = simulate(driven(sketch), Settings(stop=1.0, inputs={"u": table}))

    assert result["u"][result.time == 0.5].tolist() == [1.0, 3.0]
    assert result.final("x") == pytest.approx(2.0, rel=1e-12)


def test_an_input_file_is_read(tmp_path, sketch):
    file = tmp_path / "u.csv"
    file.write_text('"time","u"\n0,0\n1,2\n', encoding="utf-8")
    result = simulate(driven(sketch), Settings(stop=1.0, inputs=read_inputs(file)))

    assert result.final("x") == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no data"),
        ("time,u\n", "holds no data"),
        ("t,u\n0,1\n", "column `time`"),
        ("time,u\n0,1\n1\n", "1 cells in row 3"),
        ("time,u\n0,x\n", "no number in row 2, column `u`: `x`"),
        ("time,u\n0,nan\n", "no number in row 2"),
        ("time,u\n1,0\n0,0\n", "back in time in row 3"),
    ],
)
def test_broken_input_files_are_explained(tmp_path, text, message):
    file = tmp_path / "u.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_inputs(file)

    assert message in caught.value.diagnostics[0].message
    assert caught.value.diagnostics[0].code == "U024"


def test_a_missing_input_file_is_explained(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_inputs(tmp_path / "none.csv")


def test_an_unknown_input_is_a_usage_error(sketch):
    with pytest.raises(UsageError) as caught:
        simulate(driven(sketch), Settings(inputs={"v": constant(1.0)}))

    assert caught.value.diagnostics[0].code == "U026"


# ---------------------------------------------------------------- failures keep what was computed


def failing(model, **settings) -> SimulationError:
    with pytest.raises(SimulationError) as caught, np.errstate(all="ignore"):
        simulate(model, Settings(**settings))
    return caught.value


@pytest.mark.parametrize("solver", ["auto", "radau"])
def test_a_pole_is_reported_with_time_and_variable(sketch, solver):
    def derivatives(v):
        v["der(x)"] = v["x"] * v["x"]

    model = sketch(states={"x": 1.0}, derivatives=derivatives).compile()
    problem = failing(model, stop=2.0, solver=solver)

    assert problem.diagnostics[0].code in ("R002", "R003")
    assert "`x`" in problem.diagnostics[0].message
    assert problem.result.time[-1] == pytest.approx(1.0, abs=0.01)


def test_nan_in_a_derivative_is_reported(sketch):
    def derivatives(v):
        v["der(x)"] = float("nan") if v["time"] > 0.5 else 1.0

    model = sketch(states={"x": 0.0}, derivatives=derivatives).compile()
    problem = failing(model)

    assert problem.diagnostics[0].code == "R002"
    assert "derivative of `x` became nan at time 0.5" in problem.diagnostics[0].message
    assert problem.result.time[-1] <= 0.5


def test_nan_at_the_start_is_reported(sketch):
    def derivatives(v):
        v["der(x)"] = float("inf")

    problem = failing(sketch(states={"x": 0.0}, derivatives=derivatives).compile())

    assert "became inf at time 0" in problem.diagnostics[0].message


def test_a_section_that_fails_says_so(sketch):
    model = decay(sketch, initial=lambda v: 3)
    problem = failing(model)

    assert problem.diagnostics[0].code == "R001"
    assert "`initial` failed in step 2" in problem.diagnostics[0].message


def test_a_fixed_step_that_fails_is_reported(sketch):
    def derivatives(v):
        v["der(x)"] = 1e300 * v["x"]

    model = sketch(states={"x": 1.0}, derivatives=derivatives).compile()

    assert failing(model, solver="rk4").diagnostics[0].code in ("R002", "R003")


def test_too_many_steps_are_reported(sketch):
    problem = failing(decay(sketch), stop=100.0, solver="euler", max_steps=10)

    assert problem.diagnostics[0].code == "R004"


def test_a_keyboard_interrupt_keeps_the_partial_result(sketch):
    """However fast the machine: from one breath to the next are at most four times as many steps."""

    def progress(share):
        if share > 0.1:
            raise KeyboardInterrupt

    with pytest.raises(SimulationError) as caught:
        simulate(decay(sketch), Settings(longest_step=1e-4), progress)

    assert caught.value.diagnostics[0].code == "R009"
    assert 0.09 < caught.value.result.time[-1] < 0.55


def test_progress_goes_from_zero_to_one(sketch):
    shares = []
    simulate(decay(sketch), Settings(), shares.append)

    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def speaking(sketch, severity, code):
    said: list[Diagnostic] = []

    def outputs(v):
        v["y"] = v["x"]
        if v["x"] < 0.5:
            said.append(Diagnostic(code, "x is low", severity=severity))

    return decay(sketch, outputs=outputs, messages=said)


def test_an_assert_of_level_error_stops_and_keeps_the_result(sketch):
    problem = failing(speaking(sketch, Severity.ERROR, "R103"), stop=3.0)

    when, _, said = problem.diagnostics[0].message.partition(": ")
    assert said == "x is low"
    assert 0.6 < problem.result.time[-1] < 1.5
    assert 0.6 < float(when.removeprefix("at time ")) < 1.5


def test_an_assert_of_level_warning_is_told_once(sketch):
    result = simulate(speaking(sketch, Severity.WARNING, "R103"), Settings(stop=3.0))

    assert [w.message for w in result.warnings] == ["x is low"]
    assert result.time[-1] == 3.0


def test_terminate_ends_early_and_well(sketch):
    result = simulate(speaking(sketch, Severity.NOTE, TERMINATE_CODE), Settings(stop=3.0))

    assert 0.6 < result.time[-1] < 1.5
    assert [w.code for w in result.warnings] == [TERMINATE_CODE]


def test_a_step_whose_equations_have_no_solution_is_told_apart(sketch):
    live = LiveModel(decay(sketch))
    live.run("parameters")
    settings = Settings(solver="radau")
    engine = stepper_for(live, Recorder(live, settings.store), settings)
    engine.restart(0.0, np.array([1.0]))
    problem = failure_of_step(live, engine, StepError(0.0, 1e-15, np.inf))

    assert problem.diagnostics[0].code == "R010"
    assert "`x` (now 1)" in problem.diagnostics[0].message
