"""How large a model will be, estimated while its component tree is walked.

    extent.enter(1000)              # a part was met: an array of a thousand scalars
    extent.done += share            # which stands for this share of the tree

Each component of a class, each element of an array gets the same share of its parent's. After some
time the parts met, divided by the share that is done, tell the whole (D. E. Knuth, "Estimating the
efficiency of backtrack programs", 1975). Trees are uneven, so an early estimate must exceed the limit
by far, a later one by less.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.limits import max_size, too_large
from freewheel.base.source import Span

# Parts met, and by which factor the estimate must then exceed the limit.
STAGES = ((200, 1e6), (1_000, 1000.0), (5_000, 100.0), (20_000, 10.0))


@dataclass(slots=True)
class Extent:
    """Of one model."""

    title: str
    span: Span
    parts: int = 0
    scalars: int = 0
    done: float = 0.0  # share of the tree
    stage: int = 0

    def enter(self, scalars: int) -> None:
        self.parts += 1
        self.scalars += scalars
        size = max(self.parts, self.scalars)
        if size > max_size():
            raise self._too_large(size)
        # Many variables of one class say nothing before the first of its components is done.
        if self.done and self.stage < len(STAGES) and self.parts >= STAGES[self.stage][0]:
            factor = STAGES[self.stage][1]
            self.stage += 1
            whole = size / self.done
            if whole > factor * max_size():
                raise self._too_large(whole)

    def _too_large(self, size: float) -> Exception:
        return too_large(size, f"`{self.title}` has", self.span, "variables")
