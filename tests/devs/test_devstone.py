"""DEVStone: the numbers of transitions are those of the theory."""

import pytest

from freewheel.devs import simulate
from freewheel.devs.devstone import KINDS, devstone, expected_transitions, kick
from freewheel.devs.messages import simulate_messages


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "depth"), [(1, 1), (2, 2), (5, 3), (7, 6), (12, 8)])
def test_the_transitions_are_as_many_as_expected(kind, width, depth):
    model = devstone(kind, width, depth)

    outcome = simulate(model, 0.0, events=kick(model))

    assert outcome.transitions == expected_transitions(kind, width, depth)
    assert outcome.internal == outcome.external


@pytest.mark.parametrize("kind", KINDS)
def test_messages_through_the_hierarchy_lead_to_as_many(kind):
    model = devstone(kind, 5, 4)

    passed = simulate_messages(model, 0.0, coordinator="parallel", events=kick(model))

    assert passed.transitions == expected_transitions(kind, 5, 4)
