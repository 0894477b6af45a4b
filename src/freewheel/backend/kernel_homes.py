"""Kernels that compiled sections call, by name: which module of kernels has them.

kernel_addresses(kernels_in(text))
"""

from __future__ import annotations

from collections.abc import Iterable

from freewheel.backend.branch_kernels import BRANCHES
from freewheel.backend.core_kernels import CORE
from freewheel.backend.linear_kernels import FINITE, LINEAR
from freewheel.backend.llvm_kernels import SOLVERS
from freewheel.backend.random_kernels import RANDOM, RANDOM_CALLS
from freewheel.backend.sparse_kernels import SPARSE
from freewheel.backend.table_kernels import KERNELS as TABLE_KERNELS
from freewheel.backend.table_kernels import TABLES
from freewheel.runtime.delays.lookup import looking

HOMES = {
    "fw_not_finite": FINITE,
    "fw_linear": LINEAR,
    "fw_drop_rounding": LINEAR,
    "fw_solve": SOLVERS,
    "fw_loop": BRANCHES,
    "fw_sparse": SPARSE,
    **{kernel: RANDOM for kernel, _ in RANDOM_CALLS.values()},
    "fw_history": looking,
    "fw_pipe": looking,
    **dict.fromkeys(TABLE_KERNELS, TABLES),
    "fw_core_slope": CORE,
    "fw_core_jacobians": CORE,
}


def kernels_in(text: str) -> tuple[str, ...]:
    """The kernels that a module's text calls."""
    return tuple([name for name in HOMES if f"call i64 @{name}(" in text])


def kernel_addresses(names: Iterable[str]) -> dict[str, int]:
    """Where these kernels are; no others are compiled."""
    return {name: HOMES[name].address(name) for name in names}
