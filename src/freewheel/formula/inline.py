"""Put the body of a function in the place of its call, where that is one formula.

    y := k*u + 1    ->    inline_call(f, (k, u))[0] is k*u + 1

Straight-line code only: assignments to whole scalar or array variables and to record fields, and
if-statements that assign. Loops, indexed assignments and early returns stay calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.names import ClassName
from freewheel.formula.build import field, if_then_else, index
from freewheel.formula.interpret import by_dependence
from freewheel.formula.nodes import (
    Call,
    Expr,
    Field,
    FunctionRef,
    Integer,
    Output,
    PartialFunction,
    Record,
    Var,
)
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Effect,
    Function,
    IfStatement,
    Statement,
    TupleAssign,
)
from freewheel.formula.types import RecordType
from freewheel.formula.walk import nodes_of, replace

# What stands for each local at this point of the code.
Known = dict[str, Expr]


def inline_call(function: Function, args: Sequence[Expr]) -> tuple[Expr, ...] | None:
    """One formula per output, or `None` where the function is more than straight-line code."""
    if function.external is not None or function.is_impure:
        return None
    inputs = function.inputs()
    if len(args) != len(inputs):
        return None
    known: Known = {v.name: arg for v, arg in zip(inputs, args, strict=True)}
    names = {v.name for v in function.variables}
    for variable in by_dependence(list(function.variables)):
        if variable.default is not None and variable.name not in known:
            formula = _with_known(variable.default, known, names)
            if formula is None:
                return None
            known[variable.name] = formula
        elif variable.role != "input" and isinstance(variable.type.scalar, RecordType):
            if variable.dims:
                return None
            _open_record(variable.name, variable.type.scalar, known)
    final = _after(function.body, known, names)
    if final is None:
        return None
    outputs = [final.get(v.name) for v in function.outputs()]
    found = [formula for formula in outputs if formula is not None and not _is_open(formula)]
    return tuple(found) if len(found) == len(outputs) else None


_OPEN = "$open"


def _open_record(name: str, kind: RecordType, known: Known) -> None:
    """A record whose fields are still to be assigned, one by one."""
    labels = tuple(label for label, _ in kind.fields)
    known[name] = Record(kind.name, labels, *(Var((_OPEN, name, label)) for label in labels))


def _is_open(expr: Expr) -> bool:
    return any(isinstance(node, Var) and node.name[0] == _OPEN for node in nodes_of(expr))


def _with_known(expr: Expr, known: Known, names: set[str] | None = None) -> Expr | None:
    """Locals replaced by what stands for them; `None` if one has no formula yet."""
    missing = False
    functions: dict[str | ClassName, Expr] = {
        (name,): formula
        for name, formula in known.items()
        if isinstance(formula, FunctionRef | PartialFunction)
    }

    def visit(node: Expr) -> Expr | None:
        nonlocal missing
        if isinstance(node, Field):
            inner = replace(node.args[0], visit)
            return field(node.data, inner)
        if isinstance(node, Call) and node.function in functions:
            target = functions[node.function]
            missing = missing or not isinstance(target, FunctionRef)
            return Call(target.data, *(replace(arg, visit) for arg in node.args))
        if isinstance(node, FunctionRef):
            return functions.get(node.data)
        if not isinstance(node, Var):
            return None
        name = str(node.name[0])
        formula = known.get(name)
        if formula is None:
            missing = missing or (names is not None and name in names)
            return None
        for part in node.name[1:]:
            formula = (
                field(part, formula) if isinstance(part, str) else index(formula, Integer(part))
            )
        return formula

    result = replace(expr, visit)
    return None if missing or _is_open(result) else result


def _after(body: Sequence[Statement], known: Known, names: set[str]) -> Known | None:
    """What stands for each local after the statements."""
    current = dict(known)
    for statement in body:
        following = _step(statement, current, names)
        if following is None:
            return None
        current = following
    return current


def _step(statement: Statement, known: Known, names: set[str]) -> Known | None:
    if isinstance(statement, Assign):
        value = _with_known(statement.value, known, names)
        return None if value is None else _stored(statement.target, value, known)
    if isinstance(statement, TupleAssign):
        return _tuple_step(statement, known, names)
    if isinstance(statement, IfStatement):
        return _if_step(statement, known, names)
    if isinstance(statement, Effect) and isinstance(statement.action, Assert):
        return known if statement.action.is_warning else None
    return None


def _stored(target: Expr, value: Expr, known: Known) -> Known | None:
    path: list[str] = []
    while isinstance(target, Field):
        path.insert(0, target.data)
        target = target.args[0]
    if not isinstance(target, Var) or any(isinstance(part, int) for part in target.name):
        return None
    path = [str(part) for part in target.name[1:]] + path
    name = str(target.name[0])
    updated = _with_field(known.get(name), path, value)
    return None if updated is None else {**known, name: updated}


def _with_field(old: Expr | None, path: list[str], value: Expr) -> Expr | None:
    if not path:
        return value
    if not isinstance(old, Record) or path[0] not in old.fields:
        return None
    at = old.fields.index(path[0])
    inner = _with_field(old.args[at], path[1:], value)
    return None if inner is None else old.with_args((*old.args[:at], inner, *old.args[at + 1 :]))


def _tuple_step(statement: TupleAssign, known: Known, names: set[str]) -> Known | None:
    call = _with_known(statement.call, known, names)
    if not isinstance(call, Call):
        return None
    current: Known | None = known
    for number, target in enumerate(statement.targets, start=1):
        if target is not None and current is not None:
            current = _stored(target, call if number == 1 else Output(number, call), current)
    return current


def _if_step(statement: IfStatement, known: Known, names: set[str]) -> Known | None:
    """Each branch by itself; what they leave behind is chosen by the conditions."""
    result = _after(statement.otherwise, known, names)
    for condition, body in reversed(statement.branches):
        test = _with_known(condition, known, names)
        chosen = _after(body, known, names)
        if test is None or chosen is None or result is None:
            return None
        merged: Known = {}
        for name in chosen:
            if name in result:  # assigned in one branch only: no value afterwards
                merged[name] = if_then_else(test, chosen[name], result[name])
        result = merged
    return result
