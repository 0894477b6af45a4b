"""One diagram in one call: in comes a model in an order of evaluation, out come blocks to draw.

make(ordered)                          integral causality, folded where it is large
make(ordered, differential=True)       states computed and differentiated, Fig. 3 of the paper
"""

from __future__ import annotations

from difflib import get_close_matches

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.names import Name, read, show
from freewheel.listing.block_diagram.causality import in_differential_causality
from freewheel.listing.block_diagram.fold import folded, with_machines_folded
from freewheel.listing.block_diagram.nodes import Diagram
from freewheel.listing.block_diagram.open_component import opened
from freewheel.listing.block_diagram.signals import diagram_of
from freewheel.structure.nodes import Ordered


def make(
    ordered: Ordered,
    differential: bool = False,
    component: str | None = None,
    fold: bool = True,
) -> Diagram:
    if differential:
        other = in_differential_causality(ordered)
        diagram = diagram_of(other.ordered, other.differentiated)
    else:
        diagram = diagram_of(ordered)
    depth = 0
    if fold:
        diagram = with_machines_folded(diagram)
    if component is not None:
        name = _component(diagram, component)
        diagram, depth = opened(diagram, name), len(name)
    return folded(diagram, depth) if fold else diagram


def _component(diagram: Diagram, text: str) -> Name:
    """The component meant, if it has equations."""
    owners = {block.owner[:k] for block in diagram.blocks for k in range(1, len(block.owner) + 1)}
    name = read(text)
    if name in owners:
        return name
    known = [show(owner) for owner in sorted(owners, key=lambda name: (len(name), str(name)))]
    near = get_close_matches(text, known, n=3) or known[:6]
    raise UsageError(
        Diagnostic(
            "U093",
            f"no component `{text}` has an equation in the diagram",
            help=f"components are {', '.join(near)}" if near else "the model has no components",
        )
    )
