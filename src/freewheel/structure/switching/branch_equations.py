"""Find branch equations: those that speak of other unknowns in another position of a switch.

    v = s*(if off then 1 else Ron);  i = s*(if off then Goff else 1)     with Ron = Goff = 0
        ->  element D (curve): off {v, s}, {}; on {v}, {s}

In: the equations as they are to be solved. Out: bits, and elements that group the choices among
branches which share a bit. Parameters that are zero count as zeros here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.names import Name, show
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import ZERO, Binary, Call, Expr, If, Unary, Var
from freewheel.formula.walk import (
    calls_in,
    has_choices,
    map_bottom_up,
    nodes_of,
    substitute,
    variables_in,
)
from freewheel.structure.atoms import is_pre
from freewheel.structure.nodes import Crossing, ScalarEquation, ScalarVariable
from freewheel.structure.simplify.semilinear import carried_by
from freewheel.structure.simplify.zero_factors import without_zeros
from freewheel.structure.switching.conditions import Bits, Decided
from freewheel.structure.switching.curve_parameters import Curves, is_relation
from freewheel.structure.switching.leakage import without_leaks
from freewheel.structure.switching.nodes import Bit, Case, Choice, Element, Kind, Recognised
from freewheel.structure.thresholds import REGULARITY
from freewheel.structure.values import ParameterValues

MANY = 3  # cases: with memory besides, such an element is a machine


class Branches:
    """Equations with choices, ready to be asked what they speak of in which case."""

    def __init__(
        self,
        equations: Sequence[ScalarEquation],
        bits: Bits,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        leaks: float = REGULARITY.leak,
    ) -> None:
        self.bits = bits
        self.variables = variables
        self.values = values
        self.leaks = leaks  # how large they may be to count as zeros
        self.equations = list(equations)
        self.choices: dict[int, tuple[Choice, ...]] = {}
        self.dropped: dict[Expr, Expr] = {}
        self.sealed: dict[Expr, Expr] = {}
        for number, equation in enumerate(equations):
            if not has_choices(equation.left, equation.right):
                continue
            self.equations[number] = self._with_zeros(self._without_leaks(equation))
            found = self._choices(number)
            if found:
                self.choices[number] = found
        self.users: dict[int, list[int]] = {}  # equations by bit
        for number, found in self.choices.items():
            for bit in dict.fromkeys(bit for choice in found for bit in choice.bits):
                self.users.setdefault(bit, []).append(number)

    def _without_leaks(self, equation: ScalarEquation) -> ScalarEquation:
        left = without_leaks(equation.left, self.values, self.sealed, self.leaks)
        right = without_leaks(equation.right, self.values, self.sealed, self.leaks)
        if left is equation.left and right is equation.right:
            return equation
        return without_zeros(replace(equation, left=left, right=right), self.dropped)

    def _with_zeros(self, equation: ScalarEquation) -> ScalarEquation:
        zeros: dict[Expr, Expr] = {
            var: ZERO
            for var in variables_in(equation.left, equation.right)
            if self.is_parameter(var) and self.values.number(var) == 0.0
        }
        if not zeros:
            return equation
        left, right = substitute(equation.left, zeros), substitute(equation.right, zeros)
        return without_zeros(replace(equation, left=left, right=right), self.dropped)

    def is_parameter(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return variable is not None and variable.variability <= Variability.PARAMETER

    def _choices(self, number: int) -> tuple[Choice, ...]:
        """Each chain of if-expressions once; inside a branch of another one, with the way there."""
        equation = self.equations[number]
        found: list[Choice] = []
        seen: set[Expr] = set()
        waiting: list[tuple[Expr, Case]] = [(equation.right, ()), (equation.left, ())]
        while waiting:
            node, way = waiting.pop()
            if node in seen or not node.args:
                continue
            seen.add(node)
            chain, branches = self._chain(node)
            if not chain or self._is_carried(node):
                waiting += [(arg, way) for arg in reversed(node.args)]
                continue
            cases = [_further(way, case) for case in _cases(chain)]
            found.append(Choice(number, tuple(dict(chain)), tuple(cases)))
            inside = zip(branches, _ways(chain), strict=True)
            waiting += [(branch, _further(way, case)) for branch, case in reversed(list(inside))]
        return tuple(dict.fromkeys(found))

    def _chain(self, node: Expr) -> tuple[list[tuple[int, bool]], list[Expr]]:
        """(bit, value that takes the branch) along `if .. elseif .. elseif ..`; the branches, and
        what is left at the end."""
        chain: list[tuple[int, bool]] = []
        branches: list[Expr] = []
        while isinstance(node, If):
            found = self.bits.of(node.args[0])
            if found is None or self.values.truth(node.args[0]) is not None:
                break
            chain.append(found)
            branches.append(node.args[1])
            node = node.args[2]
        return chain, [*branches, node]

    def _is_carried(self, node: Expr) -> bool:
        """Whether it is `semiLinear(x, a, b)`, what flows along with x from one side or the other. That is
        continuous, and speaks of both sides as long as nothing else is known: in a knot of pipes flow
        cannot leave on all sides."""
        if not isinstance(node, If):
            return False
        flow = self.bits.zero_of(node.args[0])
        factors = None if flow is None else carried_by(flow, node.args[1:])
        return factors is not None and not all(map(self.is_parameter, variables_in(*factors)))

    def decided(self, number: int, decided: Decided) -> ScalarEquation:
        """The equation in a case, zeros dropped."""
        equation = self.equations[number]
        left = self.bits.decided(equation.left, decided)
        right = self.bits.decided(equation.right, decided)
        return without_zeros(replace(equation, left=left, right=right), self.dropped)

    def spoken_of(self, number: int, decided: Decided) -> tuple[Var, ...]:
        """Variables of the equation in a case; where a bit is not decided, of all branches. What only a sign
        is asked of is not given by it."""
        equation = self.decided(number, decided) if number in self.choices else None
        if equation is None:
            equation = self.equations[number]
        return variables_in(*(_without_signs(side) for side in (equation.left, equation.right)))


def _without_signs(side: Expr) -> Expr:
    if not any(call.function == "sign" for call in calls_in(side)):
        return side
    return map_bottom_up(
        side, lambda n: ZERO if isinstance(n, Call) and n.function == "sign" else n
    )


def _ways(chain: Sequence[tuple[int, bool]]) -> list[Case]:
    """What holds in each branch and at the end."""
    ways: list[Case] = []
    before: dict[int, bool] = {}
    for bit, value in chain:
        ways.append(tuple({**before, bit: value}.items()))
        before.setdefault(bit, not value)
    return [*ways, tuple(before.items())]


def _further(way: Case, case: Case) -> Case:
    return tuple({**dict(way), **dict(case)}.items())


def _cases(chain: Sequence[tuple[int, bool]]) -> list[Case]:
    """One per branch: the conditions before it fail, its own holds."""
    cases: list[Case] = []
    before: dict[int, bool] = {}
    for bit, value in chain:
        if bit in before:
            continue  # asked before: one of the branches is never taken
        cases.append(tuple({**before, bit: value}.items()))
        before[bit] = not value
    cases.append(tuple(before.items()))
    return cases


def recognise(
    branches: Branches,
    unknowns: frozenset[Var],
    states: frozenset[Var],
    crossings: Sequence[Crossing],
    kept: frozenset[int] = frozenset(),
    known: frozenset[Var] = frozenset(),
) -> Recognised:
    """Elements in order of their first equation. `unknowns`: what equations are solved for; those `known`
    are to others what parameters are. Choices of `kept` equations count whatever they speak of: each
    position is another constraint."""
    moving = unknowns | states
    free = moving - known
    chosen = [
        choice
        for number, choices in branches.choices.items()
        for choice in _that_may_differ(branches, number, choices, free)
        if number in kept or _differs(branches, choice, free)
    ]
    groups = _sharing_bits(chosen)
    curves = Curves(branches, unknowns, crossings)
    elements: list[Element] = []
    for choices in groups:
        elements.append(_element(len(elements), choices, branches, curves, moving))
    return Recognised(tuple(branches.bits.bits), tuple(elements))


def _that_may_differ(
    branches: Branches, number: int, choices: Sequence[Choice], moving: frozenset[Var]
) -> list[Choice]:
    """Without those that only add a number to the equation: `total = sum(if on[i] then P[i] else 0)`
    would be decided anew for each of its many bits, which takes their number squared."""
    equation = branches.equations[number]
    matter = {
        found[0]
        for term in _terms(equation.left, equation.right)
        if not isinstance(term, If) or not moving.isdisjoint(variables_in(term))
        for node in nodes_of(term)
        if isinstance(node, If) and (found := branches.bits.of(node.args[0])) is not None
    }
    return [c for c in choices if any(bit in matter for case in c.cases for bit, _ in case)]


def _terms(*sides: Expr) -> list[Expr]:
    """What is added and subtracted."""
    found: list[Expr] = []
    waiting = list(sides)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Binary | Unary) and node.op in ("+", "-"):
            waiting += node.args
        else:
            found.append(node)
    return found


def _differs(branches: Branches, choice: Choice, moving: frozenset[Var]) -> bool:
    """Whether the branches are about different variables."""
    sets = [
        frozenset(branches.spoken_of(choice.equation, dict(case))) & moving for case in choice.cases
    ]
    return any(other != sets[0] for other in sets)


def _sharing_bits(choices: Sequence[Choice]) -> list[list[Choice]]:
    """Groups connected by common bits, in order of the first choice."""
    group_of: dict[int, list[Choice]] = {}
    order: list[list[Choice]] = []
    for choice in choices:
        near = [group_of[bit] for bit in choice.bits if bit in group_of]
        home: list[Choice] = near[0] if near else []
        if not near:
            order.append(home)
        home.append(choice)
        for other in near[1:]:
            if other is not home and other:
                home.extend(other)
                for bit in [bit for member in other for bit in member.bits]:
                    group_of[bit] = home
                other.clear()
        for bit in choice.bits:
            group_of[bit] = home
    return [group for group in order if group]


def _element(
    number: int, choices: list[Choice], branches: Branches, curves: Curves, moving: frozenset[Var]
) -> Element:
    bits = tuple(dict.fromkeys(bit for choice in choices for bit in choice.bits))
    corners = tuple(curves.of(bits))
    if len({corner.bit for corner in corners}) < len(corners):  # `a < 0 or b < 0`: of which one?
        corners = ()
    first = branches.equations[choices[0].equation]
    known = [branches.bits.bits[bit] for bit in bits]
    name = show(first.origin) if first.origin else known[0].text
    kind = _kind(known, len(corners), choices, branches, curves, moving)
    if kind not in (Kind.CURVE, Kind.LATCH):
        corners = ()
    return Element(number, name, kind, bits, tuple(choices), corners, first.origin, first.span)


def _kind(
    bits: Sequence[Bit],
    cornered: int,
    choices: Sequence[Choice],
    branches: Branches,
    curves: Curves,
    moving: frozenset[Var],
) -> Kind:
    asked = {var for bit in bits for var in _behind(bit.meaning, branches)}
    remembers = any(is_pre(var) for var in asked)
    if cornered == len(bits):
        is_plain = all(is_relation(bit.meaning) for bit in bits)
        return Kind.CURVE if is_plain else Kind.LATCH
    if remembers and max(len(choice.cases) for choice in choices) >= MANY:
        return Kind.FRICTION
    watched = {v for status in asked for v in curves.watched(status)}
    return Kind.CHOICE if watched & moving else Kind.SWITCH


def _behind(meaning: Expr, branches: Branches) -> tuple[Var, ...]:
    """Variables of a condition; of one with a memory also those of its definition."""
    found = dict.fromkeys(variables_in(meaning))
    for var in list(found):
        definition = branches.bits.remembering.get(var)
        if definition is not None:
            found.update(dict.fromkeys(variables_in(definition)))
    return tuple(found)
