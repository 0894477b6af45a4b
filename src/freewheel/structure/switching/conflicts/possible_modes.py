"""Which positions can switches have together? Definitions of Booleans decide it.

    Sticking = not (Start or Forward or Backward)        Sticking and Forward: never

    possible = Possible(bits)
    possible.allows({0: True, 4: True})

Values are carried on from each decided condition: through `and`, `or`, `not` and into the definitions
of Boolean variables, current and before the event. What is left open counts as possible, so that no
case is lost; a case that is excluded cannot happen, and no state need be released for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from freewheel.formula.nodes import Binary, Boolean, Expr, Integer, Literal, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import is_pre
from freewheel.structure.switching.conditions import MAX_DEPTH, Bits, Decided, canonical
from freewheel.structure.switching.nodes import Case

NEAR = 8  # bits on either side, of those that hang together: an element's own are side by side


class Possible:
    def __init__(self, bits: Bits) -> None:
        self.bits = bits
        self.definition = {**bits.known, **bits.remembering}
        self.group_of: dict[Var, int] = {}
        self.groups: list[int] = []  # each points to itself or to the one it was joined with
        self.together: dict[int, list[int]] = {}
        self.seen = 0
        self.answers: dict[Case, bool] = {}

    def allows(self, decided: Decided, new: Case = ()) -> bool:
        """Whether `new` can be besides what is decided."""
        self._meet()
        asked = dict(new)
        for bit in [*asked] or [*decided]:
            for other in self._near(bit):
                if other in decided:
                    asked.setdefault(other, decided[other])
        key = tuple(sorted(asked.items()))
        if key not in self.answers:
            self.answers[key] = len(key) < 2 or self._agree(key)
        return self.answers[key]

    def _agree(self, case: Case) -> bool:
        bits = self.bits.bits
        implied = [(bits[bit].condition, value == bits[bit].is_direct) for bit, value in case]
        return _Values(self.definition).agree(implied)

    def _near(self, bit: int) -> Sequence[int]:
        """So many that share Boolean variables with this one that time does not run away."""
        group = self.together[self._root(bit)]
        at = bisect_left(group, bit)
        return group[max(0, at - NEAR) : at + NEAR + 1]

    # ------------------------------------------------------------ bits that share variables

    def _meet(self) -> None:
        """Take in the bits that are new."""
        for bit in self.bits.bits[self.seen :]:
            home = len(self.groups)
            self.groups.append(home)
            for var in self._behind(bit.condition):
                other = self.group_of.setdefault(var, home)
                self.groups[self._root(home)] = self._root(other)
        if self.seen < len(self.bits.bits):
            self.seen = len(self.bits.bits)
            self.together = {}
            for bit in self.bits.bits:
                self.together.setdefault(self._root(bit.number), []).append(bit.number)

    def _behind(self, condition: Expr) -> Iterator[Var]:
        """Variables of a condition and of all definitions it leads to, each once."""
        stack = [*variables_in(condition)]
        seen: set[Var] = set()
        while stack:
            var = stack.pop()
            base = Var(var.name[1:]) if is_pre(var) else var
            if base in seen:
                continue
            seen.add(base)
            if base in self.definition and base not in self.group_of:
                stack.extend(variables_in(self.definition[base]))
            yield base

    def _root(self, group: int) -> int:
        while self.groups[group] != group:
            self.groups[group] = self.groups[self.groups[group]]
            group = self.groups[group]
        return group


class _Values:
    """Truths that follow from others."""

    def __init__(self, definition: dict[Var, Expr]) -> None:
        self.definition = definition
        self.value: dict[Expr, bool] = {}
        self.equal: dict[Expr, Expr] = {}  # what a number or an enumeration is
        self.open: dict[Expr, None] = {}  # `and` and `or` that may yet decide something

    def agree(self, conditions: Sequence[tuple[Expr, bool]]) -> bool:
        stack = [*conditions]
        while True:
            while stack:
                if not self._take(*stack.pop(), stack):
                    return False
            stack = [known for node in [*self.open] for known in self._implied(node)]
            if not stack:
                return True

    def _take(self, expr: Expr, value: bool, stack: list[tuple[Expr, bool]]) -> bool:
        """Note a truth and what follows at once; false: it contradicts another one."""
        expr, sense = canonical(expr)
        value = value == sense
        if isinstance(expr, Boolean):
            return expr.data == value
        if expr in self.value:
            return self.value[expr] == value
        self.value[expr] = value
        if isinstance(expr, Binary) and expr.op in ("and", "or"):
            if value == (expr.op == "and"):
                stack += [(expr.left, value), (expr.right, value)]
            else:
                self.open[expr] = None
        elif isinstance(expr, Binary) and expr.op == "==" and value:
            return self._is(expr.left, expr.right)
        elif isinstance(expr, Var) and expr in self.definition:
            stack.append((self.definition[expr], value))
        return True

    def _is(self, left: Expr, right: Expr) -> bool:
        """One quantity cannot be two numbers."""
        if isinstance(left, Integer | Literal):
            left, right = right, left
        if not isinstance(right, Integer | Literal):
            return True
        return self.equal.setdefault(left, right) == right

    def _implied(self, node: Expr) -> Sequence[tuple[Expr, bool]]:
        """`a or b` holds and `a` does not: `b` does. Likewise for `and`."""
        assert isinstance(node, Binary)
        neutral = node.op == "and"  # the value of one side that leaves all to the other side
        for side, other in ((node.left, node.right), (node.right, node.left)):
            known = self._known(side)
            if known is not None:
                del self.open[node]
                return [(other, not neutral)] if known == neutral else []
        return []

    def _known(self, expr: Expr, depth: int = MAX_DEPTH) -> bool | None:
        """By what was noted; else by its parts, a variable by its definition."""
        expr, sense = canonical(expr)
        if isinstance(expr, Boolean):
            return expr.data == sense
        found = self.value.get(expr)
        if found is None and depth > 0:
            found = self._by_parts(expr, depth - 1)
        return None if found is None else found == sense

    def _by_parts(self, expr: Expr, depth: int) -> bool | None:
        if isinstance(expr, Var) and expr in self.definition:
            return self._known(self.definition[expr], depth)
        if not isinstance(expr, Binary):
            return None
        if expr.op == "==" and expr.left in self.equal:
            is_number = isinstance(expr.right, Integer | Literal)
            return self.equal[expr.left] == expr.right if is_number else None
        if expr.op not in ("and", "or"):
            return None
        sides = self._known(expr.left, depth), self._known(expr.right, depth)
        decisive = expr.op == "or"
        if decisive in sides:
            return decisive
        return None if None in sides else not decisive
