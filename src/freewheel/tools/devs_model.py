"""What `freewheel devs` asks the model itself: how its sources run, and with what its storages begin.

In: a model and its bond graph. Out: `Found`. Start values, initial equations and values given
elsewhere all count as they do for `freewheel run`, since the beginning of a run tells them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from freewheel.api.model import Model
from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.names import Name, show
from freewheel.bondgraph.nodes import SOURCES, Graph
from freewheel.bondgraph.signal_part import names_in, signal_part
from freewheel.bondgraph.stages import bond_graph
from freewheel.devs import Coupled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.flat.nodes import FlatModel, WhenEquation
from freewheel.formula.nodes import Var
from freewheel.formula.statement_nodes import Reinit
from freewheel.tools.beginnings import initial_values
from freewheel.tools.devs_graph import Found, causal_graph, closed_form
from freewheel.tools.devs_signals import tables_of


def quantized(model: Model, stop: float, quanta_of: Callable[[Sequence[str]], Quanta]) -> Coupled:
    """The quantized bond graph of a model; `quanta_of` is given the names of its elements."""
    graph = bond_graph(model)
    quanta = quanta_of([element.name for element in graph.elements])
    found = found_in(model, graph, quanta, stop)
    return generate(causal_graph(graph, found), quanta, tells_sources=True)


def found_in(model: Model, graph: Graph, quanta: Quanta, stop: float) -> Found:
    """Raises a `CompileError` for what a quantized bond graph has no place for."""
    flat = model.flatten()
    _check_start_time(flat)
    _check_resets(flat)
    driven = {
        element.name: element
        for element in graph.elements
        if element.kind in SOURCES and closed_form(element) is None
    }
    signals, reasons = tables_of(
        driven, flat, lambda name: _finest(quanta, name), stop, model.library.readable
    )
    return Found(signals, reasons, initial_values(model, graph))


def _finest(quanta: Quanta, name: str) -> float:
    quantizer = quanta.of(name)
    return quantizer.quantum or min(b - a for a, b in pairwise(quantizer.levels))


def _check_start_time(flat: FlatModel) -> None:
    if flat.experiment.start_time:
        raise CompileError(
            Diagnostic(
                "E083",
                f"the run of a quantized bond graph begins at 0, not at {flat.experiment.start_time:g}",
                (Label(flat.span),),
                help="take `StartTime` out of the `experiment` annotation, or use `freewheel run`",
            )
        )


def _check_resets(flat: FlatModel) -> None:
    """`reinit` of what the circuit computes; of a block it counts as part of a signal."""
    for reset, name in _resets(flat):
        if signal_part(flat, {"": Var(name)}).dependence:
            raise CompileError(
                Diagnostic(
                    "E083",
                    f"`reinit` sets `{show(name)}` at an event: a bond graph cannot express that",
                    (Label(reset.span),),
                    help="simulate the model with `freewheel run`",
                )
            )


def _resets(flat: FlatModel) -> Iterator[tuple[Reinit, Name]]:
    for equation in flat.equations:
        if isinstance(equation, WhenEquation):
            for _, body in equation.branches:
                for each in body:
                    if isinstance(each, Reinit):
                        yield each, names_in(each.variable)[0]
