"""Strongly connected blocks in an order of evaluation (Tarjan 1972, explicit stack).

    components([[1], [0], [0, 1]]) == [[0, 1], [2]]

`edges[n]` lists what node `n` needs; a block comes out after everything it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

UNSEEN = -1


def components(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """All blocks; nodes of a block in ascending order."""
    return components_from(edges, range(len(edges)))


def components_from(edges: Sequence[Sequence[int]], roots: Sequence[int]) -> list[list[int]]:
    """The blocks reachable from `roots`."""
    count = len(edges)
    number = [UNSEEN] * count
    low = [0] * count
    on_stack = [False] * count
    position = [0] * count
    stack: list[int] = []
    blocks: list[list[int]] = []
    counter = 0
    for root in roots:
        if number[root] != UNSEEN:
            continue
        work = [root]
        number[root] = low[root] = counter
        counter += 1
        stack.append(root)
        on_stack[root] = True
        while work:
            node = work[-1]
            targets = edges[node]
            at = position[node]
            if at < len(targets):
                position[node] = at + 1
                target = targets[at]
                if number[target] == UNSEEN:
                    number[target] = low[target] = counter
                    counter += 1
                    stack.append(target)
                    on_stack[target] = True
                    work.append(target)
                elif on_stack[target] and number[target] < low[node]:
                    low[node] = number[target]
                continue
            work.pop()
            if work and low[node] < low[work[-1]]:
                low[work[-1]] = low[node]
            if low[node] == number[node]:
                blocks.append(_take_block(stack, on_stack, node))
    return blocks


def _take_block(stack: list[int], on_stack: list[bool], root: int) -> list[int]:
    block: list[int] = []
    while True:
        node = stack.pop()
        on_stack[node] = False
        block.append(node)
        if node == root:
            block.sort()
            return block


def first_visits(edges: Sequence[Sequence[int]], roots: Sequence[int]) -> list[int]:
    """Nodes in the order in which `components_from` comes to them."""
    seen = [False] * len(edges)
    order: list[int] = []
    for root in roots:
        stack = [root]
        while stack:
            node = stack.pop()
            if not seen[node]:
                seen[node] = True
                order.append(node)
                stack.extend(reversed(edges[node]))
    return order


def reachable(edges: Sequence[Sequence[int]], roots: Sequence[int]) -> set[int]:
    """Every node that some root needs, the roots included."""
    seen = set(roots)
    stack = list(roots)
    while stack:
        for target in edges[stack.pop()]:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return seen
