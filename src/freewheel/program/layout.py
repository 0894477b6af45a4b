"""Number every quantity of the model: in comes `Ordered`, out comes a slot for each atom.

Slots that one section writes lie side by side, so that a backend can store them in one go:

    time | states | derivatives | what they need | what relations need | the rest | residuals
         | discrete | pre | statuses | samples | reinit | branch vector | parameters | inputs
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeGuard

from freewheel.base.names import Name, show
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import TIME, Var
from freewheel.formula.types import BOOLEAN, REAL, STRING, ExternalObjectType
from freewheel.program.nodes import branch_memory, left_memory
from freewheel.structure.atoms import (
    AWAKE,
    HISTORY,
    NEW,
    REINIT,
    SHARE,
    TERMINAL,
    der_of,
    last_break_of,
    next_break_of,
    pre_of,
    show_atom,
)
from freewheel.structure.index.dynamic_states import normal_of, pivot_of
from freewheel.structure.nodes import Block, Loop, Ordered, ScalarVariable
from freewheel.structure.switching.nodes import Core

SPARE_BITS = 32  # for conditions outside of the core that change its matrices


@dataclass(slots=True)
class Layout:
    """Slots by atom, in the order they were given out."""

    slots: dict[Var, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    objects: dict[Var, int] = field(default_factory=dict)
    derivative_range: tuple[int, int] = (0, 0)
    residuals: list[int] = field(default_factory=list)
    # Slots of start, interval and flag; then the first instant, the step and the parts (SampleClock).
    samples: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    reinits: list[tuple[int, int]] = field(default_factory=list)  # flag, new value
    integers: set[int] = field(default_factory=set)
    booleans: set[int] = field(default_factory=set)
    started: int = -1
    follow: int = -1  # how nonlinear loops are solved; then the one that lost its branch
    longest: list[int] = field(default_factory=list)  # delays
    profiles: list[list[int]] = field(default_factory=list)  # points, then values of each pipe
    gradients: list[tuple[tuple[int, ...], ...]] = field(default_factory=list)  # of state groups
    bits: int = -1  # the branch vector of the core begins here
    settled: int = -1  # set once the core's variables have found their values at the start
    corners: list[tuple[int, int]] = field(default_factory=list)  # place, held; -1 where not needed

    def new(self, name: str) -> int:
        self.names.append(name)
        return len(self.names) - 1

    def place(self, atoms: Iterable[Var]) -> None:
        for atom in atoms:
            if atom not in self.slots:
                self.slots[atom] = self.new(show_atom(atom.name))


def lay_out(
    ordered: Ordered,
    for_derivatives: Iterable[Var],
    for_relations: Iterable[Var],
    others: Iterable[Var],
) -> Layout:
    """`for_derivatives`, `for_relations`, `others`: the simulation's unknowns by section."""
    layout = Layout()
    layout.place([TIME, *ordered.integrated])
    first = len(layout.names)
    states, moving = set(ordered.integrated), set(ordered.differential)
    for state in ordered.integrated:
        rate = der_of(state)
        if rate in states or state not in moving:
            # A state whose derivative is a state: the value is copied. Rates of what is algebraic
            # in a core are the integrator's own, whatever the model calls its derivative.
            layout.new(show_atom(rate.name))
        else:
            layout.place([rate])
    layout.derivative_range = (first, len(layout.names))
    layout.place(for_derivatives)
    layout.place(for_relations)
    layout.place(others)
    for crossing in ordered.hybrid.crossings:
        layout.residuals.append(layout.new(f"residual of {crossing.text}"))
    layout.place(ordered.hybrid.discrete)
    layout.place(pre_of(var) for var in ordered.held)
    layout.place(crossing.status for crossing in ordered.hybrid.crossings)
    _place_clocks(layout, ordered)
    layout.place([TERMINAL, AWAKE] if ordered.hybrid.crossings else [TERMINAL])
    _place_groups(layout, ordered)
    if ordered.core.is_there:
        _place_core(layout, ordered.core)
    _place_history(layout, ordered)
    if ordered.simplified is not None:
        layout.started = layout.new("started")
        layout.place([SHARE])
    if any(map(is_nonlinear, ordered.simulation.blocks)):
        layout.follow = layout.new("how loops are solved")
        layout.new("loop that lost its branch")
        for loop in filter(is_nonlinear, ordered.simulation.blocks):
            for _ in range(branch_memory(len(loop.guesses))):
                layout.new("branch of a loop")
            for _ in range(left_memory(len(loop.guesses), len(loop.inner))):
                layout.new("left limit of a loop")
    _place_data(layout, ordered)
    _mark_types(layout, ordered)
    return layout


