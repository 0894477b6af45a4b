"""Statements as lines of text: the walk that all targets share.

A target gives a dialect for formulas and says in a few methods how its statements look:

    class _C(StatementWriter): ...
        def open_branch(self, condition, is_first): self.line(f"if ({condition}) {{")
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from freewheel.export.formula import FormulaText
from freewheel.export.nodes import (
    Choose,
    Leave,
    Linear,
    Repeat,
    Run,
    Set,
    Statement,
)
from freewheel.formula.nodes import Var


class StatementWriter(ABC):
    """Collects lines; one per routine or one for all, as the target likes."""

    indent = "  "

    def __init__(self, formulas: FormulaText) -> None:
        self.formulas = formulas
        self.lines: list[str] = []
        self.depth = 0

    def line(self, text: str) -> None:
        self.lines.append(self.indent * self.depth + text if text else "")

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    # ------------------------------------------------------------ the walk

    def write(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            match statement:
                case Set():
                    self.assign(statement)
                case Choose():
                    self._choose(statement)
                case Repeat():
                    self.repeat(statement)
                case Leave():
                    self.leave(self.formulas.condition(statement.condition))
                case Run():
                    self.run(statement.section)
                case Linear():
                    self.linear(statement)

    def _choose(self, statement: Choose) -> None:
        for number, (condition, body) in enumerate(statement.branches):
            self.open_branch(self.formulas.condition(condition), number == 0)
            self._indented(body)
        if statement.otherwise:
            self.open_else()
            self._indented(statement.otherwise)
        self.close_branches()

    def _indented(self, body: Sequence[Statement]) -> None:
        self.depth += 1
        self.write(body)
        self.depth -= 1

    def value(self, statement: Set) -> str:
        """The right side, as a condition where the language keeps its target as one."""
        target = self.formulas.piece(statement.target)
        if target.is_condition:
            return self.formulas.condition(statement.value)
        return self.formulas.number(statement.value)

    # ------------------------------------------------------------ the language

    @abstractmethod
    def assign(self, statement: Set) -> None: ...

    @abstractmethod
    def open_branch(self, condition: str, is_first: bool) -> None: ...

    @abstractmethod
    def open_else(self) -> None: ...

    @abstractmethod
    def close_branches(self) -> None: ...

    @abstractmethod
    def repeat(self, statement: Repeat) -> None: ...

    @abstractmethod
    def leave(self, condition: str) -> None: ...

    @abstractmethod
    def run(self, section: str) -> None: ...

    @abstractmethod
    def linear(self, statement: Linear) -> None: ...


def locals_of(statements: Iterable[Statement]) -> tuple[Var, ...]:
    """Variables that belong to the routine, in the order of their first assignment."""
    found: dict[Var, None] = {}

    def visit(parts: Iterable[Statement]) -> None:
        for part in parts:
            targets: tuple[Var, ...] = ()
            match part:
                case Set():
                    targets = (part.target,)
                case Linear():
                    targets = part.targets
                case Choose():
                    for _, body in part.branches:
                        visit(body)
                    visit(part.otherwise)
                case Repeat():
                    visit(part.body)
                case Leave() | Run():
                    continue
            found.update((var, None) for var in targets if var.name[0] == "local")

    visit(statements)
    return tuple(found)
