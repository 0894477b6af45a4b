"""What a relation's change asks of the discrete equations, where that is little: its handlers.

    made = handlers_of(program)
    made.of_relation[3] = (0, 1)          which handlers, in the order of the section
    made.handlers[0].row, .target         a formula over states, time and held numbers; where it goes

A when-clause of one part of a large model concerns that part alone. All assignments of the discrete
section that a status reaches, through variables and their pre values, are a relation's handlers, if they are
plain formulas of states, time and what is held between events. Then the event needs no look at the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

from freewheel.formula.nodes import ONE, ZERO, Expr, If, Var
from freewheel.formula.walk import substitute, variables_in
from freewheel.program.needed import formulas_of
from freewheel.program.nodes import Assign, Jump, Program, Step, slot_var
from freewheel.program.rows import Row, Shape, numbered_row, record_numbers
from freewheel.program.written import written_slots

MOST = 16  # handlers of a relation: more are no small part


@dataclass(frozen=True, slots=True)
class Handler:
    row: Row
    target: int  # slot
    pre: int  # slot of its pre value, or -1
    state: int  # number of the state that a flag makes jump, or -1
    value: int  # slot of that state's new value


@dataclass(frozen=True, slots=True)
class Handlers:
    shapes: tuple[Shape, ...]
    handlers: tuple[Handler, ...]
    of_relation: tuple[tuple[int, ...], ...]  # empty: not small, or nobody asks


def handlers_of(program: Program) -> Handlers:
    return _Handlers(program).all()


class _Handlers:
    def __init__(self, program: Program) -> None:
        self.program = program
        states = range(*program.states)
        # Before it jumps a state is its own left limit.
        before: dict[Expr, Expr] = {
            slot_var(pre): slot_var(slot) for slot, pre in program.discrete if slot in states
        }
        kept = {slot for slot, _ in program.discrete}
        self.assigns, self.blocked = _plain(program.sections["discrete"], before, kept)
        self.pre = {slot: pre for slot, pre in program.discrete if slot not in states}
        self.target_of_pre = {pre: slot for slot, pre in program.discrete}
        self.readers: dict[int, list[int]] = {}
        for number, (_, value) in enumerate(self.assigns):
            for slot in _slots(value):
                self.readers.setdefault(self.target_of_pre.get(slot, slot), []).append(number)
        unknown = written_slots((*program.plain_derivatives, *program.plain_relations))
        unknown |= written_slots(program.sections.get("outputs", ()))
        unknown |= written_slots(program.sections["discrete"])
        unknown -= {target for target, _ in self.assigns}
        unknown |= {pre for slot, pre in self.pre.items() if slot in unknown}
        self.is_plain = [
            not any(slot in unknown for slot in _slots(value))
            and not any(not isinstance(var.name[0], int) for var in variables_in(value))
            for _, value in self.assigns
        ]
        self.jumps = {flag: (state - states.start, value) for state, value, flag in program.reinits}
        self.record = record_numbers(program)
        self.shapes: dict[Shape, int] = {}
        self.made: dict[int, int] = {}  # assignment -> handler
        self.handlers: list[Handler] = []

    def all(self) -> Handlers:
        listed = tuple(self._of(relation.status) for relation in self.program.relations)
        return Handlers(tuple(self.shapes), tuple(self.handlers), listed)

    def _of(self, status: int) -> tuple[int, ...]:
        reached = self._reached(status)
        if reached is None:
            return ()
        return tuple(self._handler(number) for number in sorted(reached))

    def _reached(self, status: int) -> set[int] | None:
        """Assignments behind a status; None where they are too many or not plain."""
        found: set[int] = set()
        stack = [status]
        while stack:
            slot = stack.pop()
            if slot in self.blocked or self.pre.get(slot, slot) in self.blocked:
                return None
            for number in self.readers.get(slot, ()):
                if number in found:
                    continue
                found.add(number)
                if len(found) > MOST or not self.is_plain[number]:
                    return None
                stack.append(self.assigns[number][0])
        return found

    def _handler(self, number: int) -> int:
        if number not in self.made:
            target, value = self.assigns[number]
            shape, records, reads = numbered_row(self.program, self.record, value)
            row = Row(self.shapes.setdefault(shape, len(self.shapes)), records, reads)
            state, new = self.jumps.get(target, (-1, -1))
            self.made[number] = len(self.handlers)
            self.handlers.append(Handler(row, target, self.pre.get(target, -1), state, new))
        return self.made[number]


def _plain(
    section: Iterable[Step], before: Mapping[Expr, Expr], kept: Set[int]
) -> tuple[list[tuple[int, Expr]], set[int]]:
    """(slot, formula) of each assignment and jump; slots that other steps ask about. Only variables that are
    `kept` from event to event stand for themselves in formulas, others for what they are."""
    shared = dict(before)
    found: list[tuple[int, Expr]] = []
    blocked: set[int] = set()
    flags: set[int] = set()
    for step in section:
        formulas = [substitute(formula, shared) for formula in formulas_of(step)]
        if isinstance(step, Assign) and not isinstance(step.target.name[0], int):
            shared[step.target] = substitute(step.value, shared)
        elif isinstance(step, Assign) and step.guard is None:
            value = substitute(step.value, shared)
            found.append((_slot(step.target), value))
            if _slot(step.target) not in kept:
                shared[step.target] = value
        elif isinstance(step, Jump) and step.flag not in flags:
            flags.add(step.flag)
            guard = substitute(step.guard, shared)
            found.append((step.new, If(guard, substitute(step.value, shared), ZERO)))
            found.append((step.flag, If(guard, ONE, ZERO)))
        else:
            blocked |= _slots(*formulas)
    return found, blocked


def _slot(target: Var) -> int:
    slot = target.name[0]
    assert isinstance(slot, int), target
    return slot


def _slots(*exprs: Expr) -> set[int]:
    return {var.name[0] for var in variables_in(*exprs) if isinstance(var.name[0], int)}
