"""A crossing that was located: when, and which relations left their status together."""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.runtime.model import Mask, Vector


@dataclass(frozen=True, slots=True)
class Crossing:
    t: float  # the first representable time, nearly, at which a status no longer holds
    which: Mask
    residuals: Vector  # there
    began: Vector | None = None  # residuals where the step began
