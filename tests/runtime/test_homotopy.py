"""Starts by continuation: found where the direct step fails, explained where there is no way."""

from __future__ import annotations

from functools import cache
from math import atanh, sqrt

import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.diagnostics import Severity, SimulationError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Compilation, Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODELS = """
model Bridge "five elements, each lets only so much through"
  parameter Real most = 0.5, eps = 1e-3;
  Real v1, v2;
  Real a, b, c, d, e;
equation
  a = homotopy(actual = tanh((10 - v1)/eps), simplified = 10 - v1);
  b = homotopy(actual = 2*tanh((10 - v2)/eps), simplified = 10 - v2);
  c = homotopy(actual = most*tanh((v1 - v2)/eps), simplified = v1 - v2);
  d = homotopy(actual = 3*tanh(v1/eps), simplified = v1);
  e = homotopy(actual = 0.7*tanh(v2/eps), simplified = v2);
  a = c + d;
  b + c = e;
end Bridge;

model Pipes "in a row: the narrowest takes nearly all of the pressure"
  parameter Real most[5] = {1, 0.5, 2, 1.5, 3}, eps = 1e-3;
  Real p[4], d[5], q[5];
equation
  d[1] = 10 - p[1];
  for k in 2:4 loop
    d[k] = p[k - 1] - p[k];
  end for;
  d[5] = p[4];
  for k in 1:5 loop
    q[k] = homotopy(actual = most[k]*tanh(d[k]/eps), simplified = d[k]);
  end for;
  for k in 1:4 loop
    q[k] = q[k + 1] + 1e-3*p[k];
  end for;
end Pipes;

model TwoBridges "two loops share lambda; what switches follows"
  Bridge one, two(most = 0.25);
  Boolean high = one.v2 > 5;
  Real x(start = 0, fixed = true);
equation
  der(x) = if high then one.d + two.d else -1;
end TwoBridges;

model Fold "the path turns back at lambda = (1 + 2*sqrt(2))/7"
  Real x(start = 0);
equation
  0 = homotopy(actual = x^2 + 1, simplified = x - 1);
end Fold;

model NoGuess "not even the simplified equation has a solution"
  Real x(start = 0);
equation
  0 = homotopy(actual = x^2 + 1, simplified = x^2 + 2);
end NoGuess;

model Contradiction
  Real x(start = 1, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = homotopy(actual = 2*x, simplified = x);
end Contradiction;

model Direct
  Real x(start = 0);
equation
  0 = homotopy(actual = tanh(50*(x - 4)) + 1e-3*(x - 4), simplified = x - 4);
end Direct;

model Shorted "an ideal diode across a source that drives it"
  Bridge bridge;
  Real s, u, i(start = 0, fixed = true);
equation
  u = if s > 0 then 0 else s;
  der(i) + u = 1;
  u = 1 + bridge.a;
end Shorted;

model Plain
  Real x(start = 1);
equation
  x^2 = 2;
end Plain;
"""


@cache
def compiled(name: str, backend: str) -> Compilation:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(MODELS, "homotopy.mo"))
    return compile_model(library, (name,), Options(backend=backend))


def run(name: str, backend: str, **parameters: float) -> Result:
    model = compiled(name, backend).model
    return simulate(model, Settings.of(model, stop=1.0, parameters=parameters))


def failure(name: str, backend: str) -> SimulationError:
    with pytest.raises(SimulationError) as caught:
        run(name, backend)
    return caught.value


def at_start(result: Result, name: str) -> float:
    return float(result[name][0])


