"""How neat a drawing on a grid is, and what moving one vertex would gain.

Long bonds, slanting bonds, bonds that cross and bonds that run over a vertex cost; the sum of what one
vertex has to do with is computed anew for each try.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt

Cell = tuple[int, int]

SLANT = 0.5  # of a bond that is neither level nor upright
CROSSING = 3.0
OVER_VERTEX = 6.0
TALL = 0.08  # per cell of height: pictures are wider than high


class Neatness:
    def __init__(self, cells: Sequence[Cell], edges: Sequence[tuple[int, int]]) -> None:
        self.cells = list(cells)
        self._edges = list(edges)
        self._at = {cell: vertex for vertex, cell in enumerate(self.cells)}
        self._memo: dict[tuple[int, ...], float] = {}  # costs, until something moves
        self._kept = self._memo
        self._of: list[list[int]] = [[] for _ in self.cells]
        for number, (a, b) in enumerate(self._edges):
            self._of[a].append(number)
            self._of[b].append(number)

    def gain(self, vertex: int, target: Cell) -> float:
        """What is saved by moving there, or by changing places with who is there."""
        if target == self.cells[vertex]:
            return 0.0
        other = self._at.get(target)
        touched = (vertex,) if other is None else (vertex, other)
        before = self._known_cost(touched)
        origin = self.cells[vertex]
        self.move(vertex, target)
        after = self._cost(touched) if self._length_at(touched) < before else before
        self._undo(vertex, origin)
        return before - after

    def _length_at(self, vertices: tuple[int, ...]) -> float:
        """All other costs are positive, so lengths alone may tell that nothing is gained."""
        mine = {number for vertex in vertices for number in self._of[vertex]}
        return sum(self._length(number) for number in mine)

    def gain_of_shift(self, group: tuple[int, ...], step: Cell) -> float:
        """What is saved by moving several vertices alike, onto free cells only."""
        targets = [(self.cells[v][0] + step[0], self.cells[v][1] + step[1]) for v in group]
        if any(self._at.get(cell, group[0]) not in group for cell in targets):
            return 0.0
        before = self._known_cost(group)
        kept = self._memo
        self.shift(group, step)
        after = self._cost(group) if self._length_at(group) < before else before
        self.shift(group, (-step[0], -step[1]))
        self._memo = kept
        return before - after

    def shift(self, group: tuple[int, ...], step: Cell) -> None:
        self._memo = {}
        for vertex in group:
            del self._at[self.cells[vertex]]
        for vertex in group:
            x, y = self.cells[vertex]
            self.cells[vertex] = (x + step[0], y + step[1])
            self._at[self.cells[vertex]] = vertex

    def _known_cost(self, vertices: tuple[int, ...]) -> float:
        if vertices not in self._memo:
            self._memo[vertices] = self._cost(vertices)
        return self._memo[vertices]

    def _undo(self, vertex: int, origin: Cell) -> None:
        kept = self._kept
        self.move(vertex, origin)
        self._memo = kept

    def move(self, vertex: int, target: Cell) -> None:
        self._kept, self._memo = self._memo, {}
        origin = self.cells[vertex]
        other = self._at.get(target)
        self.cells[vertex] = target
        self._at[target] = vertex
        if other is None:
            del self._at[origin]
        else:
            self.cells[other] = origin
            self._at[origin] = other

    def _cost(self, vertices: tuple[int, ...]) -> float:
        mine = dict.fromkeys(number for v in vertices for number in self._of[v])
        total = sum(self._length(number) for number in mine)
        for number in mine:
            total += self._crossings(number, mine) + self._under(number)
        for vertex in vertices:
            cell = self.cells[vertex]
            total += TALL * abs(cell[1])
            for number in range(len(self._edges)):
                if number not in mine and self._is_over(number, cell):
                    total += OVER_VERTEX
        return total

    def _crossings(self, number: int, mine: dict[int, None]) -> float:
        """With all other edges; two of `mine` are counted once."""
        cells = self.cells
        one, two = self._edges[number]
        a, b = cells[one], cells[two]
        left, right = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        top, bottom = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        total = 0.0
        for other, (p, q) in enumerate(self._edges):
            c, d = cells[p], cells[q]
            if (c[0] < left and d[0] < left) or (c[0] > right and d[0] > right):
                continue
            if (c[1] < top and d[1] < top) or (c[1] > bottom and d[1] > bottom):
                continue
            if p in (one, two) or q in (one, two) or (other in mine and other < number):
                continue
            if _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0:
                total += CROSSING
        return total

    def _under(self, number: int) -> float:
        """Vertices that an edge runs over."""
        ends = self._edges[number]
        (ax, ay), (bx, by) = self.cells[ends[0]], self.cells[ends[1]]
        if max(abs(ax - bx), abs(ay - by)) < 2:
            return 0.0  # no cell lies between
        return sum(
            OVER_VERTEX
            for vertex, cell in enumerate(self.cells)
            if vertex not in ends and self._is_over(number, cell)
        )

    def _length(self, number: int) -> float:
        (ax, ay), (bx, by) = self._ends(number)
        dx, dy = abs(ax - bx), abs(ay - by)
        distance = hypot(dx, dy)
        return distance * sqrt(distance) + (SLANT if dx and dy else 0.0)

    def _ends(self, number: int) -> tuple[Cell, Cell]:
        a, b = self._edges[number]
        return self.cells[a], self.cells[b]

    def _is_over(self, number: int, cell: Cell) -> bool:
        (ax, ay), (bx, by) = self._ends(number)
        x, y = cell
        if not (min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by)):
            return False
        return (bx - ax) * (y - ay) == (by - ay) * (x - ax)


def _side(a: Cell, b: Cell, c: Cell) -> int:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)
