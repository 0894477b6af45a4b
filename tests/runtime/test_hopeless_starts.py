"""A start without solution, whatever the relations say, is told after a few choices of their statuses."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.events.initial import InitialSystem
from freewheel.runtime.thresholds import AGREEMENT

SIZE = 9

MODEL = f"""
model M
  Real x(start = 1), y[{SIZE}];
equation
  x^2 + 1 + 0.1*sum(y) = 0;
  for i in 1:{SIZE} loop
    y[i] = if x > i then 1 else 2 + x^2;
  end for;
end M;
"""


def test_choices_without_any_solution_are_soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    evaluate = InitialSystem.evaluate
    monkeypatch.setattr(InitialSystem, "evaluate", lambda self: (seen.append(1), evaluate(self)))

    with pytest.raises(SimulationError) as failed:
        fw.load_text(MODEL).simulate(stop=1.0)

    assert failed.value.diagnostics[0].code == "R124"
    assert len(seen) <= 3 * AGREEMENT.most_unsolved  # of 2^9 choices
