"""Algebraic loops and dependent storages solved beforehand: one field in place of junctions."""

import numpy as np
import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.devs import simulate
from freewheel.devs.cdpp.ma_build import as_ma, build
from freewheel.devs.cdpp.ma_read import read_ma
from freewheel.devs.cdpp.ma_write import write_ma
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal

SIX = Element("V", "Se", signal=Signal.make("Constant", k=6.0))
FINE = Quanta(Quantizer(1e-3, 1e-3))
DIVIDER = CausalGraph(
    (SIX, Element("R1", "R", 2.0), Element("R2", "R", 4.0)),
    (Junction("j", 1),),
    (Bond("V", "j", "head"), Bond("j", "R1", "head"), Bond("j", "R2", "tail")),
)


def coupled(signal=None):
    """A source and a resistance charge two capacitors side by side."""
    source = Element("V", "Se", signal=signal or SIX.signal)
    return CausalGraph(
        (source, Element("R", "R", 2.0), Element("C1", "C", 0.5, 1.0), Element("C2", "C", 1.0)),
        (Junction("s", 1), Junction("p", 0)),
        (
            Bond("V", "s", "head"), Bond("s", "R", "head"), Bond("s", "p", "tail"),
            Bond("p", "C1", "tail"), Bond("p", "C2", "head"),
        ),
    )  # fmt: skip


def test_a_divider_is_solved():
    model = generate(DIVIDER)

    assert list(model.components) == ["$field", "V"]
    interpreted = simulate(model, 1.0, coordinator="classic").outputs
    for outcome in (interpreted, simulate_compiled(model, 1.0).outputs()):
        assert {port: value for _, port, value in outcome} == {
            "V": 6.0,
            "R1_f1p": 1.0,
            "R2_e1p": 4.0,
        }


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_dependent_storage_takes_its_part(order):
    """Together 1.5 farad; the voltage of both is 6 - 5 exp(-t / 3)."""
    model = generate(coupled(), Quanta(Quantizer(1e-3, 1e-3), order=order))

    outcome = simulate(model, 3.0, coordinator="classic")

    for name in ("C1", "C2"):
        last = outcome.at(name)[-1]
        value = last[1] if order == 1 else last[1].at(3.0 - last[0])
        assert value == pytest.approx(6.0 - 5.0 * np.exp(-1.0), abs=3e-3)


def test_a_field_is_in_a_file():
    model = generate(coupled(), FINE)

    text = write_ma(as_ma(model))
    again = build(read_ma(Source.from_text(text)), QBG_CLASSES)

    assert "$field@QBGField" in text
    before = simulate_compiled(model, 1.0).outputs()
    assert simulate_compiled(again, 1.0).outputs() == [(t, p.lower(), v) for t, p, v in before]


def test_the_rate_of_a_source_cannot_be_quantized():
    """C1 and C2 in a mesh with a source: a jump of the source is a jump of both."""
    elements = (
        Element("V", "Se", signal=Signal.make("Step")),
        Element("C1", "C", 1.0), Element("C2", "C", 1.0), Element("R", "R", 1.0),
    )  # fmt: skip
    bonds = (
        Bond("V", "s", "head"), Bond("s", "p", "head"), Bond("s", "C1", "tail"),
        Bond("p", "C2", "head"), Bond("p", "R", "head"),
    )  # fmt: skip
    graph = CausalGraph(elements, (Junction("s", 1), Junction("p", 0)), bonds)

    with pytest.raises(CompileError) as failure:
        generate(graph)

    (told,) = failure.value.diagnostics
    assert told.code == "E084"
    begin = "the dependent storage `C2` cannot be quantized: the rate of the source `V`"
    assert told.message.startswith(begin)


def test_a_loop_without_a_solution_is_named():
    negative = CausalGraph(
        (SIX, Element("R1", "R", 2.0), Element("R2", "R", -2.0)), DIVIDER.junctions, DIVIDER.bonds
    )

    with pytest.raises(CompileError) as failure:
        generate(negative)

    assert failure.value.diagnostics[0].code == "E082"
    assert "`R1`, `R2`" in failure.value.diagnostics[0].message
