"""The loop of quantized states run by CPython: the same numbers, bit by bit, as its machine code gives."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from freewheel.api import load
from freewheel.runtime.kernels import qss_begin, qss_mend, qss_pairs, qss_rows, qss_step
from freewheel.runtime.kernels import qss_places as at
from freewheel.runtime.kernels.qss_drive import quantized_driver
from freewheel.runtime.qss.model import QuantizedModel
from freewheel.runtime.qss.space import QUANTIZED, QuantizedSpace

TEXT = """
model Chain "stiff, curved, with events that only rows notice and such that few equations ask about"
  Real x[3](start = {1, 0.2, -0.3}, each fixed = true);
  Boolean high(start = false, fixed = true);
  Integer count(start = 0, fixed = true);
equation
  der(x[1]) = -50*(x[1] - x[2]^2) + (if x[3] > 0.1 then 1 else 0);
  der(x[2]) = x[1] - x[2]*x[3];
  der(x[3]) = x[1] - 0.4 - (if x[2] - x[1] > 0.05 then x[3] else 0) - (if high then 0.1 else 0);
  high = if pre(high) then x[2] > 0.9 else x[2] > 1.1;
  when x[3] < -0.35 then
    reinit(x[3], -pre(x[3]) - 0.4);
    count = pre(count) + 1;
  end when;
end Chain;
"""
STOP = 3.0


def function_here(address: int) -> Callable[..., int]:
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_double, ctypes.c_void_p
    )
    made = kind(int(address))

    def call(m: np.ndarray, table: np.ndarray, s: np.ndarray, t: float, out: np.ndarray) -> int:
        return int(made(m.ctypes.data, table.ctypes.data, s.ctypes.data, t, out.ctypes.data))

    return call


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], tuple]:
    path = tmp_path_factory.mktemp("models") / "chain.mo"
    path.write_text(TEXT)
    compiled = load(path).compiled()

    def of(order: int) -> tuple[QuantizedModel, np.ndarray, list[int]]:
        assert compiled.quantized is not None
        memory = np.array(compiled.start, dtype=float)
        statuses = [relation.status for relation in compiled.relations]
        memory[statuses] = -1.0
        return compiled.quantized(order), memory, statuses

    return of


def prepared(parts: Callable[[int], tuple], method: str) -> tuple[QuantizedSpace, np.ndarray]:
    quantized, memory, statuses = parts(QUANTIZED[method].order)
    space = QuantizedSpace(quantized, QUANTIZED[method], statuses)
    space.quanta(at.REL)[:], space.quanta(at.ABS)[:] = 1e-3, 1e-3
    space.f[at.STOP] = space.f[at.LIMIT] = STOP
    space.f[at.HORIZON] = 1.001 * STOP
    space.f[at.STIFF] = 1e4
    space.f[at.LOOK] = STOP / 500
    space.k[at.BUDGET], space.k[at.MAX_STEPS] = 10**6, 10**6
    return space, memory


@pytest.mark.parametrize("method", QUANTIZED)
def test_cpython_takes_the_same_steps(
    parts: Callable[[int], tuple], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = np.array([1.0, 0.2, -0.3])
    fast, memory = prepared(parts, method)
    begin, advance = (quantized_driver.callable(name) for name in ("begin", "advance"))
    assert begin(memory.ctypes.data, *fast.arrays, start.ctypes.data, 0.0) == 0
    assert advance(memory.ctypes.data, *fast.arrays) == at.REACHED

    monkeypatch.setattr(qss_rows, "function_at", function_here)
    monkeypatch.setattr(qss_step, "function_at", function_here)
    monkeypatch.setattr(qss_mend, "function_at", function_here)
    monkeypatch.setattr(qss_pairs, "function_at", function_here)
    slow, held = prepared(parts, method)
    arrays = (slow.s, slow.z, slow.f, slow.k, slow.hk)
    with np.errstate(all="ignore"):
        assert qss_begin.begin(held, *arrays, start, 0.0) == 0
        assert qss_step.advance(held, *arrays) == at.REACHED

    assert slow.k[at.STEPS] > 20
    local = slow.k[slow.k[at.AT_LOCAL] :][: slow.relations].tolist()
    assert sorted(local) == [at.ALONE, at.ALONE, at.HANDLED, at.HANDLED, at.HANDLED]
    assert slow.k[at.LOCAL_EVENTS] > 5
    assert held.tobytes() == memory.tobytes()
    assert slow.k.tobytes() == fast.k.tobytes()
    assert slow.s.tobytes() == fast.s.tobytes()
    assert slow.z.tobytes() == fast.z.tobytes()
    assert slow.hk.tobytes() == fast.hk.tobytes()
