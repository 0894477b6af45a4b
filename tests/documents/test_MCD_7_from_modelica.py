"""MCD-7, the whole way: Modelica, bond graph, quantized bond graph, DEVS; against the solver."""

from pathlib import Path

import numpy as np
import pytest

from freewheel.api import load
from freewheel.bondgraph.stages import bond_graph
from freewheel.devs import simulate
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.tools.devs_graph import causal_graph

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CIRCUITS = {
    "mcd_fig8.mo": (10.0, {"C": "C.v", "I": "I.i"}),
    "mcd_fig26.mo": (10.0, {"C": "C.v"}),
    "devs/fig28.mo": (10.0, {"L": "L.i"}),
    "devs/fig29.mo": (15.0, {"L1": "L1.i", "C1": "C1.v", "L2": "L2.i", "C2": "C2.v"}),
}


def quantized(name, quantum):
    graph = causal_graph(bond_graph(load(str(EXAMPLES / name))))
    return generate(graph, Quanta(Quantizer(quantum, quantum)))


@pytest.mark.parametrize("name", CIRCUITS)
def test_MCD_7_a_circuit_in_modelica_runs_quantized(name):
    stop, variables = CIRCUITS[name]
    result = load(str(EXAMPLES / name)).simulate(stop=stop)
    times = np.linspace(0.3, stop, 40)
    errors = []

    for quantum in (1e-2, 1e-3):
        steps = simulate_compiled(quantized(name, quantum), stop)
        found = {own: [steps.at(own, t) for t in times] for own in variables}
        wanted = {
            own: np.interp(times, result["time"], result[curve]) for own, curve in variables.items()
        }
        errors.append(max(np.abs(found[own] - wanted[own]).max() for own in variables))

    assert errors[0] < 0.15
    assert errors[1] < 0.015
    assert errors[1] < errors[0] / 3


@pytest.mark.parametrize("name", CIRCUITS)
def test_MCD_7_every_way_to_run_it_changes_the_same_levels(name):
    model = quantized(name, 1e-2)

    interpreted = simulate(model, 3.0, coordinator="classic")
    compiled = simulate_compiled(model, 3.0)
    folded = simulate_compiled(model, 3.0, folded=True)

    assert [(time, value) for time, _, value in interpreted.outputs] == list(
        zip(compiled.times.tolist(), compiled.values.tolist(), strict=True)
    )
    assert folded.values.tolist() == compiled.values.tolist()


def test_MCD_7_fig_23_needs_no_junction_and_gives_1_5_A():
    model = quantized("mcd_fig23.mo", 0.1)
    seen = []

    simulate(model, 0.02, coordinator="classic", watch=seen.append)

    currents = [step.state.now[0] for step in seen if step.model == "R1"]
    assert max(currents) == pytest.approx(1.5, abs=0.0101)
    assert min(currents) == pytest.approx(-1.5, abs=0.0101)
