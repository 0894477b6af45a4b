"""Circuits for the tests of the bond graph room."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.bondgraph.nodes import Graph, Stage
from freewheel.bondgraph.stages import bond_graph

HEAD = """  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  import Modelica.Electrical.Analog.Sources.*;
"""


@pytest.fixture
def graph_of(tmp_path: Path) -> Callable[..., Graph]:
    """The graph of a model given as declarations and equations; names of the electrical library
    stand alone."""

    def make(declarations: str, equations: str = "", stage: str = "causal") -> Graph:
        path = tmp_path / "m.mo"
        path.write_text(f"model M\n{HEAD}  {declarations}\nequation\n  {equations}\nend M;\n")
        return bond_graph(load(path), Stage(stage))

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
