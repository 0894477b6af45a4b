"""Causality by hand: the modeller declares which variables are known, nothing is differentiated.

In: the equations without aliases, variables to be taken for unknown though they are differentiated, and
derivatives to be taken for known. Out: an order of evaluation to read, as in the section "Higher Index
Models" of Cellier and Elmqvist (1993):

    variable unknown C2.u, variable known C2.deru         i = C*der(u): differential causality

Such an order cannot be simulated: nothing determines the derivative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.flat.nodes import FlatModel
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import CoarseParts
from freewheel.structure.atoms import base_of, der_of, is_der
from freewheel.structure.blocks.assignment import in_reading_order
from freewheel.structure.blocks.blt import components_of, matched, solve_blocks, system_of
from freewheel.structure.blocks.diagnostics import singular
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Hybrid, Ordered, ScalarEquation, Sorted
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.switching.nodes import NO_CORE
from freewheel.structure.values import ParameterValues

_CURE = (
    "by hand, each variable that is made unknown needs a derivative that is made known, as in "
    "`variable unknown C2.u`, `variable known C2.deru`; `differentiate` needs neither"
)


def order_by_hand(
    ordered: Ordered, hybrid: Hybrid, known: Sequence[Name], unknown: Sequence[Name]
) -> Ordered:
    """`ordered` with the equations of `hybrid` sorted as asked; `known` names variables whose
    derivatives are given. The rest of `ordered` stays: it is for reading only."""
    phase = Phase(is_initial=False)
    equations = in_reading_order([phase.equation(e) for e in hybrid.equations])
    unknowns = _unknowns(equations, hybrid.continuous, known, unknown)
    variables = {v.name: v for v in hybrid.aliases.model.variables}
    system = system_of(equations, unknowns)

    def blame(parts: CoarseParts) -> CompileError:
        counts = (len(equations), len(unknowns))
        problem = singular(ordered.scalar.name, equations, unknowns, parts, variables, counts)
        return CompileError(replace(problem.diagnostics[0], help=_CURE))

    matching = matched(system, blame)
    groups = components_of(system, matching)
    values = ParameterValues(variables, ordered.scalar.functions)
    blocks = tuple(solve_blocks(system, matching, groups, values))
    sorted_by_hand = Sorted(system.equations, blocks)
    return replace(
        ordered, hybrid=hybrid, simulation=sorted_by_hand, discrete=Sorted((), ()), core=NO_CORE
    )


def differentiated_in(flat: FlatModel) -> frozenset[Name]:
    """Variables that stand in `der(..)`, as the model is written."""
    scalar = expand(flat)
    found = (v for e in scalar.equations for v in variables_in(e.left, e.right) if is_der(v))
    return frozenset(base_of(var).name for var in found)


def _unknowns(
    equations: Sequence[ScalarEquation],
    continuous: Sequence[Var],
    known: Sequence[Name],
    unknown: Sequence[Name],
) -> list[Var]:
    """All but the states that are left, derivatives first."""
    found = [v for e in equations for v in variables_in(e.left, e.right) if is_der(v)]
    given = {der_of(Var(name)) for name in known}
    asked = {Var(name) for name in unknown}
    states = {base_of(var) for var in found} - asked
    return [
        *(var for var in dict.fromkeys(found) if var not in given and var not in states),
        *(var for var in continuous if var not in states),
    ]