def check_bridge(result: Result, most: float, eps: float, prefix: str = "") -> None:
    """`c` and `e` are at their limits: the rest is arithmetic."""
    expected = {"a": 1.0, "b": 0.7 + most, "c": -most, "d": 1.0 + most, "e": 0.7}
    for name, value in expected.items():
        assert at_start(result, prefix + name) == pytest.approx(value, rel=1e-9)
    v1, v2 = eps * atanh((1.0 + most) / 3.0), 10.0 - eps * atanh((0.7 + most) / 2.0)
    assert at_start(result, prefix + "v1") == pytest.approx(v1, rel=1e-9)
    assert at_start(result, prefix + "v2") == pytest.approx(v2, rel=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_bridge_needs_continuation(backend: str) -> None:
    result = run("Bridge", backend)
    check_bridge(result, 0.5, 1e-3)
    notes = [told for told in result.warnings if told.code == "R127"]
    assert len(notes) == 1
    assert notes[0].severity is Severity.NOTE
    assert "lambda grew from 0 to 1" in notes[0].message


@pytest.mark.parametrize("backend", BACKENDS)
def test_parameters_are_data_on_the_way_too(backend: str) -> None:
    check_bridge(run("Bridge", backend, most=0.3, eps=2e-3), 0.3, 2e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_pipes_in_a_row(backend: str) -> None:
    result = run("Pipes", backend)
    assert [told.code for told in result.warnings] == ["R127"]
    assert at_start(result, "q[2]") == pytest.approx(0.5, rel=1e-9)
    assert at_start(result, "d[1]") == pytest.approx(1e-3 * atanh(0.50999943727), rel=1e-6)
    drops = sum(at_start(result, f"d[{k}]") for k in range(1, 6))
    assert drops == pytest.approx(10.0, rel=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_several_loops_share_lambda(backend: str) -> None:
    result = run("TwoBridges", backend)
    check_bridge(result, 0.5, 1e-3, "one.")
    check_bridge(result, 0.25, 1e-3, "two.")
    assert sum(told.code == "R127" for told in result.warnings) == 1
    assert float(result["x"][-1]) == pytest.approx(1.5 + 1.25, rel=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_turning_point_is_told(backend: str) -> None:
    problem = failure("Fold", backend)
    told = problem.diagnostics[0]
    assert told.code == "R128"
    reached = float(told.message.split("to lambda = ")[1].split(" ")[0])
    turn = (1.0 + 2.0 * sqrt(2.0)) / 7.0
    assert turn - 5e-4 < reached <= turn
    assert "lambda*(x^2 + 1) + (1.0 - lambda)*(x - 1)" in told.message
    assert "with x = -0.4" in told.message
    place = MODELS[told.labels[0].span.start :]
    assert place.startswith("0 = homotopy(actual = x^2 + 1, simplified = x - 1)")
    assert "simplified parts" in told.help


@pytest.mark.parametrize("backend", BACKENDS)
def test_without_a_first_point_there_is_no_path(backend: str) -> None:
    told = failure("NoGuess", backend).diagnostics[0]
    assert told.code == "R124"
    assert "`0 = x^2 + 1`" in told.message
    assert "simplified parts of `homotopy` no solution" in told.help


@pytest.mark.parametrize("backend", BACKENDS)
def test_contradictions_are_not_continued(backend: str) -> None:
    assert failure("Contradiction", backend).diagnostics[0].code == "R125"


def test_ideal_elements_without_a_position_are_reported_at_the_end_of_the_path() -> None:
    """It was an internal error: the status of the core was taken for the number of an equation."""
    assert failure("Shorted", "llvm").diagnostics[0].code == "R132"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_direct_start_says_nothing(backend: str) -> None:
    result = run("Direct", backend)
    assert result.warnings == ()
    assert at_start(result, "x") == pytest.approx(4.0, rel=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_models_without_homotopy_have_no_more_sections(backend: str) -> None:
    plain, direct = compiled("Plain", backend).model, compiled("Direct", backend).model
    assert plain.homotopy is None
    assert set(direct.sections) - set(plain.sections) == {"simplified", "between"}


def test_a_loop_before_tearing_has_the_solution_of_the_torn_one() -> None:
    """Differences on the right side of an inner assignment keep their sign."""
    machine = compiled("Pipes", "python").model.extras["machine"]
    memory = list(machine.program.start)
    wholes = [name for name in machine.names if name.startswith("whole_")]
    assert wholes
    for name in wholes:
        number = name.removeprefix("whole_")
        residuals = machine.names[f"residual_{number}"](memory)
        misfits = machine.names[name](memory)
        assert misfits[: -len(residuals)] == pytest.approx([0.0] * len(misfits[: -len(residuals)]))
        assert misfits[-len(residuals) :] == residuals
