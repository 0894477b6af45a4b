"""What can go wrong while a formula is evaluated, each as a diagnostic with its own code.

    raise division_by_zero("1 / n")

Formulas carry no places; whoever evaluates one for a place in a model adds it with `at`.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.base.diagnostics import CompileError, Label, error
from freewheel.base.names import ClassName, Name, show
from freewheel.base.source import NOWHERE, Span


class NotConstant(Exception):  # noqa: N818 -- an answer to the caller, not a mistake of the modeller
    """A variable without a value was met; the caller decides what that means."""

    def __init__(self, name: Name) -> None:
        super().__init__(show(name))
        self.name = name


def at(problem: CompileError, span: Span, text: str = "") -> CompileError:
    """The same problem with a place, where it has none yet."""
    if span is NOWHERE or any(d.labels for d in problem.diagnostics):
        return problem
    return CompileError(*(replace(d, labels=(Label(span, text),)) for d in problem.diagnostics))


def too_deep(function: ClassName, limit: int) -> CompileError:
    return error(
        "N901",
        f"function evaluation too deep: `{show(function)}` calls itself more than {limit} times",
        help="check that the recursion ends",
    )


def too_long(function: ClassName, limit: int) -> CompileError:
    return error(
        "N902",
        f"function evaluation too long: `{show(function)}` was stopped after {limit} steps",
        help="check that its loops end",
    )


def unknown_external(function: ClassName, external: str) -> CompileError:
    return error(
        "N903",
        f"`{show(function)}` needs the external function `{external}`, which is not available",
        help="avoid the function where a constant or parameter value is needed, "
        "or write it as a Modelica algorithm",
    )


def why(problem: Exception) -> str:
    """What keeps a file from being read or written, without what the message around it says anyway."""
    if isinstance(problem, UnicodeDecodeError):
        return "it is not UTF-8 text"
    reason = problem.strerror if isinstance(problem, OSError) else None
    return reason.lower() if reason else str(problem)


def unsuited_external(function: ClassName, external: str) -> CompileError:
    return error(
        "N903",
        f"`{show(function)}` declares the external function `{external}` with arguments or results that it "
        "does not have",
        help="declare it as the Modelica Standard Library does: number, types and sizes of the arguments",
    )


def assertion_failed(function: ClassName, message: str) -> CompileError:
    return error(
        "N904",
        f"assertion failed in `{show(function)}`: {message}",
        help="the function is called with arguments outside of its range of use",
    )


def subscript_outside(number: int, size: int, axis: int, name: Name = ()) -> CompileError:
    of_whom = f" of `{show(name)}`" if name else ""
    help = "array subscripts run from 1 to the size of the dimension"
    if name and number > size:  # often of a class of a library, which the user cannot change
        help = f"give `{show(name)}` at least {number} elements in that dimension, or use fewer"
    return error(
        "N905",
        f"subscript {number} is outside 1:{size} in dimension {axis}{of_whom}",
        help=help,
        rule='Modelica 3.6, "Array Indexing"',
    )


def not_computable(
    what: str, help: str = "check the values that it is computed from"
) -> CompileError:
    return error("N906", what, help=help)


def division_by_zero(where: str) -> CompileError:
    return not_computable(
        f"division by zero in `{where}`", help="check the values that the divisor is made of"
    )


def show_dims(dims: tuple[int, ...]) -> str:
    """Dimensions as a declaration has them: `[2, 3]`."""
    return "[" + ", ".join(map(str, dims)) + "]"


def wrong_shape(what: str) -> CompileError:
    return error("N907", what, help="give the arrays sizes that fit", rule='Modelica 3.6, "Arrays"')


def nested_too_deeply() -> CompileError:
    return error(
        "N908",
        "the expression is nested too deeply to be evaluated",
        help="split it by intermediate variables",
    )


def wrong_types(what: str) -> CompileError:
    return error("N909", what, help="give it what its declaration asks for")


def never_assigned(variable: str, function: ClassName) -> CompileError:
    return error(
        "N910",
        f"`{variable}` of `{show(function)}` is used before it has a value",
        help="assign it first, or give it a default",
    )


def output_without_value(variable: str, function: ClassName, place: Span) -> CompileError:
    return error(
        "N910",
        f"output `{variable}` of `{show(function)}` never gets a value",
        place,
        help="assign it in the algorithm of the function, or give it a default",
    )


def size_unknown(name: Name) -> CompileError:
    return error(
        "N912",
        f"the size of an array depends on `{show(name)}`, which is not known at translation time",
        help="use constants, or parameters with a value, for dimensions and ranges",
    )


def not_differentiable(what: str) -> CompileError:
    return error(
        "N913",
        f"`{what}` cannot be differentiated",
        help="give the function a `derivative` annotation, or choose other states",
        rule='Modelica 3.6, "Declaring Derivatives of Functions"',
    )


def too_large(what: str) -> CompileError:
    return error(
        "N911",
        f"{what} is too large to be evaluated",
        help="check the numbers and sizes (Reals end at 1.8e308), or compute it in smaller parts",
    )
