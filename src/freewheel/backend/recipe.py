"""What machine code is made from, made only as far as it is needed.

    recipe = Recipe(lambda: program, to_text)
    recipe.known                            # stands for the LLVM text
    recipe.text, recipe.calls, recipe.program

Of a model translated just now everything is at hand. Of one whose machine code was kept from an
earlier run only the digest and the kernels are: the program is then made again when somebody asks
for it, say to explain a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.making import making
from freewheel.machine.cache import key_of

if TYPE_CHECKING:
    from freewheel.backend.llvm_python import PythonCalls
    from freewheel.program.nodes import Program

Written = tuple[str, "PythonCalls"]


class Known(NamedTuple):
    """What stands for a text."""

    digest: str  # empty: there is nothing to make
    kernels: tuple[str, ...]


class Recipe:
    """The text of a module and the pieces of Python it calls."""

    def __init__(
        self,
        make: Callable[[], Program],
        write: Callable[[Program], Written],
        known: Known | None = None,
    ) -> None:
        self._make = make
        self._write = write
        self._known = known
        self._program: Program | None = None  # both are made by one thread, which others wait for
        self._written: Written | None = None

    @property
    def program(self) -> Program:
        if self._program is None:
            with making:
                self._program = self._program or self._make()
        return self._program

    @property
    def written(self) -> Written:
        if self._written is None:
            with making:
                self._written = self._written or self._checked(self._write(self.program))
        return self._written

    def _checked(self, written: Written) -> Written:
        if self._known is not None and key_of(written[0]) != self._known.digest:
            raise _changed(self.program.name)
        return written

    @property
    def text(self) -> str:
        return self.written[0]

    @property
    def calls(self) -> PythonCalls:
        return self.written[1]

    @property
    def known(self) -> Known:
        from freewheel.backend.kernel_homes import kernels_in

        if self._known is None:
            self._known = Known(key_of(self.text), kernels_in(self.text))
        return self._known


def _changed(name: str) -> UsageError:
    """The code in memory came from another text; what is told about it would be wrong."""
    return UsageError(
        Diagnostic(
            "U012",
            f"the files of `{name}` were changed while it was running",
            help="run it again",
        )
    )
