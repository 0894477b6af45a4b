"""A parameter set to zero for a run gives what the same value written in the file gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import freewheel as fw
from freewheel.api.compiled_parameters import with_parameters

BRIDGE = """
model Bridge
  import Modelica.Electrical.Analog.Basic.*;
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V = 12);
  Resistor R1(R = 10), R2(R = 20), R3(R = 30), R4(R = 40), R5(R = 50);
  Ground ground;
equation
  connect(U.p, R1.p); connect(U.p, R3.p); connect(R1.n, R2.p); connect(R3.n, R4.p);
  connect(R1.n, R5.p); connect(R5.n, R3.n); connect(R2.n, U.n); connect(R4.n, U.n);
  connect(U.n, ground.p);
end Bridge;
model Divider
  import Modelica.Electrical.Analog.Basic.*;
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V = 12);
  parameter Integer n = 10;
  Resistor R[n](each R = 2);
  Ground ground;
equation
  connect(U.p, R[1].p); connect(R[n].n, U.n); connect(U.n, ground.p);
  for k in 1:n-1 loop connect(R[k].n, R[k + 1].p); end for;
end Divider;
model Filter
  parameter Real T = 1, k = 2, d = 1; parameter Real g = k*d;
  Real x, y, z;
equation
  T*der(y) = 1 - y; g*x = z; x + z = y;
end Filter;
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.mo"
    path.write_text(BRIDGE)
    return path


def bridge_current(ohms: Mapping[str, float]) -> float:
    """By nodal analysis with the current of R5, whatever is zero."""
    import numpy as np

    r = {"R1": 10.0, "R2": 20.0, "R3": 30.0, "R4": 40.0, "R5": 50.0} | dict(ohms)
    # i1 .. i5, a, b
    matrix = np.array(
        [
            [r["R1"], 0, 0, 0, 0, 1, 0],
            [0, r["R2"], 0, 0, 0, -1, 0],
            [0, 0, r["R3"], 0, 0, 0, 1],
            [0, 0, 0, r["R4"], 0, 0, -1],
            [0, 0, 0, 0, r["R5"], -1, 1],
            [1, -1, 0, 0, -1, 0, 0],
            [0, 0, 1, -1, 1, 0, 0],
        ]
    )
    return float(np.linalg.solve(matrix, [12, 0, 12, 0, 0, 0, 0])[4])


@pytest.mark.parametrize(
    "zeros",
    [("R1",), ("R2",), ("R3",), ("R4",), ("R5",), ("R1", "R4"), ("R2", "R4"), ("R1", "R5")],
)
def test_resistances_of_a_bridge(models: Path, zeros: tuple[str, ...]) -> None:
    model = fw.load(models, model="Bridge")
    result = model.simulate(params={f"{name}.R": 0 for name in zeros})

    assert result.final("R5.i") == pytest.approx(
        bridge_current(dict.fromkeys(zeros, 0.0)), rel=1e-12
    )


def test_numbers_that_are_not_zero_stay_data(models: Path) -> None:
    model = fw.load(models, model="Bridge")

    assert with_parameters(model, {"R1.R": 1e-12, "R5.R": -3}) == (
        model,
        {"R1.R": 1e-12, "R5.R": -3},
    )


@pytest.mark.parametrize("count", [2, 10, 60])
def test_elements_of_arrays(models: Path, count: int) -> None:
    model = fw.load(models, model="Divider").changed({"n": str(count)})
    result = model.simulate(params={"R[2].R": 0})

    expected = 12 / (2 * (count - 1))
    assert result.final("R[1].i") == pytest.approx(expected, rel=1e-12)
    assert result.final("R[2].R") == 0.0


def test_a_storage_without_capacity_follows(models: Path) -> None:
    result = fw.load(models, model="Filter").simulate(params={"T": 0})

    assert list(result["y"]) == [1.0] * len(result["y"])


def test_a_product_that_becomes_zero(models: Path) -> None:
    """`g = k*d` is computed; with `d = 0` it was put in, and `k` with it."""
    model = fw.load(models, model="Filter")
    result = model.simulate(params={"d": 0, "k": 7, "T": 0.5})

    assert (result.final("g"), result.final("k"), result.final("z")) == (0.0, 7.0, 0.0)
    assert result.final("x") == result.final("y")
    assert model.simulate(params={"d": 3, "k": 7}).final("g") == 21.0


def test_variables_that_become_one_share_their_start(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "model M parameter Real k = 1; Real x(start = 3), y; equation"
        " x = y + k*time; der(y) = -y; end M;"
    )
    written = fw.load(path).changed({"k": "0.0"}).simulate()

    assert fw.load(path).simulate(params={"k": 0})["y"].tobytes() == written["y"].tobytes()


def test_what_cancels_is_a_zero_too(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "model M parameter Real a = 1, b = 2; Real x, y; equation"
        " (a - b)*x + y^3 = 8; x^3 + x + y = 12; end M;"
    )
    result = fw.load(path).simulate(params={"b": 1})

    assert result.final("y") == pytest.approx(2, rel=1e-9)
    assert result.final("x") == pytest.approx(2, rel=1e-9)


@pytest.mark.parametrize("count", [2, 10, 60])
def test_a_source_that_is_shorted_is_told(models: Path, count: int) -> None:
    model = fw.load(models, model="Divider").changed({"n": str(count)})
    with pytest.raises(fw.SimulationError) as caught:
        model.simulate(params={f"R[{k + 1}].R": 0 for k in range(count)})
    told = caught.value.diagnostics[0]

    assert told.code in ("R122", "R123")
    assert "`R[1].R`" in told.help
    assert "zero" in told.help


def test_a_start_value_that_cannot_be_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.mo"
    path.write_text(
        "model M parameter Real C = 1; Real v(start = 1, fixed = true), i;"
        " equation C*der(v) = i; 2 - v = 3*i; end M;"
    )
    with pytest.raises(fw.SimulationError) as caught:
        fw.load(path).simulate(params={"C": 0})

    assert caught.value.diagnostics[0].code == "R125"
    assert "`C` is zero in this run" in caught.value.diagnostics[0].help


def test_runs_before_and_after_do_not_matter(models: Path) -> None:
    model = fw.load(models, model="Filter")
    fresh = model.simulate()["y"].tobytes()
    model.simulate(params={"T": 0})

    assert model.simulate()["y"].tobytes() == fresh
