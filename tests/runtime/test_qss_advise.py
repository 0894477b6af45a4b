"""When `auto` takes quantized states, and when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api import load
from freewheel.runtime.qss import advise

FRONT = """
model Front
  parameter Integer n = 60;
  Real u[n](start = {if i <= n/3 then 1.0 else 0.0 for i in 1:n}, each fixed = true);
equation
  der(u[1]) = (1 - u[1])*n*200;
  for i in 2:n loop
    der(u[i]) = (u[i - 1] - u[i])*n*200;
  end for;
end Front;
"""
HEAT = (
    FRONT.replace("model Front", "model Heat")
    .replace("end Front", "end Heat")
    .replace(
        "(u[i - 1] - u[i])*n*200",
        "(u[i - 1] - 2*u[i] + (if i < n then u[min(i + 1, n)] else 0))*n*200",
    )
)
LINE = """
model Line "nothing is stiff, everything moves"
  parameter Integer n = 60;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = 1 - x[2];
  for i in 2:n - 1 loop
    der(x[i]) = x[i - 1] - x[i + 1];
  end for;
  der(x[n]) = x[n - 1];
end Line;
"""
CELLS = """
model Cells "each jumps when it is full, at times of its own"
  parameter Integer n = 30;
  Real x[n](start = {i/n for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = 2 + i/n - x[i];
    when x[i] > 1 then
      reinit(x[i], 0);
    end when;
  end for;
end Cells;
"""
SWINGS = LINE.replace("Line", "Swings").replace(
    "x[i - 1] - x[i + 1]", "x[i - 1] - x[i + 1] + (if x[i] > 0.5 then 0.01 else 0)"
)


def solver_of(text: str, folder: Path, tolerance: float) -> str:
    path = folder / "model.mo"
    path.write_text(text)
    result = load(path).simulate(stop=0.1, tol=tolerance, interval=0.05)
    return str(result.stats["solver"])


@pytest.mark.parametrize(
    ("text", "tolerance", "is_quantized"),
    [
        (FRONT, 1e-3, True),
        (FRONT, 1e-6, False),
        (HEAT, 1e-3, False),
        (LINE, 1e-3, False),
        (CELLS, 1e-3, True),
        (CELLS, 1e-6, False),
        (SWINGS, 1e-3, False),
    ],
    ids=["front", "tight", "heat", "line", "cells", "cells, tight", "swings"],
)
def test_the_rule_of_auto(
    text: str,
    tolerance: float,
    is_quantized: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # smaller models are translated more quickly
    monkeypatch.setattr(advise, "MANY_STATES", 50)
    monkeypatch.setattr(advise, "MANY_WITH_EVENTS", 25)
    assert (solver_of(text, tmp_path, tolerance) == "liqss2") is is_quantized
