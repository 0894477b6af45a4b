"""CVODE or IDA for one model, stepping for the compiled loop.

    multistep = Multistep("cvode", loop_space, problem, pattern)
    multistep.begin(sections)                # at the point of the loop

The library calls back for slopes, Jacobians and linear systems: all that is machine code
(`integrators/sundials_kernels.py`) with a workspace of its own.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from freewheel.machine.memory import address_of, bind
from freewheel.runtime.callbacks import Sections
from freewheel.runtime.integrators.problem import Problem
from freewheel.runtime.integrators.registry import METHODS
from freewheel.runtime.integrators.sundials import BY_COLUMNS, LONG, D, Library, P, library
from freewheel.runtime.integrators.sundials_kernels import sundials
from freewheel.runtime.integrators.thresholds import STEPS
from freewheel.runtime.linear.elimination_plan import Pattern
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.memory import Loop, MultistepLibrary
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.thresholds import EPSILON

BDF = 2
INTEGRATORS = ("CVodeFree", "IDAFree")
CONTEXT = "SUNContext_Free"
COUNTS = ("GetNumErrTestFails", "GetNumLinSolvSetups", "GetNumNonlinSolvIters")
# Fields of `MultistepLibrary`.
FUNCTIONS = {
    "interpolate": "GetDky",
    "reinitialise": "ReInit",
    "set_first_step": "SetInitStep",
    "set_stop": "SetStopTime",
    **dict(zip(("rejected_steps", "factorisations", "newton_iterations"), COUNTS, strict=True)),
}


class Multistep:
    """CVODE or IDA for one model, stepping for the compiled loop."""

    def __init__(
        self, name: str, loop_space: Workspace, problem: Problem, pattern: Pattern | None
    ) -> None:
        """`name`: "cvode" or "ida"; `pattern`: of the Jacobian of the model."""
        self.library = library()
        self.is_ida = name == "ida"
        self.prefix = "IDA" if self.is_ida else "CVode"
        self.loop = loop_space.loop
        self.shortest = problem.shortest
        self.space = space = _space_of_callbacks(self.loop, problem, pattern)
        n = space.n
        self.context = self.library.new_context()
        self.y_vector, y = self.library.vector(n, self.context)
        self.slope_vector, slope = self.library.vector(n, self.context)
        trial_vector, trial = self.library.vector(n, self.context)
        self.atol_vector, stored = self.library.vector(n, self.context)
        stored[:] = np.asarray(self.loop.atol)
        self.memory = P()
        vectors = (self.y_vector, self.slope_vector, trial_vector, self.atol_vector)
        self._made = [("N_VDestroy", vector) for vector in vectors]
        self._made.append((CONTEXT, self.context.value or 0))
        weakref.finalize(self, _free, self.library, self._made)
        self.record = loop_space.memory.new(
            MultistepLibrary, n=n, is_ida=int(self.is_ida), y=y, slope=slope, trial=trial,
            y_vector=self.y_vector, slope_vector=self.slope_vector, trial_vector=trial_vector,
        )  # fmt: skip
        self._bind_functions()

    def _bind_functions(self) -> None:
        known = self.library.kernel_function
        bind(self.record, step=known("IDASolve" if self.is_ida else "CVode"))
        for field, name in FUNCTIONS.items():
            bind(self.record, **{field: known(self.prefix + name)})

    def begin(self, sections: Sections) -> None:
        """At the point of the loop; from then on the loop itself restarts the library."""
        jacobian = sections.jacobian(True)
        bind(self.space.loop, derivatives=sections.derivatives, jacobian_section=jacobian)
        loop, record = self.loop, self.record
        if self.memory.value is None:
            np.asarray(record.y)[:] = np.asarray(loop.y)
            np.asarray(record.slope)[:] = np.asarray(loop.f)
            vectors = (self.y_vector, self.slope_vector) if self.is_ida else (self.y_vector,)
            self._create(float(loop.t), vectors, _longest(sections.live, loop.longest))
            record.memory = self.memory.value or 0
        loop.library, loop.own_steps = record, 1
        code = sundials.callable("restart_library")(address_of(loop))
        assert code == 0, f"{self.prefix}ReInit failed"

    def may_go_on(self, lost: int) -> bool:
        """Whether a step that failed is worth another beginning: there is more room now for sparse factors,
        which did not fit, or the library gave up early. `lost`: a loop off its branch, 0: none."""
        if self.space.loop.failed_section == -1:
            self.space.grow_factors()
            return True
        return lost == 0 and self._shorten()

    def _shorten(self) -> bool:
        """The library gives up a step after ten failures at the most, which may be too early by far:
        IDA knows only slopes when it begins, and begins at rest with a thousandth of the way to the next
        stop. Then it begins anew, at order one with a shorter step, until there is none."""
        tried = D(0.0)
        self._do("GetCurrentStep", ctypes.byref(tried))
        self.record.first_step = STEPS.shorter * abs(tried.value)
        shortest = max(self.shortest, STEPS.resolved * EPSILON * abs(self.loop.t))
        return bool(self.record.first_step > shortest)

    def _create(self, t: float, vectors: Sequence[int], longest: float) -> None:
        context, lib = self.context, self.library
        made = (
            lib.call("IDACreate", context) if self.is_ida else lib.call("CVodeCreate", BDF, context)
        )
        self.memory = P(made)
        self._made.append((f"{self.prefix}Free", made))
        function = sundials.address("ida_residual" if self.is_ida else "cvode_rhs")
        self._do("Init", function, t, *vectors)
        self._do("SVtolerances", float(self.loop.rtol), self.atol_vector)
        if not self.is_ida:
            self._do("SetMaxHnilWarns", -1)  # steps that are too short are reported by the loop
        self._do("SetUserData", self.space.address)
        if np.isfinite(longest):
            self._do("SetMaxStep", longest)
        matrix, solver = self._linear_solver()
        is_own = self.space.loop.is_sparse == 1
        self._made.append(("SUNMatDestroy", matrix))
        self._made.append(("SUNLinSolFreeEmpty" if is_own else "SUNLinSolFree", solver))
        self._do("SetLinearSolver", solver, matrix)
        self._do("SetJacFn", sundials.address("ida_jacobian" if self.is_ida else "cvode_jacobian"))

    def _linear_solver(self) -> tuple[int, int]:
        lib, n = self.library, self.space.n
        if self.space.loop.is_sparse == 0:
            matrix = lib.call("SUNDenseMatrix", n, n, self.context)
            return matrix, lib.call("SUNLinSol_Dense", self.y_vector, matrix, self.context)
        room = self.space.loop.nonzeros + 2  # indices are copied two at a time
        matrix = lib.call("SUNSparseMatrix", n, n, room, BY_COLUMNS, self.context)
        return matrix, lib.own_solver(self.space.address, self.context)

    def _do(self, name: str, *arguments: Any) -> None:
        code = self.library.call(self.prefix + name, self.memory, *arguments)
        assert code == 0, f"{self.prefix}{name} gave {code}"

    def counts(self) -> tuple[int, int, int]:
        """Rejected steps, factorisations, Newton iterations."""
        rejected, factored, newton = (np.asarray(self.record.past_counts) + self._counts()).tolist()
        return rejected, factored, newton

    def _counts(self) -> Any:
        if self.memory.value is None:
            return np.zeros(3, dtype=np.int64)
        found = []
        for name in COUNTS:
            number = LONG(0)
            self._do(name, ctypes.byref(number))
            found.append(number.value)
        return np.array(found, dtype=np.int64)


def _free(library: Library, made: list[tuple[str, int]]) -> None:
    """Give memory back; the integrator itself goes before what it uses, the context after all."""
    for name, address in sorted(made, key=lambda item: _turn(item[0])):
        if name in INTEGRATORS or name == CONTEXT:
            library.call(name, ctypes.byref(P(address)))
        else:
            library.call(name, address)
    made.clear()


def _turn(name: str) -> int:
    return 0 if name in INTEGRATORS else 2 if name == CONTEXT else 1


def _pack_pattern(space: Workspace) -> None:
    """Rows and column starts as 32-bit integers, padded to whole pairs."""
    loop = space.loop
    rows, starts = np.asarray(loop.row_numbers), np.asarray(loop.column_starts)
    space.resize(packed_rows_size=len(rows) // 2 + 2, packed_starts_size=len(starts) // 2 + 2)
    np.asarray(loop.packed_rows).view(np.int32)[: len(rows)] = rows
    np.asarray(loop.packed_starts).view(np.int32)[: len(starts)] = starts


def _space_of_callbacks(own: Loop, problem: Problem, pattern: Pattern | None) -> Workspace:
    space = Workspace(problem.size, 0, [])
    space.use(METHODS["rodas4"], problem.sparsity, pattern)
    loop = space.loop
    loop.memory_size, loop.memory = own.memory_size, own.memory
    loop.time_slot, loop.follow_slot = own.time_slot, own.follow_slot
    loop.states_slot, loop.derivatives_slot = own.states_slot, own.derivatives_slot
    loop.rtol = problem.rtol
    loop.atol[:] = problem.atol
    _pack_pattern(space)
    return space


def _longest(live: LiveModel, longest: float) -> float:
    """The longest step: as `integrators/step_control.py` has it, and none beyond what is remembered."""
    model = live.model
    swing = live.memory[model.swing] if model.swing >= 0 else 0.0
    longest = min(longest, STEPS.looked_through / swing) if swing > 0.0 else longest
    return longest if live.history is None else min(longest, live.history.record.least)
