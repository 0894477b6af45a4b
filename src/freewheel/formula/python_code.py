"""Formulas as Python text, for the reference backend.

    to_python(Binary("/", Var((3,)), Call("mod", x, y)), name_code)   gives   "m[3]/mod(x, y)"

`name_code(name)` is the text for a variable. The names used in the text (`mod`, `power`, ...) are
those of `python_runtime.NAMES`, the globals to run it in. Meaning is that of the language: `/` raises
ZeroDivisionError, functions outside their domain raise ValueError or OverflowError, branches not
taken are not evaluated. Enumeration literals are their numbers. A function of the model is called
by `function_code(name)` and returns a tuple of its outputs.

With `arrays=True` values may be numpy arrays (`*` of two is the matrix product), else all operators
mean scalars; arrays are then only arguments of calls. Records are dictionaries.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from freewheel.base.names import ClassName, Name
from freewheel.formula.nodes import (
    RELATIONS,
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.python_runtime import NAMES
from freewheel.formula.walk import fold_parts

NameCode = Callable[[Name], str]
FunctionCode = Callable[[ClassName], str]

# How tightly the outermost operator binds, in Python's grammar.
CHOICE, OR, AND, NOT, COMPARISON, SUM, TERM, SIGN, PRIMARY = range(9)
Text = tuple[str, int]

# operator -> (level, least level on the left, on the right, text between)
_OPERATORS: dict[str, tuple[int, int, int, str]] = {
    "or": (OR, OR, AND, " or "),
    "and": (AND, AND, NOT, " and "),
    "+": (SUM, SUM, TERM, " + "),
    "-": (SUM, SUM, TERM, " - "),
    "*": (TERM, TERM, SIGN, "*"),
    "/": (TERM, TERM, SIGN, "/"),
}
for _relation in RELATIONS:
    _text = "!=" if _relation == "<>" else _relation
    _OPERATORS[_relation] = (COMPARISON, SUM, SUM, f" {_text} ")

# Of what a simulation remembers (structure/events/delays.py): value, slope, share of the present value.
LOOKED_UP = {"history": 0, "historySlope": 1, "historyShare": 2}

IN_PIPES = {"transported": 0, "transportedSlope": 1}

# Python's compiler recurses over operators; a sum this long becomes one call.
LONG_SUM = 100


def plain_function_code(name: ClassName) -> str:
    """A Python identifier for a function, quoted identifiers included."""
    return "f_" + "__".join(re.sub(r"\W", _escaped, part, flags=re.ASCII) for part in name)


def _escaped(found: re.Match[str]) -> str:
    return f"_{ord(found[0]):x}_"


def to_python(
    expr: Expr,
    name_code: NameCode,
    function_code: FunctionCode = plain_function_code,
    arrays: bool = False,
) -> str:
    """A Python expression with the value of `expr`."""
    return PythonText(name_code, function_code, arrays).of(expr)


class PythonText:
    """Writes formulas over one set of names; texts of shared parts are made once."""

    def __init__(
        self,
        name_code: NameCode,
        function_code: FunctionCode = plain_function_code,
        arrays: bool = False,
    ) -> None:
        self.name_code = name_code
        self.function_code = function_code
        self.arrays = arrays
        self.memo: dict[Expr, Text] = {}

    def of(self, expr: Expr) -> str:
        return fold_parts(expr, _parts, self._visit, self.memo)[0]

    def _visit(self, node: Expr, parts: tuple[Text, ...]) -> Text:
        if len(parts) > len(node.args):
            return _long_sum(node, parts)
        return _WRITE[type(node)](self, node, parts)


def _spine(node: Expr) -> list[Expr]:
    """The sums along the left side, outermost first."""
    sums: list[Expr] = []
    while isinstance(node, Binary) and node.data in ("+", "-"):
        sums.append(node)
        node = node.left
    return sums


def _parts(node: Expr) -> tuple[Expr, ...]:
    """Children, but all terms of a very long sum at once, and the arguments of a call's output."""
    if isinstance(node, Binary) and node.data in ("+", "-"):
        sums = _spine(node)
        if len(sums) > LONG_SUM:
            return (sums[-1].args[0], *(part.args[1] for part in reversed(sums)))
    return node.args


def _long_sum(node: Expr, parts: tuple[Text, ...]) -> Text:
    signs = ["+", *(part.data for part in reversed(_spine(node)))]
    terms = [
        _at_least(text, SUM) if sign == "+" else f"-{_at_least(text, SIGN)}"
        for sign, text in zip(signs, parts, strict=True)
    ]
    return f"total(({', '.join(terms)}))", PRIMARY


def _at_least(text: Text, level: int) -> str:
    return text[0] if text[1] >= level else f"({text[0]})"


def _list(parts: tuple[Text, ...]) -> str:
    return ", ".join(part[0] for part in parts)


# ---------------------------------------------------------------- leaves


