"""Events that carry polynomials: generalized discrete events (GDEVS).

    Polynomial(2.0, 0.5).at(4.0) == 4.0             2 + 0.5 t, four seconds after the event
    Polynomial(1.0, -3.0, 1.0).leaves(2.0)          when |1 - 3 t + t^2| becomes 2

A trajectory that is a polynomial from event to event is described by coefficients instead of values: an
event is a change of coefficients (Giambiasi, Escude, Ghosh, "GDEVS: a generalized discrete event
specification", Trans. SCS 17 (3), 2000). Coefficients belong to the time that has passed since the
event, lowest order first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from freewheel.devs.polynomial_kernels import first_exit, shift

HIGHEST_EXIT = 3  # `leaves` knows polynomials up to this order


@final
class Polynomial:
    """c0 + c1 t + c2 t^2 + ...; never changes."""

    __slots__ = ("coefficients",)
    coefficients: tuple[float, ...]

    def __init__(self, *coefficients: float) -> None:
        object.__setattr__(self, "coefficients", tuple(map(float, coefficients)) or (0.0,))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a polynomial never changes, so `{name}` cannot be set")

    @property
    def order(self) -> int:
        return len(self.coefficients) - 1

    def at(self, time: float) -> float:
        """The value so long after the event."""
        value = 0.0
        for coefficient in reversed(self.coefficients):
            value = value * time + coefficient
        return value

    def shifted(self, time: float) -> Polynomial:
        """The same trajectory, described from `time` after the event on."""
        moved = list(self.coefficients)
        shift(moved, len(moved), time)
        return Polynomial(*moved)

    def truncated(self, order: int) -> Polynomial:
        return Polynomial(*self.coefficients[: order + 1])

    def derivative(self) -> Polynomial:
        return Polynomial(*(k * c for k, c in enumerate(self.coefficients) if k))

    def integral(self, value: float = 0.0) -> Polynomial:
        """The integral over time, from `value` on."""
        return Polynomial(value, *(c / (k + 1) for k, c in enumerate(self.coefficients)))

    def leaves(self, bound: float) -> float:
        """When its absolute value first reaches `bound`; infinite where it never does."""
        if any(self.coefficients[HIGHEST_EXIT + 1 :]):
            raise ValueError(f"polynomials of order {HIGHEST_EXIT} at most, not {self.order}")
        filled = (*self.coefficients, 0.0, 0.0, 0.0)[: HIGHEST_EXIT + 1]
        return first_exit(filled[0], filled[1], filled[2], filled[3], bound)

    # ------------------------------------------------------------ arithmetic

    def __add__(self, other: Polynomial | float) -> Polynomial:
        if not isinstance(other, Polynomial):
            return Polynomial(self.coefficients[0] + other, *self.coefficients[1:])
        a, b = self.coefficients, other.coefficients
        longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
        return Polynomial(
            *(x + y for x, y in zip(longer, shorter, strict=False)), *longer[len(shorter) :]
        )

    def __sub__(self, other: Polynomial | float) -> Polynomial:
        return self + (-1.0) * other if isinstance(other, Polynomial) else self + -other

    def __mul__(self, factor: float) -> Polynomial:
        return Polynomial(*(factor * c for c in self.coefficients))

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.coefficients == other.coefficients

    def __hash__(self) -> int:
        return hash(self.coefficients)

    def __repr__(self) -> str:
        return f"Polynomial({', '.join(map(repr, self.coefficients))})"

    def __str__(self) -> str:
        """As in files of events: `2.0;0.5`."""
        return ";".join(map(repr, self.coefficients))


def as_polynomial(value: Polynomial | float | Iterable[float]) -> Polynomial:
    """A number is a constant; a sequence of numbers is one of coefficients."""
    if isinstance(value, Polynomial):
        return value
    return Polynomial(value) if isinstance(value, (int, float)) else Polynomial(*value)
