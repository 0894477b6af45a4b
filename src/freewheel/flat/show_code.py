"""Equations and statements of a flat model as lines of Modelica text.

equation_lines(WhenEquation(...), texts, "  ")      ["  when c then", "    x = 1;", "  end when;"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from freewheel.flat.class_texts import ClassTexts
from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    ForEquation,
    IfEquation,
    TupleEquation,
    WhenEquation,
)
from freewheel.formula.nodes import Expr
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    CallEquation,
    Effect,
    ForStatement,
    IfStatement,
    Reinit,
    Return,
    Statement,
    Terminate,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.instance.priorities import ANNOTATION

STEP = "  "
Branches = Iterable[tuple[Expr, tuple[Any, ...]]]


class Code:
    """One method per kind of equation or statement, found by its class."""

    def __init__(self, texts: ClassTexts) -> None:
        self._texts = texts
        self._table: dict[type, Callable[[Any, str], Iterator[str]]] = {
            Equation: self._equation,
            TupleEquation: self._tuple_equation,
            ForEquation: self._for,
            IfEquation: self._if,
            WhenEquation: self._when,
            Reinit: self._reinit,
            Assert: self._assert,
            Terminate: self._terminate,
            CallEquation: self._call,
            Assign: self._assign,
            TupleAssign: self._tuple_assign,
            ForStatement: self._for,
            IfStatement: self._if,
            WhenStatement: self._when,
            WhileStatement: self._while,
            Break: lambda _, indent: iter((f"{indent}break;",)),
            Return: lambda _, indent: iter((f"{indent}return;",)),
            Effect: lambda node, indent: self.lines((node.action,), indent),
        }

    def lines(self, nodes: Iterable[AnyEquation | Statement], indent: str) -> Iterator[str]:
        for node in nodes:
            yield from self._table[type(node)](node, indent)

    # ------------------------------------------------------------ plain ones

    def _equation(self, node: Equation, indent: str) -> Iterator[str]:
        # `if` on the left of an equation would begin an if-equation.
        left, right = self._texts.expr(node.left), self._texts.expr(node.right)
        left = f"({left})" if left.startswith("if ") else left
        yield f"{indent}{left} = {right};"

    def _tuple_equation(self, node: TupleEquation, indent: str) -> Iterator[str]:
        yield f"{indent}{self._tuple(node.outputs)} = {self._texts.expr(node.call)};"

    def _assign(self, node: Assign, indent: str) -> Iterator[str]:
        yield f"{indent}{self._texts.expr(node.target)} := {self._texts.expr(node.value)};"

    def _tuple_assign(self, node: TupleAssign, indent: str) -> Iterator[str]:
        yield f"{indent}{self._tuple(node.targets)} := {self._texts.expr(node.call)};"

    def _tuple(self, items: tuple[Expr | None, ...]) -> str:
        texts = [self._texts.expr(item) if item is not None else "" for item in items]
        return texts[0] if len(texts) == 1 and texts[0] else f"({', '.join(texts)})"

    def _reinit(self, node: Reinit, indent: str) -> Iterator[str]:
        variable, value = self._texts.expr(node.variable), self._texts.expr(node.value)
        yield f"{indent}reinit({variable}, {value});"

    def _assert(self, node: Assert, indent: str) -> Iterator[str]:
        condition, message = self._texts.expr(node.condition), self._texts.expr(node.message)
        level = ", AssertionLevel.warning" if node.is_warning else ""
        yield f"{indent}assert({condition}, {message}{level});"

    def _terminate(self, node: Terminate, indent: str) -> Iterator[str]:
        yield f"{indent}terminate({self._texts.expr(node.message)});"

    def _call(self, node: CallEquation, indent: str) -> Iterator[str]:
        yield f"{indent}{self._texts.expr(node.call)};"

    # ------------------------------------------------------------ nested ones

    def _for(self, node: ForEquation | ForStatement, indent: str) -> Iterator[str]:
        yield f"{indent}for {node.index} in {self._texts.expr(node.values)} loop"
        yield from self.lines(node.body, indent + STEP)
        yield f"{indent}end for;"

    def _while(self, node: WhileStatement, indent: str) -> Iterator[str]:
        yield f"{indent}while {self._texts.expr(node.condition)} loop"
        yield from self.lines(node.body, indent + STEP)
        yield f"{indent}end while;"

    def _if(self, node: IfEquation | IfStatement, indent: str) -> Iterator[str]:
        yield from self._branches("if", node.branches, indent)
        if node.otherwise:
            yield f"{indent}else"
            yield from self.lines(node.otherwise, indent + STEP)
        yield f"{indent}end if;"

    def _when(self, node: WhenEquation | WhenStatement, indent: str) -> Iterator[str]:
        yield from self._branches("when", node.branches, indent)
        if node.priority is None:
            yield f"{indent}end when;"
        else:
            priority = self._texts.expr(node.priority)
            yield f"{indent}end when annotation({ANNOTATION} = {priority});"

    def _branches(self, word: str, branches: Branches, indent: str) -> Iterator[str]:
        for position, (condition, body) in enumerate(branches):
            opening = word if position == 0 else f"else{word}"
            yield f"{indent}{opening} {self._texts.expr(condition)} then"
            yield from self.lines(body, indent + STEP)
