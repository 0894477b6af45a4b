"""Compiled methods that solve equations in each step, and libraries that step by themselves; by name."""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.runtime.integrators.radau import radau
from freewheel.runtime.integrators.registry import NAMES, CompiledMethod
from freewheel.runtime.integrators.rodas4 import rosenbrock
from freewheel.runtime.integrators.sundials_kernels import sundials
from freewheel.runtime.integrators.three_stage import LOBATTO_IIIC, RADAU_IIA, ThreeStage


def _by_stages(stages: ThreeStage) -> CompiledMethod:
    """Radau IIA or Lobatto IIIC; the error estimate of both is of order 4."""
    return CompiledMethod(
        stages.name, radau, "try_radau", "inside_radau", 4, True, True, True, stages
    )


def _by_library(name: str) -> CompiledMethod:
    return CompiledMethod(name, sundials, "try_library", "inside_library", 5, library=name)


IMPLICIT: Mapping[str, CompiledMethod] = {
    method.name: method
    for method in (
        CompiledMethod("rodas4", rosenbrock, "try_rodas4", "inside_rodas4", 4, True, True),
        _by_stages(RADAU_IIA),
        _by_stages(LOBATTO_IIIC),
        CompiledMethod("beuler", radau, "try_beuler", "inside_beuler", 0, False, True),
        _by_library("cvode"),
        _by_library("ida"),
    )
}
assert tuple(IMPLICIT) == NAMES
