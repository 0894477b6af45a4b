"""Solved equations become blocks: sums, gains, products, functions, integrators.

    diagram_of(ordered).blocks       R1.i = R1.u/R1.R is a gain `1/R1.R` that reads R1.u

A product of parameters is one gain, a function of one variable one block, a function of time one source.
An equation of an algebraic loop is solved for the unknown that it is paired with, as if the others were
known: the loop is then a cycle of blocks without an integrator, which is what an algebraic loop means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from freewheel.base.names import TIME, Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import TRUE, Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.listing.block_diagram.formulas import Formulas
from freewheel.listing.block_diagram.hidden import Hidden
from freewheel.listing.block_diagram.nodes import Diagram, Kind
from freewheel.listing.equations.solution import Assignment, Style, System, pieces
from freewheel.structure.atoms import PIVOT, base_of, der_of, is_pre
from freewheel.structure.blocks.isolate import isolated
from freewheel.structure.nodes import Ordered, ScalarEquation


def diagram_of(ordered: Ordered, differentiated: Iterable[Var] = ()) -> Diagram:
    """The computational causality of a model; `differentiated` states come from equations."""
    return _Builder(ordered, tuple(differentiated)).diagram()


@dataclass(slots=True)
class _Builder:
    """Blocks in the making; what a port reads is known as a variable until all blocks are there."""

    ordered: Ordered
    differentiated: tuple[Var, ...]
    hidden: Hidden = field(init=False)
    formulas: Formulas = field(init=False)
    loops: list[str] = field(default_factory=list)

    def diagram(self) -> Diagram:
        self.hidden = Hidden(self.ordered)
        self.formulas = Formulas(self.hidden, self._constants())
        found = pieces(self.ordered, Style(matrix=True))  # loops stay loops
        for piece in found:
            if isinstance(piece, Assignment):
                self._assign(piece.target, piece.value, piece.origin)
            else:
                self._loop(piece)
        self._integrators()
        self._outputs()
        self._given()
        blocks = tuple(self.formulas.resolved())
        name = ".".join(map(str, self.ordered.scalar.name))
        causality = "differential" if self.differentiated else "integral"
        return Diagram(name, blocks, tuple(self.loops), causality)

    def _constants(self) -> set[Name]:
        variables = self.ordered.scalar.variables
        return {v.name for v in variables if v.variability <= Variability.PARAMETER}

    def _assign(self, target: Var, value: Expr, owner: Name, loop: int = -1) -> None:
        if self.hidden.is_inner(target):
            return
        if str(target.name[0]).startswith("$"):
            owner = owner or self.hidden.owner(target.name)
        shown = self.hidden.readable(self.hidden.held(target, value))
        self.formulas.assign(target, shown, owner, loop)

    def _loop(self, system: System) -> None:
        number = len(self.loops)
        kind = "linear" if system.loop.is_linear else "nonlinear"
        kind = "solved by position of its switches" if system.loop.is_implicit else kind
        count = len(system.unknowns)
        self.loops.append(f"{count} equation{'s' if count > 1 else ''}, {kind}")
        self.formulas.unknowns = frozenset(system.unknowns)
        for equation, unknown in zip(system.equations, system.unknowns, strict=True):
            solution = isolated(equation, unknown)
            if solution is None:
                self._implicit(equation, unknown, number)
            else:
                self._assign(unknown, solution.value, equation.origin, number)
        self.formulas.unknowns = frozenset()

    def _implicit(self, equation: ScalarEquation, unknown: Var, loop: int) -> None:
        residual = self.hidden.readable(build.minus(equation.left, equation.right))
        self.formulas.implicit(unknown, residual, equation.origin, loop)

    def _integrators(self) -> None:
        starts: Mapping[Name, Expr | None] = {
            v.name: v.start for v in self.ordered.scalar.variables
        }
        resets = self._resets()
        for state in self.ordered.differential:
            start = starts.get(state.name)
            new = resets.pop(state, ())
            self.formulas.dynamic(Kind.INTEGRATOR, state, der_of(state), start, new)
        for state in self.differentiated:
            self.formulas.dynamic(Kind.DERIVATIVE, der_of(state), state, None)
        for target, parts in resets.items():
            for condition, value in parts:
                self.formulas.reinit(target, condition, value)

    def _resets(self) -> dict[Var, Sequence[tuple[Expr, Expr]]]:
        """The conditions and new values of each variable that `reinit` sets."""
        found: dict[Var, list[tuple[Expr, Expr]]] = {}
        for action in self.ordered.hybrid.actions:
            if action.kind != "reinit" or action.target is None or action.value is None:
                continue
            guard = TRUE if action.guard is None else action.guard
            condition = self.hidden.while_running(guard)
            value = self.hidden.while_running(action.value)
            found.setdefault(action.target, []).append((condition, value))
        return dict(found)

    def _outputs(self) -> None:
        aliases = self.ordered.hybrid.aliases.aliases
        for variable in self.ordered.scalar.variables:
            if variable.causality is not Causality.OUTPUT:
                continue
            value: Expr = Var(variable.name)
            alias = aliases.get(variable.name)
            if alias is not None:
                plain = alias.constant if alias.stand_in is None else alias.stand_in
                assert plain is not None
                value = build.neg(plain) if alias.sign < 0 else plain
            self.formulas.output(variable.name, value)

    def _given(self) -> None:
        """What is read and has no block yet: inputs, values before events, flags of events."""
        while unknown := self.formulas.missing():
            for var in unknown:
                if is_pre(var):
                    self.formulas.dynamic(Kind.MEMORY, var, base_of(var), None)
                elif var.name[0] == PIVOT:
                    group = self.hidden.group(var.name)
                    entries = (entry for row in group.gradient for entry in row)
                    self.formulas.computed(var, "choice of states", variables_in(*entries))
                else:
                    self._without_inputs(var)

    def _without_inputs(self, var: Var) -> None:
        is_input = not str(var.name[0]).startswith("$") and var.name != TIME
        label = self.hidden.words(var.name)
        self.formulas.given(var, Kind.INPUT if is_input else Kind.SOURCE, label)
