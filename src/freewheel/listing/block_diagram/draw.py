"""A block diagram as SVG.

    draw(folded(diagram_of(ordered)))      '<svg xmlns=...'

Signals run from left to right, feedback from right to left; a wide diagram is drawn in rows. Gains are
pentagons, integrators dark, sums and products round; what is part of an algebraic loop is orange. A text that
is too long for its block is shortened and has its whole in a `title`, which viewers show on request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from xml.sax.saxutils import escape

from freewheel.listing.block_diagram.nodes import Block, Diagram, Kind
from freewheel.listing.block_diagram.place import place
from freewheel.listing.block_diagram.place_nodes import Box, Net, Placement, Point, Wire
from freewheel.listing.block_diagram.rows import rows
from freewheel.listing.block_diagram.sizes import (
    LONGEST_NAME,
    SMALL,
    SYMBOLS,
    TAGS,
    box_of,
    name_above,
    port_text,
    shortened,
    text_below,
    text_in,
)

MARGIN, HEAD, FOOT = 26.0, 56.0, 34.0
WIDEST = 1250.0  # of a row: on a sheet in landscape format its letters are 2 mm high
BETWEEN = 26.0  # rows

INK, LOOP, PAPER, BLUE = "#26323e", "#d9820a", "white", "#1f4e79"
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
    Kind.DELAY: "#dfe8e2",
    Kind.REINIT: "#f2e4e4",
    Kind.EQUATION: "#fbe3c0",
    Kind.COMPONENT: "#f1f4f7",
    Kind.OUTPUT: "#e3edf6",
    Kind.TO: "#f6f6f6",
    Kind.FROM: "#f6f6f6",
}
ROUND = (Kind.INPUT, Kind.OUTPUT, Kind.SUM, Kind.PRODUCT)


def draw(diagram: Diagram) -> str:
    """A whole SVG document."""
    spans = [box_of(block).span for block in diagram.blocks]
    parts: list[str] = []
    bottom, right = 0.0, 0.0
    for row in rows(diagram, spans, WIDEST):
        boxes, nets, placed = arranged(row)
        if parts:
            bottom += BETWEEN
        parts.append(f'<g transform="translate(0,{bottom:.1f})">')
        parts += [*_drawn(row, boxes, nets, placed), "</g>"]
        bottom, right = bottom + placed.height, max(right, placed.width)
    width = max(right + 2 * MARGIN, 460.0)
    title = _title(diagram, int((width - 2 * MARGIN) / SMALL))
    head = HEAD + 13.0 * (len(title) - 2)
    height = bottom + head + FOOT + MARGIN
    inside = [f'<g transform="translate({MARGIN:.0f},{head:.0f})">', *parts, "</g>"]
    return "\n".join([_head(width, height), *title, *inside, _legend(height), "</svg>"]) + "\n"


def arranged(diagram: Diagram) -> tuple[list[Box], list[Net], Placement]:
    """(boxes, nets, where they are) of one row."""
    boxes = [box_of(block) for block in diagram.blocks]
    nets = _nets(diagram)
    first = [k for k, block in enumerate(diagram.blocks) if block.kind is Kind.INPUT]
    return boxes, nets, place(boxes, nets, first)


def _drawn(
    diagram: Diagram, boxes: Sequence[Box], nets: Sequence[Net], placed: Placement
) -> list[str]:
    blocks = zip(diagram.blocks, boxes, placed.corners, strict=True)
    return [
        *_all_wires(diagram, nets, placed),
        *(part for block, box, corner in blocks for part in _block(block, box, corner)),
        *_arrows(diagram, boxes, placed),
    ]


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
            mark = port_text(block, port.mark)
            parts.append(
                f'<path d="M{x:.1f} {y:.1f}l-7 -3.2v6.4z" fill="{colour}"/>'
                + _text_at(x + 4, y + 3.4, mark, 9 if mark.isascii() else 11, whole=port.mark)
            )
    return parts


# ---------------------------------------------------------------- blocks


def _block(block: Block, box: Box, corner: Point) -> list[str]:
    x, y = corner
    edge = LOOP if block.loop >= 0 else INK
    style = f'fill="{FILLS[block.kind]}" stroke="{edge}"'
    if block.kind in (Kind.GAIN, *TAGS):
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
    label = text_in(block)
    if block.kind is Kind.COMPONENT:
        middle = x + box.width / 2
        parts = [_text_at(middle, y + 12, label, 10, "middle", bold=True, whole=block.label)]
        for at, name in enumerate(block.outputs):
            place = (x + box.width - 4, y + box.output_y(at) + 3.2)
            parts.append(_text_at(*place, port_text(block, name), 9, "end", whole=name))
        return parts
    if block.kind in TAGS:
        return [_text_at(x + 5, y + box.height / 2 + 3.2, label, 9, colour=BLUE, whole=block.label)]
    size = 15 if block.kind in SYMBOLS else 10
    marks = max((len(i.mark) for i in block.inputs), default=0)
    shift = max(5.0, SMALL * marks / 2) if marks else 0.0
    middle = x + box.width / 2 + shift - (3.0 if block.kind is Kind.GAIN else 0.0)
    level = y + box.height / 2 + size / 3
    parts = [_text_at(middle, level, label, size, "middle", whole=block.label)]
    centre = x + box.width / 2
    parts.append(_beside(x, centre, y + box.height + 10, box, text_below(block), 8, INK))
    name = shortened(name_above(block), LONGEST_NAME)
    parts.append(_beside(x, centre, y - 4, box, name, 9, BLUE, name_above(block)))
    return parts


def _beside(
    left: float,
    centre: float,
    y: float,
    box: Box,
    text: str,
    size: float,
    colour: str,
    whole: str = "",
) -> str:
    """Above or below a block: in its middle, or from its left edge on where it is wider."""
    if SMALL * len(text) <= box.width:
        return _text_at(centre, y, text, size, "middle", colour=colour, whole=whole)
    return _text_at(left, y, text, size, colour=colour, whole=whole)


def _text_at(
    x: float,
    y: float,
    text: str,
    size: float,
    anchor: str = "start",
    *,
    bold: bool = False,
    colour: str = INK,
    whole: str = "",
) -> str:
    """`whole` is the text where it was too long."""
    if not text:
        return ""
    weight = ' font-weight="bold"' if bold else ""
    is_cut = "\N{HORIZONTAL ELLIPSIS}" in text and len(whole) > len(text)
    title = f"<title>{escape(whole)}</title>" if is_cut else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}"'
        f' fill="{colour}"{weight}>{title}{escape(text)}</text>'
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
    if not diagram.blocks:
        return "no blocks: nothing changes with time"
    counts = [(diagram.count(kind), kind.value) for kind in Kind]
    kinds = ", ".join(f"{n} {_plural(word) if n > 1 else word}" for n, word in counts if n)
    loops = [
        f"loop of {text}" if n == 1 else f"{n} loops of {text}"
        for text, n in Counter(diagram.loops).items()
    ]
    count = f"{len(diagram.blocks)} block{'s' if len(diagram.blocks) > 1 else ''}"
    return f"{count}: {kinds}; {'; '.join(loops) or 'no algebraic loop'}"


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("ry") else word + ("es" if word[-1] == "h" else "s")


def _title(diagram: Diagram, letters: int) -> list[str]:
    name = _text_at(MARGIN, 20, diagram.name, 14, bold=True)
    lines = wrap(f"{diagram.causality} causality, {summary(diagram)}", letters)
    return [name, *(_text_at(MARGIN, 36 + 13 * k, line, 10) for k, line in enumerate(lines))]


def _legend(height: float) -> str:
    text = "blue: name of the signal; pentagon: gain; grey: goes on in another row; orange: algebraic loop"
    return _text_at(MARGIN, height - 12, text, 9, colour="#667")
