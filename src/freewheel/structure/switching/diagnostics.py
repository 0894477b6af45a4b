"""What can be wrong with models whose equations switch."""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.source import NOWHERE
from freewheel.formula.nodes import Var
from freewheel.structure.atoms import show_atom
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.switching.nodes import Core


def condition_not_met(equation: ScalarEquation, found: Sequence[Var], core: Core) -> CompileError:
    named = ", ".join(f"`{show_atom(var.name)}`" for var in found[:3])
    names = list(dict.fromkeys(f"`{element.name}`" for element in core.elements))[:4]
    cause = f"the positions of {', '.join(names)}" if names else "equations that change at events"
    states = ", ".join(f"`{show_atom(state.name)}`" for state in core.differential[:4])
    label = (Label(equation.span, "asked for here"),) if equation.span is not NOWHERE else ()
    return CompileError(
        Diagnostic(
            "E011",
            f"the initial condition `{equation.spoken or equation_text(equation)}` cannot be met: "
            f"{named} follows from {cause}",
            label,
            help=f"give start values to states instead: {states}; only `der(x) = 0` of a state whose start "
            "value is not fixed can be looked for",
        )
    )
