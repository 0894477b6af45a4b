"""Layered drawings of directed graphs (Sugiyama, Tagawa, Toda 1981): integers in, layers and orders out.

    layers(3, [(0, 1), (1, 2), (2, 0)])  == [0, 1, 2]       the edge (2, 0) points backwards

Cycles are cut where a depth-first search from the sources closes them. Layers follow the longest path;
then a vertex without predecessors moves next to its first reader. Orders within layers are found by
barycentre sweeps and exchanges of neighbours; the one with the fewest crossings is kept. Nothing is random.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

Edge = tuple[int, int]
SWEEPS = 24  # the usual number: later sweeps gain nothing on diagrams of up to 100 vertices
MOST_WORK = 40_000  # vertices times sweeps; beyond, a drawing is too large to be looked at anyway


def layers(count: int, edges: Sequence[Edge], first: Sequence[int] = ()) -> list[int]:
    """The layer of each vertex. The search begins at `first`, then at sources, then anywhere."""
    after = _successors(count, edges)
    forward = _without_back_edges(count, after, _roots(count, edges, first))
    level = _longest_paths(count, forward)
    before = _successors(count, [(b, a) for a, b in edges])
    for vertex in range(count):
        readers = [level[w] for w in forward[vertex]]
        if not before[vertex] and readers:
            level[vertex] = max(min(readers) - 1, 0)
    lowest = min(level, default=0)
    return [k - lowest for k in level]


def _successors(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    after: list[list[int]] = [[] for _ in range(count)]
    for a, b in dict.fromkeys(edges):
        if a != b:
            after[a].append(b)
    return after


def _roots(count: int, edges: Sequence[Edge], first: Sequence[int]) -> list[int]:
    heads = {b for _, b in edges}
    sources = [v for v in range(count) if v not in heads]
    return list(dict.fromkeys([*first, *sources, *range(count)]))


def _without_back_edges(
    count: int, after: Sequence[Sequence[int]], roots: Sequence[int]
) -> list[list[int]]:
    """Depth-first search; an edge to a vertex on the present path is left out."""
    kept: list[list[int]] = [[] for _ in range(count)]
    state = [0] * count  # 0 not seen, 1 on the path, 2 done
    for root in roots:
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(after[root]))]
        while stack:
            vertex, rest = stack[-1]
            head = next(rest, None)
            if head is None:
                state[vertex] = 2
                stack.pop()
            elif state[head] != 1:
                kept[vertex].append(head)
                if state[head] == 0:
                    state[head] = 1
                    stack.append((head, iter(after[head])))
    return kept


def _longest_paths(count: int, after: Sequence[Sequence[int]]) -> list[int]:
    missing = [0] * count
    for heads in after:
        for head in heads:
            missing[head] += 1
    level = [0] * count
    ready = [v for v in range(count) if not missing[v]]
    for vertex in ready:
        for head in after[vertex]:
            level[head] = max(level[head], level[vertex] + 1)
            missing[head] -= 1
            if not missing[head]:
                ready.append(head)
    return level


def order(level: Sequence[int], edges: Sequence[Edge]) -> list[list[int]]:
    """Vertices of each layer from top to bottom. Edges join neighbouring layers or stay in one; there
    they only draw their ends together."""
    near: list[list[int]] = [[] for _ in level]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    best: list[list[int]] = []
    fewest = len(edges) ** 2 + 1
    sweeps = max(4, min(SWEEPS, MOST_WORK // max(len(level), 1)))
    for start in _starts(near):
        rows: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
        for vertex in start:
            rows[level[vertex]].append(vertex)
        for sweep in range(sweeps):
            found = crossings(rows, edges, level)
            if found < fewest:
                best, fewest = [list(row) for row in rows], found
            is_down = sweep % 2 == 0
            for k in range(len(rows)) if is_down else reversed(range(len(rows))):
                _sort_row(rows, k, near, level, -1 if is_down else 1)
            _exchange(rows, near, level)
    return best


def _starts(near: Sequence[Sequence[int]]) -> list[list[int]]:
    """Orders to begin with: as numbered, and as searches in depth find the vertices from either end.
    Large graphs get one only."""
    count = len(near)
    if count * SWEEPS > MOST_WORK:
        return [_depth_first(near, range(count))]
    numbered = list(range(count))
    return [numbered, _depth_first(near, numbered), _depth_first(near, numbered[::-1])]


def _depth_first(near: Sequence[Sequence[int]], roots: Sequence[int]) -> list[int]:
    seen = [False] * len(near)
    found: list[int] = []
    for root in roots:
        stack = [root]
        while stack:
            vertex = stack.pop()
            if not seen[vertex]:
                seen[vertex] = True
                found.append(vertex)
                stack.extend(reversed(near[vertex]))
    return found


def _sort_row(
    rows: list[list[int]], k: int, near: Sequence[Sequence[int]], level: Sequence[int], side: int
) -> None:
    place = {v: at for j in (k, k + side) if 0 <= j < len(rows) for at, v in enumerate(rows[j])}

    def centre(vertex: int) -> float:
        wanted = [place[w] for w in near[vertex] if level[w] in (k, k + side)]
        return sum(wanted) / len(wanted) if wanted else place[vertex]

    rows[k].sort(key=centre)  # stable: ties keep their order


def _exchange(rows: list[list[int]], near: Sequence[Sequence[int]], level: Sequence[int]) -> None:
    """Neighbours change places while that takes crossings away (Eades, Kelly 1986)."""
    place = {v: at for row in rows for at, v in enumerate(row)}
    sides = {
        v: [sorted(place[w] for w in near[v] if level[w] == level[v] + side) for side in (-1, 1)]
        for row in rows
        for v in row
    }
    for row in rows:
        is_better = True
        while is_better:
            is_better = False
            for k in range(len(row) - 1):
                a, b = row[k], row[k + 1]
                if _crossed(sides[a], sides[b]) > _crossed(sides[b], sides[a]):
                    row[k], row[k + 1] = b, a
                    is_better = True
        for at, v in enumerate(row):
            place[v] = at
        for v in {w for u in row for w in near[u] if level[w] == level[u] + 1}:
            sides[v][0] = sorted(place[w] for w in near[v] if level[w] == level[v] - 1)


def _crossed(upper: Sequence[Sequence[int]], lower: Sequence[Sequence[int]]) -> int:
    """Crossings of the edges of two neighbours, the first above the second; ends are sorted."""
    return sum(
        bisect_left(after, end)
        for before, after in zip(upper, lower, strict=True)
        for end in before
    )


def crossings(rows: Sequence[Sequence[int]], edges: Sequence[Edge], level: Sequence[int]) -> int:
    """How often edges between neighbouring layers cross."""
    place = {v: at for row in rows for at, v in enumerate(row)}
    between: list[list[Edge]] = [[] for _ in rows]
    for a, b in edges:
        if level[a] != level[b]:
            a, b = (a, b) if level[a] < level[b] else (b, a)
            between[level[a]].append((place[a], place[b]))
    total = 0
    for pairs in between:
        ends: list[int] = []
        for _, end in sorted(pairs):
            total += len(ends) - bisect_right(ends, end)
            insort(ends, end)
    return total
