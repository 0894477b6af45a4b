"""Data in and out: arrays by name, several times, inputs as data, pickling, text instead of files."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pandas
import pytest

import freewheel as fw

FIELD = """
model Field "Two inputs and an array"
  parameter Real k[3] = {1, 2, 3};
  parameter String title = "field";
  input Real u;
  input Real w[2];
  Real T[3](each start = 0, each fixed = true);
  Real A[2, 2] = [T[1], T[2]; T[3], u];
  Boolean hot = T[3] > 1.5;
equation
  der(T) = k*u + (w[1] - w[2])*ones(3);
end Field;
"""
NOTHING = {"w": ([0.0], [[0.0, 0.0]])}


@pytest.fixture(scope="module")
def field():
    return fw.load_text(FIELD)


@pytest.fixture(scope="module")
def result(field):
    return field.simulate(inputs={"u": 1.0, "w": ([0.0, 1.0], [[0.0, 0.0], [1.0, 1.0]])})


def test_an_array_by_its_name(result):
    assert result["T"].shape == (len(result), 3)
    assert np.array_equal(result["T"][:, 1], result["T[2]"])
    assert result["A"].shape == (len(result), 2, 2)
    assert np.array_equal(result["A"][:, 1, 0], result["T[3]"])
    assert result.final("T") == pytest.approx([1.0, 2.0, 3.0], rel=1e-6)


def test_values_at_several_times(result):
    times = np.array([0.0, 0.25, 1.0])

    assert result.at("T[2]", times) == pytest.approx(2.0 * times, abs=1e-6)
    assert result.at("T", times).shape == (3, 3)
    assert result.at("T", 0.5) == pytest.approx([0.5, 1.0, 1.5], rel=1e-6)
    assert list(result.at("hot", [0.4, 0.6])) == [0.0, 1.0]
    assert isinstance(result.at("T[1]", 0.5), float)
    with pytest.raises(fw.UsageError):
        result.at("T", [0.5, 1.5])


def test_the_right_limit_counts_at_an_event(result):
    event = result.events[0].time

    assert result.at("hot", [event]) == [1.0]


JUMPS = """
model Jumps
  Real x(start = 1, fixed = true);
  Real y = if time < 0.5 then 2*time else 5 - time;
  discrete Integer n(start = 0, fixed = true);
  Real A[2] = {y, -y};
equation
  der(x) = 1;
  when time >= 0.5 then
    reinit(x, 10);
    n = pre(n) + 1;
  end when;
