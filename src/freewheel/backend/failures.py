"""What counts as a failure of a section, in the reference and in what calls it."""

from __future__ import annotations

from freewheel.base.diagnostics import FreewheelError

FAILURES = (
    ArithmeticError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    NameError,  # a local variable of a function that was never assigned
    RecursionError,
    FreewheelError,
)
AGREEMENT = 1e-6  # of redundant initial equations, relative
