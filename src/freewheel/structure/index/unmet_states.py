"""States that were asked for and cannot be had: in comes the choice of states, out come warnings.

    C1.u and C2.u are asked for, C2.Va = C1.Va      `C2.u` cannot be a state: ... ties it to C1.u

Asked for is `StateSelect.always`, in the classic session `variable state`; `never` is the opposite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import base_of, is_der, show_atom
from freewheel.structure.blocks.assignment import assign
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import Chosen, Hybrid, ScalarEquation, ScalarVariable

CODE = "E024"


def unmet_states(
    hybrid: Hybrid, chosen: Chosen, variables: Sequence[ScalarVariable]
) -> Iterator[Diagnostic]:
    """`variables` are all of the model, aliases too."""
    states = {*chosen.states, *(v for group in chosen.groups for v in group.variables)}
    taken: dict[Var, ScalarVariable] = {}
    for variable in variables:
        if variable.state_select not in ("always", "never"):
            continue
        alias = hybrid.aliases.aliases.get(variable.name)
        var = Var(variable.name) if alias is None else alias.stand_in
        if variable.state_select == "never":
            if alias is None and var in states:
                yield _warning(variable, "must be a state", "nothing else gives its value")
        elif var is None:
            yield _warning(variable, "cannot be a state", "its value is fixed")
        elif var in taken:
            other = show_atom(taken[var].name)
            yield _warning(variable, "cannot be a state", f"it is equal to `{other}`, which is one")
        elif var in states:
            taken[var] = variable
        else:
            yield _warning(variable, "cannot be a state", _tie(var, hybrid, chosen))


def _tie(var: Var, hybrid: Hybrid, chosen: Chosen) -> str:
    """The constraint that leads to other states."""
    tied, around = _connected(var, chosen)
    giver = _fixed(around, {*chosen.states, *chosen.unknowns}).get(var)
    if giver is not None:
        return f"`{equation_text(giver)}` gives its value"
    sides = {(equation.left, equation.right) for equation in around}
    found = [e for e in assign(hybrid).constraints if (e.left, e.right) in sides]
    names = ", ".join(f"`{show_atom(s.name)}`" for s in chosen.states if s in tied)
    if not names:
        return "nothing integrates it"
    texts = ", ".join(f"`{equation_text(equation)}`" for equation in (found or around)[:3])
    return f"{texts} {'ties' if len(found) == 1 else 'tie'} it to {names}"


def _fixed(equations: Sequence[ScalarEquation], unknowns: Set[Var]) -> dict[Var, ScalarEquation]:
    """Unknowns that follow from equations without any state, and the equation that gives each."""
    found: dict[Var, ScalarEquation] = {}
    count = -1
    while count < len(found):
        count = len(found)
        for equation in equations:
            open_ones = [v for v in _inside(equation) if v in unknowns and v not in found]
            if len(open_ones) == 1:
                found[open_ones[0]] = equation
    return found


def _connected(var: Var, chosen: Chosen) -> tuple[set[Var], list[ScalarEquation]]:
    """What equations that were differentiated tie to a variable, and these equations."""
    rows = {e.derivative_of for e in chosen.equations if e.derivative_of >= 0}
    left = [chosen.equations[row] for row in sorted(rows)]
    met, around = {var}, list[ScalarEquation]()
    while True:
        new = [e for e in left if not met.isdisjoint(_inside(e))]
        if not new:
            return met, around
        around += new
        met.update(v for e in new for v in _inside(e))
        left = [e for e in left if e not in new]


def _inside(equation: ScalarEquation) -> list[Var]:
    found = variables_in(equation.left, equation.right)
    return [base_of(v) if is_der(v) else v for v in found]


def _warning(variable: ScalarVariable, what: str, why: str) -> Diagnostic:
    asked = "asked to be one" if variable.state_select == "always" else "asked not to be one"
    labels = () if variable.span is NOWHERE else (Label(variable.span, asked),)
    return Diagnostic(
        CODE,
        f"`{show_atom(variable.name)}` {what}: {why}",
        labels,
        help="request as many states as the constraints allow",
        severity=Severity.WARNING,
    )
