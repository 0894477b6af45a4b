"""Each derivative and each residual by itself: the steps it needs, over places of its own.

    rows = rows_of(program)
    rows.derivatives[3].shape, .records, .reads     which formula, which states, which memory slots
    rows.shapes[2].steps, .entry                    the formula, once for all rows that look alike

Quantized-state methods evaluate one derivative at a time. In a large regular model most of them are
the same formula over other variables: rows that become equal when their variables are numbered in
order of occurrence share a *shape*, so that 100 000 cells of a pipe need one function. Places of a
shape: the state that the row integrates (if the row depends on it), other states and inputs, slots
of the memory that are held between events, numbers, time, results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from freewheel.formula.nodes import Expr, Real, Var
from freewheel.formula.walk import map_bottom_up, variables_in
from freewheel.program.needed import formulas_of
from freewheel.program.nodes import (
    About,
    Assign,
    Program,
    SolveLinear,
    SolveNonlinear,
    Step,
    branch_slots,
    kept_slots,
    slot_var,
)
from freewheel.program.past import Look, past_of
from freewheel.program.written import written_slots

MANY_SHAPES = 64  # beyond, rows that differ in numbers only become alike


@dataclass(frozen=True, slots=True)
class Shape:
    """A formula over places: `records` states and inputs, the first of them the row's own if
    `has_own`; then `reads` held numbers, then time, then whatever its steps write."""

    steps: tuple[Step, ...]
    entry: Expr
    has_own: bool
    records: int
    reads: int
    size: int
    uses_time: bool

    @property
    def time(self) -> int:
        return self.records + self.reads


@dataclass(frozen=True, slots=True)
class Row:
    shape: int
    records: tuple[int, ...]  # numbers of states; inputs come after all states
    reads: tuple[int | float, ...]  # slots of the memory (int), or numbers themselves (float)


@dataclass(frozen=True, slots=True)
class Rows:
    shapes: tuple[Shape, ...]
    derivatives: tuple[Row, ...]  # one per state
    residuals: tuple[Row, ...]  # one per relation
    inputs: tuple[int, ...]  # slots
    looks: tuple[Look, ...] = ()  # into the past: records behind those of inputs
    signals: tuple[Row, ...] = ()  # what is remembered, one per line of history
    lags: tuple[Row | None, ...] = ()  # how far back a line is looked at, where that varies

    @property
    def of_past(self) -> tuple[Row, ...]:
        return (*self.signals, *(row for row in self.lags if row is not None))


def rows_of(program: Program) -> Rows:
    """Numbers are part of a shape, unless that would make too many shapes."""
    rows = _Rows(program, lifts=False).all()
    return rows if len(rows.shapes) <= MANY_SHAPES else _Rows(program, lifts=True).all()


class _Rows:
    def __init__(self, program: Program, lifts: bool) -> None:
        self.program = program
        self.lifts = lifts
        past = past_of(program)
        self.looks, self.steps = past.looks, past.steps
        self.writer: dict[int, int] = {}  # slot -> the step that writes it
        for number, step in enumerate(self.steps):
            for slot in written_slots((step,)):
                self.writer.setdefault(slot, number)
        self.record = record_numbers(program)
        first = len(program.start)
        self.record |= {first + k: len(self.record) + k for k in range(len(self.looks))}
        self.inputs = tuple(info.slot for info in program.inputs)
        self.known: dict[tuple[object, ...], int] = {}
        self.shapes: list[Shape] = []

    def all(self) -> Rows:
        program = self.program
        first = program.derivatives[0]
        derivatives = [self.row(first + k, k) for k in range(len(program.state_slots))]
        residuals = [self.row(relation.residual, -1) for relation in program.relations]
        signals = [self.row(line.signal, -1) for line in program.delays]
        lags = [None if line.last_break < 0 else self.row(line.lag, -1) for line in program.delays]
        return Rows(
            tuple(self.shapes),
            tuple(derivatives),
            tuple(residuals),
            self.inputs,
            self.looks,
            tuple(signals),
            tuple(lags),
        )

    def row(self, slot: int, own: int) -> Row:
        numbering = _Numbering(self.record, self.program, self.lifts)
        numbers = self._needed(slot)
        own_slot = self.program.states[0] + own
        if own >= 0 and self._mentions(numbers, own_slot):
            numbering.record(own_slot)
            has_own = True
        else:
            has_own = False
        steps = [numbering.step(self.steps[number]) for number in numbers]
        entry = numbering.expr(slot_var(slot))
        key = (has_own, *(_key(step) for step in steps), entry)
        shape = self.known.get(key)
        if shape is None:
            shape = self.known[key] = len(self.shapes)
            self.shapes.append(numbering.shape(steps, entry, has_own))
        return Row(shape, tuple(numbering.records.values()), tuple(numbering.reads))

    def _needed(self, slot: int) -> list[int]:
        """Steps behind a slot, each after what it needs; in an order that only the formulas give."""
        found: dict[int, None] = {}
        if slot not in self.writer:
            return []
        stack = [(self.writer[slot], False)]
        while stack:
            number, is_done = stack.pop()
            if number in found:
                continue
            if is_done:
                found[number] = None
                continue
            stack.append((number, True))
            step = self.steps[number]
            before = []
            for var in variables_in(*formulas_of(step)):
                head = var.name[0]
                other = self.writer.get(head) if isinstance(head, int) else None
                if other is not None and other != number and other not in found:
                    before.append((other, False))
            stack.extend(reversed(before))
        return list(found)

    def _mentions(self, numbers: Iterable[int], slot: int) -> bool:
        var = slot_var(slot)
        return any(var in variables_in(*formulas_of(self.steps[number])) for number in numbers)


def _is_structural(value: float) -> bool:
    """Exponents, signs, halves: to know them makes simpler derivatives."""
    return abs(value) <= 4.0 and 2.0 * value == int(2.0 * value)


def _key(step: Step) -> tuple[object, ...]:
    """Of a renamed step: what it is, whoever it is about."""
    if isinstance(step, Assign):
        return (step.target, step.value, step.guard)
    if isinstance(step, SolveLinear):
        return (step.slots, step.matrix, step.right)
    assert isinstance(step, SolveNonlinear), step
    inner = tuple(_key(part) for part in step.inner)
    branch = (step.follow, step.sense)
    return (step.slots, inner, step.residuals, step.starts, step.nominals, step.bounds, *branch)


class _Numbering:
    """Names in order of occurrence while a row is read; numbers of places come last."""

    def __init__(self, record: dict[int, int], program: Program, lifts: bool) -> None:
        self.record_of = record
        self.time = program.time
        self.lifts = lifts
        self.records: dict[int, int] = {}  # slot -> number of the record
        self.reads: list[int | float] = []
        self.names: dict[Expr, Expr] = {}
        self.memo: dict[Expr, Expr] = {}
        self.written = 0
        self.uses_time = False

    def record(self, slot: int) -> Var:
        name = Var(("s", len(self.records)))
        self.records[slot] = self.record_of[slot]
        self.names[slot_var(slot)] = name
        return name

    def result(self, slot: int) -> Var:
        """A place that a step writes."""
        name = Var(("v", self.written))
        self.written += 1
        self.names[slot_var(slot)] = name
        self.memo[slot_var(slot)] = name
        return name

    def _leaf(self, node: Expr) -> Expr:
        known = self.names.get(node)
        if known is not None:
            return known
        if isinstance(node, Var) and isinstance(node.name[0], int):
            slot = node.name[0]
            if slot == self.time:
                self.uses_time = True
                return Var(("now",))
            if slot in self.record_of:
                return self.record(slot)
            return self._read(node, slot)
        if self.lifts and isinstance(node, Real) and not _is_structural(node.value):
            return self._read(node, node.value)
        return node

    def _read(self, node: Expr, what: int | float) -> Var:
        name = Var(("r", len(self.reads)))
        self.reads.append(what)
        self.names[node] = name
        return name

    def expr(self, expr: Expr) -> Expr:
        return map_bottom_up(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr:
        return node if node.args else self._leaf(node)

    def step(self, step: Step) -> Step:
        nothing = About()
        if isinstance(step, Assign):
            return self._assign(step)
        if isinstance(step, SolveLinear):
            matrix = tuple((r, c, self.expr(entry)) for r, c, entry in step.matrix)
            right = tuple(map(self.expr, step.right))
            slots = self._results(step.slots)
            return replace(step, slots=slots, matrix=matrix, right=right, about=nothing)
        assert isinstance(step, SolveNonlinear), step
        for slot in step.slots:  # what they hold is the first guess
            if slot_var(slot) not in self.names:
                self._read(slot_var(slot), slot)
        inner = tuple(map(self._assign, step.inner))
        residuals = tuple(map(self.expr, step.residuals))
        slots = tuple(_number(self.names[slot_var(slot)]) for slot in step.slots)
        follow = sense = left = -1
        if (
            step.follow >= 0
        ):  # the answer has its place after the question, the branch after its sense
            asked = (step.follow, step.follow + 1, *branch_slots(step))
            follow, _, sense, *rest = (_number(self._read_once(slot)) for slot in asked)
            left = rest[step.left - step.sense - 1] if kept_slots(step) else -1
        found = replace(step, slots=slots, inner=inner, residuals=residuals, about=nothing)
        return replace(found, follow=follow, sense=sense, left=left)

    def _read_once(self, slot: int) -> Expr:
        return self.names.get(slot_var(slot)) or self._read(slot_var(slot), slot)

    def _results(self, slots: Sequence[int]) -> tuple[int, ...]:
        return tuple(_number(self.result(slot)) for slot in slots)

    def _assign(self, step: Assign) -> Assign:
        value = self.expr(step.value)
        guard = None if step.guard is None else self.expr(step.guard)
        slot = step.target.name[0]
        assert isinstance(slot, int), step
        return Assign(self.result(slot), value, About(), guard)

    def shape(self, steps: Sequence[Step], entry: Expr, has_own: bool) -> Shape:
        """Names become numbers."""
        records, reads = len(self.records), len(self.reads)
        final = _Final(records, reads)
        return Shape(
            tuple(map(final.step, steps)),
            final.expr(entry),
            has_own,
            records,
            reads,
            records + reads + 1 + self.written,
            self.uses_time,
        )


# Numbers of slots inside loops tell the kinds of names apart until the sizes are known.
WRITTEN, READ = 1 << 40, 1 << 41


def _number(name: Expr) -> int:
    assert isinstance(name, Var)
    kind, number = name.name[0], name.name[1]
    assert isinstance(number, int)
    return number + (WRITTEN if kind == "v" else READ)


class _Final:
    def __init__(self, records: int, reads: int) -> None:
        self.base = {"s": 0, "r": records, "v": records + reads + 1}
        self.now = slot_var(records + reads)
        self.memo: dict[Expr, Expr] = {}

    def expr(self, expr: Expr) -> Expr:
        return map_bottom_up(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr:
        if not isinstance(node, Var):
            return node
        kind = node.name[0]
        if kind == "now":
            return self.now
        if kind not in self.base:
            return node
        number = node.name[1]
        assert isinstance(number, int)
        return slot_var(self.base[str(kind)] + number)

    def slots(self, slots: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            s - READ + self.base["r"] if s >= READ else s - WRITTEN + self.base["v"] for s in slots
        )

    def step(self, step: Step) -> Step:
        if isinstance(step, Assign):
            return self.assign(step)
        if isinstance(step, SolveLinear):
            matrix = tuple((r, c, self.expr(e)) for r, c, e in step.matrix)
            right = tuple(map(self.expr, step.right))
            return replace(step, slots=self.slots(step.slots), matrix=matrix, right=right)
        assert isinstance(step, SolveNonlinear), step
        inner = tuple(map(self.assign, step.inner))
        residuals = tuple(map(self.expr, step.residuals))
        found = replace(step, slots=self.slots(step.slots), inner=inner, residuals=residuals)
        if step.follow < 0:
            return found
        follow, sense = self.slots((step.follow, step.sense))
        left = self.slots((step.left,))[0] if step.left >= 0 else -1
        return replace(found, follow=follow, sense=sense, left=left)

    def assign(self, step: Assign) -> Assign:
        target = self.expr(step.target)
        assert isinstance(target, Var)
        guard = None if step.guard is None else self.expr(step.guard)
        return replace(step, target=target, value=self.expr(step.value), guard=guard)


def record_numbers(program: Program) -> dict[int, int]:
    """Slot -> number of the record: states, and after them inputs."""
    first, stop = program.states
    numbers = {slot: slot - first for slot in range(first, stop)}
    return numbers | {info.slot: stop - first + k for k, info in enumerate(program.inputs)}


def numbered_row(
    program: Program, record: dict[int, int], value: Expr
) -> tuple[Shape, tuple[int, ...], tuple[int | float, ...]]:
    """One formula by itself as a row: its shape, its records, what it reads."""
    numbering = _Numbering(record, program, lifts=True)
    entry = numbering.expr(value)
    shape = numbering.shape((), entry, has_own=False)
    return shape, tuple(numbering.records.values()), tuple(numbering.reads)
