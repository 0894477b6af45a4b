"""Do the units fit? In: a flat model. Out: warnings about equations that mix quantities.

    check_units(model)      # F202: `R.v = C.i`: the sides are in V and A

Sums, comparisons, choices, equations, bindings and start values are checked up to factors; what
has no unit is not judged (see `flat.unit_rules`). Where two variables are equal as they are, factors and
offsets must be the same too. Each place in the text is reported once, however
many instances of it the model holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isclose

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.base.units import SECOND, Unit, UnitError, parse
from freewheel.base.units import show as show_unit
from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    FlatModel,
    ForEquation,
    IfEquation,
    Variable,
    WhenEquation,
)
from freewheel.flat.unit_rules import Conflict, Measure, UnitRules
from freewheel.formula.nodes import Binary, Expr, If, Integer, Real, Var
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assign,
    ForStatement,
    IfStatement,
    Reinit,
    Statement,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import INTEGER

TOO_LONG = 60
ZEROS = frozenset((Real(0.0), Integer(0)))  # of any unit
HELP_FOR_UNITS = 'write it as in "kg.m2/s2": symbols with exponents, `.` between them, one `/`'
RULE = 'Modelica 3.6, "Unit Expressions"'


def check_units(model: FlatModel, as_errors: bool = False) -> tuple[Diagnostic, ...]:
    """All findings in the order of the model; warnings unless `as_errors`."""
    return tuple(_Checker(model, Severity.ERROR if as_errors else Severity.WARNING).findings())


class _Checker:
    def __init__(self, model: FlatModel, severity: Severity) -> None:
        self.model = model
        self.severity = severity
        self.variables = {variable.name: variable for variable in model.variables}
        self.units: dict[str, Unit | None] = {}
        self.rules = UnitRules(self._unit_of, self._is_integer)
        self.told: set[tuple[object, ...]] = set()

    def findings(self) -> Iterator[Diagnostic]:
        yield from self._unreadable()
        for variable in self.model.variables:
            yield from self._binding(variable)
        sections = (self.model.equations, self.model.initial_equations)
        for equation in (e for section in sections for e in section):
            yield from self._equation(equation)
        for algorithm in (*self.model.algorithms, *self.model.initial_algorithms):
            for statement in algorithm.statements:
                yield from self._statement(statement)

    # ------------------------------------------------------------ units of variables

    def _variable(self, name: Name) -> Variable | None:
        """The variable, also where the name is of one element of an array."""
        found = self.variables.get(name)
        while found is None and name and isinstance(name[-1], int):
            name = name[:-1]
            found = self.variables.get(name)
        return found

    def _unit_of(self, name: Name) -> Unit | None:
        if name == ("time",):
            return SECOND
        variable = self._variable(name)
        if variable is None or not variable.attributes.unit:
            return None
        return self._unit(variable.attributes.unit)

    def _is_integer(self, name: Name) -> bool:
        variable = self._variable(name)
        return variable is not None and variable.type == INTEGER

    def _unit(self, text: str) -> Unit | None:
        if text not in self.units:
            try:
                self.units[text] = parse(text)
            except UnitError:
                self.units[text] = None
        return self.units[text]

    def _unreadable(self) -> Iterator[Diagnostic]:
        for variable in self.model.variables:
            for text in (variable.attributes.unit, variable.attributes.display_unit):
                if text and self._unit(text) is None:
                    message = f'the unit "{text}" is not understood'
                    yield from self._once("F204", message, variable.span, "", ())

    # ------------------------------------------------------------ places to look at

    def _binding(self, variable: Variable) -> Iterator[Diagnostic]:
        for value, what in ((variable.binding, "value"), (variable.attributes.start, "start")):
            if value is None:
                continue
            target = Var(variable.name)
            yield from self._sides("F203", target, value, variable.span, f"its {what}")

    def _equation(self, equation: AnyEquation) -> Iterator[Diagnostic]:
        if isinstance(equation, Equation) and ZEROS.intersection((equation.left, equation.right)):
            for side in (equation.left, equation.right):
                yield from self._vanishing(side, equation.span)
        elif isinstance(equation, Equation):
            yield from self._sides("F202", equation.left, equation.right, equation.span, "")
        elif isinstance(equation, ForEquation):
            yield from self._equations(equation.body)
        elif isinstance(equation, IfEquation):
            for condition, body in equation.branches:
                yield from self._alone(condition, equation.span)
                yield from self._equations(body)
            yield from self._equations(equation.otherwise)
        elif isinstance(equation, WhenEquation):
            for condition, body in equation.branches:
                yield from self._alone(condition, equation.span)
                yield from self._equations(body)
        elif isinstance(equation, Reinit):
            yield from self._sides("F202", equation.variable, equation.value, equation.span, "")

    def _vanishing(self, expr: Expr, span: Span) -> Iterator[Diagnostic]:
        """`0 = if open then i else v`: each branch is an equation of its own."""
        if not isinstance(expr, If):
            yield from self._alone(expr, span)
            return
        condition, *branches = expr.args
        yield from self._alone(condition, span)
        for branch in branches:
            yield from self._vanishing(branch, span)

    def _equations(self, equations: Iterable[AnyEquation]) -> Iterator[Diagnostic]:
        for equation in equations:
            yield from self._equation(equation)

    def _statement(self, statement: Statement) -> Iterator[Diagnostic]:
        if isinstance(statement, Assign):
            yield from self._sides("F202", statement.target, statement.value, statement.span, "")
        elif isinstance(statement, IfStatement | WhenStatement):
            for condition, body in statement.branches:
                yield from self._alone(condition, statement.span)
                yield from self._statements(body)
            if isinstance(statement, IfStatement):
                yield from self._statements(statement.otherwise)
        elif isinstance(statement, ForStatement | WhileStatement):
            yield from self._statements(statement.body)

    def _statements(self, statements: Iterable[Statement]) -> Iterator[Diagnostic]:
        for statement in statements:
            yield from self._statement(statement)

    # ------------------------------------------------------------ judging and telling

    def _alone(self, expr: Expr, span: Span) -> Iterator[Diagnostic]:
        self.rules.measure(expr)
        yield from self._inner_conflicts(span)

    def _sides(
        self, code: str, left: Expr, right: Expr, span: Span, what: str
    ) -> Iterator[Diagnostic]:
        measures = self.rules.measure(left), self.rules.measure(right)
        yield from self._inner_conflicts(span)
        self.rules.agree(right, *measures)
        for conflict in self._take_conflicts():
            units = _units(conflict)
            if code == "F203":
                message = f"`{show(left)}` is in {units[0]}, {what} `{_short(right)}` in {units[1]}"
            else:
                equation = f"`{_short(left)} = {_short(right)}`"
                message = f"{equation}: the sides are in {units[0]} and {units[1]}"
            yield from self._once(code, message, span, "", self._sources(conflict))
        yield from self._unconverted(code, left, right, span)

    def _unconverted(self, code: str, left: Expr, right: Expr, span: Span) -> Iterator[Diagnostic]:
        """`K = C`, one in kelvin, the other in degrees Celsius. Formulas may hold the factor as a number, so
        only variables set equal as they are can be judged."""
        if not isinstance(left, Var) or not isinstance(right, Var):
            return
        first, second = self._unit_of(left.name), self._unit_of(right.name)
        if first is None or second is None or not first.measures_same_as(second):
            return
        if isclose(first.factor, second.factor) and isclose(first.offset, second.offset):
            return
        units = f"{self._unit_text(left)} and {self._unit_text(right)}"
        message = f"`{show(left)} = {show(right)}`: {units} are set equal without conversion"
        yield from self._once(code, message, span, "", ())

    def _unit_text(self, var: Var) -> str:
        variable = self._variable(var.name)
        return "s" if variable is None else str(variable.attributes.unit)

    def _inner_conflicts(self, span: Span) -> Iterator[Diagnostic]:
        for conflict in self._take_conflicts():
            units = _units(conflict)
            message = (
                f"`{_short(conflict.where)}` {_verb(conflict.where)} {units[0]} and {units[1]}"
            )
            yield from self._once("F201", message, span, "", self._sources(conflict))

    def _take_conflicts(self) -> list[Conflict]:
        taken = list(self.rules.conflicts)
        self.rules.conflicts.clear()
        return taken

    def _sources(self, conflict: Conflict) -> tuple[Label, ...]:
        labels = (self._source(measure) for measure in (conflict.left, conflict.right))
        return tuple(label for label in labels if label is not None)

    def _source(self, measure: Measure) -> Label | None:
        if not isinstance(measure.source, Var) or measure.unit is None:
            return None
        variable = self._variable(measure.source.name)
        if variable is None or variable.span is NOWHERE:
            return None
        unit = variable.attributes.unit or show_unit(measure.unit)
        return Label(variable.span, f"`{show(measure.source)}` is in {unit}")

    def _once(
        self, code: str, message: str, span: Span, text: str, more: tuple[Label, ...]
    ) -> Iterator[Diagnostic]:
        place = message if span is NOWHERE else (span.source.path, span.start, span.end)
        if (code, place) in self.told:
            return
        self.told.add((code, place))
        first = () if span is NOWHERE else (Label(span, text),)
        help = HELP_FOR_UNITS if code == "F204" else "correct the equation or the declared units"
        yield Diagnostic(code, message, first + more, help, RULE, self.severity)


def _units(conflict: Conflict) -> tuple[str, str]:
    assert conflict.left.unit is not None
    assert conflict.right.unit is not None
    return show_unit(conflict.left.unit), show_unit(conflict.right.unit)


def _verb(expr: Expr) -> str:
    if isinstance(expr, If):
        return "chooses between"
    return "adds" if isinstance(expr, Binary) and expr.op in ("+", ".+") else "relates"


def _short(expr: Expr) -> str:
    text = show(expr)
    return text if len(text) <= TOO_LONG else text[: TOO_LONG - 4] + " ..."
