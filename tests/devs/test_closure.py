"""A law: random hierarchies run by messages as they do closed, under both coordinators."""

import random

import pytest

from freewheel.devs import PASSIVE, Atomic, Coupled, simulate
from freewheel.devs.messages import simulate_messages


class Adder(Atomic):
    """Adds up what arrives and passes the sum on after a while; some begin by themselves."""

    inputs = ("in",)
    outputs = ("out",)

    def __init__(self, delay, begins):
        self.delay = delay
        self.begins = begins

    def start(self):
        return 1, self.delay if self.begins else PASSIVE

    def time_advance(self, state):
        return state[1]

    def output(self, state):
        return (("out", state[0]),)

    def internal(self, state):
        return state[0] % 1000, PASSIVE

    def external(self, state, elapsed, events):
        rest = min(max(0.0, state[1] - elapsed), self.delay)
        return state[0] + sum(value for _, value in events), rest


def random_model(chance, depth):
    """Some adders, some coupled models of the next depth, coupled at random."""
    parts = {}
    for n in range(chance.randint(2, 4)):
        if depth and chance.random() < 0.4:
            parts[f"m{n}"] = random_model(chance, depth - 1)
        else:
            parts[f"a{n}"] = Adder(chance.choice((0.5, 1.0, 1.5, 2.0)), chance.random() < 0.5)
    names = list(parts)
    couplings = [f"in -> {name}.in" for name in names if chance.random() < 0.5]
    couplings += [f"{name}.out -> out" for name in names if chance.random() < 0.5]
    for source in names:
        targets = [name for name in names if name != source and chance.random() < 0.5]
        couplings += [f"{source}.out -> {target}.in" for target in targets]
    return Coupled(parts, couplings, ("in",), ("out",))


@pytest.mark.parametrize("coordinator", ["classic", "parallel"])
@pytest.mark.parametrize("seed", range(60))
def test_closed_and_by_messages_is_the_same(seed, coordinator):
    model = random_model(random.Random(seed), depth=3)
    events = [(0.25 * n, "in", n) for n in range(1, 6)]

    closed = simulate(model, 12.0, coordinator=coordinator, events=events)
    passed = simulate_messages(model, 12.0, coordinator=coordinator, events=events)

    assert passed.states == closed.states
    assert sorted(passed.outputs) == sorted(closed.outputs)
    assert (passed.internal, passed.external) == (closed.internal, closed.external)
