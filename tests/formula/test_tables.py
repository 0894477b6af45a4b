"""Tables: interpolation against oracles, extrapolation, time events, files, errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import Akima1DInterpolator
from scipy.io import savemat

from freewheel.base.access import running
from freewheel.base.diagnostics import SimulationError
from freewheel.formula.external_tables import TABLES
from freewheel.formula.table_mat import read_mat
from freewheel.formula.tables import NEVER
from freewheel.formula.values import EnumValue, array_of


@pytest.fixture(autouse=True)
def a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A run in the folder of the test's files, which may read and write there."""
    monkeypatch.chdir(tmp_path)
    with running(lambda: (str(tmp_path),)):
        yield


LINEAR, AKIMA, CONSTANT, BUTLAND, STEFFEN, MAKIMA = range(1, 7)
HOLD, LAST_TWO, PERIODIC, NONE = range(1, 5)
POINTS = [[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [4.0, 8.0], [5.0, 8.5], [7.0, 1.0]]


def call(kind, name, *args):
    return TABLES[f"ModelicaStandardTables_Combi{kind}_{name}"](*args)


def table_1d(points=POINTS, smoothness=LINEAR, extrapolation=LAST_TWO, columns=(2,)):
    return call(
        "Table1D",
        "init3",
        "NoName",
        "NoName",
        points,
        len(points),
        2,
        list(columns),
        1,
        smoothness,
        extrapolation,
    )


def value(table, u):
    return call("Table1D", "getValue", table, 1, u)


def test_linear_segments_meet_the_points_and_the_middles():
    table = table_1d()

    assert [value(table, x) for x, _ in POINTS] == [y for _, y in POINTS]
    assert value(table, 3.0) == 5.0


def test_constant_segments_hold_the_previous_point():
    table = table_1d(smoothness=CONSTANT, extrapolation=HOLD)

    assert [value(table, u) for u in (0.0, 0.99, 1.0, 3.9, 7.0, 9.0)] == [
        1.0,
        1.0,
        3.0,
        2.0,
        1.0,
        1.0,
    ]


@pytest.mark.parametrize(("smoothness", "method"), [(AKIMA, "akima"), (MAKIMA, "makima")])
def test_akima_equals_scipy(smoothness, method):
    x, y = np.array(POINTS).T
    oracle = Akima1DInterpolator(x, y, method=method)
    table = table_1d(smoothness=smoothness)
    u = np.linspace(0.0, 7.0, 101)

    assert [value(table, v) for v in u] == pytest.approx(oracle(u), rel=1e-12)
    slopes = [call("Table1D", "getDerValue", table, 1, v, 2.0) for v in u]
    assert slopes == pytest.approx(2.0 * oracle(u, 1), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("smoothness", [BUTLAND, STEFFEN])
def test_monotone_curves_do_not_overshoot(smoothness):
    points = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [3.0, 10.0], [4.0, 10.0]]
    table = table_1d(points, smoothness)
    curve = np.array([value(table, u) for u in np.linspace(0.0, 4.0, 401)])

    assert np.diff(curve).min() >= -1e-13
    assert curve[[0, 100, 200, 300, 400]] == pytest.approx([0.0, 0.0, 1.0, 10.0, 10.0])


@pytest.mark.parametrize("smoothness", [LINEAR, AKIMA, BUTLAND, STEFFEN, MAKIMA])
def test_derivatives_match_differences(smoothness):
    table = table_1d(smoothness=smoothness)
    for u in (-1.0, 0.3, 1.7, 3.2, 6.1, 8.0):
        h = 1e-5
        slope = (value(table, u + h) - value(table, u - h)) / (2 * h)
        bend = (value(table, u + h) - 2 * value(table, u) + value(table, u - h)) / h**2
        assert call("Table1D", "getDerValue", table, 1, u, 1.0) == pytest.approx(slope, abs=1e-6)
        assert call("Table1D", "getDer2Value", table, 1, u, 1.0, 0.0) == pytest.approx(
            bend, abs=1e-3
        )


@pytest.mark.parametrize(
    ("extrapolation", "left", "right"),
    [(HOLD, 1.0, 1.0), (LAST_TWO, -1.0, -2.75), (PERIODIC, 4.75, 3.0)],
)
def test_extrapolation(extrapolation, left, right):
    table = table_1d(extrapolation=extrapolation)

    assert value(table, -1.0) == pytest.approx(left)
    assert value(table, 8.0) == pytest.approx(right)


def test_no_extrapolation_is_an_error_with_the_range():
    table = table_1d(extrapolation=NONE)

    assert value(table, 7.0) == 1.0
    with pytest.raises(SimulationError, match="8 is outside of its table, which covers 0 to 7"):
        value(table, 8.0)


def test_arguments_may_be_values_of_the_evaluator():
    table = call(
        "Table1D", "init3", "NoName", "NoName", array_of(POINTS), 6, 2, array_of([2]), 1,
        EnumValue(("S",), LINEAR), EnumValue(("E",), HOLD), True, ",", 0,
    )  # fmt: skip

    assert value(table, 0.5) == 2.0
    assert call("Table1D", "minimumAbscissa", table) == 0.0
    assert call("Table1D", "maximumAbscissa", table) == 7.0


# ---------------------------------------------------------------- time tables


def time_table(points, smoothness=LINEAR, extrapolation=HOLD, start=0.0, shift=0.0, events=1):
    return call(
        "TimeTable", "init3", "NoName", "NoName", points, len(points), 2, start, [2], 1, smoothness,
        extrapolation, shift, events, False, ",", 0,
    )  # fmt: skip


STEPS = [[0.0, 0.0], [1.0, 0.0], [1.0, 5.0], [2.0, 5.0], [3.0, 7.0]]


def run_through(table, times):
    """As a simulation does: left limit while the event is pending, then the right limit."""
    rows = []
    coming = call("TimeTable", "nextTimeEvent", table, times[0])
    for t in times:
        rows.append((t, call("TimeTable", "getValue", table, 1, t, coming, coming)))
        if t >= coming:
            before, coming = coming, call("TimeTable", "nextTimeEvent", table, t)
            rows.append((t, call("TimeTable", "getValue", table, 1, t, coming, before)))
            rows.append((t, call("TimeTable", "getValue", table, 1, t, coming, coming)))
    return rows


def test_a_jump_gives_its_left_limit_before_and_its_right_limit_after_the_event():
    rows = run_through(time_table(STEPS), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0])

    assert rows[:6] == [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 5.0), (1.0, 5.0), (1.5, 5.0)]
    assert rows[-1] == (4.0, 7.0)
    assert (2.5, 6.0) in rows


