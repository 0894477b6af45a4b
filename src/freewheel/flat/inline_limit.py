"""Which functions are too long to be put in the place of their calls.

    f39 calls f38 twice, f38 calls f37 twice, ...: written out, f39 has 2^39 terms

In: functions. Out: the same; those whose body, with the bodies of the functions it calls written out,
is too long are no longer marked `inline`. They stay calls, which gives the same values.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.base.names import ClassName
from freewheel.flat.reached import parts_of
from freewheel.formula.nodes import Call, Expr
from freewheel.formula.scalarize import MOST_NODES
from freewheel.formula.statement_nodes import Function
from freewheel.formula.walk import fold


def with_short_inlines(functions: tuple[Function, ...]) -> tuple[Function, ...]:
    lengths = _Lengths({f.name: f for f in functions if f.inline})
    return tuple(
        replace(f, inline=False) if f.inline and lengths.of(f.name) > MOST_NODES else f
        for f in functions
    )


class _Lengths:
    """In nodes of formulas."""

    def __init__(self, inlined: dict[ClassName, Function]) -> None:
        self._inlined = inlined
        self._known: dict[ClassName, int] = {}
        self._memo: dict[Expr, int] = {}

    def of(self, name: ClassName) -> int:
        if name not in self._known:
            self._known[name] = 1  # what calls itself is put in place once
            self._known[name] = sum(
                fold(part, self._node, self._memo)
                for part in parts_of(self._inlined[name])
                if isinstance(part, Expr)
            )
        return self._known[name]

    def _node(self, node: Expr, inner: tuple[int, ...]) -> int:
        called = node.function if isinstance(node, Call) else ""
        body = self.of(called) if isinstance(called, tuple) and called in self._inlined else 1
        return body + sum(inner)
