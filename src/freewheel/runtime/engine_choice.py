"""Which way to integrate a model: steps in time or quantized states, and by which method.

stepper = stepper_for(live, recorder, settings)
become_implicit(engine, settings)       # the rule of `auto` for a model that proved stiff
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.runtime.diagnostics import no_core, usage
from freewheel.runtime.engine import Engine
from freewheel.runtime.integrators.choice import AUTO, SOLVERS, unknown_solver
from freewheel.runtime.integrators.registry import CORE, CORE_EULER
from freewheel.runtime.integrators.thresholds import STIFFNESS
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.qss.advise import may_suit, why_quantized
from freewheel.runtime.qss.diagnostics import quantum_in_vain, why_not_quantized
from freewheel.runtime.qss.methods import QUANTIZED
from freewheel.runtime.qss.quanta import quanta_of
from freewheel.runtime.settings import Settings
from freewheel.runtime.start import problem_of

if TYPE_CHECKING:
    from freewheel.runtime.prepared import Prepared
    from freewheel.runtime.qss.engine import QuantizedEngine

# why quantized states give way
HELD = "from there on the model slides along a surface or rests on it"
CIRCLING = "its events did not come to an end there"

LIBRARY = ("cvode", "ida")
OPTIMISTIC_SOLVERS = ("dopri5", "rkf45")  # explicit ones: an implicit step may not have converged


def stepper_for(
    live: LiveModel, recorder: Recorder, settings: Settings, known: Prepared | None = None
) -> Engine:
    if known is not None:
        engine = ClassicEngine(live, recorder, settings, known.problem, known)
        engine.use(known.method, detect=settings.solver == AUTO)
        return engine
    problem, solver = problem_of(live, settings), settings.solver
    if settings.step_control == "optimistic":
        check_optimism(solver, live.core.is_there)
    if solver in QUANTIZED:
        return quantized_engine(ClassicEngine(live, recorder, settings, problem), settings, solver)
    if settings.quanta:
        if solver != AUTO:
            raise quantum_in_vain(solver)
        engine = ClassicEngine(live, recorder, settings, problem)
        chosen = quantized_engine(engine, settings, "liqss2")
        engine.notes.append("liqss2 was chosen: a quantum was given")
        return chosen
    if not live.core.is_there and solver in (CORE, CORE_EULER):
        raise no_core(solver)
    if solver not in (*SOLVERS, CORE, CORE_EULER):
        raise unknown_solver(solver)
    engine = ClassicEngine(live, recorder, settings, problem)
    if live.core.is_there:
        engine.use(live.core.method)
        if solver not in (AUTO, CORE, CORE_EULER):
            engine.notes.append(
                f"the ideal elements of the model form an implicit part, which {CORE} integrates with "
                f"all the rest; the solver {solver} is not used"
            )
        return engine
    if solver in LIBRARY and not len(live.states):  # SUNDIALS has no vectors without entries
        engine.notes.append(f"the model has no states: {solver} has nothing to integrate")
        solver = "dopri5"
    is_auto = solver == AUTO
    engine.use("dopri5" if is_auto else solver, detect=is_auto)
    return engine


def better_stepper(stepper: Engine, settings: Settings) -> Engine:
    """The rule of `auto` for large models, once the initial values are known."""
    if stepper.is_quantized or settings.solver != AUTO:
        return stepper
    classic = stepper.classic
    live = classic.live
    if not may_suit(live.model, settings):
        return stepper
    engine = quantized_engine(classic, settings, "liqss2")
    reason = why_quantized(engine, settings.start, live.states.copy())
    if not reason:
        return stepper
    engine.classic.notes.append(f"liqss2 was chosen: {reason}")
    return engine


def quantized_engine(inner: ClassicEngine, settings: Settings, name: str) -> QuantizedEngine:
    """For `qss1` and its like, whose kernels most runs need not wait for; `inner` knows the model and its
    events."""
    from freewheel.runtime.qss.engine import QuantizedEngine

    live, model, method = inner.live, inner.live.model, QUANTIZED[name]
    problem_there = why_not_quantized(model, method.name)
    if problem_there is not None:
        raise problem_there
    rows = None
    if not live.core.is_there:
        assert model.quantized is not None
        rows = model.quantized(method.order)
    quanta = quanta_of(model, settings.tolerance, settings.quanta)
    return QuantizedEngine(inner, rows, method, quanta, settings)


def change_sections(stepper: Engine) -> None:
    """The model has other sections from here on: it is held on a surface, or no longer. Held, every
    derivative may depend on every state."""
    classic = stepper.classic
    classic.change_sections()
    if stepper.steps_core:
        _use_core_or_not(classic)


def _use_core_or_not(engine: ClassicEngine) -> None:
    """The method of an implicit core knows of no surfaces: as long as the model is held on one, the core
    gives slopes in each mode, and an ordinary method takes the steps."""
    is_held = engine.live.is_constrained
    name = "dopri5" if is_held else engine.live.core.method
    if engine.solver != name:
        engine.use(name, detect=is_held)


def become_implicit(engine: ClassicEngine, settings: Settings) -> None:
    """Change from an explicit method to one for stiff models, and say why."""
    model = engine.live.model
    is_smooth = not (model.relations or model.samples)
    name, reason = stiff_method(len(model.states), settings.tolerance, is_smooth)
    before = engine.solver
    engine.use(name)
    engine.notes.append(
        f"changed from {before} to {name} at time {engine.t:g}: the model is stiff; {reason}"
    )


def leave_library(engine: ClassicEngine) -> bool:
    """A library that has met a fold cannot take the short steps up to it: each failure is a new beginning."""
    if engine.multistep is None or engine.live.lost == 0:
        return False
    before = engine.solver
    engine.use("rodas4")
    engine.notes.append(
        f"changed from {before} to rodas4 at time {engine.t:g}: the branch of a loop ends there"
    )
    return True


def _has_sundials() -> bool:
    from freewheel.runtime.integrators.sundials import is_available

    return is_available()


def stiff_method(states: int, tolerance: float, is_smooth: bool) -> tuple[str, str]:
    """The rule of `auto`; docs/rooms/runtime.md gives the measurements behind it."""
    if tolerance < STIFFNESS.fine:
        return "radau", "order 5 for a fine tolerance"
    if states > STIFFNESS.large and is_smooth and _has_sundials():
        return "cvode", "multistep methods win on large models without events"
    if states > STIFFNESS.many_states:
        return "radau", "it keeps its Jacobian from step to step, which pays with many states"
    return "rodas4", "it needs no iteration, which pays with few states and with events"


def check_optimism(solver: str, has_core: bool) -> None:
    """Optimistic step control is for methods whose every step has a result."""
    if solver not in OPTIMISTIC_SOLVERS or has_core:
        name = "the implicit core of ideal elements" if has_core else f"the solver `{solver}`"
        other = (
            f"choose --solver {' or '.join(OPTIMISTIC_SOLVERS)}, or "  # the core has its own steps
        )
        raise usage(
            "U027",
            f"optimistic step control is not for {name}",
            f"{'' if has_core else other}leave --step-control out",
        )
