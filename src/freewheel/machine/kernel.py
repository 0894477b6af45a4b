"""Restricted Python functions become LLVM text; the same functions also run in CPython.

A kernel is an annotated Python function over floats, integers and arrays of them (see
`kernel_nodes`): assignments, augmented assignments, if, while, for over range, break, continue,
return, arithmetic, comparisons, and/or/not, conditional expressions, subscripts, `a[i:]`, fields of
records (see `records`), calls of other kernels of the module, of functions handed in, and of a few
mathematical functions.

    module = KernelModule("vectors")

    @module.kernel
    def axpy(n: Int, a: Float, x: Floats, y: Floats) -> None:
        for i in range(n):
            y[i] += a * x[i]

    module.compile().function("axpy", ...)

Integer `//` and `%` truncate toward zero when compiled; kernels use them on non-negative numbers
only. Names from the module around a kernel must be numbers, or attributes of frozen dataclasses, of named
tuples and of enumerations that are numbers: they are constants.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum, EnumMeta
from functools import cache
from pathlib import Path
from threading import Lock, Thread
from threading import enumerate as enumerate_threads
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, get_type_hints

from freewheel.machine.cache import key_of
from freewheel.machine.jit import INLINING, QUICK_PASSES, Code, compile_text, is_kept
from freewheel.machine.kernel_values import Signature
from freewheel.machine.kernel_writer import METADATA, write_function
from freewheel.machine.records import (
    is_record,
    kind_of,
    llvm_type,
    meaning,
    reached_from,
    record_text,
)

Any_ = TypeVar("Any_", bound=Callable[..., Any])


Constant = tuple[Mapping[str, Any], str]  # names of a file, and one that stands for a constant


class _Part(NamedTuple):
    """What a module's own kernels are made from: it stays as it is, but for the values of constants."""

    mark: str  # of their files
    constants: Sequence[Constant]
    records: Mapping[type[Any], None]


