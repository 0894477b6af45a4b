"""What can go wrong at run time, as diagnostics: time, variable, values, what to try.

raise not_finite("derivative", "C.v", nan, t)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import (
    Diagnostic,
    Label,
    Severity,
    SimulationError,
    UsageError,
)
from freewheel.base.slots import RelationSlots
from freewheel.base.source import NOWHERE, Span
from freewheel.runtime.events.sliding.violations import CORE_MODES_DIFFER, violation_text
from freewheel.runtime.model import CompiledModel, Vector

if TYPE_CHECKING:
    from freewheel.result.store import Result

R_SECTION = "R001"
R_NOT_FINITE = "R002"
R_STEP_TOO_SMALL = "R003"
R_TOO_MANY_STEPS = "R004"
R_INITIAL_RELATIONS = "R005"
R_EVENT_ITERATION = "R006"
R_CHATTERING = "R007"
R_SAMPLE = "R008"
R_INTERRUPTED = "R009"
R_NEWTON = "R010"
R_TOO_MANY_EVENTS = "R011"
R_HOLD = "R012"
R_EVER_FASTER = "R105"
R_SEVERAL_WAYS = "R137"
R_DELAY = "R020"
R_PROFILE = "R021"


def failed(
    code: str, message: str, labels: tuple[Label, ...] = (), *, help: str, rule: str = ""
) -> SimulationError:
    return SimulationError(Diagnostic(code, message, labels, help, rule))


def usage(code: str, message: str, help: str = "", file: str = "") -> UsageError:
    return UsageError(Diagnostic(code, message, help=help, file=file))


def labels_at(span: Span, text: str = "") -> tuple[Label, ...]:
    """None where nobody knows the place."""
    return () if span is NOWHERE else (Label(span, text),)


def section_failed(model: CompiledModel, section: str, status: int, t: float) -> SimulationError:
    """A section returned a status: the backend knows what step that was."""
    if model.explain is not None:
        return SimulationError(at_time(model.explain(section, status), t))
    return failed(
        R_SECTION,
        f"{model.name}: the section `{section}` failed in step {status - 1} at time {t:g}",
        help="check start values and parameters of the model",
    )


def at_time(problem: Diagnostic, t: float) -> Diagnostic:
    return replace(problem, message=f"at time {t:.6g}: {problem.message}")


def with_origin(
    model: CompiledModel, problem: SimulationError, slot: int, memory: Vector
) -> SimulationError:
    """The equation behind a derivative, where the backend knows it."""
    origin = None if model.origin is None else model.origin(slot, memory)
    if origin is None:
        return problem
    first = problem.diagnostics[0]
    message = f"{first.message}, given by {origin.message}"
    return SimulationError(replace(first, message=message, labels=(*first.labels, *origin.labels)))


def hold_failed(section: str, t: float) -> SimulationError:
    return failed(
        R_HOLD,
        f"the motion along a surface cannot be computed at time {t:.9g} (in `{section}`): a "
        "formula has no value there, or the surfaces that are held are no longer independent",
        help="look at the relations named by the note R104; a hysteresis keeps off the surface",
    )


def not_finite(what: str, name: str, value: float, t: float) -> SimulationError:
    return failed(
        R_NOT_FINITE,
        f"the {what} `{name}` became {value} at time {t:.9g}",
        help="look for a division by zero, a logarithm or root of a negative number, or growth "
        "without bound; a shorter --stop shows the curves before it",
    )


def step_too_small(
    name: str, derivative: float, t: float, h: float, solver: str
) -> SimulationError:
    other = "try --solver radau" if solver != "radau" else "try a larger tolerance"
    return failed(
        R_STEP_TOO_SMALL,
        f"the step size fell to {h:.3g} at time {t:.9g}; "
        f"`{name}` changes fastest (its derivative is {derivative:.6g})",
        help=f"the solution may be singular there, or the model stiff: {other}, "
        "look at the curves up to this time",
    )


def newton_failed(name: str, value: float, t: float, h: float, solver: str) -> SimulationError:
    return failed(
        R_NEWTON,
        f"the equations of a step of `{solver}` have no solution at time {t:.9g}, not even for "
        f"a step of {h:.3g}; `{name}` (now {value:.6g}) moves fastest",
        help="a function of the model jumps without an event (noEvent, a table, a function): "
        "let it make events, or try --solver dopri5",
    )


def fixed_step_failed(name: str, value: float, t: float, h: float, solver: str) -> SimulationError:
    return failed(
        R_STEP_TOO_SMALL,
        f"`{solver}` could not take its fixed step of {h:.3g} at time {t:.9g}: a value is not "
        "finite or the model cannot be evaluated; "
        f"`{name}` (now {value:.6g}) moves fastest",
        help="use a shorter --interval, or a solver with step size control such as auto",
    )


def too_many_steps(limit: int, t: float, h: float, has_delays: bool) -> SimulationError:
    lags = (
        "no step is longer than the shortest delay time: make that longer; " if has_delays else ""
    )
    return failed(
        R_TOO_MANY_STEPS,
        f"{limit} steps were taken and time is only {t:.9g}; the last step was {h:.3g}",
        help=f"{lags}try --solver radau (a stiff model) or a larger tolerance; a jump without an event "
        "(sign, noEvent) holds steps down too: write it as an if; --max-steps N allows more",
    )


def relations_flip_at_start(t: float, flipping: Sequence[str]) -> SimulationError:
    return failed(
        R_INITIAL_RELATIONS,
        f"no consistent start at time {t:g}: these relations contradict each other: "
        + ", ".join(f"`{text}`" for text in flipping),
        help="give other start values, or check the conditions around these relations",
    )


def discrete_flips(
    t: float, limit: int, flipping: Sequence[str], labels: Sequence[Label] = ()
) -> SimulationError:
    """Integer parts of Reals have no name: then the labels say where they are."""
    changing = "; these keep changing: " + ", ".join(f"`{name}`" for name in flipping)
    changing = changing if flipping else ""
    return failed(
        R_EVENT_ITERATION,
        f"the discrete equations do not settle at time {t:.9g} within {limit} rounds{changing}",
        tuple(labels),
        help="break the circle among them, e.g. with pre(..) or a hysteresis",
        rule='Modelica 3.6, "Events and Synchronization"',
    )


def listed(names: Sequence[str], most: int = 6) -> str:
    """The first of them."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def several_ways(t: float, components: Sequence[str], taken: str, other: str) -> Diagnostic:
    """A warning: the model does not say how it goes on."""
    names = listed([name for name in components if name]) or "the model"
    return Diagnostic(
        R_SEVERAL_WAYS,
        f"at time {t:.9g} the equations of {names} have several solutions; "
        f"chosen was {taken}, but {other} is possible as well",
        help="static friction above sliding friction leaves this open: make both equal, or let "
        "the elements break loose one after the other",
        severity=Severity.WARNING,
    )