def test_time_events_at_every_point_at_jumps_or_at_the_ends_only():
    def events(kind):
        table, t, found = time_table(STEPS, events=kind), 0.0, []
        while (t := call("TimeTable", "nextTimeEvent", table, t)) < NEVER:
            found.append(t)
        return found

    assert events(1) == [1.0, 2.0, 3.0]
    assert events(2) == [1.0, 3.0]
    assert events(3) == [3.0]


def test_a_periodic_table_repeats_with_exact_events():
    table = time_table([[0.0, 0.0], [1.0, 2.0], [1.0, 5.0], [2.0, 5.0]], extrapolation=PERIODIC)
    rows = run_through(table, [0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 4.0, 1000.5, 1001.0])

    assert rows == [
        (0.0, 0.0), (0.5, 1.0), (1.0, 2.0), (1.0, 5.0), (1.0, 5.0),
        (2.0, 5.0), (2.0, 0.0), (2.0, 0.0), (2.5, 1.0), (3.0, 2.0), (3.0, 5.0), (3.0, 5.0),
        (4.0, 5.0), (4.0, 0.0), (4.0, 0.0), *rows[15:],
    ]  # fmt: skip
    assert rows[-1] == (1001.0, 5.0)


def test_before_the_start_time_a_table_is_zero():
    table = time_table([[0.0, 3.0], [5.0, 3.0]], start=2.0)

    assert call("TimeTable", "nextTimeEvent", table, 0.0) == 2.0
    assert call("TimeTable", "getValue", table, 1, 1.0, 2.0, 2.0) == 0.0
    assert call("TimeTable", "getValue", table, 1, 2.0, 2.0, 2.0) == 0.0
    assert call("TimeTable", "getValue", table, 1, 2.0, 5.0, 2.0) == 3.0


def test_a_shifted_table_starts_later():
    table = time_table([[0.0, 1.0], [1.0, 2.0]], shift=10.0)
    coming = call("TimeTable", "nextTimeEvent", table, 0.0)

    assert coming == 10.0
    assert call("TimeTable", "getValue", table, 1, 5.0, coming, coming) == 1.0
    assert call("TimeTable", "getValue", table, 1, 10.5, 11.0, 11.0) == 1.5


