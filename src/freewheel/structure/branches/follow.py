"""What of the core simply follows: variables that an equation gives whatever the switches do.

    D.v = D.s*(if D.off then 1 else Ron);  D.v = a - C.v        a, D.v follow from D.s and C.v

Unknowns of the implicit part cost: its matrices are dense. So each variable that stands alone, times a
number, in an equation without rates is computed by it, once the others are known; states and curve
parameters are known from the start. Where nothing follows any more, one is left implicit, as in tearing
(graphs/tearing.py). Equations with rates stay: impulses are told by them. But `a = der(w)` only gives a rate
its name; beside `J*a = tau` it follows too, so that the balance tells of the impulse J*(w+ - w-).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Integer, Real, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.loop_solving import LoopEquation
from freewheel.structure.nodes import ScalarEquation, Solved


def follow(
    equations: Mapping[int, ScalarEquation], unknowns: Sequence[Var], closed: Set[int]
) -> tuple[Solved, ...]:
    """In order of evaluation. `closed`: equations that stay as they are."""
    rows = {n: LoopEquation(e, unknowns) for n, e in equations.items() if n not in closed}
    return tuple(_Following(rows).run(unknowns))


def kinematic(
    equations: Mapping[int, ScalarEquation], unknowns: Sequence[Var], rates: frozenset[Var]
) -> dict[int, Var]:
    """Equations that name a combination of rates, with the name, where another one of the same component
    multiplies that name with what is no number, or where nobody else asks for it."""
    wanted = frozenset(unknowns)
    users: dict[Var, list[int]] = {}
    for number, equation in equations.items():
        for var in variables_in(equation.left, equation.right):
            users.setdefault(var, []).append(number)
    found: dict[int, Var] = {}
    for number, equation in equations.items():
        name = _named_rate(equation, wanted, rates)
        if name is None:
            continue
        others = [equations[k] for k in users[name] if k != number]
        own = [other for other in others if other.origin and other.origin == equation.origin]
        if not others or any(_weighs(other, name) for other in own):
            found[number] = name
    return found


def _named_rate(equation: ScalarEquation, unknowns: Set[Var], rates: frozenset[Var]) -> Var | None:
    inside = variables_in(equation.left, equation.right)
    names = [var for var in inside if var in unknowns]
    if equation.target is not None or len(names) != 1 or len(inside) < 2:
        return None
    form = linear_form(build.minus(equation.left, equation.right), inside)
    is_plain = form is not None and build.is_zero(form[1]) and all(map(build.is_number, form[0]))
    return names[0] if is_plain and rates.issuperset(set(inside) - {names[0]}) else None


def _weighs(equation: ScalarEquation, name: Var) -> bool:
    form = linear_form(build.minus(equation.left, equation.right), (name,))
    return form is not None and not build.is_number(form[0][0])


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
