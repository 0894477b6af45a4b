"""Loops of functions that give each element of an output by itself, as assignments of whole arrays.

    for i in 1:n loop y[i] := f(u[i]); end for      ->      y := {f(u[i]) for i in 1:n}

Whoever uses this checks that the array has the dimensions of the output: a loop may leave elements out.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.formula.nodes import Comprehension, Expr, Index, Iterator, Var
from freewheel.formula.statement_nodes import Assign, ForStatement, Function, Statement
from freewheel.formula.walk import variables_in


def loops_as_arrays(function: Function) -> Function:
    """Other loops stay as they are."""
    outputs = {Var((v.name,)) for v in function.outputs()}
    body = tuple(_assigned(statement, outputs) for statement in function.body)
    return function if body == function.body else replace(function, body=body)


def _assigned(statement: Statement, outputs: set[Var]) -> Statement:
    """Iterators outside are the first dimensions; the last name of a comprehension is its first one."""
    names: list[str] = []
    ranges: list[Expr] = []
    inner = statement
    while isinstance(inner, ForStatement) and len(inner.body) == 1:
        names.insert(0, inner.index)
        ranges.insert(0, inner.values)
        inner = inner.body[0]
    if not names or not isinstance(inner, Assign) or not isinstance(inner.target, Index):
        return statement
    base, *subscripts = inner.target.args
    is_each = subscripts == [Iterator(name) for name in reversed(names)]
    if not is_each or base not in outputs or base in variables_in(inner.value, *ranges):
        return statement
    assert isinstance(base, Var)
    return Assign(base, Comprehension(tuple(names), inner.value, *ranges), statement.span)
