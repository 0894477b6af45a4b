"""Where a model starts, as numbers: for languages that know no initial equations."""

from __future__ import annotations

import numpy as np

from freewheel.pipeline import model_of
from freewheel.program.nodes import Program


def started_memory(program: Program) -> tuple[float, ...]:
    """The memory after our own initial system was solved, before the first event."""
    from freewheel.runtime.event.agree import Rules
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.settings import Settings
    from freewheel.runtime.start import Drive, initialise

    live, settings = LiveModel(model_of(program)), Settings()
    zeros = np.zeros(len(program.relations))
    bands, forgiven, sizes, rises = (zeros.copy() for _ in range(4))
    rules = Rules(bands, forgiven, sizes, rises, settings.max_event_rounds)
    initialise(live, Drive(live, settings), rules, settings)
    live.run("outputs")
    return tuple(live.memory[: len(program.start)].tolist())
