"""Modelica text in, curves out.

    import freewheel as fw

    result = fw.load("circuit.mo").simulate(stop=1e-3)
    result["C.v"]

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from freewheel.api import Model as Model
    from freewheel.api import example as example
    from freewheel.api import load as load
    from freewheel.api import load_text as load_text
    from freewheel.api.running import Run as Run
    from freewheel.base.diagnostics import CompileError as CompileError
    from freewheel.base.diagnostics import FreewheelError as FreewheelError
    from freewheel.base.diagnostics import SimulationError as SimulationError
    from freewheel.base.diagnostics import UsageError as UsageError
    from freewheel.result.formats import read_result as read_result

_HOMES = {
    "example": "freewheel.api",
    "load": "freewheel.api",
    "load_text": "freewheel.api",
    "Model": "freewheel.api",
    "Run": "freewheel.api.running",
    "FreewheelError": "freewheel.base.diagnostics",
    "CompileError": "freewheel.base.diagnostics",
    "UsageError": "freewheel.base.diagnostics",
    "SimulationError": "freewheel.base.diagnostics",
    "read_result": "freewheel.result.formats",
}

__all__ = [
    "CompileError",
    "FreewheelError",
    "Model",
    "Run",
    "SimulationError",
    "UsageError",
    "example",
    "load",
    "load_text",
    "read_result",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'freewheel' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
