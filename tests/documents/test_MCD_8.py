"""MCD-8: quantized states on any compiled model, also where storages depend on each other and resistors
form loops. Circuits and their exact solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.base.diagnostics import SimulationError

METHODS = ("qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2", "cqss")
HEAD = """  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Sources.*;
  import Modelica.Electrical.Analog.Ideal.*;
"""
QUANTUM = 1e-3


@dataclass(frozen=True)
class Circuit:
    parts: str
    wires: tuple[str, ...]
    exact: Mapping[str, Callable[[np.ndarray], np.ndarray]]


def driven_coil(t: np.ndarray) -> np.ndarray:
    """i of L i' + R i = V sin(w t), from rest."""
    r, coil, w, v = 2.0, 0.5, 2.0 * np.pi, 10.0
    z2 = r * r + (w * coil) ** 2
    swing: np.ndarray = v / z2 * (r * np.sin(w * t) - w * coil * np.cos(w * t))
    return swing + v * w * coil / z2 * np.exp(-r / coil * t)


def lattice(t: np.ndarray) -> np.ndarray:
    """v behind a divider of 2 and 3 Ohm and 1 Ohm more, from 10 V."""
    filled: np.ndarray = 6.0 * (1.0 - np.exp(-t / (0.1 * 2.2)))
    return filled


CIRCUITS = {
    "capacitors side by side": Circuit(
        "ConstantVoltage V(V = 10); Resistor R(R = 2); Capacitor C1(C = 0.1, v(start = 0, fixed = true));"
        "Capacitor C2(C = 0.3); Ground G;",
        ("V.p R.p", "R.n C1.p", "C1.p C2.p", "C1.n V.n", "C2.n V.n", "V.n G.p"),
        {
            "C1.v": lambda t: 10.0 * (1.0 - np.exp(-t / 0.8)),
            "C2.v": lambda t: 10.0 * (1.0 - np.exp(-t / 0.8)),
        },
    ),
    "a capacitor across a source": Circuit(
        "SineVoltage V(V = 10, f = 1); Capacitor C(C = 0.1); Resistor R(R = 2);"
        "Inductor L(L = 0.5, i(start = 0, fixed = true)); Ground G;",
        ("V.p C.p", "V.p R.p", "R.n L.p", "L.n V.n", "C.n V.n", "V.n G.p"),
        {"L.i": driven_coil, "C.i": lambda t: 2.0 * np.pi * np.cos(2.0 * np.pi * t)},
    ),
    "coils in a row": Circuit(
        "ConstantVoltage V(V = 10); Resistor R(R = 2); Inductor L1(L = 0.5, i(start = 0, fixed = true));"
        "Inductor L2(L = 0.25); Ground G;",
        ("V.p R.p", "R.n L1.p", "L1.n L2.p", "L2.n V.n", "V.n G.p"),
        {"L1.i": lambda t: 5.0 * (1.0 - np.exp(-t / 0.375)), "L2.v": lambda t: 10 / 3 * np.exp(-t / 0.375)},
    ),
    "resistors in a loop": Circuit(
        "ConstantVoltage V(V = 10); Resistor R1(R = 2); Resistor R2(R = 3); Resistor R3(R = 1);"
        "Capacitor C(C = 0.1, v(start = 0, fixed = true)); Ground G;",
        ("V.p R1.p", "R1.n R2.p", "R1.n R3.p", "R3.n C.p", "C.n V.n", "R2.n V.n", "V.n G.p"),
        {"C.v": lattice, "R2.v": lambda t: lattice(t) + (6.0 - lattice(t)) / 2.2},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Model]:
    known: dict[str, Model] = {}

    def made(name: str) -> Model:
        if name not in known:
            circuit = CIRCUITS[name]
            wires = "".join(f"  connect({', '.join(wire.split())});\n" for wire in circuit.wires)
            path: Path = tmp_path_factory.mktemp("circuits") / "Circuit.mo"
            path.write_text(
                f"model Circuit\n{HEAD}  {circuit.parts}\nequation\n{wires}end Circuit;\n"
            )
            known[name] = load(path)
        return known[name]

    return made


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CIRCUITS)
def test_MCD_8_dependent_storages_and_loops(
    model_of: Callable[[str], Model], name: str, method: str
) -> None:
    result = model_of(name).simulate(stop=2.0, solver=method, quantum=str(QUANTUM), interval=0.02)

    assert result.stats["solver"] == method
    for variable, exact in CIRCUITS[name].exact.items():
        assert result[variable] == pytest.approx(exact(result.time), abs=3.0 * QUANTUM), variable


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "liqss3"])
def test_MCD_8_the_error_shrinks_with_the_quantum(
    model_of: Callable[[str], Model], method: str
) -> None:
    model = model_of("capacitors side by side")
    exact = CIRCUITS["capacitors side by side"].exact["C1.v"]
    for quantum in (1e-2, 1e-4, 1e-6):
        result = model.simulate(stop=2.0, solver=method, quantum=str(quantum))
        assert np.abs(result["C1.v"] - exact(result.time)).max() < quantum


RECTIFIER = """
model Rectifier "a diode of two resistances between a source and a capacitor"
{head}  SineVoltage V(V = 10, f = 1);
  IdealDiode D(Ron = {on}, Goff = {off}, Vknee = 0);
  Resistor R(R = 2);
  Capacitor C(C = 0.1, v(start = 0, fixed = true));
  Ground G;
equation
  connect(V.p, D.p);
  connect(D.n, R.p);
  connect(D.n, C.p);
  connect(R.n, V.n);
  connect(C.n, V.n);
  connect(V.n, G.p);
end Rectifier;
"""


def rectifier(folder: Path, on: float, off: float) -> Model:
    path = folder / "Rectifier.mo"
    path.write_text(RECTIFIER.format(head=HEAD, on=on, off=off))
    return load(path)


def test_MCD_8_diodes_of_two_resistances(tmp_path: Path) -> None:
    model = rectifier(tmp_path, 1e-2, 1e-5)
    expected = model.simulate(stop=2.0, tol=1e-8, interval=0.02)
    result = model.simulate(stop=2.0, solver="liqss2", quantum=str(QUANTUM), interval=0.02)
    found = np.interp(expected.time, result.time, result["C.v"])

    assert result.stats["solver"] == "liqss2"
    assert found == pytest.approx(expected["C.v"], abs=5.0 * QUANTUM)


def test_MCD_8_diodes_without_resistance(tmp_path: Path) -> None:
    """While it conducts the capacitor follows the source and is not a state."""
    model = rectifier(tmp_path, 0.0, 0.0)
    expected = model.simulate(stop=2.0, tol=1e-8, interval=0.02)
    result = model.simulate(stop=2.0, solver="liqss2", quantum=str(QUANTUM), interval=0.02)
    found = np.interp(expected.time, result.time, result["C.v"])

    assert result.stats["solver"] == "liqss2"
    assert result.stats["events"] == expected.stats["events"] > 0
    assert found == pytest.approx(expected["C.v"], abs=5.0 * QUANTUM)


def test_MCD_8_explicit_methods_that_swing_at_a_diode_say_what_to_try(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="back and forth") as found:
        rectifier(tmp_path, 1e-5, 1e-5).simulate(stop=1.0, solver="qss2", quantum=str(QUANTUM))

    assert "try liqss2" in str(found.value.diagnostics[0].help)
