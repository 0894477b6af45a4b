"""The library BondGraph: its examples against closed forms, its elements one by one."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.api.model import load
from freewheel.result.store import Result


def run(text: str, folder, **options) -> Result:
    path = folder / "m.mo"
    path.write_text(f"model M\n{text}\nend M;\n")
    return load(path).simulate(**{"tol": 1e-9, **options})


def test_the_circuit_of_the_document_drawn_by_hand():
    result = load("BondGraph.Examples.Circuit").simulate(stop=10, tol=1e-10)

    assert result["capacitor.e"][-1] == pytest.approx(0.653141772, rel=1e-7)
    assert result["inductor.f"][-1] == pytest.approx(8.968658716e-02, rel=1e-6)


def test_the_motor_comes_to_its_speed():
    """Torque 0.05 i against friction 1e-4 w, and 24 V = 0.5 i + 0.05 w."""
    result = load("BondGraph.Examples.Motor").simulate(stop=5)

    speed = 24 * 0.05 / (0.05**2 + 0.5 * 1e-4)
    assert result["rotor.f"][-1] == pytest.approx(speed, rel=1e-6)
    assert result["toShaft.f"][-1] == pytest.approx(speed, rel=1e-6)
    power = result["toShaft.e"] * result["toShaft.f"]
    assert np.allclose(result["toShaft.power"], power)


def test_the_check_valve_lets_no_water_back():
    result = load("BondGraph.Examples.Tanks").simulate(tol=1e-9)

    assert result["valve.f"].min() > -1e-9
    level = 0.2 * 2e4 / 0.7  # volume over both capacities
    tau = 1e3 * (0.2 * 0.5 / 0.7)
    wanted = level - level * np.exp(-result.time / tau)
    assert np.abs(result["lower.e"] - wanted).max() < 1e-5 * level


def test_the_crank_does_no_work_of_its_own():
    result = load("BondGraph.Examples.Crank").simulate()

    assert np.allclose(
        result["crank.e1"] * result["crank.f1"], result["crank.e2"] * result["crank.f2"]
    )
    stretched = 0.1 * (np.cos(result["angle"]) - 1)  # of the spring, whose effort starts at zero
    assert np.abs(result["spring.e"] - 200 * stretched).max() < 1e-4


def test_the_chopper_gives_its_share_of_the_voltage():
    result = load("BondGraph.Examples.Chopper").simulate(stop=0.02)

    times = np.linspace(0.019, 0.02, 2001)
    mean = np.interp(times, result.time, result["load.e"]).mean()
    assert mean == pytest.approx(0.4 * 24, rel=2e-3)
    assert result["diode.f"].min() > -1e-9


@pytest.mark.parametrize(
    ("element", "ratio"),
    [("BondGraph.TF x(n=3)", 9.0), ("BondGraph.GY x(r=3)", 9.0 / 2 / 2)],
)
def test_a_two_port_shows_its_load_to_the_other_side(element, ratio, tmp_path):
    """Behind a transformer 2 looks like 2 n^2, behind a gyrator like r^2 / 2."""
    result = run(
        f"""  BondGraph.Se source(e0=10);
  {element};
  BondGraph.R load(R=2);
equation
  connect(source.p, x.i);
  connect(x.o, load.p);""",
        tmp_path,
        stop=1,
    )

    assert result["source.e"][-1] / result["source.f"][-1] == pytest.approx(2 * ratio)


@pytest.mark.parametrize("kind", ["mTF", "mGY"])
def test_a_modulated_two_port_keeps_power(kind, tmp_path):
    signal = "n" if kind == "mTF" else "r"
    result = run(
        f"""  BondGraph.Sf source(flowRate=1 + time);
  BondGraph.{kind} x;
  BondGraph.R load(R=2);
equation
  x.{signal} = 2 + sin(time);
  connect(source.p, x.i);
  connect(x.o, load.p);""",
        tmp_path,
        stop=3,
    )

    given = result["source.e"] * result["source.f"]
    taken = result["load.e"] * result["load.f"]
    assert np.allclose(given, taken)
    assert given.max() > 1


def test_a_switch_opens_and_closes(tmp_path):
    result = run(
        """  BondGraph.Se source(e0=4);
  BondGraph.Sw switch;
  BondGraph.R load(R=2);
  BondGraph.Junction1 line(ni=1, no=2);
equation
  switch.open = time < 1;
  connect(source.p, line.i[1]);
  connect(line.o[1], switch.p);
  connect(line.o[2], load.p);""",
        tmp_path,
        stop=2,
    )

    flow = np.interp([0.5, 1.5], result.time, result["load.f"])
    assert flow == pytest.approx([0.0, 2.0])


def test_several_connections_at_one_port_are_a_0_junction(tmp_path):
    result = run(
        """  BondGraph.Sf source(f0=3);
  BondGraph.R a(R=1);
  BondGraph.R b(R=2);
equation
  connect(source.p, a.p);
  connect(source.p, b.p);""",
        tmp_path,
        stop=1,
    )

    assert result["a.f"][-1] == pytest.approx(2.0)
    assert result["b.f"][-1] == pytest.approx(1.0)
