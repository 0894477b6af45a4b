"""Quantized bond graphs of order 2 and 3: components that send pieces of lines and parabolas.

    raised(generate(graph, quanta), order=2)

`Storage`, `Source` and `Linear` of order 1 send numbers. Those of order n send polynomials of order
n - 1, as the resistance of the paper does with its pairs (a, b). A storage integrates what arrives,
exactly; it sends its own beginning anew when what it sent last is a quantum away from what it holds
(QSS2 and QSS3: Kofman, 2002 and 2006). What answers at once passes polynomials on without any
error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.devs.nodes import PASSIVE, Atomic, Coupled, Events
from freewheel.devs.polynomial import Polynomial, as_polynomial
from freewheel.devs.qbg.atomics import Linear, Source, Storage
from freewheel.devs.qbg.taylor_kernels import coefficients_at, piece_end

ORDERS = (1, 2, 3)


def _take_ports(model: Atomic[Any], base: Storage | Source | Linear) -> None:
    """A component of higher order has the ports of the one that sends numbers."""
    object.__setattr__(model, "inputs", base.inputs)
    object.__setattr__(model, "outputs", base.outputs)


class Integrated(NamedTuple):
    """State of a storage: what it holds and what it sent, both described from the last event on."""

    held: Polynomial
    sent: Polynomial
    wait: float


@final
@dataclass(frozen=True, eq=False)
class PolynomialStorage(Atomic[Integrated]):
    base: Storage
    order: int

    def __post_init__(self) -> None:
        _take_ports(self, self.base)

    def start(self) -> Integrated:
        return Integrated(Polynomial(self.base.initial), Polynomial(self.base.initial), 0.0)

    def time_advance(self, state: Integrated) -> float:
        return state.wait

    def output(self, state: Integrated) -> Events:
        return ((self.outputs[0], state.held.shifted(state.wait).truncated(self.order - 1)),)

    def internal(self, state: Integrated) -> Integrated:
        held = state.held.shifted(state.wait)
        return self._waiting(held, held.truncated(self.order - 1))

    def external(self, state: Integrated, elapsed: float, events: Events) -> Integrated:
        rate = as_polynomial(events[-1][1]).truncated(self.order - 1) * self.base.gain
        held, sent = rate.integral(state.held.at(elapsed)), state.sent.shifted(elapsed)
        if state.wait == elapsed:  # it is due itself: what it sent last does not count any more
            return Integrated(held, sent, 0.0)
        return self._waiting(held, sent)

    def _waiting(self, held: Polynomial, sent: Polynomial) -> Integrated:
        return Integrated(held, sent, (held - sent).leaves(self.base.quantizer.quantum))

    def description(self) -> tuple[str, Mapping[str, str]]:
        return _with_order(self.base.description(), self.order)


class Piece(NamedTuple):
    """State of a source: when the present piece began, when the next does."""

    began: float
    ends: float
    time: float


@final
@dataclass(frozen=True, eq=False)
class PolynomialSource(Atomic[Piece]):
    base: Source
    order: int

    def __post_init__(self) -> None:
        _take_ports(self, self.base)

    def start(self) -> Piece:
        return Piece(0.0, 0.0, 0.0)

    def time_advance(self, state: Piece) -> float:
        return state.ends - state.time

    def output(self, state: Piece) -> Events:
        found = [0.0, 0.0, 0.0]
        signal = self.base.signal
        coefficients_at(signal.kind, signal.numbers, state.ends, found)
        return ((self.outputs[0], Polynomial(*found[: self.order]) * self.base.sign),)

    def internal(self, state: Piece) -> Piece:
        signal, quantum = self.base.signal, self.base.quantizer.quantum
        end = piece_end(signal.kind, signal.numbers, state.ends, self.order, quantum)
        return Piece(state.ends, end, state.ends)

    def external(self, state: Piece, elapsed: float, events: Events) -> Piece:
        return state._replace(time=state.time + elapsed)

    def description(self) -> tuple[str, Mapping[str, str]]:
        name, values = self.base.description()
        return _with_order((name, {**self.base.quantizer.description(), **values}), self.order)


class Answering(NamedTuple):
    """State of what answers at once: inputs, described from the last event on, and outputs to be sent."""

    inputs: tuple[Polynomial, ...]
    changed: frozenset[int]


@final
@dataclass(frozen=True, eq=False)
class PolynomialLinear(Atomic[Answering]):
    """Exact for polynomials of any order."""

    base: Linear
    order: int

    def __post_init__(self) -> None:
        _take_ports(self, self.base)

    def start(self) -> Answering:
        return Answering((Polynomial(0.0),) * len(self.inputs), frozenset())

    def time_advance(self, state: Answering) -> float:
        return 0.0 if state.changed else PASSIVE

    def output(self, state: Answering) -> Events:
        return [(self.outputs[out], self._sum(out, state)) for out in sorted(state.changed)]

    def _sum(self, out: int, state: Answering) -> Polynomial:
        total = Polynomial(0.0)
        for at, factor in self.base.rows[out]:
            total = total + state.inputs[at] * factor
        return total

    def internal(self, state: Answering) -> Answering:
        return Answering(state.inputs, frozenset())

    def external(self, state: Answering, elapsed: float, events: Events) -> Answering:
        inputs = [each.shifted(elapsed) for each in state.inputs]
        changed = set(state.changed)
        for port, value in events:
            at, told = self.inputs.index(port), as_polynomial(value)
            if told == inputs[at]:
                continue
            inputs[at] = told
            changed |= {o for o, row in enumerate(self.base.rows) if any(k == at for k, _ in row)}
        return Answering(tuple(inputs), frozenset(changed))

    def description(self) -> tuple[str, Mapping[str, str]]:
        return _with_order(self.base.description(), self.order)


def _with_order(
    described: tuple[str, Mapping[str, str]], order: int
) -> tuple[str, Mapping[str, str]]:
    return described[0], {**described[1], "order": str(order)}


# ---------------------------------------------------------------- whole models

Raised = PolynomialStorage | PolynomialSource | PolynomialLinear
RAISED: dict[type, Any] = {
    Storage: PolynomialStorage, Source: PolynomialSource, Linear: PolynomialLinear
}  # fmt: skip


def raised_atomic(model: Storage | Source | Linear, order: int) -> Atomic[Any]:
    """The component that sends polynomials of order `order - 1`."""
    if order == 1:
        return model
    if order not in ORDERS:
        text = f"there is no quantized bond graph of order {order}"
        raise UsageError(Diagnostic("U095", text, help="take 1, 2 or 3"))
    if not isinstance(model, Linear) and model.quantizer.levels:
        text = "a quantizer with listed levels sends numbers, no polynomials"
        raise UsageError(Diagnostic("U095", text, help="give a quantum, or take order 1"))
    made: Atomic[Any] = RAISED[type(model)](model, order)
    return made


def raised(model: Coupled, order: int) -> Coupled:
    """A quantized bond graph with components of that order."""
    components: dict[str, Any] = {
        name: raised(each, order)
        if isinstance(each, Coupled)
        else raised_atomic(_of_order_1(each), order)
        for name, each in model.components.items()
    }
    return Coupled(components, model.couplings, model.inputs, model.outputs, model.select)


def lowered(model: Coupled) -> Coupled:
    """The same quantized bond graph with components that send numbers."""
    components: dict[str, Any] = {
        name: lowered(each)
        if isinstance(each, Coupled)
        else each.base
        if isinstance(each, Raised)
        else each
        for name, each in model.components.items()
    }
    return Coupled(components, model.couplings, model.inputs, model.outputs, model.select)


def _of_order_1(each: Atomic[Any]) -> Storage | Source | Linear:
    assert isinstance(each, Storage | Source | Linear), each
    return each