SWINGING = ("qss1", "qss2", "qss3", "cqss")  # explicit quantized-state methods
RINGING = ("liqss1", "liqss2", "liqss3", "mliqss2")


def chattering(
    relations: Sequence[RelationSlots],
    count: int,
    window: float,
    t: float,
    reason: str = "",
    solver: str = "",
) -> SimulationError:
    names = ", ".join(f"`{relation.text}`" for relation in relations) or "the model"
    verb = "switches" if len(relations) < 2 else "switch"
    labels = tuple(Label(r.span, "it switches") for r in relations if r.span is not NOWHERE)
    slides = f"; this is no sliding motion: {reason}" if reason else ""
    leaks = ""
    if reason == violation_text(CORE_MODES_DIFFER):
        leaks = "or give the ideal elements leaks (Ron = Goff = 1e-5), with which it may slide; "
    rate = f"{count / window:.3g} per second" if window > 0.0 else "time stands still"
    swings = f"; {solver} oscillates by a quantum around a stiff equilibrium: try liqss2" * (
        solver in SWINGING
    )
    if solver in RINGING:
        swings = (
            f"; {solver} does not stabilise stiff states that drive each other in a ring: try radau"
        )
    return failed(
        R_CHATTERING,
        f"{count} events within {window:.3g} s at time {t:.9g} ({rate}): "
        f"{names} {verb} back and forth{slides}",
        labels,
        help="the model chatters: give the relation a hysteresis, or smooth the jump it makes; "
        f"{leaks}if it really switches that often, allow more with --max-events{swings}",
    )


