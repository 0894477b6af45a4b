"""What holds when a tree leaves this room, and when two trees are the same.

In: a tree and its source. Out: nothing, or an `AssertionError`: a breach is our own mistake.
`same_tree(parse(a), a, parse(b), b)` is true if the two texts differ only in layout and comments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from freewheel.base.source import Source
from freewheel.syntax.nodes import KINDS, ClassDef, Component, StoredFile
from freewheel.syntax.text_nodes import Annotation, Comment

_PLACES = frozenset(("start", "end", "name_start"))


def check(tree: StoredFile, source: Source) -> None:
    """Every node has a place inside the file, and names stand where the tree says."""
    text = source.text
    for node in walk(tree):
        if "start" in node._fields:
            assert 0 <= node.start <= node.end <= len(text), node
        if isinstance(node, ClassDef):
            assert node.kind in KINDS, node.kind
            assert text.startswith(node.name, node.name_start), node.name
        elif isinstance(node, Component):
            assert text.startswith(node.name, node.start), node.name
        elif isinstance(node, Annotation):
            assert text.startswith("annotation", node.start), node
            assert text[node.end - 1] == ")", node
        elif isinstance(node, Comment):
            assert text.startswith(node.text, node.start), node


def walk(tree: Any) -> Iterator[Any]:
    """All nodes of a tree, parents first, in source order within each field."""
    stack = [tree]
    while stack:
        value = stack.pop()
        if not isinstance(value, tuple):
            continue
        if hasattr(value, "_fields"):
            yield value
        stack.extend(reversed(value))


def same_tree(
    left: StoredFile, left_source: Source, right: StoredFile, right_source: Source
) -> bool:
    """Equal in everything but places and comments; annotations are compared by their text."""
    stack: list[tuple[Any, Any]] = [(left._replace(comments=()), right._replace(comments=()))]
    while stack:
        a, b = stack.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, Annotation):
            text = left_source.text[a.start : a.end]
            if text != right_source.text[b.start : b.end]:
                return False
            stack.append((a.more, b.more))
        elif not isinstance(a, tuple):
            if a != b:
                return False
        elif hasattr(a, "_fields"):
            stack.extend(
                [(x, y) for name, x, y in zip(a._fields, a, b, strict=True) if name not in _PLACES]
            )
        elif len(a) != len(b):
            return False
        else:
            stack.extend(zip(a, b, strict=True))
    return True
