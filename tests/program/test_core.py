"""The implicit core: residuals vanish on exact solutions, derivatives agree with differences."""

from __future__ import annotations

import ctypes
from functools import cache
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Compilation, Options, compile_model
from freewheel.program.tangents import Tangents, TooLarge
from freewheel.runtime.switched_dae.model import CoreModel

CIRCUITS = (Path(__file__).parents[1] / "structure" / "circuits.mo").read_text()
POINTER, NUMBER, INTEGER = ctypes.c_void_p, ctypes.c_double, ctypes.c_int64
RATES = ctypes.CFUNCTYPE(INTEGER, POINTER, NUMBER, INTEGER, POINTER, POINTER)
JACOBIANS = ctypes.CFUNCTYPE(INTEGER, POINTER, NUMBER, POINTER, POINTER, POINTER)
SECTION = ctypes.CFUNCTYPE(INTEGER, POINTER)


def made(name: str, text: str = CIRCUITS, **options: str) -> Compilation:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "circuits.mo"))
    return compile_model(library, tuple(name.split(".")), Options(**options))


class Running:
    """A compiled core with the memory it works on."""

    def __init__(self, name: str, text: str = CIRCUITS) -> None:
        self.model = made(name, text).model
        assert self.model.core.is_there
        self.core: CoreModel = self.model.core
        self.memory = self.model.start.copy()
        assert self.model.sections["parameters"](self.memory) == 0
        self.names = [info.name for info in self.model.state_infos]
        self.size = len(self.names)

    def set_bits(self, bits: object) -> None:
        first = self.core.bits
        self.memory[first : first + len(self.core.bit_names)] = bits

    def rates(self, time: float, order: int, *ys: np.ndarray) -> np.ndarray:
        given, out = np.concatenate(ys), np.zeros(self.size)
        assert len(given) == (order + 2) * self.size
        at = (self.memory.ctypes.data, time, order, given.ctypes.data, out.ctypes.data)
        assert RATES(self.core.rates)(*at) == 0
        return out

    def jacobians(self, time: float, y: np.ndarray, rates: np.ndarray) -> np.ndarray:
        out = np.full((2, self.size, self.size), np.nan)
        at = (self.memory.ctypes.data, time, y.ctypes.data, rates.ctypes.data, out.ctypes.data)
        assert JACOBIANS(self.core.jacobians)(*at) == 0
        return out

    def switches(self) -> None:
        assert SECTION(self.core.switches)(self.memory.ctypes.data) == 0

    def set(self, name: str, value: float) -> None:
        self.memory[next(v.slot for v in self.model.variables if v.name == name)] = value


@cache
def running(name: str) -> Running:
    return Running(f"Circuits.{name}")


