"""Networks with many ideal diodes: they run, in any order of their elements, and in any units.

A multiplier of Cockcroft and Walton has a state that is faster than its load by 1e5 and more, and beyond the
third stage diodes and capacitors at which nothing but rounding happens for a long time.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from diode_networks import diode_network, permuted, scaled
from test_random_networks import run

import freewheel as fw
from freewheel.result.store import Result

FIRST_STAGES = {"ca[1].v": -89.121523490, "ca[2].v": -119.701762454, "ca[3].v": -62.631166692}
HEAD = """
model Multiplier
  import Modelica.Electrical.Analog.{Basic, Sources, Ideal};
  Sources.SineVoltage src(V = 100, f = 1000);
  Basic.Resistor rs(R = 1), load(R = 1e6);
  Basic.Ground g;
"""
STORAGES = "  Basic.Capacitor ca[%d](each C = 1e-6), cb[%d](each C = 1e-6);\n"
DIODES = (
    "  Ideal.IdealDiode da[%d](each Ron = 0, each Goff = 0, each Vknee = 0);\n"
    "  Ideal.IdealDiode db[%d](each Ron = 0, each Goff = 0, each Vknee = 0);\n"
)


def multiplier(stages: int, by_stage: bool) -> str:
    """With its connections stage by stage, or by kinds of elements."""
    chain = [
        f"connect({p}, {n});" for p, n in (("src.n", "g.p"), ("src.p", "rs.p"), ("rs.n", "ca[1].p"))
    ]
    down = ["connect(da[1].p, g.p);", "connect(cb[1].p, g.p);"]
    diodes = [
        [f"connect(da[{i}].n, ca[{i}].n);", f"connect(db[{i}].p, ca[{i}].n);",
         f"connect(db[{i}].n, cb[{i}].n);"]
        for i in range(1, stages + 1)
    ]  # fmt: skip
    links = [
        [f"connect(ca[{i}].p, ca[{i - 1}].n);", f"connect(da[{i}].p, cb[{i - 1}].n);",
         f"connect(cb[{i}].p, cb[{i - 1}].n);"]
        for i in range(2, stages + 1)
    ]  # fmt: skip
    end = [f"connect(load.p, cb[{stages}].n);", "connect(load.n, g.p);"]
    if by_stage:
        lines = [*chain, down[0], *diodes[0], down[1]]
        for link, diode in zip(links, diodes[1:], strict=True):
            lines += [link[0], link[1], *diode, link[2]]
    else:
        lines = chain + down + [line for stage in diodes + links for line in stage]
    pair = (stages, stages)
    return (
        HEAD
        + STORAGES % pair
        + DIODES % pair
        + "equation\n"
        + "\n".join(lines + end)
        + "\nend Multiplier;\n"
    )


def simulated(folder: Path, stages: int, by_stage: bool) -> Result:
    path = folder / "Multiplier.mo"
    path.write_text(multiplier(stages, by_stage))
    return fw.load(path).simulate(stop=0.01, tol=1e-6)


@pytest.mark.parametrize("by_stage", [False, True])
@pytest.mark.parametrize(("stages", "within"), [(10, 1e-6), (20, 3e-5)])
def test_a_multiplier_runs_in_any_order_of_its_connections(stages, within, by_stage, tmp_path):
    """The first stages do not know how many follow."""
    result = simulated(tmp_path, stages, by_stage)
    for name, value in FIRST_STAGES.items():
        assert result.final(name) == pytest.approx(value, rel=within)


@pytest.mark.parametrize("stages", [5, 6])
def test_multipliers_of_either_order_agree(stages, tmp_path):
    one, other = (simulated(tmp_path, stages, by_stage) for by_stage in (False, True))
    for i in range(1, stages + 1):
        for name in (f"ca[{i}].v", f"cb[{i}].v"):
            assert one.final(name) == pytest.approx(other.final(name), rel=1e-6, abs=1e-6)


def storages(result: Result, names: list[str]) -> np.ndarray:
    return np.array([result.final(name) for name in names])


def names_of(circuit) -> list[str]:
    return [f"{e.name}.{'v' if e.kind == 'C' else 'i'}" for e in circuit.elements if e.kind in "CL"]


@pytest.mark.parametrize("seed", [*range(59), 67])
def test_a_network_runs_to_its_end(seed):
    """Number 67 ended with a thousand events within 3e-10 s."""
    circuit = diode_network(seed)
    assert run(circuit, circuit.text).time[-1] == circuit.stop


@pytest.mark.parametrize("seed", [1, 6, 15])
def test_another_order_of_elements_and_nodes_changes_nothing(seed):
    circuit = diode_network(seed)
    names = names_of(circuit)
    found = storages(run(circuit, circuit.text), names)
    size = np.abs(found).max()
    for order in range(2):
        other = permuted(circuit, order)
        assert storages(run(other, other.text), names) == pytest.approx(found, abs=1e-4 * size)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
@pytest.mark.parametrize("seed", [1, 6, 15])
def test_other_units_of_impedance_change_nothing(seed, factor):
    circuit = diode_network(seed)
    names = names_of(circuit)
    found = storages(run(circuit, circuit.text), names)
    other = scaled(circuit, factor)
    unit = np.array([factor if name.endswith("i") else 1.0 for name in names])
    size = np.abs(found).max()
    assert unit * storages(run(other, other.text), names) == pytest.approx(found, abs=1e-5 * size)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(60, 200))
def test_more_networks_run_to_their_ends(seed):
    circuit = diode_network(seed)
    assert run(circuit, circuit.text).time[-1] == circuit.stop


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1060))
def test_large_networks_run_to_their_ends(seed):
    circuit = diode_network(seed, 25, 45)
    assert run(circuit, circuit.text).time[-1] == circuit.stop
