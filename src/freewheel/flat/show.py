"""The flat model as valid Modelica text, which flattens again to the same model.

    model 'Circuit'
      parameter Real 'R1.R'(unit = "Ohm") = 10.0;
      Real 'R1.v'(unit = "V");
    equation
      'R1.v' = 'R1.R'*'R1.i';
    end 'Circuit';

Names of variables are quoted identifiers; functions, records and enumerations that are needed
stand before the model. A parameter whose value was used while flattening is `final`: changing it
here would not bring what it decided back.
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.flat.class_texts import ClassTexts
from freewheel.flat.nodes import (
    Attributes,
    Causality,
    Experiment,
    FlatModel,
    Variability,
    Variable,
)
from freewheel.flat.reached import reached
from freewheel.flat.show_code import STEP, Code
from freewheel.flat.show_definitions import Definitions
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.nodes import Expr
from freewheel.formula.shape import Shapes
from freewheel.formula.show import quote_string, quoted_name, show_number
from freewheel.formula.types import REAL


def show(model: FlatModel) -> str:
    return "\n".join(_Page(model).lines()) + "\n"


class _Page:
    def __init__(self, model: FlatModel) -> None:
        self._model = model
        self._needed = reached(model)
        self._texts = ClassTexts(model, self._needed.functions, self._needed.external_objects)
        self._code = Code(self._texts)
        dims = {variable.name: variable.dims for variable in model.variables}
        functions = {function.name: function for function in model.functions}
        self._shapes = Shapes(dims.__getitem__, functions.get)

    def lines(self) -> Iterator[str]:
        model = self._model
        yield from Definitions(self._texts).lines(self._needed)
        name = self._texts.of_class(model.name)
        yield f"model {name}{_comment(model.comment)}"
        yield from self._variables()
        for word, equations in (
            ("initial equation", model.initial_equations),
            ("equation", model.equations),
        ):
            if equations:
                yield word
                yield from self._code.lines(equations, STEP)
        for word, algorithms in (
            ("initial algorithm", model.initial_algorithms),
            ("algorithm", model.algorithms),
        ):
            for algorithm in algorithms:
                yield word
                yield from self._code.lines(algorithm.statements, STEP)
        yield from _annotation(model.experiment)
        yield f"end {name};"

    # ------------------------------------------------------------ variables

    def _variables(self) -> Iterator[str]:
        is_protected = False
        for variable in self._model.variables:
            if variable.is_protected is not is_protected:
                is_protected = not is_protected
                yield "protected" if is_protected else "public"
            yield f"{STEP}{self._variable(variable)};"

    def _variable(self, variable: Variable) -> str:
        sizes = f"[{', '.join(map(str, variable.dims))}]" if variable.dims else ""
        attributes = ", ".join(self._attributes(variable))
        brackets = f"({attributes})" if attributes else ""
        value = f" = {self._texts.expr(variable.binding)}" if variable.binding is not None else ""
        head = "".join(_prefixes(variable)) + self._texts.of_type(variable.type)
        name = quoted_name(variable.name)
        return f"{head} {name}{sizes}{brackets}{value}{_comment(variable.comment)}"

    def _attributes(self, variable: Variable) -> Iterator[str]:
        attributes = variable.attributes
        each = "each " if variable.dims else ""
        for label, text in _text_attributes(attributes):
            yield f"{each}{label} = {text}"
        for label, expr in _value_attributes(attributes):
            if expr is not None:
                word = each if not self._is_array(expr) else ""
                yield f"{word}{label} = {self._texts.expr(expr)}"

    def _is_array(self, expr: Expr) -> bool:
        try:
            return self._shapes.of(expr) != ()
        except NotConstant:
            return True  # a size that only a parameter's value tells: surely no scalar


def _prefixes(variable: Variable) -> Iterator[str]:
    if variable.is_final or variable.is_structural:
        yield "final "
    if variable.variability is Variability.CONSTANT:
        yield "constant "
    elif variable.variability is Variability.PARAMETER:
        yield "parameter "
    elif variable.variability is Variability.DISCRETE and variable.type == REAL:
        yield "discrete "
    if variable.causality is not Causality.LOCAL:
        yield f"{variable.causality.value} "


def _text_attributes(attributes: Attributes) -> Iterator[tuple[str, str]]:
    for label, text in (
        ("quantity", attributes.quantity),
        ("unit", attributes.unit),
        ("displayUnit", attributes.display_unit),
    ):
        if text is not None:
            yield label, quote_string(text)
    if attributes.state_select is not None:
        yield "stateSelect", f"StateSelect.{attributes.state_select}"
    if attributes.unbounded:
        yield "unbounded", "true"


def _value_attributes(attributes: Attributes) -> tuple[tuple[str, Expr | None], ...]:
    return (
        ("min", attributes.minimum),
        ("max", attributes.maximum),
        ("start", attributes.start),
        ("fixed", attributes.fixed),
        ("nominal", attributes.nominal),
    )


def _comment(text: str) -> str:
    return f" {quote_string(text)}" if text else ""


def _annotation(experiment: Experiment) -> Iterator[str]:
    settings = [
        f"{label} = {show_number(value)}"
        for label, value in (
            ("StartTime", experiment.start_time),
            ("StopTime", experiment.stop_time),
            ("Tolerance", experiment.tolerance),
            ("Interval", experiment.interval),
        )
        if value is not None
    ]
    if settings:
        yield f"{STEP}annotation(experiment({', '.join(settings)}));"
