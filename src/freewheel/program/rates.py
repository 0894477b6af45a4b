"""How fast residuals of relations change, as a program of its own: the first or second derivative.

    relation x - y > 0      ->      rates(direction) = direction of x - direction of y

Order 1: the derivative of each residual in a direction that is handed in: of time, of each state, of
each input. Along the motion (time by 1, states by their derivatives) this is dz/dt. Order 2: the
derivative of dz/dt, again in a direction; besides it the slopes of the inputs are handed in, which
are held constant. The sections `derivatives` and `relations` must have been evaluated at the point.
Only steps that have influence are differentiated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.base.diagnostics import CompileError
from freewheel.formula.nodes import ONE, Expr
from freewheel.program.needed import formulas_of, influences, needed
from freewheel.program.nodes import JacobianProgram, Program, Step, slot_var
from freewheel.program.share import share
from freewheel.program.tangents import Seeds, Tangents, TooLarge


def rates_of(program: Program, relations: Sequence[int], order: int) -> JacobianProgram | None:
    """Derivatives of the residuals of some relations; None where they cannot be differentiated, as
    where they ask for rates that only an implicit core knows."""
    if program.core is not None and _ask_for_rates(program, relations):
        return None
    try:
        return _first(program, relations) if order == 1 else _second(program, relations)
    except (CompileError, TooLarge):
        return None


def _ask_for_rates(program: Program, relations: Sequence[int]) -> bool:
    residuals = _residuals(program, relations)
    rates = range(*program.derivatives)
    return any(influences(needed(_plain(program), residuals), residuals, rates))


def _moving(program: Program) -> list[int]:
    """Slots of the point: time, states, inputs."""
    inputs = [info.slot for info in program.inputs]
    return [program.time, *range(*program.states), *inputs]


def _direction(program: Program) -> Seeds:
    """Every slot of the point moves by what is handed in."""
    first = len(program.start)
    return {slot: slot_var(first + k) for k, slot in enumerate(_moving(program))}


def _residuals(program: Program, relations: Iterable[int]) -> list[Expr]:
    return [slot_var(program.relations[number].residual) for number in relations]


def _plain(program: Program) -> tuple[Step, ...]:
    return (*program.plain_derivatives, *program.plain_relations)


def _first(program: Program, relations: Sequence[int]) -> JacobianProgram:
    seeds = _direction(program)
    work = Tangents(program, [seeds], len(seeds))
    residuals = _residuals(program, relations)
    work.steps_of(needed(_plain(program), residuals))
    return _made(work, [work.of(0, residual) for residual in residuals], len(seeds))


def _second(program: Program, relations: Sequence[int]) -> JacobianProgram:
    seeds = _direction(program)
    count, first = len(seeds), len(program.start)
    given = count + len(program.inputs)
    motion: Seeds = {program.time: ONE}
    for number, slot in enumerate(range(*program.states)):
        motion[slot] = slot_var(program.derivatives[0] + number)
    for number, info in enumerate(program.inputs):
        motion[info.slot] = slot_var(first + count + number)
    residuals = _residuals(program, relations)
    once = Tangents(program, [motion], given)
    once.steps_of(needed(_plain(program), residuals))
    slopes = [once.of(0, residual) for residual in residuals]
    twice = Tangents(program, [seeds], once.extra, once.functions)
    twice.steps_of(needed((*_plain(program), *once.steps), slopes))
    entries = [twice.of(0, slope) for slope in slopes]
    twice.steps[:0] = needed(
        once.steps, [*entries, *(r for s in twice.steps for r in formulas_of(s))]
    )
    return _made(twice, entries, given)


def _made(work: Tangents, entries: Sequence[Expr], given: int) -> JacobianProgram:
    work.must_know_functions(entries)
    functions = tuple(work.functions.generated.values())
    return JacobianProgram(share(work.steps)[0], tuple(entries), (), work.extra, functions, given)
