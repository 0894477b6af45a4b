"""Dimension algebra: unit strings of Modelica become exponents of the SI base units.

    parse("kg.m2/(s.K)")            # factor 1, m^2 kg s^-1 K^-1
    parse("rev/min").factor         # 2*pi/60
    parse("degC").offset            # 273.15: kelvin = factor * celsius + offset
    show(parse("N.m"))              # "J"

Angles are pure numbers in SI, so `rad` is `1` here. Syntax: Modelica 3.6, "Unit Expressions"; a
second `/` and a `*` for `.` are accepted too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import pi

BASE = ("m", "kg", "s", "A", "K", "mol", "cd")
Exponents = tuple[Fraction, ...]
_NONE: Exponents = (Fraction(0),) * len(BASE)


class UnitError(ValueError):
    """The text is no unit we know."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A value in SI base units is `factor * value + offset`."""

    exponents: Exponents = _NONE
    factor: float = 1.0
    offset: float = 0.0

    def __mul__(self, other: Unit) -> Unit:
        exponents = tuple(a + b for a, b in zip(self.exponents, other.exponents, strict=True))
        return Unit(exponents, self.factor * other.factor)

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1

    def __pow__(self, power: int | Fraction) -> Unit:
        exponents = tuple(a * power for a in self.exponents)
        return Unit(exponents, float(self.factor ** float(power)))

    def measures_same_as(self, other: Unit) -> bool:
        """Equal up to factor and offset: millimetres and metres measure the same."""
        return self.exponents == other.exponents

    @property
    def is_number(self) -> bool:
        return self.exponents == _NONE

    def to_base(self, value: float) -> float:
        return self.factor * value + self.offset

    def from_base(self, value: float) -> float:
        return (value - self.offset) / self.factor


def convert(value: float, source: Unit, target: Unit) -> float:
    """The same quantity in another unit."""
    if not source.measures_same_as(target):
        raise UnitError(f"{show(source)} cannot be expressed in {show(target)}")
    return target.from_base(source.to_base(value))


# ---------------------------------------------------------------- what the symbols mean


def _unit(powers: str = "", factor: float = 1.0, offset: float = 0.0) -> Unit:
    """`_unit("m2 kg s-3")`."""
    exponents = dict.fromkeys(BASE, Fraction(0))
    for item in powers.split():
        match = re.fullmatch(r"([A-Za-z]+)(-?\d*)", item)
        assert match is not None
        exponents[match[1]] += Fraction(int(match[2] or 1))
    return Unit(tuple(exponents.values()), factor, offset)


NUMBER = _unit()
SECOND = _unit("s")

_NAMED = {  # coherent derived units, in the order in which `show` prefers them
    "Hz": _unit("s-1"),
    "N": _unit("m kg s-2"),
    "Pa": _unit("m-1 kg s-2"),
    "J": _unit("m2 kg s-2"),
    "W": _unit("m2 kg s-3"),
    "C": _unit("s A"),
    "V": _unit("m2 kg s-3 A-1"),
    "F": _unit("m-2 kg-1 s4 A2"),
    "Ohm": _unit("m2 kg s-3 A-2"),
    "S": _unit("m-2 kg-1 s3 A2"),
    "Wb": _unit("m2 kg s-2 A-1"),
    "T": _unit("kg s-2 A-1"),
    "H": _unit("m2 kg s-2 A-2"),
    "kat": _unit("mol s-1"),
    "lx": _unit("cd m-2"),
}

_PREFIXABLE = {
    **{name: _unit(name) for name in ("m", "s", "A", "K", "mol", "cd")},
    "g": _unit("kg", 1e-3),
    **_NAMED,
    "rad": NUMBER,
    "sr": NUMBER,
    "lm": _unit("cd"),
    "Bq": _unit("s-1"),
    "Gy": _unit("m2 s-2"),
    "Sv": _unit("m2 s-2"),
    "l": _unit("m3", 1e-3),
    "L": _unit("m3", 1e-3),
    "t": _unit("kg", 1e3),
    "bar": _unit("m-1 kg s-2", 1e5),
    "eV": _unit("m2 kg s-2", 1.602176634e-19),
    "u": _unit("kg", 1.66053906660e-27),
    "cal": _unit("m2 kg s-2", 4.1868),
    "var": _unit("m2 kg s-3"),
    "VA": _unit("m2 kg s-3"),
    "Wh": _unit("m2 kg s-2", 3600.0),
    "Ah": _unit("s A", 3600.0),
    "B": NUMBER,  # bel: a logarithm of a ratio
}

