"""The implicit core over numbered slots: `F(y', y, time; bits)` and its derivatives.

    made = lower_core(core, lowering, program)
    made.residual, made.matrices, made.slopes       each a program like the Jacobian's

y, its rates and, for slopes, the second and third rates are handed in behind the memory. Time, bits,
parameters, discrete variables and whatever else is given are taken from the memory. Steps of the shell
that the rows need are part of each program.

Bits are data: no event translates anything again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Protocol

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import show
from freewheel.formula import build
from freewheel.formula.nodes import ONE, ZERO, Binary, Expr, If, Real, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.graphs.coloring import color_columns
from freewheel.program.core_nodes import CoreProgram, CornerSlots
from freewheel.program.layout import SPARE_BITS, Layout
from freewheel.program.needed import influences, needed
from freewheel.program.nodes import (
    About,
    Assign,
    JacobianProgram,
    Program,
    SolveLinear,
    SolveNonlinear,
    Step,
    slot_var,
)
from freewheel.program.share import share
from freewheel.program.tangents import Seeds, Tangents, TooLarge
from freewheel.structure.atoms import der_of, show_atom
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Block, Ordered, ScalarEquation, Solved, Sorted
from freewheel.structure.switching.balances import find_balances
from freewheel.structure.switching.condition_text import Spoken
from freewheel.structure.switching.nodes import Bit, Core, Corner
from freewheel.structure.values import ParameterValues

HALF = Real(0.5)
UNLIMITED = 1 << 40  # tangents: there is no other way to the matrices of a core
LONGEST_TEXT = 300  # of a row in a message
FEEDING = 4  # definitions behind definitions


class Lowering(Protocol):
    """What lower.py knows: slots, and steps for blocks."""

    ordered: Ordered
    layout: Layout
    values: ParameterValues

    def expr(self, expr: Expr) -> Expr: ...

    def slot(self, var: Var) -> int: ...

    def block(self, block: Block, system: Sorted) -> list[Step]: ...


def lower_core(core: Core, lowering: Lowering, program: Program) -> CoreProgram:
    return _CoreLowering(core, lowering, program).made()


def corner_places(core: Core, lowering: Lowering, is_moving: bool) -> list[Step]:
    """Where corners are, other than at zero: those that parameters decide, or those that move."""
    steps: list[Step] = []
    for corner, (slot, _) in zip(core.corners, lowering.layout.corners, strict=True):
        if slot >= 0 and (lowering.values.number(corner.at) is None) == is_moving:
            about = About(expressions=(corner.at,))
            steps.append(Assign(slot_var(slot), lowering.expr(corner.at), about))
    return steps


class _CoreLowering:
    def __init__(self, core: Core, lowering: Lowering, program: Program) -> None:
        self.core = core
        self.lowering = lowering
        self.program = program
        self.variables = (*core.shell_states, *core.variables)
        first, count = len(program.start), len(self.variables)
        self.y = [first + k for k in range(count)]
        self.rate = [first + count + k for k in range(count)]
        self.phase = Phase(is_initial=False)
        self.place = {bit.number: k for k, bit in enumerate(core.bits)}
        self.turned = {self.place[corner.bit] for corner in core.corners if corner.is_below}
        self.spoken = Spoken(lowering.ordered.hybrid.crossings)
        self.rates = frozenset(map(der_of, core.differential))
        self.inlined: dict[Expr, Expr] = {}
        for part in core.followed:
            self.inlined[part.target] = substitute(part.value, self.inlined)
        self.sources = {
            block.target: block.value
            for block in core.shell.blocks
            if isinstance(block, Solved) and block.target not in self.inlined
        }
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
        """Bits of corners are set above the corner, others while their meaning holds."""
        is_set = sense != (place in self.turned)
        return Binary(">" if is_set else "<", slot_var(self.lowering.layout.bits + place), HALF)

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
        matrices = self._matrices()
        self.seen = self._seen(matrices or ())
        followed = self._followed()
        moving = {*self.core.shell_states, *self.core.differential}
        shell = len(self.core.shell_states)
        equations = [self.core.shell.equations[n] for n in self.core.equations]
        rates = (show_atom(der_of(state).name) for state in self.core.shell_states)
        return CoreProgram(
            bit_names=(
                *(self._bit_name(k, bit) for k, bit in enumerate(self.core.bits)),
                *(name for name, _, _ in self.seen),
            ),
            bits=self.lowering.layout.bits,
            settled=self.lowering.layout.settled,
            shell=shell,
            names=tuple(show_atom(var.name) for var in self.variables),
            row_texts=(*rates, *map(self._row_text, equations)),
            origins=(*([""] * shell), *(show(e.origin) for e in equations)),
            derived=tuple(shell + k for k, e in enumerate(equations) if e.derivative_of >= 0),
            balances=self._balances(shell),
            elements=tuple(dict.fromkeys(element.name for element in self.core.elements)),
            corners=self._corners(),
            is_linear=matrices is not None and all(map(self._is_steady, matrices)),
            is_steady=matrices is not None and all(self._is_steady(m, followed) for m in matrices),
            steady=self._places(self.lowering.ordered.steady),
            guessed=self._places(self.lowering.ordered.guessed),
            listeners=tuple(k for k in range(shell) if k not in followed),
            is_timeless=self._is_timeless(),
            is_differential=tuple(var in moving for var in self.variables),
            nominals=tuple(state.nominal for state in self.program.state_slots),
            residual=self._values(),
            slopes=self._slopes(followed),
            matrices=matrices,
            span=self._span(),
            switches=self._switches(),
        )

    def _balances(self, shell: int) -> tuple[tuple[int, int, str], ...]:
        """States of the shell whose rate is a variable of the core have none of their own."""
        place = {number: shell + k for k, number in enumerate(self.core.equations)}
        inside = set(self.variables)
        found = [(k, -1, "") for k, s in enumerate(self.core.shell_states) if der_of(s) in inside]
        for balance in find_balances(self.core):
            row, equation, weight = place[balance.row], balance.equation, balance.weight
            if equation is None or weight is None:
                found.append((row, -1, ""))
            else:
                found.append((row, self.lowering.slot(weight), self.spoken.equation(equation)))
        return tuple(found)

    def _row_text(self, equation: ScalarEquation) -> str:
        """With what follows from it put in, so that all components are named; not where rates are:
        these rows belong to one storage."""
        said = variables_in(equation.left, equation.right)
        if any(var in self.rates for var in said):
            return self.spoken.equation(equation)
        put_in = replace(
            equation,
            left=substitute(equation.left, self.inlined),
            right=substitute(equation.right, self.inlined),
            spoken="",
        )
        text = self.spoken.equation(put_in)
        if len(text) > LONGEST_TEXT:
            return self.spoken.equation(equation)
        fed = self._fed(put_in)
        return text if fed is put_in else self._shorter(self.spoken.equation(fed), text)

    def _fed(self, equation: ScalarEquation) -> ScalarEquation:
        """With the sources that feed it in the place of what the element computes from them alone: of
        a diode between two sources neither says a word otherwise."""
        for _ in range(FEEDING):
            said = variables_in(equation.left, equation.right)
            owners = {v.name[:-1] for v in said if v not in self.sources}
            known: dict[Expr, Expr] = {
                v: self.sources[v] for v in said if v in self.sources and v.name[:-1] in owners
            }
            if not known:
                break
            left, right = substitute(equation.left, known), substitute(equation.right, known)
            equation = replace(equation, left=left, right=right)
        return equation

    def _shorter(self, text: str, other: str) -> str:
        return text if len(text) <= LONGEST_TEXT else other

    def _values(self) -> JacobianProgram:
        given = 2 * len(self.variables)
        return _program(needed(self.steps, self.rows), self.rows, (), given, given, ())

    def _matrices(self) -> tuple[JacobianProgram, JacobianProgram] | None:
        try:
            return self._derivative(self.y), self._derivative(self.rate)
        except (CompileError, TooLarge):
            return None

    def _span(self) -> float:
        said = self.program.experiment
        return abs(said.get("stop", 1.0) - said.get("start", 0.0)) or 1.0

    def _derivative(self, columns: Sequence[int]) -> JacobianProgram:
        """Columns that share no row are differentiated together."""
        given = 2 * len(self.variables)
        steps = needed(self.steps, self.rows)
        pattern = influences(steps, self.rows, columns)
        colors = color_columns(pattern)
        seeds: list[Seeds] = [{} for _ in range(max(colors, default=-1) + 1)]
        for slot, color in zip(columns, colors, strict=True):
            seeds[color][slot] = ONE
        work = Tangents(self.program, seeds, given)
        work.limit = UNLIMITED
        work.steps_of(steps)
        entries = [
            work.of(color, self.rows[row])
            for color, rows in zip(colors, pattern, strict=True)
            for row in rows
        ]
        work.must_know_functions(entries)
        functions = tuple(work.functions.generated.values())
        whole = needed([*steps, *work.steps], entries)
        return _program(whole, entries, pattern, work.extra, given, functions)

    def _seen(self, matrices: Sequence[JacobianProgram]) -> list[tuple[str, int, Expr]]:
        """Conditions of the shell that change a matrix: name, slot, and what is true or false of it.
        They are bits too, so each mode has its own matrices. None where they are too many."""
        program = self.program
        found: list[tuple[str, int, Expr]] = []
        for relation in program.relations:
            slot = relation.status
            found += [(relation.text, slot, Binary(op, slot_var(slot), ZERO)) for op in (">", ">=")]
        for slot in (slot for pair in program.discrete for slot in pair):
            if slot in program.boolean_slots:
                found.append((program.names[slot], slot, Binary(">", slot_var(slot), HALF)))
        columns = [slot for _, slot, _ in found]
        reached = [influences(m.steps, m.entries, columns) for m in matrices]
        asked = [one for k, one in enumerate(found) if any(places[k] for places in reached)]
        return asked if len(asked) <= SPARE_BITS else []

    def _is_steady(self, matrix: JacobianProgram, rows: Set[int] | None = None) -> bool:
        """Whether bits and parameters alone decide it, all of it or some rows."""
        program = self.program
        seen = {slot for _, slot, _ in self.seen}
        discrete = [slot for pair in program.discrete for slot in pair if slot not in seen]
        statuses = [r.status for r in program.relations if r.status not in seen]
        inputs = [info.slot for info in program.inputs]
        moving = [program.time, *self.rate, *self.y, *discrete, *statuses, *inputs]
        places = [row for column in matrix.columns for row in column]
        entries = [
            entry
            for entry, row in zip(matrix.entries, places, strict=True)
            if rows is None or row in rows
        ]
        return not any(influences(matrix.steps, entries, moving))

    def _places(self, states: tuple[Var, ...]) -> tuple[int, ...]:
        return tuple(k for k, var in enumerate(self.variables) if var in states)

    def _is_timeless(self) -> bool:
        program = self.program
        moving = [program.time, *(info.slot for info in program.inputs)]
        steps = needed(self.steps, self.rows)
        is_remembering = program.history >= 0 or bool(program.delays or program.pipes)
        return not is_remembering and not any(influences(steps, self.rows, moving))

    def _slopes(self, followed: Set[int]) -> tuple[JacobianProgram, ...]:
        """d/dt and d2/dt2 of all rows, time running and y moving by its rates: a derivative array
        is made from them (modes of index 2 and 3). Rates of algebraic variables are asked for too."""
        count = len(self.variables)
        given = 4 * count
        second = [slot + count for slot in self.rate]
        third = [slot + count for slot in second]
        motion: Seeds = {self.program.time: ONE}
        motion.update(zip(self.y, map(slot_var, self.rate), strict=True))
        motion.update(zip(self.rate, map(slot_var, second), strict=True))
        faster = {**motion, **dict(zip(second, map(slot_var, third), strict=True))}
        rows = [row if k in followed else ZERO for k, row in enumerate(self.rows)]
        steps = needed(self.steps, rows)
        once = Tangents(self.program, [motion], given)
        once.limit = UNLIMITED
        made: list[JacobianProgram] = []
        try:
            once.steps_of(steps)
            first = [once.of(0, row) for row in rows]
            once.must_know_functions(first)
            behind = [*steps, *once.steps]
            made.append(_slope(behind, first, once, given))
            twice = Tangents(self.program, [faster], once.extra, once.functions)
            twice.limit = UNLIMITED
            twice.steps_of(behind)
            last = [twice.of(0, slope) for slope in first]
            twice.must_know_functions(last)
            made.append(_slope([*behind, *twice.steps], last, twice, given))
        except (CompileError, TooLarge):
            pass  # the run time takes differences
        return tuple(made)

    def _followed(self) -> set[int]:
        """Rows whose slopes matter: those of the core, and of states of the shell that lead to it.
        What only listens to the core may be anything, a delayed signal too."""
        shell = len(self.core.shell_states)
        found = set(range(shell, len(self.rows)))
        while True:
            rows = [self.rows[k] for k in sorted(found)]
            reached = influences(needed(self.steps, rows), rows, self.y[:shell])
            more = {k for k, places in enumerate(reached) if places} - found
            if not more:
                return found
            found |= more

    # ------------------------------------------------------------ the branch vector

    def _switches(self) -> tuple[Step, ...]:
        """Written from what the discrete equations say."""
        corners = {self.place[corner.bit] for corner in self.core.corners}
        bits = self.lowering.layout.bits
        steps: list[Step] = [
            self._flag(bits + k, bit.condition, bit.is_direct)
            for k, bit in enumerate(self.core.bits)
            if k not in corners
        ]
        first = bits + len(self.core.bits)
        steps += [
            Assign(slot_var(first + k), If(asked, ONE, ZERO), About())
            for k, (_, _, asked) in enumerate(self.seen)
        ]
        for corner, (_, held) in zip(self.core.corners, self.lowering.layout.corners, strict=True):
            if corner.held is not None:
                steps.append(self._flag(held, corner.held, True))
        return (*steps, *corner_places(self.core, self.lowering, is_moving=True))

    def _flag(self, slot: int, condition: Expr, is_direct: bool) -> Step:
        asked = self.lowering.expr(self.phase.expr(condition))
        value = If(asked, *((ONE, ZERO) if is_direct else (ZERO, ONE)))
        return Assign(slot_var(slot), value, About(expressions=(condition,)))

    def _bit_name(self, place: int, bit: Bit) -> str:
        if bit.is_direct != (place in self.turned):
            return bit.text
        return f"not ({bit.text})" if " " in bit.text else f"not {bit.text}"

    def _corners(self) -> tuple[CornerSlots, ...]:
        column = {var: k for k, var in enumerate(self.variables)}
        named = [(element.name, c) for element in self.core.elements for c in element.corners]
        return tuple(
            self._corner(name, corner, column[corner.parameter], slots)
            for (name, corner), slots in zip(named, self.lowering.layout.corners, strict=True)
        )

    def _corner(
        self, name: str, corner: Corner, parameter: int, slots: tuple[int, int]
    ) -> CornerSlots:
        return CornerSlots(
            name=name,
            bit=self.place[corner.bit],
            parameter=parameter,
            at=slots[0],
            statuses=tuple(
                (self.lowering.slot(status), float(sign)) for status, sign in corner.statuses
            ),
            held=slots[1],
            held_bit=float(corner.is_held_true != corner.is_below),
        )


def _slope(
    steps: Sequence[Step], entries: Sequence[Expr], work: Tangents, given: int
) -> JacobianProgram:
    functions = tuple(work.functions.generated.values())
    return _program(needed(steps, entries), entries, (), work.extra, given, functions)


def _program(
    steps: Sequence[Step],
    entries: Sequence[Expr],
    pattern: Iterable[Sequence[int]],
    extra: int,
    given: int,
    functions: tuple[Function, ...],
) -> JacobianProgram:
    columns = tuple(tuple(rows) for rows in pattern)
    return JacobianProgram(share(steps)[0], tuple(entries), columns, extra, functions, given)
