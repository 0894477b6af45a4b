"""Parameters, inputs and the `experiment` annotation of a run, against exact solutions."""

from math import exp
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw

FILTER = """
model Filter
  type Mode = enumeration(slow, fast);
  input Real u;
  output Real y(start = 0, fixed = true);
  parameter Real T = 0.1;
  parameter Integer n = 2;
  parameter Integer order = 1;
  parameter Real k[n] = ones(n);
  parameter Boolean on = true;
  parameter Mode mode = Mode.slow;
  parameter String title = "none";
  final parameter Real double = 2*T;
  Real z[n];
equation
  T*der(y) = (if on then u else 0) - y;
  z = k*y*(if mode == Mode.fast then 2 else 1);
  annotation(experiment(StopTime = 0.5, Interval = 0.05, Tolerance = 1e-8));
end Filter;
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("filter") / "Filter.mo"
    path.write_text(FILTER)
    return fw.load(path)


def charged(time: float, constant: float = 0.1) -> float:
    """The answer to a unit step at time 0."""
    return 1 - exp(-time / constant)


def test_the_experiment_annotation_holds(model):
    result = model.simulate()

    assert result.time[-1] == 0.5
    assert len(result) == 11


def test_arguments_go_before_the_annotation(model):
    result = model.simulate(start=0.1, stop=0.3, interval=0.1)

    assert result.time == pytest.approx([0.1, 0.2, 0.3])


@pytest.mark.parametrize("value", [1, 1.0, "1", "2 - 1", "Modelica.Math.cos(0)"])
def test_an_input_is_driven_by_an_expression(model, value):
    result = model.simulate(inputs={"u": value})

    assert result.final("y") == pytest.approx(charged(0.5), rel=1e-6)


def test_an_expression_of_time_makes_events(model):
    result = model.simulate(inputs={"u": "if time > 0.2 then 1 else 0"})

    assert [event.time for event in result.events] == pytest.approx([0.2], abs=1e-12)
    assert result.final("y") == pytest.approx(charged(0.3), rel=1e-6)


def test_an_input_follows_a_table(model, tmp_path):
    path = tmp_path / "u.csv"
    path.write_text('"time","u"\n0,0\n0.2,1\n1,1\n')

    held = model.simulate(input_file=path, input_hold="held")
    linear = model.simulate(input_file=path)

    assert held.final("y") == pytest.approx(charged(0.3), rel=1e-6)
    assert linear.at("u", 0.1) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("outside", "expected"),
    [({}, 3.0), ({"inputs": {"u": 2}}, 2.0), ({"input_file": "u.csv"}, 1.0)],
)
def test_an_input_has_its_binding_unless_it_is_given_otherwise(
    outside, expected, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("u.csv").write_text('"time","u"\n0,1\n1,1\n')
    text = "input Real u = 6*time; Real x(start = 0, fixed = true); equation der(x) = u;"
    Path("M.mo").write_text(f"model M {text} end M;")

    assert fw.load("M.mo").simulate(**outside).final("x") == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("value", [0.2, "0.2", "2*0.1"])
def test_a_parameter_is_set(model, value):
    result = model.simulate(params={"T": value}, inputs={"u": 1})

    assert result.final("y") == pytest.approx(charged(0.5, 0.2), rel=1e-6)
    assert result.final("double") == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"n": 3}, {"z[3]": 1.0}),
        ({"k": "{2, 3}"}, {"z[1]": 2.0, "z[2]": 3.0}),
        ({"k[2]": 5}, {"z[1]": 1.0, "z[2]": 5.0}),
        ({"mode": "fast"}, {"z[1]": 2.0}),
        ({"mode": "Filter.Mode.fast"}, {"z[1]": 2.0}),
        ({"on": False}, {"y": 0.0}),
        ({"on": "false"}, {"y": 0.0}),
        ({"title": "any text"}, {"y": 1.0}),
    ],
    ids=str,
)
def test_parameters_of_every_kind(model, params, expected):
    result = model.simulate(params=params, inputs={"u": 1}, stop=2)

    found = {name: result.final(name) for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


PARTS = """
model Plant
  type Mode = enumeration(slow, fast);
  record Data Integer n = 1; Real gain = 1; end Data;
  model Cell parameter Integer n = 0; Real x[n] = fill(time, n); Real y = if n > 0 then x[1] else 4; end Cell;
  parameter Integer m[2] = {1, 2};
  parameter Boolean wide = false;
  parameter Integer width[2] = {1, 1};
  parameter Mode mode[2] = fill(Mode.slow, 2);
  parameter Data d = Data(n = 2);
  parameter Real A[2, 2] = identity(2);
  Cell c[3](n = {0, 1, 2});
  Real a[3] = {time, 2*time, 3*time};
  Real picked = a[m[1]];
  Real long = sum(fill(time, d.n));
  Real rows = sum(if wide then fill(time, width[1]) else {width[1]*time});
  Real rate;
  Real total = sum(A);
