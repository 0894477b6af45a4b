"""What of the core simply follows: variables that an equation gives whatever the switches do.

    D.v = D.s*(if D.off then 1 else Ron);  D.v = a - C.v        a, D.v follow from D.s and C.v

Unknowns of the implicit part cost: its matrices are dense. So each variable that stands alone, times a
number, in an equation without rates is computed by it, once the others are known; states and curve
parameters are known from the start. Where nothing follows any more, one is left implicit, as in tearing
(graphs/tearing.py). Equations with rates stay: impulses are determined by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from freewheel.formula.nodes import Integer, Real, Var
from freewheel.structure.blocks.tearing import LoopEquation
from freewheel.structure.nodes import ScalarEquation, Solved


def follow(
    equations: Mapping[int, ScalarEquation], unknowns: Sequence[Var], closed: Set[int]
) -> tuple[Solved, ...]:
    """In order of evaluation. `closed`: equations that stay as they are."""
    rows = {n: LoopEquation(e, unknowns) for n, e in equations.items() if n not in closed}
    return tuple(_Following(rows).run(unknowns))


class _Following:
    def __init__(self, rows: Mapping[int, LoopEquation]) -> None:
        self.rows = rows
        self.users: dict[Var, list[int]] = {}
        for number, row in rows.items():
            for var in row.unknowns:
                self.users.setdefault(var, []).append(number)
        self.open = {number: len(row.unknowns) for number, row in rows.items()}
        self.known: set[Var] = set()
        self.ready = [number for number, count in reversed(self.open.items()) if count == 1]

    def run(self, unknowns: Sequence[Var]) -> list[Solved]:
        solved = self._follow()
        # Those in most equations make most others follow.
        for var in sorted(unknowns, key=lambda v: -len(self.users.get(v, ()))):
            if var not in self.known:
                self._learn(var)
                solved += self._follow()
        return solved

    def _follow(self) -> list[Solved]:
        found: list[Solved] = []
        while self.ready:
            number = self.ready.pop()
            if self.open[number] != 1:
                continue
            row = self.rows[number]
            var = next(v for v in row.unknowns if v not in self.known)
            coefficient = row.coefficient(var)
            if isinstance(coefficient, Real | Integer) and coefficient.value != 0:
                found.append(Solved(var, row.solved(var), number))
                self._learn(var)
        return found

    def _learn(self, var: Var) -> None:
        self.known.add(var)
        for number in self.users.get(var, ()):
            self.open[number] -= 1
            if self.open[number] == 1:
                self.ready.append(number)
