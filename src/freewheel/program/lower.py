"""Blocks become steps over numbered slots: in comes `Ordered`, out comes a `Program`.

    der(v) := i/C    ->    Assign(slot 2, Var((5,))/Var((9,)))

Each section holds the blocks it needs and no others: `derivatives` what leads to derivatives,
`relations` what the crossings need besides, `outputs` the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.external_random import draws
from freewheel.formula.nodes import FALSE, TIME, TRUE, ZERO, Binary, Call, Expr, Real, Var
from freewheel.formula.walk import contains, substitute, variables_in
from freewheel.program.assemble import assembled, has_known_zeros
from freewheel.program.bounds import bounds_of
from freewheel.program.core import corner_places, lower_core
from freewheel.program.corners import corners_of
from freewheel.program.dependence import Dependence, expressions_of, given_by
from freewheel.program.describe import (
    nominal_of,
    start_numbers,
)
from freewheel.program.layout import Layout, is_nonlinear, lay_out
from freewheel.program.nodes import (
    BETWEEN,
    SIMPLIFIED,
    About,
    Act,
    Assign,
    Check,
    Jump,
    Program,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
    branch_memory,
    left_memory,
    object_var,
    old_var,
    slot_var,
)
from freewheel.program.ranges import Ranges
from freewheel.program.share import share
from freewheel.program.sides import sides_by_parameters
from freewheel.program.swings import swing_of
from freewheel.structure.atoms import (
    AWAKE,
    INITIAL,
    STATUS,
    delayed_of,
    der_of,
    lag_of,
    show_atom,
)
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.events.relation_guards import gates_of
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Action, Block, Loop, Ordered, ScalarEquation, Solved, Sorted
from freewheel.structure.values import ParameterValues

UNSEEN = Real(1e-30)  # times a status: a residual that agrees with it and says nothing of sizes


def lower(ordered: Ordered, is_shared: bool = True) -> Program:
    """The whole program; common subexpressions are computed once if they are to be shared."""
    lowering = Lowering(ordered)
    derivatives, relations = lowering.derivatives(), lowering.relations()
    sections: dict[str, tuple[Step, ...]] = {}
    for name, steps in (
        ("parameters", lowering.parameters()),
        (SIMPLIFIED, lowering.guess(ordered.simplified)),
        (BETWEEN, lowering.guess(ordered.between)),
        ("initial", lowering.initial()),
        ("derivatives", derivatives),
        ("outputs", lowering.outputs()),
        ("relations", relations),
        ("discrete", lowering.discrete()),
    ):
        sections[name] = share(steps)[0] if is_shared else tuple(steps)
    program = assembled(lowering, sections, derivatives, relations)
    if not ordered.core.is_there:
        return program
    return replace(program, core=lower_core(ordered.core, lowering, program))


class Lowering:
    def __init__(self, ordered: Ordered) -> None:
        self.ordered = ordered
        model = ordered.hybrid.aliases.model
        self.variables = {v.name: v for v in model.variables}
        self.values = ParameterValues(self.variables, ordered.functions)
        self.dependence = Dependence(ordered.simulation.blocks)
        rates = [der_of(state) for state in ordered.states]
        # Loops that only outputs need are followed all the same: a step that loses them is too long.
        nonlinear = [block for block in ordered.simulation.blocks if is_nonlinear(block)]
        loops = [v for block in nonlinear for v in given_by(block)]
        sizes = [
            branch_memory(len(block.guesses)) + left_memory(len(block.guesses), len(block.inner))
            for block in nonlinear
        ]
        self.branches = {  # where the memory of a loop begins, after the two slots of all
            block.equations: 2 + before
            for block, before in zip(nonlinear, accumulate(sizes, initial=0), strict=False)
        }
        self.for_derivatives = self.dependence.needed([*rates, *loops])
        crossing_vars = _variables(e for c in ordered.hybrid.crossings for e in (c.left, c.right))
        self.compared = frozenset(crossing_vars)
        crossing_vars += tuple(
            a for d in model.delays for a in (delayed_of(d.number), lag_of(d.number))
        )
        done = set(self.for_derivatives)
        self.for_relations = [n for n in self.dependence.needed(crossing_vars) if n not in done]
        done.update(self.for_relations)
        self.rest = [n for n in range(len(self.dependence.blocks)) if n not in done]
        self.layout: Layout = lay_out(
            ordered,
            self._given(self.for_derivatives),
            self._given(self.for_relations),
            self._given(self.rest),
        )
        self.corners = () if ordered.core.is_there else self._corners()
        self.corner_slots = [self.layout.new("residual of a corner") for _ in self.corners]
        self.swing = self._swing()
        self.swing_slot = -1 if build.is_zero(self.swing) else self.layout.new("swing of relations")
        self.mapping: dict[Expr, Expr] = {
            atom: slot_var(slot) for atom, slot in self.layout.slots.items()
        }
        self.mapping.update((v, object_var(n)) for v, n in self.layout.objects.items())
        self.memo: dict[Expr, Expr] = {}
        targets = frozenset(step.target for step in ordered.parameters)
        self.ranges = Ranges(ordered.scalar.variables, self.layout, self.values, targets)
        self.start = start_numbers(ordered, self.layout, self.variables, self.values)
        self.running = Phase(is_initial=False)
        self.starting = Phase(is_initial=True)
        core = ordered.core
        inside = (*core.variables, *(f.target for f in core.followed))
        self.kept_slots = frozenset(map(self.slot, inside))
        # While the model starts, all relations matter.
        is_starting = Binary("<=", AWAKE, ZERO)
        self.gates = {
            crossing.status: build.logical_or(is_starting, gate)
            for crossing, gate in zip(
                ordered.hybrid.crossings, gates_of(ordered.hybrid), strict=True
            )
            if gate is not None
        }

    def _given(self, numbers: Iterable[int]) -> list[Var]:
        blocks = self.dependence.blocks
        return [var for n in numbers for var in given_by(blocks[n])]

    def _corners(self) -> tuple[Expr, ...]:
        """Of what gives the derivatives. An implicit core looks at its elements by itself."""
        moving = {TIME, *self.ordered.states, *self._given(self.for_derivatives)}
        moving.update(
            Var(name) for name, v in self.variables.items() if v.causality is Causality.INPUT
        )
        blocks = (self.dependence.blocks[n] for n in self.for_derivatives)
        return corners_of(
            [e for block in blocks for e in expressions_of(block)], moving.__contains__
        )

    def _swing(self) -> Expr:
        """Of relations whose zeros are not known ahead, of corners, and of what is delayed."""
        delayed = [line.signal for line in self.ordered.hybrid.aliases.model.delays]
        watched = [*self.watched(), *self.corners]
        exprs = [*watched, *delayed] if watched else []
        swing = swing_of(exprs, self.dependence, set(self.ordered.states))
        return swing if all(v in self.layout.slots for v in variables_in(swing)) else ZERO

    def _is_settled_by_parameters(self, expr: Expr) -> bool:
        return all(
            var.name in self.variables
            and self.variables[var.name].variability <= Variability.PARAMETER
            for var in variables_in(expr)
        )

    def _assign_swing(self, for_parameters: bool) -> list[Step]:
        """Once, where parameters alone decide; else with the relations."""
        if self.swing_slot < 0 or for_parameters != self._is_settled_by_parameters(self.swing):
            return []
        about = About(text="a frequency", expressions=(self.swing,))
        return [Assign(slot_var(self.swing_slot), self.expr(self.swing), about)]

    def slot(self, var: Var) -> int:
        return self.layout.slots[var]

    def expr(self, expr: Expr) -> Expr:
        return substitute(expr, self.mapping, self.memo)

    # ------------------------------------------------------------ sections

    def parameters(self) -> list[Step]:
        steps: list[Step] = []
        for step in self.ordered.parameters:
            span = self.variables[step.target.name].span
            target = self.mapping[step.target]
            assert isinstance(target, Var)
            about = About((ScalarEquation(step.target, step.value, span),), span=span)
            steps.append(Assign(target, self.expr(step.value), about))
        for clock, slots in zip(self.ordered.hybrid.samples, self.layout.samples, strict=True):
            about = About(text="sample(..)", expressions=(clock.start, clock.interval))
            steps.append(Assign(slot_var(slots[0]), self.expr(clock.start), about))
            steps.append(Assign(slot_var(slots[1]), self.expr(clock.interval), about))
        lines = self.ordered.hybrid.aliases.model.delays
        for line, slot in zip(lines, self.layout.longest, strict=True):
            about = About(text=line.text, expressions=(line.longest,), span=line.span)
            steps.append(Assign(slot_var(slot), self.expr(line.longest), about))
        pipes = self.ordered.hybrid.aliases.model.pipes
        for pipe, profile in zip(pipes, self.layout.profiles, strict=True):
            for expr, slot in zip((*pipe.points, *pipe.values), profile, strict=True):
                about = About(text=pipe.text, expressions=(expr,), span=pipe.span)
                steps.append(Assign(slot_var(slot), self.expr(expr), about))
        if self.ordered.core.is_there:
            steps += corner_places(self.ordered.core, self, is_moving=False)
        crossings = self.ordered.hybrid.crossings
        steps += sides_by_parameters(crossings, self.layout, self.variables, self.expr)
        for slot, expr in self.ranges.formulas:
            about = About(text="min or max", expressions=(expr,))
            steps.append(Assign(slot_var(slot), self.expr(expr), about))
        return steps + self._assign_swing(for_parameters=True)

    def initial(self) -> list[Step]:
        system = self.ordered.initial
        steps = self._wake(0.0)
        steps += self.settled()
        steps += map(self.unless_settled, self.in_order(system.blocks, system))
        for number, rivals in zip(system.checks, system.rivals, strict=True):
            equation = system.equations[number]
            left, right = self.expr(equation.left), self.expr(equation.right)
            about = self.about([equation, *(system.equations[r] for r in rivals)])
            if self.ordered.core.is_there:
                left = build.if_then_else(self.is_settled(), left, right)
            steps.append(Check(left, right, about))
        for action in self.ordered.hybrid.actions:
            steps.extend(self.act(action, self.starting))
        return steps

    def _wake(self, value: float) -> list[Step]:
        """Whether gates count: not before the first event, which the start ends with."""
        return [Assign(slot_var(self.slot(AWAKE)), Real(value))] if self.gates else []

    def settled(self) -> list[Step]:
        """What follows from the core once its variables have been made consistent with all switches:
        known before the rest of the initial system."""
        core, steps = self.ordered.core, list[Step]()
        for part in core.followed:
            slot = self.slot(part.target)
            value = build.if_then_else(
                self.is_settled(), self.expr(self.starting.expr(part.value)), old_var(slot)
            )
            steps.append(Assign(slot_var(slot), value, self.about([self.equation(part.equation)])))
        return steps

    def equation(self, number: int) -> ScalarEquation:
        return self.ordered.chosen.equations[number]

    def unless_settled(self, step: Step) -> Step:
        """Then variables of the core, and what follows, keep their values."""
        if not self.ordered.core.is_there or not isinstance(step, Assign):
            return step
        slot = step.target.name[0]
        if not isinstance(slot, int) or slot not in self.kept_slots:
            return step
        value = build.if_then_else(self.is_settled(), old_var(slot), step.value)
        return replace(step, value=value)

    def is_settled(self) -> Expr:
        return Binary(">", slot_var(self.layout.settled), ZERO)

    def guess(self, system: Sorted | None) -> list[Step]:
        return [] if system is None else self.in_order(system.blocks, system)

    def derivatives(self) -> list[Step]:
        steps = self.blocks(self.for_derivatives)
        first = self.layout.derivative_range[0]
        states = set(self.ordered.integrated)
        for number, state in enumerate(self.ordered.states):
            rate = der_of(state)
            if rate in states:
                steps.append(Assign(slot_var(first + number), slot_var(self.slot(rate))))
        return steps

    def outputs(self) -> list[Step]:
        steps = self.blocks(sorted([*self.for_relations, *self.rest]))
        for action in self.ordered.hybrid.actions:
            if not _belongs_to_event(action):
                steps.extend(self.act(action, self.running))
        return steps

    def relations(self) -> list[Step]:
        steps = self.blocks(self.for_relations)
        for group, slots in zip(self.ordered.groups, self.layout.gradients, strict=True):
            for exprs, row in zip(group.gradient, slots, strict=True):
                for expr, slot in zip(exprs, row, strict=True):
                    about = About(text="choice of states", expressions=(expr,))
                    steps.append(Assign(slot_var(slot), self.expr(self.running.expr(expr)), about))
        for crossing, slot in zip(
            self.ordered.hybrid.crossings, self.layout.residuals, strict=True
        ):
            residual = self.running.expr(build.minus(crossing.left, crossing.right))
            if crossing.status in self.gates:
                # Where nobody looks at a relation its residual agrees with its status.
                unseen = build.times(UNSEEN, crossing.status)
                residual = build.if_then_else(self.gates[crossing.status], residual, unseen)
            about = About(text=crossing.text, expressions=(residual,), span=crossing.span)
            steps.append(Assign(slot_var(slot), self.expr(residual), about))
        for corner, slot in zip(self.corners, self.corner_slots, strict=True):
            about = About(text="a corner", expressions=(corner,))
            steps.append(Assign(slot_var(slot), self.expr(self.running.expr(corner)), about))
        return steps + self._assign_swing(for_parameters=False)

    def discrete(self) -> list[Step]:
        system = self.ordered.discrete
        actions = [a for a in self.ordered.hybrid.actions if _belongs_to_event(a)]
        asked = _variables(
            e for a in actions for e in (a.guard, a.value, a.message) if e is not None
        )
        if system.blocks:
            dependence = Dependence(system.blocks)
            numbers = dependence.needed([*self.ordered.hybrid.discrete, *asked])
            steps = self.in_order([system.blocks[n] for n in numbers], system)
        else:
            steps = self.blocks(self.dependence.needed(asked))
        if steps and any(draws(function) for function in self.ordered.functions):
            steps.insert(0, Act("call", None, Call("replay", slot_var(0)), None))
        steps[:0] = self._wake(1.0)
        reinits = iter(self.layout.reinits)
        for action in actions:
            if action.kind == "reinit":
                steps.append(self.jump(action, next(reinits)))
            else:
                steps.extend(self.act(action, self.running))
        return steps

    # ------------------------------------------------------------ blocks

    def blocks(self, numbers: Sequence[int]) -> list[Step]:
        system = self.ordered.simulation
        return [step for n in numbers for step in self.block(system.blocks[n], system)]

    def in_order(self, blocks: Sequence[Block], system: Sorted) -> list[Step]:
        """Blocks that may read what a later block writes: loops were cut there."""
        unwritten = {var for block in blocks for var in given_by(block)}
        steps: list[Step] = []
        for block in blocks:
            used, given = _variables(expressions_of(block)), given_by(block)
            if not isinstance(block, Solved):  # a loop reads its own unknowns as they are
                unwritten.difference_update(given)
            if not unwritten.isdisjoint(used):
                old: dict[Expr, Expr] = {v: old_var(self.slot(v)) for v in used if v in unwritten}
                block = _replaced(block, old)
            unwritten.difference_update(given)
            steps.extend(self.block(block, system))
        return steps

    def block(self, block: Block, system: Sorted) -> list[Step]:
        if isinstance(block, Solved):
            return [self.solved(block, system)]
        equations = [system.equations[n] for n in block.equations]
        about = self.about(equations, [*block.unknowns])
        slots = tuple(self.slot(var) for var in block.guesses)
        if block.matrix is not None:
            matrix = tuple((r, c, self.expr(e)) for r, c, e in block.matrix)
            right = tuple(self.expr(e) for e in block.right)
            follow = [self.assign(step, system) for step in block.inner]
            signs = tuple(n for n, var in enumerate(block.guesses) if var in self.compared)
            return [SolveLinear(slots, matrix, right, about, signs), *follow]
        loop = SolveNonlinear(
            slots,
            tuple(self.assign(step, system) for step in block.inner),
            tuple(self.expr(r) for r in block.residuals),
            tuple(self.start[slot] for slot in slots),
            tuple(nominal_of(var, self.variables, self.values) for var in block.guesses),
            about,
            bounds_of(block.guesses, self.variables, self.values),
            *self.branch(block, system),
        )
        return [loop]

    def branch(self, block: Loop, system: Sorted) -> tuple[int, int, int]:
        """Slots by which a loop is kept on its branch while running."""
        if self.layout.follow < 0 or system is not self.ordered.simulation:
            return (-1, -1, -1)
        sense = self.layout.follow + self.branches[block.equations]
        return (self.layout.follow, sense, sense + branch_memory(len(block.guesses)))

    def solved(self, block: Solved, system: Sorted) -> Step:
        if block.target.name[0] == STATUS:
            residual = self.expr(block.value.args[0])
            about = self.about([system.equations[block.equation]])
            return SetStatus(self.slot(block.target), residual, about)
        return self.assign(block, system)

    def assign(self, block: Solved, system: Sorted) -> Assign:
        equation = system.equations[block.equation]
        about = self.about([equation])
        return Assign(slot_var(self.slot(block.target)), self.expr(block.value), about)

    # ------------------------------------------------------------ actions

    def act(self, action: Action, phase: Phase) -> list[Step]:
        if action.kind == "reinit":
            return []
        guard = None if action.guard is None else phase.expr(action.guard)
        if guard is FALSE:
            return []
        guard = None if guard is TRUE else guard

        def lowered(expr: Expr | None) -> Expr | None:
            return None if expr is None else self.expr(phase.expr(expr))

        value = lowered(action.value)
        if value is TRUE:
            return []
        parts = tuple(e for e in (action.value, action.message) if e is not None)
        about = About(expressions=parts, span=action.span)
        return [Act(action.kind, lowered(guard), value, lowered(action.message), about)]

    def jump(self, action: Action, slots: tuple[int, int]) -> Jump:
        assert action.guard is not None
        assert action.value is not None
        assert action.target is not None
        guard, value = self.running.expr(action.guard), self.running.expr(action.value)
        text = f"reinit({show_atom(action.target.name)}, {expr_text(action.value)})"
        about = About(text=text, expressions=(value,), span=action.span)
        return Jump(slots[0], slots[1], self.expr(guard), self.expr(value), about)

    def about(self, equations: Sequence[ScalarEquation], unknowns: Sequence[Var] = ()) -> About:
        return About(tuple(equations), unknowns=tuple(unknowns), span=equations[0].span)

    def watched(self) -> list[Expr]:
        """Both sides of each relation whose zeros are not known ahead."""
        return [
            side
            for c in self.ordered.hybrid.crossings
            if not has_known_zeros(c)
            for side in (c.left, c.right)
        ]

    def watches_time(self) -> bool:
        """Whether a relation depends on time by a way that leads through no state. Where a relation is a
        straight line in time alone, its zeros are known ahead."""
        used = _variables([*self.watched(), *self.corners])
        if TIME in used:
            return True
        return any(TIME in self.dependence.uses[n] for n in self.dependence.needed(used))


def _variables(exprs: Iterable[Expr]) -> tuple[Var, ...]:

    return variables_in(*exprs)


def _belongs_to_event(action: Action) -> bool:
    """Inside a when-clause: its guard asks whether a condition rises (structure/events/when_clauses.py)."""
    if action.kind in ("reinit", "call"):
        return True
    return action.guard is not None and contains(action.guard, INITIAL)


def _replaced(block: Block, old: dict[Expr, Expr]) -> Block:
    def new(expr: Expr) -> Expr:
        return substitute(expr, old)

    if isinstance(block, Solved):
        return Solved(block.target, new(block.value), block.equation)
    return Loop(
        block.guesses,
        tuple(Solved(s.target, new(s.value), s.equation) for s in block.inner),
        tuple(new(r) for r in block.residuals),
        block.equations,
        block.residual_equations,
        block.unknowns,
        None if block.matrix is None else tuple((r, c, new(e)) for r, c, e in block.matrix),
        tuple(new(e) for e in block.right),
    )
