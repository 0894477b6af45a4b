"""Customers, a waiting line and a till: the first DEVS model of every textbook.

python examples/devs/waiting_line.py

Customers come at given times; one is served at a time; those who come meanwhile wait in line.
"""

import math
import sys
from dataclasses import dataclass, replace

from freewheel.devs import PASSIVE, Atomic, Coupled, Events, simulate


@dataclass(frozen=True)
class Arrivals(Atomic[int]):
    """Sends its customers one after the other; the state counts those who have come."""

    customers: tuple[tuple[float, str], ...]
    outputs = ("customer",)

    def start(self) -> int:
        return 0

    def time_advance(self, state: int) -> float:
        if state == len(self.customers):
            return PASSIVE
        before = self.customers[state - 1][0] if state else 0.0
        return self.customers[state][0] - before

    def output(self, state: int) -> Events:
        return (("customer", self.customers[state][1]),)

    def internal(self, state: int) -> int:
        return state + 1


@dataclass(frozen=True)
class Line:
    """Who is being served and who waits, first come first served; and how long it still takes."""

    people: tuple[str, ...] = ()
    rest: float = PASSIVE


@dataclass(frozen=True)
class Till(Atomic[Line]):
    """Serves each customer for the same time."""

    service: float
    inputs = ("customer",)
    outputs = ("served",)

    def start(self) -> Line:
        return Line()

    def time_advance(self, state: Line) -> float:
        return state.rest

    def output(self, state: Line) -> Events:
        return (("served", state.people[0]),)

    def internal(self, state: Line) -> Line:
        people = state.people[1:]
        return Line(people, self.service if people else PASSIVE)

    def external(self, state: Line, elapsed: float, events: Events) -> Line:
        people = state.people + tuple(name for _, name in events)
        rest = state.rest - elapsed if state.people else self.service
        return replace(state, people=people, rest=rest)


def shop(customers: tuple[tuple[float, str], ...], service: float) -> Coupled:
    """The whole: who has been served leaves it."""
    return Coupled(
        {"arrivals": Arrivals(customers), "till": Till(service)},
        ("arrivals.customer -> till.customer", "till.served -> served"),
        outputs=("served",),
    )


if __name__ == "__main__":
    model = shop(((0.0, "Ann"), (1.0, "Bob"), (1.5, "Cid"), (9.0, "Dan")), service=2.0)
    for time, name in simulate(model, until=math.inf).at("served"):
        sys.stdout.write(f"{time:5.1f} s  {name}\n")
