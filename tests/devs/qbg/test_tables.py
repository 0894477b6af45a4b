"""Signals that are tables: straight lines and jumps."""

import random

import pytest

from freewheel.base.diagnostics import CompileError, UsageError
from freewheel.base.source import Source
from freewheel.devs import simulate
from freewheel.devs.cdpp.ma_build import build
from freewheel.devs.cdpp.ma_read import read_ma
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.library import effort_source
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal


@pytest.mark.parametrize("seed", range(30))
def test_a_table_is_followed(seed):
    """Jumps and corners at levels too: values are multiples of half a quantum."""
    dice = random.Random(seed)
    points = [(0.0, 0.0)]
    for _ in range(20):
        wait = 0.0 if dice.random() < 0.3 else dice.random()
        points.append((points[-1][0] + wait, 0.05 * dice.randint(-20, 20)))
    signal, end = Signal.table(points), points[-1][0]
    window = dice.choice([0.0, 0.02, 0.1])

    events = simulate(effort_source(signal, Quantizer(0.1, window)), end + 1.0).at("e1n")

    at = 0
    for k in range(2000):
        time = 0.000501 * k * end
        while at + 1 < len(events) and events[at + 1][0] <= time:
            at += 1
        assert abs(events[at][1] - signal.at(time)) <= 0.1 + 1e-9


def test_a_table_has_its_ends_outside_and_the_later_value_at_a_jump():
    signal = Signal.table([(1.0, 2.0), (2.0, 4.0), (2.0, -1.0), (2.0, 0.0), (3.0, 1.0)])

    assert [signal.at(t) for t in (0.0, 1.5, 2.0, 2.5, 9.0)] == [2.0, 3.0, 0.0, 0.5, 1.0]
    assert signal.points == ((1.0, 2.0), (2.0, 4.0), (2.0, 0.0), (3.0, 1.0))


@pytest.mark.parametrize("points", [[], [(1.0, 0.0), (0.5, 1.0)], [(0.0, float("nan"))]])
def test_a_table_that_cannot_be_is_refused(points):
    with pytest.raises(UsageError) as failure:
        Signal.table(points)

    assert failure.value.diagnostics[0].code == "U085"
    assert "the signal Table cannot be made: " in failure.value.diagnostics[0].message
    assert failure.value.diagnostics[0].help


def test_a_table_in_a_file():
    text = "[top]\ncomponents : v@QBGSourceEffort_Table\n[v]\nquantum : 1\ntimes : 0 1\nvalues : 0 2{}\n"

    model = build(read_ma(Source.from_text(text.format(""))), QBG_CLASSES)
    assert model.components["v"].signal == Signal.table([(0.0, 0.0), (1.0, 2.0)])
    with pytest.raises(CompileError) as failure:
        build(read_ma(Source.from_text(text.format(" 3"))), QBG_CLASSES)
    assert (
        failure.value.diagnostics[0].message == "`values` of `v`: there are 3 of them, but 2 times"
    )


def test_a_signal_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(UsageError) as failure:
        Signal.make("Sawtooth", period=1.0)

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == ("U084", "there is no signal `Sawtooth`")
    assert told.help.startswith("known are Constant, Step, Pulse")