class KernelModule:
    """Kernels that call each other; compiled together, once, when first asked for."""

    def __init__(
        self,
        name: str,
        *uses: KernelModule,
        exports: Collection[str] | None = None,
        quick_first: bool = False,
        inline: Collection[str] = (),
    ) -> None:
        self.name = name
        self.uses = uses
        self.exports = exports  # kernels that are called from outside; all where it is not said
        # Machine code that is made quickly, until somebody asks to `improve` it.
        self.quick_first = quick_first
        self.inline = inline  # kernels of the innermost loop: written into those that call them
        self.kernels: dict[str, Callable[..., Any]] = {}
        self.is_best = False
        self._is_begun = False
        self._is_improving = False
        self._code: Code | None = None
        self._before: list[Code] = []  # may still be running
        self._thread: Thread | None = None
        self._compiling = Lock()
        self._callables: dict[str, tuple[Code, Callable[..., Any]]] = {}
        # All modules that it uses, and itself; what is known of their kernels holds up to the next one.
        below = [module for used in uses for module in used._modules]
        self._modules: tuple[KernelModule, ...] = tuple(dict.fromkeys([*below, self]))
        self._registered = 0
        self._all: tuple[int, dict[str, Callable[..., Any]]] = (-1, {})
        self._part: tuple[int, _Part] | None = None

    def kernel(self, function: Any_) -> Any_:
        """Decorator: the function stays what it is and also belongs to the module."""
        assert self._code is None, "the module is compiled already"
        self.kernels[function.__name__] = function
        self._registered += 1
        return function

    def all_kernels(self) -> Mapping[str, Callable[..., Any]]:
        stamp = self._stamp()
        if self._all[0] != stamp:
            self._all = (stamp, self._gathered())
        return self._all[1]

    def _stamp(self) -> int:
        return sum(module._registered for module in self._modules)

    def _gathered(self) -> dict[str, Callable[..., Any]]:
        found: dict[str, Callable[..., Any]] = {}
        for module in self._modules:
            for name, function in module.kernels.items():
                known = found.setdefault(name, function)
                assert known is function, f"two kernels of {self.name} are called {name}"
        return found

    def _needed(self) -> Mapping[str, Callable[..., Any]]:
        """What is called from outside, and what that calls."""
        functions = self.all_kernels()
        if self.exports is None:
            return functions
        found: set[str] = set()
        stack = list(self.exports)
        while stack:
            name = stack.pop()
            if name in functions and name not in found:
                found.add(name)
                stack.extend(functions[name].__code__.co_names)
        return {name: function for name, function in functions.items() if name in found}

    def text(self) -> str:
        """The module as LLVM text."""
        functions = self._needed()
        trees = {name: _tree(function) for name, function in functions.items()}
        signatures = {name: signature_of(function) for name, function in functions.items()}
        declared: dict[str, None] = {}
        bodies: list[str] = []
        for name, function in functions.items():
            body = write_function(name, trees[name], signatures, function.__globals__, declared)
            if self.exports is not None and name not in self.exports:
                # inlined or dropped: half the code to make
                body = body.replace("define ", "define internal ", 1)
            if name in self.inline:
                body = body.replace(") #0 {", ") #2 {", 1)
            bodies.append(body)
        records = reached_from(_records_of(functions.values()))
        types = [one.declaration() for one in records.values()]
        return "\n".join([*types, *declared, "", *bodies, *ATTRIBUTES, *METADATA])

    def key(self) -> str:
        """Stands for the text: the files that hold the kernels, and the constants they use. (Whole
        files, because finding a function's source takes longer than loading its code.)"""
        self.all_kernels()  # of different names
        parts = [_VERSION, self.name, *(self.exports or ()), *self.inline]
        records: dict[type[Any], None] = {}
        for module in self._modules:
            part = module._own_part()
            parts += [
                part.mark,
                *(f"{used}={_shown(names[used])}" for names, used in part.constants),
            ]
            records |= part.records
        parts += map(record_text, reached_from(records).values())
        return "\n".join(parts)

    def _own_part(self) -> _Part:
        if self._part is None or self._part[0] != self._registered:
            self._part = (self._registered, self._made_part())
        return self._part[1]

    def _made_part(self) -> _Part:
        functions = self.kernels.values()
        files = dict.fromkeys(function.__code__.co_filename for function in functions)
        used: dict[tuple[int, str], Constant] = {}  # each name of a file once
        for function in functions:
            names = function.__globals__
            used |= {(id(names), name): (names, name) for name in function.__code__.co_names}
        return _Part(
            key_of(*self.kernels, *map(_contents, files)),
            [found for found in used.values() if _is_constant(*found)],
            dict.fromkeys(_records_of(functions)),
        )

    def begin(self) -> None:
        """Compile beside other work, if nothing is kept from before: LLVM needs no Python lock."""
        if self._is_begun or self._code is not None:
            return
        self._is_begun = True  # to find out whether it is kept takes longer than many a run
        with self._compiling:
            if self._code is None and self._thread is None and not self._is_kept():
                self._start(self._compile_first)

    def improve(self) -> None:
        """Make the best code beside other work; `address` and `callable` give it once it is there.
        Python waits for it at the end: LLVM must not be left while it works."""
        if self._code is None or self.is_best:
            return
        with self._compiling:
            if not self._is_improving:
                self._is_improving = True
                self._start(self._compile_best, daemon=False)

    def _is_kept(self) -> bool:
        key = self.key()
        is_quick = self.quick_first and is_kept(key, QUICK, QUICK_PASSES)
        return is_quick or is_kept(key, LEVEL, self._passes)

    @property
    def _passes(self) -> bool | Sequence[str]:
        return INLINING if self.inline else True

    def _start(self, work: Callable[[], None], daemon: bool = True) -> None:
        self._thread = Thread(target=self._beside, args=(work,), name=BESIDE, daemon=daemon)
        self._thread.start()

    def _beside(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:  # it fails again where the code is asked for, and is told there
            return

    def _compile_first(self) -> None:
        key = self.key()
        is_quick = self.quick_first and not is_kept(key, LEVEL, self._passes)
        level, passes = (QUICK, QUICK_PASSES) if is_quick else (LEVEL, self._passes)
        self._code = compile_text(self.text, level=level, passes=passes, key=key)
        self.is_best = not is_quick

    def _compile_best(self) -> None:
        if self._code is not None:
            self._before.append(self._code)
        self._code = compile_text(self.text, level=LEVEL, passes=self._passes, key=self.key())
        self.is_best = True

    def compile(self) -> Code:
        if self._code is None:
            with self._compiling:  # code that another thread got must not be thrown away
                if self._thread is not None:
                    self._thread.join()
                    self._thread = None
                if self._code is None:
                    self._compile_first()
        assert self._code is not None
        return self._code

    @property
    def has_code(self) -> bool:
        """Whether nobody has to wait for it."""
        return self._code is not None

    @property
    def is_at_hand(self) -> bool:
        """Whether nobody has to wait long: it is only to be read. LLVM does one thing at a time, so
        reading waits for what is compiled beside."""
        return self.has_code or (self._is_kept() and not _is_compiling_beside())

    def address(self, name: str) -> int:
        return self.compile().address(name)

    def callable(self, name: str) -> Callable[..., Any]:
        """The compiled kernel as a Python function; arrays are passed as addresses."""
        code = self.compile()
        known = self._callables.get(name)
        if known is None or known[0] is not code:  # there may be better code now
            arguments, result = signature_of(self.all_kernels()[name])
            made = code.function(name, llvm_type(result), [llvm_type(a) for a in arguments])
            known = self._callables[name] = (code, made)
        return known[1]


_VERSION = "kernel language 4"
BESIDE = "machine code"  # name of the threads that compile
LEVEL = 2
QUICK = 0  # an eighth of the time; such code runs two to three times as long
ATTRIBUTES = (
    "attributes #0 = { nounwind }",
    "attributes #1 = { nounwind willreturn memory(none) }",
    "attributes #2 = { nounwind alwaysinline }",
)


def _is_compiling_beside() -> bool:
    return any(thread.name == BESIDE for thread in enumerate_threads())


def _tree(function: Callable[..., Any]) -> ast.FunctionDef:
    """Of functions of one name that at its line; the file may have been edited since it was read."""
    code = function.__code__
    found = _trees(code.co_filename)[function.__name__]
    return found.get(code.co_firstlineno) or found[max(found)]


def _is_constant(names: Mapping[str, Any], used: str) -> bool:
    value = names.get(used)
    if value is None or isinstance(value, FunctionType):
        return False  # most of them
    is_choice = isinstance(value, type) and issubclass(value, Enum)
    is_record_of_numbers = isinstance(value, tuple) and hasattr(value, "_fields")
    return (
        is_choice or isinstance(value, int | float) or is_record_of_numbers or is_dataclass(value)
    )


def _shown(value: Any) -> str:
    return repr(list(value)) if isinstance(value, EnumMeta) else repr(value)


@cache
def _contents(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")


@cache
def _trees(file: str) -> dict[str, dict[int, ast.FunctionDef]]:
    """The functions of a file by name and first line, which is that of their first decorator."""
    found: dict[str, dict[int, ast.FunctionDef]] = {}
    waiting: list[ast.AST] = [ast.parse(_contents(file))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
            found.setdefault(node.name, {})[first] = node
        waiting.extend(getattr(node, "body", ()))  # statements only: most nodes are expressions
    return found


def signature_of(function: Callable[..., Any]) -> Signature:
    """Kernel types of the arguments and of the result."""
    code, names = function.__code__, function.__globals__
    hints = {name: meaning(hint, names) for name, hint in function.__annotations__.items()}
    if any(hint is None for hint in hints.values()):
        hints = get_type_hints(function, include_extras=True)
    result = hints.get("return", type(None))
    arguments = code.co_varnames[: code.co_argcount]
    return tuple(kind_of(hints[name])[0] for name in arguments), kind_of(result)[0]


def _records_of(functions: Iterable[Callable[..., Any]]) -> Iterator[type[Any]]:
    """Records that the arguments are. (Annotations are texts: resolving them all takes too long.)"""
    for function in functions:
        for hint in function.__annotations__.values():
            found: Any = function.__globals__.get(hint) if isinstance(hint, str) else hint
            if is_record(found):
                yield found
