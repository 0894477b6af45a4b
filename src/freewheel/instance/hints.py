"""What may have been meant by a name that is not declared, and how functions of the language are called.

hint_for_name("True", scope, ["x"]) == "the value is written `true`"
hint_for_function("disp", []) == "write `Modelica.Utilities.Streams.print(\\"text\\")`"
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from freewheel.base.near import did_you_mean
from freewheel.formula.intrinsics import ROWS
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode

# Of `Modelica.Constants`, often written without it.
CONSTANTS = (
    "pi",
    "e",
    "eps",
    "inf",
    "small",
    "g_n",
    "c",
    "G",
    "R",
    "sigma",
    "T_zero",
    "D2R",
    "R2D",
)

# Names of other languages.
OTHER_NAMES = {
    **dict.fromkeys(("True", "TRUE"), "the value is written `true`"),
    **dict.fromkeys(("False", "FALSE"), "the value is written `false`"),
    **dict.fromkeys(("t", "Time", "TIME"), "the time of the simulation is called `time`"),
    **dict.fromkeys(("Inf", "Infinity"), "write `Modelica.Constants.inf`"),
    "j": "the imaginary unit is `Modelica.ComplexMath.j`, or write `Complex(0, 1)`",
    **dict.fromkeys(
        ("None", "null", "NaN", "nan"), "there is no such value; every variable has a number"
    ),
}

# Functions of other languages.
OTHER_FUNCTIONS = {
    "ln": "the natural logarithm is `log(x)`",
    "log2": "write `log(x)/log(2)`",
    **dict.fromkeys(("pow", "power"), "a power is written `x^y`"),
    **dict.fromkeys(
        ("sind", "cosd", "tand"), "angles are in radian: `sin(x*Modelica.Constants.pi/180)`"
    ),
    **dict.fromkeys(("arcsin", "arccos", "arctan"), "write `asin(x)`, `acos(x)`, `atan(x)`"),
    "round": "write `floor(x + 0.5)`",
    **dict.fromkeys(("int", "trunc"), "`integer(x)` rounds down, `Integer` is the type"),
    "fabs": "`abs(x)` is the absolute value",
    "norm": "write `Modelica.Math.Vectors.norm(x)`, or `abs(x)` for a number",
    **dict.fromkeys(("length", "len", "numel"), "write `size(x, 1)`"),
    **dict.fromkeys(("diff", "ddt", "derivative"), "the time derivative is `der(x)`"),
    **dict.fromkeys(
        ("print", "disp", "printf", "fprintf"), 'write `Modelica.Utilities.Streams.print("text")`'
    ),
    **dict.fromkeys(("str", "num2str", "string"), "a text is made with `String(x)`"),
    **dict.fromkeys(
        ("float", "double"), "an Integer may stand for a Real: no conversion is needed"
    ),
    **dict.fromkeys(
        ("inv", "inverse"), "write `Modelica.Math.Matrices.inv(A)`, or solve `A*x = b`"
    ),
    **dict.fromkeys(("interp1", "interp"), "use `Modelica.Blocks.Tables.CombiTable1Ds`"),
    **dict.fromkeys(("rand", "random", "randn"), "use the blocks of `Modelica.Blocks.Noise`"),
    **dict.fromkeys(("step", "heaviside"), "write `if time >= 1 then 1 else 0`"),
    "eye": "write `identity(n)`",
    **dict.fromkeys(("range", "arange"), "a range is written `1:n`"),
}

# How functions of the language are called, for those with more than one argument.
CALLS = {
    **{row.name: row.called for row in ROWS if row.called},
    "size": "size(array, dimension)",
    "fill": "fill(value, n)",
    "linspace": "linspace(first, last, n)",
    "cat": "cat(dimension, a, b)",
    "cross": "cross(a, b)",
    "sample": "sample(start, interval)",
    "delay": "delay(x, delayTime)",
    "reinit": "reinit(x, value)",
    "smooth": "smooth(order, x)",
    "homotopy": "homotopy(actual = a, simplified = b)",
    "spatialDistribution": "spatialDistribution(in0, in1, x, positiveVelocity)",
    "outerProduct": "outerProduct(a, b)",
    "assert": 'assert(condition, "message")',
}


def hint_for_name(
    name: str, scope: ClassNode, known: Iterable[str], functions: Iterable[str] = ()
) -> str:
    if name in functions:
        return f"`{name}` is a function: its arguments stand in parentheses, `{call_of(name)}`"
    near = did_you_mean(name, known)
    if near:
        return near
    if name in OTHER_NAMES:
        return OTHER_NAMES[name]
    if name in CONSTANTS:
        return f"write `import Modelica.Constants.{name};`, or `Modelica.Constants.{name}`"
    if name.startswith("'"):
        return f'a text is between double quotes, `"{name[1:-1]}"`; single quotes are for names'
    enumeration = _enumeration_with(name, scope)
    if enumeration:
        return f"write `{enumeration}.{name}`"
    return f"declare `{name}` or import it"


def _enumeration_with(literal: str, scope: ClassNode) -> str:
    """The enumeration declared here or around that has such a literal."""
    node: ClassNode | None = scope
    while node is not None:
        elements = node.body.elements if isinstance(node.body, syn.LongBody) else ()
        for element in elements:
            body = element.definition.body if isinstance(element, syn.NestedClass) else None
            literals = body.literals if isinstance(body, syn.EnumerationBody) else None
            if any(one.name == literal for one in literals or ()):
                assert isinstance(element, syn.NestedClass)
                return element.definition.name
        node = node.enclosing
    return ""


def hint_for_function(name: str, known: Iterable[str]) -> str:
    return (
        OTHER_FUNCTIONS.get(name)
        or did_you_mean(name, known)
        or "check the spelling, import the package that declares it, "
        "or give its library with --library"
    )


def call_of(name: str) -> str:
    """How a function of the language is called."""
    return CALLS.get(name, f"{name}(x)")
