"""In which order to eliminate columns so that sparse factors stay sparse: minimum degree.

    minimum_degree(3, starts, rows)    ->  order, number of elements of the factors at most

Works on the pattern of A + A' with elements of the quotient graph (George, Liu 1989): an eliminated
column stands for the clique of its neighbours, so that no fill is ever stored edge by edge. Ties go to
the lower number: the same matrix always gives the same order.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def minimum_degree(n: int, starts: Sequence[int], rows: Sequence[int]) -> tuple[list[int], int]:
    neighbours = _symmetric(n, starts, rows)
    cliques: dict[int, set[int]] = {}
    member_of: list[set[int]] = [set() for _ in range(n)]
    degree = [len(found) for found in neighbours]
    heap = [(d, i) for i, d in enumerate(degree)]
    heapq.heapify(heap)
    done = [False] * n
    order: list[int] = []
    elements = n
    while heap:
        d, chosen = heapq.heappop(heap)
        if done[chosen] or d != degree[chosen]:
            continue
        done[chosen] = True
        order.append(chosen)
        clique = set(neighbours[chosen])
        for old in member_of[chosen]:
            clique |= cliques.pop(old, set())
        clique = {i for i in clique if not done[i]}
        elements += len(clique)
        absorbed = member_of[chosen]
        cliques[chosen] = clique
        for i in sorted(clique):
            member_of[i] -= absorbed
            member_of[i].add(chosen)
            neighbours[i].discard(chosen)
            neighbours[i] -= clique
            found = len(neighbours[i]) + sum(len(cliques[e]) - 1 for e in member_of[i])
            if found != degree[i]:
                degree[i] = found
                heapq.heappush(heap, (found, i))
    return order, elements


def _symmetric(n: int, starts: Sequence[int], rows: Sequence[int]) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(n)]
    for column in range(n):
        for row in rows[starts[column] : starts[column + 1]]:
            if row != column:
                neighbours[row].add(column)
                neighbours[column].add(row)
    return neighbours
