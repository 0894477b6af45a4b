"""Differential causality: states are computed from equations, their rates by differentiation.

    C*der(u) = i;  u = U0 - R*i      ->      i = C*DERIV(u);  u = U0 - R*i     (Fig. 3 of the paper)

The paper shows this choice beside the usual one. Not every state has it: of `der(x) = u` nothing but
`der(x)` can be computed, so that `x` stays the output of an integrator. As many states as possible are
turned: a maximum matching in which a state shares one column with its rate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from freewheel.formula.nodes import Var
from freewheel.graphs.matching import FREE, Matching, augment_all
from freewheel.structure.atoms import der_of
from freewheel.structure.blocks.blt import System, components_of, solve_blocks, system_of
from freewheel.structure.nodes import Ordered, Sorted
from freewheel.structure.values import ParameterValues


@dataclass(frozen=True, slots=True)
class Differential:
    """The model with the other choice; it is for reading only."""

    ordered: Ordered
    differentiated: tuple[Var, ...]  # states that are computed, not integrated


def in_differential_causality(ordered: Ordered) -> Differential:
    """Models with ideal elements in an implicit part keep their causality; what changes at events only
    is taken for known."""
    rates = set(ordered.chosen.unknowns)
    states = [state for state in ordered.states if der_of(state) in rates]
    if ordered.core.is_there:
        states = []
    turned = _turned(ordered, states)
    if not turned:
        return Differential(ordered, ())
    given = {der_of(state) for state in turned}
    unknowns = [*(var for var in ordered.chosen.unknowns if var not in given), *turned]
    system = system_of(ordered.chosen.equations, unknowns)
    matching = _complete(system)
    values = ParameterValues({v.name: v for v in ordered.scalar.variables}, ordered.functions)
    blocks = tuple(solve_blocks(system, matching, components_of(system, matching), values))
    kept = tuple(state for state in ordered.states if state not in set(turned))
    changed = replace(ordered, simulation=Sorted(system.equations, blocks), states=kept)
    return Differential(replace(changed, discrete=Sorted((), ())), tuple(turned))


def _turned(ordered: Ordered, states: list[Var]) -> list[Var]:
    """States that some equation gives, all of them together."""
    rates = {der_of(state): k for k, state in enumerate(states)}
    others = [var for var in ordered.chosen.unknowns if var not in rates]
    count = len(others)
    computed = system_of(ordered.chosen.equations, [*others, *states])
    integrated = system_of(ordered.chosen.equations, [*others, *rates])
    matching = [FREE] * len(computed.choices), [FREE] * (count + len(states))
    augment_all(computed.choices, *matching, range(len(computed.choices)))
    either = [
        tuple(dict.fromkeys((*first, *second)))
        for first, second in zip(computed.choices, integrated.choices, strict=True)
    ]
    augment_all(either, *matching, range(len(either)))
    row_of = matching[1]
    return [
        state
        for k, state in enumerate(states)
        if row_of[count + k] != FREE and count + k in computed.choices[row_of[count + k]]
    ]


def _complete(system: System) -> Matching:
    rows: tuple[list[int], list[int]] = [FREE] * len(system.choices), [FREE] * len(system.unknowns)
    augment_all(system.choices, *rows, range(len(system.choices)))
    assert FREE not in rows[0], "the turned states were chosen to have equations"
    return Matching(tuple(rows[0]), tuple(rows[1]))
