"""Guesses for unknowns of a core that nothing stores, at the start.

    run_from_guesses(live, core)     # the initial section, from other guesses where zero leads nowhere

They begin at their start values, which are zero where nobody has said anything. A formula may have
no derivative there (the speed sqrt(vx^2 + vy^2) of a body that moves), so Newton's method for the
first consistent values cannot leave. Nominal values are as good a guess; start values of states
stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import SimulationError

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.switched_dae.attached import AttachedCore


def run_from_guesses(live: LiveModel, core: AttachedCore) -> None:
    """Raises what the first guesses lead to where others lead nowhere either."""
    before = live.memory.copy()
    try:
        live.run("initial")
    except SimulationError:
        if not core.core.is_linear and _moves_guesses(core):
            if _runs(live):
                return
            for k in _guessed(core):
                core.record.offset[k] = 0.0
        live.memory[:] = before
        raise


def _guessed(core: AttachedCore) -> list[int]:
    """Unknowns that nothing stores."""
    return [k for k in range(core.core.shell, core.n) if not core.core.is_differential[k]]


def _moves_guesses(core: AttachedCore) -> bool:
    """Those that are zero, to their nominal values."""
    wished, offsets = core.record.wished, core.record.offset
    zeros = [k for k in _guessed(core) if wished[k] == 0.0]
    nominals = core.core.nominals or (1.0,) * core.n
    for k in zeros:
        offsets[k] = abs(nominals[k])
    return bool(zeros)


def _runs(live: LiveModel) -> bool:
    try:
        live.run("initial")
    except SimulationError:
        return False
    return True
