"""Slopes of a formula in one walk, against its partial derivatives."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.base.source import Source
from freewheel.formula.differentiate import partial
from freewheel.formula.nodes import Call, Real, Var
from freewheel.formula.walk import substitute, variables_in
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.switching.conflicts.gradient import Gradient
from freewheel.structure.values import ParameterValues

POINT = {("x",): 0.7, ("y",): 1.3, ("z",): 0.4}
FORMULAS = (
    "2*x - y/z + x*y*z",
    "sin(x)*cos(y) + tan(z) + exp(x)*log(y) - sqrt(z)",
    "x^3 + y^2.5 - tanh(x - y)",
    "if x > y then x else y*z",
    "if not (x > y) and z < 1 then x*x else y",
    "max(x, y)*min(x, z) + abs(x - y)",
)


def parsed(text: str):
    library = Library([], use_modelicapath=False)
    model = f"model M Real x, y, z, r; equation x = 1; y = 1; z = 1; r = noEvent({text}); end M;"
    library.add_file(Source.from_text(model, str(Path("m.mo"))))
    made = compile_model(library, ("M",), Options(stop_after="structure"))
    return next(e.right for e in made.ordered.scalar.equations if e.left == Var(("r",)))


@pytest.mark.parametrize("text", FORMULAS)
def test_agrees_with_partial_derivatives(text: str) -> None:
    formula = parsed(text)
    if isinstance(formula, Call) and formula.data == "noEvent":
        formula = formula.args[0]
    found = Gradient(lambda v: POINT.get(v.name), lambda v: v.name in POINT).of(formula)
    assert found is not None
    numbers = {Var(name): Real(value) for name, value in POINT.items()}
    values = ParameterValues({}, ())

    assert found[0] == pytest.approx(values.number(substitute(formula, numbers)))
    for var in variables_in(formula):
        slope = values.number(substitute(partial(formula, var), numbers))
        assert found[1].get(var, 0.0) == pytest.approx(slope)


def test_what_it_does_not_know_is_none() -> None:
    gradient = Gradient(lambda v: None, lambda v: True)

    assert gradient.of(Var(("x",))) is None
    assert gradient.of(Call("semiLinear", Real(1.0), Real(2.0), Real(3.0))) is None
