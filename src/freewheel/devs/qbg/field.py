"""Junctions and resistances as one field, where they cannot answer each other one by one.

Resistances whose outputs are inputs of each other form an algebraic loop; events would never end. A storage
in derivative causality has no state: its flow is that of the storages that decide its effort, so it
takes part of their slopes. In both cases what answers at once is solved beforehand, and one
component `QBGField` stands for it:

    xdot = K (A x + B u + H g),   g = k d/dt(P x + Q u)      ->      (1 - K H k P) xdot = K (A x + B u)

In: the coupled model, with dependent storages in it. Out: the model with storages, sources and the
field, which also sends what resistances answer, `R_f1p`, and the inputs of dependent storages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.nodes import Atomic, Coupled, Coupling, Port
from freewheel.devs.qbg.atomics import Linear, Row, Source, Storage
from freewheel.devs.qbg.fold import MOST_CONDITION, SMALL, Sum, has_loops, output_sums
from freewheel.devs.qbg.network import Network, network_of
from freewheel.devs.qbg.numbers import number_text

FIELD = "$field"
RESISTANCES = ("QBGResistanceFlowIn", "QBGResistanceEffortIn")


def with_field(model: Coupled, dependent: Collection[str]) -> Coupled:
    """The same model, or one with a field if it has loops or dependent storages.

    `dependent` are names of storages whose `gain` is what their input's rate is multiplied by.
    """
    net = network_of(model)
    if not dependent and not has_loops(net):
        return model
    sums = output_sums(net)
    feeding = {target: out for out, targets in enumerate(net.links) for target in targets}
    inputs = {
        net.names[owner]: sums[feeding[slot]] if slot in feeding else {}
        for slot, owner in enumerate(net.owners)
        if isinstance(net.models[owner], Storage)
    }
    rates = {name: row for name, row in inputs.items() if name not in dependent}
    told = {name: row for name, row in inputs.items() if name in dependent}
    if told:
        rates = _shared(net, rates, told)
        flows = {}  # they would need the rates of dependent storages
    else:
        flows = {
            net.outlets[out].replace(".", "_"): sums[out]
            for k, each in enumerate(net.models)
            if isinstance(each, Linear) and each.class_name in RESISTANCES
            for out in range(*net.first_out[k : k + 2])
        }
    return _rebuilt(net, rates, {**told, **flows}, told)


def _shared(net: Network, rates: Mapping[str, Sum], told: Mapping[str, Sum]) -> dict[str, Sum]:
    """Inputs of storages, once dependent ones have taken their part."""
    number = {name: k for k, name in enumerate(net.names)}
    for name, row in told.items():
        if any(net.names[k] in told for k in row):
            raise _refused(name, "it depends on the flow of another dependent storage")
    # Storages that dependent ones take from.
    taking = [n for n in rates if any(net.names[k] in told for k in rates[n])]
    own: dict[str, dict[int, float]] = {}
    matrix = np.eye(len(taking))
    place = {number[name]: k for k, name in enumerate(taking)}
    for at, name in enumerate(taking):
        gain = _gain(net, number[name])
        total = {k: gain * f for k, f in rates[name].items() if net.names[k] not in told}
        for k, factor in rates[name].items():
            if net.names[k] not in told:
                continue
            weight = gain * factor * _gain(net, k)
            for j, part in told[net.names[k]].items():
                if j in place:
                    matrix[at, place[j]] -= weight * part
                elif isinstance(net.models[j], Storage):  # its rate is known
                    for i, f in rates[net.names[j]].items():
                        total[i] = total.get(i, 0.0) + weight * part * _gain(net, j) * f
                elif not _is_constant(net.models[j]):
                    why = f"the rate of the source `{net.names[j]}` enters other storages by it"
                    raise _refused(net.names[k], why)
        own[name] = total
    if taking and np.linalg.cond(matrix) > MOST_CONDITION:
        raise _refused(
            next(iter(told)), "the storages that it depends on have no rate of their own"
        )
    inverse = np.linalg.inv(matrix)
    found = dict(rates)
    for at, name in enumerate(taking):
        total = {}
        for weight, other in zip(inverse[at], taking, strict=True):
            for k, factor in own[other].items():
                total[k] = total.get(k, 0.0) + float(weight) * factor
        gain = _gain(net, number[name])
        small = SMALL * max(map(abs, total.values()), default=0.0)
        found[name] = {k: f / gain for k, f in total.items() if abs(f) > small}
    return found


def _gain(net: Network, number: int) -> float:
    model = net.models[number]
    assert isinstance(model, Storage)
    return model.gain


def _is_constant(model: Atomic[Any]) -> bool:
    return isinstance(model, Source) and model.signal.name == "Constant"


def _refused(name: str, why: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "E084",
            f"the dependent storage `{name}` cannot be quantized: {why}",
            help="a small resistance gives it a state of its own; `freewheel run` needs none",
        )
    )


# ---------------------------------------------------------------- the model


def _rebuilt(
    net: Network, rates: Mapping[str, Sum], shown: Mapping[str, Sum], told: Collection[str]
) -> Coupled:
    """`shown` are sums that leave the model beside storages and sources."""
    kept = [
        (k, name, each)
        for k, (name, each) in enumerate(zip(net.names, net.models, strict=True))
        if not isinstance(each, Linear) and name not in told
    ]
    inlet = {k: at for at, (k, _, _) in enumerate(kept)}
    rows = {name: _row(row, inlet) for name, row in {**rates, **shown}.items()}
    field = field_of(list(rows.values()), len(kept))
    outlet = {name: f"out{at}" for at, name in enumerate(rows, 1)}
    couplings: list[Coupling] = []
    for at, (_, name, each) in enumerate(kept, 1):
        couplings.append(Coupling(Port(name, each.outputs[0]), Port(FIELD, f"in{at}")))
        if name in rates:
            couplings.append(Coupling(Port(FIELD, outlet[name]), Port(name, each.inputs[0])))
    for _, name, each in kept:
        couplings.append(Coupling(Port(name, each.outputs[0]), Port("", name)))
    for name in shown:
        couplings.append(Coupling(Port(FIELD, outlet[name]), Port("", name)))
    models: dict[str, Atomic[Any]] = {FIELD: field, **{name: each for _, name, each in kept}}
    return Coupled(models, couplings, outputs=[*(name for _, name, _ in kept), *shown])


def _row(total: Sum, inlet: Mapping[int, int]) -> Row:
    return tuple((inlet[k], factor) for k, factor in sorted(total.items()) if factor != 0.0)


def field_of(rows: list[Row], count: int) -> Linear:
    """`out1` is the sum of `in1`, `in2`, ... with the factors of row 1."""
    texts = {
        f"row{at}": " ".join(f"{k + 1} {number_text(f)}" for k, f in row) or "1 0"
        for at, row in enumerate(rows, 1)
    }
    return Linear(
        class_name="QBGField",
        inputs=tuple(f"in{at}" for at in range(1, count + 1)),
        outputs=tuple(f"out{at}" for at in range(1, len(rows) + 1)),
        rows=tuple(rows),
        parameters=texts,
    )
