"""Texts that change while the model runs have no place in its memory: their formulas are put in place.

    String s = "n is " + String(n);  assert(n < 2, s)      ->      assert(n < 2, "n is " + String(n))

In: ScalarModel. Out: the same without String variables. Texts serve messages; one that is remembered
from event to event, or decides something, is refused with its place (E074).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from freewheel.base.names import Name, show
from freewheel.flat.nodes import Variability
from freewheel.formula.faults import at, too_large
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.types import STRING
from freewheel.formula.walk import calls_in, fold, substitute, variables_in
from freewheel.structure.atoms import is_pre
from freewheel.structure.nodes import Action, ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.scalarize.diagnostics import changing_string

MAX_PARTS = 10_000  # of the formula of one message


def put_texts_in_place(model: ScalarModel) -> ScalarModel:
    """The model without String variables that change."""
    texts = {v.name: v for v in model.variables if _changes(v)}
    if not texts:
        return _checked(model)
    formulas: dict[Expr, Expr] = {}
    kept: list[ScalarEquation] = []
    for equation in model.equations:
        var = _text_given(equation, texts)
        if var is None:
            kept.append(equation)
            continue
        value = equation.right if equation.left is var else equation.left
        if equation.is_when or var in formulas or any(map(is_pre, variables_in(value))):
            raise changing_string(show(var.name), equation.span)
        formulas[var] = value
    whole = _resolved(formulas, texts)
    return _checked(
        replace(
            model,
            variables=tuple(v for v in model.variables if v.name not in texts),
            equations=tuple(_equation(e, whole) for e in kept),
            initial_equations=tuple(
                _equation(e, whole) for e in model.initial_equations if not _text_given(e, texts)
            ),
            actions=tuple(_action(a, whole) for a in model.actions),
        )
    )


def _changes(variable: ScalarVariable) -> bool:
    return variable.type == STRING and variable.variability > Variability.PARAMETER


def _text_given(equation: ScalarEquation, texts: Mapping[Name, ScalarVariable]) -> Var | None:
    for side in (equation.left, equation.right):
        if isinstance(side, Var) and side.name in texts:
            return side
    return None


def _resolved(formulas: dict[Expr, Expr], texts: Mapping[Name, ScalarVariable]) -> dict[Expr, Expr]:
    """Texts made of texts, put in until none is left; a text that holds itself is refused."""
    whole = dict(formulas)
    for _ in range(len(whole)):
        following = {var: substitute(value, whole) for var, value in whole.items()}
        if following == whole:
            break
        whole = following
        _check_lengths(whole, texts)
    for var, value in whole.items():
        if any(other.name in texts for other in variables_in(value)):
            assert isinstance(var, Var)
            raise changing_string(show(var.name), texts[var.name].span)
    return whole


def _check_lengths(whole: Mapping[Expr, Expr], texts: Mapping[Name, ScalarVariable]) -> None:
    """`s1 = s0 + s0; s2 = s1 + s1; ...` grows beyond all bounds when it is written out."""
    known: dict[Expr, int] = {}
    for var, value in whole.items():
        if fold(value, lambda node, parts: 1 + sum(parts), known) > MAX_PARTS:
            assert isinstance(var, Var)
            raise at(too_large(f"the text `{show(var.name)}`"), texts[var.name].span)


def _equation(equation: ScalarEquation, texts: Mapping[Expr, Expr]) -> ScalarEquation:
    left, right = substitute(equation.left, texts), substitute(equation.right, texts)
    if left is equation.left and right is equation.right:
        return equation
    return replace(equation, left=left, right=right)


def _action(action: Action, texts: Mapping[Expr, Expr]) -> Action:
    def put(part: Expr | None) -> Expr | None:
        return None if part is None else substitute(part, texts)

    return replace(
        action, guard=put(action.guard), value=put(action.value), message=put(action.message)
    )


def _checked(model: ScalarModel) -> ScalarModel:
    """A number must not hang on a text that is made while the model runs."""
    variables = {v.name: v for v in model.variables}
    for equation in model.equations:
        for call in calls_in(equation.left, equation.right):
            if call.function == "String" and any(
                variables[var.name].variability > Variability.PARAMETER
                for var in variables_in(*call.args)
                if var.name in variables
            ):
                raise changing_string("", equation.span)
    return model
