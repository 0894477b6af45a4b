"""What is wrong when equations and unknowns do not fit together, in the modeller's names.

M: 2 equations for 1 unknowns; in conflict: `x = 2`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, counted
from freewheel.base.names import Name, show
from freewheel.base.source import NOWHERE
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import TIME, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import CoarseParts
from freewheel.structure.atoms import show_atom
from freewheel.structure.blocks.incidence import equation_text, folded
from freewheel.structure.nodes import ScalarEquation, ScalarVariable

MAX_NAMED = 6  # culprits named in a message


def singular(
    model_name: Name,
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    parts: CoarseParts,
    variables: Mapping[Name, ScalarVariable],
    counts: tuple[int, int],
) -> CompileError:
    """What is over- and what is under-determined, in the modeller's names."""
    free = [unknowns[c] for c in parts.under_columns]
    surplus = _of_modeller([equations[r] for r in parts.over_rows])
    n_equations, n_unknowns = counts
    code = "E003"
    if n_equations != n_unknowns:
        code = "E001" if n_equations < n_unknowns else "E002"
    text = f"{show(model_name)}: {counted(n_equations, 'equation')} for {counted(n_unknowns, 'unknown')}"
    if code == "E003":
        text = f"{show(model_name)}: the equations are singular ({text.split(': ')[1]})"
    return CompileError(
        Diagnostic(
            code=code,
            message="; ".join([text, *_named(free, surplus)]),
            labels=(*_free_labels(free, variables), *_surplus_labels(surplus)),
            help=_cure(free, surplus, variables),
            rule='Modelica 3.6, "Balanced Models"',
        )
    )


def _of_modeller(equations: Sequence[ScalarEquation]) -> list[ScalarEquation]:
    """Without those of flags and integer parts, which nobody wrote, if there are others."""
    written = [
        e
        for e in equations
        if not isinstance(e.left, Var) or not str(e.left.name[0]).startswith("$")
    ]
    return written or list(equations)


def _named(free: Sequence[Var], surplus: Sequence[ScalarEquation]) -> list[str]:
    result: list[str] = []
    if free:
        result.append("not determined: " + _list([show_atom(v.name) for v in free]))
    if surplus:
        result.append("in conflict: " + _list([_as_written(e) for e in surplus]))
    return result


def _too_many(count: int) -> str:
    return "one equation too many" if count == 1 else f"one of {count} equations too many here"


def _as_written(equation: ScalarEquation) -> str:
    """What is left of an equation without unknowns (`0 = 0`) says nothing: then what
    stands in the source, on one line."""
    if equation.span is NOWHERE or any(variables_in(equation.left, equation.right)):
        return equation_text(equation)
    text = " ".join(equation.span.text.split())
    return equation.spoken if equation.spoken and text.isidentifier() else text


def _is_fixed(variable: ScalarVariable) -> bool:
    return variable.variability <= Variability.PARAMETER


def _list(texts: Sequence[str]) -> str:
    shown = ", ".join(f"`{text}`" for text in texts[:MAX_NAMED])
    return shown if len(texts) <= MAX_NAMED else f"{shown} and {len(texts) - MAX_NAMED} more"


def _free_labels(free: Sequence[Var], variables: Mapping[Name, ScalarVariable]) -> list[Label]:
    labels: list[Label] = []
    for var in free[:MAX_NAMED]:
        variable = variables.get(folded(var).name)
        if variable is not None and variable.span is not NOWHERE:
            few = "nothing determines" if len(free) == 1 else "too few equations for"
            labels.append(Label(variable.span, f"{few} `{show_atom(var.name)}`"))
    return labels


def _surplus_labels(surplus: Sequence[ScalarEquation]) -> list[Label]:
    return [
        Label(e.span, f"{_too_many(len(surplus))}: {_as_written(e)}")
        for e in surplus[:MAX_NAMED]
        if e.span is not NOWHERE
    ]


def _cure(
    free: Sequence[Var], surplus: Sequence[ScalarEquation], variables: Mapping[Name, ScalarVariable]
) -> str:
    for equation in () if free else surplus:
        names = [var.name for var in variables_in(equation.left, equation.right)]
        if not names and len(surplus) == 1:
            return "it holds no unknown: the value of a constant is given in its declaration"
        if names and all(name in variables and _is_fixed(variables[name]) for name in names):
            return (
                f"`{show_atom(names[0])}` is a parameter or constant: its value is given in its "
                "declaration, not by an equation"
            )
        if names and all(folded(Var(name)) == TIME for name in names):
            return "`time` is the time of the simulation: choose another name for a variable"
    if free and surplus:
        return "the surplus equations may be meant for the undetermined variables: check names"
    if free:
        return "give it an equation, or make it a parameter or an input"
    return (
        "remove one of these equations, or a connection that says the same again; "
        "`freewheel explain` names all that contradict each other"
    )
