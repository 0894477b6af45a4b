"""Rows of a program: shapes, what they read, and their derivatives against differences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from freewheel.api import load
from freewheel.machine.memory import Memory, address_of
from freewheel.machine.records import Records
from freewheel.program.nodes import Program, SolveNonlinear, branch_slots
from freewheel.program.row_rates import follows_time
from freewheel.program.rows import rows_of
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.qss.memory import Qss, QuantizedState

PIPE = """
model Pipe
  parameter Integer n = 20;
  parameter Real k[n] = {i/n for i in 1:n};
  parameter Real c = 2;
  Real u[n](each start = 0, each fixed = true), stream_[n];
equation
  stream_[1] = c*(1 - u[1]);
  for i in 2:n loop
    stream_[i] = c*(u[i - 1] - u[i]);
  end for;
  for i in 1:n loop
    der(u[i]) = stream_[i] - k[i]*u[i]^2;
  end for;
end Pipe;
"""
MIXED = """
model Mixed "an input, time, a loop, a relation"
  input Real w;
  Real x(start = 0.5, fixed = true), y(start = 1, fixed = true), p;
equation
  p^3 + p = x*y + w;
  der(x) = -x*p + sin(2*time);
  der(y) = if x - 0.2*time > 0.1 then -exp(-x) else w*y;
end Mixed;
"""


def compiled(text: str, folder: Path) -> tuple[Program, CompiledModel]:
    path = folder / "model.mo"
    path.write_text(text)
    made = load(path).upto("backend")
    return made.program, made.model


def test_rows_that_look_alike_share_a_shape(tmp_path: Path) -> None:
    program, _ = compiled(PIPE, tmp_path)
    rows = rows_of(program)

    assert len(rows.shapes) == 2
    assert [row.shape for row in rows.derivatives] == [0, *([1] * 19)]
    assert rows.derivatives[0].records == (0,)
    assert rows.derivatives[7].records == (7, 6)  # itself first, then its neighbour
    names = {program.names[read] for read in rows.derivatives[7].reads if isinstance(read, int)}
    assert names == {"c", "k[8]"}


def test_rows_that_differ_in_numbers_become_alike_when_there_are_many(tmp_path: Path) -> None:
    text = PIPE.replace("k[i]*u[i]^2", "(i + 0.1)*u[i]^2").replace("n = 20", "n = 90")
    program, _ = compiled(text, tmp_path)
    rows = rows_of(program)

    assert len(rows.shapes) == 2
    assert 8.1 in rows.derivatives[7].reads


def test_a_row_knows_inputs_time_and_held_numbers(tmp_path: Path) -> None:
    program, _ = compiled(MIXED, tmp_path)
    rows = rows_of(program)
    x, y = rows.derivatives
    shape = rows.shapes[x.shape]

    assert set(x.records) == {0, 1, 2}  # 2 is the input
    assert shape.uses_time
    assert follows_time(shape, program)
    assert not rows.shapes[y.shape].uses_time
    residual = rows.shapes[rows.residuals[0].shape]
    assert residual.uses_time
    assert not follows_time(residual, program)  # a straight line of time


def by_rows(
    model: CompiledModel, order: int, records: Records[QuantizedState], memory: np.ndarray, t: float
):
    """What the functions of all derivatives give."""
    import ctypes

    assert model.quantized is not None
    quantized = model.quantized(order)
    assert quantized is not None
    arguments = (ctypes.c_void_p,) * 3 + (ctypes.c_double, ctypes.c_void_p)
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)
    found, own = np.zeros((quantized.states, 3)), np.zeros(quantized.states)
    for row in range(quantized.states):
        table = quantized.table[int(quantized.starts[row]) :].copy()
        given = (memory.ctypes.data, table.ctypes.data, address_of(records), t)
        out = np.zeros(8)
        assert kind(int(quantized.rates[row]))(*given, out.ctypes.data) == 0
        found[row] = out[:3]
        if quantized.own[row]:
            assert kind(int(quantized.own[row]))(*given, out.ctypes.data) == 0
            own[row] = out[order]
    return found, own


def polynomials(count: int, seed: int) -> Records[QuantizedState]:
    """Records with random polynomials that count from 0.3."""
    numbers = 0.5 * np.random.default_rng(seed).normal(size=(count, 3))
    records = Memory().new(Qss, record_count=count).states
    for name, column in zip(("q0", "q1", "q2"), numbers.T, strict=True):
        records.column(name)[:] = column
    records.column("tq")[:] = 0.3
    return records


@pytest.mark.parametrize("text", [PIPE, MIXED], ids=["pipe", "mixed"])
def test_rates_are_those_of_the_section_and_of_differences(text: str, tmp_path: Path) -> None:
    _, model = compiled(text, tmp_path)
    n = len(model.states)
    records = polynomials(n + len(model.inputs), 4)
    memory = model.start.copy()
    model.sections["parameters"](memory)
    for relation in model.relations:
        memory[relation.status] = 1.0

    def section(t: float) -> np.ndarray:
        e = t - 0.3
        q0, q1, q2 = (records.column(name) for name in ("q0", "q1", "q2"))
        values = q0 + e * (q1 + e * q2)
        memory[model.time] = t
        memory[model.states.slice] = values[:n]
        for k, info in enumerate(model.inputs):
            memory[info.slot] = values[n + k]
        assert model.sections["derivatives"](memory) == 0
        return memory[model.derivatives.slice].copy()

    t, h = 0.9, 1e-3
    before, there, after = (section(t + step) for step in (-h, 0.0, h))
    section(t)
    found, _ = by_rows(model, 3, records, memory, t)
    assert found[:, 0] == pytest.approx(there, rel=1e-9, abs=1e-12)
    assert found[:, 1] == pytest.approx((after - before) / (2 * h), rel=1e-4, abs=1e-5)
    assert found[:, 2] == pytest.approx((after - 2 * there + before) / h**2, rel=1e-3, abs=1e-3)


def test_own_slopes_are_those_of_differences(tmp_path: Path) -> None:
    _, model = compiled(MIXED, tmp_path)
    records = polynomials(3, 5)
    memory = model.start.copy()
    _, own = by_rows(model, 2, records, memory, 0.3)
    for row in range(2):
        moved = polynomials(3, 5)
        moved[row].q0 += 1e-6
        change = (
            by_rows(model, 2, moved, memory, 0.3)[0] - by_rows(model, 2, records, memory, 0.3)[0]
        )
        assert own[row] == pytest.approx(change[row, 0] / 1e-6, rel=1e-4, abs=1e-5)


def test_a_row_reads_all_of_the_branch_of_its_loop(tmp_path: Path) -> None:
    """One slot after the other, as the loop writes them: else it writes into what stands beside."""
    program, _ = compiled(MIXED, tmp_path)
    (loop,) = (s for s in program.sections["derivatives"] if isinstance(s, SolveNonlinear))
    row = rows_of(program).derivatives[0]

    first = row.reads.index(loop.sense)
    assert row.reads[first : first + len(branch_slots(loop))] == tuple(branch_slots(loop))
