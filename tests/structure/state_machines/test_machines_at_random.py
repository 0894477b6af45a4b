"""Random state machines against a direct telling of the rules, tick by tick."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

import freewheel

TICKS = 25


@dataclass(frozen=True)
class Arrow:
    source: int
    target: int
    every: int  # the condition: mod(t, every) == phase
    phase: int
    immediate: bool
    reset: bool
    priority: int

    def asks(self, t: int) -> bool:
        return t % self.every == self.phase


def random_machine(seed: int) -> tuple[int, list[Arrow]]:
    chance = Random(seed)
    count = chance.randint(2, 5)
    arrows = []
    for source in range(count):
        for priority in range(1, chance.randint(1, 3) + 1):
            every = chance.randint(2, 6)
            arrows.append(
                Arrow(
                    source,
                    chance.randrange(count),
                    every,
                    chance.randrange(every),
                    chance.random() < 0.5,
                    chance.random() < 0.5,
                    priority,
                )
            )
    return count, arrows


def told(count: int, arrows: list[Arrow]) -> list[tuple[int, list[int]]]:
    """(active state, counters of all states) at each tick. Delayed transitions wait one tick; of
    those that could fire the smallest priority number does; the first tick resets everything."""
    state, waiting = 0, None
    counters = [0] * count
    result = []
    for t in range(TICKS):
        able = [a for a in arrows if a.immediate and a.source == state and a.asks(t)]
        able += [waiting] if waiting is not None else []
        fired = min(able, key=lambda a: a.priority, default=None)
        if t > 0 and fired is not None:
            state = fired.target
            counters[state] = 0 if fired.reset else counters[state]
        counters[state] += 1
        result.append((state, list(counters)))
        later = [a for a in arrows if not a.immediate and a.source == state and a.asks(t)]
        waiting = min(later, key=lambda a: a.priority, default=None)
    return result


def written(count: int, arrows: list[Arrow]) -> str:
    states = ", ".join(f"s{k}" for k in range(count))
    lines = [
        f"transition(s{a.source}, s{a.target}, mod(t, {a.every}) == {a.phase},"
        f" {str(a.immediate).lower()}, {str(a.reset).lower()}, false, {a.priority});"
        for a in arrows
    ]
    return f"""model M
      block S Integer n(start = 0); equation n = previous(n) + 1; end S;
      S {states};
      Integer t(start = -1) = previous(t) + sample(1, Clock(1));
      Integer current(start = 0) = {chosen(count)};
    equation
      initialState(s0);
      {chr(10).join(lines)}
    end M;"""


def chosen(count: int) -> str:
    parts = [f"if activeState(s{k}) then {k} + 0*t else" for k in range(count)]
    return " ".join(parts) + " -1"


def connected(count: int, arrows: list[Arrow]) -> bool:
    """Only states that transitions join to the first one are in its machine."""
    reached, before = {0}, set()
    while reached != before:
        before = set(reached)
        for a in arrows:
            if a.source in reached or a.target in reached:
                reached |= {a.source, a.target}
    return len(reached) == count


CONNECTED = [seed for seed in range(60) if connected(*random_machine(seed))][:30]


@pytest.mark.parametrize("seed", CONNECTED)
def test_a_random_machine_does_what_the_rules_say(tmp_path, seed: int) -> None:
    count, arrows = random_machine(seed)
    path = tmp_path / "M.mo"
    path.write_text(written(count, arrows))
    model = freewheel.load(path, backend="python" if seed % 2 else "llvm")
    result = model.simulate(stop=TICKS - 1.0, interval=1.0)

    found = []
    for t in range(TICKS):
        row = int(np.searchsorted(result.time, t + 1e-9, side="right")) - 1
        counters = [int(result[f"s{k}.n"][row]) for k in range(count)]
        found.append((int(result["current"][row]), counters))

    assert found == told(count, arrows)
