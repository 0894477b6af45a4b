"""Terminals that are always given from outside: in Modelica they are inputs.

    U0.V = u          in every model that has a vsource: its terminal V is an input

A terminal has no direction in the classic language. As an input it makes the class balanced by itself, and
tells a bond graph that the source is driven by a signal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freewheel.dymola.book import Book
from freewheel.dymola.kinds import Place
from freewheel.dymola.lower_equations import equations_of
from freewheel.syntax.expression_nodes import ComponentRef


def given_terminals(book: Book, names: Sequence[str]) -> frozenset[Place]:
    """(class, variable) where each submodel of the class has an equation `sub.variable = ...`."""
    given: set[Place] = set()
    open_ones: set[Place] = set()
    for name in names:
        model = book.get(name).model
        left = {
            side.names
            for equation in equations_of(model)
            for side in (equation.left, equation.right)
            if isinstance(side, ComponentRef)
        }
        for submodel in model.submodels:
            for place in _terminals(book, submodel.class_name.text):
                is_given = (submodel.name, place[1]) in left
                (given if is_given else open_ones).add(place)
    return frozenset(given - open_ones)


def _terminals(book: Book, name: str) -> Iterator[Place]:
    members = book.members(name)
    for variable in members.variables.values():
        if variable.kind == "terminal":
            yield members.owner[variable.name], variable.name
