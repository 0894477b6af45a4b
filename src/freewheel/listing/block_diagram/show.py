"""A block diagram as text, one line for each block.

R1.u       sum        + u, - C.u
R1.i       gain       1/R of R1.u
"""

from __future__ import annotations

from typing import Any

from freewheel.listing.block_diagram.nodes import Block, Diagram


def show(diagram: Diagram) -> str:
    names = [_name(block, k) for k, block in enumerate(diagram.blocks)]
    wide = max((len(name) for name in names), default=0) + 2
    kinds = max((len(block.kind.value) for block in diagram.blocks), default=0) + 2
    lines = [
        f"{name:<{wide}}{block.kind.value:<{kinds}}{_reads(diagram, block)}".rstrip()
        for name, block in zip(names, diagram.blocks, strict=True)
    ]
    return "\n".join(lines) + "\n"


def _name(block: Block, number: int) -> str:
    return ", ".join(filter(None, block.outputs)) or f"#{number}"


def _reads(diagram: Diagram, block: Block) -> str:
    reads: list[str] = []
    for port in block.inputs:
        source = diagram.blocks[port.block]
        name = source.outputs[port.output] or f"#{port.block}"
        reads.append(name if port.mark == name else f"{port.mark} {name}".strip())
    text = ", ".join(reads)
    if block.label and text:
        text = f"{block.label} of {text}"
    loop = f"   (loop {block.loop + 1})" if block.loop >= 0 else ""
    return (text or block.label) + loop


def as_data(picture: Diagram) -> dict[str, Any]:
    """For JSON."""
    return {
        "model": picture.name,
        "causality": picture.causality,
        "loops": list(picture.loops),
        "blocks": [
            {
                "kind": block.kind.value,
                "label": block.label,
                "outputs": list(block.outputs),
                "inputs": [
                    {"block": i.block, "output": i.output, "mark": i.mark} for i in block.inputs
                ],
                "loop": block.loop,
            }
            for block in picture.blocks
        ],
    }
