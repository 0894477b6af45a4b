"""Unit strings: meaning, algebra, errors."""

from __future__ import annotations

from fractions import Fraction
from math import pi

import pytest

from freewheel.base.units import UnitError, convert, parse, show


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("N", "kg.m/s2"),
        ("J", "N.m"),
        ("W", "V.A"),
        ("Ohm", "V/A"),
        ("F", "C/V"),
        ("H", "V.s/A"),
        ("Wb", "V.s"),
        ("Pa", "N/m2"),
        ("kg.m2/(s.K)", "m2.kg.s-1.K-1"),
        ("W/(m2.K)", "kg/(s3.K)"),
        ("rad/s", "1/s"),
        ("(J/kg)/K", "J/(kg.K)"),
        ("J/kg/K", "J/(kg.K)"),
        ("(Pa.s2)/m6", "kg.m-7"),
        ("m4.s4/(K.s8)", "m4/(K.s4)"),
        ("1", "rad"),
        ("mol/l", "mol/m3"),
        ("dB", "1"),
    ],
)
def test_these_measure_the_same(text, same_as):
    assert parse(text).measures_same_as(parse(same_as))


@pytest.mark.parametrize(("one", "other"), [("V", "A"), ("m", "m2"), ("K", "1"), ("N.m", "N/m")])
def test_these_do_not(one, other):
    assert not parse(one).measures_same_as(parse(other))


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("kg", 1.0),
        ("g", 1e-3),
        ("mg", 1e-6),
        ("mm/s", 1e-3),
        ("l/min", 1e-3 / 60),
        ("kWh", 3.6e6),
        ("kW.h", 3.6e6),
        ("bar", 1e5),
        ("mbar", 100.0),
        ("%", 0.01),
        ("deg", pi / 180),
        ("rev/min", 2 * pi / 60),
        ("rpm", 2 * pi / 60),
        ("km/h", 1 / 3.6),
        ("cm2", 1e-4),
        ("MW", 1e6),
        ("uF", 1e-6),
        ("min", 60.0),
        ("ms", 1e-3),
        ("m-1", 1.0),
        ("1/cm2", 1e4),
        ("dam", 10.0),
        ("mol", 1.0),
        ("cd", 1.0),
        ("Pa", 1.0),
        ("hPa", 100.0),
    ],
)
def test_factors(text, factor):
    assert parse(text).factor == pytest.approx(factor, rel=1e-14)


def test_celsius_has_an_offset_only_when_it_stands_alone():
    assert parse("degC").to_base(20.0) == pytest.approx(293.15)
    assert parse("W/degC").offset == 0.0
    assert convert(212.0, parse("degF"), parse("degC")) == pytest.approx(100.0)


def test_converting_between_quantities_is_refused():
    with pytest.raises(UnitError, match="V cannot be expressed in A"):
        convert(1.0, parse("V"), parse("A"))


def test_powers_and_roots():
    assert (parse("m2") ** Fraction(1, 2)).measures_same_as(parse("m"))
    assert (parse("mm") ** 2).factor == pytest.approx(1e-6)
    assert show(parse("m") ** Fraction(1, 2)) == "m^(1/2)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("kg.m/s2", "N"), ("m/s2", "m/s2"), ("J/(kg.K)", "m2/(s2.K)"), ("1/K", "1/K"), ("rad", "1")],
)
def test_showing(text, shown):
    assert show(parse(text)) == shown


@pytest.mark.parametrize(
    "text", ["", " ", "m/", "/m", "(m", "m)", "m..s", "xyz", "3", "m 2", "()", "kdeg", "m/(s"]
)
def test_what_is_no_unit_is_refused(text):
    with pytest.raises(UnitError):
        parse(text)
