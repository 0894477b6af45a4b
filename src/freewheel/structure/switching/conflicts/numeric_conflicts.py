"""Conflicts that only numbers show: rows that say the same once node potentials cancel.

    C1.v = a - b;  C2.v = b - c;  u = a - c;  u = 0      together  C1.v + C2.v = 0

Each row has an unknown of its own, so that a matching finds nothing wrong; elimination does. It is
made for elements decided alone, within their blocks, and for all of them in a few directions. The
rows of a combination that vanishes quarrel; the states that are left in it are no states then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from freewheel.formula.nodes import Var
from freewheel.graphs.nullspace import dependent_rows
from freewheel.structure.atoms import der_of
from freewheel.structure.switching.conditions import Decided
from freewheel.structure.switching.conflicts.coefficients import Coefficients, Row
from freewheel.structure.switching.conflicts.mode_enumeration import positions
from freewheel.structure.switching.conflicts.possible_modes import Possible
from freewheel.structure.switching.joint_blocks import Joined
from freewheel.structure.switching.nodes import Case, Conflict, Element, Kind, Recognised
from freewheel.structure.thresholds import CANCELLATION

if TYPE_CHECKING:
    from freewheel.structure.switching.conflicts.regularity import Screen

MAX_WORK = 100_000  # elements decided alone, times rows
SCREENED = 4_000  # of that: more is worth an inverse
MAX_SCREEN = 1_000  # rows of one
NOTHING: Decided = {}
# The frequency at which a released state and its rate are one unknown: any generic number.
FREQUENCY = 0.7320508


class Cancellation:
    """`is_shallow`: of a single element only what it is at odds with at once, not what is found when
    that has been released; it costs the rows of its own blocks instead of all, unless these hold no state."""

    def __init__(
        self,
        coefficients: Coefficients,
        blocks: Joined,
        released: Sequence[Var],
        is_shallow: bool = False,
    ) -> None:
        self.is_shallow = is_shallow
        self.coefficients = coefficients
        self.blocks = blocks
        self.released = dict.fromkeys(released)
        self.possible = Possible(coefficients.branches.bits)
        self.all_rows = range(len(coefficients.branches.equations))
        self.looked = 0  # rows that were asked because the blocks of an element hold no state
        self.screens: dict[tuple[int, int, int], tuple[Screen, dict[int, int]]] = {}

    def conflicts(self, recognised: Recognised) -> list[Conflict]:
        elements = recognised.elements
        rows = self._near([row for element in elements for row in element.equations])
        found = self._in_case({}, rows, elements[0], True)
        if any(conflict.is_floating for conflict in found):
            return []  # singular whatever the switches do
        alone = [(element, self._near(element.equations)) for element in elements]
        work = sum(len(element.cases) * len(near) for element, near in alone)
        for element, near in alone:
            is_screened = work > SCREENED and len(near) <= MAX_SCREEN
            if work > MAX_WORK and not is_screened:
                continue
            for case in element.cases:
                if not self.possible.allows({}, case):
                    continue
                if not is_screened or not self._is_regular(dict(case), near):
                    found += self._in_case(dict(case), near, element, False)
        cases = [self._extreme(elements, way) for way in ((0, 0), (-1, -1), (0, -1), (-1, 0))]
        together = positions(elements, self.possible)
        if len(together) * len(rows) <= MAX_WORK:
            cases += [self._extreme(elements, (at, 0), p) for p in together for at in (0, -1)]
        for decided in cases:
            found += self._in_case(decided, rows, elements[-1], True)
        return found

    def _near(self, rows: Sequence[int]) -> list[int]:
        """All rows of the blocks that these belong to."""
        blocks = self.blocks
        return [row for number in blocks.touched(rows) for row in blocks.blocks[number]]

    def _in_case(
        self, decided: Decided, near: Sequence[int], element: Element, is_joint: bool
    ) -> list[Conflict]:
        """Releases states until nothing depends any more, or nothing is left to release."""
        first = self._dependent(decided, near)
        if not first:
            return []
        if self.is_shallow and not is_joint:
            near_by = [
                Conflict(
                    self._bits_of(rows, decided), rows, tuple(states), element.number, False, False
                )
                for rows, states in first
                if states
            ]
            self.looked += 0 if near_by else len(self.all_rows)
            if near_by or self.looked > MAX_WORK:
                return near_by
        result: list[Conflict] = []
        while True:
            progress = False
            result = [c for c in result if not c.is_floating]
            for rows, states in self._dependent(decided, self.all_rows):
                new = [s for s in states if s not in self.released]
                self.released.update(dict.fromkeys(new))
                progress = progress or bool(new)
                case = self._bits_of(rows, decided)
                is_floating = not new
                result.append(
                    Conflict(case, rows, tuple(new), element.number, is_joint, is_floating)
                )
            if not progress:
                return result

    def _dependent(
        self, decided: Decided, numbers: Sequence[int]
    ) -> list[tuple[tuple[int, ...], list[Var]]]:
        """(rows, states that are left) of combinations of rows that hold none of the unknowns that
        these rows give."""
        rows = [self.coefficients.row(number, decided) for number in numbers]
        place = self._places(numbers)
        found = dependent_rows([self._entries(row, place) for row in rows], len(place))
        return [self._left(vector, rows, numbers) for vector in found or ()]

    def _places(self, numbers: Sequence[int]) -> dict[int, int]:
        """Columns of the unknowns that these rows give."""
        column_of = self.blocks.matching.column_of_row
        return {column_of[row]: k for k, row in enumerate(numbers)}

    def _entries(self, row: Row, place: Mapping[int, int]) -> dict[int, float]:
        columns, states = row
        entries = {place[c]: value for c, value in columns.items() if c in place}
        for state, value in states.items():
            column = self.coefficients.column.get(der_of(state), -1)
            if state in self.released and column in place:
                at = place[column]
                entries[at] = entries.get(at, 0.0) + FREQUENCY * value
        return entries

    def _is_regular(self, decided: Decided, near: Sequence[int]) -> bool:
        """Beyond doubt, by what the decision changes in the rows with all choices open."""
        key = near[0], len(near), len(self.released)
        if key not in self.screens:
            from freewheel.structure.switching.conflicts.regularity import (
                Screen,  # numpy: for large models only
            )

            place = self._places(near)
            opened = [self._entries(self.coefficients.row(n, {}), place) for n in near]
            self.screens[key] = Screen(opened, len(near)), place
        screen, place = self.screens[key]
        column_of = self.blocks.matching.column_of_row
        users = self.coefficients.branches.users
        changed = dict.fromkeys(row for bit in decided for row in users.get(bit, ()))
        return screen.is_regular(
            {
                place[column_of[number]]: self._entries(
                    self.coefficients.row(number, decided), place
                )
                for number in changed
                if column_of[number] in place
            }
        )

    def _left(
        self, vector: dict[int, float], rows: Sequence[Row], numbers: Sequence[int]
    ) -> tuple[tuple[int, ...], list[Var]]:
        total: dict[Var, float] = {}
        for at, factor in sorted(vector.items()):
            for state, value in rows[at][1].items():
                total[state] = total.get(state, 0.0) + factor * value
        largest = max(map(abs, vector.values()))
        column = self.coefficients.column
        states = [
            s
            for s, value in total.items()
            if abs(value) > CANCELLATION.of_state * largest
            and der_of(s) in column
            and s not in self.released
        ]
        return tuple(sorted(numbers[at] for at in vector)), states

    def _bits_of(self, rows: Sequence[int], decided: Decided) -> Case:
        bits = dict.fromkeys(bit for row in rows for bit in self.coefficients.bits_of(row))
        return tuple((bit, decided[bit]) for bit in bits if bit in decided)

    def _extreme(
        self, elements: Sequence[Element], direction: tuple[int, int], position: Decided = NOTHING
    ) -> Decided:
        """All curves in their first or last case, all switches likewise, or in a `position`."""
        decided = dict(position)
        for element in elements:
            at = direction[element.kind is Kind.SWITCH]
            for choice in element.choices:
                decided.update(self._agreeing(choice.cases, decided, at))
        return decided

    def _agreeing(self, cases: Sequence[Case], decided: Decided, at: int) -> Case:
        fitting = [
            case
            for case in cases
            if all(decided.get(b, v) == v for b, v in case) and self.possible.allows(decided, case)
        ]
        return fitting[at] if fitting else ()
