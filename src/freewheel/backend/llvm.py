"""A program as machine code: LLVM text, compiled, with the same sections as the reference.

    machine = LlvmMachine(Recipe(lambda: program, to_text), len(program.start), program.object_count)
    machine.sections["derivatives"](memory)         # from Python
    machine.addresses["derivatives"]                # for kernels: int64 f(double* memory)

Parameters are data in the memory: the same program always gives the same text, and object code is
found again by its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from freewheel.backend.bound_code import bound_code
from freewheel.backend.llvm_python import PythonSide
from freewheel.backend.recipe import Known, Recipe
from freewheel.base.diagnostics import Diagnostic
from freewheel.base.making import making
from freewheel.machine.jit import Code
from freewheel.program.section_names import BETWEEN, SECTIONS, SIMPLIFIED
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.backend.llvm_core import LlvmCore
    from freewheel.backend.llvm_jacobian import LlvmJacobian
    from freewheel.program.nodes import Program


class LlvmMachine:
    """Machine code in memory and what it needs to live."""

    def __init__(
        self, recipe: Recipe, size: int, object_count: int, jacobian: Known | None = None
    ) -> None:
        self.recipe = recipe
        self.sizes = size, object_count
        self.python = PythonSide(recipe, size, [None] * object_count)
        self.code: Code = bound_code(recipe, self.python, self.python)
        self.addresses = Addresses(
            {name: self.code.address(name) for name in SECTIONS}, self.jacobian
        )
        self._known_jacobian = jacobian
        self._jacobian: list[LlvmJacobian | None] = []
        self._core: LlvmCore | None = None
        self.sections = {name: self._callable(name) for name in SECTIONS}

    def another(self) -> LlvmMachine:
        """The same code once more, with tables, messages and working arrays of its own."""
        return LlvmMachine(self.recipe, *self.sizes, self.known_jacobian())

    @property
    def program(self) -> Program:
        """Made again, if the machine code was kept from an earlier run."""
        return self.recipe.program

    def _callable(self, name: str) -> Callable[[Vector], int]:
        function: Any = self.code.function(name, "i64", ("ptr",))

        def section(memory: Vector) -> int:
            status: int = function(memory.__array_interface__["data"][0])
            if status:  # the closure also keeps the code alive
                self.python.raise_interrupt(name, status)
            return status

        return section

    def with_homotopy(self) -> dict[str, Callable[[Vector], int]]:
        """Also the sections of a model that uses `homotopy`; hardly one needs `between`."""
        made: list[Callable[[Vector], int]] = []

        def between(memory: Vector) -> int:
            from freewheel.backend.llvm_between import LlvmBetween

            if not made:
                with making:
                    made.append(LlvmBetween(self.recipe, self.python))
            return made[0](memory)

        return {**self.sections, SIMPLIFIED: self._callable(SIMPLIFIED), BETWEEN: between}

    def jacobian(self) -> LlvmJacobian | None:
        """Made when first asked for; None where differences must do."""
        from freewheel.backend.llvm_jacobian import LlvmJacobian, jacobian_recipe

        if not self._jacobian:
            with making:
                recipe = jacobian_recipe(self.recipe, self._known_jacobian)
                self._jacobian = [None if recipe is None else LlvmJacobian(recipe, self.python)]
        return self._jacobian[0]

    def known_jacobian(self) -> Known | None:
        """What stands for the Jacobian; None as long as nobody asked, no digest if there is none."""
        if not self._jacobian:
            return self._known_jacobian
        made = self._jacobian[0]
        return Known("", ()) if made is None else made.recipe.known

    def core(self, known: Known | None = None) -> LlvmCore:
        """Code of what stays implicit in the model; `known`: what was kept of it."""
        from freewheel.backend.llvm_core import LlvmCore

        if self._core is None:
            self._core = LlvmCore(self.recipe, self.python, known)
        return self._core

    def forget(self) -> None:
        """What calls of an earlier run have left in the code, in whichever module."""
        self.python.awaited = {}
        for module in self.python.forgetful:
            module.forget()

    def remembered(self) -> dict[str, list[Any]]:
        """What calls of this run have left there, by the digest of the module."""
        made = {kept.digest: [a.copy() for a in kept.arrays] for kept in self.python.forgetful}
        waiting = {k: list(v) for k, v in self.python.awaited.items()}
        return {**waiting, **made}

    def remember(self, saved: Mapping[str, Sequence[Any]]) -> None:
        """The same of a run in another process, also for modules that are not made yet."""
        self.python.awaited = dict(saved)
        for module in self.python.forgetful:
            module.put(saved.get(module.digest, ()))

    def messages(self) -> list[Diagnostic]:
        self.python.raise_interrupt()
        return self.python.reference.messages() if self.python.said else []

    def explain(self, section: str, status: int) -> Diagnostic:
        self.python.raise_interrupt()
        return self.python.reference.explain(section, status)

    def origin(self, slot: int, memory: Vector) -> Diagnostic | None:
        return self.python.reference.origin(slot, memory)


class Addresses(Mapping[str, int]):
    """Addresses of the sections; that of the Jacobian is made when it is first asked for."""

    def __init__(self, sections: Mapping[str, int], make: Callable[[], LlvmJacobian | None]):
        self._known = dict(sections)
        self._make = make
        self._is_made = False

    def __getitem__(self, name: str) -> int:
        if name == "jacobian" and not self._is_made:
            self._is_made = True
            made = self._make()
            if made is not None:
                self._known[name] = made.address
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return self.get(str(name)) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
