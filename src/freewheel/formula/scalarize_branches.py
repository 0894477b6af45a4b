"""Branches: those that are never taken are dropped, the others pushed down to scalars. Part of `scalarize`.

    if i == n then 0 else x[i + 1]      with i = n = 3 and three elements   ->   0

A condition made of constants decides at once, one of parameters only where the size of the result
depends on it, or where the branch that is not taken cannot be taken apart: a subscript outside, a
negative size. Then its parameters become structural. `and` and `or` decide from left to right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError
from freewheel.formula import build
from freewheel.formula.evaluate import no_variables
from freewheel.formula.faults import NotConstant, wrong_shape
from freewheel.formula.nodes import FALSE, TRUE, Array, Boolean, Expr, Index, Record
from freewheel.formula.scalarize_calls import whole
from freewheel.formula.values import ArrayValue, Value

if TYPE_CHECKING:
    from freewheel.formula.scalarize import Parts, Scalarizer


def prepare_if(work: Scalarizer, node: Expr) -> Expr | None:
    condition, then, otherwise = node.args
    decided = _constant(work, condition)
    if decided is None and _differ(work, then, otherwise):
        decided = work.shapes.constant(condition)  # decides a size
    if decided is None and work.is_careful:
        decided = _decided(work, condition)
        if decided is not None and not _fails(work, otherwise if decided is True else then):
            return None
        if decided is None and _is_of_empty_array(work, otherwise):
            decided = True
        elif decided is None and _is_of_empty_array(work, then):
            decided = False
    if decided is None:
        return None
    return work.prepare(then if decided is True else otherwise)


def _constant(work: Scalarizer, condition: Expr) -> Value | None:
    """A condition that cannot be evaluated is a mistake only where a run comes to it."""
    if isinstance(condition, Boolean):
        return condition.value
    try:
        return work.shapes.try_constant(condition)
    except CompileError:
        return None


def prepare_logical(work: Scalarizer, node: Expr) -> Expr | None:
    """`i < n and x[i + 1] > 0`: the left operand may say that the right one does not count."""
    if not work.is_careful or node.data not in ("and", "or"):
        return None
    left, right = node.args
    settles = node.data == "or"
    if _decided(work, left) is not settles or not _fails(work, right):
        return None
    return TRUE if settles else FALSE


def _decided(work: Scalarizer, condition: Expr) -> Value | None:
    try:
        return work.shapes.constant(work.prepare(condition))
    except (NotConstant, CompileError):
        return None


def _fails(work: Scalarizer, branch: Expr) -> bool:
    if branch not in work.failing:
        try:
            work.parts(branch)
            work.failing[branch] = False
        except (NotConstant, CompileError):
            work.failing[branch] = True
    return work.failing[branch]


def _is_of_empty_array(work: Scalarizer, branch: Expr) -> bool:
    """`if k == 0 then 0 else x[k]` where `x` has no elements: no run takes that branch."""
    try:
        return isinstance(branch, Index) and 0 in work.shapes.of(branch.args[0])
    except (NotConstant, CompileError):
        return False


def _differ(work: Scalarizer, then: Expr, otherwise: Expr) -> bool:
    """Do branches differ in size, so that a parameter must choose now?"""
    if work.shapes.values is no_variables:
        return False
    try:
        return work.shapes.of(then) != work.shapes.of(otherwise)
    except (CompileError, NotConstant):  # a branch that is not meant to be looked at
        return False


def choice(condition: Expr, then: Parts, otherwise: Parts) -> Parts:
    """`if` pushed down to the scalars of arrays and records."""
    if isinstance(then, ArrayValue) or isinstance(otherwise, ArrayValue):
        if (
            not isinstance(then, ArrayValue)
            or not isinstance(otherwise, ArrayValue)
            or then.dims != otherwise.dims
        ):
            raise wrong_shape("the branches of `if` differ in their dimensions")
        pairs = zip(then.elements, otherwise.elements, strict=True)
        return ArrayValue(then.dims, tuple([choice(condition, a, b) for a, b in pairs]))
    same_kind = isinstance(then, Record | Array) and type(then) is type(otherwise)
    if same_kind and len(then.args) == len(otherwise.args):
        fields = zip(then.args, otherwise.args, strict=True)
        return then.with_args(tuple([whole(choice(condition, a, b)) for a, b in fields]))
    return build.if_then_else(condition, then, otherwise)
