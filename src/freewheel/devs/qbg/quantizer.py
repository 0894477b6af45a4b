"""Quantizers: levels, uniform or listed, with a hysteresis window.

    Quantizer(quantum=0.1, window=0.1)           levels ..., -0.1, 0, 0.1, ...
    Quantizer(levels=(0.0, 1.0, 4.0), window=0.5)

The quantized value q of x obeys |q - x| <= max(distance of levels, window) as long as x lies
within the levels. Without a window, a value that swings about a level has infinitely many events
in finite time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.devs.qbg.numbers import number_text
from freewheel.devs.qbg.signal_kernels import level_of, level_value


@dataclass(frozen=True)
class Quantizer:
    """`quantum` of uniform levels, or 0 and the `levels` themselves, ascending."""

    quantum: float = 0.0
    window: float = 0.0
    levels: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        why = self._mistake()
        if why:
            raise UsageError(
                Diagnostic(
                    "U083",
                    f"a quantizer cannot be made: {why}",
                    help="give a quantum above zero, or at least two ascending levels",
                )
            )

    def _mistake(self) -> str:
        if not self.levels and not (self.quantum > 0.0 and math.isfinite(self.quantum)):
            return f"its quantum is {self.quantum:g}"
        if not (self.window >= 0.0 and math.isfinite(self.window)):
            return f"its window is {self.window:g}"
        if not self.levels:
            return ""
        if self.quantum:
            return "it has both a quantum and levels"
        if len(self.levels) < 2 or not all(map(math.isfinite, self.levels)):
            return "its levels are fewer than two, or not finite"
        ascends = all(a < b for a, b in zip(self.levels, self.levels[1:], strict=False))
        return "" if ascends else "its levels do not ascend"

    @cached_property
    def numbers(self) -> list[float]:
        """As the kernels take it."""
        return [self.quantum, self.window, float(len(self.levels)), *self.levels]

    def quantize(self, x: float) -> float:
        """The level at or below `x`, which is where a run begins."""
        numbers = self.numbers
        return level_value(numbers, level_of(numbers, x))

    def description(self) -> dict[str, str]:
        """As in `.ma` files."""
        if self.levels:
            listed = " ".join(number_text(level) for level in self.levels)
            return {"levels": listed, "hystWindow": number_text(self.window)}
        return {"quantum": number_text(self.quantum), "hystWindow": number_text(self.window)}