NAMES = (
    "HalfWaveL",
    "PeakDetector",
    "BridgeL",
    "Boost",
    "TwoInductors",
    "Clutch",
    "String",
    "Drum",
)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_agree_with_differences(name: str) -> None:
    run = running(name)
    random = np.random.default_rng(7)
    n, h, t = run.size, 1e-6, 0.0031
    rates, y = random.normal(size=n), random.normal(size=n)
    run.set_bits(random.integers(0, 2, size=len(run.core.bit_names)))
    by_variable, by_rate = run.jacobians(t, y, rates)

    for k, unit in enumerate(np.eye(n)):
        up, down = (run.rates(t, 0, y, rates + s * h * unit) for s in (1, -1))
        assert by_rate[:, k] == pytest.approx((up - down) / (2 * h), abs=1e-6)
        up, down = (run.rates(t, 0, y + s * h * unit, rates) for s in (1, -1))
        assert by_variable[:, k] == pytest.approx((up - down) / (2 * h), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_slopes_agree_with_differences_along_a_motion(name: str) -> None:
    run = running(name)
    random = np.random.default_rng(3)
    n, t, h = run.size, 0.0031, 1e-5
    y, first, second, third = (random.normal(size=n) for _ in range(4))
    run.set_bits(random.integers(0, 2, size=len(run.core.bit_names)))

    def at(s: float) -> tuple[np.ndarray, ...]:
        now = y + s * first + s**2 / 2 * second + s**3 / 6 * third
        return now, first + s * second + s**2 / 2 * third, second + s * third, third

    def slope(order: int, s: float) -> np.ndarray:
        return run.rates(t + s, order, *at(s)[: order + 2])

    # Slopes of what only listens to the core are left out.
    rows = [
        k for k, text in enumerate(run.core.equations) if text not in ("der(level)", "der(out)")
    ]
    difference = (slope(0, h) - slope(0, -h)) / (2 * h)
    assert slope(1, 0.0)[rows] == pytest.approx(difference[rows], rel=1e-4, abs=1e-4)
    difference = (slope(1, h) - slope(1, -h)) / (2 * h)
    assert slope(2, 0.0)[rows] == pytest.approx(difference[rows], rel=1e-4, abs=1e-2)


def test_the_residual_vanishes_where_the_diode_conducts_and_where_it_blocks() -> None:
    """u0 = 10 sin(2 pi 50 t), L = 10 mH, C = 1 mF, RL = 50."""
    run = running("HalfWaveL")
    place = {name: k for k, name in enumerate(run.names)}
    for on, time, i, u in ((1, 0.004, 0.7, 3.0), (0, 0.013, 0.0, 12.0)):
        u0 = 10 * sin(2 * pi * 50 * time)
        inductor = u0 - u if on else 0.0
        diode = 0.0 if on else u0 - u
        y, rates = np.zeros(run.size), np.zeros(run.size)
        y[place["C.v"]], y[place["L.i"]], y[place["D.s"]] = u, i, i if on else diode
        rates[place["L.i"]] = inductor / 0.01
        rates[place["C.v"]] = (i - u / 50) / 1e-3

        run.set_bits([on])
        assert run.rates(time, 0, y, rates) == pytest.approx(0.0, abs=1e-12)
        run.set_bits([1 - on])
        assert run.rates(time, 0, y, rates) != pytest.approx(0.0, abs=1e-3)


def test_the_peak_detector_needs_the_slope_of_its_source() -> None:
    """While it conducts C.v = u0(t); only d/dt of that tells the current."""
    run = running("PeakDetector")
    place = {name: k for k, name in enumerate(run.names)}
    time, omega = 0.002, 2 * pi * 50
    u, rate = 10 * sin(omega * time), 10 * omega * cos(omega * time)
    y, rates, faster = (np.zeros(run.size) for _ in range(3))
    y[place["C.v"]], rates[place["C.v"]] = u, rate
    y[place["RL.i"]], y[place["D.s"]] = u / 50, u / 50 + 1e-3 * rate

    run.set_bits([1])
    assert run.rates(time, 0, y, rates) == pytest.approx(0.0, abs=1e-12)
    wrong = rates.copy()
    wrong[place["C.v"]] = 0.0
    slopes = [run.rates(time, 1, y, r, faster) for r in (rates, wrong)]
    row = next(k for k, text in enumerate(run.core.equations) if "u0.v" in text)
    assert slopes[0][row] == pytest.approx(0.0, abs=1e-9)
    assert abs(slopes[1][row]) == pytest.approx(abs(rate))


def test_elements_name_their_places() -> None:
    run = running("Boost")

    (diode,) = run.core.elements
    (status,) = (relation.status for relation in run.model.relations if "D.s" in relation.text)
    assert (diode.name, run.names[diode.unknown]) == ("D", "D.s")
    assert run.core.bit_names[diode.bit] == "not D.off"
    assert diode.statuses == ((status, 1.0),)
    assert (diode.at, diode.held) == (-1, -1)


def test_states_and_rates_lie_side_by_side() -> None:
    run = running("Drum")
    states, rates = run.model.states, run.model.derivatives
    infos = run.model.state_infos

    assert [info.slot for info in infos] == list(range(states.start, states.stop))
    assert [info.derivative for info in infos] == list(range(rates.start, rates.stop))
    known = [
        info.name for info, moves in zip(infos, run.core.is_differential, strict=True) if moves
    ]
    assert known == ["C.v", "level", "out", "L.i"]
    assert {v.name for v in run.model.variables if v.name.startswith("der(")} == {
        f"der({name})" for name in known
    }


def test_switches_write_the_bits_of_the_models_own_logic() -> None:
    run = Running("Circuits.Boost")
    for control in (1.0, 0.0):
        run.set("Sw.control", control)
        run.set("Sw.off", 1.0 - control)
        run.set_bits([0.5, 0.5])
        run.switches()

        assert list(run.memory[run.core.bits :][:2]) == [control, 0.5]  # the diode is not theirs


THYRISTORS = """
package T
  partial model Circuit
    import Modelica.Electrical.Analog.*;
    Sources.SineVoltage u0(V=10, f=50);
    Basic.Inductor L(L=0.01, i(start=0, fixed=true));
    replaceable Ideal.IdealThyristor S constrainedby Interfaces.TwoPin;
    Basic.Ground g;
  equation
    connect(u0.p, L.p); connect(L.n, S.p); connect(S.n, g.p); connect(u0.n, g.p);
  end Circuit;
  model Thyristor
    extends Circuit(S(Ron=0, Goff=0, Vknee=0));
  equation
    S.fire = sin(314*time) > 0.5;
  end Thyristor;
  model Corner "A blocking voltage of -3 V and a knee of 2 V, both along one parameter"
    Real i(start=0, fixed=true), u, s;
    parameter Real back = -3, knee = 2;
  equation
    der(i) = 10*sin(time) - u;
    i = if s < back then s - back elseif s < knee then 0 else s - knee;
    u = if s < back then back elseif s < knee then s else knee;
  end Corner;
end T;
"""


def test_a_latch_is_held_while_it_has_not_fired() -> None:
    run = Running("T.Thyristor", THYRISTORS)
    (thyristor,) = run.core.elements
    assert thyristor.held_bit == 0.0

    before = next(pre for slot, pre in run.model.discrete if _is(run, slot, "S.off"))
    for was_off, fires, held in ((1, 0, 1), (1, 1, 0), (0, 0, 0), (0, 1, 0)):
        run.memory[before] = was_off
        run.set("S.fire", fires)
        run.switches()
        assert run.memory[thyristor.held] == held


def _is(run: Running, slot: int, name: str) -> bool:
    return any(v.slot == slot and v.name == name for v in run.model.variables)


def test_corners_elsewhere_follow_their_parameters() -> None:
    run = Running("T.Corner", THYRISTORS)

    assert sorted(run.memory[e.at] for e in run.core.elements) == [-3.0, 2.0]
    run.memory[run.model.parameter_slots["knee"]] = 4.0
    assert run.model.sections["parameters"](run.memory) == 0
    assert sorted(run.memory[e.at] for e in run.core.elements) == [-3.0, 4.0]


def test_the_reference_says_that_it_cannot() -> None:
    with pytest.raises(CompileError) as caught:
        made("Circuits.HalfWaveL", backend="python")

    assert caught.value.diagnostics[0].code == "U013"
    assert "`D`" in caught.value.diagnostics[0].message


def test_where_no_switch_is_the_reason_it_says_so() -> None:
    text = """model M "a shaft that a spring with a damper joins to a given motion"
      import Modelica.Mechanics.Rotational.*;
      Components.Inertia J(J=1);
      Components.SpringDamper c(c=5, d=1);
      Sources.Position s(exact=true);
      Modelica.Blocks.Sources.Sine q(f=0.5);
    equation
      connect(q.y, s.phi_ref);
      connect(s.flange, c.flange_a);
      connect(c.flange_b, J.flange_a);
    end M;"""
    with pytest.raises(CompileError) as caught:
        made("M", text, backend="python")

    assert caught.value.diagnostics[0].code == "U013"
    assert "constraints between states" in caught.value.diagnostics[0].message


LISTENERS = """
model Listeners "A power and its mean square only listen; the current saturates, or not"
  Real i(start=1, fixed=true), u, s, e(start=0, fixed=true), q(start=0, fixed=true);
  parameter Boolean saturates = false annotation(Evaluate=true);
equation
  (if saturates then 1 + i^2 else 1)*der(i) = sin(time) - u - i;
  u = if s < 0 then s else 0;
  i = if s < 0 then 0 else s;
  der(e) = u*i + i^2;
  der(q) = (u*i)^2 - q;
end Listeners;
"""


@pytest.mark.parametrize("saturates", [False, True])
def test_what_only_listens_is_told_from_what_bends(saturates: bool) -> None:
    core = Running("Listeners", LISTENERS.replace("= false", f"= {str(saturates).lower()}")).core

    assert not core.is_linear
    assert core.is_steady != saturates
    assert running("Boost").core.is_linear
    assert running("Boost").core.is_steady


@pytest.mark.parametrize("name", ["HalfWaveL", "Boost", "String"])
def test_differences_stand_in_where_formulas_have_no_derivative(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = running(name)

    def none(*_: object) -> None:
        raise TooLarge

    monkeypatch.setattr(Tangents, "must_know_functions", none)
    rough = Running(f"Circuits.{name}")
    random = np.random.default_rng(5)
    n, t = exact.size, 0.0031
    ys = [random.normal(size=n) for _ in range(4)]
    bits = random.integers(0, 2, size=len(exact.core.bit_names))
    exact.set_bits(bits)
    rough.set_bits(bits)

    assert not rough.core.is_linear
    assert rough.jacobians(t, *ys[:2]) == pytest.approx(
        exact.jacobians(t, *ys[:2]), rel=1e-7, abs=1e-7
    )
    for order, close in ((1, 1e-6), (2, 1e-3)):
        at = (t, order, *ys[: order + 2])
        wanted = exact.rates(*at)
        size = max(1.0, np.abs(wanted).max())
        assert rough.rates(*at) == pytest.approx(wanted, abs=close * size)


def test_a_delayed_signal_may_stand_in_the_core() -> None:
    text = """
    model M
      Real i(start=0, fixed=true), u, s;
    equation
      der(i) = 5*sin(time) - u - 0.5*delay(i, 0.3) - i;
      u = if s < 0 then s else 0;
      i = if s < 0 then 0 else s;
    end M;
    """
    core = Running("M", text.replace("5*sin(time)", "5")).core
    assert [e.name for e in core.elements] == ["s < 0"]
    assert not core.is_timeless


def test_a_core_that_time_does_not_move_is_told() -> None:
    """The boost converter has a steady source and a clock; rectifiers have sources that swing."""
    boost, rectifier = running("Boost"), running("HalfWaveL")
    assert boost.core.is_timeless
    assert not rectifier.core.is_timeless
    clocks = [r.is_straight for r in boost.model.relations if r.depends_on_time_only]
    assert clocks
    assert all(clocks)
