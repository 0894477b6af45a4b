"""Positions that exclude each other release no states."""

from __future__ import annotations

import pytest

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.nodes import Ordered
from freewheel.structure.switching.conditions import Bits
from freewheel.structure.switching.conflicts.possible_modes import Possible

FRICTION = """
model Two
  import Modelica.Mechanics.Translational.*;
  Components.Mass a(m = 2, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Components.Mass b(m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Hybrid.Mechanics.SixStateFriction f(Fs = 3), g(Fs = 2);
  Components.Fixed ground;
  Sources.Force u(f = sin(time));
equation
  connect(ground.flange, f.flange_a);
  connect(f.flange_b, a.flange_a);
  connect(a.flange_b, g.flange_a);
  connect(g.flange_b, b.flange_a);
  connect(u.flange, b.flange_b);
end Two;
"""
SWITCHES = """
model Machine
  Real x(start = 0, fixed = true);
  Boolean a(start = false, fixed = true), b(start = false, fixed = true), rest;
  Integer mode(start = 1, fixed = true);
equation
  a = pre(b) and x > 1 or pre(a) and not x <= 0;
  b = not a and time > 3;
  rest = not (a or b);
  mode = if a then 2 else pre(mode);
  der(x) = if a then 1 else if b then 2 else if rest then 3
    else if mode == 1 then 4 else if mode == 2 then 5 else if time > 3 then 6 else 7;
end Machine;
"""


def ordered(text: str, name: str) -> Ordered:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "x.mo"))
    return compile_model(library, (name,), Options(stop_after="structure")).ordered


def test_friction_in_acceleration_form_needs_no_implicit_core():
    """It would, if an element could slide and stick at a time."""
    assert not ordered(FRICTION, "Two").core.is_there


@pytest.fixture(scope="module")
def machine() -> tuple[Possible, dict[str, tuple[int, bool]]]:
    hybrid = ordered(SWITCHES, "Machine").hybrid
    bits = Bits(hybrid.discrete_equations, frozenset(hybrid.continuous))
    node = hybrid.equations[0].right
    while len(node.args) == 3:
        assert bits.of(node.args[0]) is not None
        node = node.args[2]
    return Possible(bits), {bit.text: (bit.number, bit.is_direct) for bit in bits.bits}


def case(number: dict[str, tuple[int, bool]], together: dict[str, bool]) -> dict[int, bool]:
    """A bit may stand for the contrary of what the modeller wrote."""
    return {number[text][0]: value == number[text][1] for text, value in together.items()}


@pytest.mark.parametrize(
    ("together", "is_possible"),
    [
        ({"a": True}, True),
        ({"a": True, "b": True}, False),
        ({"a": True, "rest": True}, False),
        ({"a": False, "b": False, "rest": False}, False),
        ({"b": True, "rest": False}, True),
        ({"mode == 1": True, "mode == 2": True}, False),
        ({"mode == 1": False, "mode == 2": False}, True),
    ],
)
def test_definitions_tell_what_can_be_together(machine, together, is_possible):
    possible, number = machine

    assert possible.allows(case(number, together)) is is_possible


def test_what_is_decided_before_counts(machine):
    possible, number = machine

    new = tuple(case(number, {"b": True}).items())

    assert not possible.allows(case(number, {"a": True}), new)
    assert possible.allows(case(number, {"a": False}), new)
