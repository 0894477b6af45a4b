"""What happens at the start and at events, as statements: written once, for all targets.

Statuses follow their residuals, discrete equations are evaluated, states jump, values become pre-values,
again and again until nothing changes. This is the iteration of `runtime/event/iterate.py` without its
last resorts: where statuses run in circles, only the first that disagrees follows (the least-index rule),
and where that does not settle either, the exported model says so and stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.export.nodes import Calendar, Choose, Leave, Repeat, Run, Set, Statement, local
from freewheel.export.statements import MINUS_ONE
from freewheel.formula.nodes import FALSE, ONE, TRUE, ZERO, Binary, Call, Expr, Real, Unary, Var
from freewheel.program.nodes import SIMPLIFIED, Program, slot_var

ALL_FOLLOW, LIMIT = 50, 200  # rounds in which all statuses follow; rounds altogether
REAL_MATCH = 1e-9  # a Real that an iteration computes may differ in its last digits
SOON = 1e-12  # beside the time: instants that close are one

CHANGED, MOVED, ROUNDS = local("changed"), local("moved"), local("rounds")
LOGICAL_LOCALS = frozenset({CHANGED, MOVED})
NOT_SETTLED = "the discrete equations do not settle"
NO_START = "the relations do not settle at the start"


def start_statements(program: Program) -> tuple[Statement, ...]:
    """Parameters and the initial system, statuses following; then values are pre-values."""
    found: list[Statement] = [Run("parameters")]
    if program.started >= 0:
        found += [Run(SIMPLIFIED), Set(slot_var(program.started), ONE)]
    if not program.relations:
        return (*found, Run("initial"), *_hold(program))
    body: list[Statement] = [_count(), Run("initial"), Run("derivatives"), Run("relations")]
    body += [Set(CHANGED, FALSE), *_follow(program), Leave(_not(CHANGED))]
    found += [Set(ROUNDS, ZERO), Repeat(LIMIT, tuple(body), NO_START)]
    return (*found, *_hold(program))


def event_statements(program: Program, is_evaluated: bool) -> tuple[Statement, ...]:
    """`is_evaluated`: all variables are those of this point already (and of the left limit)."""
    if not has_events(program):
        return ()
    found: list[Statement] = [] if is_evaluated else [Run("derivatives"), Run("outputs")]
    found += _hold(program)
    if program.awake >= 0:  # relations that mattered to nobody look at where they are
        found.append(Set(slot_var(program.awake), ZERO))
    if program.relations:
        found += [Run("relations"), Set(ROUNDS, ZERO), Set(CHANGED, FALSE), *_follow(program)]
    body: list[Statement] = [_count()]
    body += [Set(slot_var(flag), FALSE) for _, _, flag in program.reinits]
    body += [Run("discrete"), Run("derivatives"), Run("relations")]
    body += [Set(CHANGED, FALSE), *_follow(program)]
    settled = [*_moves(program), Leave(_not(MOVED)), *_hold(program)]
    body.append(Choose(((_not(CHANGED), tuple(settled)),)))
    return (*found, Set(ROUNDS, ZERO), Repeat(LIMIT, tuple(body), NOT_SETTLED))


def has_events(program: Program) -> bool:
    return bool(program.relations or program.samples or program.discrete or program.reinits)


def due_statements(program: Program, calendar: Calendar) -> tuple[Statement, ...]:
    """Mark the samples that fire now, and find the next instant."""
    found: list[Statement] = []
    time, last = slot_var(program.time), slot_var(calendar.next_time)
    for sample, count in zip(program.samples, calendar.counts, strict=True):
        soon = Binary("*", Real(SOON), Binary("+", ONE, Call("abs", time)))
        is_due = Binary("<=", instant(sample, count), Binary("+", time, soon))
        fire = (Set(slot_var(sample[2]), TRUE), Set(slot_var(count), _one_more(slot_var(count))))
        found.append(Choose(((is_due, fire),)))
    found.append(Set(last, Real(1e300)))
    for sample, count in zip(program.samples, calendar.counts, strict=True):
        found.append(Set(last, Call("min", last, instant(sample, count))))
    return tuple(found)


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


# ---------------------------------------------------------------- parts of an iteration


def _count() -> Set:
    return Set(ROUNDS, _one_more(ROUNDS))


def _one_more(count: Expr) -> Expr:
    return Binary("+", count, ONE)


def _not(condition: Expr) -> Expr:
    return Unary("not", condition)


def _follow(program: Program) -> Iterator[Statement]:
    """Statuses take the signs of their residuals; late in the iteration only the first one does."""
    for relation in program.relations:
        status, residual = slot_var(relation.status), slot_var(relation.residual)
        may = Binary("or", Binary("<=", ROUNDS, Real(ALL_FOLLOW)), _not(CHANGED))
        yield Choose(
            tuple(
                (_all(Binary(sign, residual, ZERO), Binary("<>", status, value), may), _mark(status, value))
                for sign, value in ((">", ONE), ("<", MINUS_ONE), ("==", ZERO))
            )
        )  # fmt: skip


def _mark(status: Var, value: Expr) -> tuple[Statement, ...]:
    return Set(status, value), Set(CHANGED, TRUE)


def _all(*conditions: Expr) -> Expr:
    result = conditions[0]
    for condition in conditions[1:]:
        result = Binary("and", result, condition)
    return result


def _hold(program: Program) -> Iterator[Statement]:
    for slot, pre in program.discrete:
        yield Set(slot_var(pre), slot_var(slot))


def _moves(program: Program) -> Iterator[Statement]:
    """Whether a value differs from its pre-value, a state jumps or a sample was due."""
    yield Set(MOVED, FALSE)
    whole = program.boolean_slots | program.integer_slots
    for slot, pre in program.discrete:
        now, before = slot_var(slot), slot_var(pre)
        differs: Expr = Binary("<>", now, before)
        if slot not in whole:
            size = Call("max", Call("abs", now), Call("abs", before))
            gap = Call("abs", Binary("-", now, before))
            differs = Binary(">", gap, Binary("*", Real(REAL_MATCH), size))
        yield Choose(((differs, (Set(MOVED, TRUE),)),))
    for state, new, flag in program.reinits:
        jump = (Set(slot_var(state), slot_var(new)), Set(MOVED, TRUE))
        yield Choose(((slot_var(flag), jump),))
    for sample in program.samples:
        done = (Set(slot_var(sample[2]), FALSE), Set(MOVED, TRUE))
        yield Choose(((slot_var(sample[2]), done),))
