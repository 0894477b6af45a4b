"""What happens at events around a core: discrete equations and the shell, the core's y being given.

    at_events(hybrid, chosen, core, variables, values)      takes the place of `Ordered.discrete`

The core's variables and its bits are found by the joint choice of a mode at run time; here they are
read like states.
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.formula.nodes import Var
from freewheel.formula.types import REAL
from freewheel.structure.atoms import der_of
from freewheel.structure.blocks.blt import matched, system_of
from freewheel.structure.events.discrete_equations import mixed_blocks
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Chosen, Hybrid, ScalarVariable, Sorted
from freewheel.structure.switching.nodes import Core
from freewheel.structure.values import ParameterValues


def given_by_core(core: Core) -> tuple[Var, ...]:
    """y and its rates."""
    return (*core.variables, *map(der_of, core.differential))


def at_events(
    hybrid: Hybrid,
    chosen: Chosen,
    core: Core,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
) -> Sorted:
    """Shell and discrete equations sorted together."""
    phase = Phase(is_initial=False)
    inside = frozenset(core.equations)
    given = frozenset(given_by_core(core))
    outside = [e for number, e in enumerate(chosen.equations) if number not in inside]
    equations = (*outside, *(phase.equation(e) for e in hybrid.discrete_equations))
    if not hybrid.discrete_equations:
        return Sorted(equations, ())
    unknowns = [var for var in chosen.unknowns if var not in given]
    system = system_of(equations, (*unknowns, *hybrid.discrete))
    matching = matched(system, lambda parts: CompileError())
    switches = {
        var
        for var in hybrid.discrete
        if var.name not in variables or variables[var.name].type != REAL
    }
    return Sorted(equations, tuple(mixed_blocks(system, matching, switches, values)))
