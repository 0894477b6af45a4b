"""Flat models written by hand for tests of the rooms behind `flat`.

    flat_model("R parameter 2; u; i", "u == R*i; u == sin(time)")

A declaration is a name, kinds (`parameter`, `constant`, `boolean`, `integer`, `discrete`, `input`,
`prefer`, `never`, ..., an array size like `[3]`) and `start=..`, `fixed=..` or a binding.
Equations are Python-like text; `a.b` is a component, `x[1]` a subscript, `ite(c, a, b)` an if.
"""

from __future__ import annotations

import ast
import signal
from collections.abc import Callable

import pytest
from hypothesis import settings

from freewheel.base.names import Name
from freewheel.base.source import Source, Span
from freewheel.flat.nodes import (
    Attributes,
    Causality,
    Equation,
    FlatModel,
    Variability,
    Variable,
)
from freewheel.formula.nodes import (
    Array,
    Binary,
    Boolean,
    Call,
    Expr,
    If,
    Index,
    Integer,
    Iterator,
    Real,
    String,
    Unary,
    Var,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL

settings.register_profile("freewheel", deadline=None)  # a busy machine is no mistake of ours
settings.load_profile("freewheel")

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "<>",
    ast.And: "and", ast.Or: "or",
}  # fmt: skip
_SELECT = {"never", "avoid", "prefer", "always"}


def formula(text: str) -> Expr:
    """`sin(a.x) + 2` as formula nodes."""
    return _convert(ast.parse(text.strip(), mode="eval").body)


def _convert(node: ast.AST) -> Expr:
    match node:
        case ast.Constant(bool() as value):
            return Boolean(value)
        case ast.Constant(int() as value):
            return Integer(value)
        case ast.Constant(float() as value):
            return Real(value)
        case ast.Constant(str() as value):
            return String(value)
        case ast.Name() | ast.Attribute():
            return Var(_name(node))
        case ast.UnaryOp(ast.USub(), arg):
            return Unary("-", _convert(arg))
        case ast.UnaryOp(ast.Not(), arg):
            return Unary("not", _convert(arg))
        case ast.BinOp(left, op, right):
            return Binary(_BINARY[type(op)], _convert(left), _convert(right))
        case ast.Compare(left, [op], [right]):
            return Binary(_BINARY[type(op)], _convert(left), _convert(right))
        case ast.BoolOp(op, values):
            result = _convert(values[0])
            for value in values[1:]:
                result = Binary(_BINARY[type(op)], result, _convert(value))
            return result
        case ast.Call(ast.Name("ite"), [c, a, b]):
            return If(_convert(c), _convert(a), _convert(b))
        case ast.Call(ast.Name("iterator"), [ast.Name(name)]):
            return Iterator(name)
        case ast.Call(ast.Name(name), args):
            return Call(name, *map(_convert, args))
        case ast.Call(ast.Attribute() as path, args):
            return Call(tuple(str(p) for p in _name(path)), *map(_convert, args))
        case ast.List(elements):
            return Array(*map(_convert, elements))
        case ast.Subscript(base, ast.Tuple(parts)):
            return Index(_convert(base), *map(_convert, parts))
        case ast.Subscript(base, part):
            return Index(_convert(base), _convert(part))
    raise AssertionError(ast.dump(node))


def _name(node: ast.AST) -> Name:
    if isinstance(node, ast.Attribute):
        return (*_name(node.value), node.attr)
    assert isinstance(node, ast.Name), ast.dump(node)
    return (node.id,)


def declaration(text: str, source: Source) -> Variable:
    words = text.split()
    name: Name = tuple(words[0].split("."))
    kind, dims, variability, causality = REAL, (), Variability.CONTINUOUS, Causality.LOCAL
    select = None
    values: dict[str, Expr] = {}
    for word in words[1:]:
        if word in ("parameter", "constant", "discrete"):
            variability = Variability[word.upper()]
        elif word in ("boolean", "integer"):
            kind = BOOLEAN if word == "boolean" else INTEGER
        elif word in ("input", "output"):
            causality = Causality[word.upper()]
        elif word in _SELECT:
            select = word
        elif word.startswith("["):
            dims = tuple(int(part) for part in word.strip("[]").split(","))
        elif "=" in word and not word.startswith("="):
            key, _, value = word.partition("=")
            values[key] = formula(value)
        else:
            values["binding"] = formula(word)
    start = source.text.index(text.strip()) if text.strip() in source.text else 0
    return Variable(
        name,
        kind,
        dims,
        variability,
        causality,
        values.get("binding"),
        Attributes(values.get("start"), values.get("fixed"), state_select=select),
        span=Span(source, start, start + len(words[0])),
    )


def equation(text: str, source: Source) -> Equation:
    tree = ast.parse(text.strip(), mode="eval").body
    assert isinstance(tree, ast.Compare), text
    start = source.text.index(text.strip())
    span = Span(source, start, start + len(text.strip()))
    left, right = _convert(tree.left), _convert(tree.comparators[0])
    if len(tree.comparators) > 1 or not isinstance(tree.ops[0], ast.Eq):
        first = text.index("==")
        left, right = formula(text[:first]), formula(text[first + 2 :])
    origin = _origin(left) or _origin(right)
    return Equation(left, right, span, origin)


def _origin(expr: Expr) -> Name:
    return expr.name[:-1] if isinstance(expr, Var) else ()


def build_flat(declarations: str, equations: str, initial: str = "", **more: object) -> FlatModel:
    text = f"{declarations}\n;{equations};{initial}"
    source = Source.from_text(text, "test.mo")
    return FlatModel(
        name=("Test",),
        variables=tuple(declaration(d, source) for d in declarations.split(";") if d.strip()),
        equations=tuple(equation(e, source) for e in equations.split(";") if e.strip())
        + tuple(more.pop("extra", ())),  # type: ignore[arg-type]
        initial_equations=tuple(equation(e, source) for e in initial.split(";") if e.strip()),
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def flat_model() -> Callable[..., FlatModel]:
    return build_flat


@pytest.fixture(scope="session")
def to_formula() -> Callable[[str], Expr]:
    return formula


def pytest_configure() -> None:
    """Interrupts are heard, also where the tests run in the background: there they may be ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
