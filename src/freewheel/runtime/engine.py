"""Who takes the steps of a run, whichever way it goes on in time.

    engine = stepper_for(live, recorder, settings)       # `engine_choice.py`
    engine.classic.take_events(discrete)
    engine.restart(t, y)
    code = engine.drive()    # EVENT, REACHED, ... of `loop/outcomes.py`
    engine.classic.t, engine.classic.y, engine.classic.crossing()

There are two: steps in time of all states together (`loop/classic_engine.py`), and quantized states, each at
its own times (`qss/engine.py`). The arrays in which events are settled belong to the classic one, which stays
the same while others take the steps. Only what differs between the two is listed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from freewheel.runtime.integrators.problem import Work
    from freewheel.runtime.loop.classic_engine import ClassicEngine
    from freewheel.runtime.model import Vector


class Engine(Protocol):
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
        """The one that has the arrays in which events are settled: itself, or the one inside. It is the same
        throughout a run."""
        ...

    def become_classic(self, t: float, reason: str) -> ClassicEngine:
        """The engine that goes on from `t` with steps in time; it notes the reason if that is another."""
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

    # ------------------------------------------------------------ what the result reports

    @property
    def events(self) -> tuple[int, int]:
        """Dealt with in the last call of `drive`: by relations, and all."""
        ...

    @property
    def solver(self) -> str:
        """The present method, by name."""
        ...

    @property
    def steps(self) -> int: ...

    @property
    def work(self) -> Work: ...
