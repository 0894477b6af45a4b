"""Compiled and folded networks against the models they stand for."""

import random

import numpy as np
import pytest

from freewheel.base.diagnostics import CompileError, SimulationError
from freewheel.devs import Coupled, simulate
from freewheel.devs.devstone import devstone
from freewheel.devs.qbg.compiled import can_be_compiled, simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction
from freewheel.devs.qbg.library import resistance_flow_in
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal

SIGNALS = (
    Signal.make("Pulse", amplitude=3.0, period=0.7),
    Signal.make("Sine", amplitude=2.0, frequency=0.9, phase=0.3),
    Signal.make("Ramp", height=2.0, duration=1.3),
    Signal.make("ExpSine", amplitude=3.0, frequency=0.7, damping=0.4),
    Signal.make("Exponential", outmax=2.0, riseTime=1.0, riseTimeConst=0.5, fallTimeConst=0.7),
    Signal.make("Step", height=2.0, starttime=0.4),
    Signal.make("Constant", k=1.7),
)


def random_ladder(seed):
    """A source and stages: in the series branch R or R and L, in the shunt branch C, and at times
    a transformer or two gyrators between stages."""
    chance = random.Random(seed)
    elements = [Element("V", "Se", signal=chance.choice(SIGNALS))]
    junctions, bonds, before, port = [], [], "V", 1
    for n in range(chance.randint(1, 5)):
        elements += [
            Element(f"R{n}", "R", chance.uniform(0.5, 3.0)),
            Element(f"C{n}", "C", chance.uniform(0.1, 1.0), chance.uniform(-1.0, 1.0)),
        ]
        junctions += [Junction(f"s{n}", 1), Junction(f"p{n}", 0)]
        with_coil = chance.random() < 0.5
        bonds += [
            Bond(before, f"s{n}", "head", tail_port=port),
            Bond(f"s{n}", f"R{n}", "tail" if with_coil else "head"),
            Bond(f"s{n}", f"p{n}", "tail"),
            Bond(f"C{n}", f"p{n}", "head")
            if chance.random() < 0.3
            else Bond(f"p{n}", f"C{n}", "tail"),
        ]
        if with_coil:
            elements.append(Element(f"L{n}", "I", chance.uniform(0.1, 1.0)))
            bonds.append(Bond(f"s{n}", f"L{n}", "head"))
        before, port = f"p{n}", 1
        if chance.random() < 0.4:
            elements.append(Element(f"T{n}", "TF", chance.uniform(0.5, 2.0)))
            bonds.append(Bond(before, f"T{n}", "head"))
            before, port = f"T{n}", 2
    last = max(n for n in range(9) if Junction(f"p{n}", 0) in junctions)
    if before.startswith("T"):
        elements.append(Element("load", "R", 2.0))
        bonds.append(Bond(before, "load", "head", tail_port=2))
    assert last >= 0
    return CausalGraph(tuple(elements), tuple(junctions), tuple(bonds))


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


def divider():
    """Two resistances that tell each other: an algebraic loop of gain 2, which never settles."""
    elements = (
        Element("V", "Se", signal=Signal.make("Constant", k=6.0)),
        Element("R1", "R", 2.0),
        Element("R2", "R", 4.0),
    )
    bonds = (Bond("V", "j", "head"), Bond("j", "R1", "head"), Bond("j", "R2", "tail"))
    return generate(CausalGraph(elements, (Junction("j", 1),), bonds))


def test_an_algebraic_loop_is_named():
    with pytest.raises(CompileError) as failure:
        simulate_compiled(divider(), 1.0, folded=True)
    assert failure.value.diagnostics[0].code == "E082"
    assert "`R1`" in failure.value.diagnostics[0].message

    with pytest.raises(SimulationError) as failed:
        simulate(divider(), 1.0, coordinator="classic")
    assert failed.value.diagnostics[0].message == (
        "infinitely many transitions at t = 0: `R1`, `R2`, `j`"
    )
    with pytest.raises(SimulationError) as failed:
        simulate_compiled(divider(), 1.0)
    assert failed.value.diagnostics[0].message == (
        "infinitely many transitions at t = 0: `R1`, `R2`, `j`"
    )


def test_other_models_cannot_be_compiled():
    with pytest.raises(CompileError, match="is no component of a quantized bond graph"):
        simulate_compiled(devstone("LI", 2, 2), 1.0)


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
