"""Integration methods by name: their kernels and properties.

METHODS["rodas4"].order == 4
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from freewheel.machine.kernel import KernelModule
from freewheel.runtime.events.iteration_kernels import iteration
from freewheel.runtime.integrators.explicit import explicit
from freewheel.runtime.integrators.tableau import EULER, RK4, RKF45, Tableau
from freewheel.runtime.loop.time_loop import driver

if TYPE_CHECKING:
    from freewheel.runtime.integrators.three_stage import ThreeStage

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
    library: str = ""  # "cvode" or "ida": the step is that of SUNDIALS
    steps_core: bool = False  # the step is that of a model's implicit core

    def restart_address(self) -> int:
        """Of the reinitialisation after an event; 0: there is none."""
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


EXPLICIT = (
    CompiledMethod("dopri5", explicit, "try_dopri5", "inside_dopri5", 5),
    _by_tableau(RKF45, is_weak=True),
    _by_tableau(EULER),
    _by_tableau(RK4),
)


class Methods(Mapping[str, CompiledMethod]):
    """By name. Most runs are explicit and need not wait for the code of the others."""

    def __init__(self) -> None:
        self._known = {method.name: method for method in EXPLICIT}

    def __getitem__(self, name: str) -> CompiledMethod:
        return self._others()[name] if name in NAMES else self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._known, *self._others()))

    def __len__(self) -> int:
        return len(self._known) + len(self._others())

    def __contains__(self, name: object) -> bool:
        return name in self._known or name in NAMES

    def _others(self) -> Mapping[str, CompiledMethod]:
        from freewheel.runtime.integrators.implicit_methods import IMPLICIT

        return IMPLICIT


NAMES = ("rodas4", "radau", "lobatto", "beuler", "cvode", "ida")  # of `implicit_methods.py`
METHODS: Mapping[str, CompiledMethod] = Methods()


def method_named(name: str) -> CompiledMethod:
    """The methods of implicit cores are imported when they are needed."""
    if name not in (CORE, CORE_EULER):
        return METHODS[name]
    from freewheel.runtime.switched_dae.sections import core_sections

    return CompiledMethod(
        name, core_sections, "try_core", "inside_nothing", 5, True, steps_core=True
    )


def begin_kernels() -> None:
    """Compiles the kernels of every run while the model is translated, once on a machine."""
    for module in (driver, explicit, iteration):
        module.begin()
