"""Messages of quantized-state simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic, SimulationError, UsageError
from freewheel.runtime.diagnostics import usage

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.model import CompiledModel


def _stopped(code: str, message: str, cure: str) -> SimulationError:
    return SimulationError(Diagnostic(code, message, help=cure))


def row_failed(live: LiveModel, name: str, t: float) -> SimulationError:
    """The diagnostic of the whole section at this point is better than that of a single row."""
    try:
        live.run("derivatives")
        live.run("relations")
        live.run("outputs")
    except SimulationError as problem:
        return problem
    what = (
        f"the derivative behind `{name}` has no value"
        if name
        else "the implicit part has no values"
    )
    message = f"{what} at time {t:g} where its states are quantized"
    return _stopped("R060", message, "choose a smaller quantum, or another solver")


def endless_steps(name: str, t: float, method: str) -> SimulationError:
    who = f"the state `{name}`" if name else "a relation"
    return _stopped(
        "R061",
        f"{method} takes steps without end at time {t:g}: {who} leaves its quantum at once each time",
        "choose a larger quantum, a linearly implicit method such as liqss2, or another solver",
    )


def too_many(steps: int, t: float, name: str, width: float, method: str) -> SimulationError:
    last = f"; the last was one of `{name}`, whose quantum is {width:.3g}" if name else ""
    return _stopped(
        "R062",
        f"{method} has taken {steps} steps and time is only {t:.9g}{last}",
        "choose a larger quantum (--quantum, --tol); stiff models need liqss2 or mliqss2",
    )


def inputs_not_straight(method: str) -> UsageError:
    return usage(
        "U063",
        f"{method} follows inputs only along straight lines",
        "hand in a table of the input, or write its formula into the model",
    )


def quantum_in_vain(solver: str) -> UsageError:
    return usage(
        "U065",
        f"a quantum was given, but {solver} has no quantized states",
        "choose liqss2 or another quantized-state method, or give a tolerance (--tol) instead",
    )


def why_not_quantized(model: CompiledModel, method: str) -> UsageError | None:
    """None where quantized states can simulate the model."""
    if model.quantized is not None:
        return None
    return usage(
        "U064",
        f"{method} cannot simulate `{model.name}`: it has no machine code",
        "use --backend llvm, or another solver",
    )
