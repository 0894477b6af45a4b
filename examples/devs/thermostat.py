"""A thermostat in a room: a discrete-event controller coupled to a continuous process.

python examples/devs/thermostat.py

The room is a quantized bond graph: its heat capacity and the wall are components of
`freewheel.devs.qbg`, so the temperature is a continuous variable of which other models see the
steps of one tenth of a kelvin. The thermostat is an ordinary DEVS model.

    heater (Sf) ---> 0 ---> room (C)
                     |
                     +----> 1 ---> wall (R)
                            ^
                            |
                         outside (Se)
"""

import sys

from freewheel.devs import PASSIVE, Atomic, Coupled, Events, simulate
from freewheel.devs.qbg.library import (
    Side,
    capacitor,
    effort_source,
    parallel_junction,
    resistance_effort_in,
    serial_junction,
)
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal


class Thermostat(Atomic[tuple[bool, bool]]):
    """State: whether it heats, and whether that is still to be told."""

    inputs = ("temperature",)
    outputs = ("heat",)

    def __init__(self, low: float, high: float, power: float) -> None:
        self.low, self.high, self.power = low, high, power

    def start(self) -> tuple[bool, bool]:
        return False, False

    def time_advance(self, state: tuple[bool, bool]) -> float:
        return 0.0 if state[1] else PASSIVE

    def output(self, state: tuple[bool, bool]) -> Events:
        return (("heat", self.power if state[0] else 0.0),)

    def internal(self, state: tuple[bool, bool]) -> tuple[bool, bool]:
        return state[0], False

    def external(
        self, state: tuple[bool, bool], elapsed: float, events: Events
    ) -> tuple[bool, bool]:
        temperature, heats = events[-1][1], state[0]
        wanted = temperature <= self.low or (heats and temperature < self.high)
        return wanted, state[1] or wanted != heats


def heated_room(
    low: float = 19.0, high: float = 21.0, outside: float = 0.0, start: float = 15.0
) -> Coupled:
    """C = 1 MJ/K, R = 0.01 K/W, 4 kW: it could reach 40 K above the outside; time constant 10^4 s."""
    quantizer = Quantizer(quantum=0.1, window=0.05)
    into, out = (lambda n: Side(n, True)), (lambda n: Side(n, False))
    return Coupled(
        {
            # bond 1 room, bond 2 heater, bond 3 on to the wall
            "air": parallel_junction((out(1), into(2), out(3))),
            # bond 1 wall, bond 2 from the air, bond 3 outside, whose power leaves it
            "gap": serial_junction((out(1), into(2), into(3))),
            "wall": resistance_effort_in(0.01),
            "thermostat": Thermostat(low, high, power=4000.0),
            "room": capacitor(1e6, quantizer, initial=start),
            "outside": effort_source(Signal.make("Constant", k=-outside), quantizer),
        },
        (
            "room.e1p -> air.e1n",
            "air.f1n -> room.f1p",
            "air.e3n -> gap.e2p",
            "gap.f2p -> air.f3n",
            "gap.e1n -> wall.e1p",
            "wall.f1p -> gap.f1n",
            "outside.e1n -> gap.e3p",
            "room.e1p -> thermostat.temperature",
            "thermostat.heat -> air.f2p",
            "room.e1p -> temperature",
            "thermostat.heat -> heat",
        ),
        outputs=("temperature", "heat"),
    )


if __name__ == "__main__":
    outcome = simulate(heated_room(), until=20_000.0, coordinator="classic")
    for time, heat in outcome.at("heat"):
        sys.stdout.write(f"{time:8.1f} s  {heat:6.0f} W\n")
