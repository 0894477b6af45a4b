"""What a run asks of any engine, whichever way it goes on in time.

    engine = stepper_for(live, recorder, settings)       # `engine_choice.py`
    engine.take_events(discrete)
    engine.restart(t, y)
    code = engine.drive()    # EVENT, REACHED, ... of `loop/outcomes.py`
    engine.t, engine.y, engine.crossing()

There are two: steps in time of all states together (`loop/classic_engine.py`), and quantized states, each at
its own times (`qss/engine.py`). `simulate.py` knows no more of them than what is listed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from freewheel.base.diagnostics import SimulationError
    from freewheel.runtime.events.discrete import Discrete
    from freewheel.runtime.events.location import Crossing
    from freewheel.runtime.events.log import EventLog
    from freewheel.runtime.integrators.problem import Problem, Work
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.loop.classic_engine import ClassicEngine
    from freewheel.runtime.loop.workspace import Workspace
    from freewheel.runtime.model import Vector


class Engine(Protocol):
    live: LiveModel
    breaks: tuple[float, bool]  # the next one of an input, and whether the input jumps there
    events_left: int

    # ------------------------------------------------------------ which one it is

    @property
    def is_quantized(self) -> bool:
        """Each state has its own times: there is no step of all of them that could be made shorter."""
        ...

    @property
    def steps_core(self) -> bool:
        """Whether steps are those of the model's implicit core, as long as nothing is held on a surface."""
        ...

    @property
    def classic(self) -> ClassicEngine:
        """The one that has the arrays in which events are settled: itself, or the one inside."""
        ...

    def become_classic(self, t: float, reason: str) -> ClassicEngine:
        """The engine that goes on from `t` with steps in time; it notes the reason if that is another."""
        ...

    def change_sections(self) -> None:
        """After the live model got others: it is held on a surface, or no longer."""
        ...

    # ------------------------------------------------------------ events

    @property
    def log(self) -> EventLog:
        """To which compiled code appends."""
        ...

    @log.setter
    def log(self, log: EventLog) -> None: ...

    def take_events(self, discrete: Discrete) -> None:
        """Deal with plain events inside the loop."""
        ...

    def settle(
        self, t: float, y: Vector | None, discrete: Discrete, once: bool = False
    ) -> tuple[int, Sequence[SimulationError]]:
        """Discrete equations to a fixed point at `t`: the rounds it took, errors of asserts. `y`: states at
        which the event begins; None where it goes on."""
        ...

    def predict(self, t: float, y: Vector) -> None:
        """Find the next exact zero of a residual of time alone. The memory is left as it was."""
        ...

    def watch_ambiguity(self, homes: Sequence[int], events: int, span: float) -> None:
        """Go again through so many events at which several components switch."""
        ...

    def is_ambiguous(self, t: float, before: Vector) -> bool:
        """Whether the event that has just settled could have ended otherwise than it has."""
        ...

    @property
    def outcomes(self) -> tuple[Vector, Vector, Vector]:
        """Memories of an ambiguous event: before it, a moment after it by the way taken, and by the other."""
        ...

    def crossing(self) -> Crossing:
        """What crossed, after the code EVENT."""
        ...

    @property
    def is_counted(self) -> bool:
        """Whether the loop has counted the switches of the present event."""
        ...

    @property
    def events(self) -> tuple[int, int]:
        """Dealt with in the last call of `drive`: by relations, and all."""
        ...

    # ------------------------------------------------------------ running

    def restart(self, t: float, y: Vector) -> int:
        """Begin anew at a point; the status of the right-hand side there."""
        ...

    def drive(self) -> int:
        """Run until something happens that is Python's business; what it was, of `outcomes`."""
        ...

    def stop_soon(self) -> None:
        """By another thread: come back to Python before the next step."""
        ...

    # ------------------------------------------------------------ how things stand

    @property
    def space(self) -> Workspace:
        """Arrays and records that kernels read."""
        ...

    @property
    def problem(self) -> Problem: ...

    @property
    def t(self) -> float: ...

    @property
    def y(self) -> Vector: ...

    @property
    def f(self) -> Vector:
        """Derivatives at (t, y)."""
        ...

    @property
    def h(self) -> float:
        """The size of the step; 0 where there is none of all states."""
        ...

    @property
    def error(self) -> float:
        """Of the last step that was tried, in units of the tolerance."""
        ...

    @property
    def fixed(self) -> float | None:
        """The size of all steps, where it is given."""
        ...

    @property
    def failed_section(self) -> str:
        """After the code SECTION_FAILED."""
        ...

    @property
    def rows_stored(self) -> int:
        """Also those that the loop has stored since it was called."""
        ...

    # ------------------------------------------------------------ what the result tells

    @property
    def solver(self) -> str:
        """The present method, by name."""
        ...

    @property
    def notes(self) -> list[str]:
        """Why methods were chosen and changed."""
        ...

    @property
    def steps(self) -> int: ...

    @property
    def rejected(self) -> int: ...

    @property
    def work(self) -> Work: ...

    @property
    def sizes(self) -> Vector:
        """Time and size of each step, where steps are those of all states."""
        ...
