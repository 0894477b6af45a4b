"""What unit does an expression have? One function per node kind; conflicts are collected.

    rules = UnitRules(unit_of, is_integer)
    rules.measure(expr)         # Measure: a unit, unknown, or a free number
    rules.conflicts             # sums, comparisons and choices that mix quantities

A variable without a unit is unknown and silences everything it touches. A literal stands for
anything in sums: `v + 1` is a voltage. In products a whole number is a pure number, `2*v` is a
voltage too; a Real literal is unknown, for it may be a physical constant in disguise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from freewheel.base.names import Name
from freewheel.base.units import NUMBER, SECOND, Unit
from freewheel.formula.intrinsics import names_of
from freewheel.formula.nodes import (
    RELATIONS,
    Array,
    Binary,
    Call,
    Comprehension,
    Expr,
    If,
    Index,
    Integer,
    Real,
    Reduction,
    Unary,
    Var,
)
from freewheel.formula.walk import fold


@dataclass(frozen=True, slots=True)
class Measure:
    unit: Unit | None
    is_free: bool = False  # a literal: fits any unit in a sum
    source: Expr | None = None  # the expression the unit comes from, for messages

    @property
    def is_known(self) -> bool:
        return self.unit is not None and not self.is_free


UNKNOWN = Measure(None)
FREE = Measure(NUMBER, is_free=True)
ANYTHING = Measure(None, is_free=True)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two units where there should be one."""

    where: Expr
    left: Measure
    right: Measure


Parts = tuple[Measure, ...]

SUMS = ("+", "-", ".+", ".-")
PRODUCTS = ("*", ".*")
QUOTIENTS = ("/", "./")
POWERS = ("^", ".^")

# Functions whose result has the unit of one argument (its position).
SAME_AS_ARGUMENT = {
    **dict.fromkeys(names_of(lambda row: row.unit == "same"), 0),
    **dict.fromkeys(("pre", "noEvent", "delay", "inStream", "actualStream", "sum"), 0),
    **dict.fromkeys(("scalar", "vector", "matrix", "transpose", "fill", "previous", "hold"), 0),
    **dict.fromkeys(("subSample", "superSample", "shiftSample", "backSample", "noClock"), 0),
    "smooth": 1,
}
SAME_FOR_ALL = names_of(lambda row: row.unit == "all") | {"homotopy"}
ROOTS = names_of(lambda row: row.unit == "root")
PURE_NUMBERS = names_of(lambda row: row.unit == "number") | frozenset(
    {"size", "zeros", "ones", "identity", "ndims", "Integer"}
)


@dataclass(slots=True)
class UnitRules:
    unit_of: Callable[[Name], Unit | None]  # None: unknown
    is_integer: Callable[[Name], bool]
    conflicts: list[Conflict] = field(default_factory=list)
    memo: dict[Expr, Measure] = field(default_factory=dict)

    def measure(self, expr: Expr) -> Measure:
        return fold(expr, self._node, self.memo)

    def agree(self, where: Expr, left: Measure, right: Measure) -> Measure:
        """Both sides of a sum or an equation; a conflict is noted."""
        if not left.is_known:
            return right if right.is_known or left.is_free else left
        if not right.is_known:
            return left
        assert left.unit is not None
        assert right.unit is not None
        if left.unit.measures_same_as(right.unit):
            return left
        self.conflicts.append(Conflict(where, left, right))
        return UNKNOWN

    def _node(self, expr: Expr, parts: Parts) -> Measure:
        rule = RULES.get(type(expr))
        return UNKNOWN if rule is None else rule(self, expr, parts)


def _integer(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    return FREE


def _real(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    return ANYTHING


def _variable(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    if rules.is_integer(expr.data):
        return FREE  # a count, like a literal
    return Measure(rules.unit_of(expr.data), source=expr)


def _first(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    return parts[0]


def _binary(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    left, right = parts
    if expr.data in SUMS:
        return rules.agree(expr, left, right)
    if expr.data in RELATIONS:
        rules.agree(expr, left, right)
        return UNKNOWN
    if expr.data in POWERS:
        return _power(expr, left)
    if expr.data not in PRODUCTS + QUOTIENTS:
        return UNKNOWN
    if left.is_free and right.is_free:
        return FREE if left == right == FREE else ANYTHING
    if left.unit is None or right.unit is None:
        return UNKNOWN
    unit = left.unit * right.unit if expr.data in PRODUCTS else left.unit / right.unit
    return Measure(unit, source=expr)


def _power(expr: Expr, base: Measure) -> Measure:
    exponent = _constant(expr.args[1])
    if base.is_free:
        return base if exponent is not None else UNKNOWN
    if base.unit is None or exponent is None:
        return UNKNOWN
    return Measure(base.unit**exponent, source=expr)


def _constant(expr: Expr) -> Fraction | None:
    if isinstance(expr, Unary) and expr.op == "-":
        inner = _constant(expr.args[0])
        return None if inner is None else -inner
    if isinstance(expr, Integer):
        return Fraction(expr.value)
    if isinstance(expr, Real) and isfinite(expr.value):
        return Fraction(expr.value).limit_denominator(1000)
    return None


def _if(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    return rules.agree(expr, parts[1], parts[2])


def _array(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    """One unit for all elements, else unknown: a vector may mix quantities."""
    known = [part for part in parts if not part.is_free]
    if not known:
        return ANYTHING
    first = known[0]
    if first.unit is None:
        return UNKNOWN
    same = all(p.unit is not None and p.unit.measures_same_as(first.unit) for p in known)
    return first if same else UNKNOWN


def _call(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    name = expr.data
    if not isinstance(name, str) or not parts:
        return UNKNOWN
    if name in PURE_NUMBERS:
        return FREE
    if name == "der":
        unit = parts[0].unit
        return UNKNOWN if unit is None else Measure(unit / SECOND, source=expr)
    if name in ROOTS:
        unit = parts[0].unit
        return UNKNOWN if unit is None else Measure(unit ** Fraction(1, 2), parts[0].is_free, expr)
    if name in SAME_AS_ARGUMENT:
        return parts[SAME_AS_ARGUMENT[name]]
    if name in SAME_FOR_ALL:
        measure = parts[0]
        for part in parts[1:]:
            measure = rules.agree(expr, measure, part)
        return measure
    return UNKNOWN


def _reduction(rules: UnitRules, expr: Expr, parts: Parts) -> Measure:
    return UNKNOWN if expr.data[0] == "product" else parts[0]


Rule = Callable[[UnitRules, Expr, Parts], Measure]

RULES: dict[type, Rule] = {
    Real: _real,
    Integer: _integer,
    Var: _variable,
    Unary: _first,
    Binary: _binary,
    If: _if,
    Array: _array,
    Index: _first,
    Comprehension: _first,
    Reduction: _reduction,
    Call: _call,
}
