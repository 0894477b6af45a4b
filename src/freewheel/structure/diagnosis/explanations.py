"""Words for what `explain` finds: in come equations and variables, out come diagnostics.

    Words(variables, equations, inputs).floating((U.p.v, U.n.v))     error[E031]: nothing fixes ...

Cures are guessed from units and names: a level in volts asks for a ground, equations in volts that
leave a current open are sources in parallel.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.names import Name
from freewheel.base.names import show as show_name
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import is_der, show_atom
from freewheel.structure.blocks.incidence import folded
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.show_lines import Writer

MAX_NAMED = 8
MAX_PLACES = 6
MAX_TEXT = 90  # characters of one equation
_BALANCED = 'Modelica 3.6, "Balanced Models"'
_REFERENCES = {  # unit of the level -> what gives one
    "V": "connect one point to a ground, e.g. Modelica.Electrical.Analog.Basic.Ground",
    "K": "connect one point to a given temperature, e.g."
    " Modelica.Thermal.HeatTransfer.Sources.FixedTemperature",
    "rad": "hold one flange, e.g. by Modelica.Mechanics.Rotational.Components.Fixed",
    "m": "hold one flange, e.g. by Modelica.Mechanics.Translational.Components.Fixed",
    "Pa": "give one pressure, e.g. by a boundary or an open tank",
}


class Words:
    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        equations: Sequence[ScalarEquation],
        inputs: Collection[Name],
        writer: Writer,
        path: str = "",
    ) -> None:
        self.variables = variables
        self.inputs = inputs
        self.writer = writer
        self.path = path  # of the modeller's own file: places in it come first
        self.uses: dict[Var, list[ScalarEquation]] = {}
        for equation in equations:
            found = dict.fromkeys(folded(v) for v in variables_in(equation.left, equation.right))
            for var in found:
                self.uses.setdefault(var, []).append(equation)

    # ------------------------------------------------------------ the running model

    def floating(self, level: tuple[Var, ...]) -> Diagnostic:
        """All of these may rise together and no equation notices."""
        units = {self._unit(var) for var in level} - {""}
        known = [cure for unit, cure in _REFERENCES.items() if unit in units]
        return Diagnostic(
            "E031",
            f"nothing fixes the level of {_names(level)}: the equations contain only differences",
            tuple(self._places(level, "may rise together with the others")),
            help=known[0] if known else "give one of them a value",
            rule=_BALANCED,
        )

    def conflict(
        self, equations: tuple[ScalarEquation, ...], contradicts: bool, open_: tuple[Var, ...]
    ) -> Diagnostic:
        how = "contradict each other" if contradicts else "say the same thing twice"
        text = f"{len(equations)} equations {how}: {self._texts(equations)}"
        if len(equations) == 1:
            text = f"the equation {self._texts(equations)} determines nothing"
        if open_:
            text += f"; nothing determines {_names(open_)}"
        return Diagnostic(
            "E032",
            text,
            tuple(self._equation_labels(equations)),
            help=self._cure_of_conflict(equations, open_),
            rule=_BALANCED,
        )

    def _cure_of_conflict(
        self, equations: tuple[ScalarEquation, ...], open_: tuple[Var, ...]
    ) -> str:
        if len(equations) == 1 and open_:
            return f"let it involve {_names(open_[:1])}"
        parts = _components(equations)
        about = {
            self._unit(folded(v)) for e in equations for v in variables_in(e.left, e.right)
        } - {""}
        left_open = {self._unit(folded(var)) for var in open_} - {""}
        who = " and ".join(f"`{part}`" for part in parts[:4])
        if len(parts) > 1 and "A" in left_open and about == {"V"}:
            return f"{who} give the same voltage: remove one, or put a resistor between them"
        if len(parts) > 1 and "V" in left_open and about == {"A"}:
            return f"{who} give the same current: remove one, or put a resistor across them"
        if len(parts) == 1 and "A" in left_open and about == {"V"}:
            return f"{who} is short-circuited: remove a connection, or put a resistor in its way"
        if len(parts) > 1:
            return f"{who} prescribe the same quantity: remove one, or put something between them"
        if open_:
            return f"remove one of these equations, or let one give {_names(open_[:1])}"
        return "remove one of these equations"

    def missing(self, variables: tuple[Var, ...]) -> Diagnostic:
        """Nothing determines these: one equation is missing."""
        suspects = self._open_inputs(variables)
        if suspects:
            what, cure = "input left open", f"connect {_names(suspects)}, or give a value"
        else:
            suspects = self._least_used(variables)
            few = len(self.uses.get(suspects[0], ()))
            what = "occurs in no equation" if few == 0 else "occurs in one equation only"
            what = what if few < 2 else "not determined"
            cure = "give it an equation or a value, or make it a parameter or an input"
        also = [v for v in variables if v not in suspects]
        text = f"nothing determines {_names(suspects)}"
        text += f", and so neither {_names(also)}" if also else ""
        return Diagnostic(
            "E033",
            f"one equation is missing: {text}",
            tuple(self._places(suspects, what)),
            help=cure,
            rule=_BALANCED,
        )

    def _open_inputs(self, variables: Sequence[Var]) -> tuple[Var, ...]:
        """Inputs that only their own component speaks of, or connections with other such inputs."""
        found = {var for var in variables if var.name in self.inputs}
        while True:
            left = {
                var
                for var in found
                if all(_is_inside(e, var, found) for e in self.uses.get(var, ()))
            }
            if left == found:
                return tuple(var for var in variables if var in found)
            found = left

    def _least_used(self, variables: Sequence[Var]) -> tuple[Var, ...]:
        uses = {var: len(self.uses.get(var, ())) for var in variables}
        least = min(uses.values())
        return tuple(var for var in variables if uses[var] == least)

    # ------------------------------------------------------------ states and start

    def tied(self, states: tuple[Var, ...], chain: tuple[ScalarEquation, ...]) -> Diagnostic:
        if len(states) > 1:
            text = f"the states {_names(states)} depend on each other"
            cure = (
                "this is solved by differentiating; give only one of them a fixed start,"
                " or put something between them"
            )
        else:
            text = f"{_names(states)} is not a free state: time or an input determines it"
            cure = "this is solved by differentiating; leave its start open"
        return Diagnostic(
            "E034",
            f"{text} through {self._texts(chain)}",
            tuple(self._equation_labels(chain)),
            help=cure,
            severity=Severity.NOTE,
        )

    def start(self, equations: tuple[ScalarEquation, ...], contradicts: bool) -> Diagnostic:
        """The start-up system holds one condition too many."""
        how = (
            "contradict each other" if contradicts else "are redundant: one follows from the others"
        )
        conditions = [e for e in equations if e.target is not None and _is_start(e)]
        fixed = [f"`{show_atom(e.left.name)}`" for e in conditions if isinstance(e.left, Var)]
        advice = f"make the start of {fixed[-1]} not fixed" if fixed else "remove one"
        return Diagnostic(
            "E035",
            f"at the start {len(equations)} conditions {how}: {self._texts(equations)}",
            tuple(self._equation_labels(equations)),
            help=f"{advice}, or leave out an initial equation",
            severity=Severity.ERROR if contradicts else Severity.NOTE,
        )

    def open_start(self, variables: tuple[Var, ...]) -> Diagnostic:
        """Enough conditions, but none of them determines these: the start-up system is singular."""
        many = len(variables) > 1
        together = "may change together with the others" if many else "may have any value"
        return Diagnostic(
            "E036",
            f"at the start nothing fixes {_names(variables)}: the conditions leave a free choice",
            tuple(self._places(variables, together)),
            help="replace one of the initial equations by a value of one of them, e.g. with"
            " `fixed = true`",
            severity=Severity.WARNING,
        )

    # ------------------------------------------------------------ pieces

    def _unit(self, var: Var) -> str:
        variable = self.variables.get(var.name)
        return "" if variable is None else variable.unit

    def _places(self, variables: Sequence[Var], text: str) -> list[Label]:
        """Where variables are declared; one place once, with the first of its names."""
        labels: dict[Span, Label] = {}
        for var in variables:
            variable = self.variables.get(folded(var).name)
            if variable is not None and variable.span is not NOWHERE:
                shown = f"`{show_atom(var.name)}` {text}".replace("` input", "`: input")
                labels.setdefault(variable.span, Label(variable.span, shown))
        return self._own_first(labels.values())

    def _own_first(self, labels: Iterable[Label]) -> list[Label]:
        ordered = sorted(labels, key=lambda label: label.span.source.path != self.path)
        return ordered[:MAX_PLACES]

    def _text(self, equation: ScalarEquation) -> str:
        text = f"{self.writer.text(equation.left)} = {self.writer.text(equation.right)}"
        return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT]} ..."

    def _texts(self, equations: Sequence[ScalarEquation]) -> str:
        return _list([self._text(equation) for equation in equations])

    def _equation_labels(self, equations: Sequence[ScalarEquation]) -> list[Label]:
        labels: dict[Span, Label] = {}
        for equation in equations:
            if equation.span is not NOWHERE:
                labels.setdefault(equation.span, Label(equation.span, self._text(equation)))
        return self._own_first(labels.values())


def _is_inside(equation: ScalarEquation, var: Var, inputs: Collection[Var]) -> bool:
    is_own = equation.origin and var.name[: len(equation.origin)] == equation.origin
    return bool(is_own) or (equation.left in inputs and equation.right in inputs)


def _is_start(equation: ScalarEquation) -> bool:
    return equation.left is equation.target and not is_der(equation.target)


def _components(equations: Sequence[ScalarEquation]) -> list[str]:
    """Components that bring two or more of the equations, or any if there are none of those."""
    counts: dict[str, int] = {}
    for equation in equations:
        if equation.origin:
            name = show_name(equation.origin)
            counts[name] = counts.get(name, 0) + 1
    several = [name for name, count in counts.items() if count > 1]
    return several or list(counts)


def _names(variables: Sequence[Var]) -> str:
    return _list([show_atom(var.name) for var in variables])


def _list(texts: Sequence[str]) -> str:
    shown = ", ".join(f"`{text}`" for text in texts[:MAX_NAMED])
    return shown if len(texts) <= MAX_NAMED else f"{shown} and {len(texts) - MAX_NAMED} more"