_PLAIN = {
    "1": NUMBER,
    "%": _unit("", 0.01),
    "ppm": _unit("", 1e-6),
    "deg": _unit("", pi / 180.0),
    "rev": _unit("", 2.0 * pi),
    "rpm": _unit("s-1", 2.0 * pi / 60.0),
    "min": _unit("s", 60.0),
    "h": _unit("s", 3600.0),
    "d": _unit("s", 86400.0),
    "degC": _unit("K", 1.0, 273.15),
    "degF": _unit("K", 5.0 / 9.0, 459.67 * 5.0 / 9.0),
    "degRk": _unit("K", 5.0 / 9.0),
    "atm": _unit("m-1 kg s-2", 101325.0),
    "ha": _unit("m2", 1e4),
    "kn": _unit("m s-1", 1852.0 / 3600.0),
    "debye": _unit("s A m", 3.33564e-30),
    "phon": NUMBER,
    "sone": NUMBER,
}

_PREFIXES = {
    "Y": 1e24, "Z": 1e21, "E": 1e18, "P": 1e15, "T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3,
    "h": 1e2, "da": 1e1, "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "n": 1e-9,
    "p": 1e-12, "f": 1e-15, "a": 1e-18, "z": 1e-21, "y": 1e-24,
}  # fmt: skip

# ---------------------------------------------------------------- reading

_TOKEN = re.compile(r"\s*(?:([A-Za-zµ%]+|1(?!\d))\^?([+-]?\d+)?|([./*()]))")


@cache
def parse(text: str) -> Unit:
    """The unit a text means; `UnitError` where it means none. An offset survives only where the
    unit stands alone: in `W/(m2.degC)` a difference of temperatures is meant."""
    tokens = _tokens(text)
    unit, at = _product(text, tokens, 0)
    if at != len(tokens):
        raise UnitError(f"`{text}`: unexpected `{tokens[at][0]}`")
    return unit


def _tokens(text: str) -> list[tuple[str, int]]:
    """Symbols with their exponents; operators with 0."""
    tokens: list[tuple[str, int]] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None:
            raise UnitError(f"`{text}`: `{stripped[at:]}` is no unit")
        symbol, exponent, operator = match.groups()
        tokens.append((operator, 0) if operator else (symbol, int(exponent or 1)))
        at = match.end()
    if not tokens:
        raise UnitError("an empty text is no unit")
    return tokens


def _product(text: str, tokens: list[tuple[str, int]], at: int) -> tuple[Unit, int]:
    """Factors joined by `.` and `/`, up to the end or a closing bracket."""
    total, at = _factor(text, tokens, at)
    while at < len(tokens) and tokens[at][0] in (".", "*", "/"):
        operator = tokens[at][0]
        factor, at = _factor(text, tokens, at + 1)
        total = total / factor if operator == "/" else total * factor
    return total, at


def _factor(text: str, tokens: list[tuple[str, int]], at: int) -> tuple[Unit, int]:
    if at == len(tokens):
        raise UnitError(f"`{text}`: something is missing at the end")
    symbol, exponent = tokens[at]
    if symbol == "(":
        unit, at = _product(text, tokens, at + 1)
        if at == len(tokens) or tokens[at][0] != ")":
            raise UnitError(f"`{text}`: a `)` is missing")
        return unit, at + 1
    if exponent == 0 and symbol in ".*/)":
        raise UnitError(f"`{text}`: unexpected `{symbol}`")
    unit = symbol_meaning(symbol)
    return (unit if exponent == 1 else unit**exponent), at + 1


@cache
def symbol_meaning(symbol: str) -> Unit:
    """A unit without a prefix if there is one (`min`, not milli-inch), else with."""
    known = _PLAIN.get(symbol) or _PREFIXABLE.get(symbol)
    if known is not None:
        return known
    for length in (1, 2):
        scale, unit = _PREFIXES.get(symbol[:length]), _PREFIXABLE.get(symbol[length:])
        if scale is not None and unit is not None:
            return Unit(unit.exponents, scale * unit.factor)
    raise UnitError(f"`{symbol}` is no unit")


# ---------------------------------------------------------------- showing


def show(unit: Unit) -> str:
    """A name where there is one, else base units: `m/s2`, `kg.m2/(s.K)`; the factor is not told."""
    for name, named in _NAMED.items():
        if named.exponents == unit.exponents and name != "kat":
            return name
    above = [_power(b, e) for b, e in zip(BASE, unit.exponents, strict=True) if e > 0]
    below = [_power(b, -e) for b, e in zip(BASE, unit.exponents, strict=True) if e < 0]
    top = ".".join(above) or "1"
    if not below:
        return top
    bottom = ".".join(below)
    return f"{top}/({bottom})" if len(below) > 1 else f"{top}/{bottom}"


def _power(name: str, exponent: Fraction) -> str:
    if exponent == 1:
        return name
    return f"{name}{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})"
