"""How a machine moves: its rules as clocked equations over hidden variables.

    next = if active then (if fired then target else selected) else previous(next)

In: machines. Out: equations, and for each state two variables: is it active, is it reset now. The
rules are those of Modelica 3.6, "State Machine Semantics", in our own arrangement: transitions are
numbered from 1 in order of urgency, 0 means none; states from 1, the initial one first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from freewheel.base.names import Name, Part, show
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TIME, TRUE, ZERO, Binary, Call, Expr, Integer, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, Basic
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.state_machines.nodes import Machine, Transition

MACHINE = "$machine"  # ("$machine", k, "next"), ("$machine", k, "active", state), ...
Condition = Callable[[Expr, Name, bool], Expr]  # (condition, state it leaves, is immediate)


class Machines:
    """All machines of a model and what they are made of."""

    def __init__(self, machines: Sequence[Machine]) -> None:
        self.machines = machines
        self.place = {
            state: (machine, k) for machine in machines for k, state in enumerate(machine.states)
        }
        self.variables: list[ScalarVariable] = []
        self.equations: list[ScalarEquation] = []
        self.counted: dict[Name, tuple[Var, Var]] = {}  # ticks in a state, time of entry

    # ------------------------------------------------------------ what others ask

    def active(self, state: Name) -> Var:
        machine, k = self.place[state]
        return Var((MACHINE, machine.number, "active", k + 1))

    def resets(self, state: Name) -> Var:
        machine, k = self.place[state]
        return Var((MACHINE, machine.number, "resets", k + 1))

    def state_around(self, name: Name) -> Name | None:
        """The innermost state that a component or variable is in."""
        for length in range(len(name), 0, -1):
            if name[:length] in self.place:
                return name[:length]
        return None

    def exclude_each_other(self, one: Name, other: Name) -> bool:
        """Are they in different states of one machine?"""
        mine: dict[int, Name] = {}
        state: Name | None = one
        while state is not None:
            machine, _ = self.place[state]
            mine[machine.number] = state
            state = machine.parent
        state = other
        while state is not None:
            machine, _ = self.place[state]
            if machine.number in mine:
                return mine[machine.number] != state
            state = machine.parent
        return False

    def ticks(self, state: Name) -> tuple[Var, Var]:
        """Ticks since the state was entered, and when that was."""
        known = self.counted.get(state)
        if known is None:
            known = self.counted[state] = self._count(state)
        return known

    # ------------------------------------------------------------ making

    def hidden(self, kind: Basic, start: Expr, *name: Part, words: str = "") -> Var:
        """`words` is its name in listings."""
        var = Var((MACHINE, *name))
        made = ScalarVariable(
            var.name, kind, Variability.DISCRETE, start=start, comment=words, is_protected=True
        )
        self.variables.append(made)
        return var

    def give(self, var: Var, value: Expr, machine: Machine) -> Var:
        self.equations.append(ScalarEquation(var, value, machine.span, target=var))
        return var

    def run(self, condition: Condition) -> None:
        """All rules; `condition` rewrites what transitions ask."""
        for machine in self.machines:
            self._run(machine, condition)

    def _run(self, machine: Machine, condition: Condition) -> None:
        n = machine.number
        is_on: Expr = TRUE if machine.parent is None else self.active(machine.parent)
        reset: Expr = Call("firstTick") if machine.parent is None else self.resets(machine.parent)
        following = self.hidden(INTEGER, Integer(0), n, "next")
        later = self.hidden(BOOLEAN, FALSE, n, "later")  # a reset that waits for activation
        delayed = self.hidden(INTEGER, Integer(0), n, "delayed")
        selected = self.give(
            self.hidden(INTEGER, Integer(0), n, "selected"),
            build.if_then_else(reset, Integer(1), _previous(following)),
            machine,
        )
        asked = [self._asked(machine, t, condition) for t in machine.transitions]
        pairs = list(zip(machine.transitions, asked, strict=True))
        at_once = _most_urgent(
            [(k, t, c, selected) for k, (t, c) in enumerate(pairs, 1) if t.is_immediate]
        )
        fired = self.give(
            self.hidden(INTEGER, Integer(0), n, "fired"),
            Call("max", _previous(delayed), at_once),
            machine,
        )
        goes_on = _by_transition(fired, machine, lambda t: Integer(t.target + 1), selected)
        current = self.give(
            self.hidden(INTEGER, Integer(1), n, "state"),
            build.if_then_else(reset, Integer(1), goes_on),
            machine,
        )
        waiting = build.logical_or(reset, _previous(later))
        resets = _by_transition(fired, machine, lambda t: TRUE if t.resets else FALSE, waiting)
        is_reset = self.give(
            self.hidden(BOOLEAN, FALSE, n, "reset"), build.logical_or(reset, resets), machine
        )
        self.give(following, build.if_then_else(is_on, current, _previous(following)), machine)
        self.give(later, build.logical_and(build.logical_not(is_on), _previous(later)), machine)
        slow = [(k, t, c, following) for k, (t, c) in enumerate(pairs, 1) if not t.is_immediate]
        self.give(delayed, _most_urgent(slow), machine)
        self._states(machine, is_on, reset, current, is_reset)
        self._final(machine, current)

    def _states(
        self, machine: Machine, is_on: Expr, reset: Expr, current: Var, is_reset: Var
    ) -> None:
        """Of each state: is it active, is it reset, does a reset still wait for it?"""
        for k, state in enumerate(machine.states, 1):
            waits = self.hidden(BOOLEAN, FALSE, machine.number, "waits", k)
            is_here = Binary("==", current, Integer(k))
            due = build.logical_or(reset, _previous(waits))
            stays = build.logical_and(Binary("<>", current, Integer(k)), due)
            self.give(waits, build.if_then_else(is_on, stays, _previous(waits)), machine)
            active, resets = self.active(state), self.resets(state)
            self.hidden(BOOLEAN, FALSE, *active.name[1:], words=f"activeState({show(state)})")
            self.hidden(BOOLEAN, FALSE, *resets.name[1:], words=f"reset of {show(state)}")
            self.give(active, build.logical_and(is_on, is_here), machine)
            self.give(resets, build.logical_and(active, build.logical_or(is_reset, due)), machine)

    def _final(self, machine: Machine, current: Var) -> None:
        """In a state that nothing leaves?"""
        left = {t.source for t in machine.transitions}
        last = [k for k in range(len(machine.states)) if k not in left]
        there: Expr = FALSE
        for k in last:
            there = build.logical_or(there, Binary("==", current, Integer(k + 1)))
        self.give(self.hidden(BOOLEAN, FALSE, machine.number, "final"), there, machine)

    def _asked(self, machine: Machine, transition: Transition, condition: Condition) -> Expr:
        """The condition, and for a synchronizing one: all machines inside have ended. An immediate
        transition uses the state at the tick before, since the present one depends on it."""
        state = machine.states[transition.source]
        asked = condition(transition.condition, state, transition.is_immediate)
        if not transition.synchronizes:
            return asked
        for inner in self.machines:
            if inner.parent == state:
                final = Var((MACHINE, inner.number, "final"))
                ended = _previous(final) if transition.is_immediate else final
                asked = build.logical_and(asked, ended)
        return asked

    def _count(self, state: Name) -> tuple[Var, Var]:
        machine, k = self.place[state]
        n, number = machine.number, k + 1
        active = self.active(state)
        entered = self.hidden(BOOLEAN, FALSE, n, "entered", number)
        name = show(state)
        ticks = self.hidden(
            INTEGER, Integer(0), n, "ticks", number, words=f"ticksInState() of {name}"
        )
        since = self.hidden(REAL, ZERO, n, "since", number, words=f"time of entry to {name}")
        moved: Expr = Binary(">", Var((MACHINE, n, "fired")), Integer(0))
        new = build.logical_or(build.logical_not(_previous(active)), moved)
        if machine.parent is not None:
            self.ticks(machine.parent)
            parent, place = self.place[machine.parent]
            above = Var((MACHINE, parent.number, "entered", place + 1))
            new = build.logical_or(new, above)
        self.give(entered, build.logical_and(active, new), machine)
        counted = build.if_then_else(entered, Integer(1), build.plus(_previous(ticks), Integer(1)))
        self.give(ticks, build.if_then_else(active, counted, Integer(0)), machine)
        now = Call("sample", TIME)
        self.give(since, build.if_then_else(entered, now, _previous(since)), machine)
        return ticks, since


def _previous(var: Var) -> Expr:
    return Call("previous", var)


def _most_urgent(candidates: Sequence[tuple[int, Transition, Expr, Var]]) -> Expr:
    """The number of the last one whose condition is true in its state; 0: none."""
    result: Expr = Integer(0)
    for number, transition, condition, state in candidates:
        is_here = Binary("==", state, Integer(transition.source + 1))
        fires = build.logical_and(is_here, condition)
        result = build.if_then_else(fires, Integer(number), result)
    return result


def _by_transition(
    fired: Var, machine: Machine, value: Callable[[Transition], Expr], otherwise: Expr
) -> Expr:
    result = otherwise
    for number, transition in enumerate(machine.transitions, 1):
        is_it = Binary("==", fired, Integer(number))
        result = build.if_then_else(is_it, value(transition), result)
    return result