def test_rounding_of_an_event_time_does_no_harm():
    points = [[0.0, 0.0], [0.1, 0.0], [0.1, 1.0], [0.3, 1.0]]
    table = time_table(points)
    just_before = np.nextafter(0.1, 0.0)

    assert call("TimeTable", "getValue", table, 1, just_before, 0.3, 0.1) == 1.0
    assert call("TimeTable", "getValue", table, 1, np.nextafter(0.1, 1.0), 0.1, 0.1) == 0.0


def test_a_smooth_time_table_equals_scipy_inside():
    x, y = np.array(POINTS).T
    oracle = Akima1DInterpolator(x, y)
    table = time_table(POINTS, AKIMA)
    coming = call("TimeTable", "nextTimeEvent", table, 0.0)

    assert coming == 7.0
    for t in np.linspace(0.1, 6.9, 20):
        found = call("TimeTable", "getValue", table, 1, t, coming, coming)
        assert found == pytest.approx(float(oracle(t)), rel=1e-12)


# ---------------------------------------------------------------- two dimensions


def table_2d(smoothness=LINEAR, extrapolation=LAST_TWO, function=lambda x, y: x * y + y):
    xs, ys = [0.0, 1.0, 2.0, 4.0, 5.0], [0.0, 2.0, 3.0, 5.0]
    rows = [[0.0, *ys]] + [[x, *(function(x, y) for y in ys)] for x in xs]
    return call(
        "Table2D", "init3", "NoName", "NoName", rows, len(rows), 5, smoothness, extrapolation
    )


@pytest.mark.parametrize("smoothness", [LINEAR, AKIMA])
def test_a_bilinear_function_is_reproduced_even_outside(smoothness):
    table = table_2d(smoothness)
    for u1, u2 in [(0.5, 1.0), (3.0, 2.5), (5.0, 5.0), (-1.0, 1.0), (6.0, 7.0), (2.0, -3.0)]:
        assert call("Table2D", "getValue", table, u1, u2) == pytest.approx(u1 * u2 + u2)
        slope = call("Table2D", "getDerValue", table, u1, u2, 1.0, 10.0)
        assert slope == pytest.approx(u2 + 10.0 * (u1 + 1.0))


def test_a_smooth_surface_meets_its_points_and_has_continuous_slopes():
    table = table_2d(AKIMA, function=lambda x, y: np.sin(x) * np.cos(y))

    assert call("Table2D", "getValue", table, 2.0, 3.0) == pytest.approx(np.sin(2.0) * np.cos(3.0))
    left = call("Table2D", "getDerValue", table, 2.0 - 1e-9, 2.5, 1.0, 0.0)
    right = call("Table2D", "getDerValue", table, 2.0 + 1e-9, 2.5, 1.0, 0.0)
    assert left == pytest.approx(right, abs=1e-7)
    h = 1e-6
    for u1, u2 in [(0.5, 1.0), (3.3, 4.0)]:
        rise = call("Table2D", "getValue", table, u1, u2 + h)
        rise -= call("Table2D", "getValue", table, u1, u2 - h)
        slope = call("Table2D", "getDerValue", table, u1, u2, 0.0, 1.0)
        assert slope == pytest.approx(rise / (2 * h), abs=1e-6)


@pytest.mark.parametrize("smoothness", [LINEAR, AKIMA])
def test_second_derivatives_of_a_surface_match_differences(smoothness):
    table = table_2d(smoothness, function=lambda x, y: np.sin(x) * np.cos(y))
    h = 1e-4
    for u1, u2 in [(0.5, 1.0), (3.3, 4.0), (1.5, 2.5)]:
        for d1, d2 in [(1.0, 0.0), (0.0, 1.0), (1.0, 2.0)]:
            ahead = call("Table2D", "getValue", table, u1 + h * d1, u2 + h * d2)
            behind = call("Table2D", "getValue", table, u1 - h * d1, u2 - h * d2)
            here = call("Table2D", "getValue", table, u1, u2)
            bend = call("Table2D", "getDer2Value", table, u1, u2, d1, d2, 0.0, 0.0)
            assert bend == pytest.approx((ahead - 2 * here + behind) / h**2, abs=1e-3)


def test_a_surface_of_one_row_is_a_curve():
    x, y = np.array(POINTS).T
    table = call("Table2D", "init3", "NoName", "NoName", [[0.0, *x], [1.0, *y]], 2, 7, AKIMA, HOLD)

    assert call("Table2D", "getValue", table, 5.0, 3.3) == pytest.approx(
        float(Akima1DInterpolator(x, y)(3.3))
    )


