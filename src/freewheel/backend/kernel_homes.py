"""Kernels that compiled sections call, by name: which module of kernels has them.

    kernel_addresses(kernels_in(text))

A model calls few of them: the others are not even imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from freewheel.machine.kernel import KernelModule

# File and name of the module of kernels.
HOMES = {
    "fw_not_finite": ("backend.linear_kernels", "FINITE"),
    "fw_linear": ("backend.linear_kernels", "LINEAR"),
    "fw_drop_rounding": ("backend.linear_kernels", "LINEAR"),
    "fw_solve": ("backend.llvm_kernels", "SOLVERS"),
    "fw_loop": ("backend.branch_kernels", "BRANCHES"),
    "fw_sparse": ("backend.sparse_kernels", "SPARSE"),
    "fw_xorshift64star": ("backend.random_kernels", "RANDOM"),
    "fw_xorshift128plus": ("backend.random_kernels", "RANDOM"),
    "fw_xorshift1024star": ("backend.random_kernels", "RANDOM"),
    "fw_history": ("runtime.delays.lookup", "looking"),
    "fw_pipe": ("runtime.delays.lookup", "looking"),
    "fw_table_1d": ("backend.table_kernels", "TABLES"),
    "fw_table_time": ("backend.table_kernels", "TABLES"),
    "fw_next_event": ("backend.table_kernels", "TABLES"),
    "fw_core_slope": ("backend.core_kernels", "CORE"),
    "fw_core_jacobians": ("backend.core_kernels", "CORE"),
}


def kernels_in(text: str) -> tuple[str, ...]:
    """The kernels that a module's text calls."""
    return tuple([name for name in HOMES if f"call i64 @{name}(" in text])


def kernel_addresses(names: Iterable[str]) -> dict[str, int]:
    """Where these kernels are; no others are compiled."""
    return {name: home_of(name).address(name) for name in names}


def home_of(name: str) -> KernelModule:
    file, module = HOMES[name]
    found: KernelModule = getattr(import_module(f"freewheel.{file}"), module)
    return found
