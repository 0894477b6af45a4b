"""Compile LLVM text, link it, and give the addresses of its functions.

    code = compile_text("define double @twice(double %x) { ... }")
    code.function("twice", "double", ("double",))(21.0) == 42.0

Level 0 and no passes is the default for model code: the formulas share their common subexpressions
already, and passes cost far more than they gain (measurements in docs/rooms/machine.md). Kernels are
compiled once per machine at level 2 with passes. Calls release the GIL like every ctypes call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from freewheel.machine import cache as store

CTYPES: Mapping[str, Any] = {
    "double": ctypes.c_double,
    "i64": ctypes.c_int64,
    "ptr": ctypes.c_void_p,
    "void": None,
}


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """Machine code in memory. It lives as long as this object does."""

    engine: Any
    from_cache: bool
    _functions: dict[str, Any] = field(default_factory=dict)
    _addresses: dict[str, int] = field(default_factory=dict)

    def address(self, name: str) -> int:
        if name not in self._addresses:
            found = int(self.engine.get_function_address(name))
            assert found, f"no function {name}"
            self._addresses[name] = found
        return self._addresses[name]

    def function(self, name: str, result: str, arguments: Sequence[str]) -> Callable[..., Any]:
        """A Python callable; pointers are passed as integers."""
        if name not in self._functions:
            kind = ctypes.CFUNCTYPE(CTYPES[result], *(CTYPES[a] for a in arguments))
            self._functions[name] = kind(self.address(name))
        callable_: Callable[..., Any] = self._functions[name]
        return callable_


@cache
def _host() -> tuple[Any, str, str]:
    import llvmlite
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    version = f"{llvmlite.__version__} {binding.llvm_version_info}"
    return binding, processor, version


def _machine(level: int) -> Any:
    binding, _, _ = _host()
    return binding.Target.from_default_triple().create_target_machine(
        opt=level,
        jit=True,
        codemodel="jitdefault",
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
    )


def compile_text(
    text: str | Callable[[], str],
    level: int = 0,
    passes: bool | Sequence[str] = False,
    key: str | None = None,
    symbols: Mapping[str, int] | None = None,
    use_cache: bool = True,
) -> Code:
    """`key` stands for the text where making the text is itself worth saving; then `text` may be a
    function that makes it. `symbols` are addresses of functions that the text only declares.
    `passes`: whether those of kernels run over it, or which."""
    binding, _, _ = _host()
    for name, address in (symbols or {}).items():
        binding.add_symbol(name, address)
    if key is None:
        text = text() if callable(text) else text
        key = text
    name = _name_of(key, level, passes)
    code = store.read(name) if use_cache else None
    machine = _machine(level)
    from_cache = code is not None
    if code is None:
        code = _object_code(text() if callable(text) else text, machine, level, passes)
        if use_cache:
            store.write(name, code)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Code(engine, from_cache)


def is_kept(key: str, level: int, passes: bool | Sequence[str]) -> bool:
    """Whether object code seems to be there already."""
    return store.has(_name_of(key, level, passes))


def _passes(chosen: bool | Sequence[str]) -> Sequence[str]:
    if isinstance(chosen, bool):
        return PASSES if chosen else ()
    return chosen


def _name_of(key: str, level: int, passes: bool | Sequence[str]) -> str:
    _, processor, version = _host()
    return store.key_of(key, processor, version, str(level), *_passes(passes))


def _object_code(text: str, machine: Any, level: int, passes: bool | Sequence[str]) -> bytes:
    binding, _, _ = _host()
    module = binding.parse_assembly(text)
    module.verify()
    if passes:
        _improve(module, machine, _passes(passes))
    code: bytes = machine.emit_object(module)
    return code


# What kernels gain from: variables out of memory, straight branches, values computed once, loops
# with their test at the end. All of LLVM's level 1 takes ten times as long to run over them and makes
# no kernel of ours measurably faster; most of the time goes to making machine code anyway.
PASSES = (
    "global_dead_code_eliminate",
    "sroa",
    "simplify_cfg",
    "instruction_combine",
    "new_gvn",
    "loop_rotate",
    "simplify_cfg",
)


# For small functions that are written as several: these become one, whose places are registers.
INLINING = ("always_inliner", *PASSES[:-1], "dead_store_elimination", "aggressive_dce")
# For code that is soon replaced: the others take a quarter of the time, and gain nothing at level 0.
QUICK_PASSES = ("always_inliner", *PASSES[:4])


def _improve(module: Any, machine: Any, passes: Sequence[str]) -> None:
    binding, _, _ = _host()
    builder = binding.create_pass_builder(
        machine, binding.create_pipeline_tuning_options(speed_level=1)
    )
    manager = binding.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, builder)
