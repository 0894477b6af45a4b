"""Elements of the library BondGraph: models that are bond graphs already.

Each has its ports against the reference, so all passes treat them like any other element; what they
add, simplification takes away again.
"""

from __future__ import annotations

from freewheel.bondgraph.nodes import Domain, Kind
from freewheel.bondgraph.rules import Book, ClassRule, PartRule, PortRule, one, sensor

IN, OUT = PortRule("i"), PortRule("o", is_out=True)


def _two(kind: Kind, *values: tuple[str, str]) -> ClassRule:
    return ClassRule((PartRule(kind, (IN, OUT), values, is_modulated=not values),))


_TABLE: dict[str, ClassRule] = {
    "Bond": sensor("i", "o"),
    "Junction0": ClassRule(is_junction=Kind.ZERO),
    "Junction1": ClassRule(is_junction=Kind.ONE),
    "R": one(Kind.R, "p", values=(("R", "R"),)),
    "C": one(Kind.C, "p", values=(("C", "C"),), start="e"),
    "I": one(Kind.I, "p", values=(("I", "I"),), start="f"),
    "Se": one(Kind.SE, "p", constant="e0"),
    "Sf": one(Kind.SF, "p", constant="f0"),
    "mSe": one(Kind.SE, "p", is_modulated=True),
    "mSf": one(Kind.SF, "p", is_modulated=True),
    "mR": one(Kind.R, "p", is_modulated=True),
    "TF": _two(Kind.TF, ("n", "n")),
    "GY": _two(Kind.GY, ("r", "r")),
    "mTF": _two(Kind.TF),
    "mGY": _two(Kind.GY),
    "D": one(Kind.D, "p", values=(("Ron", "Ron"), ("Goff", "Goff"), ("Vknee", "e0"))),
    "Sw": one(Kind.SW, "p", values=(("Ron", "Ron"), ("Goff", "Goff")), is_modulated=True),
}

BOOKS = (Book(Domain.BOND, (("BondGraph",),), _TABLE),)
