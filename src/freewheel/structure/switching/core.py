"""What stays implicit: the hull of the blocks with conflicts, and the explicit shell around it.

    core, _ = find_core(hybrid, chosen, variables, values)       None: ordinary blocks do it all

Blocks (joint_blocks.py) with a conflict, and everything between two of them, form the core.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.formula.nodes import Binary, Expr, Var
from freewheel.formula.walk import nodes_of, variables_in
from freewheel.graphs.matching import FREE, match
from freewheel.structure.atoms import base_of, der_of, is_der
from freewheel.structure.blocks.blt import solve_group
from freewheel.structure.events.given_quantities import KnownQuantities
from freewheel.structure.nodes import Block, Chosen, Hybrid, ScalarVariable, Solved, Sorted
from freewheel.structure.switching.branch_equations import Branches, recognise
from freewheel.structure.switching.conditions import Bits
from freewheel.structure.switching.conflicts.coefficients import Coefficients
from freewheel.structure.switching.conflicts.numeric_conflicts import Cancellation
from freewheel.structure.switching.conflicts.released_states import Release, distinct
from freewheel.structure.switching.explicit_part import follow
from freewheel.structure.switching.joint_blocks import joined
from freewheel.structure.switching.nodes import (
    NO_CORE,
    Bit,
    Conflict,
    Core,
    Corner,
    Element,
    Kind,
    Recognised,
)
from freewheel.structure.thresholds import REGULARITY
from freewheel.structure.values import ParameterValues


def branch_equations(
    hybrid: Hybrid,
    chosen: Chosen,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    leaks: float = REGULARITY.leak,
) -> tuple[Branches, Recognised, tuple[Conflict, ...]]:
    """Equations with choices, the elements among them, and what these do to states."""
    moving = frozenset((*chosen.unknowns, *chosen.states))
    continuous = moving | frozenset(hybrid.continuous)
    bits = Bits(hybrid.discrete_equations, continuous, hybrid.crossings)
    branches = Branches(chosen.equations, bits, variables, values, leaks)
    states = frozenset(chosen.states)
    kept = frozenset(chosen.kept)
    known = _known(moving, hybrid, chosen, variables) if branches.choices else frozenset()
    found = recognise(branches, moving - states, states, hybrid.crossings, kept, known)
    release = Release(branches, chosen.unknowns, chosen.states)
    always = release.always() if kept else []
    if not found.elements:
        return branches, found, tuple(always)
    conflicts = [*always, *release.conflicts(found)]
    first = dict.fromkeys(state for conflict in always for state in conflict.states)
    numbers = Coefficients(branches, chosen.unknowns, chosen.states)
    # First with all states given: a storage that a switch cuts off is no state, whatever others are.
    # Then without those that are none, for what still quarrels.
    for is_last in (False, True):
        released = dict.fromkeys(state for conflict in conflicts for state in conflict.states)
        given = released if is_last else first
        blocks = joined(chosen.equations, chosen.unknowns, given)
        hidden = Cancellation(numbers, blocks, tuple(given), not is_last).conflicts(found)
        conflicts += [conflict for conflict in hidden if not _is_known(conflict, conflicts)]
        if not conflicts:
            break
    return branches, found, tuple(distinct(conflicts))


def _known(
    moving: frozenset[Var],
    hybrid: Hybrid,
    chosen: Chosen,
    variables: Mapping[Name, ScalarVariable],
) -> frozenset[Var]:
    """What follows from parameters and time, whatever jumps: it is there before any core is, and equations
    that choose among such quantities choose among numbers."""
    kept = frozenset(chosen.kept)
    given = (e for k, e in enumerate(chosen.equations) if e.derivative_of < 0 and k not in kept)
    known = KnownQuantities(given, hybrid, variables)
    return frozenset(var for var in moving if var in known)


def _is_known(conflict: Conflict, others: Sequence[Conflict]) -> bool:
    return any(
        conflict.case == other.case and set(conflict.states) <= set(other.states)
        for other in others
        if other.states or other.is_floating
    )


def find_core(
    hybrid: Hybrid,
    chosen: Chosen,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    leaks: float = REGULARITY.leak,
) -> tuple[Core, tuple[Var, ...]]:
    """Also the parameters that decided it, by being zero or not. `leaks` up to this size count as zeros."""
    branches, found, conflicts = branch_equations(hybrid, chosen, variables, values, leaks)
    is_needed = bool(conflicts) or bool(chosen.kept) or _must_be_joined(chosen, found)
    core = _Hull(chosen, branches, found, conflicts).core() if is_needed else NO_CORE
    return core, _decisive(chosen, branches)


def _must_be_joined(chosen: Chosen, found: Recognised) -> bool:
    """Where several curves depend on each other, one after the other may not find their sides."""
    curves = [e for e in found.elements if e.kind in (Kind.CURVE, Kind.LATCH)]
    if len(curves) < 2:
        return False
    joint = joined(chosen.equations, chosen.unknowns, ())
    counts = Counter(block for element in curves for block in set(joint.touched(element.equations)))
    return max(counts.values()) > 1


def _decisive(chosen: Chosen, branches: Branches) -> tuple[Var, ...]:
    """Parameters that are factors of unknowns in branch equations: a zero takes them away."""
    moving = frozenset((*chosen.unknowns, *chosen.states))
    found: dict[Var, None] = {}
    for number in branches.choices:
        equation = chosen.equations[number]
        for node in nodes_of(equation.left, equation.right):
            if not isinstance(node, Binary) or node.op != "*":
                continue
            for factor, other in (node.args, node.args[::-1]):
                if not moving.isdisjoint(variables_in(other)):
                    found.update(dict.fromkeys(variables_in(factor)))
    return tuple(var for var in found if branches.is_parameter(var))


class _Hull:
    def __init__(
        self,
        chosen: Chosen,
        branches: Branches,
        found: Recognised,
        conflicts: Sequence[Conflict],
    ) -> None:
        self.chosen = chosen
        self.branches = branches
        self.found = found
        self.conflicts = tuple(conflicts)
        released = dict.fromkeys(state for c in conflicts for state in c.states)
        self.released = tuple(s for s in chosen.states if s in released)
        joint = joined(chosen.equations, chosen.unknowns, self.released)
        self.system, self.matching = joint.system, joint.matching
        self.blocks, self.block_of = joint.blocks, joint.block_of

    def core(self) -> Core:
        inside = self._hull(self._seeds())
        rows = sorted(row for k in inside for row in self.blocks[k])
        columns = sorted(self.matching.column_of_row[row] for row in rows)
        solved = [self.system.unknowns[column] for column in columns]
        rates = dict.fromkeys(base_of(v) for v in solved if self._is_rate(v))
        variables = [base_of(v) if base_of(v) in rates and is_der(v) else v for v in solved]
        touched = [e for e in self.found.elements if not set(e.equations).isdisjoint(rows)]
        elements = tuple(_inside(element, frozenset(variables)) for element in touched)
        elements, same = _merged(elements)
        used = dict.fromkeys(bit for e in elements for bit in e.bits if bit not in same)
        bits, conditions = self._bits(used, same)
        followed = self._followed(rows, variables, rates, elements)
        gone, given = {f.equation for f in followed}, {f.target for f in followed}
        left = [row for row in rows if row not in gone]
        return Core(
            bits=bits,
            conditions=conditions,
            elements=elements,
            equations=tuple(left),
            variables=tuple(v for v in variables if v not in given),
            differential=tuple(rates),
            released=self.released,
            conflicts=self.conflicts,
            shell_states=tuple(s for s in self.chosen.states if s not in rates),
            shell=self._shell(inside, followed),
            followed=followed,
            matched=tuple(self._matched(left, solved, followed)),
        )

    def _followed(
        self,
        rows: Sequence[int],
        variables: Sequence[Var],
        rates: Mapping[Var, None],
        elements: Sequence[Element],
    ) -> tuple[Solved, ...]:
        kept = {corner.parameter for element in elements for corner in element.corners}
        unknowns = [v for v in variables if v not in rates and v not in kept]
        equations = {row: self.chosen.equations[row] for row in rows}
        moving = set(map(der_of, rates))
        closed = {
            row
            for row, e in equations.items()
            if e.target is not None or not moving.isdisjoint(variables_in(e.left, e.right))
        }
        return follow(equations, unknowns, closed)

    def _matched(
        self, rows: Sequence[int], unknowns: Sequence[Var], followed: Sequence[Solved]
    ) -> list[Var]:
        """What each row could be solved for, through what follows; for reading only."""
        given = {f.target for f in followed}
        left = [var for var in unknowns if var not in given]
        column = {var: k for k, var in enumerate(left)}
        behind: dict[Var, frozenset[int]] = {var: frozenset((k,)) for var, k in column.items()}
        nothing: frozenset[int] = frozenset()
        for part in followed:
            found = (behind.get(var, nothing) for var in variables_in(part.value))
            behind[part.target] = nothing.union(*found)
        choices = [
            sorted(nothing.union(*(behind.get(v, nothing) for v in variables_in(e.left, e.right))))
            for e in (self.chosen.equations[row] for row in rows)
        ]
        found_columns = match(choices, len(left)).column_of_row
        rest = iter(sorted(set(column.values()).difference(found_columns)))
        return [left[k if k != FREE else next(rest)] for k in found_columns]

    def _bits(
        self, used: Mapping[int, None], same: Mapping[int, tuple[int, bool]]
    ) -> tuple[tuple[Bit, ...], tuple[tuple[Expr, int, bool], ...]]:
        """The branch vector, and every condition that is an entry of it or the contrary."""
        bits = tuple(bit for bit in self.found.bits if bit.number in used)
        place = {bit.number: k for k, bit in enumerate(bits)}
        conditions: list[tuple[Expr, int, bool]] = []
        for condition, known in self.branches.bits.of_condition.items():
            if known is None:
                continue
            number, agrees = same.get(known[0], (known[0], True))
            if number in place:
                conditions.append((condition, place[number], known[1] == agrees))
        return bits, tuple(conditions)

    def _is_rate(self, var: Var) -> bool:
        return is_der(var) and base_of(var) in self.chosen.states

    def _seeds(self) -> set[int]:
        """Blocks that quarrel and can change, and those that give a released state or ask for its rate:
        where it is no state, the rate follows from derivatives of constraints, with impulses. A
        quarrelling block without branches is regular in every mode: another one must yield."""
        branches = {row for element in self.found.elements for row in element.equations}
        can_change = {k for k, rows in enumerate(self.blocks) if not branches.isdisjoint(rows)}
        quarrels = {row for conflict in self.conflicts for row in conflict.rows}
        rows = {row for row in quarrels if self.block_of[row] in can_change}
        released = set(map(der_of, self.released))
        rows |= {
            row
            for row, column in enumerate(self.matching.column_of_row)
            if self.system.unknowns[column] in released
            or not released.isdisjoint(self._variables(row))
        }
        return {self.block_of[row] for row in (*rows, *self._curves())}

    def _variables(self, row: int) -> tuple[Var, ...]:
        equation = self.chosen.equations[row]
        return variables_in(equation.left, equation.right)

    def _curves(self) -> list[int]:
        """Where there is a core at all, all curves are in it: they are chosen together, which an
        iteration over single elements need not manage."""
        return [
            row
            for element in self.found.elements
            if element.kind in (Kind.CURVE, Kind.LATCH)
            for row in element.equations
        ]

    def _hull(self, seeds: set[int]) -> set[int]:
        """With all blocks on ways from one seed to another."""
        needs = self._needs()
        after: set[int] = set()
        for block, below in enumerate(needs):  # blocks come after what they need
            if any(other in seeds or other in after for other in below):
                after.add(block)
        before: set[int] = set()
        for block in range(len(needs) - 1, -1, -1):
            if block in seeds or block in before:
                before.update(needs[block])
        return seeds | (after & before)

    def _needs(self) -> list[set[int]]:
        row_of = self.matching.row_of_column
        return [
            {self.block_of[row_of[c]] for row in rows for c in self.system.needs[row]} - {k}
            for k, rows in enumerate(self.blocks)
        ]

    def _shell(self, inside: set[int], followed: Sequence[Solved]) -> Sorted:
        """What the core needs, what follows from its variables, and all that needs these."""
        needs = self._needs()
        first: set[int] = set()
        for block in range(len(needs) - 1, -1, -1):
            if block in inside or block in first:
                first.update(needs[block])
        first -= inside
        last = [k for k in range(len(needs)) if k not in inside and k not in first]
        before, after = self._solved(sorted(first)), self._solved(last)
        return Sorted(self.chosen.equations, (*before, *followed, *after))

    def _solved(self, blocks: Sequence[int]) -> list[Block]:
        values = self.branches.values
        return [solve_group(self.system, self.matching, self.blocks[k], values) for k in blocks]


def _inside(element: Element, variables: frozenset[Var]) -> Element:
    """A curve whose parameter is computed outside is for the core a condition like any other."""
    if all(corner.parameter in variables for corner in element.corners):
        return element
    return replace(element, kind=Kind.CHOICE, corners=())


def _merged(
    elements: Sequence[Element],
) -> tuple[tuple[Element, ...], dict[int, tuple[int, bool]]]:
    """`s < 0` and `s > 0` turn at the same corner: one bit is enough. Also bit -> (the other one,
    whether both have the same sense)."""
    first: dict[tuple[Var, frozenset[Var]], Corner] = {}
    same: dict[int, tuple[int, bool]] = {}
    for corner in (c for element in elements for c in element.corners if c.held is None):
        key = corner.parameter, frozenset(status for status, _ in corner.statuses)
        other = first.setdefault(key, corner)
        if other is not corner:
            same[corner.bit] = other.bit, corner.is_below == other.is_below
    kept = [
        replace(e, corners=tuple(c for c in e.corners if c.bit not in same)) if same else e
        for e in elements
    ]
    return tuple(kept), same
