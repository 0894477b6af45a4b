"""Words for quantities that are no variables of the model.

    $when[1] and not pre($when[1])        edge(h < 0)
    history($history, 1, time - T)        delay(x, T)
    $held[1]                              integer(3*x)
    $state[0,0]                           state of x, y
    $machine[0].active[1]                 activeState(up)

The compiler makes such quantities (structure/atoms.py). A diagram shows what the modeller wrote; a quantity
without words of its own is an unnamed signal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from freewheel.base.names import Name, Part
from freewheel.base.names import show as show_name
from freewheel.formula import build
from freewheel.formula.nodes import ONE, Binary, Call, Expr, If, Integer, Real, Var
from freewheel.formula.show import show
from freewheel.formula.walk import replace
from freewheel.structure.atoms import (
    AWAKE,
    DELAYED,
    DER,
    FORWARD,
    HELD,
    INITIAL,
    IS,
    LAG,
    PIVOT,
    PRE,
    SAMPLE,
    STATE,
    TERMINAL,
    is_pre,
    show_atom,
)
from freewheel.structure.clocks.discretize import SLOPE, STAGE
from freewheel.structure.clocks.ticks import CLOCK
from freewheel.structure.events.hybrid import RATE
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Ordered, SampleClock, StateGroup
from freewheel.structure.state_machines.transitions import MACHINE
from freewheel.structure.when_lines import flags_in, rising

MOST_NAMES = 3  # of variables in the name of a state that is chosen while running


@dataclass
class Hidden:
    """Of one model."""

    ordered: Ordered
    memo: dict[Expr, Expr] = field(default_factory=dict)
    phase: Phase = field(default_factory=lambda: Phase(is_initial=False))

    # ------------------------------------------------------------ names

    def words(self, name: Name) -> str:
        """What the modeller would say; empty where there are no words."""
        head = name[0]
        if not str(head).startswith("$"):
            return show_atom(name)
        if head in (DER, PRE):
            return self._of_operator(name)
        if head in (STATE, PIVOT):
            return self._of_chosen_states(name)
        if head == MACHINE:
            return self._comments.get(name, "")
        if head in (RATE, SLOPE):
            return f"der({show_name(name[1:])})"
        if head == STAGE:
            return f"{show_name(name[2:])} at stage {name[1]}"
        if head == HELD:
            return ""
        return self._flags.get(name, "") or ("" if "$" in show_atom(name) else show_atom(name))

    def owner(self, name: Name) -> Name:
        """The component that a variable is in; the rules of a state machine are a component."""
        if name[0] in (DER, PRE):
            return self.owner(name[1:])
        if name[0] == IS:
            return self.owner(name[1:-1])
        if name[0] == MACHINE:
            return self.machine(name[1])
        if str(name[0]).startswith("$"):
            return ()
        plain = list(name)
        while plain and isinstance(plain[-1], int):
            plain.pop()
        return tuple(plain[:-1])

    def machine(self, number: Part) -> Name:
        """`state machine up, down`, in the component of its states."""
        states = self._states[number]
        around = states[0].split(".")[:-1]
        names = ", ".join(state.split(".")[-1] for state in states)
        return (*around, f"state machine {names}")

    @cached_property
    def _comments(self) -> dict[Name, str]:
        return {v.name: v.comment for v in self.ordered.scalar.variables if v.name[0] == MACHINE}

    @cached_property
    def _states(self) -> dict[Part, list[str]]:
        found: dict[Part, list[str]] = {}
        for name, words in self._comments.items():
            if name[2] == "active":
                state = words.removeprefix("activeState(").removesuffix(")")
                found.setdefault(name[1], []).append(state)
        return found

    @cached_property
    def _flags(self) -> dict[Name, str]:
        found = {INITIAL.name: "initial()", TERMINAL.name: "terminal()"}
        for clock in self.ordered.hybrid.samples:
            found[clock.flag.name] = _clock_text(clock)
        return found

    def _of_operator(self, name: Name) -> str:
        if name[0] == PRE and name[1] == CLOCK and name[-1] == "first":
            return "firstTick()"
        inside = self.words(name[1:])
        return f"{str(name[0])[1:]}({inside})" if inside else ""

    def _of_chosen_states(self, name: Name) -> str:
        group = self.group(name)
        names = [self.words(var.name) for var in group.variables]
        number = f" {int(name[2]) + 1}" if group.state_count > 1 else ""
        if name[0] == PIVOT:
            of_state = f" in state{number}" if number else ""
            return f"weight of {names[int(name[3])]}{of_state}"
        more = ", \N{HORIZONTAL ELLIPSIS}" if len(names) > MOST_NAMES else ""
        return f"state{number} of {', '.join(names[:MOST_NAMES])}{more}"

    def group(self, name: Name) -> StateGroup:
        return next(group for group in self.ordered.groups if group.number == name[1])

    # ------------------------------------------------------------ formulas

    def is_inner(self, target: Var) -> bool:
        """An argument of `delay` or `spatialDistribution`: the block of the operator reads it."""
        return target.name[0] in (DELAYED, LAG, FORWARD)

    def readable(self, expr: Expr) -> Expr:
        """With relations, delays and edges in the place of what the compiler made of them."""
        return replace(expr, self._visit, self.memo)

    def while_running(self, expr: Expr) -> Expr:
        """`initial()` is false."""
        return self.readable(self.phase.expr(expr))

    def held(self, target: Var, value: Expr) -> Expr:
        """`integer(x)` of the rules that hold it between events."""
        if target.name[0] != HELD or not isinstance(value, If):
            return value
        then = value.args[1]
        if isinstance(then, Call) and then.function == "max":
            return then.args[0]
        crossing = self._crossings.get(getattr(value.args[0], "left", value))
        if crossing is None:
            return value
        factors = crossing[0].args
        return Call("sign", next(part for part in factors if not _is_before(part)))

    def _visit(self, node: Expr) -> Expr | None:
        if node is AWAKE:
            return ONE
        if isinstance(node, Binary) and node.left in self._crossings:
            left, right = self._crossings[node.left]
            return Binary(node.op, self.readable(left), self.readable(right))
        if isinstance(node, Call) and node.function == "history":
            line = self.ordered.hybrid.aliases.model.delays[node.args[1].data - 1]
            assert line.lag is not None
            return Call("delay", self.readable(line.signal), self.readable(line.lag))
        if isinstance(node, Call) and node.function == "transported":
            return self._transported(node.args[1].data)
        return self._edge(node)

    def _edge(self, node: Expr) -> Expr | None:
        """A flag of `sample` or a clock is an instant: its edge is itself."""
        edge = rising(node)
        if edge is None:
            return None
        flag = edge.args[0]
        while isinstance(of := self._whens.get(flag), Var):
            flag = of
        is_instant = isinstance(flag, Var) and flag.name[0] == SAMPLE
        return flag if is_instant else Call("edge", flag)

    def _transported(self, end: int) -> Expr:
        """What leaves a pipe at one end; ends count from 1, two for each pipe."""
        model = self.ordered.hybrid.aliases.model
        pipe = model.pipes[(end - 1) // 2]
        numbers = (pipe.left, pipe.right, pipe.place)
        signals = [self.readable(model.delays[k - 1].signal) for k in numbers]
        return Call("spatialDistribution", *signals, self.readable(pipe.forward))

    @cached_property
    def _crossings(self) -> dict[Expr, tuple[Expr, Expr]]:
        return {c.status: (c.left, c.right) for c in self.ordered.hybrid.crossings}

    @cached_property
    def _whens(self) -> dict[Expr, Expr]:
        hybrid = self.ordered.hybrid
        return dict(flags_in((*hybrid.equations, *hybrid.discrete_equations)))


def _is_before(expr: Expr) -> bool:
    return isinstance(expr, Var) and is_pre(expr)


def _clock_text(clock: SampleClock) -> str:
    """`Clock(0.1)` for a clock of the language, `sample(0, Ts)` for the operator."""
    if show(clock.start) != "time":
        return f"sample({show(clock.start)}, {show(clock.interval)})"
    period: Expr = clock.interval
    if clock.every != clock.parts:
        share = build.over(Real(float(clock.every)), Real(float(clock.parts)))
        period = build.times(share, clock.interval)
    if isinstance(period, Real) and period.value.is_integer():
        period = Integer(int(period.value))
    return f"Clock({show(period)})"
