"""SUNDIALS from the scikit-sundae wheel, called through ctypes: CVODE and IDA as methods of the loop.

    library = Multistep(False, loop_space, space)
    library.begin(derivatives, jacobian, longest)      # at the point of the loop

Only the shared libraries of the wheel are used; importing the package itself would take longer than many
simulations. All callbacks are machine code (`integrators/sundials_kernels.py`). They rely on the layout of
vectors and matrices, so that is checked against the library's own functions before the first use.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from freewheel.machine.memory import Closure, address_of, bind
from freewheel.runtime.diagnostics import usage
from freewheel.runtime.integrators.sundials_kernels import sundials
from freewheel.runtime.loop.memory import MultistepLibrary
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import Vector

P, D, INT, LONG = ctypes.c_void_p, ctypes.c_double, ctypes.c_int, ctypes.c_long
BDF = 2
BY_COLUMNS = 0
MISSING = "U032"
SHORTER = 0.1  # less than the quarter by which the library itself shortens a step that failed

SIGNATURES: dict[str, tuple[Any, Sequence[Any]]] = {
    "SUNContext_Create": (INT, (INT, P)),
    "SUNContext_ClearErrHandlers": (INT, (P,)),
    "SUNContext_Free": (INT, (P,)),
    "N_VNew_Serial": (P, (INT, P)),
    "N_VGetArrayPointer": (P, (P,)),
    "SUNDenseMatrix": (P, (INT, INT, P)),
    "SUNDenseMatrix_Data": (P, (P,)),
    "SUNSparseMatrix": (P, (INT, INT, INT, INT, P)),
    "SUNSparseMatrix_Data": (P, (P,)),
    "SUNSparseMatrix_IndexValues": (P, (P,)),
    "SUNSparseMatrix_IndexPointers": (P, (P,)),
    "SUNLinSol_Dense": (P, (P, P, P)),
    "SUNLinSolNewEmpty": (P, (P,)),
    "SUNLinSolFreeEmpty": (None, (P,)),
    "SUNLinSolFree": (INT, (P,)),
    "SUNMatDestroy": (None, (P,)),
    "N_VDestroy": (None, (P,)),
    "CVodeCreate": (P, (INT, P)),
    "CVodeInit": (INT, (P, P, D, P)),
    "CVodeReInit": (INT, (P, D, P)),
    "CVodeSetMaxHnilWarns": (INT, (P, INT)),
    "IDACreate": (P, (P,)),
    "IDAInit": (INT, (P, P, D, P, P)),
    "IDAReInit": (INT, (P, D, P, P)),
    "CVode": (INT, (P, D, P, P, INT)),
    "IDASolve": (INT, (P, D, P, P, P, INT)),
}
for _prefix in ("CVode", "IDA"):
    SIGNATURES.update(
        {
            f"{_prefix}Free": (None, (P,)),
            f"{_prefix}SVtolerances": (INT, (P, D, P)),
            f"{_prefix}SetUserData": (INT, (P, P)),
            f"{_prefix}SetLinearSolver": (INT, (P, P, P)),
            f"{_prefix}SetJacFn": (INT, (P, P)),
            f"{_prefix}SetMaxStep": (INT, (P, D)),
            f"{_prefix}SetInitStep": (INT, (P, D)),
            f"{_prefix}GetCurrentStep": (INT, (P, P)),
            f"{_prefix}SetStopTime": (INT, (P, D)),
            f"{_prefix}GetNumErrTestFails": (INT, (P, P)),
            f"{_prefix}GetNumLinSolvSetups": (INT, (P, P)),
            f"{_prefix}GetNumNonlinSolvIters": (INT, (P, P)),
            f"{_prefix}GetDky": (INT, (P, D, INT, P)),
        }
    )


INTEGRATORS = ("CVodeFree", "IDAFree")
CONTEXT = "SUNContext_Free"
# Fields of `MultistepLibrary`.
FUNCTIONS = {
    "interpolate": "GetDky",
    "reinitialise": "ReInit",
    "set_first_step": "SetInitStep",
    "set_stop": "SetStopTime",
    "rejected_steps": "GetNumErrTestFails",
    "factorisations": "GetNumLinSolvSetups",
    "newton_iterations": "GetNumNonlinSolvIters",
}
OWN_SOLVER = {
    "GetType": "solver_type",
    "Initialize": "solver_ready",
    "Setup": "solver_setup",
    "Solve": "solver_solve",
}


def _folder() -> Path | None:
    spec = find_spec("sksundae")  # does not import it
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    for folder in (package.parent / "scikit_sundae.libs", package / ".dylibs"):
        if folder.is_dir():
            return folder
    return None


def is_available() -> bool:
    return _folder() is not None


def _unknown_layout() -> Exception:
    return usage(
        MISSING,
        "the installed SUNDIALS stores its data in an unknown way",
        "install scikit-sundae 1.2, or choose another solver",
    )


class _Library:
    """The shared libraries. Each run has a context: what is in one belongs to one thread."""

    def __init__(self) -> None:
        folder = _folder()
        if folder is None:
            raise usage(
                MISSING,
                "the solvers `cvode` and `ida` need SUNDIALS, which is not installed",
                "install the extra: pip install 'freewheel[sundials]', or choose another solver",
            )
        self.folder = folder
        self._functions: dict[str, Any] = {}
        self._addresses: dict[str, int] = {}
        self.handles = [self._open(name) for name in ("core", "cvode", "ida", "sunlinsoldense")]
        self._check_layout(self.new_context())

    def new_context(self) -> ctypes.c_void_p:
        context = P()
        assert self.call("SUNContext_Create", 0, ctypes.byref(context)) == 0
        self.call("SUNContext_ClearErrHandlers", context)  # we tell errors ourselves
        return context

    def _open(self, name: str) -> Any:
        found = sorted(self.folder.glob(f"*sundials_{name}*"))
        assert found, f"no library {name} in {self.folder}"
        return ctypes.CDLL(str(found[0]), mode=ctypes.RTLD_GLOBAL)

    def function(self, name: str) -> Any:
        if (
            name not in self._functions
        ):  # looking through the libraries takes longer than most calls
            self._functions[name] = self._find(name)
        return self._functions[name]

    def _find(self, name: str) -> Any:
        for handle in self.handles:
            if hasattr(handle, name):
                function = getattr(handle, name)
                if name in SIGNATURES:
                    function.restype, function.argtypes = SIGNATURES[name]
                return function
        raise AssertionError(f"SUNDIALS has no {name}")

    def call(self, name: str, *arguments: Any) -> Any:
        return self.function(name)(*arguments)

    def address(self, name: str) -> int:
        if name not in self._addresses:
            address = ctypes.cast(self.function(name), P).value
            assert address is not None
            self._addresses[name] = address
        return self._addresses[name]

    def kernel_function(self, name: str) -> tuple[int, Callable[..., int]]:
        """For kernels, compiled or run by CPython."""
        function = self.function(name)

        def called(*arguments: Any) -> int:
            pointers = (getattr(a, "ctypes", a) for a in arguments)
            return int(function(*(getattr(a, "data", a) for a in pointers)))

        return self.address(name), called

    def addresses(self, name: str) -> frozenset[int | None]:
        """Each library has a copy; which one the others call depends on who was loaded first."""
        found = (ctypes.cast(getattr(h, name), P).value for h in self.handles if hasattr(h, name))
        return frozenset(found)

    def vector(self, n: int, context: ctypes.c_void_p) -> tuple[int, Vector]:
        made = self.call("N_VNew_Serial", n, context)
        data = self.call("N_VGetArrayPointer", made)
        return made, np.ctypeslib.as_array((D * n).from_address(data)) if n else np.zeros(0)

    def own_solver(self, user: int, context: ctypes.c_void_p) -> int:
        """Our sparse LU as a linear solver of the library; the wheel has none that is fast here."""
        vector, _ = self.vector(1, context)
        matrix = self.call("SUNDenseMatrix", 1, 1, context)
        model = self.call("SUNLinSol_Dense", vector, matrix, context)
        solver: int = self.call("SUNLinSolNewEmpty", context)
        P.from_address(solver).value = user
        at_table = self._place_of_table(model)
        given, own = (P.from_address(s + at_table).value for s in (model, solver))
        assert given is not None
        assert own is not None
        for name, kernel in OWN_SOLVER.items():
            wanted = self.addresses(f"SUNLinSol{name}_Dense")
            place = next(i for i in range(20) if P.from_address(given + 8 * i).value in wanted)
            P.from_address(own + 8 * place).value = sundials.address(kernel)
        for name, one in (
            ("SUNLinSolFree", model),
            ("SUNMatDestroy", matrix),
            ("N_VDestroy", vector),
        ):
            self.call(name, one)
        return solver

    def _place_of_table(self, solver: int) -> int:
        """Solvers hold a table of functions; its place and its length have changed in the past."""
        first = self.addresses("SUNLinSolGetType_Dense")
        for place in (8, 16, 24):
            table = P.from_address(solver + place).value
            if table is not None and P.from_address(table).value in first:
                return place
        raise _unknown_layout()

    def _check_layout(self, context: ctypes.c_void_p) -> None:
        """What `integrators/sundials_kernels.py` takes for granted."""
        vector, _ = self.vector(3, context)
        dense = self.call("SUNDenseMatrix", 3, 3, context)
        sparse = self.call("SUNSparseMatrix", 3, 3, 5, BY_COLUMNS, context)
        expected = [
            (vector, 1, self.call("N_VGetArrayPointer", vector)),
            (dense, 1, self.call("SUNDenseMatrix_Data", dense)),
            (sparse, 2, self.call("SUNSparseMatrix_Data", sparse)),
            (sparse, 4, self.call("SUNSparseMatrix_IndexValues", sparse)),
            (sparse, 5, self.call("SUNSparseMatrix_IndexPointers", sparse)),
        ]
        for made, place, pointer in expected:
            content = P.from_address(made).value
            assert content is not None
            if P.from_address(content + 8 * place).value != pointer:
                raise _unknown_layout()


@cache
def library() -> _Library:
    return _Library()


class Multistep:
    """CVODE or IDA for one model, stepping for the compiled loop."""

    def __init__(self, is_ida: bool, loop_space: Workspace, space: Workspace) -> None:
        self.library = library()
        self.prefix = "IDA" if is_ida else "CVode"
        self.is_ida = is_ida
        self.loop = loop_space.loop
        self.space = space  # of the callbacks
        n = space.n
        self.context = self.library.new_context()
        self.y_vector, y = self.library.vector(n, self.context)
        self.slope_vector, slope = self.library.vector(n, self.context)
        trial_vector, trial = self.library.vector(n, self.context)
        self.atol_vector, stored = self.library.vector(n, self.context)
        stored[:] = np.asarray(self.loop.atol)
        _pack_pattern(space)
        self.memory = P()
        vectors = (self.y_vector, self.slope_vector, trial_vector, self.atol_vector)
        self._made = [("N_VDestroy", vector) for vector in vectors]
        self._made.append((CONTEXT, self.context.value or 0))
        weakref.finalize(self, _free, self.library, self._made)
        self.record = loop_space.memory.new(
            MultistepLibrary, n=n, is_ida=int(is_ida), y=y, slope=slope, trial=trial,
            y_vector=self.y_vector, slope_vector=self.slope_vector, trial_vector=trial_vector,
        )  # fmt: skip
        self._bind_functions()

    def _bind_functions(self) -> None:
        known = self.library.kernel_function
        bind(self.record, step=known("IDASolve" if self.is_ida else "CVode"))
        for field, name in FUNCTIONS.items():
            bind(self.record, **{field: known(self.prefix + name)})

    def begin(self, derivatives: int | Closure, jacobian: int, longest: float) -> None:
        """At the point of the loop; from then on the loop itself restarts the library."""
        bind(self.space.loop, derivatives=derivatives, jacobian_section=jacobian)
        loop, record = self.loop, self.record
        if self.memory.value is None:
            np.asarray(record.y)[:] = np.asarray(loop.y)
            np.asarray(record.slope)[:] = np.asarray(loop.f)
            vectors = (self.y_vector, self.slope_vector) if self.is_ida else (self.y_vector,)
            self._create(float(loop.t), vectors, longest)
            record.memory = self.memory.value or 0
        loop.library, loop.own_steps = record, 1
        code = sundials.callable("restart_library")(address_of(loop))
        assert code == 0, f"{self.prefix}ReInit failed"

    def shorten(self, shortest: float) -> bool:
        """The library gives up a step after ten failures at the most, which may be too early by far:
        IDA knows only slopes when it begins, and begins at rest with a thousandth of the way to the next
        stop. Then it begins anew, at order one with a shorter step, until there is none."""
        tried = D(0.0)
        self._do("GetCurrentStep", ctypes.byref(tried))
        self.record.first_step = SHORTER * abs(tried.value)
        return self.record.first_step > shortest

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
            self._do("SetMaxHnilWarns", -1)  # steps that are too short are told by the loop
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
        for name in ("GetNumErrTestFails", "GetNumLinSolvSetups", "GetNumNonlinSolvIters"):
            number = LONG(0)
            self._do(name, ctypes.byref(number))
            found.append(number.value)
        return np.array(found, dtype=np.int64)


def _free(library: _Library, made: list[tuple[str, int]]) -> None:
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
