"""An equation that says nothing of its unknown in one position of a switch."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.structure.nodes import Loop

FRICTION = """
model M "stuck at the start; what the friction is then, no equation says"
  Real w, push(start = {start}), a, force, x;
  Integer mode(start = 3, fixed = true);
  Boolean stuck, forward;
equation
  forward = pre(mode) == 0 and push > 0.5 or initial() and w > 0;
  stuck = not (pre(mode) == 1 or forward);
  a = der(w);
  a = if stuck then 0 else push - 0.5;
  force = if stuck then push else 0.5;
  2*a = x - force;
  der(x) = time + 1 - x;
  mode = if (pre(mode) == 1 or forward) and w > 0 then 1 else 0;
initial equation
  w = 0;
  der(w) = 0;
end M;
"""


def load(start=0.2):
    return fw.load_text(FRICTION.replace("{start}", str(start)))


def test_it_is_a_loop_of_one():
    blocks = load().upto("structure").ordered.initial.blocks
    loops = [block for block in blocks if isinstance(block, Loop)]

    (loop,) = [loop for loop in loops if ("push",) in [var.name for var in loop.unknowns]]
    assert loop.is_linear
    assert len(loop.unknowns) == 1


@pytest.mark.parametrize("start", [0.0, 0.2])
def test_any_value_of_it_is_a_start(start):
    result = load(start).simulate(stop=1)

    assert result["a"][0] == 0
    assert result["force"][0] == result["push"][0] == result["x"][0]
    assert result.final("a") == pytest.approx((result.final("x") - 0.5) / 2)
