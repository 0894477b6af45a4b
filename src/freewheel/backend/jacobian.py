"""The Jacobian program as Python: `jacobian(memory, values) -> status`. (`llvm_jacobian.py` is faster.)

    jacobian = python_jacobian(reference)
    jacobian(memory, values)          # entries by columns; after `derivatives` at the same point

Made only when asked for: explicit methods never need it. Status 1 means that an entry has no value
there; solvers then take differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from freewheel.backend.failures import FAILURES
from freewheel.backend.python import jacobian_source
from freewheel.backend.reference import Reference
from freewheel.program.jacobian import jacobian_of
from freewheel.program.nodes import JacobianProgram, Program
from freewheel.runtime.model import Vector

Jacobian = Callable[[Vector, Vector], int]


def with_functions(program: Program, made: JacobianProgram) -> Program:
    """The program with the derivatives of functions that the Jacobian calls."""
    return replace(program, functions=(*program.functions, *made.functions))


def python_jacobian(reference: Reference) -> Jacobian | None:
    """The reference, as Python text."""
    made = jacobian_of(reference.program)
    return None if made is None else python_tangents(reference, made)


def python_tangents(reference: Reference, made: JacobianProgram) -> Jacobian:
    source = jacobian_source(with_functions(reference.program, made), made)
    names: dict[str, Any] = dict(reference.names)
    names["FAILURES"] = FAILURES
    exec(compile(source, f"<jacobian of {reference.program.name}>", "exec"), names)
    jacobian: Jacobian = names["jacobian"]
    return jacobian
