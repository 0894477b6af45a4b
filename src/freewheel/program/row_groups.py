"""Rows of one formula, told apart by what they read.

rounds.values["i"]              2, 3, 4: of three rows
leaves = Leaves(places, rounds)
leaves.group(leaves.read(formula), own).table     one line per row: states, then held numbers
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from freewheel.base.names import Name
from freewheel.formula.intrinsics import names_of
from freewheel.formula.nodes import (
    RELATIONS,
    TIME,
    Binary,
    Call,
    Expr,
    Index,
    Iterator,
    Reduction,
    Var,
)
from freewheel.formula.walk import free_iterators, replace, variables_in
from freewheel.program.nodes import slot_var
from freewheel.program.rows import Shape
from freewheel.program.vector_values import NotRegular, Numbers

Integers = npt.NDArray[np.int64]

# They look into the past, ask for the phase of a run or make it wait for an event.
REFUSED = frozenset(("pre", "delay", "sample", "der", "initial", "terminal", "edge", "change"))
REFUSED |= {"spatialDistribution", "homotopy"}
JUMPS = names_of(lambda row: row.makes_events)  # where their arguments move


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The values that iterators have in each row."""

    count: int
    values: Mapping[str, Numbers]

    def where(self, mask: npt.NDArray[np.bool_]) -> Rounds:
        chosen = {name: column[mask] for name, column in self.values.items()}
        return Rounds(int(np.count_nonzero(mask)), chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Rows of one shape: what they compute, and the lines of their table."""

    shape: Shape
    own: Integers  # numbers of states, or slots of algebraic variables
    table: Integers  # a line per row: records, then held numbers (slots, or numbers by their bits)
    is_number: tuple[bool, ...]  # of the held numbers


def joined(groups: Iterable[Group]) -> list[Group]:
    """Groups of the same shape as one: rows of a loop that was written out differ in places only."""
    alike: dict[object, list[Group]] = {}
    for group in groups:
        alike.setdefault((group.shape, group.is_number), []).append(group)
    return [
        Group(
            parts[0].shape,
            np.concatenate([part.own for part in parts]),
            np.concatenate([part.table for part in parts]),
            parts[0].is_number,
        )
        for parts in alike.values()
    ]


Placing = Callable[[Expr, Rounds, Mapping[Name, int]], Integers]


class Leaves:
    """What a formula reads, each different thing once."""

    def __init__(
        self,
        placing: Placing,
        rounds: Rounds,
        record: Mapping[Name, int],
        slots: Mapping[Name, int],
    ) -> None:
        self.placing, self.rounds = placing, rounds
        self.record, self.slots = record, slots
        self.records: dict[bytes, Integers] = {}
        self.reads: dict[tuple[bool, bytes], Integers] = {}
        self.numbers: dict[object, int] = {}
        self.uses_time = False

    def read(self, expr: Expr) -> Expr:
        """The formula over names; what it holds is noted in order of occurrence."""
        return replace(expr, self._visit)

    def _visit(self, node: Expr) -> Expr | None:
        if isinstance(node, Binary) and node.op in RELATIONS:
            raise NotRegular  # an event, or one that `noEvent` forbids: for those who know events
        if isinstance(node, Reduction):
            raise NotRegular
        if isinstance(node, Call) and node.data in REFUSED:
            raise NotRegular
        if isinstance(node, Call) and node.data in JUMPS and self._moves(node):
            raise NotRegular
        if node is TIME:
            self.uses_time = True
            return Var(("now",))
        if isinstance(node, Iterator):
            return self._iterator(node)
        is_element = isinstance(node, Index) and isinstance(node.args[0], Var)
        if not is_element and not isinstance(node, Var):
            return None
        name, _ = reference(node)
        if not set(free_iterators(node)) <= set(self.rounds.values):
            raise NotRegular
        if name in self.record:
            return self._record(self.placing(node, self.rounds, self.record))
        if name not in self.slots:
            raise NotRegular
        return self._read(self.placing(node, self.rounds, self.slots), False)

    def _moves(self, node: Expr) -> bool:
        known: Collection[Var] = variables_in(node)
        return any(var is TIME or var.name in self.record for var in known)

    def _iterator(self, node: Iterator) -> Var:
        if node.data not in self.rounds.values:
            raise NotRegular
        return self._read(self.rounds.values[node.data].astype(np.float64).view(np.int64), True)

    def _record(self, places: Integers) -> Var:
        key = places.tobytes()
        self.records.setdefault(key, places)
        return Var(("s", self.numbers.setdefault(key, len(self.records) - 1)))

    def _read(self, places: Integers, is_number: bool) -> Var:
        key = (is_number, places.tobytes())
        self.reads.setdefault(key, places)
        return Var(("r", self.numbers.setdefault(key, len(self.reads) - 1)))

    def group(self, formula: Expr, own: Integers, is_state: bool) -> Group:
        """Names become numbers of places, the state itself first."""
        keys = list(self.records)
        mine = own.tobytes() if is_state else None
        order = sorted(range(len(keys)), key=lambda k: keys[k] != mine)
        place = {old: new for new, old in enumerate(order)}
        records, reads = len(keys), len(self.reads)

        def final(node: Expr) -> Expr | None:
            if not isinstance(node, Var):
                return None
            kind, number = node.name[0], node.name[-1]
            if kind == "now":
                return slot_var(records + reads)
            assert isinstance(number, int)
            return slot_var(place[number] if kind == "s" else records + number)

        shape = Shape(
            (),
            replace(formula, final),
            mine in self.records,
            records,
            reads,
            records + reads + 1,
            self.uses_time,
        )
        listed = [*(self.records[keys[old]] for old in order), *self.reads.values()]
        table = np.ascontiguousarray(np.column_stack(listed)) if listed else np.zeros((len(own), 0))
        return Group(
            shape, own, table.astype(np.int64), tuple(is_number for is_number, _ in self.reads)
        )


def reference(node: Expr) -> tuple[Name, tuple[Expr, ...]]:
    if isinstance(node, Var):
        return node.name, ()
    if isinstance(node, Index) and isinstance(node.args[0], Var):
        return node.args[0].name, node.args[1:]
    raise NotRegular
