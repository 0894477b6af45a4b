"""The implicit core over numbered slots: `F(rates, y, time; bits)` and its derivatives.

    made = lower_core(core, lowering, program)
    made.residual, made.by_rate, made.by_variable       each a program like the Jacobian's

All of them are called like the Jacobian, `f(memory, values)`. In `values` are handed in, one after
the other: the branch vector, the rates, y; out come the results in the same array. Time, parameters,
discrete variables and whatever else is given are taken from the memory. `slopes` take the second
rates behind that, and the third. y are the states of the shell, then the variables of the core; rows
likewise. A state of the shell has the row
`rate - what the shell computes for it`, so that one integrator advances everything together.

Bits are data: no event translates anything again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from freewheel.formula import build
from freewheel.formula.nodes import ONE, ZERO, Binary, Expr, If, Real, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.walk import map_bottom_up
from freewheel.graphs.coloring import color_columns
from freewheel.program.jacobian import JacobianProgram
from freewheel.program.needed import influences, needed
from freewheel.program.nodes import Assign, Program, SolveLinear, SolveNonlinear, Step, slot_var
from freewheel.program.share import share
from freewheel.program.tangents import Seeds, Tangents
from freewheel.structure.atoms import der_of, show_atom
from freewheel.structure.branches.nodes import Core
from freewheel.structure.incidence import equation_text
from freewheel.structure.nodes import Block, Crossing, Sorted
from freewheel.structure.phase import Phase

HALF = Real(0.5)


class Lowering(Protocol):
    """What lower.py knows: slots, and steps for blocks."""

    def expr(self, expr: Expr) -> Expr: ...

    def slot(self, var: Var) -> int: ...

    def block(self, block: Block, system: Sorted) -> list[Step]: ...


@dataclass(frozen=True, slots=True)
class CornerSlots:
    """Complementarity: bit `bit` turns where y[`parameter`] passes `at` (a formula of the memory)."""

    bit: int
    parameter: int
    is_below: bool
    at: Expr
    relation: int


@dataclass(frozen=True, slots=True)
class CoreProgram:
    """Numbers of bits, y and rows; then the programs."""

    bit_names: tuple[str, ...]  # conditions as written
    bit_senses: tuple[bool, ...]  # whether a bit is set while that holds, or while it does not
    names: tuple[str, ...]  # of y
    slots: tuple[int, ...]  # of y in the memory: where results are kept
    rate_slots: tuple[int, ...]  # of the rates; -1 where y is algebraic
    row_texts: tuple[str, ...]
    corners: tuple[CornerSlots, ...]
    is_linear: bool  # both matrices depend on bits and parameters alone
    guards: tuple[int, ...]  # numbers of the relations that depend on y
    bits: JacobianProgram  # the branch vector as the memory has it
    residual: JacobianProgram
    by_rate: JacobianProgram  # dF/drates
    by_variable: JacobianProgram  # dF/dy
    slopes: tuple[JacobianProgram, ...]  # dF/dt along the motion, then its derivative
    guard: JacobianProgram  # left - right of each guard
    guard_by_variable: JacobianProgram

    @property
    def given(self) -> int:
        """How many numbers are handed in."""
        return len(self.bit_names) + 2 * len(self.names)


def lower_core(
    core: Core, lowering: Lowering, program: Program, crossings: Sequence[Crossing]
) -> CoreProgram:
    return _CoreLowering(core, lowering, program, crossings).made()


class _CoreLowering:
    def __init__(
        self, core: Core, lowering: Lowering, program: Program, crossings: Sequence[Crossing]
    ) -> None:
        self.core = core
        self.lowering = lowering
        self.program = program
        self.crossings = crossings
        self.variables = (*core.shell_states, *core.variables)
        first, count = len(program.start), len(core.bits)
        self.bit = [first + k for k in range(count)]
        self.rate = [first + count + k for k in range(len(self.variables))]
        self.y = [first + count + len(self.variables) + k for k in range(len(self.variables))]
        self.given = count + 2 * len(self.variables)
        self.phase = Phase(is_initial=False)
        self.renamed = self._renamed()
        self.conditions = {
            lowering.expr(condition): self._asked(place, sense)
            for condition, place, sense in core.conditions
        }
        self.memo: dict[Expr, Expr] = {}
        self.steps = [
            self._step(step)
            for block in core.shell.blocks
            for step in lowering.block(block, core.shell)
        ]
        self.rows = self._rows()

    def _renamed(self) -> dict[Expr, Expr]:
        """Slots of the memory -> where the value is handed in."""
        found: dict[Expr, Expr] = {}
        rates = set(self.core.differential)
        for k, var in enumerate(self.variables):
            found[slot_var(self.lowering.slot(var))] = slot_var(self.y[k])
            if var in rates:
                found[slot_var(self.lowering.slot(der_of(var)))] = slot_var(self.rate[k])
        return found

    def _asked(self, place: int, sense: bool) -> Expr:
        return Binary(">" if sense else "<", slot_var(self.bit[place]), HALF)

    # ------------------------------------------------------------ formulas

    def expr(self, expr: Expr) -> Expr:
        """A formula of the model over memory and what is handed in."""
        return self._rewritten(self.lowering.expr(self.phase.expr(expr)))

    def _rewritten(self, expr: Expr) -> Expr:
        return map_bottom_up(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr:
        if isinstance(node, If) and node.args[0] in self.conditions:
            return If(self.conditions[node.args[0]], *node.args[1:])
        return self.renamed.get(node, node)

    def _step(self, step: Step) -> Step:
        new = self._rewritten
        if isinstance(step, Assign):
            return replace(step, value=new(step.value))
        if isinstance(step, SolveLinear):
            matrix = tuple((r, c, new(entry)) for r, c, entry in step.matrix)
            return replace(step, matrix=matrix, right=tuple(map(new, step.right)))
        assert isinstance(step, SolveNonlinear), step
        inner = tuple(replace(part, value=new(part.value)) for part in step.inner)
        return replace(step, inner=inner, residuals=tuple(map(new, step.residuals)))

    def _rows(self) -> list[Expr]:
        rows: list[Expr] = []
        states = {var: k for k, var in enumerate(self.variables)}
        for k, state in enumerate(self.core.shell_states):
            rate = der_of(state)
            at = self.y[states[rate]] if rate in states else self.lowering.slot(rate)
            rows.append(build.minus(slot_var(self.rate[k]), slot_var(at)))
        for number in self.core.equations:
            equation = self.core.shell.equations[number]
            rows.append(self.expr(build.minus(equation.left, equation.right)))
        return rows

    # ------------------------------------------------------------ programs

    def made(self) -> CoreProgram:
        guards, values = self._guards()
        by_rate = self._derivative(self.rows, self.rate)
        by_variable = self._derivative(self.rows, self.y)
        return CoreProgram(
            bit_names=tuple(bit.text for bit in self.core.bits),
            bit_senses=tuple(bit.is_direct for bit in self.core.bits),
            names=tuple(show_atom(var.name) for var in self.variables),
            slots=tuple(self.lowering.slot(var) for var in self.variables),
            rate_slots=self._rate_slots(),
            row_texts=self._row_texts(),
            corners=self._corners(),
            is_linear=self._is_steady(by_rate) and self._is_steady(by_variable),
            guards=guards,
            bits=self._values(self._bit_values()),
            residual=self._values(self.rows),
            by_rate=by_rate,
            by_variable=by_variable,
            slopes=self._slopes(),
            guard=self._values(values),
            guard_by_variable=self._derivative(values, self.y),
        )

    def _values(self, results: Sequence[Expr]) -> JacobianProgram:
        steps = needed(self.steps, results)
        return self._program(steps, results, (), self.given, ())

    def _derivative(self, results: Sequence[Expr], columns: Sequence[int]) -> JacobianProgram:
        """Columns that share no row are differentiated together."""
        steps = needed(self.steps, results)
        pattern = influences(steps, results, columns)
        colors = color_columns(pattern)
        seeds: list[Seeds] = [{} for _ in range(max(colors, default=-1) + 1)]
        for slot, color in zip(columns, colors, strict=True):
            seeds[color][slot] = ONE
        work = Tangents(self.program, seeds, self.given)
        work.steps_of(steps)
        entries = [
            work.of(color, results[row])
            for color, rows in zip(colors, pattern, strict=True)
            for row in rows
        ]
        work.must_know_functions(entries)
        functions = tuple(work.functions.generated.values())
        whole = _with(steps, work.steps, entries)
        return self._program(whole, entries, pattern, work.extra, functions)

    def _is_steady(self, matrix: JacobianProgram) -> bool:
        moving = [self.program.time, *self.rate, *self.y]
        return not any(influences(matrix.steps, matrix.entries, moving))

    def _slopes(self) -> tuple[JacobianProgram, ...]:
        """d/dt and d2/dt2 of all rows, time running and y moving by its rates: a derivative array
        is made from them (modes of index 2 and 3). Rates of algebraic variables are asked for too."""
        count = len(self.variables)
        given = self.given + 2 * count
        second = [len(self.program.start) + self.given + k for k in range(count)]
        third = [slot + count for slot in second]
        motion: Seeds = {self.program.time: ONE}
        motion.update(zip(self.y, map(slot_var, self.rate), strict=True))
        motion.update(zip(self.rate, map(slot_var, second), strict=True))
        faster = {**motion, **dict(zip(second, map(slot_var, third), strict=True))}
        steps = needed(self.steps, self.rows)
        once = Tangents(self.program, [motion], given)
        once.steps_of(steps)
        first = [once.of(0, row) for row in self.rows]
        twice = Tangents(self.program, [faster], once.extra, once.functions)
        twice.steps_of([*steps, *once.steps])
        last = [twice.of(0, slope) for slope in first]
        made = self._program(_with(steps, once.steps, first), first, (), once.extra, ())
        whole = _with(steps, [*once.steps, *twice.steps], last)
        again = self._program(whole, last, (), twice.extra, ())
        functions = tuple(once.functions.generated.values())
        return tuple(replace(m, functions=functions, given=given) for m in (made, again))

    def _program(
        self,
        steps: Sequence[Step],
        entries: Sequence[Expr],
        pattern: Iterable[Sequence[int]],
        extra: int,
        functions: tuple[Function, ...],
    ) -> JacobianProgram:
        columns = tuple(tuple(rows) for rows in pattern)
        shared = share(steps)[0]
        return JacobianProgram(shared, tuple(entries), columns, extra, functions, self.given)

    # ------------------------------------------------------------ data

    def _bit_values(self) -> list[Expr]:
        one: Callable[[Expr], Expr] = self.lowering.expr
        return [
            If(
                one(self.phase.expr(bit.condition)),
                *((ONE, ZERO) if bit.is_direct else (ZERO, ONE)),
            )
            for bit in self.core.bits
        ]

    def _guards(self) -> tuple[tuple[int, ...], list[Expr]]:
        numbers: list[int] = []
        values: list[Expr] = []
        moving = {*self.y, *self.rate}
        for number, crossing in enumerate(self.crossings):
            value = self.expr(build.minus(crossing.left, crossing.right))
            steps = needed(self.steps, [value])
            columns = sorted(moving)
            if any(influences(steps, [value], columns)):
                numbers.append(number)
                values.append(value)
        return tuple(numbers), values

    def _corners(self) -> tuple[CornerSlots, ...]:
        place = {bit.number: k for k, bit in enumerate(self.core.bits)}
        column = {var: k for k, var in enumerate(self.variables)}
        relation = {crossing.status: k for k, crossing in enumerate(self.crossings)}
        return tuple(
            CornerSlots(
                place[corner.bit],
                column[corner.parameter],
                corner.is_below,
                self.lowering.expr(corner.at),
                relation[corner.status],
            )
            for corner in self.core.corners
            if corner.parameter in column
        )

    def _rate_slots(self) -> tuple[int, ...]:
        states = {*self.core.shell_states, *self.core.differential}
        return tuple(
            self.lowering.slot(der_of(var)) if var in states else -1 for var in self.variables
        )

    def _row_texts(self) -> tuple[str, ...]:
        shell = [show_atom(der_of(state).name) for state in self.core.shell_states]
        equations = self.core.shell.equations
        return (*shell, *(equation_text(equations[n]) for n in self.core.equations))


def _with(steps: Sequence[Step], tangents: Sequence[Step], entries: Sequence[Expr]) -> list[Step]:
    """Tangents, and those of the steps before them whose values they need."""
    return needed([*steps, *tangents], entries)
