"""A core written by hand as a compiled model, so that the house's own time loop runs it."""

from __future__ import annotations

import numpy as np

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.runtime.core.model import CoreElement, CoreModel
from freewheel.runtime.core.problem import Core
from freewheel.runtime.model import CompiledModel, Relation, SlotRange, StateInfo, VariableInfo

shell = KernelModule("empty_shell")


@shell.kernel
def empty(m: Floats) -> Int:
    return 0


def compiled(core: Core) -> CompiledModel:
    """The memory of the core first, then time, y, y', statuses and residuals of the elements."""
    n, k, base = core.size, len(core.elements), len(core.memory)
    time, states, slopes = base, base + 1, base + 1 + n
    status, residual = slopes + n, slopes + n + k
    start = np.zeros(residual + k)
    start[:base] = core.memory
    start[states : states + n] = core.start
    address = shell.address("empty")
    names = [*core.unknowns]
    elements = tuple(
        CoreElement(e.name, e.unknown, e.bit, statuses=((status + i, 1.0),))
        for i, e in enumerate(core.elements)
    )
    sections = dict.fromkeys(("parameters", "initial", "derivatives", "relations"), lambda m: 0)
    return CompiledModel(
        name=core.name,
        start=start,
        time=time,
        states=SlotRange(states, states + n),
        derivatives=SlotRange(slopes, slopes + n),
        inputs=(),
        state_infos=tuple(StateInfo(x, states + i, slopes + i) for i, x in enumerate(names)),
        variables=tuple(VariableInfo(x, states + i) for i, x in enumerate(names)),
        parameter_slots={},
        sections=sections,
        relations=tuple(
            Relation(status + i, residual + i, f"{e.name}.s > 0", expression=f"{e.name}.s")
            for i, e in enumerate(core.elements)
        ),
        addresses=dict.fromkeys(
            ("initial", "derivatives", "outputs", "relations", "discrete"), address
        ),
        core=CoreModel(
            equations=core.equations,
            origins=core.equations,
            bit_names=core.bit_names,
            bits=core.bits,
            elements=elements,
            is_linear=core.is_linear,
            is_differential=(True,) * n,
            nominals=(1.0,) * n,
            rates=core.rates_address,
            jacobians=core.jacobians_address,
            switches=address,
        ),
    )
