"""A picture as SVG: half arrows, causal strokes, names, values, colours.

    draw(graph)      '<svg xmlns=...'

The half arrow has its barb below a level bond and right of an upright one. The stroke stands across the
end that is told the effort.
"""

from __future__ import annotations

from math import hypot
from textwrap import wrap
from xml.sax.saxutils import escape

from freewheel.bondgraph.labels import Sheet, text_box
from freewheel.bondgraph.layout import place
from freewheel.bondgraph.neatness import Cell
from freewheel.bondgraph.nodes import SOURCES, Graph, Kind, Stroke
from freewheel.bondgraph.picture import Line, Picture, Spot, Tone, picture_of

CELL_X, CELL_Y = 118.0, 96.0
MARGIN, HEAD, FOOT = 62.0, 52.0, 40.0
WIDE = 7.2  # of a letter of a name
GAP = 5.0  # between a spot and the end of a bond
BARB, STROKE = 11.0, 9.0
LONGEST = 22  # letters of a name
NOTE_Y, NOTE_X = 15.0, 5.6  # of a line of notes, and of a letter in it
PIN_X, LINE_X = 6.3, 5.7  # of a letter at a connector, and at a line
AIR = 1.5  # around a text

Point = tuple[float, float]
Label = tuple[float, float, str]  # where a text is, and which part of it is there

COLOURS = {
    Tone.ELECTRICAL: "#1f4e79",
    Tone.TRANSLATIONAL: "#2e6b34",
    Tone.ROTATIONAL: "#6b5a1e",
    Tone.THERMAL: "#8a3b12",
    Tone.BOND: "#333a44",
    Tone.PIN: "#556270",
    Tone.DEPENDENT: "#c22222",
    Tone.LOOP: "#d9820a",
    Tone.VARIABLE: "#7a3fa0",
    Tone.CLASH: "#c22222",
}


def draw(graph: Graph) -> str:
    """A whole SVG document."""
    picture = picture_of(graph)
    edges = [(line.tail, line.head) for line in picture.lines]
    centres, width = _centres(picture, _turned(picture, place(len(picture.spots), edges)))
    notes = _notes(picture, width)
    height = max((y for _, y in centres), default=0.0) + 44 + FOOT + _height(notes)
    ends = _ends(picture, centres)
    sheet = _sheet(picture, centres, ends)
    spots = [
        part
        for spot, centre in zip(picture.spots, centres, strict=True)
        for part in (_pin(spot, centre, sheet) if spot.is_pin else _spot(spot, centre))
    ]
    parts = [
        _head(width, height),
        *_title(picture),
        *_lines(picture, ends, sheet),
        *spots,
        *_legend(picture, height - 14.0 - _height(notes)),
        *(
            _text(
                12, height - 14.0 - NOTE_Y * k, text, "start", f'font-size="10.5" fill="{colour}"'
            )
            for k, (text, colour) in enumerate(reversed(notes))
        ),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _centres(picture: Picture, cells: list[Cell]) -> tuple[list[Point], float]:
    """Places of the spots, and the width of the picture: columns as wide as texts need."""
    widest = max((_box(spot)[0] for spot in picture.spots), default=0.0)
    names = max((PIN_X * len(_cut(s.head)) for s in picture.spots if s.is_pin), default=0.0)
    margin = max(MARGIN, widest + 10, names / 2 + 14)
    step = max(CELL_X, widest + 72, names + 16)
    centres = [(margin + x * step, HEAD + 34 + y * CELL_Y) for x, y in cells]
    width = max((x for x, _ in centres), default=0.0) + max(margin, names + 14)
    return centres, max(width, 12.0 + 7.4 * len(picture.subtitle), 320.0)


def _sheet(picture: Picture, centres: list[Point], ends: list[tuple[Point, Point]]) -> Sheet:
    """Spots and lines are where they are; texts of lines and connectors go around them."""
    sheet = Sheet()
    for tail, head in ends:
        sheet.add_line(tail, head)
    for spot, (x, y) in zip(picture.spots, centres, strict=True):
        half, above, below = _box(spot)
        sheet.add_box((x - half + GAP, y - above + GAP, x + half - GAP, y + below - GAP))
    return sheet


def _turned(picture: Picture, cells: list[Cell]) -> list[Cell]:
    """Sources to the left, grounds to the bottom."""
    sources = [k for k, s in enumerate(picture.spots) if s.kind in SOURCES]
    grounds = [k for k, s in enumerate(picture.spots) if s.kind is Kind.GROUND]
    right = max((x for x, _ in cells), default=0)
    bottom = max((y for _, y in cells), default=0)
    if sum(2 * cells[k][0] - right for k in sources) > 0:
        cells = [(right - x, y) for x, y in cells]
    if sum(bottom - 2 * cells[k][1] for k in grounds) > 0:
        cells = [(x, bottom - y) for x, y in cells]
    return cells


def _head(width: float, height: float) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">\n'
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
    )


