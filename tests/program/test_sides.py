"""Statuses of relations begin on the side where the start values are."""

from __future__ import annotations

import pytest

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model


def sides(declarations: str) -> list[float]:
    text = f"model M {declarations} equation y = if x < 1 then 2*x else x + 1; end M;"
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "m.mo"))
    model = compile_model(library, ("M",), Options(backend="python")).model
    memory = model.start.copy()
    assert model.sections["parameters"](memory) == 0
    return [float(memory[relation.status]) for relation in model.relations]


@pytest.mark.parametrize(
    ("declarations", "side"),
    [
        ("Real x, y = sin(time);", -1.0),
        ("Real x(start=3), y = sin(time);", 1.0),
        ("Real x(start=1), y = sin(time);", 0.0),
        ("parameter Real p = 2; Real x(start=p), y = sin(time);", 1.0),
        ("parameter Real p = 2; Real x(start=-p), y = sin(time);", -1.0),
    ],
)
def test_the_side_of_a_relation_is_that_of_the_start_value(declarations, side):
    assert sides(declarations) == [side]
