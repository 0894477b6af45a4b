"""Fill a `CompiledModel`: program in, callable sections and their data out.

model = build(program)
model.sections["derivatives"](memory)
"""

from __future__ import annotations

from typing import Any

from freewheel.backend.assemble import Plain, assemble, assemble_reference
from freewheel.backend.core import core_of
from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.program.nodes import Act, Program, SolveLinear, SolveNonlinear, branch_slots
from freewheel.program.sparsity import compressed
from freewheel.program.trivial_zeros import trivial_zeros
from freewheel.runtime.model import CompiledModel, Homotopy, Sample, SlotRange
from freewheel.runtime.switched_dae.model import NO_CORE

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


# Of `Program`, that `CompiledModel` has by another name and by the same one.
RENAMED = {"state_infos": "state_slots", "transports": "pipes"}
AS_THEY_ARE = (
    *("name", "time", "decisive", "pivots", "terminal_flag", "awake", "discrete", "reinits"),
    *("sparsity", "follow", "watches_time", "corners", "swing", "history"),
    *("inputs", "variables", "texts", "ranges", "relations", "choices", "delays"),
)


def plain_of(program: Program, with_pattern: bool) -> Plain:
    has_pattern = with_pattern and program.sparsity is not None
    data: dict[str, Any] = {
        **{name: getattr(program, name) for name in AS_THEY_ARE},
        **{name: getattr(program, own) for name, own in RENAMED.items()},
        "states": SlotRange(*program.states),
        "derivatives": SlotRange(*program.derivatives),
        "parameter_slots": dict(program.parameters),
        "samples": tuple(
            [
                Sample(*slots, span=span)
                for slots, span in zip(program.samples, program.sample_spans, strict=True)
            ]
        ),
        "experiment": dict(program.experiment),
        "jacobian_pattern": compressed(program.sparsity or ()) if has_pattern else None,
        "linear_loops": _linear_loops(program),
        "branches": _branches(program),
        "trivial_zeros": _trivial_zeros(program),
        "homotopy": Homotopy(program.started, program.share) if program.share >= 0 else None,
    }
    core = NO_CORE if program.core is None else core_of(program.core)
    return Plain(program.start, data, program.object_count, _can_speak(program), core)


def _linear_loops(program: Program) -> tuple[tuple[int, ...], ...]:
    """Of continuous equations, each once."""
    steps = [step for name in ("derivatives", "outputs") for step in program.sections.get(name, ())]
    return tuple(dict.fromkeys(step.slots for step in steps if isinstance(step, SolveLinear)))


def _branches(program: Program) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """Of loops that are followed."""
    kept = [(step.slots, branch_slots(step)) for step in _followed(program)]
    return tuple((slots, own.start, own.stop) for slots, own in kept)


def _followed(program: Program) -> list[SolveNonlinear]:
    """Each loop once."""
    steps = [step for section in program.sections.values() for step in section]
    loops = [step for step in steps if isinstance(step, SolveNonlinear) and step.follow >= 0]
    return list({(step.slots, branch_slots(step)): step for step in loops}.values())


def _trivial_zeros(program: Program) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(
        (step.slots, found.zeros, found.open)
        for step in _followed(program)
        for found in trivial_zeros(step)
    )


def _needs_machine_code(program: Program) -> CompileError:
    assert program.core is not None
    switches = ", ".join(f"`{name}`" for name in program.core.elements[:8])
    if switches:
        reason = f"ideal switches that take states away ({switches})"
    else:
        reason = "constraints between states that jump at events"
    return CompileError(
        Diagnostic(
            "U013",
            f"`{program.name}` has {reason}: the backend `python` cannot simulate it",
            help="use the backend `llvm`",
        )
    )


def _can_speak(program: Program) -> bool:
    steps = (step for section in program.sections.values() for step in section)
    return any(isinstance(step, Act) and step.kind != "call" for step in steps)
