"""Where to draw vertices: a graph of integers in, cells of a grid out.

    place(3, [(0, 1), (1, 2)]) == [(0, 0), (1, 0), (2, 0)]

First distances in the plane are made like distances in the graph (stress majorisation: Gansner, Koren,
North 2004); then vertices snap to cells and walk from cell to cell while that makes bonds shorter and
straighter, with fewer crossings. Nothing is random: the same graph is always drawn the same way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from math import hypot

from freewheel.bondgraph.neatness import Cell, Neatness

Edge = tuple[int, int]
Point = tuple[float, float]

MAJORISED = 150  # vertices; beyond, the first placement by layers must do
NEATENED = 90
SWEEPS = 24
REACH = 2  # cells around a wish
LARGEST_BRANCH = 8  # vertices that move together


def place(count: int, edges: Sequence[Edge]) -> list[Cell]:
    """A cell for each vertex; no two share one. Parts that do not touch stand side by side."""
    cells: list[Cell] = [(0, 0)] * count
    left = 0
    for part in _parts(count, edges):
        number = {vertex: k for k, vertex in enumerate(part)}
        inside = [(number[a], number[b]) for a, b in edges if a in number and b in number]
        found = _place_part(len(part), [e for e in dict.fromkeys(inside) if e[0] != e[1]])
        width = max(x for x, _ in found) + 1
        for vertex, (x, y) in zip(part, found, strict=True):
            cells[vertex] = (x + left, y)
        left += width
    return cells


def _parts(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    near = _near(count, edges)
    seen = [False] * count
    parts: list[list[int]] = []
    for first in range(count):
        if not seen[first]:
            reached = _distances(near, first)
            part = [v for v in range(count) if reached[v] >= 0]
            for vertex in part:
                seen[vertex] = True
            parts.append(part)
    return parts


def _near(count: int, edges: Iterable[Edge]) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    return near


def _distances(near: Sequence[Sequence[int]], start: int) -> list[int]:
    """Steps from `start`; -1 where no way leads."""
    found = [-1] * len(near)
    found[start] = 0
    queue = deque([start])
    while queue:
        vertex = queue.popleft()
        for other in near[vertex]:
            if found[other] < 0:
                found[other] = found[vertex] + 1
                queue.append(other)
    return found


def _place_part(count: int, edges: Sequence[Edge]) -> list[Cell]:
    near = _near(count, edges)
    points = _layers(near)
    if count <= MAJORISED:
        points = _majorised(points, near)
    cells = _snapped(points)
    if count <= NEATENED:
        cells = _neatened(cells, edges, near)
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return [(x - left, y - top) for x, y in cells]


# ---------------------------------------------------------------- a first placement


def _layers(near: Sequence[Sequence[int]]) -> list[Point]:
    """By distance from one end of the graph; in a layer by the place of what came before."""
    far = _distances(near, 0)
    start = far.index(max(far))
    steps = _distances(near, start)
    rows: dict[int, float] = {}
    points: list[Point] = [(0.0, 0.0)] * len(near)
    for layer in range(max(steps) + 1):
        members = [v for v, step in enumerate(steps) if step == layer]

        def wish(vertex: int) -> float:
            before = [rows[v] for v in near[vertex] if v in rows]
            return sum(before) / len(before) if before else 0.0

        members.sort(key=lambda v: (wish(v), v))
        middle = (len(members) - 1) / 2
        placed = {v: k - middle + 0.01 * k for k, v in enumerate(members)}
        for vertex, row in placed.items():
            points[vertex] = (float(layer), row)
        rows.update(placed)
    return points


def _majorised(points: list[Point], near: Sequence[Sequence[int]]) -> list[Point]:
    """Each vertex moves to the mean of where the others would like it, again and again."""
    count = len(points)
    wanted = [_distances(near, v) for v in range(count)]
    for _ in range(60):
        moved: list[Point] = []
        for v, (x, y) in enumerate(points):
            sum_x = sum_y = total = 0.0
            for u, (ux, uy) in enumerate(points):
                if u == v:
                    continue
                wish = wanted[v][u]
                weight = 1.0 / (wish * wish)
                length = hypot(x - ux, y - uy) or 1e-9
                sum_x += weight * (ux + wish * (x - ux) / length)
                sum_y += weight * (uy + wish * (y - uy) / length)
                total += weight
            moved.append((sum_x / total, sum_y / total) if total else (x, y))
        points = moved
    return points


def _snapped(points: Sequence[Point]) -> list[Cell]:
    """The nearest free cell, for the innermost vertices first."""
    count = len(points)
    centre = (sum(x for x, _ in points) / count, sum(y for _, y in points) / count)
    order = sorted(
        range(count),
        key=lambda v: (round(hypot(points[v][0] - centre[0], points[v][1] - centre[1]), 6), v),
    )
    cells: list[Cell] = [(0, 0)] * count
    taken: set[Cell] = set()
    for vertex in order:
        x, y = points[vertex]
        wish = round(x), round(y)
        radius = 0
        while True:
            ring = [
                (wish[0] + dx, wish[1] + dy)
                for dx in range(-radius, radius + 1)
                for dy in range(-radius, radius + 1)
                if max(abs(dx), abs(dy)) == radius
            ]
            free = [cell for cell in ring if cell not in taken]
            if free:
                break
            radius += 1
        best = min(free, key=lambda c: (round(hypot(c[0] - x, c[1] - y), 6), c))
        cells[vertex] = best
        taken.add(best)
    return cells


# ---------------------------------------------------------------- from cell to cell


def _neatened(
    cells: list[Cell], edges: Sequence[Edge], near: Sequence[Sequence[int]]
) -> list[Cell]:
    """Moves and exchanges as long as one helps."""
    neat = Neatness(cells, edges)
    branches = _branches(edges, near)
    for _ in range(SWEEPS):
        is_better = _shifted(neat, branches)
        for vertex in range(len(cells)):
            for target in _targets(neat, vertex, near[vertex]):
                if neat.gain(vertex, target) > 1e-9:
                    neat.move(vertex, target)
                    is_better = True
        if not is_better:
            break
    return neat.cells


def _targets(neat: Neatness, vertex: int, near: Sequence[int]) -> list[Cell]:
    """Cells around the vertex and around each of its neighbours."""
    wishes = [neat.cells[vertex], *(neat.cells[v] for v in near)]
    return sorted(
        {
            (x + dx, y + dy)
            for x, y in wishes
            for dx in range(-REACH, REACH + 1)
            for dy in range(-REACH, REACH + 1)
        }
    )


def _branches(edges: Sequence[Edge], near: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """What one edge holds on the rest, from two vertices on; the smaller side."""
    found: dict[tuple[int, ...], None] = {}
    for a, b in edges:
        for root, gate in ((a, b), (b, a)):
            side = [root]
            seen = {root, gate}
            for vertex in side:
                for other in near[vertex]:
                    if other not in seen:
                        seen.add(other)
                        side.append(other)
            is_held = not any(v != root and gate in near[v] for v in side)
            if (
                is_held
                and near[root].count(gate) == 1
                and 1 < len(side) <= min(LARGEST_BRANCH, len(near) / 2)
            ):
                found[tuple(sorted(side))] = None
    return list(found)


def _shifted(neat: Neatness, branches: Sequence[tuple[int, ...]]) -> bool:
    is_better = False
    steps = [(x, y) for x in range(-REACH, REACH + 1) for y in range(-REACH, REACH + 1) if x or y]
    for branch in branches:
        for step in steps:
            if neat.gain_of_shift(branch, step) > 1e-9:
                neat.shift(branch, step)
                is_better = True
    return is_better
