"""A traffic light with a button for pedestrians: states that wait, and events that cut them short.

python examples/devs/traffic_light.py

Green lasts until somebody has pressed the button and at least `least_green` has passed. A press
that comes early is remembered.
"""

import sys
from typing import NamedTuple

from freewheel.devs import PASSIVE, Atomic, Events, simulate

NEXT = {"green": "yellow", "yellow": "red", "red": "green"}


class Shown(NamedTuple):
    """The light, how long it has still to last, and for how long it has been green."""

    light: str
    rest: float
    green_for: float = 0.0


class TrafficLight(Atomic[Shown]):
    """Input `button`, output `light`."""

    inputs = ("button",)
    outputs = ("light",)

    def __init__(self, least_green: float = 20.0, yellow: float = 3.0, red: float = 10.0) -> None:
        self.least_green = least_green
        self.lasts = {"green": PASSIVE, "yellow": yellow, "red": red}

    def start(self) -> Shown:
        return Shown("green", PASSIVE)

    def time_advance(self, state: Shown) -> float:
        return state.rest

    def output(self, state: Shown) -> Events:
        return (("light", NEXT[state.light]),)

    def internal(self, state: Shown) -> Shown:
        light = NEXT[state.light]
        return Shown(light, self.lasts[light])

    def external(self, state: Shown, elapsed: float, events: Events) -> Shown:
        if state.light != "green":
            return state._replace(rest=state.rest - elapsed)  # they have red already
        green_for = state.green_for + elapsed
        return Shown("green", max(0.0, self.least_green - green_for), green_for)


if __name__ == "__main__":
    presses = [(5.0, "button", 1), (7.0, "button", 1), (90.0, "button", 1)]
    for time, light in simulate(TrafficLight(), until=120.0, events=presses).at("light"):
        sys.stdout.write(f"{time:6.1f} s  {light}\n")
