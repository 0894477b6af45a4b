"""The bond graphs in the documentation are those that the program draws."""

from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.bondgraph.draw import draw
from freewheel.bondgraph.nodes import Stage
from freewheel.bondgraph.stages import bond_graph

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
DRAWN = {  # name: file, model, stage
    "graph": ("mcd_fig8", None, "graph"),
    "zeros": ("mcd_fig8", None, "zeros"),
    "ones": ("mcd_fig8", None, "ones"),
    "directed": ("mcd_fig8", None, "directed"),
    "grounded": ("mcd_fig8", None, "grounded"),
    "simplified": ("mcd_fig8", None, "simplified"),
    "causal": ("mcd_fig8", None, "causal"),
    "dependent": ("bond_graphs/coupled_capacitors", "Coupled", "causal"),
    "cured": ("bond_graphs/coupled_capacitors", "Cured", "causal"),
    "loop": ("bond_graphs/algebraic_loop", "Divider", "causal"),
    "broken": ("bond_graphs/algebraic_loop", "Broken", "causal"),
    "drive": ("bond_graphs/drive", None, "causal"),
    "sepic": ("switching/sepic", None, "causal"),
    "six_pulse": ("switching/six_pulse_rectifier", None, "causal"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_the_picture_is_what_the_program_draws(name):
    file, model, stage = DRAWN[name]

    drawn = draw(bond_graph(load(ROOT / "examples" / f"{file}.mo", model=model), Stage(stage)))

    assert (PICTURES / f"bond_{name}.svg").read_text(encoding="utf-8") == drawn


def test_every_picture_has_its_model_and_its_place():
    page = (ROOT / "docs" / "theory" / "bond-graphs.md").read_text(encoding="utf-8")
    names = {path.stem.removeprefix("bond_") for path in PICTURES.glob("bond_*.svg")}

    assert names == set(DRAWN)
    assert [name for name in DRAWN if f"bond_{name}.svg" not in page] == []