def _title(picture: Picture) -> list[str]:
    return [
        f'<text x="12" y="20" font-size="14" font-weight="bold">{escape(picture.title)}</text>',
        f'<text x="12" y="37" fill="#556270">{escape(picture.subtitle)}</text>',
    ]


# ---------------------------------------------------------------- spots


def _pin(spot: Spot, centre: Point, sheet: Sheet) -> list[str]:
    """A small circle, its name at the first corner that is free: above on the right if it can be."""
    x, y = centre
    text = _cut(spot.head)
    corners = ((1, -6), (1, 14), (-1, -6), (-1, 14))
    places = [(x + 6 * side, y + down, "start" if side > 0 else "end") for side, down in corners]
    label = _placed(text, places, sheet, PIN_X, 10.5)
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="white" stroke="{COLOURS[spot.tone]}"/>',
        _text(*label[:2], text, label[2], 'font-size="10.5"'),
    ]


def _spot(spot: Spot, centre: Point) -> list[str]:
    x, y = centre
    colour = COLOURS[spot.tone]
    label = f"{spot.head} : {spot.name}" if spot.name else spot.head
    parts = [
        _text(x, y + 4.5, _cut(label), "middle", f'font-weight="bold" fill="{colour}"'),
    ]
    if spot.value:
        parts.append(_text(x, y + 18, _cut(spot.value), "middle", 'font-size="10" fill="#556270"'))
    return parts


def _text(x: float, y: float, text: str, anchor: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(text)}</text>'


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _box(spot: Spot) -> tuple[float, float, float]:
    """Half the width of what is written, and its height above and below the centre."""
    if spot.is_pin:
        return 5.0, 5.0, 5.0
    label = f"{spot.head} : {spot.name}" if spot.name else spot.head
    longest = max(len(_cut(label)) * WIDE, len(_cut(spot.value)) * 5.8)
    return longest / 2 + GAP, 8.0 + GAP, (20.0 if spot.value else 7.0) + GAP


def _border(spot: Spot, centre: Point, toward: Point) -> Point:
    """Where a line from the centre leaves the box of a spot."""
    half, above, below = _box(spot)
    dx, dy = toward[0] - centre[0], toward[1] - centre[1]
    reach_x = half / abs(dx) if dx else float("inf")
    reach_y = (below if dy > 0 else above) / abs(dy) if dy else float("inf")
    share = min(reach_x, reach_y, 0.45)
    return centre[0] + share * dx, centre[1] + share * dy


# ---------------------------------------------------------------- bonds


def _ends(picture: Picture, centres: list[Point]) -> list[tuple[Point, Point]]:
    """Where each line begins and ends; several bonds between the same two lie side by side."""
    seen: dict[frozenset[int], int] = {}
    ends: list[tuple[Point, Point]] = []
    for line in picture.lines:
        pair = frozenset((line.tail, line.head))
        shift = 9.0 * seen.get(pair, 0)
        seen[pair] = seen.get(pair, 0) + 1
        places = centres[line.tail], centres[line.head]
        tail = _border(picture.spots[line.tail], *places)
        head = _border(picture.spots[line.head], places[1], places[0])
        ends.append(((tail[0], tail[1] + shift), (head[0], head[1] + shift)))
    return ends


