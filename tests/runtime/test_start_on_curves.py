"""The start value of a curve's parameter chooses among its pieces, also where all pieces have slopes."""

from __future__ import annotations

import pytest

import freewheel as fw

N_CURVE = """
model N
  parameter Real level = {level};
  Real s(start = {start}), v, i = level;
equation
  i = if s < 0 then {leak}*s elseif s < 1 then 1e-3*s elseif s < 2 then 1e-3 - (s - 1)*9e-4
    else 1e-4 + (s - 2)*1e-3;
  v = if s < 0 then s elseif s < 1 then 0.1*s elseif s < 2 then 0.1 + (s - 1)*0.3 else 0.4 + (s - 2)*{leak};
  {more}
end N;
"""
MESSAGE = ' assert(v > 5, "low", AssertionLevel.warning);'


def _start(tmp_path, level, start, leak="1e-8", more=""):
    path = tmp_path / "n.mo"
    text = N_CURVE.replace("{level}", repr(level)).replace("{start}", repr(start))
    path.write_text(text.replace("{leak}", leak).replace("{more}", more))
    return float(fw.load(path).simulate(stop=1)["s"][0])


@pytest.mark.parametrize("leak", ["1e-8", "0"])
@pytest.mark.parametrize(
    ("level", "start", "expected"),
    [
        (3e-4, -1.0, 0.3),  # not 2.2, where the first piece prolonged would end
        (3e-4, 1.5, 1 + 7 / 9),
        (3e-4, 3.0, 2.2),
        (0.5e-4, 3.0, 0.05),
        (1.2e-3, -1.0, 3.1),  # beyond the fold: the only solution
        (1.2e-3, 1.5, 3.1),
    ],
)
def test_the_piece_next_to_the_start_value_is_taken(tmp_path, level, start, expected, leak):
    assert _start(tmp_path, level, start, leak) == pytest.approx(expected, rel=1e-9)


def test_each_of_many_corners_is_passed(tmp_path):
    """Twenty pieces that rise ever less, one that falls by 3, and a last one that rises for ever. On the one
    below zero, prolonged, the solution is far away."""
    levels = [sum(1 / (n + 1) for n in range(k)) for k in range(21)]
    pieces = [f"{levels[k]!r} + (x - {k})/{k + 1}" for k in range(20)]
    text = " elseif ".join(f"x < {k + 1} then {piece}" for k, piece in enumerate(pieces))
    path = tmp_path / "hill.mo"
    path.write_text(
        f"model Hill Real x(start = -1), y = {levels[15]!r} + time; equation y = if x < 0 then 1e-6*x"
        f" elseif {text} elseif x < 21 then {levels[20]!r} - 3*(x - 20)"
        f" else {levels[20] - 3!r} + (x - 21); end Hill;"
    )
    assert fw.load(path).simulate(stop=0.01)["x"][0] == pytest.approx(15, rel=1e-9)


def test_a_model_with_messages_starts_on_the_same_piece(tmp_path):
    assert _start(tmp_path, 3e-4, -1.0, more=MESSAGE) == pytest.approx(0.3, rel=1e-9)