def ever_faster(relation: RelationSlots, limit: float, ratio: float, t: float) -> Diagnostic:
    return Diagnostic(
        R_EVER_FASTER,
        f"`{relation.text}` switches ever faster, each time after {100.0 * ratio:.3g} % of the time "
        f"before, toward time {limit:.9g} (now {t:.9g}); the model does not define what follows",
        labels_at(relation.span, "it switches"),
        help="define what holds from there on, for example by another mode of the model; the curves "
        "after that time are not reliable",
        severity=Severity.WARNING,
    )


def too_many_events(limit: int, t: float) -> SimulationError:
    return failed(
        R_TOO_MANY_EVENTS,
        f"{limit} events happened and time is only {t:.9g}",
        help="raise the limit if the model really switches that often",
    )


def bad_sample(interval: float, start: float, span: Span = NOWHERE) -> SimulationError:
    return failed(
        R_SAMPLE,
        f"sample({start:g}, {interval:g}): the interval must be a positive number",
        labels_at(span, "this sample"),
        help="check the parameter that sets the sample interval",
        rule='Modelica 3.6, "Event-Related Operators with Function Syntax"',
    )


def storm_of_samples(
    interval: float, count: float, limit: int, span: Span = NOWHERE
) -> SimulationError:
    return failed(
        R_TOO_MANY_EVENTS,
        f"an interval of {interval:g} s asks for {count:.3g} events up to the stop time; "
        f"{limit} are allowed",
        labels_at(span, "this sample"),
        help="check the sample interval, choose an earlier stop time, or raise --max-events",
    )


def delay_out_of_bounds(
    text: str, span: Span, t: float, lag: float, longest: float
) -> SimulationError:
    labels = labels_at(span, text)
    if not lag >= 0.0:
        message = f"the delay time of `{text}` is {lag:.9g} at time {t:.9g}"
        return failed(
            R_DELAY,
            f"{message}: it must not be negative",
            labels,
            help="a delay looks back: limit the delay time to zero and more",
            rule='Modelica 3.6, "delay"',
        )
    return failed(
        R_DELAY,
        f"the delay time of `{text}` is {lag:.9g} at time {t:.9g}, beyond its largest"
        f" value {longest:.9g}",
        labels,
        help="raise the third argument of `delay`, or limit the delay time",
        rule='Modelica 3.6, "delay"',
    )


def delay_became_zero(text: str, span: Span) -> SimulationError:
    return failed(
        R_DELAY,
        f"the delay time of `{text}` is zero in this run, but was not when the model was translated",
        labels_at(span, text),
        help="change the value in the model text, or write `delay(expr, delayTime, delayMax)` with"
        " a delay time that varies",
        rule='Modelica 3.6, "delay"',
    )


def bad_profile(text: str, span: Span, points: Sequence[float]) -> SimulationError:
    written = ", ".join(f"{point:g}" for point in points)
    return failed(
        R_PROFILE,
        f"`{text}`: the points of the initial profile are {written}",
        labels_at(span, text),
        help="they must begin with 0, end with 1 and never fall",
        rule='Modelica 3.6, "spatialDistribution"',
    )


def interrupted(result: Result, reached: float) -> SimulationError:
    """`reached`: where the solver is, perhaps beyond the last row."""
    t = max(reached, float(result.time[-1])) if len(result) else reached
    return SimulationError(
        Diagnostic(
            R_INTERRUPTED,
            f"interrupted at time {t:.9g}",
            help="the curves up to this time are kept",
        ),
        result=result,
    )


def no_varying_delays(solver: str) -> UsageError:
    return usage(
        "U038",
        f"the solver `{solver}` cannot take delays whose delay time changes",
        "use `auto`, `dopri5`, `rodas4` or `radau`",
    )


def no_core(solver: str) -> UsageError:
    return usage(
        "U020",
        f"the solver `{solver}` is for models whose ideal elements make a part of them implicit; this "
        "model has none",
        "leave the choice to `auto`, or take `radau` or `beuler`",
    )
