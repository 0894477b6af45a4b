"""Fill a `CompiledModel`: program in, callable sections and their data out.

model = build(program)
model.sections["derivatives"](memory)
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from freewheel.backend.assemble import Plain, assemble, assemble_reference
from freewheel.backend.core import core_of
from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.program.nodes import (
    Act,
    DelaySlots,
    Info,
    PipeSlots,
    Program,
    SolveLinear,
    SolveNonlinear,
    branch_slots,
)
from freewheel.program.sparsity import compressed
from freewheel.runtime.model import (
    CompiledModel,
    Delay,
    Homotopy,
    Range,
    Relation,
    Sample,
    SlotRange,
    StateChoice,
    StateInfo,
    TextInfo,
    Transport,
    VariableInfo,
)

BACKENDS = ("python", "llvm")


def build(program: Program, backend: str = "python") -> CompiledModel:
    """Compile the program with one of the backends."""
    assert backend in BACKENDS, backend
    plain = plain_of(program, with_pattern=backend == "llvm")
    if backend == "python":
        if program.core is not None:
            raise _needs_machine_code(program)
        from freewheel.backend.reference import Reference

        return assemble_reference(plain, Reference(program))
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.backend.llvm_text import to_text
    from freewheel.backend.recipe import Recipe

    recipe = Recipe(lambda: program, to_text)
    return assemble(plain, LlvmMachine(recipe, len(plain.start), plain.object_count))


def plain_of(program: Program, with_pattern: bool) -> Plain:
    has_pattern = with_pattern and program.sparsity is not None
    fields: dict[str, Any] = {
        "name": program.name,
        "time": program.time,
        "states": SlotRange(*program.states),
        "derivatives": SlotRange(*program.derivatives),
        "inputs": tuple([_variable(info) for info in program.inputs]),
        "state_infos": tuple(
            [StateInfo(s.name, s.slot, s.derivative, s.nominal) for s in program.state_slots]
        ),
        "variables": tuple([_variable(info) for info in program.variables]),
        "parameter_slots": dict(program.parameters),
        "texts": tuple([TextInfo(*_fields(text)) for text in program.texts]),
        "ranges": tuple([Range(*_fields(one)) for one in program.ranges]),
        "decisive": program.decisive,
        "pivots": program.pivots,
        "relations": tuple(
            [
                Relation(
                    *(r.status, r.residual, r.text, r.depends_on_time_only, r.span, r.expression),
                    is_watch=r.is_watch,
                    is_behind_loop=r.is_behind_loop,
                    is_straight=r.is_straight,
                )
                for r in program.relations
            ]
        ),
        "samples": tuple(
            [
                Sample(*slots, span=span)
                for slots, span in zip(program.samples, program.sample_spans, strict=True)
            ]
        ),
        "terminal_flag": program.terminal_flag,
        "awake": program.awake,
        "discrete": program.discrete,
        "reinits": program.reinits,
        "experiment": dict(program.experiment),
        "sparsity": program.sparsity,
        "jacobian_pattern": compressed(program.sparsity or ()) if has_pattern else None,
        "follow": program.follow,
        "linear_loops": _linear_loops(program),
        "branches": _branches(program),
        "homotopy": Homotopy(program.started, program.share) if program.share >= 0 else None,
        "choices": tuple(
            [
                StateChoice(
                    *(c.variables, c.states, c.gradient, c.pivots, c.normals, c.scales, c.ranks),
                    c.status,
                )
                for c in program.choices
            ]
        ),
        "delays": tuple([_delay(slots) for slots in program.delays]),
        "transports": tuple([_transport(slots) for slots in program.pipes]),
        "watches_time": program.watches_time,
        "corners": program.corners,
        "swing": program.swing,
        "history": program.history,
    }
    core = None if program.core is None else core_of(program.core)
    return Plain(program.start, fields, program.object_count, _can_speak(program), core)


def _linear_loops(program: Program) -> tuple[tuple[int, ...], ...]:
    """Of continuous equations, each once."""
    steps = [step for name in ("derivatives", "outputs") for step in program.sections.get(name, ())]
    return tuple(dict.fromkeys(step.slots for step in steps if isinstance(step, SolveLinear)))


def _branches(program: Program) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """Of loops that are followed, each once."""
    loops = [
        step
        for steps in program.sections.values()
        for step in steps
        if isinstance(step, SolveNonlinear) and step.follow >= 0
    ]
    found = (
        (step.slots, kept.start, kept.stop) for step in loops for kept in (branch_slots(step),)
    )
    return tuple(dict.fromkeys(found))


def _needs_machine_code(program: Program) -> CompileError:
    assert program.core is not None
    switches = ", ".join(f"`{name}`" for name in program.core.elements[:8])
    return CompileError(
        Diagnostic(
            "U013",
            f"`{program.name}` has ideal switches that take states away ({switches}): "
            "the backend `python` cannot simulate it",
            help="use the backend `llvm`",
        )
    )


def _can_speak(program: Program) -> bool:
    steps = (step for section in program.sections.values() for step in section)
    return any(isinstance(step, Act) and step.kind != "call" for step in steps)


def _delay(d: DelaySlots) -> Delay:
    slots = (d.signal, d.lag, d.longest, d.next_break, d.last_break)
    return Delay(*slots, d.relation, d.feeds, d.text, d.span)


def _transport(p: PipeSlots) -> Transport:
    lines = (p.place, p.left, p.right)
    borders = (p.forward, p.next_border, p.last_border, p.relation)
    return Transport(*lines, *borders, p.points, p.values, p.text, p.span)


def _fields(node: Any) -> list[Any]:
    """Of a frozen node whose counterpart in the runtime has the same ones."""
    return [getattr(node, label.name) for label in fields(node)]


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