equation
  if mode[2] == Mode.fast then rate = 2; else rate = 1; end if;
end Plant;
"""


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"m[1]": 3}, {"picked": 3.0}),
        ({"c[1].n": 1}, {"c[1].y": 1.0}),
        ({"c[2].n": 0, "c[1].n": 3}, {"c[1].y": 1.0, "c[2].y": 4.0}),
        ({"d.n": 4}, {"long": 4.0}),
        ({"mode[2]": "fast"}, {"rate": 2.0}),
        ({"mode[2]": 2}, {"rate": 2.0}),
        ({"mode[1]": "Mode.fast"}, {"rate": 1.0}),
        ({"A[1,2]": 7.5}, {"total": 9.5}),
        ({"width[1]": 5}, {"rows": 5.0}),
        ({"wide": True, "width[1]": 5}, {"rows": 5.0}),
    ],
    ids=str,
)
def test_parts_of_arrays_and_records_decide_sizes_and_branches(params, expected):
    result = fw.load_text(PARTS).simulate(params=params)

    found = {name: result.final(name) for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


RESTS = """
model Rest
  parameter Boolean fix = true;
  parameter Boolean free = not fix;
  parameter Boolean late[2] = {false, false};
  Real x(start = 1, fixed = fix);
  Real y(start = 5, fixed = free);
  Real z[2];
equation
  der(x) = 0;
  x + y = 3;
  for i in 1:2 loop
    if time > 0.5 and late[i] then z[i] = 1; else z[i] = 2; end if;
  end for;
end Rest;
"""


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, {"x": 1.0, "z[1]": 2.0}),
        ({"fix": False}, {"x": -2.0}),
        ({"fix": False, "y.start": 7}, {"x": -4.0}),
        ({"late": "{true, false}"}, {"z[1]": 1.0, "z[2]": 2.0}),
        ({"late[2]": True}, {"z[1]": 2.0, "z[2]": 1.0}),
    ],
    ids=str,
)
def test_parameters_decide_which_start_values_hold(params, expected):
    result = fw.load_text(RESTS).simulate(params=params)

    found = {name: result.final(name) for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


def test_a_start_value_is_set(model):
    result = model.simulate(params={"y.start": 2})

    assert result["y"][0] == 2.0
    assert result.final("y") == pytest.approx(2 * exp(-5), rel=1e-5)


def test_one_run_leaves_no_trace_in_the_next(model):
    model.simulate(params={"T": 0.2, "n": 3}, inputs={"u": 1})

    result = model.simulate()

    assert result.final("T") == 0.1
    assert not np.any(result["y"])


@pytest.mark.parametrize(
    ("arguments", "code", "help"),
    [
        ({"params": {"TT": 1}}, "U025", "did you mean `T`?"),
        (
            {"params": {"qqq": 1}},
            "U025",
            "there are 8 parameters, among them `T`, `n`, `order`, `k`, `on`, `mode`",
        ),
        (
            {"params": {"y": 1}},
            "U125",
            "its start value is `y.start`; what it is later follows from the equations",
        ),
        ({"params": {"TT": "2*pi"}}, "U025", "did you mean `T`?"),
        ({"inputs": {"v": 1}}, "U026", "the inputs are `u`"),
        ({"inputs": {"y": 1}}, "U026", "the inputs are `u`"),
        (
            {"solver": "magic"},
            "U020",
            "choose one of auto, dopri5, rkf45, rodas4, radau, lobatto, euler, rk4, beuler, cvode, ida, "
            "qss1, qss2, qss3, liqss1, liqss2, liqss3, mliqss2, cqss",
        ),
        ({"stop": -1}, "U021", "choose a stop time after the start time"),
    ],
    ids=str,
)
def test_wrong_calls(model, arguments, code, help):
    with pytest.raises(fw.UsageError) as caught:
        model.simulate(**arguments)

    [diagnostic] = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.help) == (code, help)


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"double": 3}, "U125"),
        ({"T": "no_such_name"}, "U124"),
        ({"T": "1;"}, "U124"),
        ({"k": "{1, 2, 3}"}, "U124"),
        ({"order": 1.5}, "U124"),
    ],
    ids=str,
)
def test_wrong_values(model, params, code):
    with pytest.raises(fw.UsageError) as caught:
        model.simulate(params=params)

    assert caught.value.diagnostics[0].code == code


def test_a_failure_names_the_equation(tmp_path):
    path = tmp_path / "Gain.mo"
    path.write_text("model Gain parameter Real k = 2; Real y; equation k*y = 1; end Gain;")
    with pytest.raises(fw.SimulationError) as caught:
        fw.load(path).simulate(params={"k": 0})

    assert "k*y = 1" in caught.value.diagnostics[0].message
    assert "`k` is zero" in caught.value.diagnostics[0].help
