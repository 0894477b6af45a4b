"""Circuits for the tests of the bond graph room."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, pairwise

import pytest

from freewheel.api.model import Model
from freewheel.base.source import Source
from freewheel.bondgraph.nodes import Graph, Stage
from freewheel.bondgraph.stages import bond_graph
from freewheel.instance.library import Library

HEAD = """  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  import Modelica.Electrical.Analog.Sources.*;
"""


@pytest.fixture(scope="session")
def model_of() -> Callable[[str], Model]:
    """The last model of a text. All texts share one library, so that its classes are read once."""
    library = Library(())
    numbers = count()

    def make(text: str) -> Model:
        entries = library.add_file(Source.from_text(text, f"m{next(numbers)}.mo"))
        return Model(library, entries[-1].name)

    return make


@pytest.fixture(scope="session")
def graph_of(model_of: Callable[[str], Model]) -> Callable[..., Graph]:
    """The graph of a model given as declarations and equations; names of the electrical library
    stand alone."""

    def make(declarations: str, equations: str = "", stage: str = "causal") -> Graph:
        text = f"model M\n{HEAD}  {declarations}\nequation\n  {equations}\nend M;\n"
        return bond_graph(model_of(text), Stage(stage))

    return make


def connections(*nets: str) -> str:
    """`"V.p R.p"` and so on: each net is a chain of connectors."""
    lines = []
    for net in nets:
        pins = net.split()
        lines += [f"connect({a}, {b});" for a, b in pairwise(pins)]
    return "\n  ".join(lines)


@pytest.fixture
def chains() -> Callable[..., str]:
    return connections
