"""Solved equations become blocks: sums, gains, products, functions, integrators.

    diagram_of(ordered).blocks       R1.i = R1.u/R1.R is a gain `1/R1.R` that reads R1.u

A product of parameters is one gain, a function of one variable one block, a function of time one source.
An equation of an algebraic loop is solved for the unknown that it is paired with, as if the others were
known: the loop is then a cycle of blocks without an integrator, which is what an algebraic loop means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import Binary, Expr, Var
from freewheel.formula.show import show
from freewheel.formula.walk import replace as rewrite
from freewheel.listing.block_diagram.formulas import Formulas
from freewheel.listing.block_diagram.nodes import Diagram, Kind
from freewheel.structure.atoms import INITIAL, TERMINAL, base_of, der_of, is_pre, show_atom
from freewheel.structure.isolate import isolated
from freewheel.structure.nodes import Ordered, ScalarEquation
from freewheel.structure.solution import Assignment, Style, System, pieces
from freewheel.structure.when_lines import rising


def diagram_of(ordered: Ordered, differentiated: Iterable[Var] = ()) -> Diagram:
    """The computational causality of a model; `differentiated` states come from equations."""
    return _Builder(ordered, tuple(differentiated)).diagram()


@dataclass(slots=True)
class _Builder:
    """Blocks in the making; what a port reads is known as a variable until all blocks are there."""

    ordered: Ordered
    differentiated: tuple[Var, ...]
    formulas: Formulas = field(init=False)
    loops: list[str] = field(default_factory=list)

    def diagram(self) -> Diagram:
        self.formulas = Formulas(self._constants())
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

    def _readable(self, expr: Expr) -> Expr:
        """With relations in the place of their statuses."""
        crossings = {c.status: c for c in self.ordered.hybrid.crossings}

        def put(node: Expr) -> Expr | None:
            if isinstance(node, Binary) and node.left in crossings:
                crossing = crossings[node.left]
                return Binary(node.op, crossing.left, crossing.right)
            return rising(node)

        return rewrite(expr, put, {})

    def _assign(self, target: Var, value: Expr, owner: Name, loop: int = -1) -> None:
        self.formulas.assign(target, self._readable(value), owner, loop)

    def _loop(self, system: System) -> None:
        number = len(self.loops)
        kind = "linear" if system.loop.is_linear else "nonlinear"
        kind = "solved by position of its switches" if system.loop.is_implicit else kind
        self.loops.append(f"{len(system.unknowns)} equations, {kind}")
        for equation, unknown in zip(system.equations, system.unknowns, strict=True):
            solution = isolated(equation, unknown)
            if solution is None:
                self._implicit(equation, unknown, number)
            else:
                self._assign(unknown, solution.value, equation.origin, number)

    def _implicit(self, equation: ScalarEquation, unknown: Var, loop: int) -> None:
        residual = self._readable(build.minus(equation.left, equation.right))
        self.formulas.implicit(unknown, residual, equation.origin, loop)

    def _integrators(self) -> None:
        starts: Mapping[Name, Expr | None] = {
            v.name: v.start for v in self.ordered.scalar.variables
        }
        for state in self.ordered.differential:
            start = starts.get(state.name)
            self.formulas.dynamic(Kind.INTEGRATOR, state, der_of(state), start)
        for state in self.differentiated:
            self.formulas.dynamic(Kind.DERIVATIVE, der_of(state), state, None)

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
        words = {INITIAL: "initial()", TERMINAL: "terminal()"}
        for clock in self.ordered.hybrid.samples:
            words[clock.flag] = f"sample({show(clock.start)}, {show(clock.interval)})"
        while unknown := self.formulas.missing():
            for var in unknown:
                if is_pre(var):
                    self.formulas.dynamic(Kind.MEMORY, var, base_of(var), None)
                else:
                    self.formulas.given(var, words.get(var) or show_atom(var.name))
