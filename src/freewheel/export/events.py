"""What happens at the start and at events, as statements: written once, for all targets.

Statuses follow their residuals, discrete equations are evaluated, states jump, values become pre-values,
again and again until nothing changes. This is the iteration of `runtime/events/iteration_kernels.py` without
its last resort, the search through all positions: where statuses run in circles, only the first that
disagrees follows (the least-index rule); then values with memory move together with statuses, as a clutch
needs it; then residuals that are zero but for rounding are forgiven; where that does not settle either, the
exported model says so and stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.export.nodes import Choose, Extras, Leave, Repeat, Run, Set, Statement
from freewheel.export.statements import MINUS_ONE
from freewheel.formula.nodes import FALSE, ONE, TRUE, ZERO, Binary, Call, Expr, Real, Unary, Var
from freewheel.program.nodes import SIMPLIFIED, Program, slot_var

# Rounds in which all statuses follow; then only the first, until values with memory move too; until
# rounding is forgiven; all.
ALL_FOLLOW, TOGETHER, FORGIVING, LIMIT = 50, 100, 150, 200
FORGIVEN = 1e-9  # of the size of a residual: rounding may contradict both branches that meet
REAL_MATCH = 1e-9  # a Real that an iteration computes may differ in its last digits
NEVER = 1e300
SOON = 1e-12  # beside the time: instants that close are one

NOT_SETTLED = "the discrete equations do not settle"
NO_START = "the relations do not settle at the start"


class EventWriter:
    """The routines of one program, over its slots and the extras."""

    def __init__(self, program: Program, extras: Extras) -> None:
        self.program, self.extras = program, extras
        self.changed, self.moved = slot_var(extras.changed), slot_var(extras.moved)
        self.rounds = slot_var(extras.rounds)

    def routines(self, is_evaluated: bool) -> dict[str, tuple[Statement, ...]]:
        """`is_evaluated`: before an event all variables are those of its point already."""
        return {
            "follow": tuple(self._follow()) if self.program.relations else (),
            "hold": tuple(self._hold()),
            "start": tuple(self._start()),
            "due": tuple(self._due()),
            "event": tuple(self._event(is_evaluated)) if has_events(self.program) else (),
        }

    def _start(self) -> Iterator[Statement]:
        """Parameters and the initial system, statuses following; then values are pre-values."""
        program = self.program
        yield Run("parameters")
        if program.started >= 0:
            yield from (Run(SIMPLIFIED), Set(slot_var(program.started), ONE))
        if program.relations:
            body = (self._count(), Run("initial"), Run("derivatives"), Run("relations"))
            end = (Run("follow"), Leave(_not(self.changed)))
            yield from (Set(self.rounds, ZERO), Repeat(LIMIT, (*body, *end), NO_START))
        else:
            yield Run("initial")
        yield Run("hold")

    def _event(self, is_evaluated: bool) -> Iterator[Statement]:
        program = self.program
        if not is_evaluated:
            yield from (Run("derivatives"), Run("outputs"))
        yield from (Run("hold"), Set(self.rounds, ZERO))
        if program.awake >= 0:  # relations that mattered to nobody look at where they are
            yield Set(slot_var(program.awake), ZERO)
        if program.relations:
            yield from (Run("relations"), Run("follow"))
        body: list[Statement] = [self._count()]
        body += [Set(slot_var(flag), FALSE) for _, _, flag in program.reinits]
        body += [Run("discrete"), Run("derivatives"), Run("relations")]
        if program.relations:
            body.append(Run("follow"))
            agree = Binary("and", _not(self.moved), _not(self.changed))
            # Relations that matter since pre-values have changed take the side they are on.
            again = (Run("hold"), Run("relations"), Run("follow"))
            settled = (*self._moves(), Leave(agree), *again)
            is_late = Binary(">", self.rounds, Real(TOGETHER))
            body.append(Choose(((Binary("or", _not(self.changed), is_late), settled),)))
        else:
            body += [*self._moves(), Leave(_not(self.moved)), Run("hold")]
        yield Repeat(LIMIT, tuple(body), NOT_SETTLED)

    def _due(self) -> Iterator[Statement]:
        """Mark the samples that fire now, and find the next instant."""
        program, extras = self.program, self.extras
        time, last = slot_var(program.time), slot_var(extras.next_time)
        pairs = list(zip(program.samples, extras.counts, strict=True))
        for sample, count in pairs:
            soon = Binary("*", Real(SOON), Binary("+", ONE, Call("abs", time)))
            is_due = Binary("<=", instant(sample, count), Binary("+", time, soon))
            fire = Set(slot_var(sample[2]), TRUE)
            yield Choose(((is_due, (fire, Set(slot_var(count), _one_more(slot_var(count))))),))
        if pairs:
            yield Set(last, Real(NEVER))
        for sample, count in pairs:
            yield Set(last, Call("min", last, instant(sample, count)))

    # ------------------------------------------------------------ parts of an iteration

    def _count(self) -> Set:
        return Set(self.rounds, _one_more(self.rounds))

    def _follow(self) -> Iterator[Statement]:
        yield Set(self.changed, FALSE)
        slots = zip(self.program.relations, self.extras.bands, self.extras.sizes, strict=True)
        for relation, band, size in slots:
            watched = slot_var(relation.residual), slot_var(relation.status)
            kept = slot_var(band), slot_var(size)
            yield from follow_one(*watched, *kept, self.rounds, self.changed)

    def _hold(self) -> Iterator[Statement]:
        for slot, pre in self.program.discrete:
            yield Set(slot_var(pre), slot_var(slot))

    def _moves(self) -> Iterator[Statement]:
        """Whether a value differs from its pre-value, a state jumps or a sample was due."""
        program = self.program
        mark = Set(self.moved, TRUE)
        yield Set(self.moved, FALSE)
        whole = program.boolean_slots | program.integer_slots
        for slot, pre in program.discrete:
            now, before = slot_var(slot), slot_var(pre)
            differs: Expr = Binary("<>", now, before)
            if slot not in whole:
                size = Call("max", Call("abs", now), Call("abs", before))
                gap = Call("abs", Binary("-", now, before))
                differs = Binary(">", gap, Binary("*", Real(REAL_MATCH), size))
            yield Choose(((differs, (mark,)),))
        for state, new, flag in program.reinits:
            yield Choose(((slot_var(flag), (Set(slot_var(state), slot_var(new)), mark)),))
        for sample in program.samples:
            yield Choose(((slot_var(sample[2]), (Set(slot_var(sample[2]), FALSE), mark)),))


def follow_one(
    residual: Var, status: Var, band: Var, size: Var, rounds: Var, changed: Var
) -> Iterator[Statement]:
    """The status takes the sign of the residual; late in the iteration only the first one does, and at last
    a residual that is zero but for rounding lets its status be: two branches meet there. Its band lasts
    until the residual has left it."""
    length = Call("abs", residual)
    yield Set(size, Call("max", size, length))
    small = Binary("<=", length, Binary("*", Real(FORGIVEN), size))
    forgive = _all(Binary(">", rounds, Real(FORGIVING)), small)
    widen = Set(band, Binary("*", Real(FORGIVEN), size))
    yield Choose(((forgive, (widen,)), (Binary(">", length, band), (Set(band, ZERO),))))
    is_early, is_late = Binary("<=", rounds, Real(ALL_FOLLOW)), Binary(">", rounds, Real(TOGETHER))
    may = Binary("or", Binary("or", is_early, is_late), _not(changed))
    branches = [
        (
            _all(Binary(sign, residual, ZERO), Binary("<>", status, value)),
            (Set(status, value), Set(changed, TRUE)),
        )
        for sign, value in ((">", ONE), ("<", MINUS_ONE), ("==", ZERO))
    ]
    yield Choose(((_all(Binary("==", band, ZERO), may), (Choose(tuple(branches)),)),))


def has_events(program: Program) -> bool:
    return bool(program.relations or program.samples or program.discrete or program.reinits)


def instant(sample: tuple[int, int, int, int, int, int], count: int) -> Expr:
    """start + (first + count*every)*interval/parts."""
    start, interval, _, first, every, parts = sample
    steps: Expr = slot_var(count)
    if every != 1:
        steps = Binary("*", Real(every), steps)
    if first != 0:
        steps = Binary("+", Real(first), steps)
    length: Expr = Binary("*", steps, slot_var(interval))
    if parts != 1:
        length = Binary("/", length, Real(parts))
    return Binary("+", slot_var(start), length)


def _one_more(count: Expr) -> Expr:
    return Binary("+", count, ONE)


def _not(condition: Expr) -> Expr:
    return Unary("not", condition)


def _all(*conditions: Expr) -> Expr:
    result = conditions[0]
    for condition in conditions[1:]:
        result = Binary("and", result, condition)
    return result
