"""Compiled methods by name: their kernels, and what step control must know of them.

METHODS["rodas4"].order == 4
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freewheel.machine.kernel import KernelModule
from freewheel.runtime.events.iteration_kernels import settling
from freewheel.runtime.integrators.explicit import explicit
from freewheel.runtime.integrators.radau import radau
from freewheel.runtime.integrators.rodas4 import rosenbrock
from freewheel.runtime.integrators.sundials_kernels import sundials
from freewheel.runtime.integrators.tableau import EULER, RK4, RKF45, Tableau
from freewheel.runtime.integrators.three_stage import LOBATTO_IIIC, RADAU_IIA, ThreeStage
from freewheel.runtime.loop.time_loop import driver

CORE, CORE_EULER = "core-radau", "core-euler"  # for models with an implicit core, and only for them


@dataclass(frozen=True, slots=True)
class CompiledMethod:
    name: str
    module: KernelModule
    attempt: str  # kernel that tries a step
    inside: str  # kernel that makes the interpolant
    order: int = 0  # power of h in the error estimate; 0 means fixed steps
    is_weak: bool = False  # the interpolant is weaker than the step: steps end on events
    is_implicit: bool = False  # needs a Jacobian
    is_complex: bool = False  # needs complex factors too
    tableau: Tableau | ThreeStage | None = None
    library: str = ""  # "cvode" or "ida": the step is SUNDIALS' own
    steps_core: bool = False  # the step is that of a model's implicit core

    def restart_address(self) -> int:
        """Of what begins anew after an event; 0: nothing has to."""
        return self.module.address("restart_library") if self.library else 0

    @property
    def needs_jacobian(self) -> bool:
        return self.is_implicit or bool(self.library)

    def addresses(self) -> tuple[int, int]:
        return self.module.address(self.attempt), self.module.address(self.inside)


def _by_tableau(tableau: Tableau, is_weak: bool = False) -> CompiledMethod:
    order = tableau.error_order
    return CompiledMethod(
        tableau.name, explicit, "try_tableau", "inside_tableau", order, is_weak, tableau=tableau
    )


def _by_stages(stages: ThreeStage) -> CompiledMethod:
    """Radau IIA or Lobatto IIIC; the error estimate of both is of order 4."""
    return CompiledMethod(
        stages.name, radau, "try_radau", "inside_radau", 4, True, True, True, stages
    )


def _by_library(name: str) -> CompiledMethod:
    return CompiledMethod(name, sundials, "try_library", "inside_library", 5, library=name)


METHODS: Mapping[str, CompiledMethod] = {
    method.name: method
    for method in (
        CompiledMethod("dopri5", explicit, "try_dopri5", "inside_dopri5", 5),
        _by_tableau(RKF45, is_weak=True),
        CompiledMethod("rodas4", rosenbrock, "try_rodas4", "inside_rodas4", 4, True, True),
        _by_stages(RADAU_IIA),
        _by_stages(LOBATTO_IIIC),
        _by_tableau(EULER),
        _by_tableau(RK4),
        CompiledMethod("beuler", radau, "try_beuler", "inside_beuler", 0, False, True),
        _by_library("cvode"),
        _by_library("ida"),
    )
}


def method_named(name: str) -> CompiledMethod:
    """The methods of cores bring their code along when they are asked for."""
    if name not in (CORE, CORE_EULER):
        return METHODS[name]
    from freewheel.runtime.switched_dae.sections import core_sections

    return CompiledMethod(
        name, core_sections, "try_core", "inside_nothing", 5, True, steps_core=True
    )


def begin_kernels() -> None:
    """Compile what every run needs while the model is translated; only once on a machine."""
    for module in (driver, explicit, settling):
        module.begin()
