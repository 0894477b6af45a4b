"""The corridor can be entered with a flat model and left after any stage."""

import pytest

import freewheel as fw
from freewheel.pipeline import STAGES, Options, as_written, compile_flat, compile_model
from freewheel.structure.nodes import Elimination

TEXT = """model M
  Real x(start = 1, fixed = true); Real y; Real z;
equation
  der(x) = -y; y = z; z = 2*x;
end M;
"""
BEHIND_FLAT = STAGES[STAGES.index("flat") + 1 :]


@pytest.fixture
def model():
    return fw.load_text(TEXT)


@pytest.mark.parametrize("stage", STAGES)
def test_it_stops_after_any_stage(model, stage):
    made = compile_model(model.library, model.name, Options(stop_after=stage, backend="python"))

    assert list(made.products) == list(STAGES[: STAGES.index(stage) + 1])
    assert made.seconds.keys() == made.products.keys()


@pytest.mark.parametrize("stage", BEHIND_FLAT)
def test_it_goes_on_from_a_flat_model(model, stage):
    made = compile_flat(model.flatten(), Options(stop_after=stage, backend="python"))

    assert list(made.products) == list(BEHIND_FLAT[: BEHIND_FLAT.index(stage) + 1])


def test_both_ways_give_the_same_program(model):
    options = Options(stop_after="program")

    from_class = compile_model(model.library, model.name, options).program
    from_flat = compile_flat(model.flatten(), options).program

    assert from_class == from_flat


@pytest.mark.parametrize(("eliminate", "count"), [("none", 3), ("aliases", 2), ("zeros", 2)])
def test_what_is_eliminated_is_an_option(model, eliminate, count):
    made = compile_flat(model.flatten(), Options(stop_after="structure", eliminate=eliminate))

    assert len(made.ordered.simulation.blocks) == count


def test_as_written_eliminates_nothing(model):
    assert len(as_written(model.flatten()).simulation.blocks) == 3


def test_the_option_has_the_words_of_the_structure_room():
    assert Options().eliminate == Elimination.ZEROS.value