def _real(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    value = node.data
    if math.isnan(value) or math.isinf(value):
        return f'float("{value}")', PRIMARY
    return repr(value), SIGN if value < 0 else PRIMARY


def _integer(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return str(node.data), SIGN if node.data < 0 else PRIMARY


def _plain(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return repr(node.data), PRIMARY


def _literal(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return str(node.data[1]), PRIMARY


def _var(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return work.name_code(node.data), PRIMARY


def _iterator(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return iterator_code(node.data), PRIMARY


def iterator_code(name: str) -> str:
    """A Python identifier for any Modelica identifier, as `plain_function_code`."""
    return "i_" + re.sub(r"\W", _escaped, name, flags=re.ASCII)


def _colon(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return "ALL", PRIMARY


# ---------------------------------------------------------------- operators


def _unary(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    if node.data == "not":
        return f"not {_at_least(parts[0], NOT)}", NOT
    return f"-{_at_least(parts[0], SIGN)}", SIGN


def _binary(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    op = node.data
    if work.arrays and op in ("*", "^"):
        return f"{'times' if op == '*' else 'matrix_power'}({_list(parts)})", PRIMARY
    op = op.lstrip(".")
    if op == "^":
        if node.args[1] in (Integer(2), Real(2.0)) and isinstance(node.args[0], Var):
            return f"{parts[0][0]}*{parts[0][0]}", TERM
        return f"{'each_power' if work.arrays else 'power'}({_list(parts)})", PRIMARY
    level, left, right, between = _OPERATORS[op]
    return _at_least(parts[0], left) + between + _at_least(parts[1], right), level


def _if(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    condition, then = (_at_least(part, OR) for part in parts[:2])
    return f"{then} if {condition} else {parts[2][0]}", CHOICE


# ---------------------------------------------------------------- calls


def _call(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    name = node.data
    if not isinstance(name, str):
        return f"{work.function_code(name)}({_list(parts)})[0]", PRIMARY
    if name in ("noEvent", "smooth"):
        return parts[-1]
    if name == "homotopy":
        return parts[0]
    if name in ("min", "max") and len(parts) == 1:
        return f"{name}_of({parts[0][0]})", PRIMARY
    if name in IN_PIPES:
        return f"look_in_pipe({_list(parts)})[{IN_PIPES[name]}]", PRIMARY
    if name in LOOKED_UP:
        return f"look_up({_list(parts)})[{LOOKED_UP[name]}]", PRIMARY
    assert name in NAMES, f"`{name}` has no meaning in Python text"
    if work.arrays and f"each_{name}" in NAMES:
        name = f"each_{name}"
    return f"{name}({_list(parts)})", PRIMARY


def _output(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    """The call was written as `f(...)[0]`: the first output of its tuple."""
    text = parts[0][0]
    assert text.endswith("[0]"), "only functions of the model have several outputs"
    return f"{text[:-3]}[{node.data - 1}]", PRIMARY


def _function_ref(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return work.function_code(node.data), PRIMARY


def _partial(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    function, labels = node.data
    bound = ", ".join(f"{label!r}: {part[0]}" for label, part in zip(labels, parts, strict=True))
    return f"bound({work.function_code(function)}, {{{bound}}})", PRIMARY


# ---------------------------------------------------------------- arrays and records


def _array(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return f"array([{_list(parts)}])", PRIMARY


def _range(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    return f"interval({_list(parts)})", PRIMARY


def _loops(labels: tuple[str, ...], ranges: tuple[Text, ...]) -> str:
    """The last iterator is the outermost loop."""
    pairs = zip(reversed(labels), reversed(ranges), strict=True)
    return " ".join(f"for {iterator_code(label)} in {_at_least(part, OR)}" for label, part in pairs)


def _comprehension(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    text = parts[0][0]
    for label, part in zip(node.data, parts[1:], strict=True):
        text = f"array([{text} for {iterator_code(label)} in {_at_least(part, OR)}])"
    return text, PRIMARY


def _reduction(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    op, labels = node.data
    return f"{op}_of([{parts[0][0]} {_loops(labels, parts[1:])}])", PRIMARY


def _index(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    base = _at_least(parts[0], PRIMARY)
    if all(isinstance(arg, Integer) and arg.data >= 1 for arg in node.args[1:]):
        return f"{base}[{', '.join(str(arg.data - 1) for arg in node.args[1:])}]", PRIMARY
    return f"item({base}, {_list(parts[1:])})", PRIMARY


def _record(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    labels = node.data[1]
    fields = ", ".join(f"{label!r}: {part[0]}" for label, part in zip(labels, parts, strict=True))
    return f"{{{fields}}}", PRIMARY


def _field(work: PythonText, node: Expr, parts: tuple[Text, ...]) -> Text:
    if work.arrays:
        return f"field({parts[0][0]}, {node.data!r})", PRIMARY
    return f"{_at_least(parts[0], PRIMARY)}[{node.data!r}]", PRIMARY


_WRITE: dict[type, Callable[[PythonText, Expr, tuple[Text, ...]], Text]] = {
    Real: _real,
    Integer: _integer,
    Boolean: _plain,
    String: _plain,
    Literal: _literal,
    Var: _var,
    Iterator: _iterator,
    Colon: _colon,
    FunctionRef: _function_ref,
    PartialFunction: _partial,
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Call: _call,
    Output: _output,
    Array: _array,
    Range: _range,
    Comprehension: _comprehension,
    Reduction: _reduction,
    Index: _index,
    Record: _record,
    Field: _field,
}
