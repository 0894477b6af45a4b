"""Quantized-state methods by name: how a state is quantized, and up to which derivative.

QUANTIZED["liqss2"].order == 2
"""

from __future__ import annotations

from dataclasses import dataclass

# How the quantized polynomial of a state follows the continuous one: `qss/quantizers.py`.
QSS, LIQSS, MLIQSS, CQSS = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class QuantizedMethod:
    name: str
    kind: int
    order: int

    @property
    def is_implicit(self) -> bool:
        """Rates by their own state are asked for."""
        return self.kind in (LIQSS, MLIQSS)


QUANTIZED = {
    method.name: method
    for method in (
        QuantizedMethod("qss1", QSS, 1),
        QuantizedMethod("qss2", QSS, 2),
        QuantizedMethod("qss3", QSS, 3),
        QuantizedMethod("liqss1", LIQSS, 1),
        QuantizedMethod("liqss2", LIQSS, 2),
        QuantizedMethod("liqss3", LIQSS, 3),
        QuantizedMethod("mliqss2", MLIQSS, 2),
        QuantizedMethod("cqss", CQSS, 1),
    )
}
