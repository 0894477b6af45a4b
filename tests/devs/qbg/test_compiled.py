"""Compiled and folded networks against the models they stand for."""

import numpy as np
import pytest
from quantized_circuits import random_ladder

from freewheel.base.diagnostics import CompileError, SimulationError
from freewheel.devs import Coupled, simulate
from freewheel.devs.devstone import devstone
from freewheel.devs.qbg.compiled import can_be_compiled, simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.library import resistance_flow_in
from freewheel.devs.qbg.quantizer import Quantizer


@pytest.mark.parametrize("seed", range(40))
def test_compiled_kernels_do_what_the_atomic_models_do_bit_by_bit(seed):
    model = generate(random_ladder(seed), Quanta(Quantizer(0.05, 0.03)))

    interpreted = simulate(model, 2.0, coordinator="classic")
    compiled = simulate_compiled(model, 2.0)

    assert tuple(compiled.outputs()) == interpreted.outputs
    assert (compiled.internal, compiled.external) == (interpreted.internal, interpreted.external)


@pytest.mark.parametrize("seed", range(40))
def test_folding_junctions_away_changes_no_level(seed):
    """Sums are made in another order: where two levels change almost together, theirs may swap."""
    model = generate(random_ladder(seed), Quanta(Quantizer(0.05, 0.05)))

    whole, folded = simulate_compiled(model, 2.0), simulate_compiled(model, 2.0, folded=True)

    for name in folded.names:
        times, values = whole.of(name)
        folded_times, folded_values = folded.of(name)
        assert folded_values.tolist() == values.tolist()
        assert folded_times == pytest.approx(times, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("folded", [False, True])
def test_the_kernels_give_the_same_in_cpython(seed, folded):
    model = generate(random_ladder(seed), Quanta(Quantizer(0.2, 0.1)))

    machine = simulate_compiled(model, 1.0, folded=folded)
    python = simulate_compiled(model, 1.0, folded=folded, code="python")

    assert machine.times.tolist() == python.times.tolist()
    assert machine.values.tolist() == python.values.tolist()
    assert machine.transitions == python.transitions


def test_a_long_run_is_taken_in_pieces():
    model = generate(random_ladder(1), Quanta(Quantizer(1e-5, 1e-5)))

    steps = simulate_compiled(model, 0.5)

    assert len(steps.times) > 70_000
    assert np.all(np.diff(steps.times) >= 0.0)


def test_a_flood_of_changes_is_told():
    model = generate(random_ladder(1), Quanta(Quantizer(1e-7, 1e-7)))

    with pytest.raises(SimulationError) as failure:
        simulate_compiled(model, 10.0, max_steps=200_000)

    (told,) = failure.value.diagnostics
    assert told.code == "R204"
    assert told.message.startswith("more than 200000 changes of levels up to t = ")


def test_other_models_cannot_be_compiled():
    with pytest.raises(CompileError) as failure:
        simulate_compiled(devstone("LI", 2, 2), 1.0)

    (told,) = failure.value.diagnostics
    assert told.code == "N087"
    assert "is no component of a quantized bond graph" in told.message
    assert told.help == "simulate the model with `freewheel.devs.simulate`"


def test_only_bond_graphs_can_be_compiled():
    assert not can_be_compiled(devstone("LI", 2, 2))
    assert can_be_compiled(Coupled({"r": resistance_flow_in(1.0)}))


@pytest.mark.parametrize("seed", range(20))
def test_what_answers_at_once_can_be_watched(seed):
    """Its outputs leave the model, or are asked for; interpreted runs give the same events."""
    graph = random_ladder(seed)
    model = generate(graph, Quanta(Quantizer(0.1, 0.1)))
    port = model.components["R0"].outputs[0]
    couplings = (*model.couplings, f"R0.{port} -> i")
    watched = Coupled(model.components, couplings, outputs=(*model.outputs, "i"))

    interpreted = simulate(watched, 2.0, coordinator="classic")
    compiled = simulate_compiled(watched, 2.0)
    asked = simulate_compiled(model, 2.0, record=[f"R0.{port}"])

    assert tuple(compiled.outputs()) == interpreted.outputs
    times, values = asked.of(f"R0.{port}")
    found = list(zip(times.tolist(), values.tolist(), strict=True))
    assert found == interpreted.at("i")
    assert len(found) > 3
