"""Which results of a section must be looked at to know that all are finite.

    unwatched(steps)          # slots whose numbers show in others, or were finite before

What is infinite or no number stays so through sums, differences and products: of `f = k*s` and
`a = f - d*v` only `a` needs a look. A number that is only copied was looked at where it was made.
Sections look at sums of the rest while the numbers are still in registers: reading all results again
took half as long as computing them. (A sum may overflow where no number does; the section then asks
the reference, as for any failure, and goes on with its answer.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from freewheel.backend.llvm_body import Body
from freewheel.formula.nodes import Binary, Expr, Unary, Var
from freewheel.program.nodes import Act, Assign, Step

PASSING = ("+", "-", "*")
SUMS = 4  # additions that do not wait for each other


def unwatched(steps: Sequence[Step]) -> frozenset[int]:
    """Slots that need no look; none where actions read results in between."""
    if any(isinstance(step, Act) for step in steps):
        return frozenset()
    made = Counter([step.target for step in steps if isinstance(step, Assign)])
    shown: set[Var] = set()  # variables that show in a later result
    rest: set[int] = set()
    for step in reversed(steps):
        if not isinstance(step, Assign) or step.guard is not None:
            continue
        target, head = step.target, step.target.name[0]
        is_shown = target in shown
        shown.discard(target)
        is_result = isinstance(head, int)
        if is_result and made[target] == 1 and (is_shown or _is_copy(step.value, made)):
            rest.add(int(head))
        if is_result or is_shown:
            shown.update(_passed(step.value))
    return frozenset(rest)


def _is_copy(value: Expr, made: Mapping[Var, int]) -> bool:
    return isinstance(value, Var) and isinstance(value.name[0], int) and value not in made


def _passed(value: Expr) -> Iterable[Var]:
    """Variables whose infinity would be that of the value."""
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, Var):
            yield node
        elif (isinstance(node, Binary) and node.op in PASSING) or (
            isinstance(node, Unary) and node.op == "-"
        ):
            stack.extend(node.args)


class Sums:
    """Sums of results in one function; finite if all of them are."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.sums: list[str] = []
        self.count = 0

    def add(self, operand: str) -> None:
        place = self.count % SUMS
        self.count += 1
        if place == len(self.sums):
            self.sums.append(operand)
        else:
            self.sums[place] = self.body.new(f"fadd double {self.sums[place]}, {operand}")

    def finish(self) -> None:
        """Leave with status 1 where a result is not finite."""
        if not self.sums:
            return
        total = self.sums[0]
        for other in self.sums[1:]:
            total = self.body.new(f"fadd double {total}, {other}")
        nothing = self.body.new(f"fsub double {total}, {total}")
        self.body.fail_if(self.body.new(f"fcmp une double {nothing}, 0.0"))