def _lines(picture: Picture, ends: list[tuple[Point, Point]], sheet: Sheet) -> list[str]:
    """Lines, and their texts where nothing else is."""
    parts: list[str] = []
    for line, (tail, head) in zip(picture.lines, ends, strict=True):
        parts += _line(line, tail, head)
        if line.text:
            text = _cut(line.text)
            label = _placed(text, _label_places(tail, head), sheet, LINE_X, 9.5)
            parts.append(_text(*label[:2], text, label[2], 'font-size="9.5" fill="#6b7783"'))
    return parts


def _placed(text: str, places: list[Label], sheet: Sheet, wide: float, high: float) -> Label:
    boxes = [text_box(x, y, wide * len(text), 0.8 * high, anchor, AIR) for x, y, anchor in places]
    return places[sheet.put(boxes)]


def _across(tail: Point, head: Point) -> tuple[Point, Point]:
    """Unit vectors along a bond and across it: down, or to the right of an upright bond."""
    length = hypot(head[0] - tail[0], head[1] - tail[1]) or 1.0
    ux, uy = (head[0] - tail[0]) / length, (head[1] - tail[1]) / length
    nx, ny = -uy, ux
    if ny < -1e-9 or (abs(ny) <= 1e-9 and nx < 0):
        nx, ny = -nx, -ny
    return (ux, uy), (nx, ny)


def _label_places(tail: Point, head: Point) -> list[Label]:
    """Beside the middle of a line, above or to the left of it; else on the other side, or nearer
    to an end."""
    _, (nx, ny) = _across(tail, head)
    places = []
    for side in (-1.0, 1.0):
        for share in (0.5, 0.35, 0.65):
            x = tail[0] + share * (head[0] - tail[0]) + side * 7 * nx
            y = tail[1] + share * (head[1] - tail[1]) + side * 8 * ny + 3.5
            anchor = "middle" if abs(nx) <= 0.3 else "end" if nx * side < 0 else "start"
            places.append((x, y, anchor))
    return places


def _line(line: Line, tail: Point, head: Point) -> list[str]:
    colour = COLOURS[line.tone]
    dashes = f' stroke-dasharray="{line.dashes}"' if line.dashes else ""
    path = f"M{tail[0]:.1f} {tail[1]:.1f}L{head[0]:.1f} {head[1]:.1f}"
    (ux, uy), (nx, ny) = _across(tail, head)
    if line.is_arrow:
        back = head[0] - BARB * ux + 0.6 * BARB * nx, head[1] - BARB * uy + 0.6 * BARB * ny
        path += f"L{back[0]:.1f} {back[1]:.1f}"
    parts = [f'<path d="{path}" stroke="{colour}" stroke-width="1.5" fill="none"{dashes}/>']
    if line.stroke is not Stroke.NONE:
        at = tail if line.stroke is Stroke.TAIL else head
        moving = ' stroke-dasharray="3 2"' if line.is_moving else ""
        parts.append(
            f'<path d="M{at[0] - STROKE * nx:.1f} {at[1] - STROKE * ny:.1f}'
            f'L{at[0] + STROKE * nx:.1f} {at[1] + STROKE * ny:.1f}"'
            f' stroke="{colour}" stroke-width="2.2"{moving}/>'
        )
    return parts


def _notes(picture: Picture, width: float) -> list[tuple[str, str]]:
    """Lines that fit, each with its colour; what is too long goes on in the next line."""
    most = int((width - 24.0) / NOTE_X)
    return [
        (line, COLOURS[note.tone])
        for note in picture.notes
        for line in wrap(note.text, most, subsequent_indent="\u2003", break_long_words=False)
    ]


def _height(notes: list[tuple[str, str]]) -> float:
    return NOTE_Y * len(notes) + 6.0 if notes else 0.0


def _legend(picture: Picture, y: float) -> list[str]:
    parts: list[str] = []
    x = 12.0
    for tone in picture.tones:
        if tone is Tone.PIN:
            continue
        colour = COLOURS[tone]
        parts.append(
            f'<rect x="{x:.0f}" y="{y - 8:.0f}" width="9" height="9" fill="{colour}"/>'
            f'<text x="{x + 13:.0f}" y="{y:.0f}" font-size="10.5">{tone}</text>'
        )
        x += 13 + 6.2 * len(tone) + 16
    return parts
