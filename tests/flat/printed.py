"""Models in, short lines of text out: how the tests of `instance` and `flat` look at flat models.

`flat("model M Real x = 1; end M;").equations == ["x = 1"]`; `refused(text)` is the finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.base.names import name_of
from freewheel.base.names import show as show_name
from freewheel.base.source import Source
from freewheel.flat.flatten import flatten
from freewheel.flat.nodes import (
    AnyEquation,
    Causality,
    Equation,
    FlatModel,
    ForEquation,
    IfEquation,
    TupleEquation,
    Variability,
    Variable,
    WhenEquation,
)
from freewheel.formula.nodes import Expr
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    CallEquation,
    Effect,
    ForStatement,
    IfStatement,
    Reinit,
    Statement,
    Terminate,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import Type
from freewheel.formula.types import show as show_type
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library

_WORDS = {
    Variability.CONSTANT: "constant ",
    Variability.PARAMETER: "parameter ",
    Variability.DISCRETE: "discrete ",
    Variability.CONTINUOUS: "",
}


@dataclass(frozen=True)
class Printed:
    """The parts of a flat model as lines."""

    model: FlatModel

    @property
    def variables(self) -> list[str]:
        return [_variable(v) for v in self.model.variables]

    @property
    def names(self) -> list[str]:
        return [show_name(v.name) for v in self.model.variables]

    @property
    def equations(self) -> list[str]:
        return _lines(self.model.equations)

    @property
    def initial(self) -> list[str]:
        return _lines(self.model.initial_equations)

    @property
    def algorithms(self) -> list[str]:
        return [_statements(a.statements) for a in self.model.algorithms]

    @property
    def initial_algorithms(self) -> list[str]:
        return [_statements(a.statements) for a in self.model.initial_algorithms]

    @property
    def functions(self) -> list[str]:
        return [show_name(f.name) for f in self.model.functions]

    @property
    def warnings(self) -> list[str]:
        return [w.code for w in self.model.warnings]

    def variable(self, name: str) -> Variable:
        return next(v for v in self.model.variables if show_name(v.name) == name)

    def __getitem__(self, name: str) -> str:
        """The declaration of one variable."""
        return _variable(self.variable(name))

    def value(self, name: str) -> str:
        """The binding of a constant or parameter."""
        binding = self.variable(name).binding
        return "" if binding is None else show(binding)


def flat(text: str, model: str = "M", changes: Mapping[str, str] | None = None) -> Printed:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "test.mo"))
    return Printed(flatten(instantiate(library, name_of(model), changes)))


def refused(text: str, model: str = "M", changes: Mapping[str, str] | None = None) -> Diagnostic:
    """The first finding about a model that must not pass."""
    try:
        printed = flat(text, model, changes)
    except CompileError as failed:
        return failed.diagnostics[0]
    raise AssertionError(f"accepted: {printed.variables} {printed.equations}")


def place(diagnostic: Diagnostic) -> str:
    """The text a diagnostic points at."""
    span = diagnostic.labels[0].span
    return span.source.text[span.start : span.end]


def _variable(v: Variable) -> str:
    words = _WORDS[v.variability]
    if v.variability is Variability.DISCRETE and show_type(Type(v.type)) != "Real":
        words = ""
    if v.causality is not Causality.LOCAL:
        words += v.causality.value + " "
    dims = "[" + ", ".join(map(str, v.dims)) + "]" if v.dims else ""
    attributes = ", ".join(_attributes(v))
    tail = f"({attributes})" if attributes else ""
    value = f" = {show(v.binding)}" if v.binding is not None else ""
    final = "final " if v.is_final else ""
    return f"{final}{words}{show_type(Type(v.type))}{dims} {show_name(v.name)}{tail}{value}"


def _attributes(v: Variable) -> Iterator[str]:
    a = v.attributes
    for label, value in (
        ("start", a.start),
        ("fixed", a.fixed),
        ("min", a.minimum),
        ("max", a.maximum),
        ("nominal", a.nominal),
        ("unit", a.unit),
        ("displayUnit", a.display_unit),
        ("quantity", a.quantity),
        ("stateSelect", a.state_select),
    ):
        if value is not None:
            yield f"{label} = {show(value) if isinstance(value, Expr) else value}"


def _lines(equations: tuple[AnyEquation, ...]) -> list[str]:
    return [_equation(e) for e in equations]


def _block(equations: tuple[AnyEquation, ...]) -> str:
    return " ".join(f"{_equation(e)};" for e in equations)


def _equation(e: AnyEquation) -> str:
    match e:
        case Equation(left, right):
            return f"{show(left)} = {show(right)}"
        case TupleEquation(outputs, call):
            return f"({_targets(outputs)}) = {show(call)}"
        case ForEquation(index, values, body):
            return f"for {index} in {show(values)} loop {_block(body)} end for"
        case IfEquation(branches, otherwise):
            parts = [f"if {show(c)} then {_block(b)}" for c, b in branches]
            return " else".join(parts) + f" else {_block(otherwise)} end if"
        case WhenEquation(branches):
            parts = [f"when {show(c)} then {_block(b)}" for c, b in branches]
            return " else".join(parts) + " end when"
    return _action(e)


def _action(e: Reinit | Assert | Terminate | CallEquation) -> str:
    match e:
        case Reinit(variable, value):
            return f"reinit({show(variable)}, {show(value)})"
        case Assert(condition, message, is_warning):
            level = ", warning" if is_warning else ""
            return f"assert({show(condition)}, {show(message)}{level})"
        case Terminate(message):
            return f"terminate({show(message)})"
        case CallEquation(call):
            return show(call)


def _targets(outputs: tuple[Expr | None, ...]) -> str:
    return ", ".join("" if o is None else show(o) for o in outputs)


def _statements(statements: tuple[Statement, ...]) -> str:
    return " ".join(f"{_statement(s)};" for s in statements)


def _statement(s: Statement) -> str:
    match s:
        case Assign(target, value):
            return f"{show(target)} := {show(value)}"
        case TupleAssign(targets, call):
            return f"({_targets(targets)}) := {show(call)}"
        case IfStatement(branches, otherwise):
            parts = [f"if {show(c)} then {_statements(b)}" for c, b in branches]
            return " else".join(parts) + f" else {_statements(otherwise)} end if"
        case ForStatement(index, values, body):
            return f"for {index} in {show(values)} loop {_statements(body)} end for"
        case WhileStatement(condition, body):
            return f"while {show(condition)} loop {_statements(body)} end while"
        case WhenStatement(branches):
            parts = [f"when {show(c)} then {_statements(b)}" for c, b in branches]
            return " else".join(parts) + " end when"
        case Effect(action):
            return _action(action)
    return type(s).__name__.lower()
