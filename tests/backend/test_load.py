"""What a program says of a model reaches the runtime whole."""

from dataclasses import fields

from freewheel.backend.load import AS_THEY_ARE, RENAMED, plain_of
from freewheel.base.slots import Info
from freewheel.program.nodes import Program
from freewheel.runtime.model import CompiledModel


def names_of(kind: type) -> list[str]:
    return [label.name for label in fields(kind)]


def test_a_field_that_both_sides_call_the_same_is_handed_over():
    both = set(names_of(Program)).intersection(names_of(CompiledModel))
    made = {"start", "sections", "core"}  # a vector, functions, code: not data of the program

    handed = plain_of(empty_program(), with_pattern=True).fields

    assert both - made <= handed.keys()


def empty_program(**given) -> Program:
    return Program(
        **{
            "name": "M",
            "start": (0.0,),
            "names": ("time",),
            "time": 0,
            "states": (1, 1),
            "derivatives": (1, 1),
            "state_slots": (),
            "variables": (),
            "inputs": (),
            "parameters": {},
            "sections": {},
            **given,
        }
    )


def test_each_part_has_its_place():
    program = empty_program(awake=7, variables=(Info("x", 3, -1.0, 2.0, unit="V"),))

    handed = plain_of(program, with_pattern=False).fields

    (x,) = handed["variables"]
    assert (x.name, x.slot, x.sign, x.offset, x.unit) == ("x", 3, -1.0, 2.0, "V")
    assert handed["awake"] == 7
    assert set(AS_THEY_ARE).isdisjoint(RENAMED)