def is_nonlinear(block: Block) -> TypeGuard[Loop]:
    return isinstance(block, Loop) and not block.is_linear


def _place_core(layout: Layout, core: Core) -> None:
    layout.settled = layout.new("the core has settled")
    layout.bits = len(layout.names)
    for bit in core.bits:
        layout.new(f"position {bit.text}")
    for number in range(SPARE_BITS):
        layout.new(f"position {number + 1} outside of the core")
    for corner in core.corners:
        at = (
            -1
            if build.is_zero(corner.at)
            else layout.new(f"corner of {show(corner.parameter.name)}")
        )
        held = -1 if corner.held is None else layout.new(f"{show(corner.parameter.name)} is held")
        layout.corners.append((at, held))


def _place_clocks(layout: Layout, ordered: Ordered) -> None:
    for clock in ordered.hybrid.samples:
        start, interval = layout.new("sample start"), layout.new("sample interval")
        layout.place([clock.flag])
        slots = start, interval, layout.slots[clock.flag]
        layout.samples.append((*slots, clock.first, clock.every, clock.parts))
    number = 0
    for action in ordered.hybrid.actions:
        if action.kind == "reinit":
            flag, new = Var((REINIT, number)), Var((NEW, number))
            layout.place([flag, new])
            layout.reinits.append((layout.slots[flag], layout.slots[new]))
            number += 1


def _place_history(layout: Layout, ordered: Ordered) -> None:
    lines = ordered.hybrid.aliases.model.delays
    if lines:
        layout.place([HISTORY])
    for line in lines:
        layout.place([next_break_of(line.number), last_break_of(line.number)])
        layout.longest.append(layout.new(f"longest {line.text}"))
    for pipe in ordered.hybrid.aliases.model.pipes:
        count = 2 * len(pipe.points)
        layout.profiles.append([layout.new("initial profile") for _ in range(count)])


def _place_groups(layout: Layout, ordered: Ordered) -> None:
    """What the choice of states while running needs: shares, normals, gradients."""
    for group in ordered.groups:
        columns, rows = range(len(group.variables)), range(len(group.gradient))
        layout.place(pivot_of(group, k, j) for k in range(group.state_count) for j in columns)
        layout.place(normal_of(group, i, j) for i in rows for j in columns)
        slots = tuple(tuple(layout.new("gradient") for _ in columns) for _ in rows)
        layout.gradients.append(slots)


def _place_data(layout: Layout, ordered: Ordered) -> None:
    aliases = ordered.hybrid.aliases.aliases
    for variable in ordered.hybrid.aliases.model.variables:
        if variable.name in aliases:
            continue
        var = Var(variable.name)
        if isinstance(variable.type, ExternalObjectType):
            layout.objects[var] = len(layout.objects)
        elif variable.type == STRING:
            continue
        elif variable.variability <= Variability.PARAMETER or is_input(variable):
            layout.place([var])


def is_input(variable: ScalarVariable) -> bool:
    return variable.causality is Causality.INPUT


def _mark_types(layout: Layout, ordered: Ordered) -> None:
    types: dict[Name, object] = {
        v.name: v.type for v in ordered.hybrid.aliases.model.variables if v.type != REAL
    }
    for atom, slot in layout.slots.items():
        name = atom.name[1:] if atom.name[0] == "$pre" else atom.name
        kind = types.get(name)
        if kind == BOOLEAN or name[0] == "$when":
            layout.booleans.add(slot)
        elif kind is not None:
            layout.integers.add(slot)
