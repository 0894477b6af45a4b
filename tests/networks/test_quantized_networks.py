"""Random networks of R, L, C, ideal diodes and ideal switches by quantized states.

Which unknowns are quantized changes with the mode; whatever a network does, the result must be that of the
classic method as far as the quantum says.
"""

from __future__ import annotations

import pytest
from random_circuits import random_circuit
from test_random_networks import disagreement, library_of

from freewheel.pipeline import Options, compile_model
from freewheel.runtime.qss.quanta import Quantum
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

QUANTUM = 1e-7
FAST, ALL = range(6), range(150)
METHODS = ("qss2", "qss3", "liqss2", "liqss3", "mliqss2")
ALLOWED = 1e-3  # of the largest value, in 19 of 20 samples


def check(seed: int, with_sources: bool, method: str) -> None:
    circuit = random_circuit(seed, with_sources)
    model = compile_model(library_of(circuit, circuit.text), (circuit.name,), Options()).model
    assert model is not None
    expected = simulate(model, Settings.of(model, stop=circuit.stop))
    quanta = {"": Quantum(QUANTUM, QUANTUM)}
    chosen = Settings.of(model, stop=circuit.stop, solver=method, quanta=quanta)
    result = simulate(model, chosen)

    assert result.time[-1] == circuit.stop
    assert disagreement(circuit, expected, result) < ALLOWED
    jumps, wanted = (sum(abs(i.strength) for i in r.impulses) for r in (result, expected))
    assert jumps == pytest.approx(wanted, rel=ALLOWED, abs=ALLOWED)


@pytest.mark.parametrize("with_sources", [False, True])
@pytest.mark.parametrize("seed", FAST)
def test_a_network(seed, with_sources):
    check(seed, with_sources, METHODS[seed % len(METHODS)])


@pytest.mark.long
@pytest.mark.parametrize("with_sources", [False, True])
@pytest.mark.parametrize("seed", ALL)
def test_many_networks(seed, with_sources):
    check(seed, with_sources, METHODS[seed % len(METHODS)])
