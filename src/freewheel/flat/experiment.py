"""The `experiment` annotation: start and stop time, tolerance, interval."""

from __future__ import annotations

from freewheel.flat.nodes import Experiment
from freewheel.formula.evaluate import NotConstant
from freewheel.instance.classes import ClassNode
from freewheel.instance.function_annotations import annotation_arguments
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn


def experiment_of(node: ClassNode) -> Experiment:
    """Of the class itself, or else of the nearest base class that has one."""
    for scope in node.lineage():
        for argument in annotation_arguments(scope):
            if argument.name == ("experiment",) and argument.modification is not None:
                return _read(argument.modification, scope)
    return Experiment()


def _read(modification: syn.Modification, scope: ClassNode) -> Experiment:
    found: dict[str, float] = {}
    for sub in modification.args:
        if (
            isinstance(sub, syn.ElementMod)
            and sub.modification is not None
            and sub.modification.binding is not None
        ):
            value = _number(sub.modification.binding, scope)
            if value is not None:
                found[sub.name[0]] = value
    interval = found.get("Interval")
    count = found.get("NumberOfIntervals")
    if interval is None and count:
        interval = (found.get("StopTime", 1.0) - found.get("StartTime", 0.0)) / count
    return Experiment(
        found.get("StartTime"), found.get("StopTime"), found.get("Tolerance"), interval
    )


def _number(expr: syn_expr.Expr, scope: ClassNode) -> float | None:
    """Settings of other tools stand here too; what is no number is theirs."""
    if isinstance(expr, syn_expr.Str | syn_expr.Bool):
        return None
    try:
        value = scope.session.values.of(scope.session.elaborator.expression(expr, scope).expr)
    except NotConstant:
        return None
    return float(value) if isinstance(value, int | float) else None
