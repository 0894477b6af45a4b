"""What can be wrong with constraints and the choice of states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity, error
from freewheel.base.names import Name
from freewheel.base.source import NOWHERE
from freewheel.formula.nodes import Var
from freewheel.structure.atoms import show_atom
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation, ScalarVariable, StateGroup

if TYPE_CHECKING:
    from freewheel.structure.index.reduce_index import Chains
    from freewheel.structure.index.states import Level


def index_reduction_without_end(
    equations: Sequence[ScalarEquation], rows: tuple[int, ...]
) -> CompileError:
    first = equations[rows[0]]
    return error(
        "E012",
        f"index reduction does not end; {len(rows)} equations constrain each other, among them"
        f" `{equation_text(first)}`",
        first.span,
        help="look for redundant equations written in different forms",
    )


def derivative_of_input(var: Var, equation: ScalarEquation) -> CompileError:
    return error(
        "E006",
        f"the derivative of the input `{show_atom(var.name)}` is needed to solve"
        f" `{equation_text(equation)}`",
        equation.span,
        help="drive the model through a filter, or give the derivative as an input too",
    )


def no_choice_of_states(chains: Chains, levels: Sequence[Level]) -> CompileError:
    lacking = next((level for level in levels if len(level.chosen) < len(level.rows)), levels[-1])
    first = chains.equations[lacking.rows[0]]
    return error(
        "E012",
        f"no choice of states satisfies the constraint `{equation_text(first)}`"
        f" and the {len(lacking.rows) - 1} that go with it",
        first.span,
        help="look for redundant equations in different forms, and for a"
        " derivative by annotation that is not that of its function",
    )


def chosen_once(group: StateGroup, variables: Mapping[Name, ScalarVariable]) -> Diagnostic:
    names = ", ".join(show_atom(var.name) for var in group.variables)
    spans = [variables[var.name].span for var in group.variables if var.name in variables]
    return Diagnostic(
        "E022",
        f"states among {names} are chosen once for all: ideal elements take part in their equations",
        tuple(Label(span, "tied to the others") for span in spans[:3] if span is not NOWHERE),
        help="where the choice turns bad the run fails; other coordinates, an angle perhaps, "
        "need no choice",
        severity=Severity.WARNING,
    )
