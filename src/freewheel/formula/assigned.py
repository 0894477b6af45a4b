"""Names of the variables that the statements of a function assign.

assigned_names(body)     {"y", "r"}      of  y := 2*x; for i in 1:3 loop r.a[i] := y; end for;
"""

from __future__ import annotations

from collections.abc import Iterable

from freewheel.formula.nodes import Expr, Var
from freewheel.formula.statement_nodes import (
    Assign,
    ForStatement,
    IfStatement,
    Statement,
    TupleAssign,
    WhileStatement,
)


def assigned_names(body: Iterable[Statement]) -> set[str]:
    found: set[str] = set()
    for statement in body:
        targets: list[Expr | None] = []
        if isinstance(statement, Assign):
            targets = [statement.target]
        elif isinstance(statement, TupleAssign):
            targets = list(statement.targets)
        elif isinstance(statement, IfStatement):
            for _, inner in statement.branches:
                found |= assigned_names(inner)
            found |= assigned_names(statement.otherwise)
        elif isinstance(statement, ForStatement | WhileStatement):
            found |= assigned_names(statement.body)
        for target in targets:
            while target is not None and target.args:
                target = target.args[0]
            if isinstance(target, Var):
                found.add(str(target.name[0]))
    return found
