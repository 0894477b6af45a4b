"""Calls of our own code for external functions, and whether what comes back fits.

    called(("M", "f"), "ModelicaStrings_length", len, ("abc",)) == 3        # of 2.5: CompileError N903
    fitting(("M", "f"), "ModelicaStrings_length", "N", 3) == (3,)

The declaration of an external function belongs to the model: it may name a function that we have and give it
other arguments, or take its result for something else. C would compute with what lies in memory; here it is
a mistake of the model, told with the name of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from freewheel.base.names import ClassName
from freewheel.formula.faults import unsuited_external
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import STRING, Basic, EnumType
from freewheel.formula.values import ArrayValue, EnumValue

# What our code raises for an argument of another type, one too many, or an array of another size.
UNSUITED = (TypeError, AttributeError, LookupError, ValueError)
TEXT, NUMBER, ENUMERATION, ARRAY, ANY = "SNEAO"


def called(function: ClassName, name: str, code: Callable[..., Any], args: Sequence[Any]) -> Any:
    """What `code`, which stands for the external function `name`, makes of the arguments."""
    try:
        return code(*args)
    except UNSUITED as problem:
        raise unsuited_external(function, name) from problem


def kinds_of(function: Function, targets: Sequence[Expr]) -> str:
    """One letter for each variable that gets a result."""
    types = {variable.name: variable.type for variable in function.variables}
    return "".join(
        _kind(types[target.name[0]])
        if isinstance(target, Var) and len(target.name) == 1 and target.name[0] in types
        else ANY
        for target in targets
    )


def _kind(declared: Any) -> str:
    if declared.dims:
        return ARRAY
    if isinstance(declared.scalar, EnumType):
        return ENUMERATION
    if not isinstance(declared.scalar, Basic):
        return ANY
    return TEXT if declared.scalar == STRING else NUMBER


def fitting(function: ClassName, name: str, kinds: str, result: Any) -> tuple[Any, ...]:
    """The results for the variables of these kinds. The value of a C function may be left unused."""
    results = result if isinstance(result, tuple) else (result,)
    if len(results) == len(kinds) + 1:
        results = results[1:]
    if len(results) != len(kinds) or not all(map(_fits, kinds, results)):
        raise unsuited_external(function, name)
    return tuple(
        one.index if kind == NUMBER and isinstance(one, EnumValue) else one
        for kind, one in zip(kinds, results, strict=True)
    )


def _fits(kind: str, value: Any) -> bool:
    if kind == TEXT:
        return isinstance(value, str)
    if kind == ENUMERATION:
        return isinstance(value, EnumValue)
    is_array = isinstance(value, ArrayValue) or getattr(value, "shape", ()) != ()
    if kind == ARRAY:
        return is_array
    return kind == ANY or (isinstance(value, int | float | EnumValue) and not is_array)
