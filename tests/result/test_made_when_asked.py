"""Parts of a result that are given as functions: made once, when they are asked for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import Diagnostic
from freewheel.result.store import Column, Result
from freewheel.runtime.loop.recording import modes_visited

TOGGLE = """
model Toggle
  parameter Real k = 2;
  Real x(start = 0, fixed = true, max = 0.5), small(start = 1e-9, fixed = true);
  Boolean on;
equation
  der(x) = k;
  der(small) = -small;
  on = x > 1;
end Toggle;
"""


def test_each_part_is_made_once_and_not_before():
    made: list[str] = []

    def columns():
        made.append("columns")
        return [Column("time", 0), Column("x", 1)]

    def events():
        made.append("events")
        return ()

    def warnings(data):
        made.append("warnings")
        return [Diagnostic("R175", f"{data.shape[1]} points")]

    def stats(data):
        made.append("stats")
        return {"modes visited": data.shape[1]}

    data = np.zeros((2, 3))
    result = Result(
        "M", data, columns, events=events, warnings=warnings, stats={"steps": 7}, more_stats=stats
    )
    assert len(result) == 3
    assert not made
    for _ in range(2):
        assert result.names() == ["x"]
        assert result.events == ()
        assert [one.message for one in result.warnings] == ["3 points"]
        assert result.stats == {"steps": 7, "modes visited": 3}
    assert sorted(made) == ["columns", "events", "stats", "warnings"]


def test_later_runs_change_nothing_of_what_is_made_late():
    model = fw.load_text(TOGGLE)
    early = model.simulate(stop=1)
    late = model.simulate(stop=1)
    said = [w.message for w in early.warnings]
    assert [w.code for w in early.warnings] == ["R170", "R175"]
    model.simulate(stop=2, params={"k": 0.25})
    assert [w.message for w in late.warnings] == said
    assert late.final("k") == 2
    assert late.stats["modes visited"] == early.stats["modes visited"] == 2
    assert [str(event) for event in late.events] == [str(event) for event in early.events]


def test_a_result_is_pickled_whole():
    result = fw.load_text(TOGGLE).simulate(stop=1)
    copy = pickle.loads(pickle.dumps(result))
    assert copy.names() == result.names()
    assert copy.stats == result.stats
    assert [w.message for w in copy.warnings] == [w.message for w in result.warnings]


@pytest.mark.parametrize(
    ("rows", "expected"), [([], 0), ([1], 2), ([1, 2], 3), ([1, 2, 3], 3)], ids=str
)
def test_modes_are_combinations_and_counters_are_none(rows, expected):
    data = np.array([range(4), [0, 0, 1, 1], [0, 1, 1, 1], [0, 10, 20, 30]], dtype=float)
    assert modes_visited(np.array(rows, dtype=np.intp), data) == {"modes visited": expected}
