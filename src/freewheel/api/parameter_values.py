"""Whether a value given for a run fits its parameter: by type, before anything is compiled.

check_value("n", 1.5, variable)        # U124: `n` is an Integer, 1.5 is not
not_a_parameter("x", variables)        # U125: `x` is a variable; its start value is `x.start`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from math import isfinite
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, UsageError
from freewheel.base.near import did_you_mean_or_list

if TYPE_CHECKING:
    from freewheel.flat.nodes import Variable

Value = float | str
TRUTH = ("true", "false")
# As other languages and people write them.
BOOLEANS = {
    "true": "true",
    "yes": "true",
    "on": "true",
    "false": "false",
    "no": "false",
    "off": "false",
}
VALUE_OF = "<value of "  # and the name: what a message calls the text of a value


def check_value(
    name: str, value: Value, variable: Variable | None, parts: Sequence[str] = ()
) -> None:
    """A number or literal of the wrong type is a wrong call; expressions are left to the compiler. `parts`
    are the fields of a record."""
    number = _number(value)
    if variable is None and parts and number is not None:
        raise _wrong(name, value, f"it has parts: give those, `{parts[0]}` and so on")
    if variable is None or variable.dims:
        return
    if number is not None and not isfinite(number):
        raise _wrong(name, value, "a finite number is needed")
    wrong = _misfit(value, number, variable)
    if wrong:
        raise _wrong(name, value, wrong)


def _misfit(value: Value, number: float | None, variable: Variable) -> str:
    """What is needed instead; empty where nothing is wrong."""
    from freewheel.formula.types import BOOLEAN, INTEGER, REAL, STRING, EnumType

    kind = variable.type
    is_truth = isinstance(value, bool) or value in TRUTH
    if kind == BOOLEAN and number not in (None, 0.0, 1.0):
        return "it is a Boolean: true or false"
    if kind == INTEGER and (is_truth or (number is not None and not number.is_integer())):
        return "it is an Integer: a whole number"
    if kind == REAL and is_truth:
        return "it is a Real: a number"
    if kind == STRING and not isinstance(value, str):
        return f'it is a String: a text, as "{value}"'
    if isinstance(kind, EnumType):
        return _literal_misfit(value, number, kind.literals)
    return ""


def _literal_misfit(value: Value, number: float | None, literals: Sequence[str]) -> str:
    """A number counts literals from one."""
    known = ", ".join(literals)
    if number is not None:
        is_one = number.is_integer() and 1 <= number <= len(literals)
        return "" if is_one and not isinstance(value, bool) else f"it is one of {known}"
    literal = str(value).rpartition(".")[2]
    if literal in literals or not literal.isidentifier():
        return ""
    near = get_close_matches(literal, literals, n=1)
    return f"it is one of {known}" + (f"; did you mean `{near[0]}`?" if near else "")


def _number(value: Value) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _wrong(name: str, value: Value, needed: str) -> UsageError:
    message = f"parameter `{name}` cannot be `{value}`"
    return UsageError(Diagnostic("U124", message, help=needed))


@contextmanager
def telling_values() -> Iterator[None]:
    """A value that the compiler cannot understand is a wrong call, told with the name it was given for."""
    try:
        yield
    except CompileError as failure:
        first = failure.diagnostics[0]
        span = first.labels[0].span if first.labels else None
        if span is None or not span.source.path.startswith(VALUE_OF):
            raise
        name = span.source.path.removeprefix(VALUE_OF).removesuffix(">")
        message = first.message.replace(" in `command line` or around it", "")
        raise UsageError(
            Diagnostic(
                "U124",
                f"the value `{span.source.text}` given for `{name}` cannot be used: {message}",
                help=_cure(span.source.text, first),
            )
        ) from failure


def _cure(value: str, problem: Diagnostic) -> str:
    if value.endswith(".csv"):
        return f"a file of inputs is given with --input-file {value}"
    if re.search(r",\s*[\w.]+\s*=", value):
        return "give each value an option of its own: --param a=1 --param b=2"
    if re.fullmatch(r"[-+]?\d+,\d+", value):
        return f"a decimal number has a point: {value.replace(',', '.')}"
    if "`pi` is not declared" in problem.message:
        return "write `Modelica.Constants.pi`"
    if "`time`" in problem.help:
        return problem.help
    if value.lower() in BOOLEANS and value not in TRUTH:
        return f"a Boolean is written `{BOOLEANS[value.lower()]}`"
    if re.fullmatch(r"[-+]?(nan|inf(inity)?)", value.lower()):
        return "a finite number is needed"
    return (
        "give a number such as 1.5e-3, true or false, a literal of its enumeration, an array "
        "such as {1, 2}, or a formula of numbers (of `time`, too, for an input)"
    )


def not_a_parameter(name: str, variables: Mapping[str, Variable]) -> UsageError:
    """Why a name cannot be given a value for a run."""
    from freewheel.flat.nodes import Causality, Variability

    variable = variables.get(name)
    array = variables.get(name.partition("[")[0])
    if variable is None and array is not None and array.dims:
        sizes = ", ".join(map(str, array.dims))
        message = f"there is no parameter `{name}`"
        whole = name.partition("[")[0]
        help = f"`{whole}` is an array of {sizes}"
        if name.endswith(".start") and array.variability > Variability.PARAMETER:
            help += f"; its start values are `{whole}.start`"
        return UsageError(Diagnostic("U025", message, help=help))
    if variable is None:
        known = [n for n, v in variables.items() if v.variability is Variability.PARAMETER]
        return unknown("U025", "parameter", name, known)
    if variable.causality is Causality.INPUT:
        return _other(name, "an input", f"drive it with --input {name}=EXPRESSION or `inputs=`")
    if variable.is_final:
        return _other(
            name, "final", "remove `final` where it is declared to change it from outside"
        )
    if variable.variability is Variability.CONSTANT:
        return _other(name, "a constant", "declare it as a parameter to change it from outside")
    help = f"its start value is `{name}.start`; what it is later follows from the equations"
    return _other(name, "a variable", help)


def _other(name: str, what: str, help: str) -> UsageError:
    message = f"`{name}` is {what}, not a parameter that can be set"
    return UsageError(Diagnostic("U125", message, help=help))


def unknown(code: str, kind: str, name: str, known: Sequence[str]) -> UsageError:
    help = did_you_mean_or_list(name, known, f"{kind}s")
    return UsageError(Diagnostic(code, f"there is no {kind} `{name}`", help=help))
