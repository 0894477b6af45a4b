"""Ctrl-C while a mode is analysed, or while positions are chosen in machine code: the run ends there."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.switched_dae import attached, subspaces
from freewheel.runtime.switched_dae.attached import AttachedCore
from freewheel.runtime.switched_dae.memory import GO_ON

STAGES = 20
LADDER = f"""
model Ladder "of diodes: more unknowns than are analysed in no time"
  parameter Integer n = {STAGES};
  Real i[n](each start = 0, each fixed = true), v[n](each start = 0, each fixed = true), s[n], ud[n];
equation
  for k in 1:n loop
    (if k == 1 then 10*sin(100*time) else v[k - 1]) = 0.01*der(i[k]) + ud[k] + v[k];
    1e-3*der(v[k]) = i[k] - (if k < n then i[k + 1] else 0) - v[k]/50;
    ud[k] = if s[k] < 0 then s[k] else 0;
    i[k] = if s[k] < 0 then 0 else s[k];
  end for;
end Ladder;
"""


def interrupted() -> np.ndarray:
    """The times up to which it is kept."""
    with pytest.raises(SimulationError) as caught:
        fw.load_text(LADDER).simulate(stop=1.0)
    assert [d.code for d in caught.value.diagnostics] == ["R009"]
    return caught.value.result.time


def test_a_mode_analysis_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """At its next rank, and no other one begins."""
    begun: list[int] = []
    analyse, null_space = attached.analyse_mode, subspaces.null_space
    ranks: list[int] = []

    def analysed(*arguments: Any) -> Any:
        begun.append(len(ranks))
        return analyse(*arguments)

    def ranked(matrix: Any) -> Any:
        ranks.append(len(begun))
        if ranks.count(3) == 1:
            signal.raise_signal(signal.SIGINT)
        return null_space(matrix)

    monkeypatch.setattr(attached, "analyse_mode", analysed)
    monkeypatch.setattr(subspaces, "null_space", ranked)
    times = interrupted()

    assert len(begun) == 3
    assert ranks.count(3) == 1
    assert len(times) > 0
    assert times[-1] < 1.0


def test_a_choice_of_positions_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    answer = AttachedCore._asked

    def answered(self: AttachedCore, what: int, which: int, t: float) -> int:
        asked.append(what)
        if what == GO_ON and asked.count(GO_ON) == 4:
            signal.raise_signal(signal.SIGINT)
        return answer(self, what, which, t)

    monkeypatch.setattr(AttachedCore, "_asked", answered)
    interrupted()

    last = max(
        k for k, what in enumerate(asked) if asked[: k + 1].count(GO_ON) == 4 and what == GO_ON
    )
    assert len(asked) <= last + 20  # no further event is settled


def test_small_models_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would cost more than the choice of their positions."""
    asked: list[int] = []
    answer = AttachedCore._asked
    monkeypatch.setattr(
        AttachedCore,
        "_asked",
        lambda self, what, *rest: asked.append(what) or answer(self, what, *rest),
    )
    fw.load_text(LADDER.replace(f"n = {STAGES}", "n = 2")).simulate(stop=0.05)

    assert asked
    assert GO_ON not in asked
