"""Fill a `CompiledModel`: program in, callable sections and their data out.

model = build(program)
model.sections["derivatives"](memory)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from freewheel.program.nodes import Act, Info, Program
from freewheel.program.sparsity import compressed
from freewheel.runtime.model import (
    CompiledModel,
    Relation,
    Sample,
    SlotRange,
    StateChoice,
    StateInfo,
    VariableInfo,
)

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.backend.reference import Reference

BACKENDS = ("python", "llvm")


def build(program: Program, backend: str = "python") -> CompiledModel:
    """Compile the program with one of the backends."""
    assert backend in BACKENDS, backend
    machine: Reference | LlvmMachine
    start = np.array(program.start, dtype=np.float64)
    message_flag, pattern = -1, None
    addresses: Mapping[str, int] = {}
    if backend == "llvm":
        from freewheel.backend.llvm import LlvmMachine

        machine = LlvmMachine(program)
        text, addresses = machine.text, machine.addresses
        pattern = None if program.sparsity is None else compressed(program.sparsity)
        message_flag, start = len(start), np.append(start, 0.0)
    else:
        from freewheel.backend.reference import Reference

        machine = Reference(program)
        text = machine.source.text
    return CompiledModel(
        name=program.name,
        start=start,
        time=program.time,
        states=SlotRange(*program.states),
        derivatives=SlotRange(*program.derivatives),
        inputs=tuple(_variable(info) for info in program.inputs),
        state_infos=tuple(
            StateInfo(s.name, s.slot, s.derivative, s.nominal) for s in program.state_slots
        ),
        variables=tuple(_variable(info) for info in program.variables),
        parameter_slots=dict(program.parameters),
        sections=machine.sections,
        relations=tuple(
            Relation(r.status, r.residual, r.text, r.depends_on_time_only, r.span)
            for r in program.relations
        ),
        samples=tuple(Sample(*slots) for slots in program.samples),
        terminal_flag=program.terminal_flag,
        discrete=program.discrete,
        reinits=program.reinits,
        messages=machine.messages if _can_speak(program) else None,
        message_flag=message_flag,
        explain=machine.explain,
        experiment=dict(program.experiment),
        sparsity=program.sparsity,
        addresses=addresses,
        jacobian_pattern=pattern,
        choices=tuple(
            StateChoice(c.variables, c.states, c.gradient, c.pivots, c.normals, c.scales, c.status)
            for c in program.choices
        ),
        extras={"source": text, "machine": machine},
    )


def _can_speak(program: Program) -> bool:
    """Whether a step says something: else nobody needs to listen after each step."""
    steps = (step for section in program.sections.values() for step in section)
    return any(isinstance(step, Act) and step.kind != "call" for step in steps)


def _variable(info: Info) -> VariableInfo:
    return VariableInfo(
        info.name,
        info.slot,
        info.sign,
        info.offset,
        info.kind,
        info.type,
        info.unit,
        info.comment,
        info.causality,
        info.is_protected,
        info.literals,
    )
