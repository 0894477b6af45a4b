"""Texts of blocks and the sizes of their boxes."""

from __future__ import annotations

from freewheel.listing.block_diagram.nodes import Block, Kind
from freewheel.listing.block_diagram.place_nodes import Box

LETTER = 6.1  # width at font size 10
SMALL = 5.2  # of a mark or a name at a port
PORT = 17.0  # height that a port takes
TAG = 13.0  # height of a tag: with a gap below it as high as a port
LEAST_HEIGHT = 26.0
NAME_ROOM = 13.0  # above a block, for the name of its signal
TITLE = 16.0  # height of the name of a component inside its block
LONGEST_LABEL, LONGEST_NAME = 26, 22  # letters

WORDS = {
    Kind.INTEGRATOR: "\N{INTEGRAL}",
    Kind.DERIVATIVE: "d/dt",
    Kind.SUM: "\N{N-ARY SUMMATION}",
    Kind.PRODUCT: "\N{GREEK CAPITAL LETTER PI}",
    Kind.MEMORY: "pre",
}
TAGS = (Kind.TO, Kind.FROM)
SYMBOLS = (Kind.INTEGRATOR, Kind.SUM, Kind.PRODUCT)


def box_of(block: Block) -> Box:
    ports = max(len(block.inputs), len(block.outputs), 1)
    width = _width(block)
    if block.kind in TAGS:
        size = (width, TAG, len(block.inputs), len(block.outputs))
        return Box(*size, span=width, gap=PORT - TAG)
    head = TITLE if block.kind is Kind.COMPONENT else 0.0
    height = max(LEAST_HEIGHT, PORT * ports) + head
    name = name_above(block)
    room = NAME_ROOM if name else 0.0
    span = max(width, SMALL * len(shortened(name, LONGEST_NAME)), SMALL * len(text_below(block)))
    return Box(width, height, len(block.inputs), len(block.outputs), room, head, span)


def _width(block: Block) -> float:
    plain = LETTER * len(text_in(block)) + 16.0
    if block.kind in TAGS:
        return SMALL * len(text_in(block)) + 18.0
    if block.kind is Kind.COMPONENT:
        left = max((len(port_text(block, i.mark)) for i in block.inputs), default=0)
        right = max((len(port_text(block, name)) for name in block.outputs), default=0)
        return max(plain, SMALL * (left + right) + 26.0)
    marks = max((len(i.mark) for i in block.inputs), default=0)
    if block.kind is Kind.GAIN:
        plain += 12.0
    if block.kind in SYMBOLS:
        plain = 30.0
    return max(plain, 30.0) + (SMALL * marks if marks > 1 else 0.0)


def text_in(block: Block) -> str:
    longest = LONGEST_NAME if block.kind in TAGS else LONGEST_LABEL
    return WORDS.get(block.kind) or shortened(block.label, longest)


def name_above(block: Block) -> str:
    """The name of the signal, where the block does not show it itself."""
    shows_it = block.kind in (Kind.COMPONENT, Kind.INPUT, *TAGS)
    if shows_it or not block.outputs or block.outputs[0] == block.label:
        return ""
    return block.outputs[0]


def text_below(block: Block) -> str:
    is_told = block.kind is Kind.INTEGRATOR and block.label
    return f"start {shortened(block.label, LONGEST_NAME)}" if is_told else ""


def port_text(block: Block, name: str) -> str:
    """The name of a signal at a port of a component: its own ones without its name in front."""
    if block.kind is Kind.COMPONENT:
        name = name.removeprefix(f"{block.label}.")
    return shortened(name, LONGEST_NAME)


def shortened(text: str, longest: int) -> str:
    """Names that differ at the end stay different."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}\N{HORIZONTAL ELLIPSIS}{text[-end:]}"
