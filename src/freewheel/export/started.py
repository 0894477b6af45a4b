"""Where a model starts, as numbers: for languages that know no initial equations."""

from __future__ import annotations

from freewheel.pipeline import model_of
from freewheel.program.nodes import Program


def started_memory(program: Program) -> tuple[float, ...]:
    """The memory after our own initial system was solved, before the first event."""
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.loop.workspace import Workspace
    from freewheel.runtime.settings import Settings
    from freewheel.runtime.start import Drive, initialise

    live, settings = LiveModel(model_of(program)), Settings()
    loop = Workspace(0, len(program.relations), []).loop
    initialise(live, Drive(live, settings), loop, settings)
    live.run("outputs")
    return tuple(live.memory[: len(program.start)].tolist())
