"""What machine code leaves to Python: strings, external objects, functions handed over, messages.

A section reaches it through one function pointer, `int64 python(int64 number, double* in, double*
out)`: the number says which piece of Python text to run. Pieces are written while the sections are
(`add_values`, ...) and bound to the functions of the model when the machine code is loaded (`bind`).

    number = calls.add_values(["f1_load(objects[2], a[0])[0]"], 1)
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.backend.failures import FAILURES, strict
from freewheel.backend.kept_arrays import KeptArrays
from freewheel.base.access import RefusedError
from freewheel.base.making import making
from freewheel.base.names import Name
from freewheel.program.section_names import SECTIONS, SIMPLIFIED
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.backend.recipe import Recipe
    from freewheel.backend.reference import Reference
    from freewheel.formula.nodes import Expr
    from freewheel.formula.python_code import PythonText
    from freewheel.program.nodes import Program

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
ALL_SECTIONS = (SIMPLIFIED, *SECTIONS)


class PythonCalls:
    """Pieces of Python text by number; the first numbers are the sections of the reference."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sources: list[Callable[[], str]] = []  # texts of assertions are made when needed
        self.counts: list[tuple[int, int]] = []  # arguments, results; (-1, 0): takes the memory

    @cached_property
    def text(self) -> PythonText:
        from freewheel.backend.python import unique_codes
        from freewheel.formula.python_code import PythonText

        return PythonText(_name_code, unique_codes(self.program))

    def of(self, expr: Expr) -> str:
        return self.text.of(expr)

    def add_values(self, results: Sequence[str], arguments: int, before: str = "") -> int:
        """Numbers computed from numbers `a[0], a[1], ...`."""
        lines = [f"def piece_{len(self.sources)}(a):"]
        if before:
            lines.append(f"    {before}")
        lines.append(f"    return [{', '.join(results)}]")
        text = "\n".join(lines)
        return self._add(lambda: text, (arguments, len(results)))

    def add_action(self, section: str, step: int, kind: str, message: Expr | None) -> int:
        """An assertion or `terminate` that fires; sees the whole memory."""
        number = len(self.sources)

        def source() -> str:
            text = '""' if message is None else self.of(message)
            return f"def piece_{number}(m):\n    say({section!r}, {step}, {kind!r}, {text})"

        return self._add(source, (-1, 0))

    def _add(self, source: Callable[[], str], counts: tuple[int, int]) -> int:
        self.sources.append(source)
        self.counts.append(counts)
        return len(ALL_SECTIONS) + len(self.sources) - 1


def _name_code(name: Name) -> str:
    head = name[0]
    if isinstance(head, int) or head == "old":
        return f"m[{head if isinstance(head, int) else name[1]}]"
    if head == "arg":
        return f"a[{name[1]}]"
    if head == "t":
        return f"held[{name[1]}]"
    if head == "tuple":
        return f"held[{name[1]}][0]"
    assert head == "object", name
    return f"objects[{name[1]}]"


class PythonSide:
    """Runs the pieces; keeps the reference, made when it is first needed."""

    def __init__(self, recipe: Recipe, size: int, objects: list[Any]) -> None:
        self.recipe = recipe  # what it holds is asked for only when machine code calls
        self.size = size
        self.said: list[tuple[str, int, str, str]] = []
        self.objects = objects
        self.rows: dict[int, Vector] = {}  # tables as kernels see them
        # Where the rows are; machine code reads these addresses, 0 means: ask Python.
        self.row_addresses = np.zeros(max(1, len(self.objects)), dtype=np.int64)
        self.forgetful: list[KeptArrays] = []  # of modules that keep something between calls
        # By digest, of a restored run: modules that are made later get them.
        self.awaited: Mapping[str, Sequence[Any]] = {}
        self.fallbacks = 0  # how often the reference had to help
        self.interrupt: BaseException | None = None
        self._pieces: list[Callable[[Any], Any]] | None = None
        self._reference: Reference | None = None
        self.callback = CALLBACK(self.called)
        self.address = ctypes.cast(self.callback, ctypes.c_void_p).value

    @property
    def counts(self) -> list[tuple[int, int]]:
        return self.recipe.calls.counts

    @property
    def pieces(self) -> list[Callable[[Any], Any]]:
        """Compiled when one is first called: most models never break an assertion."""
        if self._pieces is None:
            with making:
                self._pieces = self._compiled()
        return self._pieces

    def _compiled(self) -> list[Callable[[Any], Any]]:
        from freewheel.formula.python_function import function_text
        from freewheel.formula.python_runtime import NAMES
        from freewheel.runtime.delays.history import look_in_pipe, look_up

        calls = self.recipe.calls
        sources = [source() for source in calls.sources]
        code = calls.text.function_code
        names: dict[str, Any] = dict(NAMES)
        names.update(objects=self.objects, held={}, say=lambda *what: self.said.append(what))
        names["publish"] = self.publish
        names.update(look_up=look_up, look_in_pipe=look_in_pipe)
        texts = [function_text(f, code) for f in calls.program.functions]
        exec(compile("\n".join([*texts, *sources]), "<pieces>", "exec"), names)
        return [strict(names[f"piece_{number}"]) for number in range(len(sources))]

    @property
    def reference(self) -> Reference:
        if self._reference is None:
            from freewheel.backend.reference import Reference

            with making:
                self._reference = Reference(self.recipe.calls.program, self.objects, self.said)
        return self._reference

    def called(self, number: int, given: int, wanted: int) -> int:
        """The callback. Nothing may be raised through machine code."""
        try:
            return self._run(number, given, wanted)
        except FAILURES:
            return 1
        except BaseException as problem:  # an interrupt: raised again by the section
            self.interrupt = problem
            return 1

    def _run(self, number: int, given: int, wanted: int) -> int:
        if number < len(ALL_SECTIONS):
            self.fallbacks += 1
            status = self.reference.run(ALL_SECTIONS[number], self._memory(given))
            if ALL_SECTIONS[number] == "parameters":
                for own in range(len(self.objects)):
                    self.publish(own)
            self._flag(given)
            return status
        number -= len(ALL_SECTIONS)
        arguments, results = self.counts[number]
        if arguments < 0:
            self.pieces[number](self._memory(given).tolist())
            self._flag(given)
            return 0
        numbers = (ctypes.c_double * arguments).from_address(given)[:] if arguments else []
        found = self.pieces[number](numbers)
        if results:
            (ctypes.c_double * results).from_address(wanted)[:] = found
        return 0

    def publish(self, number: int) -> None:
        """An object was made: let kernels see it if it is a table."""
        from freewheel.backend.table_data import table_row

        row = table_row(self.objects[number])
        if row is not None:
            self.rows[number] = row
        self.row_addresses[number] = 0 if row is None else row.ctypes.data

    def _flag(self, address: int) -> None:
        """The slot after those of the program tells a compiled loop that something was said."""
        if self.said:
            ctypes.c_double.from_address(address + 8 * self.size).value = 1.0

    def _memory(self, address: int) -> Vector:
        raw = (ctypes.c_double * self.size).from_address(address)
        return np.ctypeslib.as_array(raw)

    def raise_interrupt(self, section: str = "", status: int = 0) -> None:
        if self.interrupt is not None:
            problem, self.interrupt = self.interrupt, None
            if isinstance(problem, RefusedError) and status:
                problem = self.reference.placed(section, status - 1, problem)
            raise problem
