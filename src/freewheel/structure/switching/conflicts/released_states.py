"""Which states fix which switches: found by augmenting paths, without looking at all 2^n modes.

    L*der(i) = v;  i = if off then 0 else s        off: the state i is given twice  ->  release i

States are known, rates and algebraic variables unknown. A case of one element is decided, all other
choices stay open (an equation may be solved for whatever any branch speaks of). Where a row then
finds no unknown of its own, the states in the rows it quarrels with are no states in that case.

Single elements do not decide everything: a boost converter blocks only when switch *and* diode are
open. So elements are also decided one after the other, in a few directions, and states that turn up
are released on the way. What all that misses is found by rank when a mode is first visited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from freewheel.formula.nodes import Var
from freewheel.graphs.matching import FREE
from freewheel.graphs.pairing import Pairing
from freewheel.structure.atoms import der_of
from freewheel.structure.switching.branch_equations import Branches
from freewheel.structure.switching.conditions import Decided
from freewheel.structure.switching.conflicts.mode_enumeration import positions
from freewheel.structure.switching.conflicts.possible_modes import Possible
from freewheel.structure.switching.nodes import Case, Choice, Conflict, Element, Kind, Recognised

FIRST, LAST, BLOCKING = 0, -1, -2  # other numbers: that case, for elements with so many
# For elements driven by themselves and for those driven from elsewhere: which case to take.
_DIRECTIONS = (
    (FIRST, FIRST),
    (LAST, LAST),
    (FIRST, LAST),
    (LAST, FIRST),
    (BLOCKING, BLOCKING),
)
NO_ELEMENT = -1
NOTHING: Decided = {}
MOST_CASES = 8  # of a switch that are all tried together with others


def _directions(elements: Sequence[Element]) -> Iterator[tuple[int, int]]:
    """Of a switch with three positions also those in the middle."""
    yield from _DIRECTIONS
    driven = [e for e in elements if e.kind is Kind.SWITCH]
    most = max((len(choice.cases) for e in driven for choice in e.choices), default=0)
    for case in range(1, min(most, MOST_CASES) - 1):
        yield FIRST, case
        yield LAST, case


class Release:
    """Rows of columns, and the states each row speaks of."""

    def __init__(self, branches: Branches, unknowns: Sequence[Var], states: Sequence[Var]) -> None:
        self.branches = branches
        self.possible = Possible(branches.bits)
        self.column = {var: number for number, var in enumerate(unknowns)}
        self.states = frozenset(states)
        self.users = branches.users
        count = len(branches.equations)
        spoken = [branches.spoken_of(row, {}) for row in range(count)]
        self.known: list[tuple[Var, ...]] = [self._known(vars_) for vars_ in spoken]
        self.speaks_of: dict[Var, list[int]] = {}
        for row, known in enumerate(self.known):
            for var in known:
                self.speaks_of.setdefault(var, []).append(row)
        rows = [self._columns(row, vars_, ()) for row, vars_ in enumerate(spoken)]
        self.pairing = Pairing(rows, len(unknowns))
        self.first: dict[Var, None] = {}  # released whatever is decided

    def _known(self, spoken: Iterable[Var]) -> tuple[Var, ...]:
        return tuple(var for var in spoken if var in self.states)

    def _columns(self, row: int, spoken: Iterable[Var], released: Iterable[Var]) -> list[int]:
        """Columns a row may be solved for; a released state is one with its rate."""
        target = self.branches.equations[row].target
        if target is not None:
            return [self.column[target]] if target in self.column else []
        found = dict.fromkeys(self.column[var] for var in spoken if var in self.column)
        for var in spoken:
            if var in released and der_of(var) in self.column:
                found[self.column[der_of(var)]] = None
        return list(found)

    # ------------------------------------------------------------ questions

    def always(self) -> list[Conflict]:
        """Those of constraints that stay as they are in every case. What they release stays so for all
        other questions."""
        return [
            self._conflict(row, {}, NO_ELEMENT, True, self.first)
            for row, column in enumerate(self.pairing.column_of)
            if column == FREE and not self.pairing.augment(row)
        ]

    def conflicts(self, recognised: Recognised) -> list[Conflict]:
        found = [
            conflict
            for element in recognised.elements
            for case in element.cases
            if self.possible.allows({}, case)
            for conflict in self.single(element, case)
        ]
        for direction in _directions(recognised.elements):
            found += self.joint(recognised.elements, direction)
            if len(recognised.elements) > 1 and direction[0] == BLOCKING:
                found += self.joint(recognised.elements[::-1], direction)
        for position in positions(recognised.elements, self.possible):
            for curves in (FIRST, LAST):
                found += self.joint(recognised.elements, (curves, FIRST), position)
        return distinct(found)

    def single(self, element: Element, case: Case) -> list[Conflict]:
        """One element decided, the others open."""
        here = self.pairing.mark()
        blocked = self._decide(dict(case), [bit for bit, _ in case], self.first)
        result = [
            self._conflict(row, dict(case), element.number, False, dict(self.first))
            for row in blocked
        ]
        self.pairing.take_back(here)
        return result

    def joint(
        self, elements: Sequence[Element], direction: tuple[int, int], position: Decided = NOTHING
    ) -> list[Conflict]:
        """All elements decided, one after the other; those of a `position` first."""
        here = self.pairing.mark()
        decided = dict(position)
        released = dict(self.first)
        result = [
            self._conflict(row, decided, elements[-1].number, True, released)
            for row in self._decide(decided, decided, released)
            if self.pairing.column_of[row] == FREE and not self.pairing.augment(row)
        ]
        for element in elements:
            driven = element.kind is Kind.SWITCH
            for choice in element.choices:
                case = self._pick(choice, direction[driven], decided, released)
                new = [bit for bit, _ in case if bit not in decided]
                decided.update(case)
                for row in self._decide(decided, new, released):
                    if self.pairing.column_of[row] != FREE or self.pairing.augment(row):
                        continue  # what another row released was enough
                    result.append(self._conflict(row, decided, element.number, True, released))
        self.pairing.take_back(here)
        return result

    def _pick(self, choice: Choice, way: int, decided: Decided, released: dict[Var, None]) -> Case:
        """A case that agrees with what is decided; if asked, one that blocks."""
        open_cases = [
            case
            for case in choice.cases
            if all(decided.get(b, v) == v for b, v in case) and self.possible.allows(decided, case)
        ]
        if not open_cases:  # no chain of conditions allows this: nothing more to decide
            return ()
        if way == BLOCKING:
            for case in open_cases:
                here = self.pairing.mark()
                new = [bit for bit, _ in case if bit not in decided]
                blocked = self._decide({**decided, **dict(case)}, new, released)
                self.pairing.take_back(here)
                if blocked:
                    return case
        return open_cases[FIRST if way == BLOCKING else min(way, len(open_cases) - 1)]

    # ------------------------------------------------------------ steps

    def _decide(self, decided: Decided, new: Iterable[int], released: dict[Var, None]) -> list[int]:
        """Rows that have no partner any more."""
        rows = dict.fromkeys(row for bit in new for row in self.users.get(bit, ()))
        for row in rows:
            spoken = self.branches.spoken_of(row, decided)
            self.pairing.note(self.known, row, self._known(spoken))
            self.pairing.set_row(row, self._columns(row, spoken, released))
        return [
            row
            for row in rows
            if self.pairing.column_of[row] == FREE and not self.pairing.augment(row)
        ]

    def _conflict(
        self,
        row: int,
        decided: Decided,
        element: int,
        is_joint: bool,
        released: dict[Var, None],
    ) -> Conflict:
        """Names the states and releases them, until the row finds a partner. A constraint between
        positions takes the positions first, then the speeds they would need as unknowns."""
        states: dict[Var, None] = {}
        rows: dict[int, None] = {}
        while True:
            near = self.pairing.reached(row)
            rows.update(dict.fromkeys(near))
            new = self._states_of(near, released)
            for state in new:
                self._set_free(state, released)
            states.update(dict.fromkeys(new))
            is_free = not self.pairing.augment(row)
            if not (is_free and new):
                found = tuple(sorted(rows)), tuple(states)
                case = self._bits_of(found[0], decided)
                return Conflict(case, *found, element, is_joint, is_free)

    def _bits_of(self, rows: Sequence[int], decided: Decided) -> Case:
        """What was decided about these equations."""
        choices = [c for row in rows for c in self.branches.choices.get(row, ())]
        bits = dict.fromkeys(bit for choice in choices for bit in choice.bits)
        return tuple((bit, decided[bit]) for bit in bits if bit in decided)

    def _states_of(self, rows: Sequence[int], released: Mapping[Var, None]) -> list[Var]:
        """Those of the rows that can be released."""
        found = dict.fromkeys(v for row in rows for v in self.known[row])
        return [v for v in found if v not in released and der_of(v) in self.column]

    def _set_free(self, state: Var, released: dict[Var, None]) -> None:
        released[state] = None
        column = self.column[der_of(state)]
        for row in self.speaks_of[state]:
            if self.branches.equations[row].target is not None:
                continue
            if state in self.known[row] and column not in self.pairing.rows[row]:
                self.pairing.set_row(row, (*self.pairing.rows[row], column))


def distinct(conflicts: Sequence[Conflict]) -> list[Conflict]:
    """Those found jointly only where they add something new."""
    seen: set[tuple[tuple[int, ...], tuple[Var, ...], bool]] = set()
    result: list[Conflict] = []
    for conflict in conflicts:
        key = conflict.rows, conflict.states, conflict.is_floating
        if key not in seen:
            seen.add(key)
            result.append(conflict)
    return result
