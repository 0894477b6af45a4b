"""SUNDIALS from the scikit-sundae wheel, called through ctypes.

    library().call("N_VNew_Serial", 3, library().new_context())

Only the shared libraries of the wheel are used: importing the package takes longer than many simulations. All
callbacks are machine code (`integrators/sundials_kernels.py`). The layout of vectors and matrices on which
they rely is checked before the first use.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from freewheel.runtime.diagnostics import usage
from freewheel.runtime.integrators.sundials_kernels import sundials
from freewheel.runtime.model import Vector

P, D, INT, LONG = ctypes.c_void_p, ctypes.c_double, ctypes.c_int, ctypes.c_long
BY_COLUMNS = 0
MISSING = "U032"

# Functions of the library as name:result:parameters; `{}` is CVode or IDA.
TYPES = {"p": P, "d": D, "i": INT, "-": None}
SIGNATURES = """
SUNContext_Create:i:ip SUNContext_ClearErrHandlers:i:p SUNContext_Free:i:p
N_VNew_Serial:p:ip N_VGetArrayPointer:p:p N_VDestroy:-:p
SUNDenseMatrix:p:iip SUNDenseMatrix_Data:p:p SUNMatDestroy:-:p
SUNSparseMatrix:p:iiiip SUNSparseMatrix_Data:p:p
SUNSparseMatrix_IndexValues:p:p SUNSparseMatrix_IndexPointers:p:p
SUNLinSol_Dense:p:ppp SUNLinSolNewEmpty:p:p SUNLinSolFreeEmpty:-:p SUNLinSolFree:i:p
CVodeCreate:p:ip CVodeInit:i:ppdp CVodeReInit:i:pdp CVodeSetMaxHnilWarns:i:pi CVode:i:pdppi
IDACreate:p:p IDAInit:i:ppdpp IDAReInit:i:pdpp IDASolve:i:pdpppi
{}Free:-:p {}SVtolerances:i:pdp {}SetUserData:i:pp {}SetLinearSolver:i:ppp {}SetJacFn:i:pp
{}SetMaxStep:i:pd {}SetInitStep:i:pd {}SetStopTime:i:pd {}GetDky:i:pdip {}GetCurrentStep:i:pp
{}GetNumErrTestFails:i:pp {}GetNumLinSolvSetups:i:pp {}GetNumNonlinSolvIters:i:pp
"""


@cache
def signatures() -> dict[str, tuple[Any, Sequence[Any]]]:
    found: dict[str, tuple[Any, Sequence[Any]]] = {}
    for name, result, parameters in (item.split(":") for item in SIGNATURES.split()):
        for prefix in ("CVode", "IDA"):
            types = TYPES[result], [TYPES[letter] for letter in parameters]
            found[name.format(prefix)] = types
    return found


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


class Library:
    """The shared libraries. Each run has a context of its own, since a context belongs to one thread."""

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
        self.call("SUNContext_ClearErrHandlers", context)  # the runtime reports errors itself
        return context

    def _open(self, name: str) -> Any:
        found = sorted(self.folder.glob(f"*sundials_{name}*"))
        assert found, f"no library {name} in {self.folder}"
        return ctypes.CDLL(str(found[0]), mode=ctypes.RTLD_GLOBAL)

    def function(self, name: str) -> Any:
        if name not in self._functions:  # the search takes longer than most calls
            self._functions[name] = self._find(name)
        return self._functions[name]

    def _find(self, name: str) -> Any:
        for handle in self.handles:
            if hasattr(handle, name):
                function = getattr(handle, name)
                if name in signatures():
                    function.restype, function.argtypes = signatures()[name]
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
            given = (a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments)
            return int(function(*given))

        return self.address(name), called

    def addresses(self, name: str) -> frozenset[int | None]:
        """Each library has a copy; which one the others call depends on the order of loading."""
        found = (ctypes.cast(getattr(h, name), P).value for h in self.handles if hasattr(h, name))
        return frozenset(found)

    def vector(self, n: int, context: ctypes.c_void_p) -> tuple[int, Vector]:
        made = self.call("N_VNew_Serial", n, context)
        data = self.call("N_VGetArrayPointer", made)
        return made, np.ctypeslib.as_array((D * n).from_address(data)) if n else np.zeros(0)

    def own_solver(self, user: int, context: ctypes.c_void_p) -> int:
        """The project's sparse LU as a linear solver of the library: the wheel has no fast sparse one."""
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
        self.call("SUNLinSolFree", model)
        self.call("SUNMatDestroy", matrix)
        self.call("N_VDestroy", vector)
        return solver

    def _place_of_table(self, solver: int) -> int:
        """Offset of a solver's table of functions, which differs between versions."""
        first = self.addresses("SUNLinSolGetType_Dense")
        for place in (8, 16, 24):
            table = P.from_address(solver + place).value
            if table is not None and P.from_address(table).value in first:
                return place
        raise _unknown_layout()

    def _check_layout(self, context: ctypes.c_void_p) -> None:
        """The layout on which `integrators/sundials_kernels.py` relies."""
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
def library() -> Library:
    return Library()
