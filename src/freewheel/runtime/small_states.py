"""States that stay so small that the absolute tolerance hides them: reported when the run ends.

    Real q(start = 1e-9) without `nominal`, tolerance 1e-6: steps may be wrong by 1e-9

A step may be wrong by rtol*|x| + atol, where atol is rtol times the nominal value of a state, or a hundredth
of rtol where none is given (start.py; quantized states: qss/quanta.py). A state that never exceeds a hundred
times its atol is known to two digits or less, whatever tolerance is asked for. Whether that matters only the
modeller knows: a state that rests at zero must not make steps small. So it is reported, and nothing changes.
What rounding leaves of zero is no small state: it begins at zero, and is either far below atol or jitters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic, Severity
from freewheel.base.slots import StateSlots
from freewheel.base.stop import is_asked
from freewheel.runtime.integrators.registry import METHODS
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.model import Vector
from freewheel.runtime.qss.quanta import quanta_of
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import SMALL_STATES

R_SMALL = "R175"
MOST_NAMED = 5


def small_states(
    recorder: Recorder, settings: Settings, absolute: Vector, is_quantized: bool
) -> Callable[[Vector], list[Diagnostic]] | None:
    """What finds them in the curves of a result. `absolute`: tolerances of the states; of quantized ones
    their quanta count. None where there is nothing to report, or somebody has chosen."""
    model = recorder.live.model
    method = METHODS.get(settings.solver)
    is_fixed = method is not None and method.order == 0
    if not model.state_infos or is_fixed or (is_quantized and settings.quanta):
        return None
    if is_asked():
        return None  # it may grow yet, and to look takes its time
    if is_quantized:
        absolute = quanta_of(model, settings.tolerance, {})[1]
    return partial(_found, model.states.start, model.state_infos, absolute, recorder.slots)


def _found(
    begin: int,
    infos: Sequence[StateSlots],
    absolute: Vector,
    slots: npt.NDArray[np.intp],
    data: Vector,
) -> list[Diagnostic]:
    """One warning that names them, or none."""
    # the first row is time
    first, last = 1 + slots[1:].searchsorted((begin, begin + len(infos)))
    if first == last or not data.shape[1]:
        return []  # none is stored
    curves, numbers = data[first:last], slots[first:last] - begin
    absolute = absolute[numbers]
    sizes = np.maximum(curves.max(axis=1), -curves.min(axis=1))
    rounding = SMALL_STATES.rounded * float(sizes.max())
    found = []
    for k in ((sizes > 0.0) & (sizes < SMALL_STATES.reach * absolute)).nonzero()[0].tolist():
        size, limit = float(sizes[k]), float(absolute[k])
        if _is_curve(curves[k], size, max(SMALL_STATES.beside_tolerance * limit, rounding)):
            found.append((infos[numbers[k]].name, size, limit))
    return [_warning(found)] if found else []


def _is_curve(curve: Vector, size: float, least: float) -> bool:
    """Whether a small state is more than what rounding leaves of zero."""
    if curve[0] == 0.0 and size < least:
        return False
    return float(np.abs(np.diff(curve)).sum()) <= SMALL_STATES.jitter * len(curve) * size


def _warning(found: list[tuple[str, float, float]]) -> Diagnostic:
    found.sort(key=lambda one: one[1] / one[2])
    name, size, absolute = found[0]
    others = [f"`{other}`" for other, _, _ in found[1:MOST_NAMED]]
    more = len(found) - 1 - len(others)
    listed = ", ".join(others) + (f" and {more} more" if more > 0 else "")
    rest = f"; nor {'is' if len(found) == 2 else 'are'} {listed}" if others else ""
    return Diagnostic(
        R_SMALL,
        f"the state `{name}` stays below {size:.2g}, and each step may be wrong by {absolute:.2g}: it is not"
        f" as accurate as the tolerance asks for{rest}",
        help=f"say how large it is: `{name.rpartition('.')[2]}(nominal = {_round(size)})`; absolute"
        " tolerances follow nominal values, which are 1 where none is given",
        severity=Severity.WARNING,
    )


def _round(size: float) -> str:
    return f"{10.0 ** round(np.log10(size)):.0e}"
