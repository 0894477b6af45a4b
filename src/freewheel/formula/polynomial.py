"""Formulas as quotients of polynomials, where terms cancel that a tree of operators keeps apart.

    atoms = Atoms()
    ratio = atoms.ratio(R1*v + R2*u)              two terms over the polynomial 1
    atoms.expr(product(ratio.top, ratio.top))     R1*R1*v*v + 2*R1*R2*u*v + R2*R2*u*u

What is neither sum, product, quotient nor whole power is an atom: a variable, a call, a choice. A
polynomial maps monomials to exact numbers, a monomial is a sorted tuple of (atom, power). Used for
small systems only: everything is multiplied out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from freewheel.formula import build
from freewheel.formula.nodes import Binary, Call, Expr, Integer, Real, Unary, Var
from freewheel.formula.walk import fold

Monomial = tuple[tuple[int, int], ...]
Polynomial = Mapping[Monomial, Fraction]

UNIT: Monomial = ()
NOTHING: Polynomial = {}
WHOLE: Polynomial = {UNIT: Fraction(1)}
_POWERS = (1, 2, 3, 4)  # higher powers stay atoms


@dataclass(frozen=True, slots=True)
class Ratio:
    """`top/bottom`."""

    top: Polynomial
    bottom: Polynomial = field(default_factory=lambda: WHOLE)


# ---------------------------------------------------------------- arithmetic


def total(left: Polynomial, right: Polynomial, factor: int = 1) -> Polynomial:
    """`left + factor*right`."""
    result = dict(left)
    for monomial, number in right.items():
        new = result.get(monomial, Fraction(0)) + factor * number
        if new:
            result[monomial] = new
        else:
            result.pop(monomial, None)
    return result


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    result: dict[Monomial, Fraction] = {}
    for one, a in left.items():
        for other, b in right.items():
            monomial = _times(one, other)
            result[monomial] = result.get(monomial, Fraction(0)) + a * b
    return {monomial: number for monomial, number in result.items() if number}


def scaled(polynomial: Polynomial, factor: Fraction) -> Polynomial:
    return {monomial: number * factor for monomial, number in polynomial.items()}


def constant(polynomial: Polynomial) -> Fraction | None:
    """The number it is, if it is one."""
    if not polynomial:
        return Fraction(0)
    return polynomial.get(UNIT) if len(polynomial) == 1 else None


def quotient(top: Polynomial, bottom: Polynomial) -> Polynomial | None:
    """`top/bottom` where nothing is left over, or None."""
    lead = max(bottom, key=_lexical)
    rest: Polynomial = top
    result: dict[Monomial, Fraction] = {}
    while rest:
        first = max(rest, key=_lexical)
        monomial = _over(first, lead)
        if monomial is None or len(result) > len(top) * 4:
            return None
        number = rest[first] / bottom[lead]
        result[monomial] = result.get(monomial, Fraction(0)) + number
        rest = total(rest, product({monomial: number}, bottom), -1)
    return result


def reduced(ratio: Ratio) -> Ratio:
    """Without what divides both: a whole polynomial, a common monomial; a tidy sign and scale."""
    if not ratio.top:
        return Ratio(NOTHING)
    whole = quotient(ratio.top, ratio.bottom)
    if whole is not None:
        return Ratio(whole)
    inverse = quotient(ratio.bottom, ratio.top) if len(ratio.top) > 1 else None
    if inverse is not None:
        ratio = Ratio(WHOLE, inverse)
    shared = _shared([*ratio.top, *ratio.bottom])
    top, bottom = _without(ratio.top, shared), _without(ratio.bottom, shared)
    scale = _scale(bottom)
    return Ratio(scaled(top, 1 / scale), scaled(bottom, 1 / scale))


def _scale(polynomial: Polynomial) -> Fraction:
    """Dividing by it makes most signs plus and the smallest factor one; where there are as many of
    either sign, that of the longest product counts."""
    excess = sum(1 if number > 0 else -1 for number in polynomial.values())
    longest = max(polynomial, key=lambda monomial: (len(monomial), _lexical(monomial)))
    sign = 1 if (excess or polynomial[longest]) > 0 else -1
    return sign * min(abs(number) for number in polynomial.values())


def _lexical(monomial: Monomial) -> list[tuple[int, int]]:
    """An order that multiplication keeps: the first atom counts most."""
    return [(-atom, power) for atom, power in monomial]


def _times(one: Monomial, other: Monomial) -> Monomial:
    if not one or not other:
        return one or other
    powers = dict(one)
    for atom, power in other:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items()))


def _over(one: Monomial, other: Monomial) -> Monomial | None:
    powers = dict(one)
    for atom, power in other:
        left = powers.get(atom, 0) - power
        if left < 0:
            return None
        powers[atom] = left
    return tuple((atom, power) for atom, power in sorted(powers.items()) if power)


def _shared(monomials: list[Monomial]) -> Monomial:
    powers = dict(monomials[0])
    for monomial in monomials[1:]:
        here = dict(monomial)
        powers = {a: min(p, here[a]) for a, p in powers.items() if a in here}
    return tuple(sorted(powers.items()))


def _without(polynomial: Polynomial, shared: Monomial) -> Polynomial:
    result: dict[Monomial, Fraction] = {}
    for monomial, number in polynomial.items():
        left = _over(monomial, shared)
        assert left is not None
        result[left] = number
    return result


# ---------------------------------------------------------------- from and to formulas


class Atoms:
    """Numbers the atoms of a few formulas. `rank` orders them inside a product when printed."""

    def __init__(self, rank: Callable[[Expr], int] | None = None) -> None:
        self.rank = rank or (lambda atom: 0)
        self.numbers: dict[Expr, int] = {}
        self.atoms: list[Expr] = []
        self.memo: dict[Expr, Ratio] = {}

    def ratio(self, expr: Expr) -> Ratio:
        return fold(expr, self._visit, self.memo)

    def number(self, expr: Expr) -> int:
        """Of an atom, which may be anything that is to stay in one piece."""
        if expr not in self.numbers:
            self.numbers[expr] = len(self.atoms)
            self.atoms.append(expr)
        return self.numbers[expr]

    def _visit(self, node: Expr, parts: tuple[Ratio, ...]) -> Ratio:
        if isinstance(node, Real | Integer) and isfinite(node.value):
            return Ratio({UNIT: Fraction(node.value)} if node.value else NOTHING)
        if isinstance(node, Unary) and node.op == "-":
            return Ratio(scaled(parts[0].top, Fraction(-1)), parts[0].bottom)
        if isinstance(node, Binary):
            if node.op in ("+", "-"):
                return _sum(parts[0], parts[1], 1 if node.op == "+" else -1)
            if node.op == "*":
                return Ratio(
                    product(parts[0].top, parts[1].top), product(parts[0].bottom, parts[1].bottom)
                )
            if node.op == "/" and parts[1].top:
                return Ratio(
                    product(parts[0].top, parts[1].bottom), product(parts[0].bottom, parts[1].top)
                )
            if node.op == "^" and node.right.data in _POWERS and not node.right.args:
                return _power(parts[0], int(node.right.data))
        return Ratio({((self.number(node), 1),): Fraction(1)})

    def expr(self, polynomial: Polynomial) -> Expr:
        """Terms with a plus first; inside a term by rank, then by first appearance."""
        ordered = sorted(polynomial.items(), key=lambda item: self._key(*item))
        result: Expr = Integer(0)
        for at, (monomial, number) in enumerate(ordered):
            term = self._term(monomial, abs(number))
            if number > 0:
                result = build.plus(result, term) if at else term
            else:
                result = build.minus(result, term) if at else build.neg(term)
        return result

    def _key(self, monomial: Monomial, number: Fraction) -> tuple[object, ...]:
        return number < 0, sum(power for _, power in monomial), self._factors(monomial)

    def _factors(self, monomial: Monomial) -> list[tuple[int, int]]:
        return sorted(
            (self.rank(self.atoms[atom]), atom) for atom, power in monomial for _ in range(power)
        )

    def _term(self, monomial: Monomial, number: Fraction) -> Expr:
        powers = dict(monomial)
        factors: list[Expr] = [] if number == 1 and monomial else [_number(number)]
        for _, atom in sorted((self.rank(self.atoms[a]), a) for a in powers):
            factors += _raised(self.atoms[atom], powers[atom])
        result = factors[0]
        for factor in factors[1:]:
            result = build.mul(result, factor)
        return result

    def tidy(self, polynomial: Polynomial) -> Polynomial:
        """The shortest of what `sin(x)^2 + cos(x)^2 = 1` makes of it."""
        for atom, expr in enumerate(self.atoms):
            if isinstance(expr, Call) and expr.function in ("sin", "cos"):
                other = Call("cos" if expr.function == "sin" else "sin", *expr.args)
                if other in self.numbers:
                    changed = _with_pythagoras(polynomial, atom, self.numbers[other])
                    polynomial = min(polynomial, changed, key=len)
        return polynomial


def _sum(left: Ratio, right: Ratio, factor: int) -> Ratio:
    if left.bottom == right.bottom:
        return Ratio(total(left.top, right.top, factor), left.bottom)
    top = total(product(left.top, right.bottom), product(right.top, left.bottom), factor)
    return Ratio(top, product(left.bottom, right.bottom))


def _power(ratio: Ratio, power: int) -> Ratio:
    top, bottom = WHOLE, WHOLE
    for _ in range(power):
        top, bottom = product(top, ratio.top), product(bottom, ratio.bottom)
    return Ratio(top, bottom)


def _number(number: Fraction) -> Expr:
    return Integer(int(number)) if number.denominator == 1 else Real(float(number))


def _raised(atom: Expr, power: int) -> list[Expr]:
    """`d*d` for a square of a variable, `^` otherwise."""
    if power == 1 or (power == 2 and isinstance(atom, Var)):
        return [atom] * power
    return [Binary("^", atom, Integer(power))]


def _with_pythagoras(polynomial: Polynomial, atom: int, other: int) -> Polynomial:
    """`1 - other^2` for `atom^2`, as often as it goes."""
    one_less = {UNIT: Fraction(1), ((other, 2),): Fraction(-1)}
    result: Polynomial = NOTHING
    for monomial, number in polynomial.items():
        powers = dict(monomial)
        squares, rest = divmod(powers.pop(atom, 0), 2)
        if rest:
            powers[atom] = rest
        term: Polynomial = {tuple(sorted(powers.items())): number}
        for _ in range(squares):
            term = product(term, one_less)
        result = total(result, term)
    return result
