"""The whole table of elements, and how a class finds its rule.

    rule_named(("Modelica", "Electrical", "Analog", "Basic", "Resistor"))    one R between p and n

Packages between the domain and the name do not count: `Rotational.Inertia` of library version 2 and
`Rotational.Components.Inertia` of version 4 are the same element. A class that is not in the table
is what the nearest of its base classes is.
"""

from __future__ import annotations

from freewheel.base.names import ClassName
from freewheel.bondgraph import drawn, electrical, mechanical, thermal
from freewheel.bondgraph.rules import Book, ClassRule

BOOKS: tuple[Book, ...] = (
    *electrical.BOOKS,
    *mechanical.BOOKS,
    *thermal.BOOKS,
    *drawn.BOOKS,
)


def rule_named(name: ClassName) -> ClassRule | None:
    for book in BOOKS:
        if any(name[: len(package)] == package for package in book.packages):
            return book.table.get(name[-1])
    return None


def known_classes() -> tuple[str, ...]:
    """`Modelica.Electrical.Analog: Ground, Resistor, ...`, one text per package."""
    return tuple(
        f"{'.'.join(package)}: {', '.join(book.table)}"
        for book in BOOKS
        for package in book.packages
    )
