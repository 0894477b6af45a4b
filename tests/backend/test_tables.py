"""Tables by kernels: the same values, slopes and bends as the tables they follow."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.backend import table_kernels
from freewheel.backend.table_data import table_row
from freewheel.backend.table_kernels import TABLES
from freewheel.base.diagnostics import SimulationError
from freewheel.formula.table_curves import Curve
from freewheel.formula.tables import NEVER, Table1D, TimeTable

X = (0.0, 1.0, 1.5, 4.0, 4.5)
JUMPS = (0.0, 1.0, 1.0, 4.0, 4.5)  # two points at the same time
Y = ((1.0, 3.0, -2.0, 0.5, 0.25), (0.0, 1.0, 1.0, 2.0, 5.0))
SMOOTHNESS = range(1, 7)
EXTRAPOLATION = range(1, 5)


def places() -> list[float]:
    rng = np.random.default_rng(1)
    return [*X, *rng.uniform(-9.0, 12.0, 60).tolist()]


@pytest.mark.parametrize("smoothness", SMOOTHNESS)
@pytest.mark.parametrize("extrapolation", EXTRAPOLATION)
def test_tables_in_one_variable(smoothness: int, extrapolation: int) -> None:
    table = Table1D(tuple(Curve(X, y, smoothness) for y in Y), extrapolation)
    row = table_row(table)
    assert row is not None
    machine = TABLES.callable("fw_table_1d")
    for u in places():
        for column in (1, 2):
            out, fast = np.zeros(3), np.zeros(3)
            status = table_kernels.fw_table_1d(row, float(column), u, out)
            assert machine(row.ctypes.data, float(column), u, fast.ctypes.data) == status
            try:
                local = table.local(column, u)
            except SimulationError:
                assert status == 1
                continue
            assert status == 0
            assert out == pytest.approx([local.value, local.slope, local.bend], rel=1e-12)
            assert fast == pytest.approx(out, rel=1e-12)


@pytest.mark.parametrize("x", [X, JUMPS], ids=["rising", "jumping"])
@pytest.mark.parametrize("smoothness", [1, 3])
@pytest.mark.parametrize("extrapolation", EXTRAPOLATION)
@pytest.mark.parametrize("events", [1, 2, 3])
def test_tables_in_time(
    x: tuple[float, ...], smoothness: int, extrapolation: int, events: int
) -> None:
    curves = tuple(Curve(x, y, smoothness) for y in Y)
    table = TimeTable(curves, extrapolation, 0.5, 0.25, events)
    row = table_row(table)
    assert row is not None
    value, event = TABLES.callable("fw_table_time"), TABLES.callable("fw_next_event")
    for t in places():
        out, fast = np.zeros(3), np.zeros(3)
        assert table_kernels.fw_next_event(row, t, out) == 0
        assert event(row.ctypes.data, t, fast.ctypes.data) == 0
        coming = table.next_event(t)
        assert (out[0], fast[0]) == (coming, coming)
        for ahead in (coming, NEVER, t):
            status = table_kernels.fw_table_time(row, 2.0, t, ahead, coming, out)
            assert value(row.ctypes.data, 2.0, t, ahead, coming, fast.ctypes.data) == status
            try:
                local = table.local(2, t, ahead, coming)
            except SimulationError:
                assert status == 1
                continue
            assert status == 0
            assert out == pytest.approx([local.value, local.slope, local.bend], rel=1e-12)
            assert fast == pytest.approx(out, rel=1e-12)


def test_a_column_that_does_not_exist_has_no_value() -> None:
    row = table_row(Table1D((Curve(X, Y[0], 1),), 1))
    assert row is not None

    assert table_kernels.fw_table_1d(row, 2.0, 0.5, np.zeros(3)) == 1


def test_only_tables_in_one_variable_become_rows() -> None:
    assert table_row("a file") is None
