"""Where an expression stands: its class, the loops around it, the array an `end` refers to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from freewheel.base.limits import check_size
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.instance.nodes import Placed, Typed

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode


class NeedsUnrolling(Exception):  # noqa: N818  a request, not an error
    """A loop index picks a component out of an array of components: the loop cannot stay whole."""


@dataclass(frozen=True, slots=True)
class Context:
    scope: ClassNode
    iterators: Mapping[str, Typed] = field(default_factory=dict)
    end: f.Expr | None = None  # what `end` means here
    in_connect: bool = False
    picks_late: bool = (
        False  # a loop index picks while a function runs: its range is not known before
    )
    rounds: int = 1  # of the unrolled loops around, multiplied

    def span(self, node: Placed) -> Span:
        return self.scope.span(node)

    def with_iterator(self, name: str, value: Typed) -> Context:
        return replace(self, iterators={**self.iterators, name: value})

    def with_late_picks(self) -> Context:
        return replace(self, picks_late=True)

    def unrolled(self, values: Sequence[Typed], place: Span) -> Context:
        """Inside a loop that is written out for each of these values."""
        rounds = self.rounds * len(values)
        check_size(rounds, "the loops have", place, "rounds")
        return replace(self, rounds=rounds)

    def with_end(self, end: f.Expr | None) -> Context:
        return replace(self, end=end)


def is_symbolic(expr: f.Expr) -> bool:
    """Whether the index of a loop that stays whole occurs in the expression."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, f.Iterator):
            return True
        stack.extend(node.args)
    return False
