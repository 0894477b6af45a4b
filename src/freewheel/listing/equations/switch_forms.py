"""Formulas with switch positions, written the way one thinks of them.

    open + R*open - R     ->     Q101 = open - 1;  open + R*Q101

A solved loop with a switch equation `0 = open*i + (1 - open)*u` holds products with `open` and with
its complement. Multiplied out, the complement falls into two terms; here they are put together
again, and products of it that several formulas use get a name (Elmqvist, Cellier, Otter 1993, the
switch circuit: Q105 to Q108). Of an equation `0 = if open then i else u` the choices themselves are
coefficients, and get names (ibidem, the rectifier: Q101 to Q104):

    Q101 = if open then 1 else 0;  Q102 = if open then 0 else 1;  Q103 = R*Q102 - Q101

Without names, a formula that hangs on one condition is written as one choice:

    R*(if open then 0 else 1) - (if open then 1 else 0)     ->     if open then -1 else R
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from freewheel.formula import build
from freewheel.formula.nodes import Binary, Expr, If, Integer, Real, Var
from freewheel.formula.polynomial import (
    UNIT,
    Atoms,
    Monomial,
    Polynomial,
    constant,
    product,
    scaled,
    total,
)
from freewheel.formula.walk import fold, map_bottom_up
from freewheel.structure.nodes import ScalarEquation


@dataclass(frozen=True, slots=True)
class _Complement:
    """Of the atom `position`: `sign*(position - 1)`."""

    position: int
    atom: int
    sign: int


@dataclass(slots=True)
class SwitchForms:
    """Rewrites polynomials, and remembers the names that this made, in order of use."""

    atoms: Atoms
    new_name: Callable[[], Var] | None
    complements: list[_Complement] = field(default_factory=list)
    choices: dict[int, int] = field(default_factory=dict)  # atom of a choice -> atom of its name
    names: list[tuple[Var, Expr]] = field(default_factory=list)
    products: dict[Monomial, int] = field(default_factory=dict)  # -> atom of its name

    def find(
        self,
        equations: Sequence[ScalarEquation],
        numerators: Iterable[Polynomial],
        divisors: Iterable[Polynomial],
    ) -> None:
        """Choices, and what has a complement in the equations; it is turned so that divisors hold it
        with a plus."""
        given = list(divisors)
        self._find_choices((*numerators, *given))
        for position in _positions(equations):
            atom = self.atoms.numbers.get(position)
            sign = 0 if atom is None else next((s for d in given if (s := _sign(d, atom))), 0)
            if atom is None or not sign:
                continue
            sides = (position, Integer(1)) if sign > 0 else (Integer(1), position)
            number = self.atoms.number(self._named(Binary("-", *sides)))
            self.complements.append(_Complement(atom, number, sign))

    def _find_choices(self, polynomials: Iterable[Polynomial]) -> None:
        """By first appearance in the equations, which is the order of atoms."""
        if self.new_name is None:
            return
        used = {atom for polynomial in polynomials for m in polynomial for atom, _ in m}
        for atom in sorted(used):
            choice = self.atoms.atoms[atom]
            if isinstance(choice, If):
                self.choices[atom] = self.atoms.number(self._named(_with_whole_numbers(choice)))

    def has_choice(self, polynomial: Polynomial) -> bool:
        """Whether a rewritten formula holds the name of a choice."""
        named = set(self.choices.values())
        return any(atom in named for monomial in polynomial for atom, _ in monomial)

    def rewritten(self, polynomial: Polynomial) -> Polynomial:
        if self.choices:
            polynomial = {self._with_names(m): number for m, number in polynomial.items()}
        for complement in self.complements:
            polynomial = _with_complement(polynomial, complement)
        return polynomial

    def _with_names(self, monomial: Monomial) -> Monomial:
        return tuple(sorted((self.choices.get(atom, atom), power) for atom, power in monomial))

    def count_products(self, polynomials: Iterable[Polynomial]) -> None:
        """Products of a position, its complement or a choice with parameters that occur twice."""
        if self.new_name is None or not (self.complements or self.choices):
            return
        found = Counter(self._product(m) for polynomial in polynomials for m in polynomial)
        self.products = {m: -1 for m, uses in found.items() if len(m) > 1 and uses > 1}

    def expr(self, polynomial: Polynomial) -> Expr:
        """The formula, products named as they come."""
        if not self.products:
            return self._choice(polynomial)
        result: dict[Monomial, Fraction] = {}
        for monomial, number in polynomial.items():
            part = self._product(monomial)
            if part in self.products:
                rest = tuple(item for item in monomial if item not in part)
                monomial = tuple(sorted((*rest, (self._name_of(part), 1))))
            result[monomial] = number
        return self._choice(result)

    def _name_of(self, part: Monomial) -> int:
        if self.products[part] < 0:
            named = self._named(self.atoms.expr({part: Fraction(1)}))
            self.products[part] = self.atoms.number(named)
        return self.products[part]

    def _product(self, monomial: Monomial) -> Monomial:
        """Its parameters and switch positions, each to the first power."""
        switches = {a for c in self.complements for a in (c.position, c.atom)}
        switches.update(self.choices.values())
        if not any(atom in switches for atom, _ in monomial):
            return UNIT
        rank, atoms = self.atoms.rank, self.atoms.atoms
        return tuple(
            (atom, power)
            for atom, power in monomial
            if power == 1 and (atom in switches or rank(atoms[atom]) == 0)
        )

    def _named(self, expr: Expr) -> Expr:
        if self.new_name is None:
            return expr
        name = self.new_name()
        self.names.append((name, expr))
        return name

    # ------------------------------------------------------------ choices

    def _choice(self, polynomial: Polynomial) -> Expr:
        """One choice of two formulas, where all choices inside hang on the same condition."""
        choices = {
            atom: expr
            for monomial in polynomial
            for atom, _ in monomial
            if isinstance(expr := self.atoms.atoms[atom], If)
        }
        conditions = dict.fromkeys(expr.args[0] for expr in choices.values())
        if len(conditions) != 1:
            return self.atoms.expr(polynomial)
        branches = [self._decided(polynomial, choices, at) for at in (1, 2)]
        if branches[0] is None or branches[1] is None:
            return self.atoms.expr(polynomial)
        return build.if_then_else(next(iter(conditions)), branches[0], branches[1])

    def _decided(self, polynomial: Polynomial, choices: Mapping[int, Expr], at: int) -> Expr | None:
        values: dict[int, Polynomial] = {}
        for atom, expr in choices.items():
            ratio = self.atoms.ratio(expr.args[at])
            bottom = constant(ratio.bottom)
            if not bottom:
                return None
            values[atom] = scaled(ratio.top, 1 / bottom)
        result: Polynomial = {}
        for monomial, number in polynomial.items():
            term: Polynomial = {tuple(i for i in monomial if i[0] not in values): number}
            for atom, power in monomial:
                for _ in range(power if atom in values else 0):
                    term = product(term, values[atom])
            result = total(result, term)
        return self.atoms.expr(result)


def _with_whole_numbers(choice: Expr) -> Expr:
    """`if open then 1 else 0` reads better than `1.0` and `0.0`."""
    return map_bottom_up(choice, _whole)


def _whole(node: Expr) -> Expr:
    if isinstance(node, Real) and node.value.is_integer():
        return Integer(int(node.value))
    return node


def _positions(equations: Sequence[ScalarEquation]) -> dict[Expr, None]:
    """Variables of which an equation holds the complement `1 - m`."""
    found: dict[Expr, None] = {}

    def visit(node: Expr, parts: tuple[None, ...]) -> None:
        for inside in _complemented(node):
            found[inside] = None

    memo: dict[Expr, None] = {}
    for equation in equations:
        fold(equation.left, visit, memo)
        fold(equation.right, visit, memo)
    return found


def _complemented(node: Expr) -> Iterator[Expr]:
    if isinstance(node, Binary) and node.op == "-":
        for one, other in (node.args, node.args[::-1]):
            if build.is_one(one) and isinstance(other, Var):
                yield other


def _sign(polynomial: Polynomial, atom: int) -> int:
    """Of the first pair of terms that make a complement; 0 where there is none."""
    for monomial, number in polynomial.items():
        if polynomial.get(_times(monomial, atom)) == -number:
            return -1 if number > 0 else 1
    return 0


def _with_complement(polynomial: Polynomial, complement: _Complement) -> Polynomial:
    """`a*X*m - a*X` becomes `a*X*(m - 1)`."""
    result = dict(polynomial)
    for monomial in polynomial:
        more = _times(monomial, complement.position)
        if monomial in result and result.get(more) == -result[monomial]:
            del result[monomial]
            number = result.pop(more)
            result[_times(monomial, complement.atom)] = complement.sign * number
    return result


def _times(monomial: Monomial, atom: int) -> Monomial:
    powers = dict(monomial)
    powers[atom] = powers.get(atom, 0) + 1
    return tuple(sorted(powers.items()))
