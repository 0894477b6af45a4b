"""Ranks of when-clauses: which conditions wait, and for what."""

from __future__ import annotations

from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import TIME, Integer, Var
from freewheel.formula.types import REAL
from freewheel.structure.atoms import pre_of, sample_flag, when_flag
from freewheel.structure.events.priorities import in_turn, is_time_event
from freewheel.structure.nodes import Condition, ScalarVariable

X = Var(("x",))


def conditions(*priorities: int) -> list[Condition]:
    """A plain flag and a ranked one for each."""
    found = []
    for number, priority in enumerate(priorities):
        source, own = when_flag(2 * number + 1), when_flag(2 * number + 2)
        found.append(Condition(source, sample_flag(number + 1)))
        found.append(Condition(own, source, priority=priority))
    return found


def test_equal_priorities_change_nothing():
    given = conditions(3, 3)
    assert in_turn(given, [X]) == given


def test_the_highest_priority_does_not_wait():
    given = conditions(2, 1)
    found = in_turn(given, [X])
    assert found[:3] == given[:3]
    assert found[3].flag == given[3].flag
    assert found[3].value != given[3].value


def test_flags_are_numbered_by_their_place():
    found = in_turn(conditions(5, -1, 0, 5), [X])
    assert [c.flag for c in found] == [when_flag(n) for n in range(1, len(found) + 1)]


def test_a_lower_priority_asks_whether_all_is_quiet():
    given = conditions(1, 0)
    *_, begun, quiet, waits = in_turn(given, [X])
    assert quiet.value == build.logical_not(build.relation("<>", X, pre_of(X)))
    turn = in_turn(given, [X])[3].value
    text = str(turn)
    for part in (begun.flag, quiet.flag, waits.flag):
        assert str(part.name[-1]) in text


def test_only_time_makes_a_time_event():
    variables = {
        ("x",): ScalarVariable(("x",), REAL, variability=Variability.CONTINUOUS),
        ("next",): ScalarVariable(("next",), REAL, variability=Variability.DISCRETE),
    }
    assert is_time_event(sample_flag(1), variables)
    assert is_time_event(build.relation(">=", TIME, Var(("next",))), variables)
    assert not is_time_event(build.relation(">=", X, Var(("next",))), variables)
    assert not is_time_event(build.relation(">", Var(("next",)), Integer(3)), variables)
    both = build.logical_or(sample_flag(1), build.relation(">", X, Integer(0)))
    assert not is_time_event(both, variables)
