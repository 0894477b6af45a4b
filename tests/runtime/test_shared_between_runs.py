"""What runs of one model share never shows in a result: facts of the model, columns, machine code."""

from dataclasses import replace

import numpy as np
import pytest

import freewheel as fw
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Column, Result
from freewheel.runtime.events.discrete import corner_relations
from freewheel.runtime.events.status_search import status_search
from freewheel.runtime.loop import recording
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import Simulation

RELAY = """
model Relay
  parameter Real high = 0.75;
  Boolean on(start = true, fixed = true);
  Real x(start = 0, fixed = true), lower = x - high;
equation
  der(x) = (if on then 1 else 0) - x;
  on = not pre(on) and x < 0.25 or pre(on) and x <= high;
end Relay;
"""


@pytest.fixture
def relay(tmp_path):
    (tmp_path / "Relay.mo").write_text(RELAY)
    return fw.load(tmp_path / "Relay.mo")


def compiled(loaded):
    return compile_model(loaded.library, loaded.name, Options(backend="llvm")).model


def test_a_model_made_from_another_has_facts_of_its_own(relay):
    model = compiled(relay)
    assert len(corner_relations(model)) == len(model.relations) > 1
    assert corner_relations(model) is corner_relations(model)
    fewer = replace(model, relations=model.relations[:1])
    assert len(corner_relations(fewer)) == 1
    assert len(corner_relations(model)) == len(model.relations)


def test_columns_have_the_numbers_of_their_own_run(relay):
    first = relay.simulate(stop=3.0)
    other = relay.simulate(stop=3.0, params={"high": 0.5})
    again = relay.simulate(stop=3.0)
    assert [first.final("high"), other.final("high"), again.final("high")] == [0.75, 0.5, 0.75]
    assert first.columns == again.columns
    assert first.data.tobytes() == again.data.tobytes()


def test_a_large_table_is_turned_round_when_it_is_read(relay, monkeypatch):
    expected = relay.simulate(stop=3.0)
    monkeypatch.setattr(recording, "LARGE", 10)
    result = relay.simulate(stop=3.0)
    assert len(result) == len(expected)
    assert result.final("x") == expected.final("x")
    assert not result._data.flags.c_contiguous
    assert result.data.flags.c_contiguous
    assert not result.data.flags.writeable
    assert result.data.tobytes() == expected.data.tobytes()


def test_a_table_is_copied_once():
    rows = np.arange(6.0).reshape(3, 2)
    result = Result("M", rows.T, [Column("x", 1)])
    assert result["x"].tolist() == [1.0, 3.0, 5.0]
    assert result.data is result.data


def test_a_search_that_is_compiled_is_called_without_python(relay):
    model = compiled(relay)
    address = status_search.address("agree_thoroughly")
    simulation = Simulation(model, Settings.of(model, stop=1.0), None)
    simulation.begin()
    record = simulation.classic.space.loop
    number = type(record).__type__.fields["agree_thoroughly"].number
    assert record.__whole__[number] == address
