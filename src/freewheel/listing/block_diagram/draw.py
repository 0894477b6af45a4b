"""A block diagram as SVG.

    draw(folded(diagram_of(ordered)))      '<svg xmlns=...'

Signals run from left to right, feedback from right to left. Gains are pentagons, integrators dark,
sums and products round; what is part of an algebraic loop is orange.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from xml.sax.saxutils import escape

from freewheel.listing.block_diagram.nodes import Block, Diagram, Kind
from freewheel.listing.block_diagram.place import place
from freewheel.listing.block_diagram.place_nodes import Box, Net, Placement, Point, Wire

MARGIN, HEAD, FOOT = 26.0, 56.0, 34.0
LETTER = 6.1  # width at font size 10
SMALL = 5.2  # of a mark or a name at a port
PORT = 17.0  # height that a port takes
LEAST_HEIGHT = 26.0
NAME_ROOM = 13.0  # above a block, for the name of its signal
TITLE = 16.0  # height of the name of a component inside its block
LONGEST_NAME = 22

INK, LOOP, PAPER = "#26323e", "#d9820a", "white"
FILLS = {
    Kind.INPUT: "#e3edf6",
    Kind.SOURCE: "#eef3e6",
    Kind.INTEGRATOR: "#cfdcea",
    Kind.DERIVATIVE: "#e6d3e9",
    Kind.SUM: "white",
    Kind.GAIN: "#f7f7f2",
    Kind.PRODUCT: "white",
    Kind.FUNCTION: "#f4efe2",
    Kind.SWITCH: "#f2e4e4",
    Kind.MEMORY: "#e9e4f2",
    Kind.EQUATION: "#fbe3c0",
    Kind.COMPONENT: "#f1f4f7",
    Kind.OUTPUT: "#e3edf6",
}
ROUND = (Kind.INPUT, Kind.OUTPUT, Kind.SUM, Kind.PRODUCT)
WORDS = {
    Kind.INTEGRATOR: "\N{INTEGRAL}",
    Kind.DERIVATIVE: "d/dt",
    Kind.SUM: "\N{N-ARY SUMMATION}",
    Kind.PRODUCT: "\N{GREEK CAPITAL LETTER PI}",
    Kind.MEMORY: "pre",
}


def draw(diagram: Diagram) -> str:
    """A whole SVG document."""
    boxes = [_box(block) for block in diagram.blocks]
    nets = _nets(diagram)
    first = [k for k, block in enumerate(diagram.blocks) if block.kind is Kind.INPUT]
    placed = place(boxes, nets, first)
    width = max(placed.width + 2 * MARGIN, 460.0)
    title = _title(diagram, int((width - 2 * MARGIN) / SMALL))
    head = HEAD + 13.0 * (len(title) - 2)
    height = placed.height + head + FOOT + MARGIN
    parts = [
        _head(width, height),
        *title,
        f'<g transform="translate({MARGIN:.0f},{head:.0f})">',
        *_all_wires(diagram, nets, placed),
        *(
            part
            for block, box, corner in zip(diagram.blocks, boxes, placed.corners, strict=True)
            for part in _block(block, box, corner)
        ),
        *_arrows(diagram, boxes, placed),
        "</g>",
        _legend(height),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


# ---------------------------------------------------------------- sizes


def _box(block: Block) -> Box:
    ports = max(len(block.inputs), len(block.outputs), 1)
    head = TITLE if block.kind is Kind.COMPONENT else 0.0
    height = max(LEAST_HEIGHT, PORT * ports) + head
    names = NAME_ROOM if not head and any(map(_shown, block.outputs)) else 0.0
    return Box(_width(block), height, len(block.inputs), len(block.outputs), names, head)


def _width(block: Block) -> float:
    text = _text(block)
    plain = LETTER * len(text) + 16.0
    if block.kind is Kind.COMPONENT:
        left = max((len(_name(i.mark)) for i in block.inputs), default=0)
        right = max((len(_name(name)) for name in block.outputs), default=0)
        return max(plain, SMALL * (left + right) + 26.0)
    marks = max((len(i.mark) for i in block.inputs), default=0)
    if block.kind is Kind.GAIN:
        plain += 12.0
    if block.kind in (Kind.INTEGRATOR, Kind.SUM, Kind.PRODUCT):
        plain = 30.0
    return max(plain, 30.0) + (SMALL * marks if marks > 1 else 0.0)


def _text(block: Block) -> str:
    return WORDS.get(block.kind, block.label)


def _name(name: str) -> str:
    return (
        name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "\N{HORIZONTAL ELLIPSIS}"
    )


def _shown(name: str) -> bool:
    return bool(name) and not name.startswith("$")


# ---------------------------------------------------------------- wires


def _nets(diagram: Diagram) -> list[Net]:
    heads: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for k, block in enumerate(diagram.blocks):
        for at, port in enumerate(block.inputs):
            heads.setdefault((port.block, port.output), []).append((k, at))
    return [Net(tail, tuple(heads[tail])) for tail in sorted(heads)]


def _all_wires(diagram: Diagram, nets: Sequence[Net], placed: Placement) -> list[str]:
    parts: list[str] = []
    for net, wire in zip(nets, placed.wires, strict=True):
        colour = LOOP if _is_in_loop(diagram, net) else INK
        parts.append(_wire(wire, colour))
    return parts


def _is_in_loop(diagram: Diagram, net: Net) -> bool:
    loop = diagram.blocks[net.tail[0]].loop
    return loop >= 0 and any(diagram.blocks[head].loop == loop for head, _ in net.heads)


def _wire(wire: Wire, colour: str) -> str:
    path = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in wire.lines)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>' for x, y in wire.dots
    )
    return f'<path d="{path}" stroke="{colour}" fill="none"/>{dots}'


def _arrows(diagram: Diagram, boxes: Sequence[Box], placed: Placement) -> list[str]:
    parts: list[str] = []
    for block, box, (x, top) in zip(diagram.blocks, boxes, placed.corners, strict=True):
        for at, port in enumerate(block.inputs):
            y = top + box.input_y(at)
            same = block.loop >= 0 and diagram.blocks[port.block].loop == block.loop
            colour = LOOP if same else INK
            parts.append(
                f'<path d="M{x:.1f} {y:.1f}l-7 -3.2v6.4z" fill="{colour}"/>'
                + _text_at(x + 4, y + 3.4, _name(port.mark), 9 if port.mark.isascii() else 11)
            )
    return parts


# ---------------------------------------------------------------- blocks


def _block(block: Block, box: Box, corner: Point) -> list[str]:
    x, y = corner
    edge = LOOP if block.loop >= 0 else INK
    style = f'fill="{FILLS[block.kind]}" stroke="{edge}"'
    if block.kind is Kind.GAIN:
        tip = min(10.0, box.height / 2)
        shape = (
            f'<path d="M{x:.1f} {y:.1f}h{box.width - tip:.1f}l{tip:.1f} {box.height / 2:.1f}'
            f'l-{tip:.1f} {box.height / 2:.1f}h-{box.width - tip:.1f}z" {style}/>'
        )
    else:
        corner_radius = 13 if block.kind in ROUND else 2
        shape = (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
            f' rx="{corner_radius}" {style}/>'
        )
    return [shape, *_labels(block, box, corner)]


def _labels(block: Block, box: Box, corner: Point) -> list[str]:
    x, y = corner
    parts: list[str] = []
    if block.kind is Kind.COMPONENT:
        parts.append(_text_at(x + box.width / 2, y + 12, block.label, 10, "middle", bold=True))
        for at, name in enumerate(block.outputs):
            place_y = y + box.output_y(at) + 3.2
            parts.append(_text_at(x + box.width - 4, place_y, _name(name), 9, "end"))
        return parts
    size = 15 if block.kind in (Kind.INTEGRATOR, Kind.SUM, Kind.PRODUCT) else 10
    shift = 5.0 if any(i.mark for i in block.inputs) else 0.0
    middle = x + box.width / 2 + shift - (3.0 if block.kind is Kind.GAIN else 0.0)
    parts.append(_text_at(middle, y + box.height / 2 + size / 3, _text(block), size, "middle"))
    if block.kind is Kind.INTEGRATOR and block.label:
        parts.append(_text_at(middle, y + box.height + 10, f"start {block.label}", 8, "middle"))
    if block.outputs and _shown(block.outputs[0]) and block.kind is not Kind.INPUT:
        name = _name(block.outputs[0])
        parts.append(_text_at(x + box.width / 2, y - 4, name, 9, "middle", colour="#1f4e79"))
    return parts


def _text_at(
    x: float,
    y: float,
    text: str,
    size: float,
    anchor: str = "start",
    *,
    bold: bool = False,
    colour: str = INK,
) -> str:
    if not text:
        return ""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
        f' fill="{colour}"{weight}>{escape(text)}</text>'
    )


# ---------------------------------------------------------------- around


def _head(width: float, height: float) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n'
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="{PAPER}"/>'
    )


def summary(diagram: Diagram) -> str:
    """`12 blocks: 2 integrators, 3 sums, 4 gains; no algebraic loop`."""
    counts = [(diagram.count(kind), kind.value) for kind in Kind]
    told = ", ".join(f"{n} {_plural(word) if n > 1 else word}" for n, word in counts if n)
    loops = "; ".join(f"loop of {text}" for text in diagram.loops) or "no algebraic loop"
    if not diagram.blocks:
        return "no blocks: nothing changes with time"
    return f"{len(diagram.blocks)} blocks: {told}; {loops}"


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + ("es" if word.endswith("h") else "s")


def _title(diagram: Diagram, letters: int) -> list[str]:
    name = _text_at(MARGIN, 20, diagram.name, 14, bold=True)
    lines = wrap(f"{diagram.causality} causality, {summary(diagram)}", letters)
    return [name, *(_text_at(MARGIN, 36 + 13 * k, line, 10) for k, line in enumerate(lines))]


def _legend(height: float) -> str:
    text = "blue: name of the signal; pentagon: gain; orange: algebraic loop"
    return _text_at(MARGIN, height - 12, text, 9, colour="#667")
