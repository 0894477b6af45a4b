"""`freewheel bondgraph FILE|CLASS --stage causal --svg out.svg`: the model as a bond graph.

A file that ends in `.bg` holds a graph as `--text` wrote it, at any stage, and is taken on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.diagnostics import Diagnostic, Severity, UsageError, to_json
from freewheel.base.files import replacing
from freewheel.dymola.files import Cuts
from freewheel.tools.options import with_target
from freewheel.tools.places import PLACE, WritingCommand
from freewheel.tools.report import MODEL_ERROR, OK, print_json, report
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api.model import Model
    from freewheel.bondgraph.nodes import Graph

STAGES = ("graph", "zeros", "ones", "directed", "grounded", "simplified", "causal")
STORED = ".bg"


@click.command(cls=WritingCommand)
@with_target
@click.option(
    "--stage", type=click.Choice(STAGES), default="causal", show_default=True,
    help="How far to go on the way from the circuit to the causal bond graph.",
)  # fmt: skip
@click.option("--svg", type=PLACE, metavar="FILE", help="Draw the graph into this file.")
@click.option(
    "--text", type=PLACE, metavar="FILE", help="Write the graph as text instead of printing it."
)
@click.option(
    "--modelica", type=PLACE, metavar="FILE", help="Write a model made of the library BondGraph."
)
def bondgraph(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    stage: str,
    svg: str | None,
    text: str | None,
    modelica: str | None,
) -> int:
    """Show the model as a bond graph, and what causality tells about it.

    Dependent storages, algebraic loops and switches that change the number of states are notes;
    sources that contradict each other are an error, though the graph is drawn.
    """
    from freewheel.bondgraph.draw import draw
    from freewheel.bondgraph.show import show
    from freewheel.bondgraph.to_modelica import to_modelica
    from freewheel.tools.beginnings import begun

    loaded, graph = _graph(target, model, libraries, stage)
    written = {"svg": svg, "text": text, "modelica": modelica}

    def as_model(graph: Graph) -> str:
        text = to_modelica(graph)  # what cannot be written is refused before anything runs
        return text if loaded is None else to_modelica(begun(loaded, graph))

    makers = {"svg": draw, "text": show, "modelica": as_model}
    for form, file in written.items():
        if file is not None:
            with replacing(Path(file)) as stream:
                stream.write(makers[form](graph))
    if as_json:
        print_json(_as_json(graph, written, show(graph)))
    else:
        report(graph.remarks, as_json=False)
        echo("\n".join(f for f in written.values() if f) or show(graph).rstrip("\n"))
    is_wrong = any(remark.severity is Severity.ERROR for remark in graph.remarks)
    return MODEL_ERROR if is_wrong else OK


def _graph(
    target: str, model: str | None, libraries: Sequence[str], stage: str
) -> tuple[Model | None, Graph]:
    """With the model that it was made of; a stored one has none."""
    from freewheel.api import load
    from freewheel.bondgraph.nodes import Stage
    from freewheel.bondgraph.stages import bond_graph, onward
    from freewheel.syntax.parser import read_source

    if not target.endswith(STORED):
        loaded = load(target, model=model, library=libraries, cuts=Cuts.CONNECTORS)
        return loaded, bond_graph(loaded, Stage(stage))
    from freewheel.bondgraph.read import read

    graph = read(read_source(Path(target)))
    if STAGES.index(graph.stage) > STAGES.index(stage):
        raise UsageError(
            Diagnostic(
                "U040",
                f"`{target}` is at stage {graph.stage} already, past {stage}",
                help=f"ask for --stage {graph.stage} or a later one",
            )
        )
    return None, onward(graph, Stage(stage))


def _as_json(graph: Graph, written: dict[str, str | None], text: str) -> dict[str, Any]:
    found = graph.findings
    return {
        "model": graph.name,
        "stage": str(graph.stage),
        "elements": [
            {"name": e.name, "kind": str(e.kind), "parameters": dict(e.parameters)}
            for e in graph.elements
        ],
        "junctions": [{"name": j.name, "kind": str(j.kind)} for j in graph.junctions],
        "bonds": [
            {
                "from": bond.tail.vertex,
                "to": bond.head.vertex,
                "effort_to": _told(bond.stroke, bond.tail.vertex, bond.head.vertex),
            }
            for bond in graph.bonds
        ],
        "dependent": [d.storage for d in found.dependent],
        "loops": [list(loop.elements) for loop in found.loops],
        "releases": [
            {"position": dict(r.position), "storages": list(r.storages), "tied": list(r.tied)}
            for r in found.releases
        ],
        **{form: file for form, file in written.items() if file},
        **({} if any(written.values()) else {"graph": text}),
        "diagnostics": [to_json(remark) for remark in graph.remarks],
    }


def _told(stroke: str, tail: str, head: str) -> str | None:
    return {"tail": tail, "head": head}.get(stroke)
