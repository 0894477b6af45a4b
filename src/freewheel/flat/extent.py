"""How large a model will be, estimated while its component tree is walked.

    extent.enter(1000)              # a part was met: an array of a thousand scalars

Components of the same type, elements of an array are taken to be as large as the one that is being
walked: the first way down to a leaf tells how often classes and arrays multiply. Components of other types
may be as large or nearly nothing. Where that matters, a few ways down are chosen at random (D. E. Knuth,
"Estimating the efficiency of backtrack programs", 1975); a model in which one component of many is large
is not mistaken for one in which all are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, prod
from random import Random

from freewheel.base.limits import max_size, too_large
from freewheel.base.source import Span
from freewheel.instance.components import ComponentInstance, components_of

FIRST = 256  # parts met before the first estimate; then twice as many before each further one
# By this factor an estimate must exceed the limit: components of one type may differ in size. The more
# was met, the less is estimated.
FACTORS = ((20_000, 20.0), (100_000, 5.0))
LEAST_FACTOR = 2.0
LEVELS, SAMPLES = 8, 9  # classes on the way that are sampled, and ways down from each


@dataclass(slots=True)
class Level:
    """A class on the way from the model to the part that is being walked."""

    components: Sequence[ComponentInstance]
    size: int  # of all that was met before it
    component: int = 0  # which one is being walked
    left: int = 0  # elements of it that are still to come
    before: int = 0  # size of what was met before this element

    def alike(self) -> int:
        """Components still to come that have the type of this one."""
        kind = self.components[self.component].element.decl.type
        later = self.components[self.component + 1 :]
        return sum(other.element.decl.type.parts == kind.parts for other in later)

    def others(self) -> int:
        """All of them that have parts."""
        return sum(c.simple is None for c in self.components[self.component + 1 :])


@dataclass(slots=True)
class Extent:
    """Of one model."""

    title: str
    span: Span
    parts: int = 0
    scalars: int = 0
    next: int = FIRST
    limit: int = field(default_factory=max_size)
    levels: list[Level] = field(default_factory=list)

    @property
    def size(self) -> int:
        return max(self.parts, self.scalars)

    def begin(self, components: Sequence[ComponentInstance]) -> Level:
        level = Level(components, self.size)
        self.levels.append(level)
        self.enter(0)
        return level

    def end(self) -> None:
        self.levels.pop()

    def enter(self, scalars: int) -> None:
        self.parts += 1
        self.scalars += scalars
        self.expect(0)
        if self.parts >= self.next:
            self._check()

    def expect(self, more: int) -> None:
        """So many parts at least are still to come."""
        size = max(self.parts + more, self.scalars)
        if size > self.limit:
            raise self._too_large(size)

    def _check(self) -> None:
        self.next = 2 * self.parts
        factors = (factor for parts, factor in FACTORS if self.parts < parts)
        most = next(factors, LEAST_FACTOR) * self.limit
        whole = self._estimate(Level.alike)
        if whole <= most and self._estimate(Level.others) > most:
            whole = self._sampled()
        if whole > most:
            raise self._too_large(whole)

    def _estimate(self, alike: Callable[[Level], int]) -> float:
        """From the inside out: what was met of a class, and as often as it will come what is inside."""
        inside = float(self.size - self.levels[-1].size)
        for level in reversed(self.levels[:-1]):
            inside = level.before - level.size + inside * (1 + level.left + alike(level))
        return inside

    def _sampled(self) -> float:
        """The largest of the classes on the way, each by what half of its samples exceed."""
        random = Random(0)
        levels = self.levels[:: 1 + len(self.levels) // LEVELS]
        return max(
            sorted(_sample(level.components, random) for _ in range(SAMPLES))[SAMPLES // 2]
            for level in levels
        )

    def _too_large(self, size: float) -> Exception:
        return too_large(size, f"`{self.title}` has", self.span, "variables")


def _sample(components: Sequence[ComponentInstance], random: Random) -> float:
    """The size of a class, as if all its branches were like the one that is followed."""
    size, weight = 0.0, 1.0
    while weight < inf:
        size += weight * (1 + sum(c.simple is not None for c in components))
        inner = [c for c in components if c.simple is None and not c.is_outer and c.exists()]
        followed = random.choice(inner) if inner else None
        if followed is None or not prod(followed.dims()):
            break
        weight *= len(inner) * prod(followed.dims())
        components = components_of(followed.any_node())
    return size
