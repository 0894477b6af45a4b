"""The 17 classes of quantized bond graphs, made from numbers or from a `.ma` file.

    QBGCapacitorFlowIn      QBGInductorEffortIn
    QBGResistanceFlowIn     QBGResistanceEffortIn
    QBGSourceEffort_*       QBGSourceFlow_*         Constant, Step, Sine, Pulse (and three more)
    QBGTransformer          QBGGyratorFlowIn        QBGGyratorEffortIn
    QBGSerialJunction       QBGParallelJunction

A `Side` is one bond of a component: its number there, and whether power enters by it. Efforts are
those of the bonds; a flow counts along the half arrow. Power that enters an element by a bond is
`sign * e * f` with sign 1 where the arrow points to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freewheel.devs.qbg.atomics import Linear, Row, Source, Storage
from freewheel.devs.qbg.numbers import number_text
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal


@dataclass(frozen=True, slots=True)
class Side:
    """One bond as a component sees it."""

    number: int
    is_in: bool

    @property
    def sign(self) -> float:
        return 1.0 if self.is_in else -1.0

    @property
    def effort(self) -> str:
        return f"e{self.number}{'p' if self.is_in else 'n'}"

    @property
    def flow(self) -> str:
        return f"f{self.number}{'p' if self.is_in else 'n'}"


INWARD = Side(1, True)
OUTWARD = Side(1, False)


def capacitor(
    capacity: float, quantizer: Quantizer, initial: float = 0.0, side: Side = INWARD
) -> Storage:
    """edot = f / C."""
    return Storage(
        class_name="QBGCapacitorFlowIn",
        inputs=(side.flow,),
        outputs=(side.effort,),
        gain=side.sign / capacity,
        initial=initial,
        quantizer=quantizer,
        parameters={"C": number_text(capacity), "initial": number_text(initial)},
    )


def inductor(
    inductance: float, quantizer: Quantizer, initial: float = 0.0, side: Side = INWARD
) -> Storage:
    """pdot = e, f = p / I, so fdot = e / I. (The paper's text swaps p and its derivative.)"""
    return Storage(
        class_name="QBGInductorEffortIn",
        inputs=(side.effort,),
        outputs=(side.flow,),
        gain=side.sign / inductance,
        initial=initial,
        quantizer=quantizer,
        parameters={"I": number_text(inductance), "initial": number_text(initial)},
    )


def dependent_storage(kind: str, value: float, quantizer: Quantizer, side: Side) -> Storage:
    """A C whose effort is an input, f = C de/dt, or an I whose flow is an input: `gain` is what the rate
    of its input is multiplied by. It is no model that runs; `field` takes it away."""
    ports = (side.effort,), (side.flow,)
    inputs, outputs = ports if kind == "C" else ports[::-1]
    return Storage(
        class_name=f"dependent {kind}",
        inputs=inputs,
        outputs=outputs,
        gain=side.sign * value,
        initial=0.0,
        quantizer=quantizer,
        parameters={},
    )


def resistance_flow_in(resistance: float, side: Side = INWARD) -> Linear:
    """e = R f."""
    row = ((0, side.sign * resistance),)
    return _linear("QBGResistanceFlowIn", (side.flow,), (side.effort,), (row,), R=resistance)


def resistance_effort_in(resistance: float, side: Side = INWARD) -> Linear:
    """f = e / R."""
    row = ((0, side.sign / resistance),)
    return _linear("QBGResistanceEffortIn", (side.effort,), (side.flow,), (row,), R=resistance)


def effort_source(signal: Signal, quantizer: Quantizer, side: Side = OUTWARD) -> Source:
    return Source(
        class_name=f"QBGSourceEffort_{signal.name}",
        inputs=(side.flow,),
        outputs=(side.effort,),
        signal=signal,
        quantizer=quantizer,
    )


def flow_source(signal: Signal, quantizer: Quantizer, side: Side = OUTWARD) -> Source:
    """The flow counts as it leaves the source."""
    return Source(
        class_name=f"QBGSourceFlow_{signal.name}",
        inputs=(side.effort,),
        outputs=(side.flow,),
        signal=signal,
        quantizer=quantizer,
        sign=-side.sign,
    )


def transformer(modulus: float, first: Side, second: Side, effort_in: int) -> Linear:
    """e2 = e1 / r and, power being kept, f1 = f2 / r where it goes through.

    `effort_in` is the side, 1 or 2, whose effort comes from outside.
    """
    turn = -first.sign * second.sign  # f2 = turn * r * f1
    if effort_in == 1:
        rows: tuple[Row, ...] = (((0, 1.0 / modulus),), ((1, turn / modulus),))
        inputs, outputs = (first.effort, second.flow), (second.effort, first.flow)
    else:
        rows = (((0, modulus),), ((1, turn * modulus),))
        inputs, outputs = (second.effort, first.flow), (first.effort, second.flow)
    return _linear("QBGTransformer", inputs, outputs, rows, r=modulus)


def gyrator_flow_in(modulus: float, first: Side, second: Side) -> Linear:
    """e2 = mu f1 and, power being kept, e1 = mu f2 where it goes through."""
    turn = -first.sign * second.sign
    rows = (((0, modulus),), ((1, turn * modulus),))
    inputs, outputs = (first.flow, second.flow), (second.effort, first.effort)
    return _linear("QBGGyratorFlowIn", inputs, outputs, rows, mu=modulus)


def gyrator_effort_in(modulus: float, first: Side, second: Side) -> Linear:
    turn = -first.sign * second.sign
    rows = (((0, 1.0 / modulus),), ((1, turn / modulus),))
    inputs, outputs = (second.effort, first.effort), (first.flow, second.flow)
    return _linear("QBGGyratorEffortIn", inputs, outputs, rows, mu=modulus)


def serial_junction(sides: Sequence[Side]) -> Linear:
    """One flow, that of bond 1; efforts add up to zero, which gives the effort of bond 1."""
    first, *others = sides
    balance = tuple((at, -first.sign * each.sign) for at, each in enumerate(others, 1))
    copies = tuple(((0, 1.0),) for _ in others)
    return _linear(
        "QBGSerialJunction",
        (first.flow, *(each.effort for each in others)),
        (first.effort, *(each.flow for each in others)),
        (balance, *copies),
    )


def parallel_junction(sides: Sequence[Side]) -> Linear:
    """One effort, that of bond 1; flows add up to zero, which gives the flow of bond 1."""
    first, *others = sides
    balance = tuple((at, -first.sign * each.sign) for at, each in enumerate(others, 1))
    copies = tuple(((0, 1.0),) for _ in others)
    return _linear(
        "QBGParallelJunction",
        (first.effort, *(each.flow for each in others)),
        (first.flow, *(each.effort for each in others)),
        (balance, *copies),
    )


def _linear(
    class_name: str,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    rows: tuple[Row, ...],
    **parameters: float,
) -> Linear:
    return Linear(
        class_name=class_name,
        inputs=inputs,
        outputs=outputs,
        rows=rows,
        parameters={key: number_text(value) for key, value in parameters.items()},
    )
