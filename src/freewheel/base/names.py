"""Dotted names as tuples: in comes text such as `a.b[1].c`, out comes `("a", "b", 1, "c")`.

A name is never kept as a string with dots in it. Identifiers are `str`, array subscripts are `int`;
neighbouring subscripts print in one pair of brackets: `show(("x", 1, 2)) == "x[1,2]"`.
"""

from __future__ import annotations

from collections.abc import Iterable

Part = str | int
Name = tuple[Part, ...]
ClassName = tuple[str, ...]

TIME: Name = ("time",)


def name_of(text: str) -> ClassName:
    """Split a plain dotted class name; quoted identifiers may contain dots.

    >>> name_of("Modelica.Blocks.'a.b'")
    ('Modelica', 'Blocks', "'a.b'")
    """
    parts: list[str] = []
    current = ""
    quoted = False
    for char in text:
        if char == "'":
            quoted = not quoted
        if char == "." and not quoted:
            parts.append(current)
            current = ""
        else:
            current += char
    parts.append(current)
    return tuple(parts)


def show(name: Iterable[Part]) -> str:
    """Print a name the way a modeller writes it.

    >>> show(("a", "b", 1, 2, "c"))
    'a.b[1,2].c'
    """
    out: list[str] = []
    open_bracket = False
    for part in name:
        if isinstance(part, str):
            if open_bracket:
                out.append("]")
                open_bracket = False
            if out:
                out.append(".")
            out.append(part)
        else:
            out.append("," if open_bracket else "[")
            out.append(str(part))
            open_bracket = True
    if open_bracket:
        out.append("]")
    return "".join(out)


def read(text: str) -> Name:
    """The inverse of `show`: names of variables typed by a user or found in a file header.

    >>> read("a.b[1, 2].c")
    ('a', 'b', 1, 2, 'c')
    """
    parts: list[Part] = []
    for piece in name_of(text.strip()):
        head, bracket, rest = piece.partition("[") if not piece.startswith("'") else (piece, "", "")
        parts.append(head.strip())
        if bracket:
            parts.extend(int(index) for index in rest.rstrip("] ").split(","))
    return tuple(parts)
