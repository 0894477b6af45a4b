"""Which variables a name means: one, all elements of an array, all of a component, or a pattern.

    Selection(["x", "T[1]", "T[2]", "C.v"]).of("T") == ["T[1]", "T[2]"]
    Selection(names).of("*.v") == ["C.v"]

Elements come in the order of their subscripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.near import did_you_mean_or_list

SUBSCRIPTS = re.compile(r"\[([\d,]+)\]$")


class Selection:
    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._known = set(names)

    def of(self, name: str) -> list[str]:
        """The names meant; none where the name is unknown."""
        if name in self._known:
            return [name]
        if any(letter in name for letter in "*?"):
            pattern = name.replace("[", "[[]")  # a bracket is a subscript, not a set of letters
            return [other for other in self.names if fnmatchcase(other, pattern)]
        return self.elements(name) or [
            other for other in self.names if other.startswith((f"{name}.", f"{name}["))
        ]

    def elements(self, name: str) -> list[str]:
        """Of an array of numbers."""
        found = [other for other in self.names if other.startswith(f"{name}[")]
        places = {other: _place(other[len(name) :]) for other in found}
        return sorted((other for other in found if places[other]), key=lambda other: places[other])

    def all_of(self, names: Sequence[str]) -> list[str]:
        """Each once, in the order asked for."""
        return list(dict.fromkeys(other for name in names for other in self.of(name)))


def dimensions(name: str, elements: Sequence[str]) -> tuple[int, ...]:
    """Of the array whose elements these are, in their order."""
    return _place(elements[-1][len(name) :])


def _place(subscripts: str) -> tuple[int, ...]:
    found = SUBSCRIPTS.fullmatch(subscripts)
    return () if found is None else tuple(map(int, found[1].split(",")))


def unknown_name(name: str, known: Sequence[str], whose: str = "the result") -> Diagnostic:
    pieces = [f"`{piece}`" for piece in re.split(r"[\s;]+", name) if piece in known]
    if len(pieces) > 1:  # `x u`
        help = f"separate {' and '.join(pieces)} by a comma"
    else:
        help = did_you_mean_or_list(name, known, "variables")
    return Diagnostic("U030", f"{whose} has no variable `{name}`", help=help)