end Jumps;
"""


def test_both_limits_at_an_event():
    jumps = fw.load_text(JUMPS).simulate(stop=1)
    times = [0.0, 0.4995, 0.5, 0.5005, 1.0]

    for side, at_event in (("left", (1.5, 1.0, 0.0)), ("right", (10.0, 4.5, 1.0))):
        x, y, n = (jumps.at(name, times, side=side) for name in ("x", "y", "n"))
        assert x == pytest.approx([1.0, 1.4995, at_event[0], 10.0005, 10.5], abs=1e-6)
        assert y == pytest.approx([0.0, 0.999, at_event[1], 4.4995, 4.0], abs=1e-12)
        assert list(n) == [0.0, 0.0, at_event[2], 1.0, 1.0]
        assert jumps.at("A", 0.5, side=side) == pytest.approx([at_event[1], -at_event[1]])


def test_a_wrong_side_or_time(result):
    with pytest.raises(TypeError, match='"left" or "right"'):
        result.at("T", 0.5, side="middle")
    with pytest.raises(TypeError, match="times must be numbers"):
        result.at("T", "0.5 s")


def test_texts(result):
    assert result.texts == {"title": "field"}
    assert result.final("title") == "field"
    assert list(result["title"][:2]) == ["field", "field"]
    assert "title" in result
    assert "T" in result  # an array
    assert "U" not in result
    assert "title" not in result.names()


def test_inputs_as_functions_arrays_and_frames(field):
    times = np.linspace(0.0, 1.0, 201)
    rows = np.column_stack([times, times**2])
    series = pandas.Series(times**2, index=times)
    frame = pandas.DataFrame({"time": times, "u": times**2})

    finals = [
        field.simulate(inputs={"u": data, **NOTHING}, tol=1e-8).final("T[1]")
        for data in ("time^2", lambda t: t * t, rows, (times, times**2), series)
    ]
    finals.append(field.simulate(inputs=frame, tol=1e-8).final("T[1]"))

    assert finals == pytest.approx([1.0 / 3.0] * 6, abs=1e-5)


def test_a_pair_of_points_is_held_on_demand(field):
    given = {"u": ([0.0, 0.5], [0.0, 1.0]), **NOTHING}

    held = field.simulate(inputs=given, input_hold="held")

    assert held.final("T[1]") == pytest.approx(0.5, rel=1e-6)


def test_parameters_as_arrays_and_numpy_numbers(field):
    inputs = {"u": 1.0, **NOTHING}

    assert field.simulate(params={"k": np.array([3.0, 2.0, 1.0])}, inputs=inputs).final(
        "T"
    ) == pytest.approx([3.0, 2.0, 1.0], rel=1e-6)
    assert field.simulate(params={"k[1]": np.int64(5)}, inputs=inputs).final(
        "T[1]"
    ) == pytest.approx(5.0, rel=1e-6)


def test_models_and_results_pickle(field, result):
    again = pickle.loads(pickle.dumps(result))
    model = pickle.loads(pickle.dumps(field.changed({"k": "{2, 2, 2}"})))

    assert np.array_equal(again["T"], result["T"])
    assert [str(event) for event in again.events] == [str(event) for event in result.events]
    assert again.texts == result.texts
    assert model.simulate(inputs={"u": 1.0, **NOTHING}).final("T[1]") == pytest.approx(2.0)


def test_models_and_results_go_to_another_process(field, result):
    """After a run, when the model holds machine code."""
    field.simulate(inputs={"u": 1.0, **NOTHING})
    code = (
        "import pickle, sys; model, result, inputs = pickle.load(sys.stdin.buffer); "
        'print(model.simulate(inputs=inputs).final("T[3]"), result.final("T[3]"))'
    )
    given = pickle.dumps((field, result, {"u": 1.0, **NOTHING}))
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True)

    assert [float(word) for word in done.stdout.split()] == pytest.approx([3.0, 3.0], rel=1e-6)


def test_failures_pickle(field):
    with pytest.raises(fw.UsageError) as caught:
        field.simulate(params={"q": 1})

    again = pickle.loads(pickle.dumps(caught.value))

    assert again.diagnostics == caught.value.diagnostics
    assert "help:" in str(again)


def test_what_is_stored_can_be_chosen(field):
    stored = field.simulate(inputs={"u": 1.0, **NOTHING}, store=["T", "hot"])

    assert [n for n in stored.names() if not n.startswith("k")] == ["T[1]", "T[2]", "T[3]", "hot"]
    assert stored.final("T[3]") == pytest.approx(3.0, rel=1e-6)
    assert stored.data.shape[0] == 5


def test_representations_fit_on_a_line(field, result):
    long = fw.load_text(f"model {'M' * 200} Real x = time; end {'M' * 200};")
    shown = [
        repr(x) for x in (field, result, long, long.simulate(), result.events, *result.warnings)
    ]

    assert all(len(text) < 120 and "\n" not in text for text in shown)
    assert shown[:2] == [
        "Model(Field)",
        f"Result(Field: {len(result.columns)} variables, {len(result)} points)",
    ]


def test_a_plot_shows_itself_in_a_notebook(result):
    figure = result.plot("T")

    assert figure._repr_png_().startswith(b"\x89PNG")
    assert len(figure.axes[0].lines) == 3


def test_a_run_may_take_more_steps_than_usual_or_fewer(field):
    with pytest.raises(fw.SimulationError) as caught:
        fw.load_text(
            "model Fast Real x(start = 1, fixed = true); Real y(fixed = true); equation "
            "der(x) = 100*y; der(y) = -100*x; end Fast;"
        ).simulate(max_steps=20)

    assert caught.value.diagnostics[0].code == "R004"
    assert "max" in caught.value.diagnostics[0].help
    assert field.simulate(max_steps=10**10, inputs={"u": 1.0, **NOTHING}).final("T[1]") > 0


def test_units_are_told_in_a_run_too():
    model = fw.load_text(
        "model Mixed Modelica.Units.SI.Voltage v = 1; Modelica.Units.SI.Current i = v; end Mixed;"
    )

    assert [remark.code for remark in model.remarks()] == ["F202"]
    model.simulate()
    assert [remark.code for remark in model.remarks()] == ["F202"]
