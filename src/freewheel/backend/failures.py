"""What counts as a failure of a section, in the reference and in what calls it."""

from __future__ import annotations

import numpy as np

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

# Around what may compute with numbers of NumPy (elements of arrays, values of the past): unlike Python's they
# divide by zero without failing, and warn on the screen where they overflow.
strict = np.errstate(divide="raise", invalid="raise", over="ignore")
