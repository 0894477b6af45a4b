"""The incidence matrix before and after sorting as one SVG picture.

    draw(block_matrix(ordered))      '<svg xmlns=...'

Each entry is a square: what an equation is solved for is dark, what else it holds is light. Loops are
framed, the columns of variables that are iterated on are shaded. Small models have names along
the edges; large ones are drawn to the same size, an entry never smaller than a dot that can be seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from freewheel.listing.incidence_matrix.make import BlockMatrix, Matrix, Place

SIDE = 620.0  # of a matrix of a large model
LARGEST_CELL = 17.0
NAMED = 60  # equations; larger models have no names at the edges
LEAST_DOT = 1.1
MARGIN = 24.0
HEAD = 58.0
FOOT = 46.0
CHARACTER = 5.6  # width at font size 9.5
LONGEST_NAME = 46
LONGEST_COLUMN = 26

HELD, GIVEN, IN_LOOP = "#b8c4d0", "#1f4e79", "#c97b1a"
FRAME, SHADE, GRID = "#a33", "#fbe3c0", "#e8ecf0"


@dataclass(frozen=True, slots=True)
class _Panel:
    """Where one matrix is drawn."""

    x: float
    y: float
    cell: float
    matrix: Matrix
    places: tuple[Place, ...]  # empty before sorting

    @property
    def side(self) -> float:
        return self.cell * len(self.matrix.rows)


def draw(picture: BlockMatrix) -> str:
    """A whole SVG document."""
    count = len(picture.before.rows)
    cell = min(LARGEST_CELL, SIDE / max(count, 1))
    is_named = count <= NAMED
    names = _edge(picture.before.row_names, LONGEST_NAME) if is_named else 0.0
    top = HEAD + (_edge(picture.before.column_names, LONGEST_COLUMN) if is_named else 0.0)
    left = _Panel(MARGIN + names, top, cell, picture.before, ())
    second = left.x + left.side + 2 * MARGIN + names
    right = _Panel(second, top, cell, picture.after, picture.blocks)
    width = max(right.x + right.side + MARGIN, 660.0)
    height = top + left.side + FOOT
    parts = [
        _head(width, height),
        *_title(picture),
        *_panel(left, "as written", is_named),
        *_panel(right, "sorted", is_named),
        *_legend(MARGIN, height - 18.0),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _edge(names: Iterable[str], longest: int) -> float:
    return CHARACTER * max((min(len(name), longest + 3) for name in names), default=0) + 6


def _head(width: float, height: float) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="9.5">\n'
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>'
    )


def _title(picture: BlockMatrix) -> list[str]:
    sizes = [
        f"{loop.size} torn to {loop.torn}" if loop.is_torn else f"{loop.size} as a whole"
        for loop in picture.loops
    ]
    loops = ", ".join(sizes[:6]) + (" ..." if len(sizes) > 6 else "")
    text = (
        f"{len(picture.after.rows)} equations, {len(picture.states)} states,"
        f" {len(picture.blocks)} blocks" + (f"; loops: {loops}" if sizes else "; no loops")
    )
    return [
        f'<text x="{MARGIN:.0f}" y="20" font-size="14" font-weight="bold">'
        f"{escape(picture.name)}</text>",
        f'<text x="{MARGIN:.0f}" y="36" font-size="11">{escape(text)}</text>',
    ]


def _panel(panel: _Panel, title: str, is_named: bool) -> list[str]:
    side = f"{panel.side:.2f}"
    return [
        f'<g transform="translate({panel.x:.2f},{panel.y:.2f})">',
        *_shades(panel),
        *(_grid(panel) if is_named else ()),
        f'<rect width="{side}" height="{side}" fill="none" stroke="#889"/>',
        *_entries(panel),
        *_frames(panel),
        *(_names(panel) if is_named else ()),
        f'<text x="0" y="{panel.side + 14:.1f}" font-size="11">{title}</text>',
        "</g>",
    ]


def _shades(panel: _Panel) -> list[str]:
    """Columns that are iterated on, over the height of their loop."""
    return [
        _rectangle(panel, place.end - place.torn, place.first, place.torn, place.size)
        + f' fill="{SHADE}"/>'
        for place in panel.places
        if place.is_torn
    ]


def _rectangle(panel: _Panel, x: int, y: int, width: int, height: int) -> str:
    c = panel.cell
    return (
        f'<rect x="{x * c:.2f}" y="{y * c:.2f}" width="{width * c:.2f}" height="{height * c:.2f}"'
    )


def _grid(panel: _Panel) -> list[str]:
    lines = "".join(
        f"M0 {k * panel.cell:.2f}h{panel.side:.2f}M{k * panel.cell:.2f} 0v{panel.side:.2f}"
        for k in range(1, len(panel.matrix.rows))
    )
    return [f'<path d="{lines}" stroke="{GRID}" fill="none"/>'] if lines else []


def _entries(panel: _Panel) -> list[str]:
    """One path for each kind of entry: ten thousand of them are still a small file."""
    loop_of = {k: place for place in panel.places if place.torn for k in _range(place)}
    squares: dict[str, list[str]] = {HELD: [], IN_LOOP: [], GIVEN: []}
    dot = max(panel.cell * 0.76, LEAST_DOT)
    shift = (panel.cell - dot) / 2
    for row, columns in enumerate(panel.matrix.rows):
        for column in columns:
            kind = HELD
            if column == panel.matrix.given[row]:
                kind = GIVEN
            elif row in loop_of and loop_of.get(column) is loop_of[row]:
                kind = IN_LOOP
            x, y = column * panel.cell + shift, row * panel.cell + shift
            squares[kind].append(f"M{x:.2f} {y:.2f}h{dot:.2f}v{dot:.2f}h-{dot:.2f}z")
    return [f'<path d="{"".join(s)}" fill="{kind}"/>' for kind, s in squares.items() if s]


def _range(place: Place) -> range:
    return range(place.first, place.end)


def _frames(panel: _Panel) -> list[str]:
    return [
        _rectangle(panel, place.first, place.first, place.size, place.size)
        + f' fill="none" stroke="{FRAME}" stroke-width="1.5"'
        + ("/>" if place.is_linear else ' stroke-dasharray="4 2"/>')
        for place in panel.places
        if place.torn
    ]


def _names(panel: _Panel) -> list[str]:
    parts: list[str] = []
    for row, name in enumerate(panel.matrix.row_names):
        y = (row + 0.5) * panel.cell + 3.2
        parts.append(
            f'<text x="-5" y="{y:.1f}" text-anchor="end">{_cut(name, LONGEST_NAME)}</text>'
        )
    for column, name in enumerate(panel.matrix.column_names):
        x = (column + 0.5) * panel.cell + 3.2
        parts.append(
            f'<text transform="translate({x:.1f},-5) rotate(-90)">{_cut(name, LONGEST_COLUMN)}</text>'
        )
    return parts


def _cut(name: str, longest: int) -> str:
    return escape(name if len(name) <= longest else name[:longest] + "...")


def _legend(x: float, y: float) -> list[str]:
    parts: list[str] = []
    for colour, text in (
        (GIVEN, "solved for this"),
        (HELD, "holds this"),
        (IN_LOOP, "holds this, in the same loop"),
        (SHADE, "iterated on"),
    ):
        parts.append(f'<rect x="{x:.0f}" y="{y - 8:.0f}" width="9" height="9" fill="{colour}"/>')
        parts.append(f'<text x="{x + 13:.0f}" y="{y:.0f}">{text}</text>')
        x += 13 + CHARACTER * len(text) + 18
    parts.append(
        f'<text x="{x:.0f}" y="{y:.0f}" fill="{FRAME}">frame: loop (dashed: nonlinear)</text>'
    )
    return parts