def test_constant_and_held_surfaces():
    steps = table_2d(CONSTANT, HOLD)
    held = table_2d(LINEAR, HOLD)

    assert call("Table2D", "getValue", steps, 1.5, 2.9) == 1.0 * 2.0 + 2.0
    assert call("Table2D", "getValue", held, 100.0, 100.0) == 5.0 * 5.0 + 5.0
    assert call("Table2D", "getDerValue", held, 100.0, 1.0, 1.0, 0.0) == 0.0


# ---------------------------------------------------------------- files and mistakes


def test_a_table_is_read_from_text_and_from_csv(tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("#1\ndouble other(1,2)\n 9 9\ndouble tab(2,2) # two\n 0 1 # x\n 2, 5\n")
    table = call("Table1D", "init3", str(text), "tab", [], 0, 0, [2], 1, LINEAR, HOLD)
    assert value(table, 1.0) == 3.0

    csv = tmp_path / "t.csv"
    csv.write_text("x;y\n0;1\n2;5\n")
    table = call("Table1D", "init3", str(csv), "", [], 0, 0, [2], 1, LINEAR, HOLD, False, ";", 1)
    assert value(table, 1.0) == 3.0


@pytest.mark.parametrize(("version", "compressed"), [("4", False), ("5", False), ("5", True)])
def test_a_table_is_read_from_matlab_files(tmp_path, version, compressed):
    file = tmp_path / "t.mat"
    matrices = {"other": np.eye(3), "tab": np.array([[0, 1], [2, 5]], dtype=np.int16)}
    savemat(file, matrices, format=version, do_compression=compressed)
    table = call("Table1D", "init3", str(file), "tab", [], 0, 0, [2], 1, LINEAR, HOLD)

    assert value(table, 1.0) == 3.0
    with pytest.raises(SimulationError, match="is not in the file"):
        call("Table1D", "init3", str(file), "tub", [], 0, 0, [2], 1, LINEAR, HOLD)


@pytest.mark.parametrize("content", [b"MATLAB 7.3 MAT-file", b"MATLAB 5.0", b"\x01\x02" * 40])
def test_broken_matlab_files_are_explained(tmp_path, content):
    file = tmp_path / "t.mat"
    file.write_bytes(content)
    with pytest.raises(SimulationError):
        call("Table1D", "init3", str(file), "tab", [], 0, 0, [2], 1, LINEAR, HOLD)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("#1\ndouble tab(3,2)\n1 2 3\n", "ends before"),
        ("#1\ndouble tub(1,1)\n1\n", "is not in the file"),
        ("#1\ndouble tab(1,2)\n1 x\n", "not a number"),
        ("MATLAB", "no format that can be read"),
    ],
)
def test_broken_files_are_explained(tmp_path, content, message):
    file = tmp_path / "t.txt"
    file.write_text(content)
    with pytest.raises(SimulationError, match=message) as caught:
        call("Table1D", "init3", str(file), "tab", [], 0, 0, [2], 1, LINEAR, HOLD)

    assert caught.value.diagnostics[0].code == "R111"


@pytest.mark.parametrize(
    ("points", "columns", "message"),
    [
        ([[0.0, 1.0], [0.0, 2.0]], (2,), "does not rise"),
        ([[1.0, 1.0], [0.0, 2.0]], (2,), "does not rise"),
        ([[0.0, 1.0], [1.0, 2.0]], (3,), "column 3 is asked for"),
        ([], (2,), "holds no numbers"),
    ],
)
def test_impossible_tables_are_explained(points, columns, message):
    with pytest.raises(SimulationError, match=message):
        table_1d(points, columns=columns)


def test_a_table_from_c_code_is_explained():
    with pytest.raises(SimulationError, match="from C code") as caught:
        call("Table1D", "init3", "NoName", "mine", [], 0, 0, [2], 1, LINEAR, HOLD)

    assert "name a file" in caught.value.diagnostics[0].help


def test_a_missing_file_is_explained(tmp_path):
    with pytest.raises(SimulationError, match="cannot be read"):
        call("Table1D", "init3", str(tmp_path / "no.txt"), "t", [], 0, 0, [2], 1, LINEAR, HOLD)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_matrix_may_be_the_field_of_a_structure(tmp_path, compressed):
    file = tmp_path / "t.mat"
    content = {"s": {"tab": [[0.0, 1.0], [1.0, 3.0]], "inner": {"tab": [[2.0]]}}, "n": "text"}
    savemat(file, content, do_compression=compressed)

    assert read_mat(file.read_bytes(), "s.tab") == ((0.0, 1.0), (1.0, 3.0))
    assert read_mat(file.read_bytes(), "s.inner.tab") == ((2.0,),)
    assert read_mat(file.read_bytes(), "s") is None
